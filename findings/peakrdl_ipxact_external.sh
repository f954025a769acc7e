#!/usr/bin/env bash
# PeakRDL (PyPI: peakrdl 1.5.0, peakrdl-ipxact 3.5.0, systemrdl-compiler 1.33.0).
#
# A register that is external and has a side effect of its own kind on a read (`onread = ruser`) is exported to IP-XACT as
# a `readAction` of `modify`. One would guess that the same tool reads its own file back, since the file is valid and
# says all that IP-XACT can say of it. Seen: the importer sets `ruser` again but has no register external, so the
# compiler refuses the file. The same register with `rclr` goes there and back.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check peakrdl==1.5.0 peakrdl-ipxact==3.5.0 systemrdl-compiler==1.33.0

# What the import of the exported file says.
back() { # side effect of a read
    echo "addrmap top { external reg { field { sw = rw; hw = rw; onread = $1; } a[8]; } status @ 0x0; };" >"$1.rdl"
    venv/bin/peakrdl ip-xact "$1.rdl" -o "$1.xml"
    grep -o '<[a-z:]*readAction>[a-zA-Z]*' "$1.xml" | sed 's/.*>/readAction /'
    venv/bin/peakrdl dump "$1.xml" 2>&1 || true
}
cleared=$(back rclr)
changed=$(back ruser)
printf '%s\n\n%s\n' "$cleared" "$changed"
[[ $cleared == "readAction clear"*0x0-0x3*status ]]
[[ $changed == "readAction modify"*"'ruser', but instance 'a' is not external"* ]]
