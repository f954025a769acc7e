// traptor-m2 of Tracewright, scheme traptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 79
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   gshare_entries = 512
//   gshare_history_bits = 9
//   pc_shift = 4
//   return_address_stack_depth = 8
//   indirect_branch_target_buffer_entries = 16
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 11
//   elided_upper_bits = 12
//   branch_count_bits = 11
//   branch_count_first_chunk = 3
//   branch_count_next_chunk = 1
//   instruction_count_bits = 17
//   instruction_count_first_chunk = 2
//   instruction_count_next_chunk = 2
//   target_first_chunk = 5
//   target_next_chunk = 5
//   outcome_bit_for_jumps = true
//   memory_style = asynchronous
// encoder

module traptor_m2_encoder (
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
    output wire [56:0] record,
    input  wire        record_ready
);

    wire        control_flow;
    wire        conditional;
    wire        indirect;
    wire        exception;
    wire [14:0] flags;
    wire [29:0] target_units; // in instruction units
    wire [14:0] read_flags; // the block whose entries are read
    wire [3:0]  read_count;
    wire [29:0] read_target;
    wire        outcome_missed;
    wire [29:0] wrong_bits; // of the predicted target
    wire [7:0]  wrong_part_0;
    wire [7:0]  wrong_part_1;
    wire [7:0]  wrong_part_2;
    wire [7:0]  wrong_part_3;
    reg  [3:0]  differs; // parts with wrong bits
    wire [14:0] compared_flags;
    reg         target_missed;
    wire [14:0] record_flags; // the block that is recorded
    wire [3:0]  record_count;
    wire [29:0] record_target;
    wire        gshare_update;
    wire        gshare_predicted_taken;
    wire        gshare_learn;
    wire        target_predictor_update_path;
    wire        target_predictor_update;
    wire        target_predictor_predicted;
    wire [29:0] target_predictor_predicted_target;
    wire        record_former_counted;
    wire        record_former_missed;
    wire        record_former_record_valid;
    wire [56:0] record_former_record;

    traptor_m2_gshare gshare (
        .clock           (clock),
        .reset           (reset),
        .clear           (clear),
        .clear_index     (clear_index),
        .update          (gshare_update),
        .program_counter (program_counter),
        .taken           (taken),
        .predicted_taken (gshare_predicted_taken),
        .learn           (gshare_learn),
        .outcome         (read_flags[6])
    );

    traptor_m2_target_predictor target_predictor (
        .clock            (clock),
        .reset            (reset),
        .clear            (clear),
        .clear_index      (clear_index),
        .update_path      (target_predictor_update_path),
        .path_taken       (taken),
        .program_counter  (program_counter),
        .length           (length),
        .update           (target_predictor_update),
        .indirect         (read_flags[4]),
        .call             (read_flags[7]),
        .is_return        (read_flags[8]),
        .taken            (read_flags[6]),
        .target           (read_target),
        .predicted        (target_predictor_predicted),
        .predicted_target (target_predictor_predicted_target)
    );

    traptor_m2_record_former record_former (
        .clock        (clock),
        .reset        (reset),
        .retire       (record_flags[0]),
        .count        (record_count),
        .control_flow (record_flags[2]),
        .counted      (record_former_counted),
        .conditional  (record_flags[3]),
        .indirect     (record_flags[4]),
        .exception    (record_flags[5]),
        .taken        (record_flags[6]),
        .target       (record_target),
        .missed       (record_former_missed),
        .flush        (record_flags[1]),
        .record_valid (record_former_record_valid),
        .record       (record_former_record)
    );

    assign ready = record_ready;
    assign control_flow = |branch_kind;
    assign conditional = (branch_kind == 3'd2) | (branch_kind == 3'd4);
    assign indirect = (branch_kind == 3'd3) | (branch_kind == 3'd4);
    assign exception = branch_kind == 3'd5;
    assign target_units = target[31:2];

    assign flags = {
        6'd0,
        is_return,
        call,
        taken,
        exception,
        indirect,
        conditional,
        control_flow,
        flush,
        retire
    };

    assign gshare_update = retire & conditional;
    assign target_predictor_update_path = retire & (conditional | indirect);
    assign read_flags = flags;
    assign read_count = count;
    assign read_target = target_units;
    assign gshare_learn = read_flags[0] & read_flags[3];
    assign target_predictor_update = read_flags[0] & read_flags[2] & !read_flags[5];
    assign outcome_missed = read_flags[3] & (gshare_predicted_taken ^ read_flags[6]);
    assign wrong_bits = target_predictor_predicted_target ^ read_target;

    always @* begin
        differs = 4'd0;
        if (|wrong_part_0) begin
            differs = 4'd1;
        end
        if (|wrong_part_1) begin
            differs = {differs[3:2], 1'd1, differs[0]};
        end
        if (|wrong_part_2) begin
            differs = {differs[3], 1'd1, differs[1:0]};
        end
        if (|wrong_part_3) begin
            differs = {1'd1, differs[2:0]};
        end
    end

    assign wrong_part_0 = wrong_bits[7:0];
    assign wrong_part_1 = wrong_bits[15:8];
    assign wrong_part_2 = wrong_bits[23:16];
    assign wrong_part_3 = {2'd0, wrong_bits[29:24]};
    assign compared_flags = read_flags | {5'd0, outcome_missed, 9'd0} | {4'd0, target_predictor_predicted, 10'd0} | {differs, 11'd0};
    assign record_flags = compared_flags;
    assign record_count = read_count;
    assign record_target = read_target;
    assign is_empty = 1'd1;
    assign record_former_counted = record_flags[3] | record_flags[4];

    always @* begin
        target_missed = record_flags[4] & record_flags[6];
        if (record_flags[10] && !(|record_flags[14:11])) begin
            target_missed = 1'd0;
        end
    end

    assign record_former_missed = target_missed | record_flags[9];
    assign record_valid = record_former_record_valid;
    assign record = record_former_record;

    wire _unused_ok = &{1'b0, target[1:0], record_flags[8:7]};

endmodule
