#!/usr/bin/env bash
# CV32E41P (PyPI: pythondata-cpu-cv32e41p 0.0.post1883), all of its code size extensions off, by Verilator.
#
# One would guess that the two-byte `c.jalr` links to the instruction two bytes after it, as `c.jal` does. Seen: it links
# to four bytes after it, so a function called by it returns past the instruction after the call.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
missing=()
command -v verilator >/dev/null || missing+=(verilator g++ make)
command -v riscv64-unknown-elf-as >/dev/null || missing+=(binutils-riscv64-unknown-elf)
[ ${#missing[@]} -eq 0 ] || apt-get install -y -qq "${missing[@]}" >/dev/null
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check pythondata-cpu-cv32e41p==0.0.post1883
core=$(venv/bin/python -c 'import pythondata_cpu_cv32e41p as p; print(p.data_location)')

cat >program.s <<'EOF'
    .option rvc
    la a0, link
    lui s0, 0x80000         # a store here shows a word
start:
    c.jalr a0
    nop
    j start
    .org 0x40
link:
    la t0, start
    sub t0, ra, t0
    sw t0, 0(s0)            # how far the link is from c.jalr
end:
    j end
EOF
riscv64-unknown-elf-as -march=rv32ic program.s -o program.o
riscv64-unknown-elf-ld -m elf32lriscv -Ttext=0 -e 0 program.o -o program.elf
riscv64-unknown-elf-objcopy -O verilog --verilog-data-width=4 program.elf program.hex

cat >bench.sv <<'EOF'
module bench;
    logic        clock = 0, reset = 1, fetched = 0, accessed = 0;
    logic [31:0] memory [0:63], word, fetch, address, written;
    logic        request, access, store;
    always #1 clock = !clock;
    cv32e41p_core core (.clk_i(clock), .rst_ni(!reset), .pulp_clock_en_i(1'b1), .scan_cg_en_i(1'b0), .boot_addr_i(32'd0),
        .mtvec_addr_i(32'd0), .dm_halt_addr_i(32'd0), .hart_id_i(32'd0), .dm_exception_addr_i(32'd0),
        .instr_req_o(request), .instr_gnt_i(1'b1), .instr_rvalid_i(fetched), .instr_addr_o(fetch), .instr_rdata_i(word),
        .data_req_o(access), .data_gnt_i(1'b1), .data_rvalid_i(accessed), .data_we_o(store), .data_addr_o(address),
        .data_wdata_o(written), .data_rdata_i(32'd0), .apu_gnt_i(1'b0), .apu_rvalid_i(1'b0), .apu_result_i(32'd0),
        .apu_flags_i('0), .irq_i(32'd0), .debug_req_i(1'b0), .fetch_enable_i(1'b1));
    always @(posedge clock) begin
        fetched <= request & !reset;
        accessed <= access & !reset;
        word <= memory[fetch[7:2]];
        if (access & store & address == 32'h80000000) $display("distance %0d", written);
    end
    initial begin
        for (int n = 0; n < 64; n++) memory[n] = 32'h13;
        $readmemh("program.hex", memory);
        repeat (8) @(negedge clock);
        reset = 0;
        repeat (400) @(negedge clock);
        $finish;
    end
endmodule
EOF
DESIGN_RTL_DIR=$core/rtl verilator --binary -Wno-fatal -Wno-lint -Wno-style -Wno-MULTIDRIVEN -Wno-BLKANDNBLK \
    --top-module bench -f "$core/cv32e41p_manifest.flist" bench.sv >verilator.log 2>&1 || { tail -5 verilator.log; exit 2; }
distance=$(obj_dir/Vbench | grep distance)
echo "c.jalr links to its own address plus: ${distance#distance }"
[ "$distance" = "distance 4" ]
