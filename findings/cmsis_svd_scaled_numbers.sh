#!/usr/bin/env bash
# cmsis-svd 0.6 (PyPI: cmsis-svd 0.6), a reader of register descriptions in CMSIS-SVD.
#
# The schema of CMSIS-SVD, which the package brings and checks files with, allows addresses and sizes with a scale, as
# `4K` or `1M`. One would guess that a file the package finds valid is read with the values it says, or is refused.
# Seen: each number with a scale is None in the model, with no error and no warning, the base address of a peripheral
# and the reset value of a register among them; the reset value does not even fall back to that of the device.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check cmsis-svd==0.6

cat >device.svd <<'END'
<?xml version="1.0" encoding="utf-8"?>
<device schemaVersion="1.3" xmlns:xs="http://www.w3.org/2001/XMLSchema-instance"
    xs:noNamespaceSchemaLocation="CMSIS-SVD.xsd">
  <name>Device</name><version>1</version><description>A device</description>
  <addressUnitBits>8</addressUnitBits><width>32</width><size>32</size><resetValue>7</resetValue>
  <peripherals>
    <peripheral>
      <name>Timer</name><baseAddress>1M</baseAddress>
      <addressBlock><offset>0</offset><size>4K</size><usage>registers</usage></addressBlock>
      <registers>
        <register><name>Scaled</name><addressOffset>0x1k</addressOffset><resetValue>2K</resetValue></register>
        <register><name>Plain</name><addressOffset>0x400</addressOffset><resetValue>#110</resetValue></register>
        <register><name>Default</name><addressOffset>0x404</addressOffset></register>
      </registers>
    </peripheral>
  </peripherals>
</device>
END
cat >read.py <<'END'
from cmsis_svd.parser import SVDParser

valid, message = SVDParser.validate_xml_file("device.svd", "1.3.11", schema_version_detection=False)
timer = SVDParser.for_xml_file("device.svd").get_device().get_peripherals()[0]
block = (timer.base_address, timer.address_blocks[0].size)
registers = {each.name: (each.address_offset, each.reset_value) for each in timer.get_registers()}
print(f"valid: {valid} {message}; base address and size: {block}; offset and reset value: {registers}")
assert valid and block == (None, None)
assert registers == {"Scaled": (None, None), "Plain": (0x400, 6), "Default": (0x404, 7)}
END
venv/bin/python read.py
