{{ header }}// {{ name }} with the registers of a Trace Funnel of the RISC-V Trace Control Interface, which switch it (docs/control.md).
{% if gate %}
// Registers and bus do not wait for {{ gate }}; what they say has an effect on the funnel in the next cycle in which it is high.
{% endif %}

module {{ name }}_control (
    input  wire clock,
    input  wire {{ reset }},
{% for port in bus_ports %}
    {{ port.direction }} wire {{ port.range }}{{ port.name }},
{% endfor %}
{% for port in kept %}
    {{ port.direction }} wire {{ port.range }}{{ port.name }}{{ "," if not loop.last }}
{% endfor %}
);

{% for port in register_ports %}
    wire {{ port.range }}{{ port.name }};
{% endfor %}
    wire {{ sources_range }}shown;
    wire {{ sources_range }}room;
    wire funnel_flush;

    {{ switch_module }} funnel_switch (
{% for name, connection in of_switch %}
        .{{ name }} ({{ connection }}){{ "," if not loop.last }}
{% endfor %}
    );

    {{ registers_module }} registers (
        .clock (clock),
        .{{ reset }} ({{ reset }}),
{% for port in bus_ports %}
        .{{ port.name }} ({{ port.name }}),
{% endfor %}
{% for port in register_ports %}
        .{{ port.name }} ({{ port.name }}){{ "," if not loop.last }}
{% endfor %}
    );

    {{ name }} funnel (
{% for name, connection in of_funnel %}
        .{{ name }} ({{ connection }}){{ "," if not loop.last }}
{% endfor %}
    );

endmodule
