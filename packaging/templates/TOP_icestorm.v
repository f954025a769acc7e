// {{ name }} with four pins, to place and route it alone: its inputs come from a shift register, its outputs
// go through registers into one pin, so that every path begins and ends at a register.

module {{ top }}_icestorm (
    input  wire clock,
    input  wire {{ pins.reset }},
    input  wire serial_in,
    output reg  serial_out
);

    reg  [{{ input_bits - 1 }}:0] inputs;
    wire [{{ output_bits - 1 }}:0] outputs;
    reg  [{{ output_bits - 1 }}:0] captured;

    always @(posedge clock) begin
        inputs     <= {inputs[{{ input_bits - 2 }}:0], serial_in};
        captured   <= outputs;
        serial_out <= ^captured;
    end

    {{ top }} trace_module (
        .clock (clock),
        .{{ pins.reset }} ({{ pins.reset }}),
{% for port in ports if port.name not in ["clock", pins.reset] %}
        .{{ port.name }} ({{ port.direction }}s[{{ port.low }} +: {{ port.width }}]){{ "," if not loop.last }}
{% endfor %}
    );

endmodule
