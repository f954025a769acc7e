{{ header -}}
// {{ name }} with a ring of {{ bytes }} bytes that is read by a serial line, without a processor or a debugger on its bus: a
// state machine does the steps of docs/control.md. It switches tracing on after the reset. While `stop` is high, tracing is off
// and the line sends the ring, again and again, as `tracewright decode --uart` reads it (docs/control.md). Once `stop` is
// low again, the dump that is being sent is ended, and tracing begins anew.

module {{ top }}_uart #(
    parameter [15:0] CYCLES_PER_BIT = 16'd217 // of the clock for a bit of the line: 115,200 bits per second at 25 MHz
) (
{% for port in ports %}
    {{ port.direction }} wire {{ port.range }}{{ port.name }}{{ "," if not loop.last }}
{% endfor %}
);

{% for wire in bus %}
    wire {{ wire.range }}{{ wire.name }};
{% endfor %}
    wire _unused_ok = {{ unread }};

    {{ reader }} reader (
{% for name, connection in of_reader %}
        .{{ name }} ({{ connection }}){{ "," if not loop.last }}
{% endfor %}
    );

    {{ top }} trace (
{% for name, connection in of_inner %}
        .{{ name }} ({{ connection }}){{ "," if not loop.last }}
{% endfor %}
    );

endmodule
