#!/usr/bin/env bash
# Capstone 5.0.9 (PyPI: capstone 5.0.9), RISC-V with compressed instructions and details.
#
# A tracer asks Capstone for the groups of an instruction to tell calls from jumps and returns. One would guess that a
# jump without a link is in the group of jumps, that `ret` is in the group of returns, `mret` in that of returns from
# interrupts and `ebreak` in that of interrupts, as Capstone does for x86. Seen: the four-byte `j`, `jr` and `ret` are in
# the group of calls alone, although they link nothing, while the two-byte `c.j` and `c.jr` are in the group of jumps
# alone; `c.jr ra` is no return either; `mret` and `ebreak` are in no group.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check capstone==5.0.9

cat >groups.py <<'END'
import capstone

riscv = capstone.Cs(capstone.CS_ARCH_RISCV, capstone.CS_MODE_RISCV32 | capstone.CS_MODE_RISCVC)
x86 = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
riscv.detail = x86.detail = True
common = {capstone.CS_GRP_JUMP: "jump", capstone.CS_GRP_CALL: "call", capstone.CS_GRP_RET: "ret",
          capstone.CS_GRP_INT: "int", capstone.CS_GRP_IRET: "iret"}


def groups(decoder, word, size):
    instruction = next(decoder.disasm(word.to_bytes(size, "little"), 0x1000))
    return instruction.mnemonic, [common[group] for group in instruction.groups if group in common]


seen = [groups(riscv, word, size) for word, size in (
    (0x0080006F, 4),  # jal x0, 8
    (0x00050067, 4),  # jalr x0, 0(a0)
    (0x00008067, 4),  # jalr x0, 0(ra)
    (0x008000EF, 4),  # jal ra, 8
    (0xA009, 2),  # c.j
    (0x8082, 2),  # c.jr ra
    (0x9502, 2),  # c.jalr a0
    (0x30200073, 4),  # mret
    (0x00100073, 4),  # ebreak
)]
for name, of in seen:
    print(f"{name:8} {of}")
assert groups(x86, 0xC3, 1) == ("ret", ["ret"]) and groups(x86, 0x06EB, 2)[1] == ["jump"]
assert groups(x86, 0xCF, 1)[1][-1] == "iret" and groups(x86, 0xCC, 1) == ("int3", ["int"])
assert seen == [("j", ["call"]), ("jr", ["call"]), ("ret", ["call"]), ("jal", ["call"]), ("c.j", ["jump"]),
                ("c.jr", ["jump"]), ("c.jalr", ["call"]), ("mret", []), ("ebreak", [])]
END
venv/bin/python groups.py
