// {{ name }} with a sink and what takes the trace from it. The ports are those of the module without the sink, so that it is simulated in
// the same way.

module {{ top }}_received (
{% for port in ports %}
    {{ port.direction }} wire {{ port.range }}{{ port.name }}{{ "," if not loop.last }}
{% endfor %}
);

{% for wire in wires %}
    wire {{ wire.range }}{{ wire.name }};
{% endfor %}
{% if is_axis %}
    assign trace_data = m_axis_tdata[{{ pins.trace_width - 1 }}:0];
{% endif %}
{% if receiver %}

    {{ receiver }} receiver (
{% for name in of_receiver %}
        .{{ name }} ({{ name }}){{ "," if not loop.last }}
{% endfor %}
    );
{% endif %}

    {{ top }} {{ "#(.HALF_PERIOD (" ~ half_period ~ ")) " if receiver }}sink (
{% for name, connection in connections %}
        .{{ name }} ({{ connection }}){{ "," if not loop.last }}
{% endfor %}
    );

endmodule
