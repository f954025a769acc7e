// mctraptor-small-n1 of Tracewright, scheme mctraptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 64
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
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
//   branch_count_bits = 11
//   branch_count_first_chunk = 3
//   branch_count_next_chunk = 2
//   instruction_count_bits = 17
//   instruction_count_first_chunk = 2
//   instruction_count_next_chunk = 2
//   target_first_chunk = 3
//   target_next_chunk = 4
//   outcome_bit_for_jumps = false
//   memory_style = asynchronous
//   cores = 1
//   time_stamps = false
//   encoding = variable
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 4
//   time_stamp_next_chunk = 2
// merge: cores = 1, record_bits = 61

module mctraptor_small_n1_merge (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid_0,
    input  wire [56:0] in_record_0,
    output wire        in_ready_0,
    output wire        record_valid,
    output wire [60:0] record,
    input  wire        record_ready,
    output wire        is_empty
);

    wire [56:0] waiting;
    wire        goes_first;
    reg         has_rest;
    wire        pads;
    wire        queues_0_in_ready;
    wire        queues_0_out_valid;
    wire [56:0] queues_0_out_word;
    wire        queues_0_out_ready;
    wire [1:0]  queues_0_level;

    mctraptor_small_n1_fifo_depth2_width57 queues_0 (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (in_valid_0),
        .in_word   (in_record_0),
        .in_ready  (queues_0_in_ready),
        .out_valid (queues_0_out_valid),
        .out_word  (queues_0_out_word),
        .out_ready (queues_0_out_ready),
        .level     (queues_0_level)
    );

    assign in_ready_0 = queues_0_in_ready;
    assign record_valid = queues_0_out_valid;
    assign is_empty = !queues_0_out_valid;
    assign waiting = queues_0_out_word;
    assign queues_0_out_ready = record_valid & record_ready;
    assign goes_first = waiting[1];

    always @* begin
        has_rest = 1'd0;
        if (waiting[2]) begin
            has_rest = 1'd1;
        end
        if (waiting[3]) begin
            has_rest = 1'd1;
        end
        if (waiting[0]) begin
            has_rest = 1'd1;
        end
        if (waiting[4]) begin
            has_rest = 1'd1;
        end
        if (waiting[5]) begin
            has_rest = 1'd1;
        end
        if (waiting[6]) begin
            has_rest = 1'd1;
        end
        if (waiting[7]) begin
            has_rest = 1'd1;
        end
        if (waiting[8]) begin
            has_rest = 1'd1;
        end
    end

    assign pads = waiting[0];
    assign record = {waiting, has_rest & goes_first, has_rest & !goes_first, goes_first, pads};

    wire _unused_ok = &{1'b0, queues_0_level};

endmodule
