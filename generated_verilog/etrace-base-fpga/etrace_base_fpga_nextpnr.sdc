# The clock of etrace-base-fpga for `nextpnr --sdc`, which reads `create_clock` with numbers and no other line of etrace_base_fpga.sdc. The
# period is in nanoseconds, 10 as there; change both.
create_clock -name clock -period 10.0 [get_ports clock]
