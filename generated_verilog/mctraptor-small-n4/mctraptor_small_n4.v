// mctraptor-small-n4 of Tracewright, made by `tracewright generate`.
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
//   indirect_branch_target_buffer_replacement = least-recently-used
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
//   time_stamps = false
//   encoding = variable
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 4
//   time_stamp_next_chunk = 2

// Clears the tables after reset, and takes the module through a flush
module mctraptor_small_n4_sequencer (
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

    localparam [1:0] STATE_TRACING = 2'd0; // the state after reset
    localparam [1:0] STATE_RECORDING = 2'd1;
    localparam [1:0] STATE_DRAINING = 2'd2;
    localparam [1:0] STATE_FLUSHED = 2'd3;

    reg        clearing;
    reg  [1:0] state;

    assign clear_valid = clearing;
    assign clear_index = swept;
    assign tracing = (state == STATE_TRACING) & !clearing;
    assign record_flush = state == STATE_RECORDING;
    assign flushed = state == STATE_FLUSHED;

    always @(posedge clock) begin
        if (reset) begin
            clearing <= 1'b1;
            state <= STATE_TRACING;
        end else begin
            if (&swept) begin
                clearing <= 1'b0;
            end
            case (state)
                STATE_TRACING: begin
                    if (flush && !clearing) begin
                        state <= STATE_RECORDING;
                    end
                end
                STATE_RECORDING: begin
                    if (ready) begin
                        state <= STATE_DRAINING;
                    end
                end
                STATE_DRAINING: begin
                    if (is_empty) begin
                        state <= STATE_FLUSHED;
                    end
                end
                default: begin
                    if (!flush) begin
                        state <= STATE_TRACING;
                    end
                end
            endcase
        end
    end

endmodule

// Hands the block of this cycle to the compressor if it is taken
module mctraptor_small_n4_retire_decoder (
    input  wire        retire_valid, // a block retires in this cycle
    input  wire [3:0]  retire_count, // instructions of the block
    input  wire [31:0] retire_pc, // byte address of the last instruction
    input  wire [3:0]  retire_length, // length of the last instruction in bytes
    input  wire [2:0]  retire_kind, // 0 sequential, 1 jump, 2 conditional, 3 indirect, 4 indirect conditional, 5 exception
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

    localparam [2:0] DIRECT_JUMP = 3'd1;
    localparam [2:0] DIRECT_CONDITIONAL = 3'd2;
    localparam [2:0] INDIRECT_JUMP = 3'd3;
    localparam [2:0] INDIRECT_CONDITIONAL = 3'd4;
    localparam [2:0] EXCEPTION = 3'd5;

    assign block_valid = retire_valid & take;
    assign block_count = retire_count;
    assign block_pc = retire_pc;
    assign block_length = retire_length;
    assign block_direct = (retire_kind == DIRECT_JUMP) | (retire_kind == DIRECT_CONDITIONAL);
    assign block_conditional = (retire_kind == DIRECT_CONDITIONAL) | (retire_kind == INDIRECT_CONDITIONAL);
    assign block_indirect = (retire_kind == INDIRECT_JUMP) | (retire_kind == INDIRECT_CONDITIONAL);
    assign block_exception = retire_kind == EXCEPTION;
    assign block_call = retire_call;
    assign block_return = retire_return;
    assign block_taken = retire_taken;
    assign block_target = retire_target;

endmodule

// A memory with one read port and one write port, cleared entry by entry
module mctraptor_small_n4_table_memory (
    input  wire       clock,
    input  wire       clear_valid, // the tables are being cleared
    input  wire [8:0] clear_index, // the entry to clear, in the lower bits
    input  wire [1:0] clear_entry, // what a cleared entry holds
    input  wire [8:0] index, // the entry to read
    output wire [1:0] entry,
    input  wire       write,
    input  wire [8:0] write_index,
    input  wire [1:0] written
);

    wire       writes;
    wire [8:0] changed_index; // the entry that is written
    wire [1:0] entries_read_data;
    wire [1:0] entries_write_data;
    reg  [1:0] entries_cells [0:511];

    assign writes = write | clear_valid;
    assign changed_index = clear_valid ? clear_index : write_index;
    assign entries_write_data = clear_valid ? clear_entry : written;
    assign entry = entries_read_data;
    assign entries_read_data = entries_cells[index];

    always @(posedge clock) begin
        if (writes) begin
            entries_cells[changed_index] <= entries_write_data;
        end
    end

endmodule

// A table whose entries are learned from what they say of a block
module mctraptor_small_n4_predictor_table (
    input  wire       clock,
    input  wire       clear_valid, // the tables are being cleared
    input  wire [8:0] clear_index, // the entry to clear, in the lower bits
    input  wire [1:0] clear_entry, // value of a cleared entry
    input  wire [8:0] index, // the entry to read
    output wire [1:0] entry, // value of the entry read
    input  wire       learn, // the entry takes a new value
    input  wire [1:0] learned // the new value
);

    mctraptor_small_n4_table_memory memory (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .clear_entry (clear_entry),
        .index       (index),
        .entry       (entry),
        .write       (learn),
        .write_index (index),
        .written     (learned)
    );

endmodule

// Predicts and learns the outcome of one conditional branch per cycle
module mctraptor_small_n4_gshare (
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

    reg  [1:0] counter_next;
    reg  [8:0] history;
    wire [8:0] counters_index;
    wire [1:0] counters_entry;

    mctraptor_small_n4_predictor_table counters (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .clear_entry (2'd1),
        .index       (counters_index),
        .entry       (counters_entry),
        .learn       (learn),
        .learned     (counter_next)
    );

    assign counters_index = program_counter[12:4] ^ history;
    assign predicted_taken = counters_entry[1];

    always @* begin
        counter_next = counters_entry;
        if (outcome) begin
            if (!(&counters_entry)) begin
                counter_next = counters_entry + 2'd1;
            end
        end else if (|counters_entry) begin
            counter_next = counters_entry - 2'd1;
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

// Shows the top; pops, pushes or replaces it once per cycle
module mctraptor_small_n4_return_address_stack (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [8:0]  clear_index, // the entry to clear, in the lower bits
    input  wire        pop, // a taken return retires
    input  wire        push, // a taken call retires
    input  wire [17:0] return_address, // return address of the call: the bits that an entry keeps
    output wire [17:0] top // predicted target of a return
);

    reg  [2:0]  pointer;
    wire [2:0]  pointer_next;
    wire [17:0] entries_read_data;
    wire        entries_write_enable;
    wire [2:0]  entries_write_address;
    wire [17:0] entries_write_data;
    reg  [17:0] entries_cells [0:7];

    assign pointer_next =
        (push > pop) ? pointer + 3'd1 :
        (pop > push) ? pointer - 3'd1 :
        pointer;

    assign top = entries_read_data;
    assign entries_write_enable = push | clear_valid;
    assign entries_write_address = clear_valid ? clear_index[2:0] : pointer_next;
    assign entries_write_data = clear_valid ? 18'd0 : return_address;
    assign entries_read_data = entries_cells[pointer];

    always @(posedge clock) begin
        if (reset) begin
            pointer <= 3'd0;
        end else begin
            pointer <= pointer_next;
        end
    end

    always @(posedge clock) begin
        if (entries_write_enable) begin
            entries_cells[entries_write_address] <= entries_write_data;
        end
    end

    wire _unused_ok = &{1'b0, clear_index[8:3]};

endmodule

// Keeps the upper bits of the last taken indirect branch's target
module mctraptor_small_n4_last_value_predictor (
    input  wire        clock,
    input  wire        reset,
    input  wire        update, // a taken indirect branch retires
    input  wire [11:0] target_upper, // upper bits of its target
    output wire [11:0] predicted_upper // predicted upper bits
);

    reg  [11:0] upper;

    assign predicted_upper = upper;

    always @(posedge clock) begin
        if (reset) begin
            upper <= 12'd0;
        end else begin
            if (update) begin
                upper <= target_upper;
            end
        end
    end

endmodule

// The return address stack, the indirect branch target buffer, and the upper bits they share
module mctraptor_small_n4_target_predictor (
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
    output wire        missed // no table has the target; a cycle later where tables are read through registers
);

    wire [17:0] lower; // bits of the target that the tables hold
    wire [11:0] upper;
    wire        stack_is_wrong;
    wire        upper_is_wrong;
    wire [17:0] path_return_address;
    wire        return_address_stack_pop;
    wire        return_address_stack_push;
    wire [17:0] return_address_stack_top;
    wire        last_value_predictor_update;
    wire [11:0] last_value_predictor_predicted_upper;

    mctraptor_small_n4_return_address_stack return_address_stack (
        .clock          (clock),
        .reset          (reset),
        .clear_valid    (clear_valid),
        .clear_index    (clear_index),
        .pop            (return_address_stack_pop),
        .push           (return_address_stack_push),
        .return_address (path_return_address),
        .top            (return_address_stack_top)
    );

    mctraptor_small_n4_last_value_predictor last_value_predictor (
        .clock           (clock),
        .reset           (reset),
        .update          (last_value_predictor_update),
        .target_upper    (upper),
        .predicted_upper (last_value_predictor_predicted_upper)
    );

    assign lower = target[17:0];
    assign missed = !is_return | stack_is_wrong | upper_is_wrong;
    assign path_return_address = program_counter[19:2] + {16'd0, length[3:2]};
    assign return_address_stack_pop = update & is_return & taken;
    assign return_address_stack_push = update & call & taken;
    assign stack_is_wrong = return_address_stack_top != lower;
    assign last_value_predictor_update = update & indirect & taken;
    assign upper = target[29:18];
    assign upper_is_wrong = last_value_predictor_predicted_upper != upper;

    wire _unused_ok = &{
        1'b0,
        update_path,
        path_taken,
        program_counter[1:0],
        program_counter[31:20],
        length[1:0]
    };

endmodule

// Counts every block and forms at most one record per cycle
module mctraptor_small_n4_record_former (
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
    wire        branch_overflow;
    wire        clears;
    wire        above_range; // instructions beyond the counter's range
    wire        upper_half;
    wire        leaves_more; // of the last instruction too
    wire        halves; // a control-flow instruction may take a half off
    wire        is_swept; // the last entry is being cleared
    wire        instruction_overflow;
    wire        overflow_first;
    wire        instruction_count_top;
    wire [16:0] counted_instructions;
    wire        has_target;
    wire        sends_outcome;
    wire        excepts;
    wire [16:0] record_count;

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
    assign total = {1'b0, instruction_count} + {14'd0, counted_now};
    assign branch_overflow = (branch_count == 11'd2046) & (retire & counted & !mispredicted);
    assign clears = mispredicted | branch_overflow | (retire & exception) | flush;
    assign above_range = total[17];
    assign upper_half = above_range | total[16];
    assign leaves_more = |total[3:0];
    assign halves = retire & control_flow & !clears;
    assign instruction_overflow = (halves & upper_half) | (above_range & !control_flow);
    assign overflow_first = above_range & control_flow & (exception | leaves_more);
    assign instruction_count_top = halves ? above_range & !leaves_more : upper_half;
    assign counted_instructions = {instruction_count_top, total[15:0]};
    assign excepts = retire & exception;
    assign record_valid = clears | instruction_overflow;
    assign sends_outcome = mispredicted & indirect & conditional;
    assign has_target = (mispredicted & indirect & taken) | excepts;
    assign record_count = mispredicted ? {6'd0, branch_count_next} : counted_instructions;

    assign record = {
        target,
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

endmodule

// Predictors and record former
module mctraptor_small_n4_encoder (
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

    wire        flags_control_flow;
    wire [29:0] target_units; // in instruction units
    wire        missed;
    wire        gshare_update;
    wire        gshare_predicted_taken;
    wire        gshare_learn;
    wire        target_predictor_update_path;
    wire        target_predictor_update;
    wire        target_predictor_missed;
    wire        record_former_counted;

    mctraptor_small_n4_gshare gshare (
        .clock           (clock),
        .reset           (reset),
        .clear_valid     (clear_valid),
        .clear_index     (clear_index),
        .update          (gshare_update),
        .program_counter (retire_pc),
        .taken           (retire_taken),
        .predicted_taken (gshare_predicted_taken),
        .learn           (gshare_learn),
        .outcome         (retire_taken)
    );

    mctraptor_small_n4_target_predictor target_predictor (
        .clock           (clock),
        .reset           (reset),
        .clear_valid     (clear_valid),
        .clear_index     (clear_index),
        .update_path     (target_predictor_update_path),
        .path_taken      (retire_taken),
        .program_counter (retire_pc),
        .length          (retire_length),
        .update          (target_predictor_update),
        .indirect        (retire_indirect),
        .call            (retire_call),
        .is_return       (retire_return),
        .taken           (retire_taken),
        .target          (target_units),
        .missed          (target_predictor_missed)
    );

    mctraptor_small_n4_record_former record_former (
        .clock        (clock),
        .reset        (reset),
        .retire       (retire_valid),
        .count        (retire_count),
        .control_flow (flags_control_flow),
        .counted      (record_former_counted),
        .conditional  (retire_conditional),
        .indirect     (retire_indirect),
        .exception    (retire_exception),
        .taken        (retire_taken),
        .target       (target_units),
        .missed       (missed),
        .flush        (flush),
        .clearing     (clear_valid),
        .swept        (swept),
        .record_valid (record_valid),
        .record       (record)
    );

    assign ready = record_ready;
    assign target_units = retire_target[31:2];
    assign flags_control_flow = retire_direct | retire_indirect | retire_exception;
    assign gshare_update = retire_valid & retire_conditional;
    assign target_predictor_update_path = retire_valid & (retire_conditional | retire_indirect);
    assign gshare_learn = retire_valid & retire_conditional;
    assign target_predictor_update = retire_valid & flags_control_flow & !retire_exception;
    assign missed = (retire_conditional & (gshare_predicted_taken ^ retire_taken)) | (retire_indirect & retire_taken & target_predictor_missed);
    assign is_empty = 1'b1;
    assign record_former_counted = retire_conditional | retire_indirect;

    wire _unused_ok = &{1'b0, retire_target[1:0]};

endmodule

// Words in their order, the oldest shown at once: depth words of width bits
module mctraptor_small_n4_fifo_depth2_width57 (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid,
    input  wire [56:0] in_word,
    output wire        in_ready,
    output wire        out_valid,
    output wire [56:0] out_word,
    input  wire        out_ready
);

    wire [56:0] words_read_data;
    reg         write_pointer;
    reg         read_pointer;
    reg         is_filled; // more words came than went since the pointers were equal last
    wire        is_full;
    wire        puts;
    wire        takes;
    reg  [56:0] words_cells [0:1];

    assign is_full = (write_pointer == read_pointer) & is_filled;
    assign out_valid = (write_pointer != read_pointer) | is_filled;
    assign in_ready = !is_full;
    assign puts = in_valid & in_ready;
    assign takes = out_ready & out_valid;
    assign out_word = words_read_data;
    assign words_read_data = words_cells[read_pointer];

    always @(posedge clock) begin
        if (reset) begin
            write_pointer <= 1'b0;
            read_pointer <= 1'b0;
            is_filled <= 1'b0;
        end else begin
            if (puts) begin
                write_pointer <= write_pointer + 1'b1;
                if (write_pointer) begin
                    write_pointer <= 1'b0;
                end
            end
            if (takes) begin
                read_pointer <= read_pointer + 1'b1;
                if (read_pointer) begin
                    read_pointer <= 1'b0;
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

// Words in their order, the oldest shown at once: depth words of width bits
module mctraptor_small_n4_fifo_depth8_width4 (
    input  wire       clock,
    input  wire       reset,
    input  wire       in_valid,
    input  wire [3:0] in_word,
    output wire       in_ready,
    output wire       out_valid,
    output wire [3:0] out_word,
    input  wire       out_ready
);

    wire [3:0] words_read_data;
    reg  [2:0] write_pointer;
    reg  [2:0] read_pointer;
    reg        is_filled; // more words came than went since the pointers were equal last
    wire       is_full;
    wire       puts;
    wire       takes;
    reg  [3:0] words_cells [0:7];

    assign is_full = (write_pointer == read_pointer) & is_filled;
    assign out_valid = (write_pointer != read_pointer) | is_filled;
    assign in_ready = !is_full;
    assign puts = in_valid & in_ready;
    assign takes = out_ready & out_valid;
    assign out_word = words_read_data;
    assign words_read_data = words_cells[read_pointer];

    always @(posedge clock) begin
        if (reset) begin
            write_pointer <= 3'd0;
            read_pointer <= 3'd0;
            is_filled <= 1'b0;
        end else begin
            if (puts) begin
                write_pointer <= write_pointer + 3'd1;
                if (write_pointer == 3'd7) begin
                    write_pointer <= 3'd0;
                end
            end
            if (takes) begin
                read_pointer <= read_pointer + 3'd1;
                if (read_pointer == 3'd7) begin
                    read_pointer <= 3'd0;
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

// A record queue for every core, and the order of their records: by cycle, and within a cycle by the number of the core
module mctraptor_small_n4_merge (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid_0, // each core's record of this cycle
    input  wire [56:0] in_word_0,
    output wire        in_ready_0,
    input  wire        in_valid_1, // each core's record of this cycle
    input  wire [56:0] in_word_1,
    output wire        in_ready_1,
    input  wire        in_valid_2, // each core's record of this cycle
    input  wire [56:0] in_word_2,
    output wire        in_ready_2,
    input  wire        in_valid_3, // each core's record of this cycle
    input  wire [56:0] in_word_3,
    output wire        in_ready_3,
    output wire        record_valid,
    output wire [62:0] record,
    input  wire        record_ready,
    output wire        is_empty // no record waits
);

    wire [62:0] formed;
    reg  [3:0]  done;
    wire [3:0]  arrived; // cores with a record in this cycle
    wire [3:0]  pending; // cores whose record of the oldest cycle waits
    wire [3:0]  current; // one hot
    wire [56:0] waiting;
    wire [1:0]  thread;
    wire        goes_first;
    wire        has_rest;
    wire        pads;
    wire        queues_0_out_valid;
    wire [56:0] queues_0_out_word;
    wire        queues_0_out_ready;
    wire        queues_1_out_valid;
    wire [56:0] queues_1_out_word;
    wire        queues_1_out_ready;
    wire        queues_2_out_valid;
    wire [56:0] queues_2_out_word;
    wire        queues_2_out_ready;
    wire        queues_3_out_valid;
    wire [56:0] queues_3_out_word;
    wire        queues_3_out_ready;
    wire        order_in_valid;
    wire        order_in_ready;
    wire [3:0]  order_out_word;
    wire        order_out_ready;

    mctraptor_small_n4_fifo_depth2_width57 queues_0 (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (in_valid_0),
        .in_word   (in_word_0),
        .in_ready  (in_ready_0),
        .out_valid (queues_0_out_valid),
        .out_word  (queues_0_out_word),
        .out_ready (queues_0_out_ready)
    );

    mctraptor_small_n4_fifo_depth2_width57 queues_1 (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (in_valid_1),
        .in_word   (in_word_1),
        .in_ready  (in_ready_1),
        .out_valid (queues_1_out_valid),
        .out_word  (queues_1_out_word),
        .out_ready (queues_1_out_ready)
    );

    mctraptor_small_n4_fifo_depth2_width57 queues_2 (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (in_valid_2),
        .in_word   (in_word_2),
        .in_ready  (in_ready_2),
        .out_valid (queues_2_out_valid),
        .out_word  (queues_2_out_word),
        .out_ready (queues_2_out_ready)
    );

    mctraptor_small_n4_fifo_depth2_width57 queues_3 (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (in_valid_3),
        .in_word   (in_word_3),
        .in_ready  (in_ready_3),
        .out_valid (queues_3_out_valid),
        .out_word  (queues_3_out_word),
        .out_ready (queues_3_out_ready)
    );

    mctraptor_small_n4_fifo_depth8_width4 order (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (order_in_valid),
        .in_word   (arrived),
        .in_ready  (order_in_ready),
        .out_valid (record_valid),
        .out_word  (order_out_word),
        .out_ready (order_out_ready)
    );

    assign arrived = {in_valid_3, in_valid_2, in_valid_1, in_valid_0};
    assign order_in_valid = |arrived;
    assign pending = order_out_word & ~done;
    assign current = pending & (~pending + 4'd1);
    assign order_out_ready = record_valid & record_ready & (pending == current);
    assign is_empty = !record_valid;

    assign waiting =
        current[3] ? queues_3_out_word :
        current[2] ? queues_2_out_word :
        current[1] ? queues_1_out_word :
        current[0] ? queues_0_out_word :
        57'd0;

    assign thread =
        current[3] ? 2'd3 :
        current[2] ? 2'd2 :
        {1'b0, current[1]};

    assign queues_0_out_ready = current[0] & (record_valid & record_ready);
    assign queues_1_out_ready = current[1] & (record_valid & record_ready);
    assign queues_2_out_ready = current[2] & (record_valid & record_ready);
    assign queues_3_out_ready = current[3] & (record_valid & record_ready);
    assign goes_first = waiting[1];

    assign has_rest =
        waiting[2] | waiting[3] | waiting[0] | waiting[4] | waiting[5] | waiting[6] | waiting[7] |
        waiting[8];

    assign pads = waiting[0] & current[3];
    assign formed = {waiting, thread, has_rest & goes_first, has_rest & !goes_first, goes_first, pads};
    assign record = formed;

    always @(posedge clock) begin
        if (reset) begin
            done <= 4'd0;
        end else begin
            if (record_valid && record_ready) begin
                done <= done | current;
                if (pending == current) begin
                    done <= 4'd0;
                end
            end
        end
    end

    wire _unused_ok = &{
        1'b0,
        queues_0_out_valid,
        queues_1_out_valid,
        queues_2_out_valid,
        queues_3_out_valid,
        order_in_ready
    };

endmodule

// One chunk of a number with its continuation bit, and whether more follow
module mctraptor_small_n4_chunk_selector_first3_width11 (
    input  wire [10:0] value, // the number
    input  wire [2:0]  index, // number of the chunk, 0 for the first
    output reg  [7:0]  piece, // chunk and continuation bit
    output reg  [3:0]  piece_bits, // bits of the piece
    output reg         more // the continuation bit
);

    wire [2:0] chunk_0;
    wire [1:0] chunk_1;
    wire [1:0] chunk_2;
    wire [1:0] chunk_3;
    wire [1:0] chunk_4;

    always @* begin
        case (index)
            3'd0: more = |value[10:3];
            3'd1: more = |value[10:5];
            3'd2: more = |value[10:7];
            3'd3: more = |value[10:9];
            default: more = 1'b0;
        endcase
    end

    always @* begin
        case (index)
            3'd0: piece = {4'd0, |value[10:3], chunk_0};
            3'd1: piece = {5'd0, |value[10:5], chunk_1};
            3'd2: piece = {5'd0, |value[10:7], chunk_2};
            3'd3: piece = {5'd0, |value[10:9], chunk_3};
            3'd4: piece = {6'd0, chunk_4};
            default: piece = 8'd0;
        endcase
    end

    always @* begin
        case (index)
            3'd0: piece_bits = 4'd4;
            3'd1, 3'd2, 3'd3, 3'd4: piece_bits = 4'd3;
            default: piece_bits = 4'd0;
        endcase
    end

    assign chunk_0 = value[2:0];
    assign chunk_1 = value[4:3];
    assign chunk_2 = value[6:5];
    assign chunk_3 = value[8:7];
    assign chunk_4 = value[10:9];

endmodule

// One chunk of a number with its continuation bit, and whether more follow
module mctraptor_small_n4_chunk_selector_first2_width17 (
    input  wire [16:0] value, // the number
    input  wire [3:0]  index, // number of the chunk, 0 for the first
    output reg  [7:0]  piece, // chunk and continuation bit
    output reg  [3:0]  piece_bits, // bits of the piece
    output reg         more // the continuation bit
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
        case (index)
            4'd0: more = |value[16:2];
            4'd1: more = |value[16:4];
            4'd2: more = |value[16:6];
            4'd3: more = |value[16:8];
            4'd4: more = |value[16:10];
            4'd5: more = |value[16:12];
            4'd6: more = |value[16:14];
            4'd7: more = value[16];
            default: more = 1'b0;
        endcase
    end

    always @* begin
        case (index)
            4'd0: piece = {5'd0, |value[16:2], chunk_0};
            4'd1: piece = {5'd0, |value[16:4], chunk_1};
            4'd2: piece = {5'd0, |value[16:6], chunk_2};
            4'd3: piece = {5'd0, |value[16:8], chunk_3};
            4'd4: piece = {5'd0, |value[16:10], chunk_4};
            4'd5: piece = {5'd0, |value[16:12], chunk_5};
            4'd6: piece = {5'd0, |value[16:14], chunk_6};
            4'd7: piece = {5'd0, value[16], chunk_7};
            4'd8: piece = {6'd0, chunk_8};
            default: piece = 8'd0;
        endcase
    end

    always @* begin
        case (index)
            4'd0, 4'd1, 4'd2, 4'd3, 4'd4, 4'd5, 4'd6, 4'd7, 4'd8: piece_bits = 4'd3;
            default: piece_bits = 4'd0;
        endcase
    end

    assign chunk_0 = value[1:0];
    assign chunk_1 = value[3:2];
    assign chunk_2 = value[5:4];
    assign chunk_3 = value[7:6];
    assign chunk_4 = value[9:8];
    assign chunk_5 = value[11:10];
    assign chunk_6 = value[13:12];
    assign chunk_7 = value[15:14];
    assign chunk_8 = {1'b0, value[16]};

endmodule

// Sends a difference with a subtractor of one chunk, in two passes over the chunks
module mctraptor_small_n4_serial_difference (
    input  wire        clock,
    input  wire        reset,
    input  wire [29:0] target, // in instruction units
    input  wire [1:0]  source, // core of the target
    input  wire [3:0]  index, // the chunk
    input  wire        step, // the piece is taken
    output wire [7:0]  piece, // chunk and continuation bit, at last the sign
    output wire [3:0]  piece_bits, // bits of the piece
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
    reg        digit_is_full; // all bits of the chunk before are set
    reg        nonzero; // a chunk so far is not zero
    reg  [3:0] last_up; // the last one that is not, if the target is above
    reg  [3:0] last_down; // the last one that is not, if the target is below
    wire [3:0] last_index;
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
    wire       is_known;
    wire [3:0] previous_chunk;
    wire [4:0] sum;
    wire [3:0] difference;
    wire [3:0] digit;
    reg  [3:0] digit_bits; // bits of the chunk
    wire       is_shown; // it is sent in this step
    reg  [7:0] mark; // what follows the digit: the continuation bit or the sign
    reg  [3:0] size;
    wire       is_full;
    wire       is_even;
    wire       ends;
    wire       at_last;
    wire       at_end;
    wire [3:0] previous_index;
    wire       is_sent;
    wire       goes_on;
    reg  [3:0] previous_cells [0:31];

    assign address = {source, index[2:0]};

    assign is_known =
        ((source == 2'd0) & has_previous[0]) | ((source == 2'd1) & has_previous[1]) |
        ((source == 2'd2) & has_previous[2]) | ((source == 2'd3) & has_previous[3]);

    assign at_last = index == 4'd7;
    assign at_end = index == 4'd8;
    assign part_0 = target[2:0];
    assign part_1 = target[6:3];
    assign part_2 = target[10:7];
    assign part_3 = target[14:11];
    assign part_4 = target[18:15];
    assign part_5 = target[22:19];
    assign part_6 = target[26:23];
    assign part_7 = {1'b0, target[29:27]};
    assign previous_chunk = is_known ? previous_read_data : 4'd0;

    always @* begin
        case (index)
            4'd1: target_chunk = part_1;
            4'd2: target_chunk = part_2;
            4'd3: target_chunk = part_3;
            4'd4: target_chunk = part_4;
            4'd5: target_chunk = part_5;
            4'd6: target_chunk = part_6;
            4'd7: target_chunk = part_7;
            default: target_chunk = {1'b0, part_0};
        endcase
    end

    assign sum = {1'b0, target_chunk} + {1'b0, ~previous_chunk} + {4'd0, !borrow};
    assign difference = below ? ~sum[3:0] : sum[3:0];
    assign last_index = below ? last_down : last_up;
    assign is_sent = index <= last_index;
    assign goes_on = index < last_index;

    always @* begin
        case (index)
            4'd1, 4'd2, 4'd3, 4'd4, 4'd5, 4'd6: digit_bits = 4'd15;
            default: digit_bits = 4'd7;
        endcase
    end

    always @* begin
        case (index)
            4'd1, 4'd2, 4'd3, 4'd4, 4'd5, 4'd6, 4'd7: begin
                mark = 8'd16;
                if (!goes_on) begin
                    mark = 8'd32;
                end
            end
            default: begin
                mark = 8'd8;
                if (!goes_on) begin
                    mark = 8'd16;
                end
            end
        endcase
    end

    always @* begin
        case (index)
            4'd1, 4'd2, 4'd3, 4'd4, 4'd5, 4'd6, 4'd7: size = 4'd5;
            default: size = 4'd4;
        endcase
    end

    assign digit = difference & digit_bits;
    assign is_full = digit == digit_bits;
    assign is_shown = sending & is_sent;

    assign piece =
        !is_shown ? 8'd0 :
        (goes_on || below) ? {4'd0, digit} | mark :
        {4'd0, digit};

    assign piece_bits = is_shown ? size + {3'd0, !goes_on} : 4'd0;
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
            sending <= 1'b0;
            below <= 1'b0;
            borrow <= 1'b0;
            digit_is_nonzero <= 1'b0;
            digit_is_full <= 1'b0;
            nonzero <= 1'b0;
            last_up <= 4'd0;
            last_down <= 4'd0;
        end else begin
            if (step) begin
                borrow <= !sum[4];
                if (!sending) begin
                    digit_is_nonzero <= (|digit) & !at_end;
                    digit_is_full <= is_full;
                    if (digit_is_nonzero) begin
                        nonzero <= 1'b1;
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
                        sending <= 1'b1;
                        borrow <= below;
                    end
                end else if (ends) begin
                    sending <= 1'b0;
                    borrow <= 1'b0;
                    below <= 1'b0;
                    nonzero <= 1'b0;
                    last_up <= 4'd0;
                    last_down <= 4'd0;
                    case (source)
                        2'd0: has_previous[0] <= 1'b1;
                        2'd1: has_previous <= {has_previous[3:2], 1'b1, has_previous[0]};
                        2'd2: has_previous <= {has_previous[3], 1'b1, has_previous[1:0]};
                        2'd3: has_previous <= {1'b1, has_previous[2:0]};
                    endcase
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

// Sends a record slot by slot, a large slot piece by piece
module mctraptor_small_n4_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid, // without registers it stays until it is taken
    input  wire [62:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [7:0]  piece, // zero above piece_bits
    output reg  [3:0]  piece_bits, // bits of the piece, the first one lowest
    output wire        piece_last, // fill the trace word up with zeros after the piece
    input  wire        piece_ready
);

    reg  [6:0]  sent; // stages of the record that are out
    reg  [3:0]  index; // the piece of the slot
    wire [11:0] flags; // slots that are sent
    wire [6:0]  stages; // stages that send one
    wire [6:0]  pending;
    wire [6:0]  current; // one hot
    reg  [11:0] active; // one hot: the slot of this cycle
    wire        restart; // from the slot's first piece again
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [1:0]  goes_first_value;
    wire [1:0]  is_alone_value;
    wire [1:0]  is_second_value;
    wire        outcome_value;
    reg  [3:0]  left;
    wire [7:0]  branch_count_selector_piece;
    wire [3:0]  branch_count_selector_piece_bits;
    wire        branch_count_selector_more;
    wire [7:0]  instruction_count_selector_piece;
    wire [3:0]  instruction_count_selector_piece_bits;
    wire        instruction_count_selector_more;
    wire        target_difference_step;
    wire [7:0]  target_difference_piece;
    wire [3:0]  target_difference_piece_bits;
    wire        target_difference_more;
    wire        target_difference_restart;

    mctraptor_small_n4_chunk_selector_first3_width11 branch_count_selector (
        .value      (record[26:16]),
        .index      (index[2:0]),
        .piece      (branch_count_selector_piece),
        .piece_bits (branch_count_selector_piece_bits),
        .more       (branch_count_selector_more)
    );

    mctraptor_small_n4_chunk_selector_first2_width17 instruction_count_selector (
        .value      (record[32:16]),
        .index      (index),
        .piece      (instruction_count_selector_piece),
        .piece_bits (instruction_count_selector_piece_bits),
        .more       (instruction_count_selector_more)
    );

    mctraptor_small_n4_serial_difference target_difference (
        .clock      (clock),
        .reset      (reset),
        .target     (record[62:33]),
        .source     (record[5:4]),
        .index      (index),
        .step       (target_difference_step),
        .piece      (target_difference_piece),
        .piece_bits (target_difference_piece_bits),
        .more       (target_difference_more),
        .restart    (target_difference_restart)
    );

    assign flags = {record[14:10], record[6], record[9:8], record[3:2], record[7], record[1]};

    assign stages = {
        record[14],
        record[12] | record[13],
        record[8] | record[9] | record[6] | record[10] | record[11],
        record[3:2],
        record[7],
        record[1]
    };

    assign pending = stages & ~sent;
    assign current = pending & (~pending + 7'd1);
    assign is_last = pending == current;

    always @* begin
        active = 12'd0;
        if (current[0]) begin
            active = {11'd0, flags[0]};
        end
        if (current[1]) begin
            active[1] = flags[1];
        end
        if (current[2]) begin
            active[2] = flags[2];
        end
        if (current[3]) begin
            active[3] = flags[3];
        end
        if (current[4]) begin
            active[4] = flags[4];
            active[5] = flags[5];
            active[6] = flags[6];
            active[7] = flags[7];
            active[8] = flags[8];
        end
        if (current[5]) begin
            active[9] = flags[9];
            active[10] = flags[10];
        end
        if (current[6]) begin
            active[11] = flags[11];
        end
    end

    always @* begin
        piece = 8'd0;
        if (active[8]) begin
            piece = branch_count_selector_piece;
        end
        if (active[9]) begin
            piece = piece | instruction_count_selector_piece;
        end
        if (active[11]) begin
            piece = piece | target_difference_piece;
        end
        if (active[0]) begin
            piece = piece | {6'd0, goes_first_value};
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
            piece = piece | {6'd0, is_alone_value};
        end
        if (active[3]) begin
            piece = piece | {6'd0, is_second_value};
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
        if (active[10]) begin
            piece = piece | {7'd0, outcome_value};
        end
    end

    always @* begin
        piece_bits = 4'd0;
        more = 1'b0;
        if (active[8]) begin
            piece_bits = branch_count_selector_piece_bits;
            more = branch_count_selector_more;
        end
        if (active[9]) begin
            piece_bits = piece_bits | instruction_count_selector_piece_bits;
            more = instruction_count_selector_more;
        end
        if (active[11]) begin
            piece_bits = piece_bits | target_difference_piece_bits;
            more = target_difference_more;
        end
        left = 4'd0;
        if (active[0]) begin
            piece_bits = piece_bits | 4'd2;
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
                more = 1'b1;
            end
        end
        if (active[2]) begin
            piece_bits = piece_bits | 4'd2;
        end
        if (active[3]) begin
            piece_bits = piece_bits | 4'd2;
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
                more = 1'b1;
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
                more = 1'b1;
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
                more = 1'b1;
            end
        end
        if (active[7]) begin
            piece_bits = piece_bits | 4'd4;
        end
        if (active[10]) begin
            piece_bits = piece_bits | 4'd1;
        end
    end

    assign restart = active[11] & target_difference_restart;
    assign target_difference_step = active[11] & (record_valid & piece_ready);
    assign goes_first_value = record[5:4];
    assign is_alone_value = record[5:4];
    assign is_second_value = record[5:4];
    assign outcome_value = record[15];
    assign piece_valid = record_valid;
    assign piece_last = record[0] & is_last & !more;
    assign record_ready = piece_ready & is_last & !more;

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

// Collects pieces, first bit lowest, until a word is full; on request fills one up with zeros
module mctraptor_small_n4_bit_packer (
    input  wire       clock,
    input  wire       reset,
    input  wire       piece_valid,
    input  wire [7:0] piece, // zero above piece_bits
    input  wire [3:0] piece_bits, // bits of the piece, the first one lowest
    input  wire       piece_last, // fill the trace word up with zeros after the piece
    output wire       piece_ready,
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
    wire [14:0] joined;
    wire [3:0]  joined_bits;

    assign is_empty = !(|held_bits) & !padding;
    assign piece_ready = word_ready & !padding;
    assign takes = piece_valid & piece_ready;
    assign joined = takes ? {8'd0, held} | ({7'd0, piece} << held_bits) : {8'd0, held};
    assign joined_bits = takes ? {1'b0, held_bits} + piece_bits : {1'b0, held_bits};
    assign full = joined_bits >= 4'd8;
    assign word = joined[7:0];
    assign word_valid = full | (padding & (|held_bits));
    assign gives = word_valid & word_ready;

    always @(posedge clock) begin
        if (reset) begin
            held <= 7'd0;
            held_bits <= 3'd0;
            padding <= 1'b0;
        end else begin
            held <= joined[6:0];
            held_bits <= joined_bits[2:0];
            if (gives) begin
                held <= joined[14:8];
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

// Words in their order, the oldest shown at once: depth words of width bits
module mctraptor_small_n4_fifo_depth32_width8_has_level1 (
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
    reg  [4:0] write_pointer;
    reg  [4:0] read_pointer;
    reg  [5:0] held;
    wire       is_full;
    wire       puts;
    wire       takes;
    reg  [7:0] words_cells [0:31];

    assign is_full = held == 6'd32;
    assign out_valid = |held;
    assign in_ready = !is_full;
    assign puts = in_valid & in_ready;
    assign takes = out_ready & out_valid;
    assign level = held;
    assign out_word = words_read_data;
    assign words_read_data = words_cells[read_pointer];

    always @(posedge clock) begin
        if (reset) begin
            write_pointer <= 5'd0;
            read_pointer <= 5'd0;
            held <= 6'd0;
        end else begin
            if (puts) begin
                write_pointer <= write_pointer + 5'd1;
                if (write_pointer == 5'd31) begin
                    write_pointer <= 5'd0;
                end
            end
            if (takes) begin
                read_pointer <= read_pointer + 5'd1;
                if (read_pointer == 5'd31) begin
                    read_pointer <= 5'd0;
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

// Shows the beats of the oldest trace word in turn, under AXI4-Stream's rules
module mctraptor_small_n4_trace_port (
    input  wire       clock,
    input  wire       reset,
    input  wire       word_valid, // the word stays until it is taken
    input  wire [7:0] word,
    output wire       word_ready,
    output wire       trace_valid, // a beat is ready
    output wire [3:0] trace_data, // bits of the beat
    input  wire       trace_ready // the sink takes the beat
);

    reg  beat;

    assign trace_valid = word_valid;
    assign trace_data = beat ? word[7:4] : word[3:0];
    assign word_ready = word_valid & trace_ready & beat;

    always @(posedge clock) begin
        if (reset) begin
            beat <= 1'b0;
        end else begin
            if (word_valid && trace_ready) begin
                beat <= beat + 1'b1;
                if (beat) begin
                    beat <= 1'b0;
                end
            end
        end
    end

endmodule

// Records in, beats of the trace out
module mctraptor_small_n4_back_end (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [62:0] record,
    output wire        record_ready,
    output wire        is_empty, // no record, piece or trace word is inside
    output wire [3:0]  trace_data, // trace bits
    output wire        trace_valid, // a beat is ready
    input  wire        trace_ready, // the sink takes the beat
    output wire [5:0]  buffered_words // trace words in the output FIFO
);

    wire [7:0] piece; // zero above piece_bits
    wire [3:0] piece_bits; // bits of the piece, the first one lowest
    wire       piece_last; // fill the trace word up with zeros after the piece
    wire       serial_encoder_piece_valid;
    wire       bit_packer_piece_ready;
    wire       bit_packer_word_valid;
    wire [7:0] bit_packer_word;
    wire       bit_packer_is_empty;
    wire       output_fifo_in_ready;
    wire       output_fifo_out_valid;
    wire [7:0] output_fifo_out_word;
    wire       trace_port_word_ready;

    mctraptor_small_n4_serial_encoder serial_encoder (
        .clock        (clock),
        .reset        (reset),
        .record_valid (record_valid),
        .record       (record),
        .record_ready (record_ready),
        .piece_valid  (serial_encoder_piece_valid),
        .piece        (piece),
        .piece_bits   (piece_bits),
        .piece_last   (piece_last),
        .piece_ready  (bit_packer_piece_ready)
    );

    mctraptor_small_n4_bit_packer bit_packer (
        .clock       (clock),
        .reset       (reset),
        .piece_valid (serial_encoder_piece_valid),
        .piece       (piece),
        .piece_bits  (piece_bits),
        .piece_last  (piece_last),
        .piece_ready (bit_packer_piece_ready),
        .word_valid  (bit_packer_word_valid),
        .word        (bit_packer_word),
        .word_ready  (output_fifo_in_ready),
        .is_empty    (bit_packer_is_empty)
    );

    mctraptor_small_n4_fifo_depth32_width8_has_level1 output_fifo (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (bit_packer_word_valid),
        .in_word   (bit_packer_word),
        .in_ready  (output_fifo_in_ready),
        .out_valid (output_fifo_out_valid),
        .out_word  (output_fifo_out_word),
        .out_ready (trace_port_word_ready),
        .level     (buffered_words)
    );

    mctraptor_small_n4_trace_port trace_port (
        .clock       (clock),
        .reset       (reset),
        .word_valid  (output_fifo_out_valid),
        .word        (output_fifo_out_word),
        .word_ready  (trace_port_word_ready),
        .trace_valid (trace_valid),
        .trace_data  (trace_data),
        .trace_ready (trace_ready)
    );

    assign is_empty = bit_packer_is_empty & !output_fifo_out_valid;

endmodule

// mcfTRaptor (paper E): a T-raptor module for every core
module mctraptor_small_n4 (
    input  wire        clock,
    input  wire        reset,
    input  wire        retire_valid_0, // a block retires in this cycle
    input  wire [3:0]  retire_count_0, // instructions of the block
    input  wire [31:0] retire_pc_0, // byte address of the last instruction
    input  wire [3:0]  retire_length_0, // length of the last instruction in bytes
    input  wire [2:0]  retire_kind_0, // 0 sequential, 1 jump, 2 conditional, 3 indirect, 4 indirect conditional, 5 exception
    input  wire        retire_call_0, // the last instruction leaves a return address
    input  wire        retire_return_0, // the last instruction returns to one
    input  wire        retire_taken_0, // the flow changed
    input  wire [31:0] retire_target_0, // byte address that the flow changed to, if taken
    input  wire        retire_valid_1, // a block retires in this cycle
    input  wire [3:0]  retire_count_1, // instructions of the block
    input  wire [31:0] retire_pc_1, // byte address of the last instruction
    input  wire [3:0]  retire_length_1, // length of the last instruction in bytes
    input  wire [2:0]  retire_kind_1, // 0 sequential, 1 jump, 2 conditional, 3 indirect, 4 indirect conditional, 5 exception
    input  wire        retire_call_1, // the last instruction leaves a return address
    input  wire        retire_return_1, // the last instruction returns to one
    input  wire        retire_taken_1, // the flow changed
    input  wire [31:0] retire_target_1, // byte address that the flow changed to, if taken
    input  wire        retire_valid_2, // a block retires in this cycle
    input  wire [3:0]  retire_count_2, // instructions of the block
    input  wire [31:0] retire_pc_2, // byte address of the last instruction
    input  wire [3:0]  retire_length_2, // length of the last instruction in bytes
    input  wire [2:0]  retire_kind_2, // 0 sequential, 1 jump, 2 conditional, 3 indirect, 4 indirect conditional, 5 exception
    input  wire        retire_call_2, // the last instruction leaves a return address
    input  wire        retire_return_2, // the last instruction returns to one
    input  wire        retire_taken_2, // the flow changed
    input  wire [31:0] retire_target_2, // byte address that the flow changed to, if taken
    input  wire        retire_valid_3, // a block retires in this cycle
    input  wire [3:0]  retire_count_3, // instructions of the block
    input  wire [31:0] retire_pc_3, // byte address of the last instruction
    input  wire [3:0]  retire_length_3, // length of the last instruction in bytes
    input  wire [2:0]  retire_kind_3, // 0 sequential, 1 jump, 2 conditional, 3 indirect, 4 indirect conditional, 5 exception
    input  wire        retire_call_3, // the last instruction leaves a return address
    input  wire        retire_return_3, // the last instruction returns to one
    input  wire        retire_taken_3, // the flow changed
    input  wire [31:0] retire_target_3, // byte address that the flow changed to, if taken
    output wire        stall_0, // the block of this cycle is not taken
    output wire        stall_1, // the block of this cycle is not taken
    output wire        stall_2, // the block of this cycle is not taken
    output wire        stall_3, // the block of this cycle is not taken
    input  wire        flush, // level: the trace ends here
    output wire        flushed, // every bit of the trace has left the module
    output wire [3:0]  trace_data, // trace bits, bit 0 first
    output wire        trace_valid,
    input  wire        trace_ready,
    output wire [5:0]  buffered_words // trace words in the output FIFO
);

    wire        all_ready;
    wire        all_empty;
    wire        sequencer_tracing;
    wire        sequencer_record_flush;
    wire        sequencer_clear_valid;
    wire [8:0]  sequencer_clear_index;
    wire        retire_decoders_0_take;
    wire        retire_decoders_0_block_valid;
    wire [3:0]  retire_decoders_0_block_count;
    wire [31:0] retire_decoders_0_block_pc;
    wire [3:0]  retire_decoders_0_block_length;
    wire        retire_decoders_0_block_direct;
    wire        retire_decoders_0_block_conditional;
    wire        retire_decoders_0_block_indirect;
    wire        retire_decoders_0_block_exception;
    wire        retire_decoders_0_block_call;
    wire        retire_decoders_0_block_return;
    wire        retire_decoders_0_block_taken;
    wire [31:0] retire_decoders_0_block_target;
    wire        retire_decoders_1_take;
    wire        retire_decoders_1_block_valid;
    wire [3:0]  retire_decoders_1_block_count;
    wire [31:0] retire_decoders_1_block_pc;
    wire [3:0]  retire_decoders_1_block_length;
    wire        retire_decoders_1_block_direct;
    wire        retire_decoders_1_block_conditional;
    wire        retire_decoders_1_block_indirect;
    wire        retire_decoders_1_block_exception;
    wire        retire_decoders_1_block_call;
    wire        retire_decoders_1_block_return;
    wire        retire_decoders_1_block_taken;
    wire [31:0] retire_decoders_1_block_target;
    wire        retire_decoders_2_take;
    wire        retire_decoders_2_block_valid;
    wire [3:0]  retire_decoders_2_block_count;
    wire [31:0] retire_decoders_2_block_pc;
    wire [3:0]  retire_decoders_2_block_length;
    wire        retire_decoders_2_block_direct;
    wire        retire_decoders_2_block_conditional;
    wire        retire_decoders_2_block_indirect;
    wire        retire_decoders_2_block_exception;
    wire        retire_decoders_2_block_call;
    wire        retire_decoders_2_block_return;
    wire        retire_decoders_2_block_taken;
    wire [31:0] retire_decoders_2_block_target;
    wire        retire_decoders_3_take;
    wire        retire_decoders_3_block_valid;
    wire [3:0]  retire_decoders_3_block_count;
    wire [31:0] retire_decoders_3_block_pc;
    wire [3:0]  retire_decoders_3_block_length;
    wire        retire_decoders_3_block_direct;
    wire        retire_decoders_3_block_conditional;
    wire        retire_decoders_3_block_indirect;
    wire        retire_decoders_3_block_exception;
    wire        retire_decoders_3_block_call;
    wire        retire_decoders_3_block_return;
    wire        retire_decoders_3_block_taken;
    wire [31:0] retire_decoders_3_block_target;
    wire        encoders_0_flush;
    wire        encoders_0_ready;
    wire        encoders_0_is_empty;
    wire        encoders_0_record_valid;
    wire [56:0] encoders_0_record;
    wire [8:0]  encoders_0_swept;
    wire        encoders_1_flush;
    wire        encoders_1_ready;
    wire        encoders_1_is_empty;
    wire        encoders_1_record_valid;
    wire [56:0] encoders_1_record;
    wire [8:0]  encoders_1_swept;
    wire        encoders_2_flush;
    wire        encoders_2_ready;
    wire        encoders_2_is_empty;
    wire        encoders_2_record_valid;
    wire [56:0] encoders_2_record;
    wire [8:0]  encoders_2_swept;
    wire        encoders_3_flush;
    wire        encoders_3_ready;
    wire        encoders_3_is_empty;
    wire        encoders_3_record_valid;
    wire [56:0] encoders_3_record;
    wire [8:0]  encoders_3_swept;
    wire        merge_in_ready_0;
    wire        merge_in_ready_1;
    wire        merge_in_ready_2;
    wire        merge_in_ready_3;
    wire        merge_record_valid;
    wire [62:0] merge_record;
    wire        merge_is_empty;
    wire        back_end_record_ready;
    wire        back_end_is_empty;

    mctraptor_small_n4_sequencer sequencer (
        .clock        (clock),
        .reset        (reset),
        .flush        (flush),
        .ready        (all_ready),
        .is_empty     (all_empty),
        .tracing      (sequencer_tracing),
        .record_flush (sequencer_record_flush),
        .flushed      (flushed),
        .swept        (encoders_0_swept),
        .clear_valid  (sequencer_clear_valid),
        .clear_index  (sequencer_clear_index)
    );

    mctraptor_small_n4_retire_decoder retire_decoders_0 (
        .retire_valid      (retire_valid_0),
        .retire_count      (retire_count_0),
        .retire_pc         (retire_pc_0),
        .retire_length     (retire_length_0),
        .retire_kind       (retire_kind_0),
        .retire_call       (retire_call_0),
        .retire_return     (retire_return_0),
        .retire_taken      (retire_taken_0),
        .retire_target     (retire_target_0),
        .take              (retire_decoders_0_take),
        .block_valid       (retire_decoders_0_block_valid),
        .block_count       (retire_decoders_0_block_count),
        .block_pc          (retire_decoders_0_block_pc),
        .block_length      (retire_decoders_0_block_length),
        .block_direct      (retire_decoders_0_block_direct),
        .block_conditional (retire_decoders_0_block_conditional),
        .block_indirect    (retire_decoders_0_block_indirect),
        .block_exception   (retire_decoders_0_block_exception),
        .block_call        (retire_decoders_0_block_call),
        .block_return      (retire_decoders_0_block_return),
        .block_taken       (retire_decoders_0_block_taken),
        .block_target      (retire_decoders_0_block_target)
    );

    mctraptor_small_n4_retire_decoder retire_decoders_1 (
        .retire_valid      (retire_valid_1),
        .retire_count      (retire_count_1),
        .retire_pc         (retire_pc_1),
        .retire_length     (retire_length_1),
        .retire_kind       (retire_kind_1),
        .retire_call       (retire_call_1),
        .retire_return     (retire_return_1),
        .retire_taken      (retire_taken_1),
        .retire_target     (retire_target_1),
        .take              (retire_decoders_1_take),
        .block_valid       (retire_decoders_1_block_valid),
        .block_count       (retire_decoders_1_block_count),
        .block_pc          (retire_decoders_1_block_pc),
        .block_length      (retire_decoders_1_block_length),
        .block_direct      (retire_decoders_1_block_direct),
        .block_conditional (retire_decoders_1_block_conditional),
        .block_indirect    (retire_decoders_1_block_indirect),
        .block_exception   (retire_decoders_1_block_exception),
        .block_call        (retire_decoders_1_block_call),
        .block_return      (retire_decoders_1_block_return),
        .block_taken       (retire_decoders_1_block_taken),
        .block_target      (retire_decoders_1_block_target)
    );

    mctraptor_small_n4_retire_decoder retire_decoders_2 (
        .retire_valid      (retire_valid_2),
        .retire_count      (retire_count_2),
        .retire_pc         (retire_pc_2),
        .retire_length     (retire_length_2),
        .retire_kind       (retire_kind_2),
        .retire_call       (retire_call_2),
        .retire_return     (retire_return_2),
        .retire_taken      (retire_taken_2),
        .retire_target     (retire_target_2),
        .take              (retire_decoders_2_take),
        .block_valid       (retire_decoders_2_block_valid),
        .block_count       (retire_decoders_2_block_count),
        .block_pc          (retire_decoders_2_block_pc),
        .block_length      (retire_decoders_2_block_length),
        .block_direct      (retire_decoders_2_block_direct),
        .block_conditional (retire_decoders_2_block_conditional),
        .block_indirect    (retire_decoders_2_block_indirect),
        .block_exception   (retire_decoders_2_block_exception),
        .block_call        (retire_decoders_2_block_call),
        .block_return      (retire_decoders_2_block_return),
        .block_taken       (retire_decoders_2_block_taken),
        .block_target      (retire_decoders_2_block_target)
    );

    mctraptor_small_n4_retire_decoder retire_decoders_3 (
        .retire_valid      (retire_valid_3),
        .retire_count      (retire_count_3),
        .retire_pc         (retire_pc_3),
        .retire_length     (retire_length_3),
        .retire_kind       (retire_kind_3),
        .retire_call       (retire_call_3),
        .retire_return     (retire_return_3),
        .retire_taken      (retire_taken_3),
        .retire_target     (retire_target_3),
        .take              (retire_decoders_3_take),
        .block_valid       (retire_decoders_3_block_valid),
        .block_count       (retire_decoders_3_block_count),
        .block_pc          (retire_decoders_3_block_pc),
        .block_length      (retire_decoders_3_block_length),
        .block_direct      (retire_decoders_3_block_direct),
        .block_conditional (retire_decoders_3_block_conditional),
        .block_indirect    (retire_decoders_3_block_indirect),
        .block_exception   (retire_decoders_3_block_exception),
        .block_call        (retire_decoders_3_block_call),
        .block_return      (retire_decoders_3_block_return),
        .block_taken       (retire_decoders_3_block_taken),
        .block_target      (retire_decoders_3_block_target)
    );

    mctraptor_small_n4_encoder encoders_0 (
        .clock              (clock),
        .reset              (reset),
        .clear_valid        (sequencer_clear_valid),
        .clear_index        (sequencer_clear_index),
        .retire_valid       (retire_decoders_0_block_valid),
        .retire_count       (retire_decoders_0_block_count),
        .retire_pc          (retire_decoders_0_block_pc),
        .retire_length      (retire_decoders_0_block_length),
        .retire_direct      (retire_decoders_0_block_direct),
        .retire_conditional (retire_decoders_0_block_conditional),
        .retire_indirect    (retire_decoders_0_block_indirect),
        .retire_exception   (retire_decoders_0_block_exception),
        .retire_call        (retire_decoders_0_block_call),
        .retire_return      (retire_decoders_0_block_return),
        .retire_taken       (retire_decoders_0_block_taken),
        .retire_target      (retire_decoders_0_block_target),
        .flush              (encoders_0_flush),
        .ready              (encoders_0_ready),
        .is_empty           (encoders_0_is_empty),
        .record_valid       (encoders_0_record_valid),
        .record             (encoders_0_record),
        .record_ready       (merge_in_ready_0),
        .swept              (encoders_0_swept)
    );

    mctraptor_small_n4_encoder encoders_1 (
        .clock              (clock),
        .reset              (reset),
        .clear_valid        (sequencer_clear_valid),
        .clear_index        (sequencer_clear_index),
        .retire_valid       (retire_decoders_1_block_valid),
        .retire_count       (retire_decoders_1_block_count),
        .retire_pc          (retire_decoders_1_block_pc),
        .retire_length      (retire_decoders_1_block_length),
        .retire_direct      (retire_decoders_1_block_direct),
        .retire_conditional (retire_decoders_1_block_conditional),
        .retire_indirect    (retire_decoders_1_block_indirect),
        .retire_exception   (retire_decoders_1_block_exception),
        .retire_call        (retire_decoders_1_block_call),
        .retire_return      (retire_decoders_1_block_return),
        .retire_taken       (retire_decoders_1_block_taken),
        .retire_target      (retire_decoders_1_block_target),
        .flush              (encoders_1_flush),
        .ready              (encoders_1_ready),
        .is_empty           (encoders_1_is_empty),
        .record_valid       (encoders_1_record_valid),
        .record             (encoders_1_record),
        .record_ready       (merge_in_ready_1),
        .swept              (encoders_1_swept)
    );

    mctraptor_small_n4_encoder encoders_2 (
        .clock              (clock),
        .reset              (reset),
        .clear_valid        (sequencer_clear_valid),
        .clear_index        (sequencer_clear_index),
        .retire_valid       (retire_decoders_2_block_valid),
        .retire_count       (retire_decoders_2_block_count),
        .retire_pc          (retire_decoders_2_block_pc),
        .retire_length      (retire_decoders_2_block_length),
        .retire_direct      (retire_decoders_2_block_direct),
        .retire_conditional (retire_decoders_2_block_conditional),
        .retire_indirect    (retire_decoders_2_block_indirect),
        .retire_exception   (retire_decoders_2_block_exception),
        .retire_call        (retire_decoders_2_block_call),
        .retire_return      (retire_decoders_2_block_return),
        .retire_taken       (retire_decoders_2_block_taken),
        .retire_target      (retire_decoders_2_block_target),
        .flush              (encoders_2_flush),
        .ready              (encoders_2_ready),
        .is_empty           (encoders_2_is_empty),
        .record_valid       (encoders_2_record_valid),
        .record             (encoders_2_record),
        .record_ready       (merge_in_ready_2),
        .swept              (encoders_2_swept)
    );

    mctraptor_small_n4_encoder encoders_3 (
        .clock              (clock),
        .reset              (reset),
        .clear_valid        (sequencer_clear_valid),
        .clear_index        (sequencer_clear_index),
        .retire_valid       (retire_decoders_3_block_valid),
        .retire_count       (retire_decoders_3_block_count),
        .retire_pc          (retire_decoders_3_block_pc),
        .retire_length      (retire_decoders_3_block_length),
        .retire_direct      (retire_decoders_3_block_direct),
        .retire_conditional (retire_decoders_3_block_conditional),
        .retire_indirect    (retire_decoders_3_block_indirect),
        .retire_exception   (retire_decoders_3_block_exception),
        .retire_call        (retire_decoders_3_block_call),
        .retire_return      (retire_decoders_3_block_return),
        .retire_taken       (retire_decoders_3_block_taken),
        .retire_target      (retire_decoders_3_block_target),
        .flush              (encoders_3_flush),
        .ready              (encoders_3_ready),
        .is_empty           (encoders_3_is_empty),
        .record_valid       (encoders_3_record_valid),
        .record             (encoders_3_record),
        .record_ready       (merge_in_ready_3),
        .swept              (encoders_3_swept)
    );

    mctraptor_small_n4_merge merge (
        .clock        (clock),
        .reset        (reset),
        .in_valid_0   (encoders_0_record_valid),
        .in_word_0    (encoders_0_record),
        .in_ready_0   (merge_in_ready_0),
        .in_valid_1   (encoders_1_record_valid),
        .in_word_1    (encoders_1_record),
        .in_ready_1   (merge_in_ready_1),
        .in_valid_2   (encoders_2_record_valid),
        .in_word_2    (encoders_2_record),
        .in_ready_2   (merge_in_ready_2),
        .in_valid_3   (encoders_3_record_valid),
        .in_word_3    (encoders_3_record),
        .in_ready_3   (merge_in_ready_3),
        .record_valid (merge_record_valid),
        .record       (merge_record),
        .record_ready (back_end_record_ready),
        .is_empty     (merge_is_empty)
    );

    mctraptor_small_n4_back_end back_end (
        .clock          (clock),
        .reset          (reset),
        .record_valid   (merge_record_valid),
        .record         (merge_record),
        .record_ready   (back_end_record_ready),
        .is_empty       (back_end_is_empty),
        .trace_data     (trace_data),
        .trace_valid    (trace_valid),
        .trace_ready    (trace_ready),
        .buffered_words (buffered_words)
    );

    assign all_ready = encoders_0_ready & encoders_1_ready & encoders_2_ready & encoders_3_ready;

    assign all_empty =
        merge_is_empty & back_end_is_empty & encoders_0_is_empty & encoders_1_is_empty &
        encoders_2_is_empty & encoders_3_is_empty;

    assign stall_0 = !(sequencer_tracing & encoders_0_ready);
    assign retire_decoders_0_take = !stall_0;
    assign encoders_0_flush = sequencer_record_flush & all_ready;
    assign stall_1 = !(sequencer_tracing & encoders_1_ready);
    assign retire_decoders_1_take = !stall_1;
    assign encoders_1_flush = sequencer_record_flush & all_ready;
    assign stall_2 = !(sequencer_tracing & encoders_2_ready);
    assign retire_decoders_2_take = !stall_2;
    assign encoders_2_flush = sequencer_record_flush & all_ready;
    assign stall_3 = !(sequencer_tracing & encoders_3_ready);
    assign retire_decoders_3_take = !stall_3;
    assign encoders_3_flush = sequencer_record_flush & all_ready;

    wire _unused_ok = &{1'b0, encoders_1_swept, encoders_2_swept, encoders_3_swept};

endmodule
