// traptor-m3 of Tracewright, scheme traptor.
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
//   indirect_branch_target_buffer_entries = 32
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 12
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
// serial_difference: first = 5, next = 5, width = 30, sources = 1, piece_width = 8

module traptor_m3_serial_difference (
    input  wire        clock,
    input  wire        reset,
    input  wire [29:0] target, // in instruction units
    input  wire [2:0]  index, // the chunk
    input  wire        step, // the piece is taken
    output reg  [7:0]  piece, // chunk and connect bit, at last the sign
    output reg  [3:0]  piece_bits,
    output wire        more, // more pieces follow
    output wire        restart // from chunk 0 again
);

    wire [4:0] previous_read_data;
    wire       previous_write_enable;
    reg        has_previous;
    reg        sending;
    reg        below;
    reg        borrow;
    reg        digit_is_nonzero; // the chunk before
    reg        digit_is_full; // all its bits are set
    reg        nonzero; // a chunk so far is not zero
    reg  [2:0] last_up; // the last one that is not, if the target is above
    reg  [2:0] last_down; // the same if it is below
    reg  [2:0] last_index;
    wire [2:0] address;
    reg  [4:0] target_chunk;
    wire [4:0] part_0;
    wire [4:0] part_1;
    wire [4:0] part_2;
    wire [4:0] part_3;
    wire [4:0] part_4;
    wire [4:0] part_5;
    reg        is_known;
    reg  [4:0] previous_chunk;
    wire [5:0] sum;
    reg  [4:0] difference;
    reg  [4:0] digit;
    reg        is_full;
    wire       is_even;
    wire       ends;
    wire       at_last;
    wire       at_end;
    wire [2:0] previous_index;
    wire       is_sent;
    wire       goes_on;
    reg  [4:0] previous_cells [0:5];

    assign address = index;

    always @* begin
        is_known = 1'd0;
        if (has_previous) begin
            is_known = 1'd1;
        end
    end

    always @* begin
        previous_chunk = 5'd0;
        if (is_known) begin
            previous_chunk = previous_read_data;
        end
    end

    always @* begin
        target_chunk = part_0;
        if (index == 3'd1) begin
            target_chunk = part_1;
        end
        if (index == 3'd2) begin
            target_chunk = part_2;
        end
        if (index == 3'd3) begin
            target_chunk = part_3;
        end
        if (index == 3'd4) begin
            target_chunk = part_4;
        end
        if (index == 3'd5) begin
            target_chunk = part_5;
        end
    end

    assign part_0 = target[4:0];
    assign part_1 = target[9:5];
    assign part_2 = target[14:10];
    assign part_3 = target[19:15];
    assign part_4 = target[24:20];
    assign part_5 = target[29:25];
    assign sum = {1'd0, target_chunk} + {1'd0, ~previous_chunk} + {5'd0, !borrow};

    always @* begin
        difference = sum[4:0];
        if (below) begin
            difference = ~sum[4:0];
        end
    end

    always @* begin
        last_index = last_up;
        if (below) begin
            last_index = last_down;
        end
    end

    always @* begin
        digit = difference;
        is_full = 1'd0;
        piece = 8'd0;
        if (digit == 5'd31) begin
            is_full = 1'd1;
        end
        if (sending && is_sent) begin
            piece = {3'd0, digit};
            if (goes_on) begin
                piece = {3'd1, digit};
            end else if (below) begin
                piece = {3'd2, digit};
            end
        end
        if (index == 3'd1) begin
            digit = difference;
            is_full = 1'd0;
            piece = 8'd0;
            if (digit == 5'd31) begin
                is_full = 1'd1;
            end
            if (sending && is_sent) begin
                piece = {3'd0, digit};
                if (goes_on) begin
                    piece = {3'd1, digit};
                end else if (below) begin
                    piece = {3'd2, digit};
                end
            end
        end
        if (index == 3'd2) begin
            digit = difference;
            is_full = 1'd0;
            piece = 8'd0;
            if (digit == 5'd31) begin
                is_full = 1'd1;
            end
            if (sending && is_sent) begin
                piece = {3'd0, digit};
                if (goes_on) begin
                    piece = {3'd1, digit};
                end else if (below) begin
                    piece = {3'd2, digit};
                end
            end
        end
        if (index == 3'd3) begin
            digit = difference;
            is_full = 1'd0;
            piece = 8'd0;
            if (digit == 5'd31) begin
                is_full = 1'd1;
            end
            if (sending && is_sent) begin
                piece = {3'd0, digit};
                if (goes_on) begin
                    piece = {3'd1, digit};
                end else if (below) begin
                    piece = {3'd2, digit};
                end
            end
        end
        if (index == 3'd4) begin
            digit = difference;
            is_full = 1'd0;
            piece = 8'd0;
            if (digit == 5'd31) begin
                is_full = 1'd1;
            end
            if (sending && is_sent) begin
                piece = {3'd0, digit};
                if (goes_on) begin
                    piece = {3'd1, digit};
                end else if (below) begin
                    piece = {3'd2, digit};
                end
            end
        end
        if (index == 3'd5) begin
            digit = difference;
            is_full = 1'd0;
            piece = 8'd0;
            if (digit == 5'd31) begin
                is_full = 1'd1;
            end
            if (sending && is_sent) begin
                piece = {3'd0, digit};
                if (goes_on) begin
                    piece = {3'd1, digit};
                end else if (below) begin
                    piece = {3'd2, digit};
                end
            end
        end
    end

    assign is_sent = index <= last_index;
    assign goes_on = index < last_index;

    always @* begin
        piece_bits = 4'd0;
        if (sending && is_sent) begin
            piece_bits = 4'd6;
            if (!goes_on) begin
                piece_bits = 4'd7;
            end
        end
        if (index == 3'd1) begin
            piece_bits = 4'd0;
            if (sending && is_sent) begin
                piece_bits = 4'd6;
                if (!goes_on) begin
                    piece_bits = 4'd7;
                end
            end
        end
        if (index == 3'd2) begin
            piece_bits = 4'd0;
            if (sending && is_sent) begin
                piece_bits = 4'd6;
                if (!goes_on) begin
                    piece_bits = 4'd7;
                end
            end
        end
        if (index == 3'd3) begin
            piece_bits = 4'd0;
            if (sending && is_sent) begin
                piece_bits = 4'd6;
                if (!goes_on) begin
                    piece_bits = 4'd7;
                end
            end
        end
        if (index == 3'd4) begin
            piece_bits = 4'd0;
            if (sending && is_sent) begin
                piece_bits = 4'd6;
                if (!goes_on) begin
                    piece_bits = 4'd7;
                end
            end
        end
        if (index == 3'd5) begin
            piece_bits = 4'd0;
            if (sending && is_sent) begin
                piece_bits = 4'd6;
                if (!goes_on) begin
                    piece_bits = 4'd7;
                end
            end
        end
    end

    assign at_last = index == 3'd5;
    assign at_end = index == 3'd6;
    assign previous_index = index - 3'd1;
    assign is_even = !(borrow ^ below);
    assign ends = at_last | (is_known & !is_sent & is_even);
    assign more = !(sending & ends);
    assign restart = !sending & at_end;
    assign previous_write_enable = sending & step;
    assign previous_read_data = previous_cells[address];

    always @(posedge clock) begin
        if (reset) begin
            has_previous <= 1'd0;
            sending <= 1'd0;
            below <= 1'd0;
            borrow <= 1'd0;
            digit_is_nonzero <= 1'd0;
            digit_is_full <= 1'd0;
            nonzero <= 1'd0;
            last_up <= 3'd0;
            last_down <= 3'd0;
        end else begin
            if (step) begin
                borrow <= !sum[5];
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
                        below <= difference[4];
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
                    last_up <= 3'd0;
                    last_down <= 3'd0;
                    has_previous <= 1'd1;
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
