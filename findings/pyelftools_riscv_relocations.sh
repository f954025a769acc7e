#!/usr/bin/env bash
# pyelftools 0.33 (PyPI: pyelftools 0.33) on the DWARF of an object file that is not linked yet, of RISC-V.
#
# pyelftools knows RISC-V: it names the machine and reads its section of attributes. One would guess that it reads the
# line table of an object file as it does for x86. Seen: `get_dwarf_info` is refused for the first relocation
# (R_RISCV_32, the plainest there is), as no relocation of RISC-V is known to it. With `relocate_dwarf_sections=False`
# there is no error, and every row of the line table stands at address 0, because the assembler leaves the differences
# between addresses to relocations, too. A linked file is read as it should be.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
missing=()
command -v riscv64-unknown-elf-as >/dev/null || missing+=(binutils-riscv64-unknown-elf)
command -v as >/dev/null || missing+=(binutils)
[ ${#missing[@]} -eq 0 ] || apt-get install -y -qq "${missing[@]}" >/dev/null
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check pyelftools==0.33

printf '    .text\nstart:\n    nop\n    nop\n    nop\n' >program.s
riscv64-unknown-elf-as -g -march=rv32i -mabi=ilp32 program.s -o riscv.o
riscv64-unknown-elf-ld -m elf32lriscv -Ttext=0 -e 0 riscv.o -o riscv.elf
as -g program.s -o host.o

cat >lines.py <<'END'
import sys

from elftools.common.exceptions import ELFRelocationError
from elftools.elf.elffile import ELFFile


def rows(path, relocate=True):
    with open(path, "rb") as file:
        try:
            dwarf = ELFFile(file).get_dwarf_info(relocate_dwarf_sections=relocate)
        except ELFRelocationError as error:
            return str(error)
        unit = next(dwarf.iter_CUs())
        entries = dwarf.line_program_for_CU(unit).get_entries()
        return [entry.state.address for entry in entries if entry.state]


linked = rows("riscv.elf")
host = rows("host.o")
refused = rows("riscv.o")
unrelocated = rows("riscv.o", relocate=False)
print(f"linked: {linked}; not linked: {refused}; without relocations: {unrelocated}; of the host, not linked: {host}")
assert linked == [0, 4, 8, 12] and len(set(host)) == 4
assert refused == "Unsupported relocation type: 1" and unrelocated == [0, 0, 0, 0]
END
venv/bin/python lines.py
