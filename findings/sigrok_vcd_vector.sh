#!/usr/bin/env bash
# sigrok-cli 0.7.2 with libsigrok 0.5.2 (Debian 12: sigrok-cli 0.7.2-1+b1, libsigrok4 0.5.2-4), its input format `vcd`.
#
# This version reads signals of one bit from a VCD. One would guess that a signal of more bits beside them is skipped, with
# its changes. Seen: the declaration is skipped, and so is a change that is written with one digit, as `b0`. At the first
# change with more digits the reading ends: what comes before is given out as if it were the whole recording, with no
# message and an exit code of 0. The same file without the wider signal is read to its end.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p archives/partial
apt-get install -y -qq --reinstall --no-install-recommends --download-only -o "Dir::Cache::archives=$folder/archives" \
    sigrok-cli=0.7.2-1+b1 libsigrok4=0.5.2-4 >apt.log 2>&1 || { cat apt.log; exit 2; }
for package in archives/*.deb; do dpkg -x "$package" .; done
LD_LIBRARY_PATH=$(dirname "$(find "$folder/usr/lib" -name 'libsigrok.so.4')")
export LD_LIBRARY_PATH

cat >wide.vcd <<'END'
$timescale 1 us $end
$scope module top $end
$var wire 1 ! bit $end
$var wire 8 " bus $end
$upscope $end
$enddefinitions $end
#0
1!
b0 "
#100
0!
b101 "
#200
1!
#300
0!
#1000
1!
END
grep -v '"' wide.vcd >narrow.vcd
# How many samples are read, and how often the bit changes between them.
samples() {
    usr/bin/sigrok-cli -i "$1" -I vcd -O csv:header=false:label=off 2>errors.txt | grep '^[01]$' >samples.txt
    echo "$(wc -l <samples.txt) samples, $(($(uniq samples.txt | wc -l) - 1)) changes," \
        "$(wc -c <errors.txt) bytes of messages"
}
narrow=$(samples narrow.vcd)
wide=$(samples wide.vcd)
echo "one bit alone: $narrow; beside a bus: $wide"
[ "$narrow" = "1000 samples, 3 changes, 0 bytes of messages" ]
[ "$wide" = "100 samples, 0 changes, 0 bytes of messages" ]
