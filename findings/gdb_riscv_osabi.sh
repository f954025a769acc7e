#!/usr/bin/env bash
# GDB 18.1 (PyPI: gdb-for-pwndbg 18.1.0.post1) as a client of a debug server for RV32.
#
# The server offers single steps (`vCont;s`), and its target description names the architecture and no operating system.
# One would guess that `stepi` asks the server for a step. Seen: GDB takes the target for GNU/Linux, the system that GDB
# itself runs on, and for that it steps by itself: it decodes the instruction, puts a breakpoint (`Z0`) at the address
# that it expects next, and lets the target run (`vCont;c`). After an instruction that traps, or on a server that replays
# a trace, the target need not come to that address, and runs on. With `<osabi>none</osabi>` in the description GDB asks
# for the step.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check gdb-for-pwndbg==18.1.0.post1

cat >server.py <<'END'
import re
import socket
import sys

names = ["zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "fp", "s1"] + [f"a{n}" for n in range(8)]
names += [f"s{n}" for n in range(2, 12)] + [f"t{n}" for n in range(3, 7)] + ["pc"]
registers = "".join(f"<reg name='{name}' bitsize='32'/>" for name in names)
target = (f"<?xml version='1.0'?><target><architecture>riscv:rv32</architecture>{sys.argv[1]}"
          f"<feature name='org.gnu.gdb.riscv.cpu'>{registers}</feature></target>")
answers = {"qSupported": "PacketSize=4000;qXfer:features:read+;vContSupported+", "vCont?": "vCont;c;C;s;S",
           "qXfer:features:read:target.xml": "l" + target, "?": "S05", "H": "OK", "Z0": "OK", "z0": "OK", "k": "OK"}
counter = 0x1000


def answer(request):
    global counter
    if request.startswith(("vCont;s", "vCont;c")):
        counter += 4
        return "S05"
    if request.startswith("m"):  # no-operations everywhere
        length = int(request.split(",")[1], 16)
        return ("13000000" * (length // 4 + 1))[:2 * length]
    if request == "g":
        return "00000000" * 32 + counter.to_bytes(4, "little").hex()
    return next((answers[start] for start in answers if request.startswith(start)), "")


listener = socket.create_server(("127.0.0.1", 0))
with open("port", "w") as file:
    print(listener.getsockname()[1], file=file)
listener.settimeout(60)
connection, received = listener.accept()[0], b""
while more := connection.recv(4096):
    received += more
    while packet := re.search(rb"\$([^#]*)#..", received, re.S):
        received, request = received[packet.end():], packet[1].decode("latin1")
        if request.startswith(("Z", "vCont;")):
            print(request.split(":")[0].split(",")[0], flush=True)
        text = answer(request)
        connection.sendall(f"+${text}#{sum(text.encode()) & 255:02x}".encode())
END
requests() { # osabi
    rm -f port
    python3 server.py "$1" >requests.txt &
    while [ ! -s port ]; do sleep 0.1; done
    timeout 50 venv/bin/gdb -nx -batch -ex "target remote 127.0.0.1:$(cat port)" -ex stepi -ex 'p/x $pc' >gdb.log 2>&1
    wait
    grep -q '= 0x1004' gdb.log && xargs <requests.txt
}
silent=$(requests "")
none=$(requests "<osabi>none</osabi>")
echo "stepi without an osabi: $silent; with none: $none"
[ "$silent" = "Z0 vCont;c" ] && [ "$none" = "vCont;s" ]
