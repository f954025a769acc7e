#!/usr/bin/env bash
# LLDB 23.1.0 (PyPI: lldb-for-pwndbg 23.1.0.post2) as a client of a debug server for RV32.
#
# A server answers `g` with two `x` for each byte of a register that it can not tell, here of `ra` alone, as the remote
# protocol of GDB has it; one that replays a trace does so. One would guess that LLDB shows `ra` as unavailable and the
# rest as sent. Seen: `ra` and every register after it, the program counter too, are read as 0xcccccccc with no word
# about it, so the debugger stands at an address that the server has never sent.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check lldb-for-pwndbg==23.1.0.post2

cat >server.py <<'END'
import socket
import sys

names = ["zero", "ra", "sp", "gp", "tp"] + [f"x{n}" for n in range(5, 32)] + ["pc"]
target = ("<?xml version='1.0'?><target><architecture>riscv:rv32</architecture><feature name='org.gnu.gdb.riscv.cpu'>"
          + "".join(f"<reg name='{name}' bitsize='32'/>" for name in names) + "</feature></target>")
values = ["00000000"] + ["10000000"] * 31 + ["78563412"]
if sys.argv[1] == "hidden":
    values[1] = "x" * 8
answers = {"qSupported": "PacketSize=4000;qXfer:features:read+", "qXfer:features:read:target.xml": "l" + target,
           "?": "S05", "g": "".join(values), "H": "OK", "qC": "QC1", "qfThreadInfo": "m1", "qsThreadInfo": "l", "m": "E01",
           "k": "OK"}
listener = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as file:
    print(listener.getsockname()[1], file=file)
listener.settimeout(60)
connection = listener.accept()[0]
stream = connection.makefile("rwb", buffering=0)
while byte := stream.read(1):
    if byte != b"$":
        continue
    request = b""
    while (byte := stream.read(1)) != b"#":
        request += byte
    stream.read(2)
    request = request.decode("latin1")
    answer = next((answers[start] for start in answers if request.startswith(start)), "")
    stream.write(f"+${answer}#{sum(answer.encode()) & 255:02x}".encode())
    if request == "k":
        break
END
registers() { # all or hidden
    rm -f port
    python3 server.py "$1" &
    while [ ! -s port ]; do sleep 0.1; done
    timeout 50 venv/bin/lldb -x --batch -o "settings set target.default-arch riscv32" \
        -o "gdb-remote 127.0.0.1:$(cat port)" -o "register read zero ra sp pc" 2>&1 |
        sed -n 's/^ *\(zero\|ra\|sp\|pc\) = \(0x[0-9a-f]*\).*/\1=\2/p' | sort | xargs
    wait
}
all=$(registers all)
hidden=$(registers hidden)
echo "all sent: $all; ra not: $hidden"
[ "$all" = "pc=0x12345678 ra=0x00000010 sp=0x00000010 zero=0x00000000" ]
[ "$hidden" = "pc=0xcccccccc ra=0xcccccccc sp=0xcccccccc zero=0x00000000" ]
