# The clock of talon-m-unit for `nextpnr --sdc`, which reads `create_clock` with numbers and no other line of talon_m_unit_tip_atb_control.sdc. The
# period is in nanoseconds, 10 as there; change both.
create_clock -name clock -period 10.0 [get_ports clock]
