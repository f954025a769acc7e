#!/usr/bin/env bash
# CVA5 (PyPI: pythondata-cpu-cva5 0.0.post649) in its wrapper for LiteX, variant 0, by Verilator.
#
# A program waits in a loop for a timer interrupt. One would guess that the handler runs. Seen: with a loop of one jump the
# first instructions of the handler are fetched, the loop goes on, and the handler never runs although the request stays;
# with 12 nops in the loop it runs, and again after every mret, although its first store has ended the request: MTIP stays
# until software writes mip.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
missing=()
command -v verilator >/dev/null || missing+=(verilator g++ make)
command -v riscv64-unknown-elf-as >/dev/null || missing+=(binutils-riscv64-unknown-elf)
[ ${#missing[@]} -eq 0 ] || apt-get install -y -qq "${missing[@]}" >/dev/null
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check pythondata-cpu-cva5==0.0.post649
core=$(venv/bin/python -c 'import pythondata_cpu_cva5 as p; print(p.data_location)')

cat >program.s <<'EOF'
    la t0, handler
    csrw mtvec, t0
    lui s0, 0x80000
    li t0, 0x80
    csrs mie, t0
    csrsi mstatus, 8
rest:
    .rept NOPS
    nop
    .endr
    j rest
    .balign 64
handler:
    sw zero, 0(s0)          # a store there takes the request back
    mret
EOF
program() { # nops
    riscv64-unknown-elf-as -march=rv32i_zicsr --defsym NOPS="$1" program.s -o program.o
    riscv64-unknown-elf-ld -m elf32lriscv -Ttext=0 -e 0 program.o -o program.elf
    riscv64-unknown-elf-objcopy -O verilog --verilog-data-width=4 program.elf program.hex
}

cat >bench.sv <<'EOF'
module bench;
    logic        clock = 0, reset = 1, fetched = 0, accessed = 0, timer = 0;
    logic [31:0] memory [0:127], word, written;
    logic [29:0] fetch, place;
    logic        request, access, store;
    int          count = 0;
    always #1 clock = !clock;
    litex_wrapper #(.LITEX_VARIANT(0), .RESET_VEC(0)) core (.clk(clock), .rst(reset),
        .litex_interrupt({14'd0, timer, 1'b0}), .ibus_adr(fetch), .ibus_stb(request), .ibus_dat_r(word),
        .ibus_ack(fetched), .ibus_err(1'b0), .dbus_adr(place), .dbus_dat_w(written), .dbus_stb(access),
        .dbus_we(store), .dbus_dat_r(32'd0), .dbus_ack(accessed), .dbus_err(1'b0), .idbus_dat_r(32'd0),
        .idbus_ack(1'b0), .idbus_err(1'b0));
    always @(posedge clock) begin
        fetched <= request & !fetched & !reset;
        accessed <= access & !accessed & !reset;
        word <= memory[fetch[6:0]];
        if (access & !accessed & store) begin
            timer <= 0;
            count <= count + 1;
        end
    end
    initial begin
        for (int n = 0; n < 128; n++) memory[n] = 32'h13;
        $readmemh("program.hex", memory);
        repeat (300) @(negedge clock);
        reset = 0;
        repeat (400) @(negedge clock);
        timer = 1;
        repeat (20000) @(negedge clock);
        $display("taken %0d", count);
        $finish;
    end
endmodule
EOF
mapfile -t files < <(tr -s ' \n' '\n' <"$core/tools/compile_order" | sed "/^$/d; s|^|$core/|")
verilator --binary -Wno-fatal -Wno-lint -Wno-style -Wno-MULTIDRIVEN -Wno-BLKANDNBLK --top-module bench "${files[@]}" \
    "$core/examples/litex/l1_to_wishbone.sv" "$core/examples/litex/litex_wrapper.sv" bench.sv >verilator.log 2>&1 ||
    { tail -5 verilator.log; exit 2; }
for nops in 0 12; do
    program $nops
    counts+=("$(obj_dir/Vbench | grep taken)")
done
echo "a handler of a timer interrupt: ${counts[0]}x from a loop of one jump, ${counts[1]}x from a longer loop"
[ "${counts[0]}" = "taken 0" ] && [ "${counts[1]#taken }" -gt 10 ]
