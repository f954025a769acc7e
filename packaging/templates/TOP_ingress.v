// {{ name }} with the {{ words.title }} of its {{ words.unit }}{{ "s" if suffixes|length > 1 else "" }}. {{ words.page }} describes the
{% if not words.stalls %}
// adapter. A {{ words.unit }} that shows more than the queue and the trace module take loses some, and the trace says how much.
{% elif words.holds %}
// adapter. The blocks of a cycle are taken together in a cycle in which stall is low; a core holds them until then.
{% else %}
// adapter. A {{ words.unit }} stops retiring while its stall is high, and may retire {{ slack }} more after stall has risen; lost rises
// when {{ words.entry }} comes while the queue is full, and stays high.
{% endif %}

module {{ top }}_{{ words.short }} (
    input  wire clock,
    input  wire {{ pins.reset }},
{% if pins.clock_enable %}
    input  wire clock_enable,
{% endif %}
{% for suffix in suffixes %}
{% for pin in inputs %}
    input  wire {{ range(pin.width) }}{{ pin.name }}{{ suffix }},
{% endfor %}
{% if words.stalls %}
    output wire stall{{ suffix }},
{% endif %}
{% if words.may_lose %}
    output wire lost{{ suffix }},
{% endif %}
{% if pins.drops %}
    output wire drops{{ suffix }},
{% endif %}
{% endfor %}
{% for port in shared %}
    {{ port.direction }} wire {{ port.range }}{{ port.name }}{{ "," if not loop.last }}
{% endfor %}
);

{% if switch %}
{% for wire in switch.wires %}
    wire {{ wire }};
{% endfor %}
{% if holds %}
    // A block that would be lost is held for a cycle, and then shown: the one before it may take the trace module two.
    wire module_drops;
    assign drops = module_drops & !adapter_holds;
{% endif %}

{% endif %}
{% for core in pins.suffixes %}
{% set suffix = suffixes[loop.index0] %}
    wire drained{{ core }};
    wire retire_valid{{ core }};
{% for pin in pins.fields %}
    wire {{ range(pin.width) }}{{ pin.name }}{{ core }};
{% endfor %}
{% if pins.has_stall %}
    wire retire_stall{{ core }};
{% elif holds %}
    wire retire_stall = adapter_holds;
{% elif words.stalls or buffer %}
    wire retire_stall{{ core }} = 1'b0; // what is not taken is lost, and {{ "drops" if words.stalls else "the trace" }} says so
{% endif %}
{% if buffer %}
    wire shown_drained{{ core }};
    wire shown_valid{{ core }};
    wire shown_ready{{ core }};
{% for pin in pins.fields %}
    wire {{ range(pin.width) }}shown_{{ pin.name }}{{ core }};
{% endfor %}
{% endif %}

    {{ top }}_{{ words.short }}_adapter adapter{{ core }} (
        .clock (clock),
        .{{ pins.reset }} ({{ pins.reset }}),
{% if pins.clock_enable %}
        .clock_enable (clock_enable),
{% endif %}
{% for pin in inputs %}
{% for port, bits in pin.ports %}
        .{{ port }} ({{ pin.name }}{{ suffix }}{{ bits }}),
{% endfor %}
{% endfor %}
{% if words.stalls %}
        .stall (stall{{ suffix }}),
{% endif %}
{% if words.may_lose %}
        .lost (lost{{ suffix }}),
{% endif %}
        .flush ({{ adapter_flush }}),
        .drained ({{ shown }}drained{{ core }}),
        .retire_valid ({{ "shown_valid" if buffer else "retire_valid" }}{{ core }}),
{% for pin in pins.fields %}
        .{{ pin.name }} ({{ shown }}{{ pin.name }}{{ core }}){{ "," if words.stalls or not loop.last }}
{% endfor %}
{% if words.stalls %}
        .retire_stall ({{ "!shown_ready" if buffer else "retire_stall" }}{{ core }})
{% endif %}
    );
{% if buffer %}

    {{ buffer }} retire_buffer{{ core }} (
        .clock (clock),
        .{{ pins.reset }} ({{ pins.reset }}),
{% if pins.clock_enable %}
        .clock_enable (clock_enable),
{% endif %}
        .shown_valid (shown_valid{{ core }}),
        .shown ({
{% for pin in pins.fields %}
            shown_{{ pin.name }}{{ core }}{{ "," if not loop.last }}
{% endfor %}
        }),
        .shown_ready (shown_ready{{ core }}),
        .shown_drained (shown_drained{{ core }}),
        .later_valid (retire_valid{{ core }}),
        .later ({
{% for pin in pins.fields %}
            {{ pin.name }}{{ core }}{{ "," if not loop.last }}
{% endfor %}
        }),
        .later_ready (!retire_stall{{ core }}),
        .drained (drained{{ core }})
    );
{% endif %}

{% endfor %}
{% if switch %}
    {{ switch.module }} adapter_switch (
{% for name, connection in switch.connections %}
        .{{ name }} ({{ connection }}){{ "," if not loop.last }}
{% endfor %}
    );

{% endif %}
    {{ top }} trace_module (
        .clock (clock),
        .{{ pins.reset }} ({{ pins.reset }}),
{% if pins.clock_enable %}
        .clock_enable (clock_enable),
{% endif %}
{% for core in pins.suffixes %}
        .retire_valid{{ core }} (retire_valid{{ core }}{{ " & !adapter_holds" if holds }}),
{% for pin in pins.fields %}
        .{{ pin.name }}{{ core }} ({{ pin.name }}{{ core }}),
{% endfor %}
{% if holds %}
        .drops (module_drops),
{% elif pins.drops %}
        .drops{{ core }} (drops{{ suffixes[loop.index0] }}),
{% endif %}
{% if pins.has_stall %}
        .stall{{ core }} (retire_stall{{ core }}),
{% endif %}
{% endfor %}
{% for name, connection in connections %}
        .{{ name }} ({{ connection }}){{ "," if not loop.last }}
{% endfor %}
    );

endmodule
