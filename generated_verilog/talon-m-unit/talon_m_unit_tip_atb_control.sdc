# Timing constraints of talon-m-unit, to synthesize it alone or to start those of a chip from. Times are in the unit of the
# cell library, nanoseconds in most. Set other values before this file is read, as in `set trace_period 4.0`.
if {![info exists trace_period]} { set trace_period 10.0 }
# Parts of the period that the core needs before the module's inputs, and its surroundings after the outputs. Inputs go
# through logic before the first register; outputs come from registers with little logic after them.
if {![info exists trace_input_part]} { set trace_input_part 0.3 }
if {![info exists trace_output_part]} { set trace_output_part 0.3 }
# Jitter and skew.
if {![info exists trace_uncertainty]} { set trace_uncertainty [expr {0.05 * $trace_period}] }

create_clock -name clock -period $trace_period [get_ports clock]
set_clock_uncertainty $trace_uncertainty [get_clocks clock]

set_input_delay -clock clock [expr {$trace_input_part * $trace_period}] [get_ports { \
    reset \
    s_axi_awaddr[*] \
    s_axi_awprot[*] \
    s_axi_awvalid \
    s_axi_wdata[*] \
    s_axi_wstrb[*] \
    s_axi_wvalid \
    s_axi_bready \
    s_axi_araddr[*] \
    s_axi_arprot[*] \
    s_axi_arvalid \
    s_axi_rready \
    tip_itype[*] \
    tip_iaddr[*] \
    tip_iretire \
    tip_ilastsize \
    atready \
    syncreq \
    afvalid
}]
set_output_delay -clock clock [expr {$trace_output_part * $trace_period}] [get_ports { \
    s_axi_awready \
    s_axi_wready \
    s_axi_bresp[*] \
    s_axi_bvalid \
    s_axi_arready \
    s_axi_rdata[*] \
    s_axi_rresp[*] \
    s_axi_rvalid \
    stall \
    lost \
    drops \
    synchronised \
    buffered_words[*] \
    atid[*] \
    atdata[*] \
    atvalid \
    afready
}]
