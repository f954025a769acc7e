#!/usr/bin/env bash
# Capstone 5.0.6 (PyPI: capstone 5.0.6), the groups of branches of AArch64.
#
# One would guess that an instruction that changes the program counter is in one of the groups jump, call, return and int,
# that `branch_relative` says that the target is in the instruction, and that all branches are known. Seen: `bc.eq`, `eret`
# and `brk` are in no group, `eretaa` in that of authentication alone; `blraaz x3`, whose target is in a register, is
# `branch_relative`; and `cb` with a condition (FEAT_CMPBR) and `retaasppc` (FEAT_PAuth_LR) are no instructions. Other
# than on RISC-V the operand of a direct branch is the address that it goes to.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check capstone==5.0.6

cat >groups.py <<'END'
import capstone

decoder = capstone.Cs(capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM)
decoder.detail = True


def said(word):
    instruction = next(decoder.disasm(word.to_bytes(4, "little"), 0x1000), None)
    if instruction is None:
        return "nothing"
    groups = [instruction.group_name(group) for group in instruction.groups]
    return f"{instruction.mnemonic} {instruction.op_str}".strip() + f": {', '.join(groups) or 'no group'}"


expected = {
    0x54000040: "b.eq #0x1008: jump, branch_relative",
    0x54000050: "bc.eq #0x1008: no group",
    0xD69F03E0: "eret: no group",
    0xD69F0BFF: "eretaa: pointer authentication",
    0xD4200020: "brk #1: no group",
    0xD63F087F: "blraaz x3: call, jump, branch_relative, pointer authentication",
    0x74020041: "nothing",
    0x5500005F: "nothing",
}
found = {word: said(word) for word in expected}
for word, text in found.items():
    print(f"{word:08x}  {text}")
assert found == expected
END
venv/bin/python groups.py
