# The clock of ntrace-btm for `nextpnr --sdc`, which reads `create_clock` with numbers and no other line of ntrace_btm.sdc. The
# period is in nanoseconds, 10 as there; change both.
create_clock -name clock -period 10.0 [get_ports clock]
