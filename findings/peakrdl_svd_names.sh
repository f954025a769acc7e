#!/usr/bin/env bash
# PeakRDL's importer of CMSIS-SVD (PyPI: peakrdl-svd 0.1.0, peakrdl 1.5.0, systemrdl-compiler 1.33.0), compared with
# cmsis-svd 0.6.
#
# CMSIS-SVD lets an array of registers name its elements (`dimIndex`), and writes binary numbers with a `#`. One would
# guess that `CTRL_%s` with the indices `RX,TX` becomes CTRL_RX and CTRL_TX, and that the reset value `#110` is 6, as
# cmsis-svd has it. Seen: the registers are named CTRL0 and CTRL1, so the names that software uses are lost; an
# element with the index 4 is named 0; and `#110` is 0x110. None of it is an error or a warning.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check peakrdl==1.5.0 peakrdl-svd==0.1.0 systemrdl-compiler==1.33.0 \
    cmsis-svd==0.6

register() { # name, indices, offset, reset value
    echo "<register><dim>2</dim><dimIncrement>4</dimIncrement><dimIndex>$2</dimIndex><name>$1</name>"
    echo "<addressOffset>$3</addressOffset><resetValue>$4</resetValue>"
    echo "<fields><field><name>value</name><bitRange>[31:0]</bitRange></field></fields></register>"
}
{
    echo '<?xml version="1.0" encoding="utf-8"?><device schemaVersion="1.3"><name>Device</name><version>1</version>'
    echo '<description>A device</description><addressUnitBits>8</addressUnitBits><width>32</width><size>32</size>'
    echo '<peripherals><peripheral><name>Port</name><baseAddress>0x1000</baseAddress><registers>'
    register CTRL_%s RX,TX 0x0 '#110'
    register LEVEL%s 4-5 0x8 3
    echo '</registers></peripheral></peripherals></device>'
} >device.svd
venv/bin/peakrdl systemrdl device.svd -o device.rdl
peakrdl=$(sed -n 's/.*\[31:0\] = \([0-9x]*\);/\1/p; s/.*} \([A-Z_0-9]*\) @ \(0x[0-9A-F]*\);/\1/p' device.rdl | xargs)
cmsis=$(venv/bin/python -c '
from cmsis_svd.parser import SVDParser
port = SVDParser.for_xml_file("device.svd").get_device().get_peripherals()[0]
print(*(f"{each.reset_value:#x} {each.name}" for each in port.get_registers()))')
echo "peakrdl-svd: $peakrdl"
echo "cmsis-svd:   $cmsis"
[ "$peakrdl" = "0x110 CTRL0 0x110 CTRL1 0x3 LEVEL0 0x3 LEVEL1" ]
[ "$cmsis" = "0x6 CTRL_RX 0x6 CTRL_TX 0x3 LEVEL4 0x3 LEVEL5" ]
