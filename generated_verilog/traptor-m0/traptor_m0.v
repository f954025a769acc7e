// traptor-m0 of Tracewright, scheme traptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 384
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   gshare_entries = 512
//   gshare_history_bits = 9
//   pc_shift = 4
//   return_address_stack_depth = 0
//   indirect_branch_target_buffer_entries = 0
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   indirect_branch_target_buffer_replacement = least-recently-used
//   path_history_bits = 8
//   elided_upper_bits = 0
//   branch_count_bits = 11
//   branch_count_first_chunk = 2
//   branch_count_next_chunk = 1
//   instruction_count_bits = 17
//   instruction_count_first_chunk = 2
//   instruction_count_next_chunk = 2
//   target_first_chunk = 3
//   target_next_chunk = 3
//   outcome_bit_for_jumps = true
//   memory_style = asynchronous
// verilator lint_off DECLFILENAME
// One file holds every module of the design; `tracewright generate --split` writes one file per module.

// sequencer: clear_bits = 9, counted_elsewhere = 1

module traptor_m0_sequencer (
    input  wire       clock,
    input  wire       reset,
    input  wire       flush, // level: the trace ends here
    input  wire       ready, // the compressor takes a block or a flush in this cycle
    input  wire       is_empty, // no record and no bit is left in the module
    output wire       tracing, // blocks are taken while the compressor is ready
    output wire       record_flush, // the compressor makes its flush record when it is ready
    output wire       flushed, // every bit of the trace has left the module
    input  wire [8:0] swept, // the entry to clear, where the compressor counts
    output wire       clear_valid, // the tables are being cleared
    output wire [8:0] clear_index // the entry to clear, in the lower bits
);

    reg        clearing;
    wire [8:0] entry;
    reg  [1:0] state;

    assign entry = swept;
    assign clear_valid = clearing;
    assign clear_index = entry;
    assign tracing = (state == 2'd0) & !clearing;
    assign record_flush = state == 2'd1;
    assign flushed = state == 2'd3;

    always @(posedge clock) begin
        if (reset) begin
            clearing <= 1'd1;
            state <= 2'd0;
        end else begin
            if (&entry) begin
                clearing <= 1'd0;
            end
            if (state == 2'd0) begin
                if (flush && !clearing) begin
                    state <= 2'd1;
                end
            end else if (state == 2'd1) begin
                if (ready) begin
                    state <= 2'd2;
                end
            end else if (state == 2'd2) begin
                if (is_empty) begin
                    state <= 2'd3;
                end
            end else if (!flush) begin
                state <= 2'd0;
            end
        end
    end

endmodule

// retire_decoder

module traptor_m0_retire_decoder (
    input  wire        retire_valid, // a block retires in this cycle
    input  wire [3:0]  retire_count, // instructions of the block
    input  wire [31:0] retire_pc, // byte address of the last instruction
    input  wire [3:0]  retire_length, // length of the last instruction in bytes
    input  wire [2:0]  retire_kind, // 0 sequential, 1 jump, 2 branch, 3 indirect, 4 both, 5 exception
    input  wire        retire_call, // the last instruction leaves a return address
    input  wire        retire_return, // the last instruction returns to one
    input  wire        retire_taken, // the flow changed
    input  wire [31:0] retire_target, // byte address that the flow changed to, if taken
    input  wire        take, // the module takes a block in this cycle
    output wire        block_valid, // a block is taken
    output wire [3:0]  block_count, // instructions of the block
    output wire [31:0] block_pc, // byte address of the last instruction
    output wire [3:0]  block_length, // length of the last instruction in bytes
    output wire        block_direct, // it is a direct jump or branch
    output wire        block_conditional, // it is a branch, direct or indirect
    output wire        block_indirect, // it is an indirect jump or branch
    output wire        block_exception, // an exception follows the block
    output wire        block_call, // the last instruction leaves a return address
    output wire        block_return, // the last instruction returns to one
    output wire        block_taken, // the flow changed
    output wire [31:0] block_target // byte address that the flow changed to, if taken
);

    assign block_valid = retire_valid & take;
    assign block_count = retire_count;
    assign block_pc = retire_pc;
    assign block_length = retire_length;
    assign block_direct = (retire_kind == 3'd1) | (retire_kind == 3'd2);
    assign block_conditional = (retire_kind == 3'd2) | (retire_kind == 3'd4);
    assign block_indirect = (retire_kind == 3'd3) | (retire_kind == 3'd4);
    assign block_exception = retire_kind == 3'd5;
    assign block_call = retire_call;
    assign block_return = retire_return;
    assign block_taken = retire_taken;
    assign block_target = retire_target;

endmodule

// predictor_table: entries = 512, width = 2

module traptor_m0_predictor_table (
    input  wire       clock,
    input  wire       reset,
    input  wire       clear_valid, // the tables are being cleared
    input  wire [8:0] clear_index, // the entry to clear, in the lower bits
    input  wire [1:0] clear_entry, // value of a cleared entry
    input  wire [8:0] index, // the entry to read
    output wire [1:0] entry, // value of the entry read
    input  wire       learn, // the entry read takes a new value
    input  wire [1:0] learned // the new value
);

    wire [1:0] entries_read_data;
    wire       entries_write_enable;
    reg  [8:0] entries_write_address;
    reg  [1:0] entries_write_data;
    wire [8:0] learn_index;
    reg  [1:0] entries_cells [0:511];

    assign entry = entries_read_data;
    assign learn_index = index;
    assign entries_write_enable = learn | clear_valid;

    always @* begin
        entries_write_address = learn_index;
        if (clear_valid) begin
            entries_write_address = clear_index;
        end
    end

    always @* begin
        entries_write_data = learned;
        if (clear_valid) begin
            entries_write_data = clear_entry;
        end
    end

    assign entries_read_data = entries_cells[index];

    always @(posedge clock) begin
        if (entries_write_enable) begin
            entries_cells[entries_write_address] <= entries_write_data;
        end
    end

    wire _unused_ok = &{1'b0, reset};

endmodule

// gshare: entries = 512, history_bits = 9, pc_shift = 4, address_width = 32, clear_bits = 9, synchronous = 0

module traptor_m0_gshare (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [8:0]  clear_index, // the entry to clear, in the lower bits
    input  wire        update, // a conditional branch retires
    input  wire [31:0] program_counter, // address of the branch
    input  wire        taken, // outcome of the branch
    output wire        predicted_taken, // predicted outcome, in the cycle in which the table is read
    input  wire        learn, // a conditional branch is predicted
    input  wire        outcome // outcome of that branch
);

    wire [1:0] counter;
    reg  [1:0] counter_next;
    reg  [8:0] history;
    wire [8:0] counters_index;
    wire [1:0] counters_entry;

    traptor_m0_predictor_table counters (
        .clock       (clock),
        .reset       (reset),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .clear_entry (2'd1),
        .index       (counters_index),
        .entry       (counters_entry),
        .learn       (learn),
        .learned     (counter_next)
    );

    assign counters_index = program_counter[12:4] ^ history;
    assign counter = counters_entry;
    assign predicted_taken = counter[1];

    always @* begin
        counter_next = counter;
        if (outcome) begin
            if (!(&counter)) begin
                counter_next = counter + 2'd1;
            end
        end else if (|counter) begin
            counter_next = counter - 2'd1;
        end
    end

    always @(posedge clock) begin
        if (reset) begin
            history <= 9'd0;
        end else begin
            if (update) begin
                history <= {history[7:0], taken};
            end
        end
    end

    wire _unused_ok = &{1'b0, program_counter[3:0], program_counter[31:13]};

endmodule

// target_predictor: return_address_stack_depth = 0, buffer_entries = 0, lower_bits = 30, upper_bits = 0, alignment = 2, clear_bits = 9, synchronous = 0

module traptor_m0_target_predictor (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [8:0]  clear_index, // the entry to clear, in the lower bits
    input  wire        update_path, // a conditional or indirect branch retires
    input  wire        path_taken, // outcome of the branch
    input  wire [31:0] program_counter, // in bytes
    input  wire [3:0]  length, // in bytes
    input  wire        update, // a control-flow instruction is predicted
    input  wire        indirect, // in the cycle of the prediction: it is indirect
    input  wire        call, // in the cycle of the prediction: it leaves a return address
    input  wire        is_return, // in the cycle of the prediction: it is a return
    input  wire        taken, // in the cycle of the prediction: it is taken
    input  wire [29:0] target, // in instruction units
    output wire        predicted, // some table has a target
    output wire [29:0] predicted_target // in instruction units
);

    assign predicted = 1'd0;
    assign predicted_target = 30'd0;

    wire _unused_ok = &{
        1'b0,
        clock,
        reset,
        clear_valid,
        clear_index,
        update_path,
        path_taken,
        program_counter,
        length,
        update,
        indirect,
        call,
        is_return,
        taken,
        target
    };

endmodule

// record_former: branch_count_bits = 11, instruction_count_bits = 17, retire_count_bits = 4, target_bits = 30, outcome_bit_for_jumps = 1, takes_difference = 0, swept_bits = 9

module traptor_m0_record_former (
    input  wire        clock,
    input  wire        reset,
    input  wire        retire, // a block retires
    input  wire [3:0]  count, // its instructions
    input  wire        control_flow, // its last instruction may change the flow
    input  wire        counted, // conditional or indirect
    input  wire        conditional,
    input  wire        indirect,
    input  wire        exception,
    input  wire        taken,
    input  wire [29:0] target, // in instruction units
    input  wire        missed, // outcome or target was not predicted
    input  wire        flush, // make a flush record
    input  wire        clearing, // the tables are being cleared; no block retires
    output wire [8:0]  swept, // the entry to clear
    output wire        record_valid,
    output wire [56:0] record
);

    reg  [10:0] branch_count;
    reg  [16:0] instruction_count;
    wire [10:0] branch_count_next;
    reg  [3:0]  counted_now; // instructions of the block, or one entry that is cleared
    wire [17:0] total;
    wire        mispredicted;
    reg         branch_overflow;
    wire        clears;
    wire        above_range; // instructions beyond the counter's range
    wire        upper_half;
    wire        leaves_more; // of the last instruction too
    wire        halves; // a control-flow instruction may take a half off
    wire        is_swept; // the last entry is being cleared
    wire        instruction_overflow;
    wire        overflow_first;
    reg         instruction_count_top;
    wire [16:0] counted_instructions;
    wire        has_target;
    wire        sends_outcome;
    wire        excepts;
    reg  [16:0] record_count;
    wire [29:0] sent_target;

    assign mispredicted = retire & missed;
    assign branch_count_next = branch_count + {10'd0, retire & counted};

    always @* begin
        counted_now = 4'd0;
        if (retire) begin
            counted_now = count;
        end
        counted_now = counted_now | {3'd0, clearing};
    end

    assign is_swept = clearing & (&swept);
    assign swept = instruction_count[8:0];
    assign total = {1'd0, instruction_count} + {14'd0, counted_now};

    always @* begin
        branch_overflow = 1'd0;
        if (branch_count == 11'd2046) begin
            branch_overflow = retire & counted & !mispredicted;
        end
    end

    assign clears = mispredicted | branch_overflow | (retire & exception) | flush;
    assign above_range = total[17];
    assign upper_half = above_range | total[16];
    assign leaves_more = |total[3:0];
    assign halves = retire & control_flow & !clears;
    assign instruction_overflow = (halves & upper_half) | (above_range & !control_flow);
    assign overflow_first = above_range & control_flow & (exception | leaves_more);

    always @* begin
        instruction_count_top = upper_half;
        if (halves) begin
            instruction_count_top = above_range & !leaves_more;
        end
    end

    assign counted_instructions = {instruction_count_top, total[15:0]};
    assign excepts = retire & exception;
    assign record_valid = clears | instruction_overflow;
    assign sends_outcome = mispredicted & indirect;
    assign has_target = (mispredicted & indirect & taken) | excepts;

    always @* begin
        record_count = counted_instructions;
        if (mispredicted) begin
            record_count = {6'd0, branch_count_next};
        end
    end

    assign sent_target = target;

    assign record = {
        sent_target,
        record_count,
        taken,
        has_target,
        sends_outcome,
        excepts | flush,
        mispredicted,
        excepts,
        branch_overflow,
        instruction_overflow,
        overflow_first,
        flush
    };

    always @(posedge clock) begin
        if (reset) begin
            branch_count <= 11'd0;
            instruction_count <= 17'd0;
        end else begin
            branch_count <= branch_count_next;
            instruction_count <= counted_instructions;
            if (clears || is_swept) begin
                branch_count <= 11'd0;
                instruction_count <= 17'd0;
            end
        end
    end

    wire _unused_ok = &{1'b0, conditional};

endmodule

// encoder

module traptor_m0_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [8:0]  clear_index, // the entry to clear, in the lower bits
    input  wire        retire_valid, // valid is high only while the compressor is ready
    input  wire [3:0]  retire_count, // instructions of the block
    input  wire [31:0] retire_pc, // byte address of the last instruction
    input  wire [3:0]  retire_length, // length of the last instruction in bytes
    input  wire        retire_direct, // it is a direct jump or branch
    input  wire        retire_conditional, // it is a branch, direct or indirect
    input  wire        retire_indirect, // it is an indirect jump or branch
    input  wire        retire_exception, // an exception follows the block
    input  wire        retire_call, // the last instruction leaves a return address
    input  wire        retire_return, // the last instruction returns to one
    input  wire        retire_taken, // the flow changed
    input  wire [31:0] retire_target, // byte address that the flow changed to, if taken
    input  wire        flush, // make a flush record; only when ready
    output wire        ready, // a block or a flush is taken
    output wire        is_empty, // no record waits inside
    output wire        record_valid,
    output wire [56:0] record,
    input  wire        record_ready,
    output wire [8:0]  swept // the entry to clear, where the instruction counter numbers them
);

    wire [14:0] flags;
    wire [14:0] read_flags; // the block whose entries are read
    wire [14:0] compared_flags;
    wire [14:0] record_flags; // the block that is recorded
    wire [29:0] target_units; // in instruction units
    wire [3:0]  read_count;
    wire [29:0] read_target;
    wire        outcome_missed;
    wire [29:0] wrong_bits; // of the predicted target
    wire [7:0]  wrong_part_0;
    wire [7:0]  wrong_part_1;
    wire [7:0]  wrong_part_2;
    wire [7:0]  wrong_part_3;
    reg  [3:0]  differs; // parts with wrong bits
    reg         target_missed;
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
    wire [8:0]  record_former_swept;
    wire        record_former_record_valid;
    wire [56:0] record_former_record;

    traptor_m0_gshare gshare (
        .clock           (clock),
        .reset           (reset),
        .clear_valid     (clear_valid),
        .clear_index     (clear_index),
        .update          (gshare_update),
        .program_counter (retire_pc),
        .taken           (retire_taken),
        .predicted_taken (gshare_predicted_taken),
        .learn           (gshare_learn),
        .outcome         (read_flags[6])
    );

    traptor_m0_target_predictor target_predictor (
        .clock            (clock),
        .reset            (reset),
        .clear_valid      (clear_valid),
        .clear_index      (clear_index),
        .update_path      (target_predictor_update_path),
        .path_taken       (retire_taken),
        .program_counter  (retire_pc),
        .length           (retire_length),
        .update           (target_predictor_update),
        .indirect         (read_flags[4]),
        .call             (read_flags[7]),
        .is_return        (read_flags[8]),
        .taken            (read_flags[6]),
        .target           (read_target),
        .predicted        (target_predictor_predicted),
        .predicted_target (target_predictor_predicted_target)
    );

    traptor_m0_record_former record_former (
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
        .clearing     (clear_valid),
        .swept        (record_former_swept),
        .record_valid (record_former_record_valid),
        .record       (record_former_record)
    );

    assign ready = record_ready;
    assign target_units = retire_target[31:2];

    assign flags = {
        6'd0,
        retire_return,
        retire_call,
        retire_taken,
        retire_exception,
        retire_indirect,
        retire_conditional,
        retire_direct | retire_indirect | retire_exception,
        flush,
        retire_valid
    };

    assign gshare_update = retire_valid & retire_conditional;
    assign target_predictor_update_path = retire_valid & (retire_conditional | retire_indirect);
    assign read_flags = flags;
    assign read_count = retire_count;
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
    assign compared_flags = {differs, target_predictor_predicted, outcome_missed, read_flags[8:0]};
    assign record_flags = compared_flags;
    assign record_count = read_count;
    assign record_target = read_target;
    assign is_empty = 1'd1;
    assign swept = record_former_swept;
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

    wire _unused_ok = &{1'b0, retire_target[1:0], read_flags[14:9], record_flags[8:7]};

endmodule

// fifo: depth = 2, width = 57

module traptor_m0_fifo_depth2_width57 (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid,
    input  wire [56:0] in_word,
    output wire        in_ready,
    output reg         out_valid,
    output wire [56:0] out_word,
    input  wire        out_ready
);

    wire [56:0] words_read_data;
    reg         write_pointer;
    reg         read_pointer;
    reg         is_filled; // more words came than went since the pointers were equal last
    reg         is_full;
    wire        puts;
    wire        takes;
    reg  [56:0] words_cells [0:1];

    always @* begin
        is_full = 1'd0;
        if (write_pointer == read_pointer) begin
            is_full = is_filled;
        end
    end

    always @* begin
        out_valid = 1'd1;
        if (write_pointer == read_pointer) begin
            out_valid = is_filled;
        end
    end

    assign in_ready = !is_full;
    assign puts = in_valid & in_ready;
    assign takes = out_ready & out_valid;
    assign out_word = words_read_data;
    assign words_read_data = words_cells[read_pointer];

    always @(posedge clock) begin
        if (reset) begin
            write_pointer <= 1'd0;
            read_pointer <= 1'd0;
            is_filled <= 1'd0;
        end else begin
            if (puts) begin
                write_pointer <= write_pointer + 1'd1;
                if (write_pointer) begin
                    write_pointer <= 1'd0;
                end
            end
            if (takes) begin
                read_pointer <= read_pointer + 1'd1;
                if (read_pointer) begin
                    read_pointer <= 1'd0;
                end
            end
            if (puts ^ takes) begin
                is_filled <= puts;
            end
        end
    end

    always @(posedge clock) begin
        if (puts) begin
            words_cells[write_pointer] <= in_word;
        end
    end

endmodule

// chunk_selector: first = 2, next = 1, width = 11, connect_bits = 1, piece_width = 7

module traptor_m0_chunk_selector_next1_width11 (
    input  wire [10:0] value, // the number
    input  wire [3:0]  index, // number of the chunk, 0 for the first
    output reg  [6:0]  piece, // chunk and connect bit
    output reg  [2:0]  piece_bits, // bits of the piece
    output reg         more // the connect bit
);

    wire [1:0] chunk_0;
    wire       chunk_1;
    wire       chunk_2;
    wire       chunk_3;
    wire       chunk_4;
    wire       chunk_5;
    wire       chunk_6;
    wire       chunk_7;
    wire       chunk_8;
    wire       chunk_9;

    always @* begin
        more = 1'd0;
        if (index == 4'd0) begin
            if (|{2'd0, value[10:2]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd1) begin
            if (|{3'd0, value[10:3]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd2) begin
            if (|{4'd0, value[10:4]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd3) begin
            if (|{5'd0, value[10:5]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd4) begin
            if (|{6'd0, value[10:6]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd5) begin
            if (|{7'd0, value[10:7]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd6) begin
            if (|{8'd0, value[10:8]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd7) begin
            if (|{9'd0, value[10:9]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd8) begin
            if (|{10'd0, value[10]}) begin
                more = 1'd1;
            end
        end
    end

    always @* begin
        piece = 7'd0;
        if (index == 4'd0) begin
            piece = {5'd0, chunk_0};
            if (|{2'd0, value[10:2]}) begin
                piece = piece | 7'd4;
            end
        end
        if (index == 4'd1) begin
            piece = {6'd0, chunk_1};
            if (|{3'd0, value[10:3]}) begin
                piece = piece | 7'd2;
            end
        end
        if (index == 4'd2) begin
            piece = {6'd0, chunk_2};
            if (|{4'd0, value[10:4]}) begin
                piece = piece | 7'd2;
            end
        end
        if (index == 4'd3) begin
            piece = {6'd0, chunk_3};
            if (|{5'd0, value[10:5]}) begin
                piece = piece | 7'd2;
            end
        end
        if (index == 4'd4) begin
            piece = {6'd0, chunk_4};
            if (|{6'd0, value[10:6]}) begin
                piece = piece | 7'd2;
            end
        end
        if (index == 4'd5) begin
            piece = {6'd0, chunk_5};
            if (|{7'd0, value[10:7]}) begin
                piece = piece | 7'd2;
            end
        end
        if (index == 4'd6) begin
            piece = {6'd0, chunk_6};
            if (|{8'd0, value[10:8]}) begin
                piece = piece | 7'd2;
            end
        end
        if (index == 4'd7) begin
            piece = {6'd0, chunk_7};
            if (|{9'd0, value[10:9]}) begin
                piece = piece | 7'd2;
            end
        end
        if (index == 4'd8) begin
            piece = {6'd0, chunk_8};
            if (|{10'd0, value[10]}) begin
                piece = piece | 7'd2;
            end
        end
        if (index == 4'd9) begin
            piece = {6'd0, chunk_9};
        end
    end

    always @* begin
        piece_bits = 3'd0;
        if (index == 4'd0) begin
            piece_bits = 3'd3;
        end
        if (index == 4'd1) begin
            piece_bits = 3'd2;
        end
        if (index == 4'd2) begin
            piece_bits = 3'd2;
        end
        if (index == 4'd3) begin
            piece_bits = 3'd2;
        end
        if (index == 4'd4) begin
            piece_bits = 3'd2;
        end
        if (index == 4'd5) begin
            piece_bits = 3'd2;
        end
        if (index == 4'd6) begin
            piece_bits = 3'd2;
        end
        if (index == 4'd7) begin
            piece_bits = 3'd2;
        end
        if (index == 4'd8) begin
            piece_bits = 3'd2;
        end
        if (index == 4'd9) begin
            piece_bits = 3'd2;
        end
    end

    assign chunk_0 = value[1:0];
    assign chunk_1 = value[2];
    assign chunk_2 = value[3];
    assign chunk_3 = value[4];
    assign chunk_4 = value[5];
    assign chunk_5 = value[6];
    assign chunk_6 = value[7];
    assign chunk_7 = value[8];
    assign chunk_8 = value[9];
    assign chunk_9 = value[10];

endmodule

// chunk_selector: first = 2, next = 2, width = 17, connect_bits = 1, piece_width = 7

module traptor_m0_chunk_selector_next2_width17 (
    input  wire [16:0] value, // the number
    input  wire [3:0]  index, // number of the chunk, 0 for the first
    output reg  [6:0]  piece, // chunk and connect bit
    output reg  [2:0]  piece_bits, // bits of the piece
    output reg         more // the connect bit
);

    wire [1:0] chunk_0;
    wire [1:0] chunk_1;
    wire [1:0] chunk_2;
    wire [1:0] chunk_3;
    wire [1:0] chunk_4;
    wire [1:0] chunk_5;
    wire [1:0] chunk_6;
    wire [1:0] chunk_7;
    wire [1:0] chunk_8;

    always @* begin
        more = 1'd0;
        if (index == 4'd0) begin
            if (|{2'd0, value[16:2]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd1) begin
            if (|{4'd0, value[16:4]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd2) begin
            if (|{6'd0, value[16:6]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd3) begin
            if (|{8'd0, value[16:8]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd4) begin
            if (|{10'd0, value[16:10]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd5) begin
            if (|{12'd0, value[16:12]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd6) begin
            if (|{14'd0, value[16:14]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd7) begin
            if (|{16'd0, value[16]}) begin
                more = 1'd1;
            end
        end
    end

    always @* begin
        piece = 7'd0;
        if (index == 4'd0) begin
            piece = {5'd0, chunk_0};
            if (|{2'd0, value[16:2]}) begin
                piece = piece | 7'd4;
            end
        end
        if (index == 4'd1) begin
            piece = {5'd0, chunk_1};
            if (|{4'd0, value[16:4]}) begin
                piece = piece | 7'd4;
            end
        end
        if (index == 4'd2) begin
            piece = {5'd0, chunk_2};
            if (|{6'd0, value[16:6]}) begin
                piece = piece | 7'd4;
            end
        end
        if (index == 4'd3) begin
            piece = {5'd0, chunk_3};
            if (|{8'd0, value[16:8]}) begin
                piece = piece | 7'd4;
            end
        end
        if (index == 4'd4) begin
            piece = {5'd0, chunk_4};
            if (|{10'd0, value[16:10]}) begin
                piece = piece | 7'd4;
            end
        end
        if (index == 4'd5) begin
            piece = {5'd0, chunk_5};
            if (|{12'd0, value[16:12]}) begin
                piece = piece | 7'd4;
            end
        end
        if (index == 4'd6) begin
            piece = {5'd0, chunk_6};
            if (|{14'd0, value[16:14]}) begin
                piece = piece | 7'd4;
            end
        end
        if (index == 4'd7) begin
            piece = {5'd0, chunk_7};
            if (|{16'd0, value[16]}) begin
                piece = piece | 7'd4;
            end
        end
        if (index == 4'd8) begin
            piece = {5'd0, chunk_8};
        end
    end

    always @* begin
        piece_bits = 3'd0;
        if (index == 4'd0) begin
            piece_bits = 3'd3;
        end
        if (index == 4'd1) begin
            piece_bits = 3'd3;
        end
        if (index == 4'd2) begin
            piece_bits = 3'd3;
        end
        if (index == 4'd3) begin
            piece_bits = 3'd3;
        end
        if (index == 4'd4) begin
            piece_bits = 3'd3;
        end
        if (index == 4'd5) begin
            piece_bits = 3'd3;
        end
        if (index == 4'd6) begin
            piece_bits = 3'd3;
        end
        if (index == 4'd7) begin
            piece_bits = 3'd3;
        end
        if (index == 4'd8) begin
            piece_bits = 3'd3;
        end
    end

    assign chunk_0 = value[1:0];
    assign chunk_1 = value[3:2];
    assign chunk_2 = value[5:4];
    assign chunk_3 = value[7:6];
    assign chunk_4 = value[9:8];
    assign chunk_5 = value[11:10];
    assign chunk_6 = value[13:12];
    assign chunk_7 = value[15:14];
    assign chunk_8 = {1'd0, value[16]};

endmodule

// serial_difference: first = 3, next = 3, width = 30, sources = 1, piece_width = 7

module traptor_m0_serial_difference (
    input  wire        clock,
    input  wire        reset,
    input  wire [29:0] target, // in instruction units
    input  wire [3:0]  index, // the chunk
    input  wire        step, // the piece is taken
    output reg  [6:0]  piece, // chunk and connect bit, at last the sign
    output reg  [2:0]  piece_bits, // bits of the piece
    output wire        more, // more pieces follow
    output wire        restart // from chunk 0 again
);

    wire [2:0] previous_read_data;
    wire       previous_write_enable;
    reg        has_previous;
    reg        sending;
    reg        below;
    reg        borrow;
    reg        digit_is_nonzero; // the chunk before
    reg        digit_is_full; // all bits of the chunk before are set
    reg        nonzero; // a chunk so far is not zero
    reg  [3:0] last_up; // the last one that is not, if the target is above
    reg  [3:0] last_down; // the last one that is not, if the target is below
    reg  [3:0] last_index;
    wire [3:0] address;
    reg  [2:0] target_chunk;
    wire [2:0] part_0;
    wire [2:0] part_1;
    wire [2:0] part_2;
    wire [2:0] part_3;
    wire [2:0] part_4;
    wire [2:0] part_5;
    wire [2:0] part_6;
    wire [2:0] part_7;
    wire [2:0] part_8;
    wire [2:0] part_9;
    reg        is_known;
    reg  [2:0] previous_chunk;
    wire [3:0] sum;
    reg  [2:0] difference;
    reg  [2:0] digit;
    reg        is_full;
    wire       is_even;
    wire       ends;
    wire       at_last;
    wire       at_end;
    wire [3:0] previous_index;
    wire       is_sent;
    wire       goes_on;
    reg  [2:0] previous_cells [0:9];

    assign address = index;

    always @* begin
        is_known = 1'd0;
        if (has_previous) begin
            is_known = 1'd1;
        end
    end

    always @* begin
        previous_chunk = 3'd0;
        if (is_known) begin
            previous_chunk = previous_read_data;
        end
    end

    always @* begin
        target_chunk = part_0;
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
        if (index == 4'd8) begin
            target_chunk = part_8;
        end
        if (index == 4'd9) begin
            target_chunk = part_9;
        end
    end

    assign part_0 = target[2:0];
    assign part_1 = target[5:3];
    assign part_2 = target[8:6];
    assign part_3 = target[11:9];
    assign part_4 = target[14:12];
    assign part_5 = target[17:15];
    assign part_6 = target[20:18];
    assign part_7 = target[23:21];
    assign part_8 = target[26:24];
    assign part_9 = target[29:27];
    assign sum = {1'd0, target_chunk} + {1'd0, ~previous_chunk} + {3'd0, !borrow};

    always @* begin
        difference = sum[2:0];
        if (below) begin
            difference = ~sum[2:0];
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
        piece = 7'd0;
        if (digit == 3'd7) begin
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
        if (index == 4'd1) begin
            digit = difference;
            is_full = 1'd0;
            piece = 7'd0;
            if (digit == 3'd7) begin
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
            piece = 7'd0;
            if (digit == 3'd7) begin
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
            piece = 7'd0;
            if (digit == 3'd7) begin
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
            piece = 7'd0;
            if (digit == 3'd7) begin
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
            piece = 7'd0;
            if (digit == 3'd7) begin
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
            piece = 7'd0;
            if (digit == 3'd7) begin
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
            digit = difference;
            is_full = 1'd0;
            piece = 7'd0;
            if (digit == 3'd7) begin
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
        if (index == 4'd8) begin
            digit = difference;
            is_full = 1'd0;
            piece = 7'd0;
            if (digit == 3'd7) begin
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
        if (index == 4'd9) begin
            digit = difference;
            is_full = 1'd0;
            piece = 7'd0;
            if (digit == 3'd7) begin
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
        piece_bits = 3'd0;
        if (sending && is_sent) begin
            piece_bits = 3'd4;
            if (!goes_on) begin
                piece_bits = 3'd5;
            end
        end
        if (index == 4'd1) begin
            piece_bits = 3'd0;
            if (sending && is_sent) begin
                piece_bits = 3'd4;
                if (!goes_on) begin
                    piece_bits = 3'd5;
                end
            end
        end
        if (index == 4'd2) begin
            piece_bits = 3'd0;
            if (sending && is_sent) begin
                piece_bits = 3'd4;
                if (!goes_on) begin
                    piece_bits = 3'd5;
                end
            end
        end
        if (index == 4'd3) begin
            piece_bits = 3'd0;
            if (sending && is_sent) begin
                piece_bits = 3'd4;
                if (!goes_on) begin
                    piece_bits = 3'd5;
                end
            end
        end
        if (index == 4'd4) begin
            piece_bits = 3'd0;
            if (sending && is_sent) begin
                piece_bits = 3'd4;
                if (!goes_on) begin
                    piece_bits = 3'd5;
                end
            end
        end
        if (index == 4'd5) begin
            piece_bits = 3'd0;
            if (sending && is_sent) begin
                piece_bits = 3'd4;
                if (!goes_on) begin
                    piece_bits = 3'd5;
                end
            end
        end
        if (index == 4'd6) begin
            piece_bits = 3'd0;
            if (sending && is_sent) begin
                piece_bits = 3'd4;
                if (!goes_on) begin
                    piece_bits = 3'd5;
                end
            end
        end
        if (index == 4'd7) begin
            piece_bits = 3'd0;
            if (sending && is_sent) begin
                piece_bits = 3'd4;
                if (!goes_on) begin
                    piece_bits = 3'd5;
                end
            end
        end
        if (index == 4'd8) begin
            piece_bits = 3'd0;
            if (sending && is_sent) begin
                piece_bits = 3'd4;
                if (!goes_on) begin
                    piece_bits = 3'd5;
                end
            end
        end
        if (index == 4'd9) begin
            piece_bits = 3'd0;
            if (sending && is_sent) begin
                piece_bits = 3'd4;
                if (!goes_on) begin
                    piece_bits = 3'd5;
                end
            end
        end
    end

    assign at_last = index == 4'd9;
    assign at_end = index == 4'd10;
    assign previous_index = index - 4'd1;
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
            last_up <= 4'd0;
            last_down <= 4'd0;
        end else begin
            if (step) begin
                borrow <= !sum[3];
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

// serial_encoder: slots = 9, record_bits = 57, most_bits = 121

module traptor_m0_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid, // the record stays until it is taken
    input  wire [56:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [6:0]  piece, // zero above piece_bits
    output reg  [2:0]  piece_bits, // bits of the piece, the first one lowest
    output wire        piece_last, // fill the trace word up with zeros after the piece
    input  wire        piece_ready
);

    reg  [3:0] sent; // stages of the record that are out
    reg  [3:0] index; // the piece of the slot
    reg  [8:0] flags; // slots that are sent
    reg  [3:0] stages; // stages that send one
    wire [3:0] pending;
    wire [3:0] current; // one hot
    reg  [8:0] active; // one hot: the slot of this cycle
    reg        restart; // from the slot's first piece again
    reg        more; // the slot has more pieces
    wire       is_last; // no slot is left
    wire       value_5;
    wire [6:0] chunks_0_piece;
    wire [2:0] chunks_0_piece_bits;
    wire       chunks_0_more;
    wire [6:0] chunks_1_piece;
    wire [2:0] chunks_1_piece_bits;
    wire       chunks_1_more;
    reg        differences_0_step;
    wire [6:0] differences_0_piece;
    wire [2:0] differences_0_piece_bits;
    wire       differences_0_more;
    wire       differences_0_restart;

    traptor_m0_chunk_selector_next1_width11 chunks_0 (
        .value      (record[20:10]),
        .index      (index),
        .piece      (chunks_0_piece),
        .piece_bits (chunks_0_piece_bits),
        .more       (chunks_0_more)
    );

    traptor_m0_chunk_selector_next2_width17 chunks_1 (
        .value      (record[26:10]),
        .index      (index),
        .piece      (chunks_1_piece),
        .piece_bits (chunks_1_piece_bits),
        .more       (chunks_1_more)
    );

    traptor_m0_serial_difference differences_0 (
        .clock      (clock),
        .reset      (reset),
        .target     (record[56:27]),
        .index      (index),
        .step       (differences_0_step),
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
        if (record[1]) begin
            stages = 4'd1;
        end
        if (record[2]) begin
            stages = {stages[3:2], 1'd1, stages[0]};
        end
        if (record[3]) begin
            stages = {stages[3:2], 1'd1, stages[0]};
        end
        if (record[0]) begin
            stages = {stages[3:2], 1'd1, stages[0]};
        end
        if (record[4]) begin
            stages = {stages[3:2], 1'd1, stages[0]};
        end
        if (record[5]) begin
            stages = {stages[3:2], 1'd1, stages[0]};
        end
        if (record[6]) begin
            stages = {stages[3], 1'd1, stages[1:0]};
        end
        if (record[7]) begin
            stages = {stages[3], 1'd1, stages[1:0]};
        end
        if (record[8]) begin
            stages = {1'd1, stages[2:0]};
        end
    end

    assign pending = stages & ~sent;
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
        piece = 7'd0;
        if (active[5]) begin
            piece = chunks_0_piece;
        end
        if (active[6]) begin
            piece = chunks_1_piece;
        end
        if (active[8]) begin
            piece = differences_0_piece;
        end
        if (active[0]) begin
            piece = 7'd68;
        end
        if (active[1]) begin
            piece = 7'd68;
        end
        if (active[2]) begin
            piece = 7'd36;
        end
        if (active[3]) begin
            piece = 7'd4;
        end
        if (active[4]) begin
            piece = 7'd0;
        end
        if (active[7]) begin
            piece = {6'd0, value_5};
        end
    end

    always @* begin
        piece_bits = 3'd0;
        if (active[5]) begin
            piece_bits = chunks_0_piece_bits;
        end
        if (active[6]) begin
            piece_bits = chunks_1_piece_bits;
        end
        if (active[8]) begin
            piece_bits = differences_0_piece_bits;
        end
        if (active[0]) begin
            piece_bits = 3'd7;
        end
        if (active[1]) begin
            piece_bits = 3'd7;
        end
        if (active[2]) begin
            piece_bits = 3'd7;
        end
        if (active[3]) begin
            piece_bits = 3'd7;
        end
        if (active[4]) begin
            piece_bits = 3'd3;
        end
        if (active[7]) begin
            piece_bits = 3'd1;
        end
    end

    always @* begin
        more = 1'd0;
        if (active[5]) begin
            more = chunks_0_more;
        end
        if (active[6]) begin
            more = chunks_1_more;
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
            sent <= 4'd0;
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
                        sent <= 4'd0;
                    end
                end
            end
        end
    end

endmodule

// bit_packer: piece_most_bits = 7, word_bits = 8

module traptor_m0_bit_packer (
    input  wire       clock,
    input  wire       reset,
    input  wire       piece_valid,
    input  wire [6:0] piece, // zero above piece_bits
    input  wire [2:0] piece_bits, // bits of the piece, the first one lowest
    input  wire       piece_last, // fill the trace word up with zeros after the piece
    output reg        piece_ready,
    output wire       word_valid,
    output wire [7:0] word,
    input  wire       word_ready,
    output wire       is_empty // no bit is held
);

    reg  [6:0]  held;
    reg  [2:0]  held_bits;
    reg         padding;
    wire        takes;
    wire        gives;
    wire        full;
    reg  [13:0] joined;
    reg  [3:0]  joined_bits;

    assign is_empty = !(|held_bits) & !padding;

    always @* begin
        piece_ready = 1'd0;
        if ({1'd0, held_bits} < 4'd8) begin
            piece_ready = word_ready & !padding;
        end
    end

    assign takes = piece_valid & piece_ready;

    always @* begin
        joined = {7'd0, held};
        if (takes) begin
            joined = {7'd0, held} | ({7'd0, piece} << held_bits);
        end
    end

    always @* begin
        joined_bits = {1'd0, held_bits};
        if (takes) begin
            joined_bits = {1'd0, held_bits} + {1'd0, piece_bits};
        end
    end

    assign full = joined_bits >= 4'd8;
    assign word = joined[7:0];
    assign word_valid = full | (padding & (|held_bits));
    assign gives = word_valid & word_ready;

    always @(posedge clock) begin
        if (reset) begin
            held <= 7'd0;
            held_bits <= 3'd0;
            padding <= 1'd0;
        end else begin
            held <= joined[6:0];
            held_bits <= joined_bits[2:0];
            if (gives) begin
                held <= {1'd0, joined[13:8]};
                held_bits <= 3'd0;
                if (full) begin
                    held_bits <= joined_bits[2:0];
                end
            end
            if (takes) begin
                padding <= piece_last;
            end
            if (padding && !full) begin
                padding <= (|held_bits) & !gives;
            end
        end
    end

endmodule

// fifo: depth = 48, width = 8, has_level = 1

module traptor_m0_fifo_depth48_width8_has_level1 (
    input  wire       clock,
    input  wire       reset,
    input  wire       in_valid,
    input  wire [7:0] in_word,
    output wire       in_ready,
    output wire       out_valid,
    output wire [7:0] out_word,
    input  wire       out_ready,
    output wire [5:0] level // words held
);

    wire [7:0] words_read_data;
    reg  [5:0] write_pointer;
    reg  [5:0] read_pointer;
    reg  [5:0] held;
    wire       is_full;
    wire       puts;
    wire       takes;
    reg  [7:0] words_cells [0:47];

    assign is_full = held == 6'd48;
    assign out_valid = |held;
    assign in_ready = !is_full;
    assign puts = in_valid & in_ready;
    assign takes = out_ready & out_valid;
    assign level = held;
    assign out_word = words_read_data;
    assign words_read_data = words_cells[read_pointer];

    always @(posedge clock) begin
        if (reset) begin
            write_pointer <= 6'd0;
            read_pointer <= 6'd0;
            held <= 6'd0;
        end else begin
            if (puts) begin
                write_pointer <= write_pointer + 6'd1;
                if (write_pointer == 6'd47) begin
                    write_pointer <= 6'd0;
                end
            end
            if (takes) begin
                read_pointer <= read_pointer + 6'd1;
                if (read_pointer == 6'd47) begin
                    read_pointer <= 6'd0;
                end
            end
            if (puts > takes) begin
                held <= held + 6'd1;
            end else if (takes > puts) begin
                held <= held - 6'd1;
            end
        end
    end

    always @(posedge clock) begin
        if (puts) begin
            words_cells[write_pointer] <= in_word;
        end
    end

endmodule

// trace_port: port_width = 1, word_bits = 8

module traptor_m0_trace_port (
    input  wire       clock,
    input  wire       reset,
    input  wire       word_valid, // the word stays until it is taken
    input  wire [7:0] word,
    output reg        word_ready,
    output wire       trace_valid, // a beat is ready
    output reg        trace_data, // bits of the beat
    input  wire       trace_ready // the sink takes the beat
);

    reg  [2:0] beat;

    assign trace_valid = word_valid;

    always @* begin
        trace_data = word[0];
        if (beat == 3'd0) begin
            trace_data = word[0];
        end
        if (beat == 3'd1) begin
            trace_data = word[1];
        end
        if (beat == 3'd2) begin
            trace_data = word[2];
        end
        if (beat == 3'd3) begin
            trace_data = word[3];
        end
        if (beat == 3'd4) begin
            trace_data = word[4];
        end
        if (beat == 3'd5) begin
            trace_data = word[5];
        end
        if (beat == 3'd6) begin
            trace_data = word[6];
        end
        if (beat == 3'd7) begin
            trace_data = word[7];
        end
    end

    always @* begin
        word_ready = 1'd0;
        if (word_valid && trace_ready) begin
            if (beat == 3'd7) begin
                word_ready = 1'd1;
            end
        end
    end

    always @(posedge clock) begin
        if (reset) begin
            beat <= 3'd0;
        end else begin
            if (word_valid && trace_ready) begin
                beat <= beat + 3'd1;
                if (beat == 3'd7) begin
                    beat <= 3'd0;
                end
            end
        end
    end

endmodule

// back_end

module traptor_m0_back_end (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [56:0] record,
    output wire        record_ready,
    output wire        is_empty, // no record, piece or trace word is inside
    output wire        trace_data, // trace bits
    output wire        trace_valid, // a beat is ready
    input  wire        trace_ready, // the sink takes the beat
    output wire [5:0]  buffered_words // trace words in the output FIFO
);

    wire        next_valid; // the record that comes to the encoder next
    wire [56:0] next;
    wire        next_ready;
    wire        waiting_valid;
    wire [56:0] waiting;
    wire        waiting_ready;
    wire        piece_valid;
    wire [6:0]  piece; // zero above piece_bits
    wire [2:0]  piece_bits; // bits of the piece, the first one lowest
    wire        piece_last; // fill the trace word up with zeros after the piece
    wire        piece_ready;
    wire        queue_is_empty;
    wire        record_queue_in_ready;
    wire        record_queue_out_valid;
    wire [56:0] record_queue_out_word;
    wire        serial_encoder_record_ready;
    wire        serial_encoder_piece_valid;
    wire [6:0]  serial_encoder_piece;
    wire [2:0]  serial_encoder_piece_bits;
    wire        serial_encoder_piece_last;
    wire        bit_packer_piece_ready;
    wire        bit_packer_word_valid;
    wire [7:0]  bit_packer_word;
    wire        bit_packer_is_empty;
    wire        output_fifo_in_ready;
    wire        output_fifo_out_valid;
    wire [7:0]  output_fifo_out_word;
    wire [5:0]  output_fifo_level;
    wire        trace_port_word_ready;
    wire        trace_port_trace_valid;
    wire        trace_port_trace_data;

    traptor_m0_fifo_depth2_width57 record_queue (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (record_valid),
        .in_word   (record),
        .in_ready  (record_queue_in_ready),
        .out_valid (record_queue_out_valid),
        .out_word  (record_queue_out_word),
        .out_ready (next_ready)
    );

    traptor_m0_serial_encoder serial_encoder (
        .clock        (clock),
        .reset        (reset),
        .record_valid (waiting_valid),
        .record       (waiting),
        .record_ready (serial_encoder_record_ready),
        .piece_valid  (serial_encoder_piece_valid),
        .piece        (serial_encoder_piece),
        .piece_bits   (serial_encoder_piece_bits),
        .piece_last   (serial_encoder_piece_last),
        .piece_ready  (piece_ready)
    );

    traptor_m0_bit_packer bit_packer (
        .clock       (clock),
        .reset       (reset),
        .piece_valid (piece_valid),
        .piece       (piece),
        .piece_bits  (piece_bits),
        .piece_last  (piece_last),
        .piece_ready (bit_packer_piece_ready),
        .word_valid  (bit_packer_word_valid),
        .word        (bit_packer_word),
        .word_ready  (output_fifo_in_ready),
        .is_empty    (bit_packer_is_empty)
    );

    traptor_m0_fifo_depth48_width8_has_level1 output_fifo (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (bit_packer_word_valid),
        .in_word   (bit_packer_word),
        .in_ready  (output_fifo_in_ready),
        .out_valid (output_fifo_out_valid),
        .out_word  (output_fifo_out_word),
        .out_ready (trace_port_word_ready),
        .level     (output_fifo_level)
    );

    traptor_m0_trace_port trace_port (
        .clock       (clock),
        .reset       (reset),
        .word_valid  (output_fifo_out_valid),
        .word        (output_fifo_out_word),
        .word_ready  (trace_port_word_ready),
        .trace_valid (trace_port_trace_valid),
        .trace_data  (trace_port_trace_data),
        .trace_ready (trace_ready)
    );

    assign next_valid = record_queue_out_valid;
    assign next = record_queue_out_word;
    assign queue_is_empty = !record_queue_out_valid;
    assign waiting_valid = next_valid;
    assign waiting = next;
    assign piece_valid = serial_encoder_piece_valid;
    assign piece = serial_encoder_piece;
    assign piece_bits = serial_encoder_piece_bits;
    assign piece_last = serial_encoder_piece_last;
    assign trace_valid = trace_port_trace_valid;
    assign trace_data = trace_port_trace_data;
    assign buffered_words = output_fifo_level;
    assign is_empty = bit_packer_is_empty & queue_is_empty & !output_fifo_out_valid;
    assign piece_ready = bit_packer_piece_ready;
    assign waiting_ready = serial_encoder_record_ready;
    assign next_ready = waiting_ready;
    assign record_ready = record_queue_in_ready;

endmodule

// traptor

module traptor_m0 (
    input  wire        clock,
    input  wire        reset,
    input  wire        retire_valid, // a block retires in this cycle
    input  wire [3:0]  retire_count, // instructions of the block
    input  wire [31:0] retire_pc, // byte address of the last instruction
    input  wire [3:0]  retire_length, // length of the last instruction in bytes
    input  wire [2:0]  retire_kind, // 0 sequential, 1 jump, 2 branch, 3 indirect, 4 both, 5 exception
    input  wire        retire_call, // the last instruction leaves a return address
    input  wire        retire_return, // the last instruction returns to one
    input  wire        retire_taken, // the flow changed
    input  wire [31:0] retire_target, // byte address that the flow changed to, if taken
    output wire        stall, // the block of this cycle is not taken
    input  wire        flush, // level: the trace ends here
    output wire        flushed, // every bit of the trace has left the module
    output wire        trace_data, // trace bits, bit 0 first
    output wire        trace_valid,
    input  wire        trace_ready,
    output wire [5:0]  buffered_words // trace words in the output FIFO
);

    wire        sequencer_is_empty;
    wire        sequencer_tracing;
    wire        sequencer_record_flush;
    wire        sequencer_flushed;
    wire        sequencer_clear_valid;
    wire [8:0]  sequencer_clear_index;
    wire        retire_decoder_take;
    wire        retire_decoder_block_valid;
    wire [3:0]  retire_decoder_block_count;
    wire [31:0] retire_decoder_block_pc;
    wire [3:0]  retire_decoder_block_length;
    wire        retire_decoder_block_direct;
    wire        retire_decoder_block_conditional;
    wire        retire_decoder_block_indirect;
    wire        retire_decoder_block_exception;
    wire        retire_decoder_block_call;
    wire        retire_decoder_block_return;
    wire        retire_decoder_block_taken;
    wire [31:0] retire_decoder_block_target;
    wire        encoder_flush;
    wire        encoder_ready;
    wire        encoder_is_empty;
    wire        encoder_record_valid;
    wire [56:0] encoder_record;
    wire [8:0]  encoder_swept;
    wire        back_end_record_ready;
    wire        back_end_is_empty;
    wire        back_end_trace_data;
    wire        back_end_trace_valid;
    wire [5:0]  back_end_buffered_words;

    traptor_m0_sequencer sequencer (
        .clock        (clock),
        .reset        (reset),
        .flush        (flush),
        .ready        (encoder_ready),
        .is_empty     (sequencer_is_empty),
        .tracing      (sequencer_tracing),
        .record_flush (sequencer_record_flush),
        .flushed      (sequencer_flushed),
        .swept        (encoder_swept),
        .clear_valid  (sequencer_clear_valid),
        .clear_index  (sequencer_clear_index)
    );

    traptor_m0_retire_decoder retire_decoder (
        .retire_valid      (retire_valid),
        .retire_count      (retire_count),
        .retire_pc         (retire_pc),
        .retire_length     (retire_length),
        .retire_kind       (retire_kind),
        .retire_call       (retire_call),
        .retire_return     (retire_return),
        .retire_taken      (retire_taken),
        .retire_target     (retire_target),
        .take              (retire_decoder_take),
        .block_valid       (retire_decoder_block_valid),
        .block_count       (retire_decoder_block_count),
        .block_pc          (retire_decoder_block_pc),
        .block_length      (retire_decoder_block_length),
        .block_direct      (retire_decoder_block_direct),
        .block_conditional (retire_decoder_block_conditional),
        .block_indirect    (retire_decoder_block_indirect),
        .block_exception   (retire_decoder_block_exception),
        .block_call        (retire_decoder_block_call),
        .block_return      (retire_decoder_block_return),
        .block_taken       (retire_decoder_block_taken),
        .block_target      (retire_decoder_block_target)
    );

    traptor_m0_encoder encoder (
        .clock              (clock),
        .reset              (reset),
        .clear_valid        (sequencer_clear_valid),
        .clear_index        (sequencer_clear_index),
        .retire_valid       (retire_decoder_block_valid),
        .retire_count       (retire_decoder_block_count),
        .retire_pc          (retire_decoder_block_pc),
        .retire_length      (retire_decoder_block_length),
        .retire_direct      (retire_decoder_block_direct),
        .retire_conditional (retire_decoder_block_conditional),
        .retire_indirect    (retire_decoder_block_indirect),
        .retire_exception   (retire_decoder_block_exception),
        .retire_call        (retire_decoder_block_call),
        .retire_return      (retire_decoder_block_return),
        .retire_taken       (retire_decoder_block_taken),
        .retire_target      (retire_decoder_block_target),
        .flush              (encoder_flush),
        .ready              (encoder_ready),
        .is_empty           (encoder_is_empty),
        .record_valid       (encoder_record_valid),
        .record             (encoder_record),
        .record_ready       (back_end_record_ready),
        .swept              (encoder_swept)
    );

    traptor_m0_back_end back_end (
        .clock          (clock),
        .reset          (reset),
        .record_valid   (encoder_record_valid),
        .record         (encoder_record),
        .record_ready   (back_end_record_ready),
        .is_empty       (back_end_is_empty),
        .trace_data     (back_end_trace_data),
        .trace_valid    (back_end_trace_valid),
        .trace_ready    (trace_ready),
        .buffered_words (back_end_buffered_words)
    );

    assign sequencer_is_empty = encoder_is_empty & back_end_is_empty;
    assign flushed = sequencer_flushed;
    assign stall = !(sequencer_tracing & encoder_ready);
    assign retire_decoder_take = !stall;
    assign encoder_flush = sequencer_record_flush & encoder_ready;
    assign trace_valid = back_end_trace_valid;
    assign trace_data = back_end_trace_data;
    assign buffered_words = back_end_buffered_words;

endmodule
