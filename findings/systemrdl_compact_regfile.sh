#!/usr/bin/env bash
# systemrdl-compiler 1.33.0 (PyPI: systemrdl-compiler 1.33.0, peakrdl 1.5.0), addresses that it chooses itself.
#
# A map with `addressing = compact` packs its registers, each at a multiple of its access width. One would guess that this
# holds in a register file of the map, too, or that the file itself is put where its registers are aligned. Seen: the
# file is put right after the register before it, at a multiple of 4 alone, and its register of 8 bytes is aligned
# within the file, so that it stands at an address that is no multiple of 8. There is no warning, and the same registers
# without the file, or with the default of `addressing`, are at multiples of 8.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check peakrdl==1.5.0 systemrdl-compiler==1.33.0

# Where the compiler puts the registers, with what it says besides.
map() { # a property of the map, what is in it
    echo "reg narrow { field { sw = rw; } value[32]; };
        reg wide { regwidth = 64; field { sw = rw; } value[64]; };
        addrmap top { $1 narrow first; $2 };" >top.rdl
    venv/bin/peakrdl dump top.rdl 2>&1 | sed 's/^0x0*\([0-9a-f]\+\)-.*: top\.\(.*\)/\2=\1/' | xargs
}
file='regfile { narrow a; wide b; } file;'
compact=$(map "addressing = compact;" "$file")
without=$(map "addressing = compact;" "narrow a; wide b;")
default=$(map "" "$file")
echo "compact: $compact; without a file: $without; default: $default"
[ "$compact" = "first=0 file.a=4 file.b=c" ] && [ "$without" = "first=0 a=4 b=8" ]
[ "$default" = "first=0 file.a=10 file.b=18" ]
