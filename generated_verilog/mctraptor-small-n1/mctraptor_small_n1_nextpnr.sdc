# The clock of mctraptor-small-n1 for `nextpnr --sdc`, which reads `create_clock` with numbers and no other line of mctraptor_small_n1.sdc. The
# period is in nanoseconds, 10 as there; change both.
create_clock -name clock -period 10.0 [get_ports clock]
