// traptor-m4-unit of Tracewright, made by `tracewright generate`.
//   address_width = 32
//   alignment = 1
//   retire_count_bits = 4
//   trace_port_width = 8
//   fifo_bits = 79
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   framing = packets
//   sync_interval = 1048576
//   sync_bytes = 1024
//   sync_keeps_tables = false
//   background_clearing = false
//   when_full = stall
//   enable_pin = true
//   checksum_bits = 0
//   sequence_bits = 8
//   context_bits = 0
//   privilege_bits = 0
//   cause_bits = 0
//   time_bits = 0
//   time_source = counter
//   gshare_entries = 512
//   gshare_history_bits = 9
//   pc_shift = 4
//   return_address_stack_depth = 8
//   indirect_branch_target_buffer_entries = 64
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   indirect_branch_target_buffer_replacement = least-recently-used
//   path_history_bits = 13
//   elided_upper_bits = 12
//   branch_count_bits = 11
//   branch_count_first_chunk = 3
//   branch_count_next_chunk = 2
//   instruction_count_bits = 17
//   instruction_count_first_chunk = 2
//   instruction_count_next_chunk = 2
//   target_first_chunk = 3
//   target_next_chunk = 7
//   outcome_bit_for_jumps = true
//   memory_style = asynchronous

// Clears the tables after reset, and takes the module through a flush
module traptor_m4_unit_sequencer (
    input  wire       clock,
    input  wire       reset,
    input  wire       flush, // level: the trace ends here
    input  wire       ready, // the compressor takes a block or a flush in this cycle
    input  wire       is_empty, // no record and no bit is left in the module
    output wire       tracing, // blocks are taken while the compressor is ready
    output wire       record_flush, // the compressor makes its flush record when it is ready
    output wire       flushed, // every bit of the trace has left the module
    input  wire       discard, // a flush ends without what is in the module, as soon as the tables are clear
    output wire       discards, // what is in the module is discarded in this cycle
    input  wire [8:0] swept, // the entry to clear, where the compressor counts
    input  wire       restart, // clear the tables again
    output wire       is_on, // no flush has begun
    output wire       clear_valid, // the tables are being cleared
    output wire [8:0] clear_index // the entry to clear, in the lower bits
);

    localparam [1:0] STATE_TRACING = 2'd0; // the state after reset
    localparam [1:0] STATE_RECORDING = 2'd1;
    localparam [1:0] STATE_DRAINING = 2'd2;
    localparam [1:0] STATE_FLUSHED = 2'd3;

    reg        clearing;
    reg  [1:0] state;
    reg        discarding; // a discard that came before the flush could begin

    assign clear_valid = clearing;
    assign clear_index = swept;
    assign is_on = state == STATE_TRACING;
    assign tracing = (state == STATE_TRACING) & !clearing;
    assign record_flush = state == STATE_RECORDING;
    assign flushed = state == STATE_FLUSHED;
    assign discards = (discard | discarding) & ((state == STATE_RECORDING) | (state == STATE_DRAINING));

    always @(posedge clock) begin
        if (reset) begin
            clearing <= 1'b1;
            state <= STATE_TRACING;
            discarding <= 1'b0;
        end else begin
            if (&swept) begin
                clearing <= 1'b0;
            end
            if (restart) begin
                clearing <= 1'b1;
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
            discarding <= 1'b0;
            if (state == STATE_TRACING) begin
                discarding <= (discard | discarding) & flush;
            end
            if (discards) begin
                state <= STATE_FLUSHED;
            end
        end
    end

endmodule

