{{ header }}// Registers of the RISC-V Trace Control Interface as {{ "an APB4" if bus == "apb" else "an AXI4-Lite" }} slave. docs/control.md describes them; an access
// outside of their pages ends in an error, reads 0 and writes nothing.

module {{ module }} (
    input  wire clock,
    input  wire {{ reset }},
{% for port in bus_ports %}
    {{ port.direction }} wire {{ port.range }}{{ port.name }},
{% endfor %}
{% for port in ports %}
    {{ port.direction }} wire {{ port.range }}{{ port.name }}{{ "," if not loop.last }}
{% endfor %}
);

{% for wire in access %}
    wire {{ wire.range }}{{ wire.name }};
{% endfor %}

    // Registers are words, and are not protected.
{% if bus == "apb" %}
    wire _unused_ok = &{1'b0, paddr[1:0], pprot};
{% else %}
    wire _unused_ok = &{1'b0, s_axi_awaddr[1:0], s_axi_araddr[1:0], s_axi_awprot, s_axi_arprot};
{% endif %}
{% if gates_valid %}

    // AXI wants valid low from the first moment of the reset.
    wire write_answered;
    wire read_answered;
    assign s_axi_bvalid = write_answered & !reset;
    assign s_axi_rvalid = read_answered & !reset;
{% endif %}

    {{ front_end }} front_end (
{% for name, connection in of_front_end %}
        .{{ name }} ({{ connection }}){{ "," if not loop.last }}
{% endfor %}
    );

    {{ register_file }} register_file (
{% for name in of_register_file %}
        .{{ name }} ({{ name }}){{ "," if not loop.last }}
{% endfor %}
    );

endmodule
