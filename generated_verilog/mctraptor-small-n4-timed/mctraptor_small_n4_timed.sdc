# Timing constraints of mctraptor-small-n4-timed, to synthesize it alone or to start those of a chip from. Times are in the unit of the
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
    retire_valid_0 \
    retire_count_0[*] \
    retire_pc_0[*] \
    retire_length_0[*] \
    retire_kind_0[*] \
    retire_call_0 \
    retire_return_0 \
    retire_taken_0 \
    retire_target_0[*] \
    retire_valid_1 \
    retire_count_1[*] \
    retire_pc_1[*] \
    retire_length_1[*] \
    retire_kind_1[*] \
    retire_call_1 \
    retire_return_1 \
    retire_taken_1 \
    retire_target_1[*] \
    retire_valid_2 \
    retire_count_2[*] \
    retire_pc_2[*] \
    retire_length_2[*] \
    retire_kind_2[*] \
    retire_call_2 \
    retire_return_2 \
    retire_taken_2 \
    retire_target_2[*] \
    retire_valid_3 \
    retire_count_3[*] \
    retire_pc_3[*] \
    retire_length_3[*] \
    retire_kind_3[*] \
    retire_call_3 \
    retire_return_3 \
    retire_taken_3 \
    retire_target_3[*] \
    flush \
    trace_ready
}]
set_output_delay -clock clock [expr {$trace_output_part * $trace_period}] [get_ports { \
    stall_0 \
    stall_1 \
    stall_2 \
    stall_3 \
    flushed \
    trace_data[*] \
    trace_valid \
    buffered_words[*]
}]
