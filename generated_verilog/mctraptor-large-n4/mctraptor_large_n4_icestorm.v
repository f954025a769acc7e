// mctraptor-large-n4 with four pins, to place and route it alone: its inputs come from a shift register, its outputs
// go through registers into one pin, so that every path begins and ends at a register.

module mctraptor_large_n4_icestorm (
    input  wire clock,
    input  wire reset,
    input  wire serial_in,
    output reg  serial_out
);

    reg  [317:0] inputs;
    wire [15:0] outputs;
    reg  [15:0] captured;

    always @(posedge clock) begin
        inputs     <= {inputs[316:0], serial_in};
        captured   <= outputs;
        serial_out <= ^captured;
    end

    mctraptor_large_n4 trace_module (
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
        .retire_valid_2 (inputs[158 +: 1]),
        .retire_count_2 (inputs[159 +: 4]),
        .retire_pc_2 (inputs[163 +: 32]),
        .retire_length_2 (inputs[195 +: 4]),
        .retire_kind_2 (inputs[199 +: 3]),
        .retire_call_2 (inputs[202 +: 1]),
        .retire_return_2 (inputs[203 +: 1]),
        .retire_taken_2 (inputs[204 +: 1]),
        .retire_target_2 (inputs[205 +: 32]),
        .retire_valid_3 (inputs[237 +: 1]),
        .retire_count_3 (inputs[238 +: 4]),
        .retire_pc_3 (inputs[242 +: 32]),
        .retire_length_3 (inputs[274 +: 4]),
        .retire_kind_3 (inputs[278 +: 3]),
        .retire_call_3 (inputs[281 +: 1]),
        .retire_return_3 (inputs[282 +: 1]),
        .retire_taken_3 (inputs[283 +: 1]),
        .retire_target_3 (inputs[284 +: 32]),
        .stall_0 (outputs[0 +: 1]),
        .stall_1 (outputs[1 +: 1]),
        .stall_2 (outputs[2 +: 1]),
        .stall_3 (outputs[3 +: 1]),
        .flush (inputs[316 +: 1]),
        .flushed (outputs[4 +: 1]),
        .trace_data (outputs[5 +: 4]),
        .trace_valid (outputs[9 +: 1]),
        .trace_ready (inputs[317 +: 1]),
        .buffered_words (outputs[10 +: 6])
    );

endmodule
