// nexus-n2 with four pins, to place and route it alone: its inputs come from a shift register, its outputs
// go through registers into one pin, so that every path begins and ends at a register.

module nexus_n2_icestorm (
    input  wire clock,
    input  wire reset,
    input  wire serial_in,
    output reg  serial_out
);

    reg  [159:0] inputs;
    wire [16:0] outputs;
    reg  [16:0] captured;

    always @(posedge clock) begin
        inputs     <= {inputs[158:0], serial_in};
        captured   <= outputs;
        serial_out <= ^captured;
    end

    nexus_n2 trace_module (
        .clock (clock),
        .reset (reset),
        .retire_valid_0 (inputs[0 +: 1]),
        .retire_valid_1 (inputs[1 +: 1]),
        .retire_count_0 (inputs[2 +: 4]),
        .retire_count_1 (inputs[6 +: 4]),
        .retire_pc_0 (inputs[10 +: 32]),
        .retire_pc_1 (inputs[42 +: 32]),
        .retire_length_0 (inputs[74 +: 4]),
        .retire_length_1 (inputs[78 +: 4]),
        .retire_kind_0 (inputs[82 +: 3]),
        .retire_kind_1 (inputs[85 +: 3]),
        .retire_call_0 (inputs[88 +: 1]),
        .retire_call_1 (inputs[89 +: 1]),
        .retire_return_0 (inputs[90 +: 1]),
        .retire_return_1 (inputs[91 +: 1]),
        .retire_taken_0 (inputs[92 +: 1]),
        .retire_taken_1 (inputs[93 +: 1]),
        .retire_target_0 (inputs[94 +: 32]),
        .retire_target_1 (inputs[126 +: 32]),
        .stall_0 (outputs[0 +: 1]),
        .stall_1 (outputs[1 +: 1]),
        .flush (inputs[158 +: 1]),
        .flushed (outputs[2 +: 1]),
        .trace_data (outputs[3 +: 8]),
        .trace_valid (outputs[11 +: 1]),
        .trace_ready (inputs[159 +: 1]),
        .buffered_words (outputs[12 +: 5])
    );

endmodule
