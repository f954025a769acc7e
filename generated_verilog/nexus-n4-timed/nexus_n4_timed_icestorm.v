// nexus-n4-timed with four pins, to place and route it alone: its inputs come from a shift register, its outputs
// go through registers into one pin, so that every path begins and ends at a register.

module nexus_n4_timed_icestorm (
    input  wire clock,
    input  wire reset,
    input  wire serial_in,
    output reg  serial_out
);

    reg  [317:0] inputs;
    wire [26:0] outputs;
    reg  [26:0] captured;

    always @(posedge clock) begin
        inputs     <= {inputs[316:0], serial_in};
        captured   <= outputs;
        serial_out <= ^captured;
    end

    nexus_n4_timed trace_module (
        .clock (clock),
        .reset (reset),
        .retire_valid_0 (inputs[0 +: 1]),
        .retire_valid_1 (inputs[1 +: 1]),
        .retire_valid_2 (inputs[2 +: 1]),
        .retire_valid_3 (inputs[3 +: 1]),
        .retire_count_0 (inputs[4 +: 4]),
        .retire_count_1 (inputs[8 +: 4]),
        .retire_count_2 (inputs[12 +: 4]),
        .retire_count_3 (inputs[16 +: 4]),
        .retire_pc_0 (inputs[20 +: 32]),
        .retire_pc_1 (inputs[52 +: 32]),
        .retire_pc_2 (inputs[84 +: 32]),
        .retire_pc_3 (inputs[116 +: 32]),
        .retire_length_0 (inputs[148 +: 4]),
        .retire_length_1 (inputs[152 +: 4]),
        .retire_length_2 (inputs[156 +: 4]),
        .retire_length_3 (inputs[160 +: 4]),
        .retire_kind_0 (inputs[164 +: 3]),
        .retire_kind_1 (inputs[167 +: 3]),
        .retire_kind_2 (inputs[170 +: 3]),
        .retire_kind_3 (inputs[173 +: 3]),
        .retire_call_0 (inputs[176 +: 1]),
        .retire_call_1 (inputs[177 +: 1]),
        .retire_call_2 (inputs[178 +: 1]),
        .retire_call_3 (inputs[179 +: 1]),
        .retire_return_0 (inputs[180 +: 1]),
        .retire_return_1 (inputs[181 +: 1]),
        .retire_return_2 (inputs[182 +: 1]),
        .retire_return_3 (inputs[183 +: 1]),
        .retire_taken_0 (inputs[184 +: 1]),
        .retire_taken_1 (inputs[185 +: 1]),
        .retire_taken_2 (inputs[186 +: 1]),
        .retire_taken_3 (inputs[187 +: 1]),
        .retire_target_0 (inputs[188 +: 32]),
        .retire_target_1 (inputs[220 +: 32]),
        .retire_target_2 (inputs[252 +: 32]),
        .retire_target_3 (inputs[284 +: 32]),
        .stall_0 (outputs[0 +: 1]),
        .stall_1 (outputs[1 +: 1]),
        .stall_2 (outputs[2 +: 1]),
        .stall_3 (outputs[3 +: 1]),
        .flush (inputs[316 +: 1]),
        .flushed (outputs[4 +: 1]),
        .trace_data (outputs[5 +: 16]),
        .trace_valid (outputs[21 +: 1]),
        .trace_ready (inputs[317 +: 1]),
        .buffered_words (outputs[22 +: 5])
    );

endmodule
