#!/usr/bin/env bash
# QEMU's emulators of programs as distributions pack them (Ubuntu 22.04: qemu-user 6.2+dfsg-2ubuntu6; Ubuntu 26.04: qemu-user
# 10.2.1+ds-1ubuntu3; both of the archive as it was released).
#
# One would guess that a plugin for version 1 of QEMU's interface needs to be adapted for newer emulators, since the
# interface is at version 2 or more from QEMU 9.0 on. Seen: there is nothing to adapt it to. From 8.2 of Ubuntu 24.04 on,
# the package has no plugins at all: `-plugin` is an unknown option, and the plugin's version is never looked at. The same
# was seen with 9.2.1 (Ubuntu 25.04), 10.0.2 (Debian's backports for 12, made from 13's) and 11.1.3 (Debian's sid). With
# plugins are 6.2 (Ubuntu 22.04) and 7.2 (Debian 12), and the emulators of machines: qemu-system-riscv64 10.0.2 has the
# option, and refuses such a plugin because it takes version 2 at least.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
pool=http://archive.ubuntu.com/ubuntu/pool/universe/q/qemu

# The file with this name and digest, unpacked.
get() {
    curl -sSf --max-time 300 -o "$1.deb" "$pool/qemu-user_$2_amd64.deb"
    echo "$3  $1.deb" | sha256sum --check --quiet
    dpkg-deb -x "$1.deb" "$1"
}
get old 6.2+dfsg-2ubuntu6 2d3b7c26975d41b02e5f2500d3ae85dee49eb553a659b688a49be5ca32bdcc55
get new 10.2.1+ds-1ubuntu3 e6bdaac070232a44b8657cad84ac0853d84b7167b55af82370af040291f55bd8

# What an emulator says of a plugin that is not there: a program is not needed to see whether it knows the option.
said() {
    "$1/usr/bin/qemu-riscv64" -plugin "$PWD/none.so" none 2>&1 | head -1 || true
}
listed() {
    "$1/usr/bin/qemu-riscv64" -h 2>/dev/null | grep -c '^-plugin' || true
}
echo "$(old/usr/bin/qemu-riscv64 --version | head -1): -plugin listed $(listed old) times; $(said old)"
echo "$(new/usr/bin/qemu-riscv64 --version | head -1): -plugin listed $(listed new) times; $(said new)"
[ "$(listed old) $(listed new)" = "1 0" ] && [[ $(said old) != *"unknown option"* ]] &&
    [[ $(said new) == *"unknown option 'plugin'"* ]]
