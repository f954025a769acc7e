// {{ name }} with a sink and what takes the trace from it. The ports are those of the module without the sink, so that it is simulated in
// the same way.

module {{ top }}_received (
{% for port in ports %}
    {{ port.direction }} {{ port.kind }} {{ port.range }}{{ port.name }}{{ "," if not loop.last }}
{% endfor %}
);

{% for wire in wires %}
    wire {{ wire.range }}{{ wire.name }};
{% endfor %}
{% if is_axis %}
    assign trace_data = m_axis_tdata[{{ pins.trace_width - 1 }}:0];
{% endif %}
{% if has_pins %}
    // A value is taken at each edge of the pins' clock.
    reg clock_before;

    assign trace_data = pin_data;
    assign trace_valid = (pin_clock ^ clock_before) & !pin_idle;

    always @(posedge clock{{ " or negedge reset_n" if pins.reset_level == 0 }}) begin
        if ({{ "!reset_n" if pins.reset_level == 0 else "reset" }}) begin
            clock_before <= 1'b0;
        end else{{ " if (clock_enable)" if pins.clock_enable }} begin
            clock_before <= pin_clock;
        end
    end
{% endif %}

    {{ top }} {{ "#(.HALF_PERIOD (" ~ half_period ~ ")) " if has_pins }}sink (
{% for name, connection in connections %}
        .{{ name }} ({{ connection }}){{ "," if not loop.last }}
{% endfor %}
    );

endmodule
