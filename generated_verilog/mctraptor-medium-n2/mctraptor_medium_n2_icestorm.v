// mctraptor-medium-n2 with four pins, to place and route it alone: its inputs come from a shift register, its outputs
// go through registers into one pin, so that every path begins and ends at a register.

module mctraptor_medium_n2_icestorm (
    input  wire clock,
    input  wire reset,
    input  wire serial_in,
    output reg  serial_out
);

    reg  [159:0] inputs;
    wire [10:0] outputs;
    reg  [10:0] captured;

    always @(posedge clock) begin
        inputs     <= {inputs[158:0], serial_in};
        captured   <= outputs;
        serial_out <= ^captured;
    end

    mctraptor_medium_n2 trace_module (
        .clock (clock),
        .reset (reset),
        .retire_valid_0 (inputs[0 +: 1]),
        .retire_count_0 (inputs[1 +: 4]),
        .retire_pc_0 (inputs[5 +: 32]),
        .retire_length_0 (inputs[37 +: 4]),
        .retire_kind_0 (inputs[41 +: 3]),
        .retire_call_0 (inputs[44 +: 1]),
        .retire_return_0 (inputs[45 +: 1]),
        .retire_taken_0 (inputs[46 +: 1]),
        .retire_target_0 (inputs[47 +: 32]),
        .retire_valid_1 (inputs[79 +: 1]),
        .retire_count_1 (inputs[80 +: 4]),
        .retire_pc_1 (inputs[84 +: 32]),
        .retire_length_1 (inputs[116 +: 4]),
        .retire_kind_1 (inputs[120 +: 3]),
        .retire_call_1 (inputs[123 +: 1]),
        .retire_return_1 (inputs[124 +: 1]),
        .retire_taken_1 (inputs[125 +: 1]),
        .retire_target_1 (inputs[126 +: 32]),
        .stall_0 (outputs[0 +: 1]),
        .stall_1 (outputs[1 +: 1]),
        .flush (inputs[158 +: 1]),
        .flushed (outputs[2 +: 1]),
        .trace_data (outputs[3 +: 2]),
        .trace_valid (outputs[5 +: 1]),
        .trace_ready (inputs[159 +: 1]),
        .buffered_words (outputs[6 +: 5])
    );

endmodule
