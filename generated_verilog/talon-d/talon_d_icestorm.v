// talon-d with four pins, to place and route it alone: its inputs come from a shift register, its outputs
// go through registers into one pin, so that every path begins and ends at a register.

module talon_d_icestorm (
    input  wire clock,
    input  wire reset,
    input  wire serial_in,
    output reg  serial_out
);

    reg  [67:0] inputs;
    wire [7:0] outputs;
    reg  [7:0] captured;

    always @(posedge clock) begin
        inputs     <= {inputs[66:0], serial_in};
        captured   <= outputs;
        serial_out <= ^captured;
    end

    talon_d trace_module (
        .clock (clock),
        .reset (reset),
        .data_valid (inputs[0 +: 1]),
        .data_pc (inputs[1 +: 32]),
        .data_address (inputs[33 +: 32]),
        .data_store (inputs[65 +: 1]),
        .stall (outputs[0 +: 1]),
        .flush (inputs[66 +: 1]),
        .flushed (outputs[1 +: 1]),
        .trace_data (outputs[2 +: 1]),
        .trace_valid (outputs[3 +: 1]),
        .trace_ready (inputs[67 +: 1]),
        .buffered_words (outputs[4 +: 4])
    );

endmodule
