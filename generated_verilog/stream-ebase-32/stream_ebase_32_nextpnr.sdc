# The clock of stream-ebase-32 for `nextpnr --sdc`, which reads `create_clock` with numbers and no other line of stream_ebase_32.sdc. The
# period is in nanoseconds, 10 as there; change both.
create_clock -name clock -period 10.0 [get_ports clock]
