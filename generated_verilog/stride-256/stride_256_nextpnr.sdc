# The clock of stride-256 for `nextpnr --sdc`, which reads `create_clock` with numbers and no other line of stride_256.sdc. The
# period is in nanoseconds, 10 as there; change both.
create_clock -name clock -period 10.0 [get_ports clock]
