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
// serial_encoder: slots = 9, record_bits = 57, most_bits = 121

module traptor_m4_fpga_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [56:0] record, input wire load, input wire next_valid, input wire [56:0] next_record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [7:0]  piece, // zero above piece_bits
    output reg  [3:0]  piece_bits,
    output wire        piece_last, // fill the word up
    input  wire        piece_ready
);

    reg  [3:0] sent; // stages of the record that are out
    reg  [3:0] index; // the piece of the slot
    reg  [8:0] flags; // slots that are sent
    reg  [3:0] stages; // stages that send one
    reg [3:0] pending; reg [3:0] last0, last1; reg [3:0] l0, l1;
    wire [3:0] current; // one hot
    reg  [8:0] active; // one hot: the slot of this clock
    reg        restart; // from the slot's first piece again
    reg        more; // the slot has more pieces
    wire       is_last; // no slot is left
    wire       value_5;
    wire [7:0] chunks_0_piece;
    wire [3:0] chunks_0_piece_bits;
    wire       chunks_0_more;
    wire [7:0] chunks_1_piece;
    wire [3:0] chunks_1_piece_bits;
    wire       chunks_1_more;
    reg        differences_0_step;
    wire [7:0] differences_0_piece;
    wire [3:0] differences_0_piece_bits;
    wire       differences_0_more;
    wire       differences_0_restart;

    traptor_m4_fpga_chunk_selector_first3_next1_width11 chunks_0 (
        .value      (record[20:10]),
        .index      (index),
        .piece      (chunks_0_piece),
        .piece_bits (chunks_0_piece_bits),
        .m(m0), .more       (chunks_0_more)
    );

    traptor_m4_fpga_chunk_selector_first2_next2_width17 chunks_1 (
        .value      (record[26:10]),
        .index      (index),
        .piece      (chunks_1_piece),
        .piece_bits (chunks_1_piece_bits),
        .m(m1), .more       (chunks_1_more)
    );

    traptor_m4_fpga_serial_difference differences_0 (
        .clock      (clock),
        .reset      (reset),
        .target     (record[56:27]),
        .index      (index[2:0]),
        .load(load), .load_chunk(next_record[31:27]), .step       (differences_0_step),
        .piece      (differences_0_piece),
        .piece_bits (differences_0_piece_bits),
        .more       (differences_0_more),
        .restart    (differences_0_restart)
    );

    always @* begin
        flags = 9'd0;
        if (record[1]) begin
            flags = 9'd1;
        end
        if (record[2]) begin
            flags = {flags[8:2], 1'd1, flags[0]};
        end
        if (record[3]) begin
            flags = {flags[8:3], 1'd1, flags[1:0]};
        end
        if (record[0]) begin
            flags = {flags[8:4], 1'd1, flags[2:0]};
        end
        if (record[4]) begin
            flags = {flags[8:5], 1'd1, flags[3:0]};
        end
        if (record[5]) begin
            flags = {flags[8:6], 1'd1, flags[4:0]};
        end
        if (record[6]) begin
            flags = {flags[8:7], 1'd1, flags[5:0]};
        end
        if (record[7]) begin
            flags = {flags[8], 1'd1, flags[6:0]};
        end
        if (record[8]) begin
            flags = {1'd1, flags[7:0]};
        end
    end

    always @* begin
        stages = 4'd0;
        if (next_record[1]) begin
            stages = 4'd1;
        end
        if (next_record[2]) begin
            stages = {stages[3:2], 1'd1, stages[0]};
        end
        if (next_record[3]) begin
            stages = {stages[3:2], 1'd1, stages[0]};
        end
        if (next_record[0]) begin
            stages = {stages[3:2], 1'd1, stages[0]};
        end
        if (next_record[4]) begin
            stages = {stages[3:2], 1'd1, stages[0]};
        end
        if (next_record[5]) begin
            stages = {stages[3:2], 1'd1, stages[0]};
        end
        if (next_record[6]) begin
            stages = {stages[3], 1'd1, stages[1:0]};
        end
        if (next_record[7]) begin
            stages = {stages[3], 1'd1, stages[1:0]};
        end
        if (next_record[8]) begin
            stages = {1'd1, stages[2:0]};
        end
    end


    assign current = pending & (~pending + 4'd1);
    assign is_last = pending == current;

    always @* begin
        active = 9'd0;
        if (current[0]) begin
            active = {8'd0, flags[0]};
        end
        if (current[1]) begin
            active = {active[8:2], flags[1], active[0]};
        end
        if (current[1]) begin
            active = {active[8:3], flags[2], active[1:0]};
        end
        if (current[1]) begin
            active = {active[8:4], flags[3], active[2:0]};
        end
        if (current[1]) begin
            active = {active[8:5], flags[4], active[3:0]};
        end
        if (current[1]) begin
            active = {active[8:6], flags[5], active[4:0]};
        end
        if (current[2]) begin
            active = {active[8:7], flags[6], active[5:0]};
        end
        if (current[2]) begin
            active = {active[8], flags[7], active[6:0]};
        end
        if (current[3]) begin
            active = {flags[8], active[7:0]};
        end
    end

    always @* begin
        piece = ({8{active[5]}} & chunks_0_piece) | ({8{active[6]}} & chunks_1_piece) | ({8{active[8]}} & differences_0_piece)
          | ({8{active[0]|active[1]}} & 8'd136) | ({8{active[2]}} & 8'd72) | ({8{active[3]}} & 8'd8) | {7'd0, active[7] & value_5};
        piece_bits = ({4{active[5]}} & chunks_0_piece_bits) | ({4{active[6]}} & chunks_1_piece_bits) | ({4{active[8]}} & differences_0_piece_bits)
          | ({4{active[0]|active[1]|active[2]|active[3]}} & 4'd8) | ({4{active[4]}} & 4'd4) | {3'd0, active[7]};
    end
    always @* begin
        more = 1'd0;
        if (active[5]) begin
            more = m0;
        end
        if (active[6]) begin
            more = m1;
        end
        if (active[8]) begin
            more = differences_0_more;
        end
    end

    always @* begin
        restart = 1'd0;
        if (active[8]) begin
            restart = differences_0_restart;
        end
    end

    always @* begin
        differences_0_step = 1'd0;
        if (active[8]) begin
            differences_0_step = record_valid & piece_ready;
        end
    end

    assign value_5 = record[9];
    assign piece_valid = record_valid;
    assign record_ready = piece_ready & is_last & !more;
    assign piece_last = record[0] & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
            pending <= 4'd0;
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
                    pending <= pending & ~current;
                end
            end
            if (load) pending <= stages;
        end
    end
    integer i;
    always @* begin
        l0 = 0; for (i=1;i<9;i=i+1) if (|(next_record[20:10] >> (3+i-1))) l0 = i;
        l1 = 0; for (i=1;i<9;i=i+1) if (|(next_record[26:10] >> (2*i))) l1 = i;
    end
    always @(posedge clock) if (load) begin last0 <= l0; last1 <= l1; end
    wire m0 = index != last0; wire m1 = index != last1;
endmodule
