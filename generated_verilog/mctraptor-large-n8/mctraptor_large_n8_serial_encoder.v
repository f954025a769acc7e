// mctraptor-large-n8 of Tracewright, scheme mctraptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 8
//   fifo_bits = 512
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   gshare_entries = 4096
//   gshare_history_bits = 12
//   pc_shift = 4
//   return_address_stack_depth = 32
//   indirect_branch_target_buffer_entries = 64
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 13
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
//   cores = 8
//   time_stamps = false
//   encoding = variable
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 4
//   time_stamp_next_chunk = 2
// serial_encoder: slots = 12, record_bits = 64, most_bits = 133

module mctraptor_large_n8_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [63:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [7:0]  piece, // zero above piece_bits
    output reg  [3:0]  piece_bits,
    output wire        piece_last, // fill the word up
    input  wire        piece_ready
);

    reg  [6:0]  sent; // stages of the record that are out
    reg  [3:0]  index; // the piece of the slot
    reg  [11:0] flags; // slots that are sent
    reg  [6:0]  stages; // stages that send one
    wire [6:0]  pending;
    wire [6:0]  current; // one hot
    reg  [11:0] active; // one hot: the slot of this clock
    reg         restart; // from the slot's first piece again
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [2:0]  value_0;
    wire [2:0]  value_2;
    wire [2:0]  value_3;
    wire        value_8;
    reg  [3:0]  left;
    wire [7:0]  chunks_0_piece;
    wire [3:0]  chunks_0_piece_bits;
    wire        chunks_0_more;
    wire [7:0]  chunks_1_piece;
    wire [3:0]  chunks_1_piece_bits;
    wire        chunks_1_more;
    reg         differences_0_step;
    wire [7:0]  differences_0_piece;
    wire [3:0]  differences_0_piece_bits;
    wire        differences_0_more;
    wire        differences_0_restart;

    mctraptor_large_n8_chunk_selector_first3_width11 chunks_0 (
        .value      (record[27:17]),
        .index      (index[2:0]),
        .piece      (chunks_0_piece),
        .piece_bits (chunks_0_piece_bits),
        .more       (chunks_0_more)
    );

    mctraptor_large_n8_chunk_selector_first2_width17 chunks_1 (
        .value      (record[33:17]),
        .index      (index),
        .piece      (chunks_1_piece),
        .piece_bits (chunks_1_piece_bits),
        .more       (chunks_1_more)
    );

    mctraptor_large_n8_serial_difference differences_0 (
        .clock      (clock),
        .reset      (reset),
        .target     (record[63:34]),
        .source     (record[6:4]),
        .index      (index),
        .step       (differences_0_step),
        .piece      (differences_0_piece),
        .piece_bits (differences_0_piece_bits),
        .more       (differences_0_more),
        .restart    (differences_0_restart)
    );

    always @* begin
        flags = 12'd0;
        if (record[1]) begin
            flags = 12'd1;
        end
        if (record[8]) begin
            flags = {flags[11:2], 1'd1, flags[0]};
        end
        if (record[2]) begin
            flags = {flags[11:3], 1'd1, flags[1:0]};
        end
        if (record[3]) begin
            flags = {flags[11:4], 1'd1, flags[2:0]};
        end
        if (record[9]) begin
            flags = {flags[11:5], 1'd1, flags[3:0]};
        end
        if (record[10]) begin
            flags = {flags[11:6], 1'd1, flags[4:0]};
        end
        if (record[7]) begin
            flags = {flags[11:7], 1'd1, flags[5:0]};
        end
        if (record[11]) begin
            flags = {flags[11:8], 1'd1, flags[6:0]};
        end
        if (record[12]) begin
            flags = {flags[11:9], 1'd1, flags[7:0]};
        end
        if (record[13]) begin
            flags = {flags[11:10], 1'd1, flags[8:0]};
        end
        if (record[14]) begin
            flags = {flags[11], 1'd1, flags[9:0]};
        end
        if (record[15]) begin
            flags = {1'd1, flags[10:0]};
        end
    end

    always @* begin
        stages = 7'd0;
        if (record[1]) begin
            stages = 7'd1;
        end
        if (record[8]) begin
            stages = {stages[6:2], 1'd1, stages[0]};
        end
        if (record[2]) begin
            stages = {stages[6:3], 1'd1, stages[1:0]};
        end
        if (record[3]) begin
            stages = {stages[6:4], 1'd1, stages[2:0]};
        end
        if (record[9]) begin
            stages = {stages[6:5], 1'd1, stages[3:0]};
        end
        if (record[10]) begin
            stages = {stages[6:5], 1'd1, stages[3:0]};
        end
        if (record[7]) begin
            stages = {stages[6:5], 1'd1, stages[3:0]};
        end
        if (record[11]) begin
            stages = {stages[6:5], 1'd1, stages[3:0]};
        end
        if (record[12]) begin
            stages = {stages[6:5], 1'd1, stages[3:0]};
        end
        if (record[13]) begin
            stages = {stages[6], 1'd1, stages[4:0]};
        end
        if (record[14]) begin
            stages = {stages[6], 1'd1, stages[4:0]};
        end
        if (record[15]) begin
            stages = {1'd1, stages[5:0]};
        end
    end

    assign pending = stages & ~sent;
    assign current = pending & (~pending + 7'd1);
    assign is_last = pending == current;

    always @* begin
        active = 12'd0;
        if (current[0]) begin
            active = {11'd0, flags[0]};
        end
        if (current[1]) begin
            active = {active[11:2], flags[1], active[0]};
        end
        if (current[2]) begin
            active = {active[11:3], flags[2], active[1:0]};
        end
        if (current[3]) begin
            active = {active[11:4], flags[3], active[2:0]};
        end
        if (current[4]) begin
            active = {active[11:5], flags[4], active[3:0]};
        end
        if (current[4]) begin
            active = {active[11:6], flags[5], active[4:0]};
        end
        if (current[4]) begin
            active = {active[11:7], flags[6], active[5:0]};
        end
        if (current[4]) begin
            active = {active[11:8], flags[7], active[6:0]};
        end
        if (current[4]) begin
            active = {active[11:9], flags[8], active[7:0]};
        end
        if (current[5]) begin
            active = {active[11:10], flags[9], active[8:0]};
        end
        if (current[5]) begin
            active = {active[11], flags[10], active[9:0]};
        end
        if (current[6]) begin
            active = {flags[11], active[10:0]};
        end
    end

    always @* begin
        piece = 8'd0;
        if (active[8]) begin
            piece = chunks_0_piece;
        end
        if (active[9]) begin
            piece = chunks_1_piece;
        end
        if (active[11]) begin
            piece = differences_0_piece;
        end
        if (active[0]) begin
            piece = {5'd0, value_0};
        end
        if (active[1]) begin
            if (index == 4'd0) begin
                piece = 8'd8;
            end
            if (index == 4'd1) begin
                piece = 8'd1;
            end
        end
        if (active[2]) begin
            piece = {5'd0, value_2};
        end
        if (active[3]) begin
            piece = {5'd0, value_3};
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
            if (index == 4'd0) begin
                piece = 8'd136;
            end
            if (index == 4'd1) begin
                piece = 8'd0;
            end
        end
        if (active[6]) begin
            if (index == 4'd0) begin
                piece = 8'd8;
            end
            if (index == 4'd1) begin
                piece = 8'd0;
            end
        end
        if (active[7]) begin
            piece = 8'd0;
        end
        if (active[10]) begin
            piece = {7'd0, value_8};
        end
    end

    always @* begin
        piece_bits = 4'd0;
        more = 1'd0;
        if (active[8]) begin
            piece_bits = chunks_0_piece_bits;
            more = chunks_0_more;
        end
        if (active[9]) begin
            piece_bits = chunks_1_piece_bits;
            more = chunks_1_more;
        end
        if (active[11]) begin
            piece_bits = differences_0_piece_bits;
            more = differences_0_more;
        end
        left = 4'd0;
        if (active[0]) begin
            piece_bits = 4'd3;
        end
        if (active[1]) begin
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
        if (active[2]) begin
            piece_bits = 4'd3;
        end
        if (active[3]) begin
            piece_bits = 4'd3;
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
        if (active[6]) begin
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
        if (active[7]) begin
            piece_bits = 4'd4;
        end
        if (active[10]) begin
            piece_bits = 4'd1;
        end
    end

    always @* begin
        restart = 1'd0;
        if (active[11]) begin
            restart = differences_0_restart;
        end
    end

    always @* begin
        differences_0_step = 1'd0;
        if (active[11]) begin
            differences_0_step = record_valid & piece_ready;
        end
    end

    assign value_0 = record[6:4];
    assign value_2 = record[6:4];
    assign value_3 = record[6:4];
    assign value_8 = record[16];
    assign piece_valid = record_valid;
    assign record_ready = piece_ready & is_last & !more;
    assign piece_last = record[0] & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
            sent <= 7'd0;
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
                        sent <= 7'd0;
                    end
                end
            end
        end
    end

endmodule
