// mctraptor-large-n4 of Tracewright, scheme mctraptor.
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
//   cores = 4
//   time_stamps = false
//   encoding = variable
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 4
//   time_stamp_next_chunk = 2
// serial_difference: first = 3, next = 4, width = 30, sources = 4, piece_width = 8

module mctraptor_large_n4_serial_difference (
    input  wire        clock,
    input  wire        reset,
    input  wire [29:0] target, // in instruction units
    input  wire [1:0]  source,
    input  wire [3:0]  index, // the chunk
    input  wire        step, // the piece is taken
    output reg  [7:0]  piece, // chunk and connect bit, at last the sign
    output reg  [3:0]  piece_bits,
    output wire        more, // more pieces follow
    output wire        restart // from chunk 0 again
);

    wire [3:0] previous_read_data;
    wire       previous_write_enable;
    reg  [3:0] has_previous;
    reg        sending;
    reg        below;
    reg        borrow;
    reg        digit_is_nonzero; // the chunk before
    reg        digit_is_full; // all its bits are set
    reg        nonzero; // a chunk so far is not zero
    reg  [3:0] last_up; // the last one that is not, if the target is above
    reg  [3:0] last_down; // the same if it is below
    reg  [3:0] last_index;
    wire [4:0] address;
    reg  [3:0] target_chunk;
    wire [2:0] part_0;
    wire [3:0] part_1;
    wire [3:0] part_2;
    wire [3:0] part_3;
    wire [3:0] part_4;
    wire [3:0] part_5;
    wire [3:0] part_6;
    wire [3:0] part_7;
    reg        is_known;
    reg  [3:0] previous_chunk;
    wire [4:0] sum;
    reg  [3:0] difference;
    reg  [3:0] digit;
    reg        is_full;
    wire       is_even;
    wire       ends;
    wire       at_last;
    wire       at_end;
    wire [3:0] previous_index;
    wire       is_sent;
    wire       goes_on;
    reg  [3:0] previous_cells [0:31];

    assign address = {source, index[2:0]};

    always @* begin
        is_known = 1'd0;
        if ((source == 2'd0) && has_previous[0]) begin
            is_known = 1'd1;
        end
        if ((source == 2'd1) && has_previous[1]) begin
            is_known = 1'd1;
        end
        if ((source == 2'd2) && has_previous[2]) begin
            is_known = 1'd1;
        end
        if ((source == 2'd3) && has_previous[3]) begin
            is_known = 1'd1;
        end
    end

    always @* begin
        previous_chunk = 4'd0;
        if (is_known) begin
            previous_chunk = previous_read_data;
        end
    end

    always @* begin
        target_chunk = {1'd0, part_0};
        if (index == 4'd1) begin
            target_chunk = part_1;
        end
        if (index == 4'd2) begin
            target_chunk = part_2;
        end
        if (index == 4'd3) begin
            target_chunk = part_3;
        end
        if (index == 4'd4) begin
            target_chunk = part_4;
        end
        if (index == 4'd5) begin
            target_chunk = part_5;
        end
        if (index == 4'd6) begin
            target_chunk = part_6;
        end
        if (index == 4'd7) begin
            target_chunk = part_7;
        end
    end

    assign part_0 = target[2:0];
    assign part_1 = target[6:3];
    assign part_2 = target[10:7];
    assign part_3 = target[14:11];
    assign part_4 = target[18:15];
    assign part_5 = target[22:19];
    assign part_6 = target[26:23];
    assign part_7 = {1'd0, target[29:27]};
    assign sum = {1'd0, target_chunk} + {1'd0, ~previous_chunk} + {4'd0, !borrow};

    always @* begin
        difference = sum[3:0];
        if (below) begin
            difference = ~sum[3:0];
        end
    end

    always @* begin
        last_index = last_up;
        if (below) begin
            last_index = last_down;
        end
    end

    always @* begin
        digit = difference & 4'd7;
        is_full = 1'd0;
        piece = 8'd0;
        if (digit == 4'd7) begin
            is_full = 1'd1;
        end
        if (sending && is_sent) begin
            piece = {4'd0, digit};
            if (goes_on) begin
                piece = {4'd0, digit} | 8'd8;
            end else if (below) begin
                piece = {4'd1, digit};
            end
        end
        if (index == 4'd1) begin
            digit = difference;
            is_full = 1'd0;
            piece = 8'd0;
            if (digit == 4'd15) begin
                is_full = 1'd1;
            end
            if (sending && is_sent) begin
                piece = {4'd0, digit};
                if (goes_on) begin
                    piece = {4'd1, digit};
                end else if (below) begin
                    piece = {4'd2, digit};
                end
            end
        end
        if (index == 4'd2) begin
            digit = difference;
            is_full = 1'd0;
            piece = 8'd0;
            if (digit == 4'd15) begin
                is_full = 1'd1;
            end
            if (sending && is_sent) begin
                piece = {4'd0, digit};
                if (goes_on) begin
                    piece = {4'd1, digit};
                end else if (below) begin
                    piece = {4'd2, digit};
                end
            end
        end
        if (index == 4'd3) begin
            digit = difference;
            is_full = 1'd0;
            piece = 8'd0;
            if (digit == 4'd15) begin
                is_full = 1'd1;
            end
            if (sending && is_sent) begin
                piece = {4'd0, digit};
                if (goes_on) begin
                    piece = {4'd1, digit};
                end else if (below) begin
                    piece = {4'd2, digit};
                end
            end
        end
        if (index == 4'd4) begin
            digit = difference;
            is_full = 1'd0;
            piece = 8'd0;
            if (digit == 4'd15) begin
                is_full = 1'd1;
            end
            if (sending && is_sent) begin
                piece = {4'd0, digit};
                if (goes_on) begin
                    piece = {4'd1, digit};
                end else if (below) begin
                    piece = {4'd2, digit};
                end
            end
        end
        if (index == 4'd5) begin
            digit = difference;
            is_full = 1'd0;
            piece = 8'd0;
            if (digit == 4'd15) begin
                is_full = 1'd1;
            end
            if (sending && is_sent) begin
                piece = {4'd0, digit};
                if (goes_on) begin
                    piece = {4'd1, digit};
                end else if (below) begin
                    piece = {4'd2, digit};
                end
            end
        end
        if (index == 4'd6) begin
            digit = difference;
            is_full = 1'd0;
            piece = 8'd0;
            if (digit == 4'd15) begin
                is_full = 1'd1;
            end
            if (sending && is_sent) begin
                piece = {4'd0, digit};
                if (goes_on) begin
                    piece = {4'd1, digit};
                end else if (below) begin
                    piece = {4'd2, digit};
                end
            end
        end
        if (index == 4'd7) begin
            digit = difference & 4'd7;
            is_full = 1'd0;
            piece = 8'd0;
            if (digit == 4'd7) begin
                is_full = 1'd1;
            end
            if (sending && is_sent) begin
                piece = {4'd0, digit};
                if (goes_on) begin
                    piece = {4'd1, digit};
                end else if (below) begin
                    piece = {4'd2, digit};
                end
            end
        end
    end

    assign is_sent = index <= last_index;
    assign goes_on = index < last_index;

    always @* begin
        piece_bits = 4'd0;
        if (sending && is_sent) begin
            piece_bits = 4'd4;
            if (!goes_on) begin
                piece_bits = 4'd5;
            end
        end
        if (index == 4'd1) begin
            piece_bits = 4'd0;
            if (sending && is_sent) begin
                piece_bits = 4'd5;
                if (!goes_on) begin
                    piece_bits = 4'd6;
                end
            end
        end
        if (index == 4'd2) begin
            piece_bits = 4'd0;
            if (sending && is_sent) begin
                piece_bits = 4'd5;
                if (!goes_on) begin
                    piece_bits = 4'd6;
                end
            end
        end
        if (index == 4'd3) begin
            piece_bits = 4'd0;
            if (sending && is_sent) begin
                piece_bits = 4'd5;
                if (!goes_on) begin
                    piece_bits = 4'd6;
                end
            end
        end
        if (index == 4'd4) begin
            piece_bits = 4'd0;
            if (sending && is_sent) begin
                piece_bits = 4'd5;
                if (!goes_on) begin
                    piece_bits = 4'd6;
                end
            end
        end
        if (index == 4'd5) begin
            piece_bits = 4'd0;
            if (sending && is_sent) begin
                piece_bits = 4'd5;
                if (!goes_on) begin
                    piece_bits = 4'd6;
                end
            end
        end
        if (index == 4'd6) begin
            piece_bits = 4'd0;
            if (sending && is_sent) begin
                piece_bits = 4'd5;
                if (!goes_on) begin
                    piece_bits = 4'd6;
                end
            end
        end
        if (index == 4'd7) begin
            piece_bits = 4'd0;
            if (sending && is_sent) begin
                piece_bits = 4'd5;
                if (!goes_on) begin
                    piece_bits = 4'd6;
                end
            end
        end
    end

    assign at_last = index == 4'd7;
    assign at_end = index == 4'd8;
    assign previous_index = index - 4'd1;
    assign is_even = !(borrow ^ below);
    assign ends = at_last | (is_known & !is_sent & is_even);
    assign more = !(sending & ends);
    assign restart = !sending & at_end;
    assign previous_write_enable = sending & step;
    assign previous_read_data = previous_cells[address];

    always @(posedge clock) begin
        if (reset) begin
            has_previous <= 4'd0;
            sending <= 1'd0;
            below <= 1'd0;
            borrow <= 1'd0;
            digit_is_nonzero <= 1'd0;
            digit_is_full <= 1'd0;
            nonzero <= 1'd0;
            last_up <= 4'd0;
            last_down <= 4'd0;
        end else begin
            if (step) begin
                borrow <= !sum[4];
                if (!sending) begin
                    digit_is_nonzero <= (|digit) & !at_end;
                    digit_is_full <= is_full;
                    if (digit_is_nonzero) begin
                        nonzero <= 1'd1;
                        last_up <= previous_index;
                        if (!(nonzero & digit_is_full)) begin
                            last_down <= previous_index;
                        end
                    end else if (nonzero) begin
                        last_down <= previous_index;
                    end
                    if (at_last) begin
                        below <= difference[2];
                    end
                    if (at_end) begin
                        sending <= 1'd1;
                        borrow <= below;
                    end
                end else if (ends) begin
                    sending <= 1'd0;
                    borrow <= 1'd0;
                    below <= 1'd0;
                    nonzero <= 1'd0;
                    last_up <= 4'd0;
                    last_down <= 4'd0;
                    if (source == 2'd0) begin
                        has_previous <= {has_previous[3:1], 1'd1};
                    end
                    if (source == 2'd1) begin
                        has_previous <= {has_previous[3:2], 1'd1, has_previous[0]};
                    end
                    if (source == 2'd2) begin
                        has_previous <= {has_previous[3], 1'd1, has_previous[1:0]};
                    end
                    if (source == 2'd3) begin
                        has_previous <= {1'd1, has_previous[2:0]};
                    end
                end
            end
        end
    end

    always @(posedge clock) begin
        if (previous_write_enable) begin
            previous_cells[address] <= target_chunk;
        end
    end

endmodule
