// traptor-m4-fpga of Tracewright, scheme traptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 79
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = true
//   reset = synchronous
//   gshare_entries = 512
//   gshare_history_bits = 9
//   pc_shift = 4
//   return_address_stack_depth = 8
//   indirect_branch_target_buffer_entries = 64
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 13
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
//   memory_style = synchronous
// encoder

module traptor_m4_fpga_encoder (
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
    reg         formed_valid;
    reg  [56:0] formed;
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
    wire [14:0] read_stage_later_flags;
    wire [3:0]  read_stage_later_count;
    wire [29:0] read_stage_later_target;
    wire [14:0] record_stage_later_flags;
    wire [3:0]  record_stage_later_count;
    wire [29:0] record_stage_later_target;

    traptor_m4_fpga_gshare gshare (
        .clock           (clock),
        .reset           (reset),
        .clear           (clear),
        .clear_index     (clear_index),
        .update          (gshare_update),
        .program_counter (program_counter),
        .taken           (taken),
        .predicted_taken (gshare_predicted_taken),
        .learn           (gshare_learn),
        .outcome         (f2[6])
    );

    wire tmiss; wire [14:0] f2; wire [3:0] c2; wire [29:0] tg2;
    traptor_m4_fpga_target_predictor target_predictor (.clock(clock),.reset(reset),.clear(clear),.clear_index(clear_index),.update_path(target_predictor_update_path),.path_taken(taken),.program_counter(program_counter),.length(length),
     .update(target_predictor_update),.indirect(read_flags[4]),.call(read_flags[7]),.is_return(read_flags[8]),.taken(read_flags[6]),.target(read_target),.missed(tmiss));
    traptor_m4_fpga_stage compare_stage(.clock(clock),.reset(reset),.flags(read_flags),.count(read_count),.target(read_target),.later_flags(f2),.later_count(c2),.later_target(tg2));
    traptor_m4_fpga_record_former record_former (
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

    traptor_m4_fpga_stage read_stage (
        .clock        (clock),
        .reset        (reset),
        .flags        (flags),
        .count        (count),
        .target       (target_units),
        .later_flags  (read_stage_later_flags),
        .later_count  (read_stage_later_count),
        .later_target (read_stage_later_target)
    );

    traptor_m4_fpga_stage record_stage (
        .clock        (clock),
        .reset        (reset),
        .flags        (compared_flags),
        .count        (c2),
        .target       (tg2),
        .later_flags  (record_stage_later_flags),
        .later_count  (record_stage_later_count),
        .later_target (record_stage_later_target)
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
    assign read_flags = read_stage_later_flags;
    assign read_count = read_stage_later_count;
    assign read_target = read_stage_later_target;
    assign gshare_learn = f2[0] & f2[3];
    assign target_predictor_update = read_flags[0] & read_flags[2] & !read_flags[5];
    assign outcome_missed = (f2[3] & (gshare_predicted_taken ^ f2[6])) | (f2[4] & f2[6] & tmiss);
    assign compared_flags = f2 | {5'd0, outcome_missed, 9'd0};
    assign record_flags = record_stage_later_flags;
    assign record_count = record_stage_later_count;
    assign record_target = record_stage_later_target;
    assign is_empty = !(read_flags[0] | read_flags[1] | f2[0] | f2[1] | record_flags[0] | record_flags[1] | formed_valid);
    assign record_former_counted = record_flags[3] | record_flags[4];

    assign record_former_missed = record_flags[9];
    assign record_valid = formed_valid;
    assign record = formed;

    always @(posedge clock) begin
        if (reset) begin
            formed_valid <= 1'd0;
        end else begin
            formed_valid <= record_former_record_valid;
        end
    end

    always @(posedge clock) formed <= record_former_record;
    wire _unused_ok = &{1'b0, target[1:0], record_flags[8:7]};

endmodule
