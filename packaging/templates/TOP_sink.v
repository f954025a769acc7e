{{ header -}}
{% if sink == "axis" %}
// {{ name }} with its trace port as an AXI4-Stream master, and AXI4-Stream clock and reset. A beat of
// trace_data is the lowest {{ pins.trace_width }} of the {{ bus_width }} bits of m_axis_tdata; the bits above are 0. The last beat of
// a flush has m_axis_tlast, for which a beat waits until the next one follows or the flush ends; then flushed rises.
{% if pins.switches %}
// A discard ends the trace without what is in the module, and flushed waits for no beat then. The beat that waits has m_axis_tlast; if
// it is on offer without, it stays so, and a beat of zeros with m_axis_tlast follows, unless tracing has gone on before.
{% endif %}
{% elif sink == "atb" %}
// {{ name }} as a source of trace on an AMBA trace bus (ATB), with the clock and the reset of that. trace_id, 1 to 111, does
// not change while the module traces. AFVALID ends the trace as `flush` does, and afready says that all of it has been taken; after that
// tracing goes on.
{% if pins.switches %}
// A discard ends the trace without what is in the module. A byte or a wider beat that is on offer stays until it is taken, for which
// flushed does not wait{{ "; bits that fill no byte are dropped" if gathers_bits }}.
{% endif %}
{% elif sink == "pins" %}
// {{ name }} with its trace port at the pins of a chip, {{ pins.trace_width }} of data and a clock. A probe takes pin_data at both edges of
// pin_clock, which lie in the middle of a value; pin_idle says that the value is no trace. A value takes 2 * HALF_PERIOD cycles of
// `clock`, so pin_clock has a quarter of its frequency with the default, and less with more.
{% endif %}

{% if sink == "pins" %}
module {{ top }}_pins #(
    parameter HALF_PERIOD = 1 // 1 to 128 cycles
) (
{% else %}
module {{ top }}_{{ sink }} (
{% endif %}
{% for port in ports %}
    {{ port.direction }} wire {{ port.range }}{{ port.name }}{{ "," if not loop.last }}
{% endfor %}
);

{% for wire in wires %}
    wire {{ wire.range }}{{ wire.name }};
{% endfor %}
{% if gated %}
    wire is_offered;

    // The bus wants {{ gated }} low from the first moment of the reset.
    assign {{ gated }} = {{ bus_reset }} & is_offered;
{% endif %}
{% if sink == "pins" %}

    localparam [31:0] LAST = HALF_PERIOD - 1;

    // Only the lowest bits of it are used.
    wire _unused_ok = &{1'b0, LAST[31:7]};
{% endif %}

    {{ block }} sink (
{% for name, connection in of_sink %}
        .{{ name }} ({{ connection }}){{ "," if not loop.last }}
{% endfor %}
    );

    {{ top }} trace_module (
{% for name, connection in of_module %}
        .{{ name }} ({{ connection }}){{ "," if not loop.last }}
{% endfor %}
    );

endmodule
