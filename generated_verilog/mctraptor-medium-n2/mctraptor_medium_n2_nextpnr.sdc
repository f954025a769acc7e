# The clock of mctraptor-medium-n2 for `nextpnr --sdc`, which reads `create_clock` with numbers and no other line of mctraptor_medium_n2.sdc. The
# period is in nanoseconds, 10 as there; change both.
create_clock -name clock -period 10.0 [get_ports clock]
