# The clock of traptor-m1 for `nextpnr --sdc`, which reads `create_clock` with numbers and no other line of traptor_m1.sdc. The
# period is in nanoseconds, 10 as there; change both.
create_clock -name clock -period 10.0 [get_ports clock]
