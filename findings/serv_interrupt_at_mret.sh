#!/usr/bin/env bash
# SERV 1.2.0 (PyPI: pythondata-cpu-serv 1.2.0.post146), simulated by Icarus Verilog.
#
# A timer interrupt becomes pending while a handler of `ebreak` runs, and is taken after the handler's `mret`. One would
# guess that MPIE then holds the 1 that `mret` has restored to MIE, so that the `mret` of the timer's handler enables
# interrupts again. Seen: interrupts stay disabled for good, and a second timer interrupt is never taken. When the
# first one becomes pending outside of a handler, both are taken.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
missing=()
command -v iverilog >/dev/null || missing+=(iverilog)
command -v riscv64-unknown-elf-as >/dev/null || missing+=(binutils-riscv64-unknown-elf)
[ ${#missing[@]} -eq 0 ] || apt-get install -y -qq "${missing[@]}" >/dev/null
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check pythondata-cpu-serv==1.2.0.post146
serv=$(venv/bin/python -c 'import pythondata_cpu_serv as p; print(p.data_location)')

cat >program.s <<'EOF'
    la t0, handler
    csrw mtvec, t0
    lui s0, 0x80000         # a store here ends the pending interrupt; four bytes on: asks for one at once
    li t0, 0x80
    csrs mie, t0
    csrsi mstatus, 8
    ebreak
rest:
    j rest
    .balign 64
handler:
    csrr t1, mcause
    bltz t1, timer
    csrr t1, mepc
    addi t1, t1, 4
    csrw mepc, t1
    sw zero, 4(s0)
    nop
    mret
timer:
    sw zero, 0(s0)
    mret
EOF
riscv64-unknown-elf-as -march=rv32i_zicsr program.s -o program.o
riscv64-unknown-elf-ld -m elf32lriscv -Ttext=0 -e 0 program.o -o program.elf
riscv64-unknown-elf-objcopy -O verilog --verilog-data-width=4 program.elf program.hex

cat >bench.v <<'EOF'
module bench;
    reg         clock = 0, reset = 1, timer = 0, fetched = 0, accessed = 0;
    reg  [31:0] memory [0:63], word;
    wire [31:0] fetch, address;
    wire        fetch_cycle, cycle, store;
    integer     interrupts = 0, n;
    always #1 clock = !clock;
    serv_rf_top #(.RESET_PC(0)) core (.clk(clock), .i_rst(reset), .i_timer_irq(timer),
        .o_ibus_adr(fetch), .o_ibus_cyc(fetch_cycle), .i_ibus_rdt(word), .i_ibus_ack(fetched),
        .o_dbus_adr(address), .o_dbus_cyc(cycle), .o_dbus_we(store), .i_dbus_rdt(32'd0), .i_dbus_ack(accessed),
        .i_ext_rd(32'd0), .i_ext_ready(1'b0));
    always @(posedge clock) begin
        fetched <= fetch_cycle & !fetched;
        accessed <= cycle & !accessed;
        word <= memory[fetch[7:2]];
        if (accessed & store & address[31]) begin
            timer <= address[2] & IN_HANDLER;
            if (!address[2]) interrupts = interrupts + 1;
        end
    end
    initial begin
        for (n = 0; n < 64; n = n + 1) memory[n] = 32'h13;
        $readmemh("program.hex", memory);
        repeat (40) @(negedge clock);
        reset = 0;
        repeat (8000) @(negedge clock);
        if (!IN_HANDLER) begin
            timer = 1;
            repeat (8000) @(negedge clock);
        end
        timer = 1;
        repeat (8000) @(negedge clock);
        $display("%0d", interrupts);
        $finish;
    end
    parameter IN_HANDLER = 1;
endmodule
EOF
for in_handler in 1 0; do
    iverilog -g2005-sv -Pbench.IN_HANDLER=$in_handler -s bench -o bench.vvp bench.v "$serv"/rtl/serv_*.v
    counts+=("$(vvp -n bench.vvp | tail -1)")
done
echo "timer interrupts taken, of 2: ${counts[0]} if the first becomes pending in a handler, ${counts[1]} if it does not"
[ "${counts[*]}" = "1 2" ]
