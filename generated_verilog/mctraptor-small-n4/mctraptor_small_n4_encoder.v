// mctraptor-small-n4 of Tracewright, scheme mctraptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 4
//   fifo_bits = 256
//   record_queue_depth = 2
//   encoder = serial
//   reset = synchronous
//   gshare_entries = 512
//   gshare_history_bits = 9
//   pc_shift = 4
//   return_address_stack_depth = 8
//   indirect_branch_target_buffer_entries = 0
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 8
//   elided_upper_bits = 12
//   branch_count_bits = 16
//   branch_count_first_chunk = 3
//   branch_count_next_chunk = 2
//   instruction_count_bits = 24
//   instruction_count_first_chunk = 2
//   instruction_count_next_chunk = 2
//   target_first_chunk = 3
//   target_next_chunk = 4
//   outcome_bit_for_jumps = false
//   cores = 4
//   time_stamps = false
//   encoding = variable
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 4
//   time_stamp_next_chunk = 2
// encoder

module mctraptor_small_n4_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear,
    input  wire [8:0]  clear_index,
    input  wire        retire, // a block retires; only when ready
    input  wire [3:0]  count,
    input  wire [31:0] program_counter,
    input  wire [3:0]  length,
    input  wire [2:0]  branch_kind,
    input  wire        call,
    input  wire        is_return,
    input  wire        taken,
    input  wire [31:0] target,
    input  wire        flush, // make a flush record; only when ready
    output wire        ready,
    output wire        is_empty,
    output wire        record_valid,
    output wire [64:0] record,
    input  wire        record_ready
);

    wire        control_flow;
    wire        conditional;
    wire        indirect;
    wire        exception;
    wire        counted;
    wire [29:0] target_units; // in instruction units
    wire        gshare_update;
    wire        gshare_predicted_taken;
    wire        target_predictor_update;
    wire        target_predictor_predicted;
    wire [29:0] target_predictor_predicted_target;
    wire        record_former_record_valid;
    wire [64:0] record_former_record;

    mctraptor_small_n4_gshare gshare (
        .clock           (clock),
        .reset           (reset),
        .clear           (clear),
        .clear_index     (clear_index),
        .update          (gshare_update),
        .program_counter (program_counter),
        .taken           (taken),
        .predicted_taken (gshare_predicted_taken)
    );

    mctraptor_small_n4_target_predictor target_predictor (
        .clock            (clock),
        .reset            (reset),
        .clear            (clear),
        .clear_index      (clear_index),
        .update           (target_predictor_update),
        .counted          (counted),
        .indirect         (indirect),
        .call             (call),
        .is_return        (is_return),
        .taken            (taken),
        .program_counter  (program_counter),
        .length           (length),
        .target           (target_units),
        .predicted        (target_predictor_predicted),
        .predicted_target (target_predictor_predicted_target)
    );

    mctraptor_small_n4_record_former record_former (
        .clock            (clock),
        .reset            (reset),
        .retire           (retire),
        .count            (count),
        .control_flow     (control_flow),
        .counted          (counted),
        .conditional      (conditional),
        .indirect         (indirect),
        .exception        (exception),
        .taken            (taken),
        .target           (target_units),
        .predicted_taken  (gshare_predicted_taken),
        .predicted        (target_predictor_predicted),
        .predicted_target (target_predictor_predicted_target),
        .flush            (flush),
        .record_valid     (record_former_record_valid),
        .record           (record_former_record)
    );

    assign ready = record_ready;
    assign is_empty = 1'd1;
    assign control_flow = |branch_kind;
    assign conditional = (branch_kind == 3'd2) | (branch_kind == 3'd4);
    assign indirect = (branch_kind == 3'd3) | (branch_kind == 3'd4);
    assign exception = branch_kind == 3'd5;
    assign counted = conditional | indirect;
    assign target_units = target[31:2];
    assign gshare_update = retire & conditional;
    assign target_predictor_update = retire & control_flow & !exception;
    assign record_valid = record_former_record_valid;
    assign record = record_former_record;

    wire _unused_ok = &{1'b0, target[1:0]};

endmodule
