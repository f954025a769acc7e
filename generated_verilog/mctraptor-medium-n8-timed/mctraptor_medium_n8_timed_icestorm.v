// mctraptor-medium-n8-timed with four pins, to place and route it alone: its inputs come from a shift register, its outputs
// go through registers into one pin, so that every path begins and ends at a register.

module mctraptor_medium_n8_timed_icestorm (
    input  wire clock,
    input  wire reset,
    input  wire serial_in,
    output reg  serial_out
);

    reg  [633:0] inputs;
    wire [24:0] outputs;
    reg  [24:0] captured;

    always @(posedge clock) begin
        inputs     <= {inputs[632:0], serial_in};
        captured   <= outputs;
        serial_out <= ^captured;
    end

    mctraptor_medium_n8_timed trace_module (
        .clock (clock),
        .reset (reset),
        .retire_valid_0 (inputs[0 +: 1]),
        .retire_valid_1 (inputs[1 +: 1]),
        .retire_valid_2 (inputs[2 +: 1]),
        .retire_valid_3 (inputs[3 +: 1]),
        .retire_valid_4 (inputs[4 +: 1]),
        .retire_valid_5 (inputs[5 +: 1]),
        .retire_valid_6 (inputs[6 +: 1]),
        .retire_valid_7 (inputs[7 +: 1]),
        .retire_count_0 (inputs[8 +: 4]),
        .retire_count_1 (inputs[12 +: 4]),
        .retire_count_2 (inputs[16 +: 4]),
        .retire_count_3 (inputs[20 +: 4]),
        .retire_count_4 (inputs[24 +: 4]),
        .retire_count_5 (inputs[28 +: 4]),
        .retire_count_6 (inputs[32 +: 4]),
        .retire_count_7 (inputs[36 +: 4]),
        .retire_pc_0 (inputs[40 +: 32]),
        .retire_pc_1 (inputs[72 +: 32]),
        .retire_pc_2 (inputs[104 +: 32]),
        .retire_pc_3 (inputs[136 +: 32]),
        .retire_pc_4 (inputs[168 +: 32]),
        .retire_pc_5 (inputs[200 +: 32]),
        .retire_pc_6 (inputs[232 +: 32]),
        .retire_pc_7 (inputs[264 +: 32]),
        .retire_length_0 (inputs[296 +: 4]),
        .retire_length_1 (inputs[300 +: 4]),
        .retire_length_2 (inputs[304 +: 4]),
        .retire_length_3 (inputs[308 +: 4]),
        .retire_length_4 (inputs[312 +: 4]),
        .retire_length_5 (inputs[316 +: 4]),
        .retire_length_6 (inputs[320 +: 4]),
        .retire_length_7 (inputs[324 +: 4]),
        .retire_kind_0 (inputs[328 +: 3]),
        .retire_kind_1 (inputs[331 +: 3]),
        .retire_kind_2 (inputs[334 +: 3]),
        .retire_kind_3 (inputs[337 +: 3]),
        .retire_kind_4 (inputs[340 +: 3]),
        .retire_kind_5 (inputs[343 +: 3]),
        .retire_kind_6 (inputs[346 +: 3]),
        .retire_kind_7 (inputs[349 +: 3]),
        .retire_call_0 (inputs[352 +: 1]),
        .retire_call_1 (inputs[353 +: 1]),
        .retire_call_2 (inputs[354 +: 1]),
        .retire_call_3 (inputs[355 +: 1]),
        .retire_call_4 (inputs[356 +: 1]),
        .retire_call_5 (inputs[357 +: 1]),
        .retire_call_6 (inputs[358 +: 1]),
        .retire_call_7 (inputs[359 +: 1]),
        .retire_return_0 (inputs[360 +: 1]),
        .retire_return_1 (inputs[361 +: 1]),
        .retire_return_2 (inputs[362 +: 1]),
        .retire_return_3 (inputs[363 +: 1]),
        .retire_return_4 (inputs[364 +: 1]),
        .retire_return_5 (inputs[365 +: 1]),
        .retire_return_6 (inputs[366 +: 1]),
        .retire_return_7 (inputs[367 +: 1]),
        .retire_taken_0 (inputs[368 +: 1]),
        .retire_taken_1 (inputs[369 +: 1]),
        .retire_taken_2 (inputs[370 +: 1]),
        .retire_taken_3 (inputs[371 +: 1]),
        .retire_taken_4 (inputs[372 +: 1]),
        .retire_taken_5 (inputs[373 +: 1]),
        .retire_taken_6 (inputs[374 +: 1]),
        .retire_taken_7 (inputs[375 +: 1]),
        .retire_target_0 (inputs[376 +: 32]),
        .retire_target_1 (inputs[408 +: 32]),
        .retire_target_2 (inputs[440 +: 32]),
        .retire_target_3 (inputs[472 +: 32]),
        .retire_target_4 (inputs[504 +: 32]),
        .retire_target_5 (inputs[536 +: 32]),
        .retire_target_6 (inputs[568 +: 32]),
        .retire_target_7 (inputs[600 +: 32]),
        .stall_0 (outputs[0 +: 1]),
        .stall_1 (outputs[1 +: 1]),
        .stall_2 (outputs[2 +: 1]),
        .stall_3 (outputs[3 +: 1]),
        .stall_4 (outputs[4 +: 1]),
        .stall_5 (outputs[5 +: 1]),
        .stall_6 (outputs[6 +: 1]),
        .stall_7 (outputs[7 +: 1]),
        .flush (inputs[632 +: 1]),
        .flushed (outputs[8 +: 1]),
        .trace_data (outputs[9 +: 8]),
        .trace_valid (outputs[17 +: 1]),
        .trace_ready (inputs[633 +: 1]),
        .buffered_words (outputs[18 +: 7])
    );

endmodule