// Hands the block of this cycle to the compressor if it is taken
module traptor_m4_unit_retire_decoder (
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

// Counts instructions, keeps the address of the last one, and asks the compressor for a flush record where a packet ends
module traptor_m4_unit_synchroniser (
    input  wire        clock,
    input  wire        reset,
    input  wire        retire_valid, // the block at the pins; valid if it is taken
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
    input  wire        is_shown, // a block is at the pins, taken or not
    input  wire        sync_request, // a synchronisation is due
    input  wire        word_leaves, // a word of the trace leaves the module
    input  wire        trace_ends, // the trace ends here
    input  wire        is_off, // tracing is off
    input  wire        discards, // what is in the module is discarded
    output wire        skips, // blocks are lost until the trace goes on
    input  wire        is_clearing, // the tables are being cleared
    input  wire        ready, // the compressor can make a flush record
    input  wire        is_empty, // the compressor is empty, and what is after it and the tables can be restarted
    output wire        accepts, // blocks may be taken
    output wire        flush, // the compressor makes its flush record in this cycle
    output wire        ends, // the flush record of this cycle ends the trace
    output wire        restart, // the tables and the registers of the compressor are cleared
    output wire        hides_address, // the first block of a packet does not follow an instruction that its decoder knows
    output reg         synchronised, // a packet begins after a synchronisation or a loss
    output wire        header_valid,
    output wire [63:0] header,
    input  wire        header_ready
);

    localparam [2:0] PHASE_CLOSED = 3'd0; // no packet is open, as after reset
    localparam [2:0] PHASE_OPEN = 3'd1;
    localparam [2:0] PHASE_DUE = 3'd2; // the packet ends as soon as the compressor can make its flush record
    localparam [2:0] PHASE_EMPTYING = 3'd3; // the compressor has records
    localparam [2:0] PHASE_CLEARING = 3'd4;
    localparam [2:0] PHASE_HEADING = 3'd5; // the next packet begins as soon as its header can wait, and no block is lost
    localparam [1:0] KIND_START = 2'd0; // the first packet after reset
    localparam [1:0] KIND_SYNCHRONISATION = 2'd1;
    localparam [1:0] KIND_AFTER_LOSS = 2'd2;
    localparam [1:0] KIND_END = 2'd3;
    localparam [1:0] CAUSE_NO_ROOM = 2'd0;
    localparam [1:0] CAUSE_OFF = 2'd1;
    localparam [1:0] CAUSE_NOT_READY = 2'd2;
    localparam [1:0] CAUSE_DISCARDED = 2'd3;

    reg  [2:0]  phase;
    reg         is_requested;
    reg  [20:0] instructions; // instructions since the last synchronisation; the highest bit says that the interval is over
    reg  [10:0] words; // words that have left since the last synchronisation; the highest bit says that they are as many as make the next one due
    reg         has_retired; // something has retired since reset
    reg         is_after; // the flow did not change at the last instruction
    reg  [30:0] address; // in instruction units: where the flow changed to, or the last instruction
    reg         is_restarted; // the compressor was cleared and has taken no block since then
    reg         is_ended; // the trace has ended, and no packet has begun since then
    reg         is_losing; // blocks were lost since the last packet
    reg  [15:0] lost;
    reg  [1:0]  cause;
    reg         waiting_valid;
    reg  [1:0]  waiting_kind;
    reg         waiting_is_after;
    reg  [30:0] waiting_address;
    reg  [15:0] waiting_lost;
    reg  [1:0]  waiting_cause;
    wire [63:0] formed;
    wire        is_branch;
    wire        changes_flow;
    wire        may_change_flow;
    wire        is_lost; // a block retires and is not taken
    wire        next_is_after;
    wire [30:0] next_address;
    wire [20:0] counted;
    wire        requested;
    wire        is_due;
    wire [16:0] sum;
    wire [15:0] next_lost;
    wire [1:0]  next_cause;
    wire        loses;

    assign is_branch = retire_direct | retire_indirect;
    assign changes_flow = retire_exception | (is_branch & retire_taken);
    assign may_change_flow = is_branch | retire_exception;
    assign is_lost = is_shown & !retire_valid;
    assign next_is_after = is_shown ? !changes_flow : is_after;

    assign next_address =
        !is_shown ? address :
        changes_flow ? retire_target[31:1] :
        retire_pc[31:1];

    assign requested = is_requested | sync_request;
    assign is_due = requested | counted[20] | words[10];
    assign counted = instructions[20] ? instructions : instructions + {17'd0, retire_count};
    assign loses = is_losing | is_lost;

    assign next_lost =
        !is_lost ? lost :
        sum[16] ? 16'hffff :
        sum[15:0];

    assign next_cause =
        (!is_lost || is_losing) ? cause :
        is_off ? CAUSE_OFF :
        (phase == PHASE_OPEN) ? CAUSE_NO_ROOM :
        CAUSE_NOT_READY;

    assign sum = is_losing ? {1'b0, lost} + {13'd0, retire_count} : {13'd0, retire_count};
    assign accepts = ((phase == PHASE_CLOSED) | (phase == PHASE_OPEN)) & !is_losing;

    assign flush =
        (phase == PHASE_OPEN) ? trace_ends & (ready & !waiting_valid) :
        (phase == PHASE_DUE) & ready;

    assign ends = (phase == PHASE_OPEN) & (trace_ends & (ready & !waiting_valid));

    always @* begin
        synchronised = 1'b0;
        case (phase)
            PHASE_CLOSED, PHASE_OPEN, PHASE_DUE, PHASE_EMPTYING, PHASE_CLEARING: ;
            default: begin
                if (!waiting_valid) begin
                    synchronised = 1'b1;
                    if (loses) begin
                        synchronised = is_restarted & (trace_ends | (is_lost & may_change_flow & ready & !is_off));
                    end
                end
            end
        endcase
    end

    assign restart = (phase == PHASE_EMPTYING) & is_empty;
    assign hides_address = is_restarted;
    assign skips = is_losing;

    assign formed = {
        waiting_address,
        waiting_is_after,
        waiting_cause,
        waiting_lost,
        8'd0,
        waiting_kind,
        (waiting_kind == KIND_SYNCHRONISATION) | (waiting_kind == KIND_AFTER_LOSS),
        waiting_kind == KIND_AFTER_LOSS,
        1'b1,
        waiting_kind == KIND_END
    };

    assign header_valid = waiting_valid;
    assign header = formed;

    always @(posedge clock) begin
        if (reset) begin
            phase <= PHASE_CLOSED;
            is_requested <= 1'b0;
            instructions <= 21'd0;
            words <= 11'd0;
            has_retired <= 1'b0;
            is_after <= 1'b0;
            address <= 31'd0;
            is_restarted <= 1'b0;
            is_ended <= 1'b0;
            is_losing <= 1'b0;
            lost <= 16'd0;
            cause <= 2'd0;
            waiting_valid <= 1'b0;
        end else begin
            if (is_shown) begin
                has_retired <= 1'b1;
            end
            is_after <= next_is_after;
            address <= next_address;
            is_requested <= requested;
            if (retire_valid) begin
                instructions <= counted;
            end
            if (word_leaves && !words[10]) begin
                words <= words + 11'd1;
            end
            lost <= next_lost;
            cause <= next_cause;
            is_losing <= loses;
            if (header_ready) begin
                waiting_valid <= 1'b0;
            end
            if (retire_valid) begin
                is_restarted <= 1'b0;
            end
            case (phase)
                PHASE_CLOSED: begin
                    if (loses) begin
                        phase <= PHASE_EMPTYING;
                    end else if ((retire_valid | trace_ends) && !waiting_valid) begin
                        waiting_valid <= 1'b1;
                        is_requested <= 1'b0;
                        words <= 11'd0;
                        phase <= PHASE_OPEN;
                        is_ended <= 1'b0;
                    end
                end
                PHASE_OPEN: begin
                    if (trace_ends) begin
                        if (ready && !waiting_valid) begin
                            waiting_valid <= 1'b1;
                            instructions <= 21'd0;
                            phase <= PHASE_CLOSED;
                            is_ended <= 1'b1;
                            phase <= PHASE_EMPTYING;
                        end
                    end else if (is_lost || (retire_valid & may_change_flow & is_due)) begin
                        phase <= PHASE_DUE;
                    end
                end
                PHASE_DUE: begin
                    if (ready) begin
                        phase <= PHASE_EMPTYING;
                    end
                end
                PHASE_EMPTYING: begin
                    if (is_empty) begin
                        is_restarted <= 1'b1;
                        phase <= PHASE_CLEARING;
                    end
                end
                PHASE_CLEARING: begin
                    if (!is_clearing) begin
                        phase <= PHASE_HEADING;
                        if (is_ended && !loses) begin
                            phase <= PHASE_CLOSED;
                        end
                    end
                end
                default: begin
                    if (!waiting_valid) begin
                        if (loses) begin
                            if (!is_restarted) begin
                                phase <= PHASE_EMPTYING;
                            end
                        end
                        if (synchronised) begin
                            waiting_valid <= 1'b1;
                            is_requested <= 1'b0;
                            is_losing <= 1'b0;
                            is_ended <= 1'b0;
                            instructions <= 21'd0;
                            words <= 11'd0;
                            phase <= PHASE_OPEN;
                        end
                    end
                end
            endcase
            if (discards) begin
                waiting_valid <= 1'b0;
                is_losing <= 1'b1;
                lost <= 16'hffff;
                cause <= CAUSE_DISCARDED;
                is_ended <= 1'b1;
                phase <= PHASE_EMPTYING;
            end
        end
    end

    always @(posedge clock) begin
        case (phase)
            PHASE_CLOSED: begin
                if (!loses) begin
                    if ((retire_valid | trace_ends) && !waiting_valid) begin
                        waiting_is_after <= is_after;
                        waiting_address <= address;
                        waiting_kind <= KIND_SYNCHRONISATION;
                        if (!has_retired) begin
                            waiting_kind <= KIND_START;
                        end
                    end
                end
            end
            PHASE_OPEN: begin
                if (trace_ends) begin
                    if (ready && !waiting_valid) begin
                        waiting_kind <= KIND_END;
                    end
                end
            end
            PHASE_DUE, PHASE_EMPTYING, PHASE_CLEARING: ;
            default: begin
                if (!waiting_valid) begin
                    waiting_is_after <= next_is_after;
                    waiting_address <= next_address;
                    waiting_kind <= KIND_SYNCHRONISATION;
                    waiting_lost <= next_lost;
                    waiting_cause <= next_cause;
                    if (loses) begin
                        waiting_kind <= KIND_AFTER_LOSS;
                    end
                end
            end
        endcase
    end

    wire _unused_ok = &{
        1'b0,
        retire_pc[0],
        retire_length,
        retire_conditional,
        retire_call,
        retire_return,
        retire_target[0]
    };

endmodule

// A memory with one read port and one write port, cleared entry by entry
module traptor_m4_unit_table_memory_entries512_width2 (
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
module traptor_m4_unit_predictor_table_entries512_width2 (
    input  wire       clock,
    input  wire       clear_valid, // the tables are being cleared
    input  wire [8:0] clear_index, // the entry to clear, in the lower bits
    input  wire [1:0] clear_entry, // value of a cleared entry
    input  wire [8:0] index, // the entry to read
    output wire [1:0] entry, // value of the entry read
    input  wire       learn, // the entry takes a new value
    input  wire [1:0] learned // the new value
);

    traptor_m4_unit_table_memory_entries512_width2 memory (
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
module traptor_m4_unit_gshare (
    input  wire        clock,
    input  wire        reset,
    input  wire        restart_registers,
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

    traptor_m4_unit_predictor_table_entries512_width2 counters (
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
        if (reset || restart_registers) begin
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
module traptor_m4_unit_return_address_stack (
    input  wire        clock,
    input  wire        reset,
    input  wire        restart_registers,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [8:0]  clear_index, // the entry to clear, in the lower bits
    input  wire        pop, // a taken return retires
    input  wire        push, // a taken call retires
    input  wire [18:0] return_address, // return address of the call: the bits that an entry keeps
    output wire [18:0] top // predicted target of a return
);

    reg  [2:0]  pointer;
    wire [2:0]  pointer_next;
    wire [18:0] entries_read_data;
    wire        entries_write_enable;
    wire [2:0]  entries_write_address;
    wire [18:0] entries_write_data;
    reg  [18:0] entries_cells [0:7];

    assign pointer_next =
        (push > pop) ? pointer + 3'd1 :
        (pop > push) ? pointer - 3'd1 :
        pointer;

    assign top = entries_read_data;
    assign entries_write_enable = push | clear_valid;
    assign entries_write_address = clear_valid ? clear_index[2:0] : pointer_next;
    assign entries_write_data = clear_valid ? 19'd0 : return_address;
    assign entries_read_data = entries_cells[pointer];

    always @(posedge clock) begin
        if (reset || restart_registers) begin
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

// From a set's order and the way now used, the way to replace and the order afterwards
module traptor_m4_unit_recency (
    input  wire       order, // the order as stored, one bit per pair of ways
    input  wire [1:0] used, // one hot
    output wire [1:0] oldest, // one hot
    output wire       order_next // the order to store
);

    assign order_next = used[0] | (!used[1] & order);
    assign oldest = {order, !order};

endmodule

// A memory with one read port and one write port, cleared entry by entry
module traptor_m4_unit_table_memory_entries32_width1 (
    input  wire       clock,
    input  wire       clear_valid, // the tables are being cleared
    input  wire [4:0] clear_index, // the entry to clear, in the lower bits
    input  wire       clear_entry, // what a cleared entry holds
    input  wire [4:0] index, // the entry to read
    output wire       entry,
    input  wire       write,
    input  wire [4:0] write_index,
    input  wire       written
);

    wire       writes;
    wire [4:0] changed_index; // the entry that is written
    wire       entries_read_data;
    wire       entries_write_data;
    reg        entries_cells [0:31];

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
module traptor_m4_unit_predictor_table_entries32_width1 (
    input  wire       clock,
    input  wire       clear_valid, // the tables are being cleared
    input  wire [4:0] clear_index, // the entry to clear, in the lower bits
    input  wire       clear_entry, // value of a cleared entry
    input  wire [4:0] index, // the entry to read
    output wire       entry, // value of the entry read
    input  wire       learn, // the entry takes a new value
    input  wire       learned // the new value
);

    traptor_m4_unit_table_memory_entries32_width1 memory (
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
module traptor_m4_unit_table_memory_entries32_width27 (
    input  wire        clock,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [4:0]  clear_index, // the entry to clear, in the lower bits
    input  wire [26:0] clear_entry, // what a cleared entry holds
    input  wire [4:0]  index, // the entry to read
    output wire [26:0] entry,
    input  wire        write,
    input  wire [4:0]  write_index,
    input  wire [26:0] written
);

    wire        writes;
    wire [4:0]  changed_index; // the entry that is written
    wire [26:0] entries_read_data;
    wire [26:0] entries_write_data;
    reg  [26:0] entries_cells [0:31];

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
module traptor_m4_unit_way (
    input  wire        clock,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [4:0]  clear_index, // the entry to clear, in the lower bits
    input  wire [4:0]  set,
    input  wire [7:0]  tag,
    input  wire [18:0] target, // actual target
    input  wire        learn,
    input  wire [4:0]  learn_set,
    input  wire [7:0]  learned_tag,
    input  wire [18:0] learned_target,
    output wire        hits,
    output wire        is_wrong
);

    wire        entry_matches;
    wire        entry_is_wrong;
    wire [26:0] entries_entry;

    traptor_m4_unit_table_memory_entries32_width27 entries (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .clear_entry (27'd0),
        .index       (set),
        .entry       (entries_entry),
        .write       (learn),
        .write_index (learn_set),
        .written     ({learned_tag, learned_target})
    );

    assign entry_matches = entries_entry[26:19] == tag;
    assign entry_is_wrong = entries_entry[18:0] != target;
    assign hits = entry_matches;
    assign is_wrong = entry_is_wrong;

endmodule

// Predicts and learns the target of one indirect branch per cycle
module traptor_m4_unit_indirect_branch_target_buffer (
    input  wire        clock,
    input  wire        reset,
    input  wire        restart_registers,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [8:0]  clear_index, // the entry to clear, in the lower bits
    input  wire        update_path, // a conditional or indirect branch retires
    input  wire [31:0] program_counter, // address of the branch
    input  wire        taken, // outcome of the branch
    input  wire [18:0] target, // actual target, in the cycle after that of the address where tables are read through registers
    input  wire        learn, // a taken branch that uses the buffer is predicted, in the cycle of hit and is_wrong
    output wire        hit, // the tag of a way matches
    output reg         is_wrong // that way holds another target
);

    reg  [12:0] path_history;
    wire [4:0]  set;
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

    traptor_m4_unit_recency recency (
        .order      (order_entry),
        .used       (used),
        .oldest     (victim),
        .order_next (recency_order_next)
    );

    traptor_m4_unit_predictor_table_entries32_width1 order (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (clear_index[4:0]),
        .clear_entry (1'b0),
        .index       (set),
        .entry       (order_entry),
        .learn       (learn),
        .learned     (recency_order_next)
    );

    traptor_m4_unit_way ways_0 (
        .clock          (clock),
        .clear_valid    (clear_valid),
        .clear_index    (clear_index[4:0]),
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

    traptor_m4_unit_way ways_1 (
        .clock          (clock),
        .clear_valid    (clear_valid),
        .clear_index    (clear_index[4:0]),
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

    assign set = path_history[12:8] ^ program_counter[8:4];
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
        if (reset || restart_registers) begin
            path_history <= 13'd0;
        end else begin
            if (update_path) begin
                path_history <= ({path_history[10:0], 2'd0} ^ program_counter[16:4]) | {12'd0, taken};
            end
        end
    end

    wire _unused_ok = &{1'b0, clear_index[8:5], program_counter[3:0], program_counter[31:18]};

endmodule

// Keeps the upper bits of the last taken indirect branch's target
module traptor_m4_unit_last_value_predictor (
    input  wire        clock,
    input  wire        reset,
    input  wire        restart_registers,
    input  wire        update, // a taken indirect branch retires
    input  wire [11:0] target_upper, // upper bits of its target
    output wire [11:0] predicted_upper // predicted upper bits
);

    reg  [11:0] upper;

    assign predicted_upper = upper;

    always @(posedge clock) begin
        if (reset || restart_registers) begin
            upper <= 12'd0;
        end else begin
            if (update) begin
                upper <= target_upper;
            end
        end
    end

endmodule

// The return address stack, the indirect branch target buffer, and the upper bits they share
module traptor_m4_unit_target_predictor (
    input  wire        clock,
    input  wire        reset,
    input  wire        restart_registers,
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
    input  wire [30:0] target, // in instruction units
    output reg         missed // no table has the target; a cycle later where tables are read through registers
);

    wire [18:0] lower; // bits of the target that the tables hold
    wire [11:0] upper;
    wire        buffer_learns;
    wire        stack_is_wrong;
    wire        upper_is_wrong;
    wire [18:0] path_return_address;
    wire        return_address_stack_pop;
    wire        return_address_stack_push;
    wire [18:0] return_address_stack_top;
    wire        indirect_branch_target_buffer_hit;
    wire        indirect_branch_target_buffer_is_wrong;
    wire        last_value_predictor_update;
    wire [11:0] last_value_predictor_predicted_upper;

    traptor_m4_unit_return_address_stack return_address_stack (
        .clock             (clock),
        .reset             (reset),
        .restart_registers (restart_registers),
        .clear_valid       (clear_valid),
        .clear_index       (clear_index),
        .pop               (return_address_stack_pop),
        .push              (return_address_stack_push),
        .return_address    (path_return_address),
        .top               (return_address_stack_top)
    );

    traptor_m4_unit_indirect_branch_target_buffer indirect_branch_target_buffer (
        .clock             (clock),
        .reset             (reset),
        .restart_registers (restart_registers),
        .clear_valid       (clear_valid),
        .clear_index       (clear_index),
        .update_path       (update_path),
        .program_counter   (program_counter),
        .taken             (path_taken),
        .target            (lower),
        .learn             (buffer_learns),
        .hit               (indirect_branch_target_buffer_hit),
        .is_wrong          (indirect_branch_target_buffer_is_wrong)
    );

    traptor_m4_unit_last_value_predictor last_value_predictor (
        .clock             (clock),
        .reset             (reset),
        .restart_registers (restart_registers),
        .update            (last_value_predictor_update),
        .target_upper      (upper),
        .predicted_upper   (last_value_predictor_predicted_upper)
    );

    assign lower = target[18:0];

    always @* begin
        missed = !indirect_branch_target_buffer_hit | indirect_branch_target_buffer_is_wrong;
        if (is_return) begin
            missed = stack_is_wrong;
        end
        missed = missed | upper_is_wrong;
    end

    assign path_return_address = program_counter[19:1] + {16'd0, length[3:1]};
    assign buffer_learns = update & indirect & taken & !is_return;
    assign return_address_stack_pop = update & is_return & taken;
    assign return_address_stack_push = update & call & taken;
    assign stack_is_wrong = return_address_stack_top != lower;
    assign last_value_predictor_update = update & indirect & taken;
    assign upper = target[30:19];
    assign upper_is_wrong = last_value_predictor_predicted_upper != upper;

    wire _unused_ok = &{1'b0, length[0]};

endmodule

// Counts every block and forms at most one record per cycle
module traptor_m4_unit_record_former (
    input  wire        clock,
    input  wire        reset,
    input  wire        restart_registers,
    input  wire        retire, // a block retires
    input  wire [3:0]  count, // its instructions
    input  wire        control_flow, // its last instruction may change the flow
    input  wire        counted, // conditional or indirect
    input  wire        conditional,
    input  wire        indirect,
    input  wire        exception,
    input  wire        taken,
    input  wire [30:0] target, // in instruction units
    input  wire        missed, // outcome or target was not predicted
    input  wire        flush, // make a flush record
    input  wire        clearing, // the tables are being cleared; no block retires
    output wire [8:0]  swept, // the entry to clear
    output wire        record_valid,
    output wire [57:0] record
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
        if (reset || restart_registers) begin
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
module traptor_m4_unit_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [8:0]  clear_index, // the entry to clear, in the lower bits
    input  wire        restart_registers, // every register takes the value that it has after a reset
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
    output wire [57:0] record,
    input  wire        record_ready,
    output wire [8:0]  swept // the entry to clear, where the instruction counter numbers them
);

    wire        flags_control_flow;
    wire [30:0] target_units; // in instruction units
    wire        missed;
    wire        gshare_update;
    wire        gshare_predicted_taken;
    wire        gshare_learn;
    wire        target_predictor_update_path;
    wire        target_predictor_update;
    wire        target_predictor_missed;
    wire        record_former_counted;

    traptor_m4_unit_gshare gshare (
        .clock             (clock),
        .reset             (reset),
        .restart_registers (restart_registers),
        .clear_valid       (clear_valid),
        .clear_index       (clear_index),
        .update            (gshare_update),
        .program_counter   (retire_pc),
        .taken             (retire_taken),
        .predicted_taken   (gshare_predicted_taken),
        .learn             (gshare_learn),
        .outcome           (retire_taken)
    );

    traptor_m4_unit_target_predictor target_predictor (
        .clock             (clock),
        .reset             (reset),
        .restart_registers (restart_registers),
        .clear_valid       (clear_valid),
        .clear_index       (clear_index),
        .update_path       (target_predictor_update_path),
        .path_taken        (retire_taken),
        .program_counter   (retire_pc),
        .length            (retire_length),
        .update            (target_predictor_update),
        .indirect          (retire_indirect),
        .call              (retire_call),
        .is_return         (retire_return),
        .taken             (retire_taken),
        .target            (target_units),
        .missed            (target_predictor_missed)
    );

    traptor_m4_unit_record_former record_former (
        .clock             (clock),
        .reset             (reset),
        .restart_registers (restart_registers),
        .retire            (retire_valid),
        .count             (retire_count),
        .control_flow      (flags_control_flow),
        .counted           (record_former_counted),
        .conditional       (retire_conditional),
        .indirect          (retire_indirect),
        .exception         (retire_exception),
        .taken             (retire_taken),
        .target            (target_units),
        .missed            (missed),
        .flush             (flush),
        .clearing          (clear_valid),
        .swept             (swept),
        .record_valid      (record_valid),
        .record            (record)
    );

    assign ready = record_ready;
    assign target_units = retire_target[31:1];
    assign flags_control_flow = retire_direct | retire_indirect | retire_exception;
    assign gshare_update = retire_valid & retire_conditional;
    assign target_predictor_update_path = retire_valid & (retire_conditional | retire_indirect);
    assign gshare_learn = retire_valid & retire_conditional;
    assign target_predictor_update = retire_valid & flags_control_flow & !retire_exception;
    assign missed = (retire_conditional & (gshare_predicted_taken ^ retire_taken)) | (retire_indirect & retire_taken & target_predictor_missed);
    assign is_empty = 1'b1;
    assign record_former_counted = retire_conditional | retire_indirect;

    wire _unused_ok = &{1'b0, retire_target[0]};

endmodule

// Words in their order, the oldest shown at once: depth words of width bits
module traptor_m4_unit_fifo_depth2_width58 (
    input  wire        clock,
    input  wire        reset,
    input  wire        restart_registers,
    input  wire        in_valid,
    input  wire [57:0] in_word,
    output wire        in_ready,
    output wire        out_valid,
    output wire [57:0] out_word,
    input  wire        out_ready
);

    wire [57:0] words_read_data;
    reg         write_pointer;
    reg         read_pointer;
    reg         is_filled; // more words came than went since the pointers were equal last
    wire        is_full;
    wire        puts;
    wire        takes;
    reg  [57:0] words_cells [0:1];

    assign is_full = (write_pointer == read_pointer) & is_filled;
    assign out_valid = (write_pointer != read_pointer) | is_filled;
    assign in_ready = !is_full;
    assign puts = in_valid & in_ready;
    assign takes = out_ready & out_valid;
    assign out_word = words_read_data;
    assign words_read_data = words_cells[read_pointer];

    always @(posedge clock) begin
        if (reset || restart_registers) begin
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
module traptor_m4_unit_chunk_selector_first3_next2_width11 (
    input  wire [10:0] value, // the number
    input  wire [2:0]  index, // number of the chunk, 0 for the first
    output reg  [8:0]  piece, // chunk and continuation bit
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
            3'd0: piece = {5'd0, |value[10:3], chunk_0};
            3'd1: piece = {6'd0, |value[10:5], chunk_1};
            3'd2: piece = {6'd0, |value[10:7], chunk_2};
            3'd3: piece = {6'd0, |value[10:9], chunk_3};
            3'd4: piece = {7'd0, chunk_4};
            default: piece = 9'd0;
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
module traptor_m4_unit_chunk_selector_first2_next2_width17 (
    input  wire [16:0] value, // the number
    input  wire [3:0]  index, // number of the chunk, 0 for the first
    output reg  [8:0]  piece, // chunk and continuation bit
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
            4'd0: piece = {6'd0, |value[16:2], chunk_0};
            4'd1: piece = {6'd0, |value[16:4], chunk_1};
            4'd2: piece = {6'd0, |value[16:6], chunk_2};
            4'd3: piece = {6'd0, |value[16:8], chunk_3};
            4'd4: piece = {6'd0, |value[16:10], chunk_4};
            4'd5: piece = {6'd0, |value[16:12], chunk_5};
            4'd6: piece = {6'd0, |value[16:14], chunk_6};
            4'd7: piece = {6'd0, value[16], chunk_7};
            4'd8: piece = {7'd0, chunk_8};
            default: piece = 9'd0;
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
module traptor_m4_unit_serial_difference (
    input  wire        clock,
    input  wire        reset,
    input  wire        restart_registers,
    input  wire [30:0] target, // in instruction units
    input  wire [2:0]  index, // the chunk
    input  wire        step, // the piece is taken
    output wire [8:0]  piece, // chunk and continuation bit, at last the sign
    output wire [3:0]  piece_bits, // bits of the piece
    output wire        more, // more pieces follow
    output wire        restart // from chunk 0 again
);

    wire [6:0] previous_read_data;
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
    reg  [6:0] target_chunk;
    wire [2:0] part_0;
    wire [6:0] part_1;
    wire [6:0] part_2;
    wire [6:0] part_3;
    wire [6:0] part_4;
    wire [6:0] previous_chunk;
    wire [7:0] sum;
    wire [6:0] difference;
    wire [6:0] digit;
    reg  [6:0] digit_bits; // bits of the chunk
    wire       is_shown; // it is sent in this step
    reg  [8:0] mark; // what follows the digit: the continuation bit or the sign
    reg  [3:0] size;
    wire       is_full;
    wire       is_even;
    wire       ends;
    wire       at_last;
    wire       at_end;
    wire [2:0] previous_index;
    wire       is_sent;
    wire       goes_on;
    reg  [6:0] previous_cells [0:4];

    assign at_last = index == 3'd4;
    assign at_end = index == 3'd5;
    assign part_0 = target[2:0];
    assign part_1 = target[9:3];
    assign part_2 = target[16:10];
    assign part_3 = target[23:17];
    assign part_4 = target[30:24];
    assign previous_chunk = has_previous ? previous_read_data : 7'd0;

    always @* begin
        case (index)
            3'd1: target_chunk = part_1;
            3'd2: target_chunk = part_2;
            3'd3: target_chunk = part_3;
            3'd4: target_chunk = part_4;
            default: target_chunk = {4'd0, part_0};
        endcase
    end

    assign sum = {1'b0, target_chunk} + {1'b0, ~previous_chunk} + {7'd0, !borrow};
    assign difference = below ? ~sum[6:0] : sum[6:0];
    assign last_index = below ? last_down : last_up;
    assign is_sent = index <= last_index;
    assign goes_on = index < last_index;

    always @* begin
        case (index)
            3'd1, 3'd2, 3'd3, 3'd4: digit_bits = 7'd127;
            default: digit_bits = 7'd7;
        endcase
    end

    always @* begin
        case (index)
            3'd1, 3'd2, 3'd3, 3'd4: begin
                mark = 9'd128;
                if (!goes_on) begin
                    mark = 9'd256;
                end
            end
            default: begin
                mark = 9'd8;
                if (!goes_on) begin
                    mark = 9'd16;
                end
            end
        endcase
    end

    always @* begin
        case (index)
            3'd1, 3'd2, 3'd3, 3'd4: size = 4'd8;
            default: size = 4'd4;
        endcase
    end

    assign digit = difference & digit_bits;
    assign is_full = digit == digit_bits;
    assign is_shown = sending & is_sent;

    assign piece =
        !is_shown ? 9'd0 :
        (goes_on || below) ? {2'd0, digit} | mark :
        {2'd0, digit};

    assign piece_bits = is_shown ? size + {3'd0, !goes_on} : 4'd0;
    assign previous_index = index - 3'd1;
    assign is_even = !(borrow ^ below);
    assign ends = at_last | (has_previous & !is_sent & is_even);
    assign more = !(sending & ends);
    assign restart = !sending & at_end;
    assign previous_write_enable = sending & step;
    assign previous_read_data = previous_cells[index];

    always @(posedge clock) begin
        if (reset || restart_registers) begin
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
                borrow <= !sum[7];
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
                        below <= difference[6];
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
module traptor_m4_unit_serial_encoder_slots9_record_bits58_most_bits121 (
    input  wire        clock,
    input  wire        reset,
    input  wire        restart_registers, // every register takes the value that it has after a reset
    input  wire        record_valid, // without registers it stays until it is taken
    input  wire [57:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [8:0]  piece, // zero above piece_bits
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
    wire [8:0] branch_count_selector_piece;
    wire [3:0] branch_count_selector_piece_bits;
    wire       branch_count_selector_more;
    wire [8:0] instruction_count_selector_piece;
    wire [3:0] instruction_count_selector_piece_bits;
    wire       instruction_count_selector_more;
    wire       target_difference_step;
    wire [8:0] target_difference_piece;
    wire [3:0] target_difference_piece_bits;
    wire       target_difference_more;
    wire       target_difference_restart;

    traptor_m4_unit_chunk_selector_first3_next2_width11 branch_count_selector (
        .value      (record[20:10]),
        .index      (index[2:0]),
        .piece      (branch_count_selector_piece),
        .piece_bits (branch_count_selector_piece_bits),
        .more       (branch_count_selector_more)
    );

    traptor_m4_unit_chunk_selector_first2_next2_width17 instruction_count_selector (
        .value      (record[26:10]),
        .index      (index),
        .piece      (instruction_count_selector_piece),
        .piece_bits (instruction_count_selector_piece_bits),
        .more       (instruction_count_selector_more)
    );

    traptor_m4_unit_serial_difference target_difference (
        .clock             (clock),
        .reset             (reset),
        .restart_registers (restart_registers),
        .target            (record[57:27]),
        .index             (index[2:0]),
        .step              (target_difference_step),
        .piece             (target_difference_piece),
        .piece_bits        (target_difference_piece_bits),
        .more              (target_difference_more),
        .restart           (target_difference_restart)
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
        piece = 9'd0;
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
            piece = piece | 9'd264;
        end
        if (active[1]) begin
            piece = piece | 9'd264;
        end
        if (active[2]) begin
            piece = piece | 9'd136;
        end
        if (active[3]) begin
            piece = piece | 9'd8;
        end
        if (active[7]) begin
            piece = piece | {8'd0, outcome_value};
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
            piece_bits = piece_bits | 4'd9;
        end
        if (active[1]) begin
            piece_bits = piece_bits | 4'd9;
        end
        if (active[2]) begin
            piece_bits = piece_bits | 4'd9;
        end
        if (active[3]) begin
            piece_bits = piece_bits | 4'd9;
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
        if (reset || restart_registers) begin
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

// One chunk of a number with its continuation bit, and whether more follow
module traptor_m4_unit_chunk_selector_first8_next8_width16 (
    input  wire [15:0] value, // the number
    input  wire        index, // number of the chunk, 0 for the first
    output wire [8:0]  piece, // chunk and continuation bit
    output wire [3:0]  piece_bits, // bits of the piece
    output wire        more // the continuation bit
);

    wire [7:0] chunk_0;
    wire [7:0] chunk_1;

    assign more = !index & (|value[15:8]);

    assign piece =
        index ? {1'b0, chunk_1} :
        index ? 9'd0 :
        {|value[15:8], chunk_0};

    assign piece_bits = (!index || index) ? 4'd9 : 4'd0;
    assign chunk_0 = value[7:0];
    assign chunk_1 = value[15:8];

endmodule

// Sends a record slot by slot, a large slot piece by piece
module traptor_m4_unit_serial_encoder_slots5_record_bits64_most_bits62_restart_registers1 (
    input  wire        clock,
    input  wire        reset,
    input  wire        restart_registers,
    input  wire        record_valid, // without registers it stays until it is taken
    input  wire [63:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [8:0]  piece, // zero above piece_bits
    output reg  [3:0]  piece_bits, // bits of the piece, the first one lowest
    output wire        piece_last, // fill the trace word up with zeros after the piece
    input  wire        piece_ready
);

    reg  [4:0]  sent; // stages of the record that are out
    reg  [1:0]  index; // the piece of the slot
    wire [4:0]  flags; // slots that are sent
    wire [4:0]  stages; // stages that send one
    wire [4:0]  pending;
    wire [4:0]  current; // one hot
    wire [4:0]  active; // one hot: the slot of this cycle
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [9:0]  kind_value;
    wire [1:0]  loss_value;
    wire        address_value;
    wire [30:0] address_value_2;
    reg  [4:0]  left;
    wire [8:0]  loss_selector_piece;
    wire [3:0]  loss_selector_piece_bits;
    wire        loss_selector_more;

    traptor_m4_unit_chunk_selector_first8_next8_width16 loss_selector (
        .value      (record[29:14]),
        .index      (index[0]),
        .piece      (loss_selector_piece),
        .piece_bits (loss_selector_piece_bits),
        .more       (loss_selector_more)
    );

    assign flags = {record[3], record[3:2], record[2:1]};
    assign stages = {record[3], record[3:2], record[2:1]};
    assign pending = stages & ~sent;
    assign current = pending & (~pending + 5'd1);
    assign is_last = pending == current;

    assign active = {
        current[4] & flags[4],
        current[3] & flags[3],
        current[2] & flags[2],
        current[1] & flags[1],
        current[0] & flags[0]
    };

    always @* begin
        piece = 9'd0;
        if (active[1]) begin
            piece = loss_selector_piece;
        end
        if (active[0]) begin
            if (index == 2'd0) begin
                piece = kind_value[8:0];
            end
            if (index == 2'd1) begin
                piece = {8'd0, kind_value[9]};
            end
        end
        if (active[2]) begin
            piece = piece | {7'd0, loss_value};
        end
        if (active[3]) begin
            piece = piece | {8'd0, address_value};
        end
        if (active[4]) begin
            case (index)
                2'd0: piece = address_value_2[8:0];
                2'd1: piece = address_value_2[17:9];
                2'd2: piece = address_value_2[26:18];
                2'd3: piece = {5'd0, address_value_2[30:27]};
            endcase
        end
    end

    always @* begin
        piece_bits = 4'd0;
        more = 1'b0;
        if (active[1]) begin
            piece_bits = loss_selector_piece_bits;
            more = loss_selector_more;
        end
        left = 5'd0;
        if (active[0]) begin
            if (index == 2'd0) begin
                left = 5'd10;
            end
            if (index == 2'd1) begin
                left = 5'd1;
            end
            piece_bits = left[3:0];
            if (left > 5'd9) begin
                piece_bits = 4'd9;
                more = 1'b1;
            end
        end
        if (active[2]) begin
            piece_bits = piece_bits | 4'd2;
        end
        if (active[3]) begin
            piece_bits = piece_bits | 4'd1;
        end
        if (active[4]) begin
            case (index)
                2'd0: left = 5'd31;
                2'd1: left = 5'd22;
                2'd2: left = 5'd13;
                2'd3: left = 5'd4;
            endcase
            piece_bits = left[3:0];
            if (left > 5'd9) begin
                piece_bits = 4'd9;
                more = 1'b1;
            end
        end
    end

    assign kind_value = record[13:4];
    assign loss_value = record[31:30];
    assign address_value = record[32];
    assign address_value_2 = record[63:33];
    assign piece_valid = record_valid;
    assign piece_last = record[0] & is_last & !more;
    assign record_ready = piece_ready & is_last & !more;

    always @(posedge clock) begin
        if (reset || restart_registers) begin
            sent <= 5'd0;
            index <= 2'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 2'd1;
                end else begin
                    index <= 2'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 5'd0;
                    end
                end
            end
        end
    end

endmodule

// Stuffs a zero into a piece after a run of ones that is one shorter than a marker
module traptor_m4_unit_stuffer (
    input  wire       clock,
    input  wire       reset,
    input  wire       restart_registers,
    input  wire       restart, // nothing was sent since the marker
    input  wire       takes, // the piece is sent
    input  wire [8:0] word, // zero above bits
    input  wire [3:0] bits,
    output wire [9:0] stuffed,
    output wire [3:0] stuffed_bits
);

    reg  [3:0] left; // ones after which a zero is stuffed
    wire [8:0] in_front; // ones in the bits in front of the zero, if one is stuffed
    wire       stuffs;
    reg  [3:0] start; // the bits after the last zero of the piece, or after the stuffed one, begin here
    reg  [3:0] allowed; // ones that could follow that zero

    assign in_front = {
        left > 4'd8,
        left > 4'd7,
        left > 4'd6,
        left > 4'd5,
        left > 4'd4,
        left > 4'd3,
        left > 4'd2,
        left > 4'd1,
        left > 4'd0
    };

    assign stuffs = ((word & in_front) == in_front) & (left <= bits);
    assign stuffed = stuffs ? {1'b0, word & in_front} | {word & ~in_front, 1'b0} : {1'b0, word};
    assign stuffed_bits = stuffs ? bits + 4'd1 : bits;

    always @* begin
        start = 4'd0;
        if (stuffs) begin
            start = left;
        end
        if ((bits > 4'd0) && !word[0]) begin
            start = 4'd1;
        end
        if ((bits > 4'd1) && !word[1]) begin
            start = 4'd2;
        end
        if ((bits > 4'd2) && !word[2]) begin
            start = 4'd3;
        end
        if ((bits > 4'd3) && !word[3]) begin
            start = 4'd4;
        end
        if ((bits > 4'd4) && !word[4]) begin
            start = 4'd5;
        end
        if ((bits > 4'd5) && !word[5]) begin
            start = 4'd6;
        end
        if ((bits > 4'd6) && !word[6]) begin
            start = 4'd7;
        end
        if ((bits > 4'd7) && !word[7]) begin
            start = 4'd8;
        end
        if ((bits > 4'd8) && !word[8]) begin
            start = 4'd9;
        end
    end

    always @* begin
        allowed = left;
        if (stuffs || ((bits > 4'd0) && !word[0]) || ((bits > 4'd1) && !word[1]) || ((bits > 4'd2) && !word[2]) || ((bits > 4'd3) && !word[3]) || ((bits > 4'd4) && !word[4]) || ((bits > 4'd5) && !word[5]) || ((bits > 4'd6) && !word[6]) || ((bits > 4'd7) && !word[7]) || ((bits > 4'd8) && !word[8])) begin
            allowed = 4'd15;
        end
    end

    always @(posedge clock) begin
        if (reset || restart_registers) begin
            left <= 4'd15;
        end else begin
            if (restart) begin
                left <= 4'd15;
            end else if (takes) begin
                left <= (allowed + start) - bits;
            end
        end
    end

endmodule

// Passes the records of a packet on with stuffed zeros; after the last one sends a marker and the next header
module traptor_m4_unit_framer (
    input  wire        clock,
    input  wire        reset,
    input  wire        restart_registers,
    input  wire        payload_valid, // pieces of records; the last one of a packet is marked
    input  wire [8:0]  payload, // zero above piece_bits
    input  wire [3:0]  payload_bits, // bits of the piece, the first one lowest
    input  wire        payload_last, // fill the trace word up with zeros after the piece
    output wire        payload_ready,
    input  wire        header_valid,
    input  wire [63:0] header,
    output wire        header_ready,
    output reg         piece_valid,
    output wire [9:0]  piece, // zero above piece_bits
    output wire [3:0]  piece_bits, // bits of the piece, the first one lowest
    output wire        piece_last, // fill the trace word up with zeros after the piece
    input  wire        piece_ready,
    output wire        is_idle // no packet is open and no header waits
);

    localparam [1:0] STATE_CLOSED = 2'd0; // no packet is open, as after reset
    localparam [1:0] STATE_MARKER = 2'd1;
    localparam [1:0] STATE_HEADER = 2'd2;
    localparam [1:0] STATE_PAYLOAD = 2'd3;

    reg  [1:0]  state;
    reg         piece_number; // the piece of the marker or of the checksum
    reg  [7:0]  packet_number; // the number of the packet whose header comes next
    wire [63:0] complete;
    wire [8:0]  word;
    wire [3:0]  bits;
    reg         sends; // a piece of the packet is sent
    wire        is_marker;
    wire        is_header;
    wire        is_payload;
    wire        header_encoder_record_valid;
    wire        header_encoder_record_ready;
    wire        header_encoder_piece_valid;
    wire [8:0]  header_encoder_piece;
    wire [3:0]  header_encoder_piece_bits;
    wire        header_encoder_piece_last;
    wire        header_encoder_piece_ready;
    wire [9:0]  stuffer_stuffed;
    wire [3:0]  stuffer_stuffed_bits;

    wire header_is_end = header[0];

    traptor_m4_unit_serial_encoder_slots5_record_bits64_most_bits62_restart_registers1 header_encoder (
        .clock             (clock),
        .reset             (reset),
        .restart_registers (restart_registers),
        .record_valid      (header_encoder_record_valid),
        .record            (complete),
        .record_ready      (header_encoder_record_ready),
        .piece_valid       (header_encoder_piece_valid),
        .piece             (header_encoder_piece),
        .piece_bits        (header_encoder_piece_bits),
        .piece_last        (header_encoder_piece_last),
        .piece_ready       (header_encoder_piece_ready)
    );

    traptor_m4_unit_stuffer stuffer (
        .clock             (clock),
        .reset             (reset),
        .restart_registers (restart_registers),
        .restart           (is_marker),
        .takes             (sends),
        .word              (word),
        .bits              (bits),
        .stuffed           (stuffer_stuffed),
        .stuffed_bits      (stuffer_stuffed_bits)
    );

    assign is_marker = state == STATE_MARKER;
    assign is_header = state == STATE_HEADER;
    assign is_payload = state == STATE_PAYLOAD;
    assign is_idle = (state == STATE_CLOSED) & !header_valid;
    assign complete = {header[63:14], packet_number, header[5:0]};
    assign header_encoder_record_valid = header_valid & is_header;
    assign header_encoder_piece_ready = piece_ready & is_header;
    assign header_ready = header_encoder_record_ready & is_header;
    assign payload_ready = piece_ready & is_payload;
    assign word = is_payload ? payload : header_encoder_piece;
    assign bits = is_payload ? payload_bits : header_encoder_piece_bits;

    always @* begin
        piece_valid = header_encoder_piece_valid;
        if (is_payload) begin
            piece_valid = payload_valid;
        end
        sends = piece_valid & piece_ready;
        if (is_marker) begin
            piece_valid = 1'b1;
        end
    end

    assign piece_last = !(is_payload | is_marker) & header_encoder_piece_last;

    assign piece =
        !is_marker ? stuffer_stuffed :
        piece_number ? 10'd63 :
        piece_number ? stuffer_stuffed :
        10'd1023;

    assign piece_bits =
        !is_marker ? stuffer_stuffed_bits :
        piece_number ? 4'd7 :
        piece_number ? stuffer_stuffed_bits :
        4'd10;

    always @(posedge clock) begin
        if (reset || restart_registers) begin
            state <= STATE_CLOSED;
            piece_number <= 1'b0;
            packet_number <= 8'd0;
        end else begin
            if (is_marker) begin
                if (piece_ready) begin
                    piece_number <= piece_number + 1'b1;
                    if (piece_number) begin
                        piece_number <= 1'b0;
                        state <= STATE_HEADER;
                    end
                end
            end else if (is_header) begin
                if (sends && piece_number) begin
                    piece_number <= piece_number + 1'b1;
                end
                if (header_ready && header_valid) begin
                    piece_number <= 1'b0;
                    packet_number <= packet_number + 8'd1;
                    state <= STATE_PAYLOAD;
                    if (header_is_end) begin
                        state <= STATE_CLOSED;
                    end
                end
            end else if (is_payload) begin
                if (sends && payload_last) begin
                    state <= STATE_CLOSED;
                end
            end else if (header_valid) begin
                state <= STATE_MARKER;
            end
        end
    end

    wire _unused_ok = &{1'b0, header[13:6]};

endmodule

// Collects pieces, first bit lowest, until a word is full; on request fills one up with zeros
module traptor_m4_unit_bit_packer (
    input  wire       clock,
    input  wire       reset,
    input  wire       restart_registers,
    input  wire       piece_valid,
    input  wire [9:0] piece, // zero above piece_bits
    input  wire [3:0] piece_bits, // bits of the piece, the first one lowest
    input  wire       piece_last, // fill the trace word up with zeros after the piece
    output wire       piece_ready,
    output wire       word_valid,
    output wire [7:0] word,
    input  wire       word_ready,
    output wire       is_empty // no bit is held
);

    reg  [8:0]  held;
    reg  [3:0]  held_bits;
    reg         padding;
    wire        takes;
    wire        gives;
    wire        full;
    wire [16:0] joined;
    wire [4:0]  joined_bits;

    assign is_empty = !(|held_bits) & !padding;
    assign piece_ready = (held_bits < 4'd8) & (word_ready & !padding);
    assign takes = piece_valid & piece_ready;
    assign joined = takes ? {8'd0, held} | ({7'd0, piece} << held_bits) : {8'd0, held};
    assign joined_bits = takes ? {1'b0, held_bits} + {1'b0, piece_bits} : {1'b0, held_bits};
    assign full = joined_bits >= 5'd8;
    assign word = joined[7:0];
    assign word_valid = full | (padding & (|held_bits));
    assign gives = word_valid & word_ready;

    always @(posedge clock) begin
        if (reset || restart_registers) begin
            held <= 9'd0;
            held_bits <= 4'd0;
            padding <= 1'b0;
        end else begin
            held <= joined[8:0];
            held_bits <= joined_bits[3:0];
            if (gives) begin
                held <= joined[16:8];
                held_bits <= 4'd0;
                if (full) begin
                    held_bits <= joined_bits[3:0] - 4'd8;
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
module traptor_m4_unit_fifo_depth10_width8_has_level1 (
    input  wire       clock,
    input  wire       reset,
    input  wire       restart_registers,
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
        if (reset || restart_registers) begin
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
module traptor_m4_unit_trace_port (
    input  wire       word_valid, // the word stays until it is taken
    input  wire [7:0] word,
    output wire       word_ready,
    output wire       trace_valid, // a beat is ready
    output wire [7:0] trace_data, // bits of the beat
    input  wire       trace_ready // the sink takes the beat
);

    assign trace_valid = word_valid;
    assign trace_data = word;
    assign word_ready = word_valid & trace_ready;

endmodule

// Records in, beats of the trace out
module traptor_m4_unit_back_end (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [57:0] record,
    output wire        record_ready,
    input  wire        restart_registers, // every register takes the value that it has after a reset
    input  wire        header_valid, // headers of packets, where the trace is made of packets
    input  wire [63:0] header,
    output wire        header_ready,
    input  wire        restart, // after the records inside, forget the targets of which differences are sent
    output wire        can_restart, // the last restart has been made, if it has to be made in this cycle
    output wire        is_empty, // no record, piece or trace word is inside
    output wire [7:0]  trace_data, // trace bits
    output wire        trace_valid, // a beat is ready
    input  wire        trace_ready, // the sink takes the beat
    output wire        word_leaves, // the last beat of a trace word is taken
    output wire [3:0]  buffered_words // trace words in the output FIFO
);

    wire        next_valid; // the record that comes to the encoder next
    wire [8:0]  piece; // zero above piece_bits
    wire [3:0]  piece_bits; // bits of the piece, the first one lowest
    wire        piece_last; // fill the trace word up with zeros after the piece
    wire        queue_is_empty;
    reg         has_flush; // a flush record waits in the queue, and no restart has come after it
    reg         restart_is_due; // a restart has come and was not made
    reg         is_behind_flush; // the flush record before it waits in the queue
    wire        takes_flush;
    wire        restarts_now;
    wire        record_queue_out_valid;
    wire [57:0] record_queue_out_word;
    wire        record_queue_out_ready;
    wire        serial_encoder_restart_registers;
    wire        serial_encoder_record_ready;
    wire        serial_encoder_piece_valid;
    wire        framer_payload_ready;
    wire        framer_piece_valid;
    wire [9:0]  framer_piece;
    wire [3:0]  framer_piece_bits;
    wire        framer_piece_last;
    wire        framer_is_idle_2;
    wire        bit_packer_piece_ready;
    wire        bit_packer_word_valid;
    wire [7:0]  bit_packer_word;
    wire        bit_packer_is_empty;
    wire        output_fifo_in_ready;
    wire        output_fifo_out_valid;
    wire [7:0]  output_fifo_out_word;

    traptor_m4_unit_fifo_depth2_width58 record_queue (
        .clock             (clock),
        .reset             (reset),
        .restart_registers (restart_registers),
        .in_valid          (record_valid),
        .in_word           (record),
        .in_ready          (record_ready),
        .out_valid         (record_queue_out_valid),
        .out_word          (record_queue_out_word),
        .out_ready         (record_queue_out_ready)
    );

    traptor_m4_unit_serial_encoder_slots9_record_bits58_most_bits121 serial_encoder (
        .clock             (clock),
        .reset             (reset),
        .restart_registers (serial_encoder_restart_registers),
        .record_valid      (next_valid),
        .record            (record_queue_out_word),
        .record_ready      (serial_encoder_record_ready),
        .piece_valid       (serial_encoder_piece_valid),
        .piece             (piece),
        .piece_bits        (piece_bits),
        .piece_last        (piece_last),
        .piece_ready       (framer_payload_ready)
    );

    traptor_m4_unit_framer framer (
        .clock             (clock),
        .reset             (reset),
        .restart_registers (restart_registers),
        .payload_valid     (serial_encoder_piece_valid),
        .payload           (piece),
        .payload_bits      (piece_bits),
        .payload_last      (piece_last),
        .payload_ready     (framer_payload_ready),
        .header_valid      (header_valid),
        .header            (header),
        .header_ready      (header_ready),
        .piece_valid       (framer_piece_valid),
        .piece             (framer_piece),
        .piece_bits        (framer_piece_bits),
        .piece_last        (framer_piece_last),
        .piece_ready       (bit_packer_piece_ready),
        .is_idle           (framer_is_idle_2)
    );

    traptor_m4_unit_bit_packer bit_packer (
        .clock             (clock),
        .reset             (reset),
        .restart_registers (restart_registers),
        .piece_valid       (framer_piece_valid),
        .piece             (framer_piece),
        .piece_bits        (framer_piece_bits),
        .piece_last        (framer_piece_last),
        .piece_ready       (bit_packer_piece_ready),
        .word_valid        (bit_packer_word_valid),
        .word              (bit_packer_word),
        .word_ready        (output_fifo_in_ready),
        .is_empty          (bit_packer_is_empty)
    );

    traptor_m4_unit_fifo_depth10_width8_has_level1 output_fifo (
        .clock             (clock),
        .reset             (reset),
        .restart_registers (restart_registers),
        .in_valid          (bit_packer_word_valid),
        .in_word           (bit_packer_word),
        .in_ready          (output_fifo_in_ready),
        .out_valid         (output_fifo_out_valid),
        .out_word          (output_fifo_out_word),
        .out_ready         (word_leaves),
        .level             (buffered_words)
    );

    traptor_m4_unit_trace_port trace_port (
        .word_valid  (output_fifo_out_valid),
        .word        (output_fifo_out_word),
        .word_ready  (word_leaves),
        .trace_valid (trace_valid),
        .trace_data  (trace_data),
        .trace_ready (trace_ready)
    );

    assign next_valid = record_queue_out_valid & (!restart_is_due | is_behind_flush);
    assign queue_is_empty = !record_queue_out_valid;
    assign record_queue_out_ready = serial_encoder_record_ready & (!restart_is_due | is_behind_flush);
    assign takes_flush = next_valid & serial_encoder_record_ready & record_queue_out_word[0];
    assign restarts_now = restart_is_due & !is_behind_flush;
    assign can_restart = !restart_is_due;
    assign serial_encoder_restart_registers = restarts_now | restart_registers;
    assign is_empty = framer_is_idle_2 & bit_packer_is_empty & queue_is_empty & !output_fifo_out_valid;

    always @(posedge clock) begin
        if (reset || restart_registers) begin
            has_flush <= 1'b0;
            restart_is_due <= 1'b0;
            is_behind_flush <= 1'b0;
        end else begin
            if ((record_valid & record_ready) && record[0]) begin
                has_flush <= 1'b1;
            end
            if (takes_flush) begin
                if (is_behind_flush) begin
                    is_behind_flush <= 1'b0;
                end else begin
                    has_flush <= 1'b0;
                end
            end
            if (restart) begin
                restart_is_due <= 1'b1;
                is_behind_flush <= has_flush & !takes_flush;
                has_flush <= 1'b0;
            end else if (restarts_now) begin
                restart_is_due <= 1'b0;
            end
        end
    end

endmodule

// Predictors, record former, encoder, buffer and port
module traptor_m4_unit (
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
    output wire        drops, // a block of this cycle is lost
    input  wire        enable, // level: trace; the trace ends where it falls
    input  wire        discard, // a flush, or the end of the trace, does not wait for the sink; what is in the module is lost
    input  wire        flush, // level: the trace ends here
    output wire        flushed, // every bit of the trace has left the module
    input  wire        sync_request, // a packet begins with the full address after the next block that may change the flow
    output wire        synchronised, // a packet begins after a synchronisation or a loss
    output wire [7:0]  trace_data, // trace bits, bit 0 first
    output wire        trace_valid,
    input  wire        trace_ready,
    output wire [3:0]  buffered_words // trace words in the output FIFO
);

    wire        accepts;
    wire        waits; // the core waits
    wire        sequencer_flush;
    wire        sequencer_is_empty;
    wire        sequencer_tracing;
    wire        sequencer_record_flush;
    wire        sequencer_discards;
    wire        sequencer_is_on;
    wire        sequencer_clear_valid;
    wire [8:0]  sequencer_clear_index;
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
    wire        synchroniser_is_shown;
    wire        synchroniser_is_off;
    wire        synchroniser_skips;
    wire        synchroniser_is_empty;
    wire        synchroniser_accepts;
    wire        synchroniser_flush;
    wire        synchroniser_ends;
    wire        synchroniser_restart;
    wire        synchroniser_hides_address;
    wire        synchroniser_header_valid;
    wire [63:0] synchroniser_header;
    wire        encoder_restart_registers;
    reg  [31:0] encoder_retire_pc;
    wire        encoder_ready;
    wire        encoder_is_empty;
    wire        encoder_record_valid;
    wire [57:0] encoder_record;
    wire [8:0]  encoder_swept;
    wire        back_end_record_ready;
    wire        back_end_header_ready;
    wire        back_end_can_restart;
    wire        back_end_is_empty;
    wire        back_end_word_leaves;

    traptor_m4_unit_sequencer sequencer (
        .clock        (clock),
        .reset        (reset),
        .flush        (sequencer_flush),
        .ready        (synchroniser_ends),
        .is_empty     (sequencer_is_empty),
        .tracing      (sequencer_tracing),
        .record_flush (sequencer_record_flush),
        .flushed      (flushed),
        .discard      (discard),
        .discards     (sequencer_discards),
        .swept        (encoder_swept),
        .restart      (synchroniser_restart),
        .is_on        (sequencer_is_on),
        .clear_valid  (sequencer_clear_valid),
        .clear_index  (sequencer_clear_index)
    );

    traptor_m4_unit_retire_decoder retire_decoder (
        .retire_valid      (retire_valid),
        .retire_count      (retire_count),
        .retire_pc         (retire_pc),
        .retire_length     (retire_length),
        .retire_kind       (retire_kind),
        .retire_call       (retire_call),
        .retire_return     (retire_return),
        .retire_taken      (retire_taken),
        .retire_target     (retire_target),
        .take              (accepts),
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

    traptor_m4_unit_synchroniser synchroniser (
        .clock              (clock),
        .reset              (reset),
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
        .is_shown           (synchroniser_is_shown),
        .sync_request       (sync_request),
        .word_leaves        (back_end_word_leaves),
        .trace_ends         (sequencer_record_flush),
        .is_off             (synchroniser_is_off),
        .discards           (sequencer_discards),
        .skips              (synchroniser_skips),
        .is_clearing        (sequencer_clear_valid),
        .ready              (encoder_ready),
        .is_empty           (synchroniser_is_empty),
        .accepts            (synchroniser_accepts),
        .flush              (synchroniser_flush),
        .ends               (synchroniser_ends),
        .restart            (synchroniser_restart),
        .hides_address      (synchroniser_hides_address),
        .synchronised       (synchronised),
        .header_valid       (synchroniser_header_valid),
        .header             (synchroniser_header),
        .header_ready       (back_end_header_ready)
    );

    traptor_m4_unit_encoder encoder (
        .clock              (clock),
        .reset              (reset),
        .clear_valid        (sequencer_clear_valid),
        .clear_index        (sequencer_clear_index),
        .restart_registers  (encoder_restart_registers),
        .retire_valid       (retire_decoder_block_valid),
        .retire_count       (retire_decoder_block_count),
        .retire_pc          (encoder_retire_pc),
        .retire_length      (retire_decoder_block_length),
        .retire_direct      (retire_decoder_block_direct),
        .retire_conditional (retire_decoder_block_conditional),
        .retire_indirect    (retire_decoder_block_indirect),
        .retire_exception   (retire_decoder_block_exception),
        .retire_call        (retire_decoder_block_call),
        .retire_return      (retire_decoder_block_return),
        .retire_taken       (retire_decoder_block_taken),
        .retire_target      (retire_decoder_block_target),
        .flush              (synchroniser_flush),
        .ready              (encoder_ready),
        .is_empty           (encoder_is_empty),
        .record_valid       (encoder_record_valid),
        .record             (encoder_record),
        .record_ready       (back_end_record_ready),
        .swept              (encoder_swept)
    );

    traptor_m4_unit_back_end back_end (
        .clock             (clock),
        .reset             (reset),
        .record_valid      (encoder_record_valid),
        .record            (encoder_record),
        .record_ready      (back_end_record_ready),
        .restart_registers (sequencer_discards),
        .header_valid      (synchroniser_header_valid),
        .header            (synchroniser_header),
        .header_ready      (back_end_header_ready),
        .restart           (synchroniser_restart),
        .can_restart       (back_end_can_restart),
        .is_empty          (back_end_is_empty),
        .trace_data        (trace_data),
        .trace_valid       (trace_valid),
        .trace_ready       (trace_ready),
        .word_leaves       (back_end_word_leaves),
        .buffered_words    (buffered_words)
    );

    assign sequencer_flush = flush | !enable;
    assign sequencer_is_empty = encoder_is_empty & back_end_is_empty;
    assign accepts = sequencer_tracing & encoder_ready & synchroniser_accepts;
    assign waits = !accepts & sequencer_is_on & !synchroniser_skips;
    assign stall = waits;
    assign drops = !accepts & !waits;
    assign synchroniser_is_shown = retire_valid & !waits;
    assign synchroniser_is_off = !sequencer_is_on;

    always @* begin
        encoder_retire_pc = retire_decoder_block_pc;
        if ((synchroniser_hides_address & retire_decoder_block_exception) && !(|retire_decoder_block_count)) begin
            encoder_retire_pc = 32'd0;
        end
    end

    assign synchroniser_is_empty = encoder_is_empty & back_end_can_restart;
    assign encoder_restart_registers = synchroniser_restart | sequencer_discards;

endmodule
