// talon-m-unit with four pins, to place and route it alone: its inputs come from a shift register, its outputs
// go through registers into one pin, so that every path begins and ends at a register.

module talon_m_unit_icestorm (
    input  wire clock,
    input  wire reset,
    input  wire serial_in,
    output reg  serial_out
);

    reg  [83:0] inputs;
    wire [16:0] outputs;
    reg  [16:0] captured;

    always @(posedge clock) begin
        inputs     <= {inputs[82:0], serial_in};
        captured   <= outputs;
        serial_out <= ^captured;
    end

    talon_m_unit trace_module (
        .clock (clock),
        .reset (reset),
        .retire_valid (inputs[0 +: 1]),
        .retire_count (inputs[1 +: 4]),
        .retire_pc (inputs[5 +: 32]),
        .retire_length (inputs[37 +: 4]),
        .retire_kind (inputs[41 +: 3]),
        .retire_call (inputs[44 +: 1]),
        .retire_return (inputs[45 +: 1]),
        .retire_taken (inputs[46 +: 1]),
        .retire_target (inputs[47 +: 32]),
        .stall (outputs[0 +: 1]),
        .drops (outputs[1 +: 1]),
        .enable (inputs[79 +: 1]),
        .discard (inputs[80 +: 1]),
        .flush (inputs[81 +: 1]),
        .flushed (outputs[2 +: 1]),
        .sync_request (inputs[82 +: 1]),
        .synchronised (outputs[3 +: 1]),
        .trace_data (outputs[4 +: 8]),
        .trace_valid (outputs[12 +: 1]),
        .trace_ready (inputs[83 +: 1]),
        .buffered_words (outputs[13 +: 4])
    );

endmodule
