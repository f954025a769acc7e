# Timing constraints of etrace-base-fpga, to synthesize it alone or to start those of a chip from. Times are in the unit of the
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
    retire_valid \
    retire_count[*] \
    retire_pc[*] \
    retire_length[*] \
    retire_kind[*] \
    retire_call \
    retire_return \
    retire_taken \
    retire_target[*] \
    flush \
    trace_ready
}]
set_output_delay -clock clock [expr {$trace_output_part * $trace_period}] [get_ports { \
    stall \
    flushed \
    trace_data \
    trace_valid \
    buffered_words[*]
}]
