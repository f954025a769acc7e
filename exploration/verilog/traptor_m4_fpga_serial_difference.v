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
// serial_difference: first = 5, next = 5, width = 30, sources = 1, piece_width = 8

module traptor_m4_fpga_serial_difference (
    input  wire        clock,
    input  wire        reset,
    input  wire [29:0] target, // in instruction units
    input  wire [2:0]  index, // the chunk
    input wire load, input wire [4:0] load_chunk,
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


    wire [2:0] read_index = (load | at_end) ? 3'd0 : index + 3'd1;
    always @(posedge clock) if (load | step) previous_chunk <= is_known ? previous_read_data : 5'd0;
    reg [4:0] next_chunk;
    always @* begin
        next_chunk = part_0;
        case (index)
        3'd0: next_chunk = part_1;
        3'd1: next_chunk = part_2;
        3'd2: next_chunk = part_3;
        3'd3: next_chunk = part_4;
        3'd4: next_chunk = part_5;
        default: next_chunk = part_0;
        endcase
    end
    always @(posedge clock) if (load) target_chunk <= load_chunk; else if (step) target_chunk <= next_chunk;
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

    wire shown = sending & is_sent;
    always @* begin
        digit = difference;
        is_full = &digit;
        piece = {1'b0, shown & !goes_on & below, shown & goes_on, digit & {5{shown}}};
    end
    assign is_sent = index <= last_index;
    assign goes_on = index < last_index;


    always @* begin
        piece_bits = shown ? (goes_on ? 4'd6 : 4'd7) : 4'd0;
    end
    assign at_last = index == 3'd5;
    assign at_end = index == 3'd6;
    assign previous_index = index - 3'd1;
    assign is_even = !(borrow ^ below);
    assign ends = at_last | (is_known & !is_sent & is_even);
    assign more = !(sending & ends);
    assign restart = !sending & at_end;
    assign previous_write_enable = sending & step;
    assign previous_read_data = previous_cells[read_index];

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
