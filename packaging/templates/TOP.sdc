# Timing constraints of {{ name }}, to synthesize it alone or to start those of a chip from. Times are in the unit of the
# cell library, nanoseconds in most. Set other values before this file is read, as in `set trace_period 4.0`.
if {![info exists trace_period]} { set trace_period 10.0 }
# Parts of the period that the core needs before the module's inputs, and its surroundings after the outputs. Inputs go
# through logic before the first register; outputs come from registers with little logic after them.
if {![info exists trace_input_part]} { set trace_input_part 0.3 }
if {![info exists trace_output_part]} { set trace_output_part 0.3 }
# Jitter and skew.
if {![info exists trace_uncertainty]} { set trace_uncertainty [expr {0.05 * $trace_period}] }

create_clock -name {{ clock }} -period $trace_period [get_ports {{ clock }}]
set_clock_uncertainty $trace_uncertainty [get_clocks {{ clock }}]

{% macro names(direction) %}{% for port in ports if port.direction == direction and port.name != clock and port.name != "timestamp" %}
 \
    {{ port.name }}{{ "[*]" if port.width > 1 }}
{%- endfor %}{% endmacro %}
{% if pins.reset_level == 0 %}
# reset_n acts at once, and is released synchronously to the clock.
{% endif %}
set_input_delay -clock {{ clock }} [expr {$trace_input_part * $trace_period}] [get_ports { {{- names("input") }}
}]
{% if pins.timestamp_width %}
{% if gray_time %}
# A Gray code of another clock: its bits must arrive within a period of each other, and go through two registers.
set_input_delay -clock {{ clock }} 0 [get_ports {timestamp{{ "[*]" if pins.timestamp_width > 1 }}}]
{% else %}
set_input_delay -clock {{ clock }} [expr {$trace_input_part * $trace_period}] [get_ports {timestamp{{ "[*]" if pins.timestamp_width > 1 }}}]
{% endif %}
{% endif %}
set_output_delay -clock {{ clock }} [expr {$trace_output_part * $trace_period}] [get_ports { {{- names("output") }}
}]
