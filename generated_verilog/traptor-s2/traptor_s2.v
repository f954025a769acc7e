// traptor-s2 of Tracewright, made by `tracewright generate`.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 79
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   gshare_entries = 256
//   gshare_history_bits = 8
//   pc_shift = 4
//   return_address_stack_depth = 8
//   indirect_branch_target_buffer_entries = 16
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   indirect_branch_target_buffer_replacement = least-recently-used
//   path_history_bits = 11
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

// Clears the tables after reset, and takes the module through a flush
module traptor_s2_sequencer (
    input  wire       clock,
    input  wire       reset,
    input  wire       flush, // level: the trace ends here
    input  wire       ready, // the compressor takes a block or a flush in this cycle
    input  wire       is_empty, // no record and no bit is left in the module
    output wire       tracing, // blocks are taken while the compressor is ready
    output wire       record_flush, // the compressor makes its flush record when it is ready
    output wire       flushed, // every bit of the trace has left the module
    input  wire [7:0] swept, // the entry to clear, where the compressor counts
    output wire       clear_valid, // the tables are being cleared
    output wire [7:0] clear_index // the entry to clear, in the lower bits
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
module traptor_s2_retire_decoder (
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
module traptor_s2_table_memory_entries256_width2 (
    input  wire       clock,
    input  wire       clear_valid, // the tables are being cleared
    input  wire [7:0] clear_index, // the entry to clear, in the lower bits
    input  wire [1:0] clear_entry, // what a cleared entry holds
    input  wire [7:0] index, // the entry to read
    output wire [1:0] entry,
    input  wire       write,
    input  wire [7:0] write_index,
    input  wire [1:0] written
);

    wire       writes;
    wire [7:0] changed_index; // the entry that is written
    wire [1:0] entries_read_data;
    wire [1:0] entries_write_data;
    reg  [1:0] entries_cells [0:255];

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
module traptor_s2_predictor_table_entries256_width2 (
    input  wire       clock,
    input  wire       clear_valid, // the tables are being cleared
    input  wire [7:0] clear_index, // the entry to clear, in the lower bits
    input  wire [1:0] clear_entry, // value of a cleared entry
    input  wire [7:0] index, // the entry to read
    output wire [1:0] entry, // value of the entry read
    input  wire       learn, // the entry takes a new value
    input  wire [1:0] learned // the new value
);

    traptor_s2_table_memory_entries256_width2 memory (
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
module traptor_s2_gshare (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [7:0]  clear_index, // the entry to clear, in the lower bits
    input  wire        update, // a conditional branch retires
    input  wire [31:0] program_counter, // address of the branch
    input  wire        taken, // outcome of the branch
    output wire        predicted_taken, // predicted outcome, in the cycle in which the table is read
    input  wire        learn, // a conditional branch is predicted
    input  wire        outcome // outcome of that branch
);

    reg  [1:0] counter_next;
    reg  [7:0] history;
    wire [7:0] counters_index;
    wire [1:0] counters_entry;

    traptor_s2_predictor_table_entries256_width2 counters (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .clear_entry (2'd1),
        .index       (counters_index),
        .entry       (counters_entry),
        .learn       (learn),
        .learned     (counter_next)
    );

    assign counters_index = program_counter[11:4] ^ history;
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
            history <= 8'd0;
        end else begin
            if (update) begin
                history <= {history[6:0], taken};
            end
        end
    end

    wire _unused_ok = &{1'b0, program_counter[3:0], program_counter[31:12]};

endmodule

// Shows the top; pops, pushes or replaces it once per cycle
module traptor_s2_return_address_stack (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [7:0]  clear_index, // the entry to clear, in the lower bits
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

    wire _unused_ok = &{1'b0, clear_index[7:3]};

endmodule

// From a set's order and the way now used, the way to replace and the order afterwards
module traptor_s2_recency (
    input  wire       order, // the order as stored, one bit per pair of ways
    input  wire [1:0] used, // one hot
    output wire [1:0] oldest, // one hot
    output wire       order_next // the order to store
);

    assign order_next = used[0] | (!used[1] & order);
    assign oldest = {order, !order};

endmodule

// A memory with one read port and one write port, cleared entry by entry
module traptor_s2_table_memory_entries8_width1 (
    input  wire       clock,
    input  wire       clear_valid, // the tables are being cleared
    input  wire [2:0] clear_index, // the entry to clear, in the lower bits
    input  wire       clear_entry, // what a cleared entry holds
    input  wire [2:0] index, // the entry to read
    output wire       entry,
    input  wire       write,
    input  wire [2:0] write_index,
    input  wire       written
);

    wire       writes;
    wire [2:0] changed_index; // the entry that is written
    wire       entries_read_data;
    wire       entries_write_data;
    reg        entries_cells [0:7];

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
module traptor_s2_predictor_table_entries8_width1 (
    input  wire       clock,
    input  wire       clear_valid, // the tables are being cleared
    input  wire [2:0] clear_index, // the entry to clear, in the lower bits
    input  wire       clear_entry, // value of a cleared entry
    input  wire [2:0] index, // the entry to read
    output wire       entry, // value of the entry read
    input  wire       learn, // the entry takes a new value
    input  wire       learned // the new value
);

    traptor_s2_table_memory_entries8_width1 memory (
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

// A memory with one read port and one write port, cleared entry by entry
module traptor_s2_table_memory_entries8_width26 (
    input  wire        clock,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [2:0]  clear_index, // the entry to clear, in the lower bits
    input  wire [25:0] clear_entry, // what a cleared entry holds
    input  wire [2:0]  index, // the entry to read
    output wire [25:0] entry,
    input  wire        write,
    input  wire [2:0]  write_index,
    input  wire [25:0] written
);

    wire        writes;
    wire [2:0]  changed_index; // the entry that is written
    wire [25:0] entries_read_data;
    wire [25:0] entries_write_data;
    reg  [25:0] entries_cells [0:7];

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

// Says whether the way's entry has the tag, and whether its target is another than the actual one
module traptor_s2_way (
    input  wire        clock,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [2:0]  clear_index, // the entry to clear, in the lower bits
    input  wire [2:0]  set,
    input  wire [7:0]  tag,
    input  wire [17:0] target, // actual target
    input  wire        learn,
    input  wire [2:0]  learn_set,
    input  wire [7:0]  learned_tag,
    input  wire [17:0] learned_target,
    output wire        hits,
    output wire        is_wrong
);

    wire        entry_matches;
    wire        entry_is_wrong;
    wire [25:0] entries_entry;

    traptor_s2_table_memory_entries8_width26 entries (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .clear_entry (26'd0),
        .index       (set),
        .entry       (entries_entry),
        .write       (learn),
        .write_index (learn_set),
        .written     ({learned_tag, learned_target})
    );

    assign entry_matches = entries_entry[25:18] == tag;
    assign entry_is_wrong = entries_entry[17:0] != target;
    assign hits = entry_matches;
    assign is_wrong = entry_is_wrong;

endmodule

// Predicts and learns the target of one indirect branch per cycle
module traptor_s2_indirect_branch_target_buffer (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [7:0]  clear_index, // the entry to clear, in the lower bits
    input  wire        update_path, // a conditional or indirect branch retires
    input  wire [31:0] program_counter, // address of the branch
    input  wire        taken, // outcome of the branch
    input  wire [17:0] target, // actual target, in the cycle after that of the address where tables are read through registers
    input  wire        learn, // a taken branch that uses the buffer is predicted, in the cycle of hit and is_wrong
    output wire        hit, // the tag of a way matches
    output reg         is_wrong // that way holds another target
);

    reg  [10:0] path_history;
    wire [2:0]  set;
    wire [7:0]  path_tag;
    reg  [1:0]  matching;
    wire [1:0]  used;
    wire [1:0]  victim; // one hot: the way that takes a new target
    wire        recency_order_next;
    wire        order_entry;
    wire        ways_0_learn;
    wire        ways_0_hits;
    wire        ways_0_is_wrong;
    wire        ways_1_learn;
    wire        ways_1_hits;
    wire        ways_1_is_wrong;

    traptor_s2_recency recency (
        .order      (order_entry),
        .used       (used),
        .oldest     (victim),
        .order_next (recency_order_next)
    );

    traptor_s2_predictor_table_entries8_width1 order (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (clear_index[2:0]),
        .clear_entry (1'b0),
        .index       (set),
        .entry       (order_entry),
        .learn       (learn),
        .learned     (recency_order_next)
    );

    traptor_s2_way ways_0 (
        .clock          (clock),
        .clear_valid    (clear_valid),
        .clear_index    (clear_index[2:0]),
        .set            (set),
        .tag            (path_tag),
        .target         (target),
        .learn          (ways_0_learn),
        .learn_set      (set),
        .learned_tag    (path_tag),
        .learned_target (target),
        .hits           (ways_0_hits),
        .is_wrong       (ways_0_is_wrong)
    );

    traptor_s2_way ways_1 (
        .clock          (clock),
        .clear_valid    (clear_valid),
        .clear_index    (clear_index[2:0]),
        .set            (set),
        .tag            (path_tag),
        .target         (target),
        .learn          (ways_1_learn),
        .learn_set      (set),
        .learned_tag    (path_tag),
        .learned_target (target),
        .hits           (ways_1_hits),
        .is_wrong       (ways_1_is_wrong)
    );

    assign set = path_history[10:8] ^ program_counter[6:4];
    assign path_tag = path_history[7:0] ^ program_counter[17:10];

    always @* begin
        matching = 2'd0;
        is_wrong = ways_0_is_wrong;
        if (ways_0_hits) begin
            matching = 2'd1;
        end
        if (!(|matching)) begin
            is_wrong = ways_1_is_wrong;
            if (ways_1_hits) begin
                matching[1] = 1'b1;
            end
        end
    end

    assign hit = |matching;
    assign used = (|matching) ? matching : victim;
    assign ways_0_learn = used[0] & learn;
    assign ways_1_learn = used[1] & learn;

    always @(posedge clock) begin
        if (reset) begin
            path_history <= 11'd0;
        end else begin
            if (update_path) begin
                path_history <= ({path_history[8:0], 2'd0} ^ program_counter[14:4]) | {10'd0, taken};
            end
        end
    end

    wire _unused_ok = &{1'b0, clear_index[7:3], program_counter[3:0], program_counter[31:18]};

endmodule

// Keeps the upper bits of the last taken indirect branch's target
module traptor_s2_last_value_predictor (
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
module traptor_s2_target_predictor (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [7:0]  clear_index, // the entry to clear, in the lower bits
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
    output reg         missed // no table has the target; a cycle later where tables are read through registers
);

    wire [17:0] lower; // bits of the target that the tables hold
    wire [11:0] upper;
    wire        buffer_learns;
    wire        stack_is_wrong;
    wire        upper_is_wrong;
    wire [17:0] path_return_address;
    wire        return_address_stack_pop;
    wire        return_address_stack_push;
    wire [17:0] return_address_stack_top;
    wire        indirect_branch_target_buffer_hit;
    wire        indirect_branch_target_buffer_is_wrong;
    wire        last_value_predictor_update;
    wire [11:0] last_value_predictor_predicted_upper;

    traptor_s2_return_address_stack return_address_stack (
        .clock          (clock),
        .reset          (reset),
        .clear_valid    (clear_valid),
        .clear_index    (clear_index),
        .pop            (return_address_stack_pop),
        .push           (return_address_stack_push),
        .return_address (path_return_address),
        .top            (return_address_stack_top)
    );

    traptor_s2_indirect_branch_target_buffer indirect_branch_target_buffer (
        .clock           (clock),
        .reset           (reset),
        .clear_valid     (clear_valid),
        .clear_index     (clear_index),
        .update_path     (update_path),
        .program_counter (program_counter),
        .taken           (path_taken),
        .target          (lower),
        .learn           (buffer_learns),
        .hit             (indirect_branch_target_buffer_hit),
        .is_wrong        (indirect_branch_target_buffer_is_wrong)
    );

    traptor_s2_last_value_predictor last_value_predictor (
        .clock           (clock),
        .reset           (reset),
        .update          (last_value_predictor_update),
        .target_upper    (upper),
        .predicted_upper (last_value_predictor_predicted_upper)
    );

    assign lower = target[17:0];

    always @* begin
        missed = !indirect_branch_target_buffer_hit | indirect_branch_target_buffer_is_wrong;
        if (is_return) begin
            missed = stack_is_wrong;
        end
        missed = missed | upper_is_wrong;
    end

    assign path_return_address = program_counter[19:2] + {16'd0, length[3:2]};
    assign buffer_learns = update & indirect & taken & !is_return;
    assign return_address_stack_pop = update & is_return & taken;
    assign return_address_stack_push = update & call & taken;
    assign stack_is_wrong = return_address_stack_top != lower;
    assign last_value_predictor_update = update & indirect & taken;
    assign upper = target[29:18];
    assign upper_is_wrong = last_value_predictor_predicted_upper != upper;

    wire _unused_ok = &{1'b0, length[1:0]};

endmodule

// Counts every block and forms at most one record per cycle
module traptor_s2_record_former (
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
    output wire [7:0]  swept, // the entry to clear
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
    assign swept = instruction_count[7:0];
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
    assign sends_outcome = mispredicted & indirect;
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

    wire _unused_ok = &{1'b0, conditional};

endmodule

// Predictors and record former
module traptor_s2_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [7:0]  clear_index, // the entry to clear, in the lower bits
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
    output wire [7:0]  swept // the entry to clear, where the instruction counter numbers them
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

    traptor_s2_gshare gshare (
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

    traptor_s2_target_predictor target_predictor (
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

    traptor_s2_record_former record_former (
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
module traptor_s2_fifo_depth2_width57 (
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

// One chunk of a number with its continuation bit, and whether more follow
module traptor_s2_chunk_selector_first3_next1_width11 (
    input  wire [10:0] value, // the number
    input  wire [3:0]  index, // number of the chunk, 0 for the first
    output reg  [7:0]  piece, // chunk and continuation bit
    output reg  [3:0]  piece_bits, // bits of the piece
    output reg         more // the continuation bit
);

    wire [2:0] chunk_0;
    wire       chunk_1;
    wire       chunk_2;
    wire       chunk_3;
    wire       chunk_4;
    wire       chunk_5;
    wire       chunk_6;
    wire       chunk_7;
    wire       chunk_8;

    always @* begin
        case (index)
            4'd0: more = |value[10:3];
            4'd1: more = |value[10:4];
            4'd2: more = |value[10:5];
            4'd3: more = |value[10:6];
            4'd4: more = |value[10:7];
            4'd5: more = |value[10:8];
            4'd6: more = |value[10:9];
            4'd7: more = value[10];
            default: more = 1'b0;
        endcase
    end

    always @* begin
        case (index)
            4'd0: piece = {4'd0, |value[10:3], chunk_0};
            4'd1: piece = {6'd0, |value[10:4], chunk_1};
            4'd2: piece = {6'd0, |value[10:5], chunk_2};
            4'd3: piece = {6'd0, |value[10:6], chunk_3};
            4'd4: piece = {6'd0, |value[10:7], chunk_4};
            4'd5: piece = {6'd0, |value[10:8], chunk_5};
            4'd6: piece = {6'd0, |value[10:9], chunk_6};
            4'd7: piece = {6'd0, value[10], chunk_7};
            4'd8: piece = {7'd0, chunk_8};
            default: piece = 8'd0;
        endcase
    end

    always @* begin
        case (index)
            4'd0: piece_bits = 4'd4;
            4'd1, 4'd2, 4'd3, 4'd4, 4'd5, 4'd6, 4'd7, 4'd8: piece_bits = 4'd2;
            default: piece_bits = 4'd0;
        endcase
    end

    assign chunk_0 = value[2:0];
    assign chunk_1 = value[3];
    assign chunk_2 = value[4];
    assign chunk_3 = value[5];
    assign chunk_4 = value[6];
    assign chunk_5 = value[7];
    assign chunk_6 = value[8];
    assign chunk_7 = value[9];
    assign chunk_8 = value[10];

endmodule

// One chunk of a number with its continuation bit, and whether more follow
module traptor_s2_chunk_selector_first2_next2_width17 (
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
module traptor_s2_serial_difference (
    input  wire        clock,
    input  wire        reset,
    input  wire [29:0] target, // in instruction units
    input  wire [2:0]  index, // the chunk
    input  wire        step, // the piece is taken
    output wire [7:0]  piece, // chunk and continuation bit, at last the sign
    output wire [3:0]  piece_bits, // bits of the piece
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
    reg        digit_is_full; // all bits of the chunk before are set
    reg        nonzero; // a chunk so far is not zero
    reg  [2:0] last_up; // the last one that is not, if the target is above
    reg  [2:0] last_down; // the last one that is not, if the target is below
    wire [2:0] last_index;
    reg  [4:0] target_chunk;
    wire [4:0] part_0;
    wire [4:0] part_1;
    wire [4:0] part_2;
    wire [4:0] part_3;
    wire [4:0] part_4;
    wire [4:0] part_5;
    wire [4:0] previous_chunk;
    wire [5:0] sum;
    wire [4:0] difference;
    wire       is_shown; // it is sent in this step
    wire [7:0] mark; // what follows the digit: the continuation bit or the sign
    wire       is_full;
    wire       is_even;
    wire       ends;
    wire       at_last;
    wire       at_end;
    wire [2:0] previous_index;
    wire       is_sent;
    wire       goes_on;
    reg  [4:0] previous_cells [0:5];

    assign at_last = index == 3'd5;
    assign at_end = index == 3'd6;
    assign part_0 = target[4:0];
    assign part_1 = target[9:5];
    assign part_2 = target[14:10];
    assign part_3 = target[19:15];
    assign part_4 = target[24:20];
    assign part_5 = target[29:25];
    assign previous_chunk = has_previous ? previous_read_data : 5'd0;

    always @* begin
        case (index)
            3'd1: target_chunk = part_1;
            3'd2: target_chunk = part_2;
            3'd3: target_chunk = part_3;
            3'd4: target_chunk = part_4;
            3'd5: target_chunk = part_5;
            default: target_chunk = part_0;
        endcase
    end

    assign sum = {1'b0, target_chunk} + {1'b0, ~previous_chunk} + {5'd0, !borrow};
    assign difference = below ? ~sum[4:0] : sum[4:0];
    assign last_index = below ? last_down : last_up;
    assign is_sent = index <= last_index;
    assign goes_on = index < last_index;
    assign mark = goes_on ? 8'd32 : 8'd64;
    assign is_full = difference == 5'd31;
    assign is_shown = sending & is_sent;

    assign piece =
        !is_shown ? 8'd0 :
        (goes_on || below) ? {3'd0, difference} | mark :
        {3'd0, difference};

    assign piece_bits = is_shown ? {3'd3, !goes_on} : 4'd0;
    assign previous_index = index - 3'd1;
    assign is_even = !(borrow ^ below);
    assign ends = at_last | (has_previous & !is_sent & is_even);
    assign more = !(sending & ends);
    assign restart = !sending & at_end;
    assign previous_write_enable = sending & step;
    assign previous_read_data = previous_cells[index];

    always @(posedge clock) begin
        if (reset) begin
            has_previous <= 1'b0;
            sending <= 1'b0;
            below <= 1'b0;
            borrow <= 1'b0;
            digit_is_nonzero <= 1'b0;
            digit_is_full <= 1'b0;
            nonzero <= 1'b0;
            last_up <= 3'd0;
            last_down <= 3'd0;
        end else begin
            if (step) begin
                borrow <= !sum[5];
                if (!sending) begin
                    digit_is_nonzero <= (|difference) & !at_end;
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
                        below <= difference[4];
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
                    last_up <= 3'd0;
                    last_down <= 3'd0;
                    has_previous <= 1'b1;
                end
            end
        end
    end

    always @(posedge clock) begin
        if (previous_write_enable) begin
            previous_cells[index] <= target_chunk;
        end
    end

endmodule

// Sends a record slot by slot, a large slot piece by piece
module traptor_s2_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid, // without registers it stays until it is taken
    input  wire [56:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [7:0]  piece, // zero above piece_bits
    output reg  [3:0]  piece_bits, // bits of the piece, the first one lowest
    output wire        piece_last, // fill the trace word up with zeros after the piece
    input  wire        piece_ready
);

    reg  [3:0] sent; // stages of the record that are out
    reg  [3:0] index; // the piece of the slot
    wire [8:0] flags; // slots that are sent
    wire [3:0] stages; // stages that send one
    wire [3:0] pending;
    wire [3:0] current; // one hot
    reg  [8:0] active; // one hot: the slot of this cycle
    wire       restart; // from the slot's first piece again
    wire       more; // the slot has more pieces
    wire       is_last; // no slot is left
    wire       outcome_value;
    wire [7:0] branch_count_selector_piece;
    wire [3:0] branch_count_selector_piece_bits;
    wire       branch_count_selector_more;
    wire [7:0] instruction_count_selector_piece;
    wire [3:0] instruction_count_selector_piece_bits;
    wire       instruction_count_selector_more;
    wire       target_difference_step;
    wire [7:0] target_difference_piece;
    wire [3:0] target_difference_piece_bits;
    wire       target_difference_more;
    wire       target_difference_restart;

    traptor_s2_chunk_selector_first3_next1_width11 branch_count_selector (
        .value      (record[20:10]),
        .index      (index),
        .piece      (branch_count_selector_piece),
        .piece_bits (branch_count_selector_piece_bits),
        .more       (branch_count_selector_more)
    );

    traptor_s2_chunk_selector_first2_next2_width17 instruction_count_selector (
        .value      (record[26:10]),
        .index      (index),
        .piece      (instruction_count_selector_piece),
        .piece_bits (instruction_count_selector_piece_bits),
        .more       (instruction_count_selector_more)
    );

    traptor_s2_serial_difference target_difference (
        .clock      (clock),
        .reset      (reset),
        .target     (record[56:27]),
        .index      (index[2:0]),
        .step       (target_difference_step),
        .piece      (target_difference_piece),
        .piece_bits (target_difference_piece_bits),
        .more       (target_difference_more),
        .restart    (target_difference_restart)
    );

    assign flags = {record[8:4], record[0], record[3:1]};

    assign stages = {
        record[8],
        record[6] | record[7],
        record[2] | record[3] | record[0] | record[4] | record[5],
        record[1]
    };

    assign pending = stages & ~sent;
    assign current = pending & (~pending + 4'd1);
    assign is_last = pending == current;

    always @* begin
        active = 9'd0;
        if (current[0]) begin
            active = {8'd0, flags[0]};
        end
        if (current[1]) begin
            active[1] = flags[1];
            active[2] = flags[2];
            active[3] = flags[3];
            active[4] = flags[4];
            active[5] = flags[5];
        end
        if (current[2]) begin
            active[6] = flags[6];
            active[7] = flags[7];
        end
        if (current[3]) begin
            active[8] = flags[8];
        end
    end

    always @* begin
        piece = 8'd0;
        if (active[5]) begin
            piece = branch_count_selector_piece;
        end
        if (active[6]) begin
            piece = piece | instruction_count_selector_piece;
        end
        if (active[8]) begin
            piece = piece | target_difference_piece;
        end
        if (active[0]) begin
            piece = piece | 8'd136;
        end
        if (active[1]) begin
            piece = piece | 8'd136;
        end
        if (active[2]) begin
            piece = piece | 8'd72;
        end
        if (active[3]) begin
            piece = piece | 8'd8;
        end
        if (active[7]) begin
            piece = piece | {7'd0, outcome_value};
        end
    end

    always @* begin
        piece_bits = 4'd0;
        if (active[5]) begin
            piece_bits = branch_count_selector_piece_bits;
        end
        if (active[6]) begin
            piece_bits = piece_bits | instruction_count_selector_piece_bits;
        end
        if (active[8]) begin
            piece_bits = piece_bits | target_difference_piece_bits;
        end
        if (active[0]) begin
            piece_bits = piece_bits | 4'd8;
        end
        if (active[1]) begin
            piece_bits = piece_bits | 4'd8;
        end
        if (active[2]) begin
            piece_bits = piece_bits | 4'd8;
        end
        if (active[3]) begin
            piece_bits = piece_bits | 4'd8;
        end
        if (active[4]) begin
            piece_bits = piece_bits | 4'd4;
        end
        if (active[7]) begin
            piece_bits = piece_bits | 4'd1;
        end
    end

    assign more =
        active[8] ? target_difference_more :
        active[6] ? instruction_count_selector_more :
        active[5] & branch_count_selector_more;

    assign restart = active[8] & target_difference_restart;
    assign target_difference_step = active[8] & (record_valid & piece_ready);
    assign outcome_value = record[9];
    assign piece_valid = record_valid;
    assign piece_last = record[0] & is_last & !more;
    assign record_ready = piece_ready & is_last & !more;

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

// Collects pieces, first bit lowest, until a word is full; on request fills one up with zeros
module traptor_s2_bit_packer (
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
module traptor_s2_fifo_depth10_width8_has_level1 (
    input  wire       clock,
    input  wire       reset,
    input  wire       in_valid,
    input  wire [7:0] in_word,
    output wire       in_ready,
    output wire       out_valid,
    output wire [7:0] out_word,
    input  wire       out_ready,
    output wire [3:0] level // words held
);

    wire [7:0] words_read_data;
    reg  [3:0] write_pointer;
    reg  [3:0] read_pointer;
    reg  [3:0] held;
    wire       is_full;
    wire       puts;
    wire       takes;
    reg  [7:0] words_cells [0:9];

    assign is_full = held == 4'd10;
    assign out_valid = |held;
    assign in_ready = !is_full;
    assign puts = in_valid & in_ready;
    assign takes = out_ready & out_valid;
    assign level = held;
    assign out_word = words_read_data;
    assign words_read_data = words_cells[read_pointer];

    always @(posedge clock) begin
        if (reset) begin
            write_pointer <= 4'd0;
            read_pointer <= 4'd0;
            held <= 4'd0;
        end else begin
            if (puts) begin
                write_pointer <= write_pointer + 4'd1;
                if (write_pointer == 4'd9) begin
                    write_pointer <= 4'd0;
                end
            end
            if (takes) begin
                read_pointer <= read_pointer + 4'd1;
                if (read_pointer == 4'd9) begin
                    read_pointer <= 4'd0;
                end
            end
            if (puts > takes) begin
                held <= held + 4'd1;
            end else if (takes > puts) begin
                held <= held - 4'd1;
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
module traptor_s2_trace_port (
    input  wire       clock,
    input  wire       reset,
    input  wire       word_valid, // the word stays until it is taken
    input  wire [7:0] word,
    output wire       word_ready,
    output wire       trace_valid, // a beat is ready
    output reg        trace_data, // bits of the beat
    input  wire       trace_ready // the sink takes the beat
);

    reg  [2:0] beat;

    assign trace_valid = word_valid;

    always @* begin
        case (beat)
            3'd1: trace_data = word[1];
            3'd2: trace_data = word[2];
            3'd3: trace_data = word[3];
            3'd4: trace_data = word[4];
            3'd5: trace_data = word[5];
            3'd6: trace_data = word[6];
            3'd7: trace_data = word[7];
            default: trace_data = word[0];
        endcase
    end

    assign word_ready = word_valid & trace_ready & (beat == 3'd7);

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

// Records in, beats of the trace out
module traptor_s2_back_end (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [56:0] record,
    output wire        record_ready,
    output wire        is_empty, // no record, piece or trace word is inside
    output wire        trace_data, // trace bits
    output wire        trace_valid, // a beat is ready
    input  wire        trace_ready, // the sink takes the beat
    output wire [3:0]  buffered_words // trace words in the output FIFO
);

    wire        next_valid; // the record that comes to the encoder next
    wire [7:0]  piece; // zero above piece_bits
    wire [3:0]  piece_bits; // bits of the piece, the first one lowest
    wire        piece_last; // fill the trace word up with zeros after the piece
    wire        queue_is_empty;
    wire [56:0] record_queue_out_word;
    wire        serial_encoder_record_ready;
    wire        serial_encoder_piece_valid;
    wire        bit_packer_piece_ready;
    wire        bit_packer_word_valid;
    wire [7:0]  bit_packer_word;
    wire        bit_packer_is_empty;
    wire        output_fifo_in_ready;
    wire        output_fifo_out_valid;
    wire [7:0]  output_fifo_out_word;
    wire        trace_port_word_ready;

    traptor_s2_fifo_depth2_width57 record_queue (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (record_valid),
        .in_word   (record),
        .in_ready  (record_ready),
        .out_valid (next_valid),
        .out_word  (record_queue_out_word),
        .out_ready (serial_encoder_record_ready)
    );

    traptor_s2_serial_encoder serial_encoder (
        .clock        (clock),
        .reset        (reset),
        .record_valid (next_valid),
        .record       (record_queue_out_word),
        .record_ready (serial_encoder_record_ready),
        .piece_valid  (serial_encoder_piece_valid),
        .piece        (piece),
        .piece_bits   (piece_bits),
        .piece_last   (piece_last),
        .piece_ready  (bit_packer_piece_ready)
    );

    traptor_s2_bit_packer bit_packer (
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

    traptor_s2_fifo_depth10_width8_has_level1 output_fifo (
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

    traptor_s2_trace_port trace_port (
        .clock       (clock),
        .reset       (reset),
        .word_valid  (output_fifo_out_valid),
        .word        (output_fifo_out_word),
        .word_ready  (trace_port_word_ready),
        .trace_valid (trace_valid),
        .trace_data  (trace_data),
        .trace_ready (trace_ready)
    );

    assign queue_is_empty = !next_valid;
    assign is_empty = bit_packer_is_empty & queue_is_empty & !output_fifo_out_valid;

endmodule

// Predictors, record former, encoder, buffer and port
module traptor_s2 (
    input  wire        clock,
    input  wire        reset,
    input  wire        retire_valid, // a block retires in this cycle
    input  wire [3:0]  retire_count, // instructions of the block
    input  wire [31:0] retire_pc, // byte address of the last instruction
    input  wire [3:0]  retire_length, // length of the last instruction in bytes
    input  wire [2:0]  retire_kind, // 0 sequential, 1 jump, 2 conditional, 3 indirect, 4 indirect conditional, 5 exception
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
    output wire [3:0]  buffered_words // trace words in the output FIFO
);

    wire        sequencer_is_empty;
    wire        sequencer_tracing;
    wire        sequencer_record_flush;
    wire        sequencer_clear_valid;
    wire [7:0]  sequencer_clear_index;
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
    wire [7:0]  encoder_swept;
    wire        back_end_record_ready;
    wire        back_end_is_empty;

    traptor_s2_sequencer sequencer (
        .clock        (clock),
        .reset        (reset),
        .flush        (flush),
        .ready        (encoder_ready),
        .is_empty     (sequencer_is_empty),
        .tracing      (sequencer_tracing),
        .record_flush (sequencer_record_flush),
        .flushed      (flushed),
        .swept        (encoder_swept),
        .clear_valid  (sequencer_clear_valid),
        .clear_index  (sequencer_clear_index)
    );

    traptor_s2_retire_decoder retire_decoder (
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

    traptor_s2_encoder encoder (
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

    traptor_s2_back_end back_end (
        .clock          (clock),
        .reset          (reset),
        .record_valid   (encoder_record_valid),
        .record         (encoder_record),
        .record_ready   (back_end_record_ready),
        .is_empty       (back_end_is_empty),
        .trace_data     (trace_data),
        .trace_valid    (trace_valid),
        .trace_ready    (trace_ready),
        .buffered_words (buffered_words)
    );

    assign sequencer_is_empty = encoder_is_empty & back_end_is_empty;
    assign stall = !(sequencer_tracing & encoder_ready);
    assign retire_decoder_take = !stall;
    assign encoder_flush = sequencer_record_flush & encoder_ready;

endmodule
