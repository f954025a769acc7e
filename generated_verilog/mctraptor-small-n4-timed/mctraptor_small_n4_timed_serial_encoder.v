// mctraptor-small-n4-timed of Tracewright, scheme mctraptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 4
//   fifo_bits = 256
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
//   cores = 4
//   time_stamps = true
//   encoding = variable
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 4
//   time_stamp_next_chunk = 2
// serial_encoder: slots = 17, record_bits = 96, most_bits = 239

module mctraptor_small_n4_timed_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [95:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [7:0]  piece, // zero above piece_bits
    output reg  [3:0]  piece_bits,
    output wire        piece_last, // fill the word up
    input  wire        piece_ready
);

    reg  [11:0] sent; // stages of the record that are out
    reg  [3:0]  index; // the piece of the slot
    reg  [16:0] flags; // slots that are sent
    reg  [11:0] stages; // stages that send one
    wire [11:0] pending;
    wire [11:0] current; // one hot
    reg  [16:0] active; // one hot: the slot of this clock
    reg         restart; // from the slot's first piece again
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [1:0]  value_0;
    wire [1:0]  value_2;
    wire [1:0]  value_4;
    wire [1:0]  value_5;
    wire        value_11;
    reg  [3:0]  left;
    wire [7:0]  chunks_0_piece;
    wire [3:0]  chunks_0_piece_bits;
    wire        chunks_0_more;
    wire [7:0]  chunks_1_piece;
    wire [3:0]  chunks_1_piece_bits;
    wire        chunks_1_more;
    wire [7:0]  chunks_2_piece;
    wire [3:0]  chunks_2_piece_bits;
    wire        chunks_2_more;
    wire [7:0]  chunks_3_piece;
    wire [3:0]  chunks_3_piece_bits;
    wire        chunks_3_more;
    reg         differences_0_step;
    wire [7:0]  differences_0_piece;
    wire [3:0]  differences_0_piece_bits;
    wire        differences_0_more;
    wire        differences_0_restart;

    mctraptor_small_n4_timed_chunk_selector_first4_width32 chunks_0 (
        .value      (record[38:7]),
        .index      (index),
        .piece      (chunks_0_piece),
        .piece_bits (chunks_0_piece_bits),
        .more       (chunks_0_more)
    );

    mctraptor_small_n4_timed_chunk_selector_first4_width32 chunks_1 (
        .value      (record[38:7]),
        .index      (index),
        .piece      (chunks_1_piece),
        .piece_bits (chunks_1_piece_bits),
        .more       (chunks_1_more)
    );

    mctraptor_small_n4_timed_chunk_selector_first3_width11 chunks_2 (
        .value      (record[59:49]),
        .index      (index[2:0]),
        .piece      (chunks_2_piece),
        .piece_bits (chunks_2_piece_bits),
        .more       (chunks_2_more)
    );

    mctraptor_small_n4_timed_chunk_selector_first2_width17 chunks_3 (
        .value      (record[65:49]),
        .index      (index),
        .piece      (chunks_3_piece),
        .piece_bits (chunks_3_piece_bits),
        .more       (chunks_3_more)
    );

    mctraptor_small_n4_timed_serial_difference differences_0 (
        .clock      (clock),
        .reset      (reset),
        .target     (record[95:66]),
        .source     (record[5:4]),
        .index      (index),
        .step       (differences_0_step),
        .piece      (differences_0_piece),
        .piece_bits (differences_0_piece_bits),
        .more       (differences_0_more),
        .restart    (differences_0_restart)
    );

    always @* begin
        flags = 17'd0;
        if (record[6]) begin
            flags = 17'd1;
        end
        if (record[6]) begin
            flags = {flags[16:2], 1'd1, flags[0]};
        end
        if (record[1]) begin
            flags = {flags[16:3], 1'd1, flags[1:0]};
        end
        if (record[1]) begin
            flags = {flags[16:4], 1'd1, flags[2:0]};
        end
        if (record[40]) begin
            flags = {flags[16:5], 1'd1, flags[3:0]};
        end
        if (record[2]) begin
            flags = {flags[16:6], 1'd1, flags[4:0]};
        end
        if (record[2]) begin
            flags = {flags[16:7], 1'd1, flags[5:0]};
        end
        if (record[3]) begin
            flags = {flags[16:8], 1'd1, flags[6:0]};
        end
        if (record[3]) begin
            flags = {flags[16:9], 1'd1, flags[7:0]};
        end
        if (record[41]) begin
            flags = {flags[16:10], 1'd1, flags[8:0]};
        end
        if (record[42]) begin
            flags = {flags[16:11], 1'd1, flags[9:0]};
        end
        if (record[39]) begin
            flags = {flags[16:12], 1'd1, flags[10:0]};
        end
        if (record[43]) begin
            flags = {flags[16:13], 1'd1, flags[11:0]};
        end
        if (record[44]) begin
            flags = {flags[16:14], 1'd1, flags[12:0]};
        end
        if (record[45]) begin
            flags = {flags[16:15], 1'd1, flags[13:0]};
        end
        if (record[46]) begin
            flags = {flags[16], 1'd1, flags[14:0]};
        end
        if (record[47]) begin
            flags = {1'd1, flags[15:0]};
        end
    end

    always @* begin
        stages = 12'd0;
        if (record[6]) begin
            stages = 12'd1;
        end
        if (record[6]) begin
            stages = {stages[11:2], 1'd1, stages[0]};
        end
        if (record[1]) begin
            stages = {stages[11:3], 1'd1, stages[1:0]};
        end
        if (record[1]) begin
            stages = {stages[11:4], 1'd1, stages[2:0]};
        end
        if (record[40]) begin
            stages = {stages[11:5], 1'd1, stages[3:0]};
        end
        if (record[2]) begin
            stages = {stages[11:6], 1'd1, stages[4:0]};
        end
        if (record[2]) begin
            stages = {stages[11:7], 1'd1, stages[5:0]};
        end
        if (record[3]) begin
            stages = {stages[11:8], 1'd1, stages[6:0]};
        end
        if (record[3]) begin
            stages = {stages[11:9], 1'd1, stages[7:0]};
        end
        if (record[41]) begin
            stages = {stages[11:10], 1'd1, stages[8:0]};
        end
        if (record[42]) begin
            stages = {stages[11:10], 1'd1, stages[8:0]};
        end
        if (record[39]) begin
            stages = {stages[11:10], 1'd1, stages[8:0]};
        end
        if (record[43]) begin
            stages = {stages[11:10], 1'd1, stages[8:0]};
        end
        if (record[44]) begin
            stages = {stages[11:10], 1'd1, stages[8:0]};
        end
        if (record[45]) begin
            stages = {stages[11], 1'd1, stages[9:0]};
        end
        if (record[46]) begin
            stages = {stages[11], 1'd1, stages[9:0]};
        end
        if (record[47]) begin
            stages = {1'd1, stages[10:0]};
        end
    end

    assign pending = stages & ~sent;
    assign current = pending & (~pending + 12'd1);
    assign is_last = pending == current;

    always @* begin
        active = 17'd0;
        if (current[0]) begin
            active = {16'd0, flags[0]};
        end
        if (current[1]) begin
            active = {active[16:2], flags[1], active[0]};
        end
        if (current[2]) begin
            active = {active[16:3], flags[2], active[1:0]};
        end
        if (current[3]) begin
            active = {active[16:4], flags[3], active[2:0]};
        end
        if (current[4]) begin
            active = {active[16:5], flags[4], active[3:0]};
        end
        if (current[5]) begin
            active = {active[16:6], flags[5], active[4:0]};
        end
        if (current[6]) begin
            active = {active[16:7], flags[6], active[5:0]};
        end
        if (current[7]) begin
            active = {active[16:8], flags[7], active[6:0]};
        end
        if (current[8]) begin
            active = {active[16:9], flags[8], active[7:0]};
        end
        if (current[9]) begin
            active = {active[16:10], flags[9], active[8:0]};
        end
        if (current[9]) begin
            active = {active[16:11], flags[10], active[9:0]};
        end
        if (current[9]) begin
            active = {active[16:12], flags[11], active[10:0]};
        end
        if (current[9]) begin
            active = {active[16:13], flags[12], active[11:0]};
        end
        if (current[9]) begin
            active = {active[16:14], flags[13], active[12:0]};
        end
        if (current[10]) begin
            active = {active[16:15], flags[14], active[13:0]};
        end
        if (current[10]) begin
            active = {active[16], flags[15], active[14:0]};
        end
        if (current[11]) begin
            active = {flags[16], active[15:0]};
        end
    end

    always @* begin
        piece = 8'd0;
        if (active[3]) begin
            piece = chunks_0_piece;
        end
        if (active[6]) begin
            piece = chunks_1_piece;
        end
        if (active[13]) begin
            piece = chunks_2_piece;
        end
        if (active[14]) begin
            piece = chunks_3_piece;
        end
        if (active[16]) begin
            piece = differences_0_piece;
        end
        if (active[0]) begin
            piece = {6'd0, value_0};
        end
        if (active[1]) begin
            piece = 8'd16;
        end
        if (active[2]) begin
            piece = {6'd0, value_2};
        end
        if (active[4]) begin
            if (index == 4'd0) begin
                piece = 8'd8;
            end
            if (index == 4'd1) begin
                piece = 8'd1;
            end
        end
        if (active[5]) begin
            piece = {6'd0, value_4};
        end
        if (active[7]) begin
            piece = {6'd0, value_5};
        end
        if (active[8]) begin
            piece = 8'd0;
        end
        if (active[9]) begin
            if (index == 4'd0) begin
                piece = 8'd8;
            end
            if (index == 4'd1) begin
                piece = 8'd1;
            end
        end
        if (active[10]) begin
            if (index == 4'd0) begin
                piece = 8'd136;
            end
            if (index == 4'd1) begin
                piece = 8'd0;
            end
        end
        if (active[11]) begin
            if (index == 4'd0) begin
                piece = 8'd8;
            end
            if (index == 4'd1) begin
                piece = 8'd0;
            end
        end
        if (active[12]) begin
            piece = 8'd0;
        end
        if (active[15]) begin
            piece = {7'd0, value_11};
        end
    end

    always @* begin
        piece_bits = 4'd0;
        more = 1'd0;
        if (active[3]) begin
            piece_bits = chunks_0_piece_bits;
            more = chunks_0_more;
        end
        if (active[6]) begin
            piece_bits = chunks_1_piece_bits;
            more = chunks_1_more;
        end
        if (active[13]) begin
            piece_bits = chunks_2_piece_bits;
            more = chunks_2_more;
        end
        if (active[14]) begin
            piece_bits = chunks_3_piece_bits;
            more = chunks_3_more;
        end
        if (active[16]) begin
            piece_bits = differences_0_piece_bits;
            more = differences_0_more;
        end
        left = 4'd0;
        if (active[0]) begin
            piece_bits = 4'd2;
        end
        if (active[1]) begin
            piece_bits = 4'd8;
        end
        if (active[2]) begin
            piece_bits = 4'd2;
        end
        if (active[4]) begin
            if (index == 4'd0) begin
                left = 4'd9;
            end
            if (index == 4'd1) begin
                left = 4'd1;
            end
            piece_bits = left;
            if (left > 4'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (active[5]) begin
            piece_bits = 4'd2;
        end
        if (active[7]) begin
            piece_bits = 4'd2;
        end
        if (active[8]) begin
            piece_bits = 4'd5;
        end
        if (active[9]) begin
            if (index == 4'd0) begin
                left = 4'd9;
            end
            if (index == 4'd1) begin
                left = 4'd1;
            end
            piece_bits = left;
            if (left > 4'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (active[10]) begin
            if (index == 4'd0) begin
                left = 4'd9;
            end
            if (index == 4'd1) begin
                left = 4'd1;
            end
            piece_bits = left;
            if (left > 4'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (active[11]) begin
            if (index == 4'd0) begin
                left = 4'd9;
            end
            if (index == 4'd1) begin
                left = 4'd1;
            end
            piece_bits = left;
            if (left > 4'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (active[12]) begin
            piece_bits = 4'd4;
        end
        if (active[15]) begin
            piece_bits = 4'd1;
        end
    end

    always @* begin
        restart = 1'd0;
        if (active[16]) begin
            restart = differences_0_restart;
        end
    end

    always @* begin
        differences_0_step = 1'd0;
        if (active[16]) begin
            differences_0_step = record_valid & piece_ready;
        end
    end

    assign value_0 = record[5:4];
    assign value_2 = record[5:4];
    assign value_4 = record[5:4];
    assign value_5 = record[5:4];
    assign value_11 = record[48];
    assign piece_valid = record_valid;
    assign record_ready = piece_ready & is_last & !more;
    assign piece_last = record[0] & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
            sent <= 12'd0;
            index <= 4'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 4'd1;
                    if (restart) begin
                        index <= 4'd0;
                    end
                end else begin
                    index <= 4'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 12'd0;
                    end
                end
            end
        end
    end

endmodule
