#!/usr/bin/env bash
# Capstone 5.0.9 (PyPI: capstone 5.0.9), the operands of instructions of RISC-V.
#
# One would guess that the operand of a direct jump is the address it goes to, since the address of the instruction is
# given to the decoder and Capstone does so for x86, and that every load and store has an operand of the kind of memory,
# with a base and a displacement. Seen: the operand and the text of a jump or branch are the distance, whatever the
# address is; four-byte loads and stores have an operand of memory, and compressed ones have a number and a register
# instead, so a tool that looks for accesses to memory by their operands does not see them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check capstone==5.0.9

cat >operands.py <<'END'
import capstone
from capstone.riscv import RISCV_OP_IMM, RISCV_OP_MEM

riscv = capstone.Cs(capstone.CS_ARCH_RISCV, capstone.CS_MODE_RISCV64 | capstone.CS_MODE_RISCVC)
x86 = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
riscv.detail = x86.detail = True


def decoded(decoder, word, size):
    return next(decoder.disasm(word.to_bytes(size, "little"), 0x1000))


def operands(word, size):
    instruction = decoded(riscv, word, size)
    kinds = []
    for operand in instruction.operands:
        if operand.type == RISCV_OP_MEM:
            kinds.append(f"memory {operand.mem.disp}({instruction.reg_name(operand.mem.base)})")
        elif operand.type == RISCV_OP_IMM:
            kinds.append(f"number {operand.imm}")
        else:
            kinds.append(instruction.reg_name(operand.reg))
    return f"{instruction.mnemonic} {', '.join(kinds)}"


seen = [operands(word, size) for word, size in (
    (0x0080006F, 4),  # a jump over 8 bytes
    (0x00B50463, 4),  # a branch over 8 bytes
    (0x00A5B423, 4),  # sd a0, 8(a1)
    (0xE42A, 2),  # c.sdsp a0, 8(sp)
    (0x4108, 2),  # c.lw a0, 0(a0)
)]
print("\n".join(seen))
assert decoded(x86, 0x06EB, 2).operands[0].imm == 0x1008
assert seen == ["j number 8", "beq a0, a1, number 8", "sd a0, memory 8(a1)", "c.sdsp a0, number 8, sp",
                "c.lw a0, number 0, a0"]
END
venv/bin/python operands.py
