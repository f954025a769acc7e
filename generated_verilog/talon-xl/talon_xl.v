// talon-xl of Tracewright, made by `tracewright generate`.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 79
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   bimodal_entries = 512
//   bimodal_counters_per_magnitude = 1
//   gshare_entries = 512
//   gshare_counters_per_magnitude = 1
//   gshare_history_bits = 9
//   gshare_path_bits = 0
//   gshare_address_rotation = 6
//   match_history_entries = 1024
//   match_pointers = 64
//   match_random_pointers = true
//   confidence_entries = 128
//   loop_entries = 8
//   loop_relearns_direction = true
//   return_address_stack_depth = 9
//   return_address_stack_wraps = true
//   return_addresses_compared = 2
//   target_buffer_sets = 8
//   targets_per_entry = 1
//   target_buffer_tag_bits = 2
//   target_buffer_ages = true
//   target_buffer_random_victim = true
//   target_bits = 64
//   range_bits = 12
//   guard_bits = 6
//   most_confidence = 10
//   escape_ones = 3
//   address_first_chunk = 7
//   instruction_count_bits = 14
//   bimodal_scores = [-5, -3, -1, 3, 4, 4, 5, 4, 6, 6, 6, 6, 7, 5, 6, 15]
//   gshare_scores = [-5, -2, -3, -3, -2, -1, 0, 5, 3]
//   match_against_scores = [-1, -1, -1, -2, -3, -9, -24, -24]
//   match_for_scores = [0, 0, 0, 0, 1, 3, 4, 8]
//   confidence_scores = [-3, -1, 0, 0, 0, 1, 2, 6]
//   loop_scores = [0, 1, -2, 0, -2, 1, 0]
//   return_confidence = 9
//   single_target_confidences = [1, 1, 1, 6]
//   recent_target_confidences = [1, 1, 1, 2]
//   choice_confidences = [1, 4, 10, 10]
//   memory_style = asynchronous

// Clears the tables after reset, and takes the module through a flush
module talon_xl_sequencer (
    input  wire       clock,
    input  wire       reset,
    input  wire       flush, // level: the trace ends here
    input  wire       ready, // the compressor takes a block or a flush in this cycle
    input  wire       is_empty, // no record and no bit is left in the module
    output wire       tracing, // blocks are taken while the compressor is ready
    output wire       record_flush, // the compressor makes its flush record when it is ready
    output wire       flushed, // every bit of the trace has left the module
    input  wire [9:0] swept, // the entry to clear, where the compressor counts
    output wire       clear_valid, // the tables are being cleared
    output wire [9:0] clear_index // the entry to clear, in the lower bits
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
module talon_xl_retire_decoder (
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

// The shift register of pseudo-random bits, and what they decide about every counter
module talon_xl_random_bits (
    input  wire       clock,
    input  wire       reset,
    input  wire       step, // an outcome is learned
    output wire [7:0] random, // the bits of this outcome
    output wire [7:0] grows // bit m says that a magnitude of m grows; 7 is the largest and never does
);

    reg  [7:0] bits;
    reg  [7:0] zeros;

    assign random = bits;

    always @* begin
        zeros = 8'd1;
        if (!bits[0]) begin
            zeros = 8'd3;
        end
        if (zeros[1] && !bits[1]) begin
            zeros[2] = 1'b1;
        end
        if (zeros[2] && !bits[2]) begin
            zeros[3] = 1'b1;
        end
        if (zeros[3] && !bits[3]) begin
            zeros[4] = 1'b1;
        end
        if (zeros[4] && !bits[4]) begin
            zeros[5] = 1'b1;
        end
        if (zeros[5] && !bits[5]) begin
            zeros[6] = 1'b1;
        end
    end

    assign grows = zeros;

    always @(posedge clock) begin
        if (reset) begin
            bits <= 8'd200;
        end else begin
            if (step) begin
                bits <= {1'b0, bits[7:1]};
                if (bits[0]) begin
                    bits <= {1'b0, bits[7:1]} ^ 8'd184;
                end
            end
        end
    end

endmodule

// A memory with one read port and one write port, cleared entry by entry
module talon_xl_table_memory_entries512_width4 (
    input  wire       clock,
    input  wire       clear_valid, // the tables are being cleared
    input  wire [8:0] clear_index, // the entry to clear, in the lower bits
    input  wire [3:0] clear_entry, // what a cleared entry holds
    input  wire [8:0] index, // the entry to read
    output wire [3:0] entry,
    input  wire       write,
    input  wire [8:0] write_index,
    input  wire [3:0] written
);

    wire       writes;
    wire [8:0] changed_index; // the entry that is written
    wire [3:0] entries_read_data;
    wire [3:0] entries_write_data;
    reg  [3:0] entries_cells [0:511];

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
module talon_xl_predictor_table_entries512_width4 (
    input  wire       clock,
    input  wire       clear_valid, // the tables are being cleared
    input  wire [8:0] clear_index, // the entry to clear, in the lower bits
    input  wire [3:0] clear_entry, // value of a cleared entry
    input  wire [8:0] index, // the entry to read
    output wire [3:0] entry, // value of the entry read
    input  wire       learn, // the entry takes a new value
    input  wire [3:0] learned // the new value
);

    talon_xl_table_memory_entries512_width4 memory (
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

// A table of counters
module talon_xl_counter_table_magnitude_bits3 (
    input  wire       clock,
    input  wire       clear_valid, // the tables are being cleared
    input  wire [8:0] clear_index, // the entry to clear, in the lower bits
    input  wire [8:0] index, // the counter to read
    output wire [3:0] entry, // direction and, below it, magnitude
    input  wire       learn, // the counter takes a new value
    input  wire [3:0] learned // the new value
);

    talon_xl_predictor_table_entries512_width4 counters (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .clear_entry (4'd0),
        .index       (index),
        .entry       (entry),
        .learn       (learn),
        .learned     (learned)
    );

endmodule

// Takes a counter a step towards an outcome
module talon_xl_counter_step_magnitude_bits3 (
    input  wire [3:0] counter,
    input  wire       taken,
    input  wire       grows, // a step that makes the counter surer is taken; low at the largest magnitude
    output wire [3:0] counter_next
);

    wire       surer;
    reg        carry;
    wire       direction;
    wire       direction_next;
    wire [2:0] magnitude;
    reg  [2:0] magnitude_next;

    assign direction = counter[3];
    assign magnitude = counter[2:0];
    assign direction_next = (|magnitude) ? direction : taken;

    always @* begin
        magnitude_next = magnitude;
        carry = grows;
        if (!surer) begin
            carry = |magnitude;
        end
        if (carry) begin
            magnitude_next[0] = !magnitude[0];
        end
        if (magnitude[0] != surer) begin
            carry = 1'b0;
        end
        if (carry) begin
            magnitude_next[1] = !magnitude[1];
        end
        if (magnitude[1] != surer) begin
            carry = 1'b0;
        end
        if (carry) begin
            magnitude_next[2] = !magnitude[2];
        end
        if (magnitude[2] != surer) begin
            carry = 1'b0;
        end
    end

    assign surer = direction == taken;
    assign counter_next = {direction_next, magnitude_next};

endmodule

// Counters by the address of the branch
module talon_xl_bimodal (
    input  wire        clock,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [9:0]  clear_index, // the entry to clear, in the lower bits
    input  wire [29:0] address, // address of the branch, in instruction units
    input  wire        learn, // an outcome is learned
    input  wire        taken, // the outcome
    input  wire [7:0]  grows, // by magnitude, whether a counter grows
    output wire [3:0]  counter, // direction and, below it, magnitude
    output wire        is_sure // the counter alone predicts
);

    wire [8:0] index;
    wire [2:0] magnitude;
    wire       step_grows;
    wire [3:0] step_counter_next;

    talon_xl_counter_table_magnitude_bits3 counters (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (index),
        .index       (index),
        .entry       (counter),
        .learn       (learn),
        .learned     (step_counter_next)
    );

    talon_xl_counter_step_magnitude_bits3 step (
        .counter      (counter),
        .taken        (taken),
        .grows        (step_grows),
        .counter_next (step_counter_next)
    );

    assign index = clear_valid ? clear_index[8:0] : address[8:0] ^ address[17:9] ^ address[26:18];
    assign magnitude = counter[2:0];
    assign is_sure = magnitude >= 3'd5;
    assign step_grows = grows[magnitude];

    wire _unused_ok = &{1'b0, clear_index[9], address[29:27]};

endmodule

// A memory with one read port and one write port, cleared entry by entry
module talon_xl_table_memory_entries512_width3 (
    input  wire       clock,
    input  wire       clear_valid, // the tables are being cleared
    input  wire [8:0] clear_index, // the entry to clear, in the lower bits
    input  wire [2:0] clear_entry, // what a cleared entry holds
    input  wire [8:0] index, // the entry to read
    output wire [2:0] entry,
    input  wire       write,
    input  wire [8:0] write_index,
    input  wire [2:0] written
);

    wire       writes;
    wire [8:0] changed_index; // the entry that is written
    wire [2:0] entries_read_data;
    wire [2:0] entries_write_data;
    reg  [2:0] entries_cells [0:511];

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
module talon_xl_predictor_table_entries512_width3 (
    input  wire       clock,
    input  wire       clear_valid, // the tables are being cleared
    input  wire [8:0] clear_index, // the entry to clear, in the lower bits
    input  wire [2:0] clear_entry, // value of a cleared entry
    input  wire [8:0] index, // the entry to read
    output wire [2:0] entry, // value of the entry read
    input  wire       learn, // the entry takes a new value
    input  wire [2:0] learned // the new value
);

    talon_xl_table_memory_entries512_width3 memory (
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

// A table of counters
module talon_xl_counter_table_magnitude_bits2 (
    input  wire       clock,
    input  wire       clear_valid, // the tables are being cleared
    input  wire [8:0] clear_index, // the entry to clear, in the lower bits
    input  wire [8:0] index, // the counter to read
    output wire [2:0] entry, // direction and, below it, magnitude
    input  wire       learn, // the counter takes a new value
    input  wire [2:0] learned // the new value
);

    talon_xl_predictor_table_entries512_width3 counters (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .clear_entry (3'd0),
        .index       (index),
        .entry       (entry),
        .learn       (learn),
        .learned     (learned)
    );

endmodule

// Takes a counter a step towards an outcome
module talon_xl_counter_step_magnitude_bits2 (
    input  wire [2:0] counter,
    input  wire       taken,
    input  wire       grows, // a step that makes the counter surer is taken; low at the largest magnitude
    output wire [2:0] counter_next
);

    wire       surer;
    reg        carry;
    wire       direction;
    wire       direction_next;
    wire [1:0] magnitude;
    reg  [1:0] magnitude_next;

    assign direction = counter[2];
    assign magnitude = counter[1:0];
    assign direction_next = (|magnitude) ? direction : taken;

    always @* begin
        magnitude_next = magnitude;
        carry = grows;
        if (!surer) begin
            carry = |magnitude;
        end
        if (carry) begin
            magnitude_next[0] = !magnitude[0];
        end
        if (magnitude[0] != surer) begin
            carry = 1'b0;
        end
        if (carry) begin
            magnitude_next[1] = !magnitude[1];
        end
        if (magnitude[1] != surer) begin
            carry = 1'b0;
        end
    end

    assign surer = direction == taken;
    assign counter_next = {direction_next, magnitude_next};

endmodule

// Counters, the history of outcomes, and that of addresses
module talon_xl_gshare (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [9:0]  clear_index, // the entry to clear, in the lower bits
    input  wire [29:0] address, // address of the branch, in instruction units
    input  wire        update, // the outcome joins the history
    input  wire        taken, // the outcome
    input  wire        learn, // an outcome is learned
    input  wire        outcome, // that outcome
    input  wire [7:0]  grows, // by magnitude, whether a bimodal counter grows; a gshare counter grows like one of twice its magnitude
    output wire [2:0]  counter, // direction and, below it, magnitude
    output wire [1:0]  latest // the two latest outcomes
);

    wire [8:0] folded;
    wire [8:0] index;
    wire [3:0] grows_here;
    reg  [8:0] history;
    wire       step_grows;
    wire [2:0] step_counter_next;

    talon_xl_counter_table_magnitude_bits2 counters (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (index),
        .index       (index),
        .entry       (counter),
        .learn       (learn),
        .learned     (step_counter_next)
    );

    talon_xl_counter_step_magnitude_bits2 step (
        .counter      (counter),
        .taken        (outcome),
        .grows        (step_grows),
        .counter_next (step_counter_next)
    );

    assign folded = clear_valid ? clear_index[8:0] : address[8:0] ^ address[17:9] ^ address[26:18];
    assign index = {folded[2:0], folded[8:3]} ^ history;
    assign latest = history[1:0];
    assign grows_here = {1'b0, grows[4], grows[2], grows[0]};
    assign step_grows = grows_here[counter[1:0]];

    always @(posedge clock) begin
        if (reset) begin
            history <= 9'd0;
        end else begin
            if (update) begin
                history <= {history[7:0], taken};
            end
        end
    end

    wire _unused_ok = &{
        1'b0,
        clear_index[9],
        address[29:27],
        grows[1],
        grows[3],
        grows[7:5]
    };

endmodule

// A memory with one read port and one write port, cleared entry by entry
module talon_xl_table_memory_entries64_width10 (
    input  wire       clock,
    input  wire       clear_valid, // the tables are being cleared
    input  wire [5:0] clear_index, // the entry to clear, in the lower bits
    input  wire [9:0] clear_entry, // what a cleared entry holds
    input  wire [5:0] index, // the entry to read
    output wire [9:0] entry,
    input  wire       write,
    input  wire [5:0] write_index,
    input  wire [9:0] written
);

    wire       writes;
    wire [5:0] changed_index; // the entry that is written
    wire [9:0] entries_read_data;
    wire [9:0] entries_write_data;
    reg  [9:0] entries_cells [0:63];

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
module talon_xl_predictor_table_entries64_width10 (
    input  wire       clock,
    input  wire       clear_valid, // the tables are being cleared
    input  wire [5:0] clear_index, // the entry to clear, in the lower bits
    input  wire [9:0] clear_entry, // value of a cleared entry
    input  wire [5:0] index, // the entry to read
    output wire [9:0] entry, // value of the entry read
    input  wire       learn, // the entry takes a new value
    input  wire [9:0] learned // the new value
);

    talon_xl_table_memory_entries64_width10 memory (
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
module talon_xl_table_memory_entries1024_width1 (
    input  wire       clock,
    input  wire       clear_valid, // the tables are being cleared
    input  wire [9:0] clear_index, // the entry to clear, in the lower bits
    input  wire       clear_entry, // what a cleared entry holds
    input  wire [9:0] index, // the entry to read
    output wire       entry,
    input  wire       write,
    input  wire [9:0] write_index,
    input  wire       written
);

    wire       writes;
    wire [9:0] changed_index; // the entry that is written
    wire       entries_read_data;
    wire       entries_write_data;
    reg        entries_cells [0:1023];

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

// A ring of outcomes, pointers into it by branch and outcomes, and the place that is followed
module talon_xl_match_model (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [9:0]  clear_index, // the entry to clear, in the lower bits
    input  wire [29:0] address, // address of the branch, in instruction units
    input  wire [1:0]  latest, // the latest outcomes
    input  wire        predict, // an outcome is predicted
    input  wire        learn, // it is learned too
    input  wire        taken, // the outcome
    input  wire        keeps_pointer, // a pointer that would be replaced stays
    output wire        predicted, // the outcome at the place that is followed
    output wire [2:0]  match_class, // class of the match's length
    output wire        is_long // gshare need not learn what is predicted
);

    wire [5:0] key;
    wire [9:0] place; // the place that is followed now
    wire       good;
    reg  [2:0] reached; // class of the length
    wire       grows;
    reg  [9:0] position; // the place of the next outcome
    reg  [9:0] followed; // the place to follow next
    reg        follows; // cleared with the tables
    reg  [6:0] length; // 0 where nothing is followed; cleared with the tables
    wire [9:0] pointers_entry;
    wire       pointers_learn;

    talon_xl_predictor_table_entries64_width10 pointers (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (clear_index[5:0]),
        .clear_entry (10'd0),
        .index       (key),
        .entry       (pointers_entry),
        .learn       (pointers_learn),
        .learned     (position)
    );

    talon_xl_table_memory_entries1024_width1 outcomes (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (position),
        .clear_entry (1'b0),
        .index       (place),
        .entry       (predicted),
        .write       (learn),
        .write_index (position),
        .written     (taken)
    );

    assign key = address[5:0] ^ address[11:6] ^ address[17:12] ^ {latest, 4'd0};
    assign place = follows ? followed : pointers_entry;
    assign good = predicted == taken;

    always @* begin
        reached = 3'd0;
        if (length >= 7'd1) begin
            reached = 3'd1;
        end
        if (length >= 7'd2) begin
            reached = 3'd2;
        end
        if (length >= 7'd4) begin
            reached = 3'd3;
        end
        if (length >= 7'd12) begin
            reached = 3'd4;
        end
        if (length >= 7'd24) begin
            reached = 3'd5;
        end
        if (length >= 7'd48) begin
            reached = 3'd6;
        end
        if (length >= 7'd96) begin
            reached = 3'd7;
        end
    end

    assign match_class = reached;
    assign is_long = length >= 7'd16;

    assign pointers_learn =
        keeps_pointer ? 1'b0 :
        (|length) ? learn & !good :
        learn;

    assign grows = !(&reached) & learn;

    always @(posedge clock) begin
        if (reset) begin
            position <= 10'd0;
        end else begin
            position <= position + {9'd0, learn | clear_valid};
        end
    end

    always @(posedge clock) begin
        followed <= place + {9'd0, learn};
        follows <= follows | predict;
        length <= length + {6'd0, grows};
        if (clear_valid | (learn & !good)) begin
            follows <= 1'b0;
            length <= 7'd0;
        end
    end

    wire _unused_ok = &{1'b0, clear_index[9:6], address[29:18]};

endmodule

// What an entry says of a branch, and what it learns
module talon_xl_loop_step (
    input  wire [18:0] entry,
    input  wire [4:0]  tag, // tag of the branch
    input  wire        learn, // an outcome is learned
    input  wire        taken, // the outcome
    input  wire        right, // the whole prediction was right
    input  wire [7:0]  random, // the pseudo-random bits of this outcome
    output wire        predicted, // the outcome that is predicted
    output wire [1:0]  confidence, // how often in a row the trip count was right; 0 for a branch that is not the entry's
    output wire        writes, // the entry changes
    output wire [18:0] learned
);

    reg  [1:0] learned_confidence;
    wire       found;
    wire       complete;
    wire       allocates;

    wire       entry_valid = entry[0];
    wire [4:0] entry_tag = entry[5:1];
    wire [4:0] entry_trips = entry[10:6];
    wire [4:0] entry_current = entry[15:11];
    wire [1:0] entry_confidence = entry[17:16];
    wire       entry_direction = entry[18];

    assign found = (entry_tag == tag) & entry_valid;
    assign complete = entry_current == entry_trips;
    assign predicted = entry_direction ^ complete;
    assign confidence = found ? entry_confidence : 2'd0;

    always @* begin
        learned_confidence = 2'd0;
        if (found) begin
            if (taken == entry_direction) begin
                if (!complete) begin
                    learned_confidence = entry_confidence;
                end
            end else if (complete) begin
                learned_confidence = 2'd3;
                if (entry_confidence != 2'd3) begin
                    learned_confidence = entry_confidence + 2'd1;
                end
            end
        end
    end

    assign learned = {
        (found ? entry_direction : (!taken)),
        learned_confidence,
        ((!found || (taken != entry_direction)) ? 5'd0 : ((entry_current != 5'd31) ? (entry_current + 5'd1) : entry_current)),
        (!found ? 5'd31 : (((taken == entry_direction) || complete) ? entry_trips : entry_current)),
        tag,
        !found | (taken == entry_direction) | complete | (|entry_current)
    };

    assign allocates = (!(|entry_confidence) | !(|random[7:5])) & !right;
    assign writes = learn & (found | allocates);

    wire _unused_ok = &{1'b0, random[4:0]};

endmodule

// A memory with one read port and one write port, cleared entry by entry
module talon_xl_table_memory_entries8_width19 (
    input  wire        clock,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [2:0]  clear_index, // the entry to clear, in the lower bits
    input  wire [18:0] clear_entry, // what a cleared entry holds
    input  wire [2:0]  index, // the entry to read
    output wire [18:0] entry,
    input  wire        write,
    input  wire [2:0]  write_index,
    input  wire [18:0] written
);

    wire        writes;
    wire [2:0]  changed_index; // the entry that is written
    wire [18:0] entries_read_data;
    wire [18:0] entries_write_data;
    reg  [18:0] entries_cells [0:7];

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
module talon_xl_predictor_table_entries8_width19 (
    input  wire        clock,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [2:0]  clear_index, // the entry to clear, in the lower bits
    input  wire [18:0] clear_entry, // value of a cleared entry
    input  wire [2:0]  index, // the entry to read
    output wire [18:0] entry, // value of the entry read
    input  wire        learn, // the entry takes a new value
    input  wire [18:0] learned // the new value
);

    talon_xl_table_memory_entries8_width19 memory (
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

// A direct-mapped table of loops
module talon_xl_loop_predictor (
    input  wire        clock,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [9:0]  clear_index, // the entry to clear, in the lower bits
    input  wire [29:0] address, // address of the branch, in instruction units
    input  wire        learn, // an outcome is learned
    input  wire        taken, // the outcome
    input  wire        right, // the whole prediction was right
    input  wire [7:0]  random, // the pseudo-random bits of this outcome
    output wire        predicted, // the outcome that is predicted
    output wire [1:0]  confidence // how often in a row the trip count was right; 0 for a branch that the table does not know
);

    wire [29:0] hash;
    wire [4:0]  read_tag;
    wire        step_writes;
    wire [18:0] step_learned;
    wire [18:0] loops_entry;

    talon_xl_loop_step step (
        .entry      (loops_entry),
        .tag        (read_tag),
        .learn      (learn),
        .taken      (taken),
        .right      (right),
        .random     (random),
        .predicted  (predicted),
        .confidence (confidence),
        .writes     (step_writes),
        .learned    (step_learned)
    );

    talon_xl_predictor_table_entries8_width19 loops (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (clear_index[2:0]),
        .clear_entry (19'd0),
        .index       (hash[2:0]),
        .entry       (loops_entry),
        .learn       (step_writes),
        .learned     (step_learned)
    );

    assign hash = address ^ {5'd0, address[29:5]};
    assign read_tag = hash[7:3];

    wire _unused_ok = &{1'b0, clear_index[9:3], hash[29:8]};

endmodule

// A memory with one read port and one write port, cleared entry by entry
module talon_xl_table_memory_entries128_width3 (
    input  wire       clock,
    input  wire       clear_valid, // the tables are being cleared
    input  wire [6:0] clear_index, // the entry to clear, in the lower bits
    input  wire [2:0] clear_entry, // what a cleared entry holds
    input  wire [6:0] index, // the entry to read
    output wire [2:0] entry,
    input  wire       write,
    input  wire [6:0] write_index,
    input  wire [2:0] written
);

    wire       writes;
    wire [6:0] changed_index; // the entry that is written
    wire [2:0] entries_read_data;
    wire [2:0] entries_write_data;
    reg  [2:0] entries_cells [0:127];

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

// Three-bit counters, read and learned in one cycle
module talon_xl_confidence (
    input  wire        clock,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [9:0]  clear_index, // the entry to clear, in the lower bits
    input  wire [29:0] address, // address of the branch, in instruction units
    input  wire        prediction, // the outcome that is predicted
    input  wire        differs, // bimodal would predict otherwise
    input  wire        learn, // an outcome is learned
    input  wire        right, // the prediction was right
    input  wire [7:0]  grows, // by value, whether a counter grows
    output wire [2:0]  counter
);

    wire [31:0] key; // the address above the bits of what is predicted
    wire [6:0]  folded;
    wire [6:0]  index;
    wire        step_grows;
    wire [3:0]  step_counter_next;

    talon_xl_counter_step_magnitude_bits3 step (
        .counter      ({1'b1, counter}),
        .taken        (right),
        .grows        (step_grows),
        .counter_next (step_counter_next)
    );

    talon_xl_table_memory_entries128_width3 counters (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (clear_index[6:0]),
        .clear_entry (3'd0),
        .index       (index),
        .entry       (counter),
        .write       (learn),
        .write_index (index),
        .written     (step_counter_next[2:0])
    );

    assign key = {address, 2'd0};
    assign folded = key[6:0] ^ key[13:7] ^ key[20:14];
    assign index = folded ^ {5'd0, differs, 1'b0} ^ {6'd0, prediction};
    assign step_grows = grows[counter];

    wire _unused_ok = &{1'b0, clear_index[9:7], key[31:21], step_counter_next[3]};

endmodule

// Adds up what each structure says of a prediction
module talon_xl_score (
    input  wire       prediction, // the outcome that is predicted
    input  wire [3:0] bimodal, // bimodal's counter: direction and, below it, magnitude
    input  wire       is_sure, // bimodal is sure: gshare is not asked
    input  wire [2:0] gshare, // gshare's counter: direction and, below it, magnitude
    input  wire       matched, // the match model's outcome
    input  wire [2:0] match_class, // class of the match's length
    input  wire       looped, // the loop predictor's outcome
    input  wire [1:0] loop_confidence, // how sure the loop predictor is; 0 if it does not know the branch
    input  wire [2:0] counter, // the confidence counter
    output wire [3:0] confidence // a prediction of confidence k is wrong with probability 2^-k
);

    wire [3:0] bimodal_state;
    wire [3:0] gshare_state;
    wire [3:0] match_state;
    wire [2:0] loop_state;
    wire [5:0] bimodal_score;
    wire [3:0] gshare_score;
    wire [5:0] match_score;
    wire [3:0] counter_score;
    wire [1:0] loop_score;
    wire [6:0] rest; // without gshare and counter
    wire [6:0] total;
    wire [1:0] high;
    wire [3:0] halved;

    assign bimodal_state = {bimodal[3] == prediction, bimodal[2:0]};
    assign gshare_state = {is_sure, gshare[2] == prediction, gshare[1:0]};
    assign match_state = {matched == prediction, match_class};

    assign bimodal_score = {
        |((16'hff1f >> bimodal_state) & 16'd1),
        |((16'd224 >> bimodal_state) & 16'd1),
        |((16'h80e0 >> bimodal_state) & 16'd1),
        |((16'hdf20 >> bimodal_state) & 16'd1),
        |((16'h204f >> bimodal_state) & 16'd1),
        |((16'hb0f2 >> bimodal_state) & 16'd1)
    };

    assign gshare_score = {
        |((16'hff80 >> gshare_state) & 16'd1),
        |((16'd96 >> gshare_state) & 16'd1),
        |((16'd151 >> gshare_state) & 16'd1),
        |((16'd84 >> gshare_state) & 16'd1)
    };

    assign match_score = {
        |((16'h8000 >> match_state) & 16'd1),
        |((16'h7f1f >> match_state) & 16'd1),
        |((16'h7f20 >> match_state) & 16'd1),
        |((16'h403f >> match_state) & 16'd1),
        |((16'h202f >> match_state) & 16'd1),
        |((16'h3037 >> match_state) & 16'd1)
    };

    assign counter_score = {
        |((8'd128 >> counter) & 8'd1),
        |((8'd96 >> counter) & 8'd1),
        |((8'd30 >> counter) & 8'd1),
        |((8'd220 >> counter) & 8'd1)
    };

    assign rest = {1'b0, match_score} + {1'b0, bimodal_score} + {5'd0, loop_score};
    assign loop_state = {looped != prediction, loop_confidence};
    assign loop_score = {|((8'd159 >> loop_state) & 8'd1), |((8'd10 >> loop_state) & 8'd1)};
    assign total = rest + {3'd0, gshare_score} + {3'd0, counter_score};
    assign high = total[6:5];
    assign halved = total[4:1];

    assign confidence =
        (high < 2'd2) ? 4'd1 :
        ((high > 2'd2) || (halved > 4'd10)) ? 4'd10 :
        (|halved) ? halved :
        4'd1;

    wire _unused_ok = &{1'b0, total[0]};

endmodule

// How sure a prediction is, from its evidence and the confidence counters
module talon_xl_judge (
    input  wire        clock,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [9:0]  clear_index, // the entry to clear, in the lower bits
    input  wire [25:0] evidence,
    input  wire [29:0] address, // address of the branch, in instruction units; a cycle before the evidence where tables are read through registers
    output wire        wrong, // the outcome is not the predicted one
    output wire [3:0]  confidence // a prediction of confidence k is wrong with probability 2^-k
);

    wire       counters_differs;
    wire       counters_right;
    wire [2:0] counters_counter;

    wire       evidence_learn = evidence[0];
    wire       evidence_prediction = evidence[1];
    wire       evidence_wrong = evidence[2];
    wire [3:0] evidence_bimodal = evidence[6:3];
    wire       evidence_is_sure = evidence[7];
    wire [2:0] evidence_gshare = evidence[10:8];
    wire       evidence_matched = evidence[11];
    wire [2:0] evidence_match_class = evidence[14:12];
    wire       evidence_looped = evidence[15];
    wire [1:0] evidence_loop_confidence = evidence[17:16];
    wire [7:0] evidence_grows = evidence[25:18];

    talon_xl_confidence counters (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .address     (address),
        .prediction  (evidence_prediction),
        .differs     (counters_differs),
        .learn       (evidence_learn),
        .right       (counters_right),
        .grows       (evidence_grows),
        .counter     (counters_counter)
    );

    talon_xl_score score (
        .prediction      (evidence_prediction),
        .bimodal         (evidence_bimodal),
        .is_sure         (evidence_is_sure),
        .gshare          (evidence_gshare),
        .matched         (evidence_matched),
        .match_class     (evidence_match_class),
        .looped          (evidence_looped),
        .loop_confidence (evidence_loop_confidence),
        .counter         (counters_counter),
        .confidence      (confidence)
    );

    assign counters_differs = evidence_bimodal[3] ^ evidence_prediction;
    assign counters_right = !evidence_wrong;
    assign wrong = evidence_wrong;

endmodule

// Bimodal, gshare, match model and loop predictor, with the confidence counters and scores
module talon_xl_outcome_predictor (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [9:0]  clear_index, // the entry to clear, in the lower bits
    input  wire        predict, // an outcome is predicted: high only in cycles in which a block is taken
    input  wire        learn, // it is learned too
    input  wire [29:0] address, // address of the branch, in instruction units
    input  wire        taken, // the outcome
    output wire        wrong, // the outcome is not the predicted one
    output wire [3:0]  confidence // a prediction of confidence k is wrong with probability 2^-k
);

    reg         use_match;
    wire        prediction;
    wire        bimodal_is_enough;
    wire        match_is_enough;
    wire [25:0] evidence;
    wire [7:0]  random_bits_random;
    wire [7:0]  random_bits_grows;
    wire [3:0]  bimodal_counter;
    wire        bimodal_is_sure;
    wire        gshare_learn;
    wire [2:0]  gshare_counter;
    wire [1:0]  gshare_latest;
    wire        match_model_predicted;
    wire [2:0]  match_model_match_class;
    wire        match_model_is_long;
    wire        loop_predictor_right;
    wire        loop_predictor_predicted;
    wire [1:0]  loop_predictor_confidence;

    talon_xl_random_bits random_bits (
        .clock  (clock),
        .reset  (reset),
        .step   (learn),
        .random (random_bits_random),
        .grows  (random_bits_grows)
    );

    talon_xl_bimodal bimodal (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .address     (address),
        .learn       (learn),
        .taken       (taken),
        .grows       (random_bits_grows),
        .counter     (bimodal_counter),
        .is_sure     (bimodal_is_sure)
    );

    talon_xl_gshare gshare (
        .clock       (clock),
        .reset       (reset),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .address     (address),
        .update      (learn),
        .taken       (taken),
        .learn       (gshare_learn),
        .outcome     (taken),
        .grows       (random_bits_grows),
        .counter     (gshare_counter),
        .latest      (gshare_latest)
    );

    talon_xl_match_model match_model (
        .clock         (clock),
        .reset         (reset),
        .clear_valid   (clear_valid),
        .clear_index   (clear_index),
        .address       (address),
        .latest        (gshare_latest),
        .predict       (predict),
        .learn         (learn),
        .taken         (taken),
        .keeps_pointer (random_bits_random[7]),
        .predicted     (match_model_predicted),
        .match_class   (match_model_match_class),
        .is_long       (match_model_is_long)
    );

    talon_xl_loop_predictor loop_predictor (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .address     (address),
        .learn       (learn),
        .taken       (taken),
        .right       (loop_predictor_right),
        .random      (random_bits_random),
        .predicted   (loop_predictor_predicted),
        .confidence  (loop_predictor_confidence)
    );

    talon_xl_judge judge (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .evidence    (evidence),
        .address     (address),
        .wrong       (wrong),
        .confidence  (confidence)
    );

    assign bimodal_is_enough = (bimodal_counter[3] == taken) & bimodal_is_sure;
    assign match_is_enough = (match_model_predicted == taken) & match_model_is_long;
    assign gshare_learn = learn & !bimodal_is_enough & !match_is_enough;

    always @* begin
        use_match = match_model_match_class >= 3'd4;
        if (!bimodal_is_sure && (match_model_match_class == 3'd3) && !gshare_counter[1]) begin
            use_match = 1'b1;
        end
    end

    assign prediction =
        (loop_predictor_confidence == 2'd3) ? loop_predictor_predicted :
        use_match ? match_model_predicted :
        bimodal_is_sure ? bimodal_counter[3] :
        gshare_counter[2];

    assign loop_predictor_right = prediction == taken;

    assign evidence = {
        random_bits_grows,
        loop_predictor_confidence,
        loop_predictor_predicted,
        match_model_match_class,
        match_model_predicted,
        gshare_counter,
        bimodal_is_sure,
        bimodal_counter,
        prediction ^ taken,
        prediction,
        learn
    };

endmodule

// Shows the top, and the address below it where both are compared; pops up to two, then pushes, once per cycle
module talon_xl_return_address_stack (
    input  wire        clock,
    input  wire        reset,
    input  wire        pop, // take the top off
    input  wire        pop_second, // take the address below it off too; only if there is one
    input  wire        push,
    input  wire [29:0] return_address, // return address of a call: the bits that an entry keeps
    output wire        has_top, // the stack has a top
    output wire [29:0] top,
    output wire        has_second, // the stack has an address below the top
    output wire [29:0] second
);

    reg  [3:0]  pointer;
    reg         full; // every entry was written
    wire [3:0]  below;
    wire [3:0]  below_second;
    wire [3:0]  popped_pointer;
    wire [3:0]  above;
    wire [29:0] entries_read_data_0;
    wire [29:0] entries_read_data_1;
    reg  [29:0] entries_cells [0:8];

    assign below = (|pointer) ? pointer - 4'd1 : 4'd8;
    assign has_top = full | (|pointer);
    assign top = entries_read_data_0;
    assign has_second = full | (|pointer[3:1]);
    assign second = entries_read_data_1;

    assign popped_pointer =
        (pop & pop_second) ? below_second :
        (pop && has_top) ? below :
        pointer;

    assign below_second = (|below) ? below - 4'd1 : 4'd8;
    assign above = (popped_pointer == 4'd8) ? 4'd0 : popped_pointer + 4'd1;
    assign entries_read_data_0 = entries_cells[pointer];
    assign entries_read_data_1 = entries_cells[below];

    always @(posedge clock) begin
        if (reset) begin
            pointer <= 4'd0;
            full <= 1'b0;
        end else begin
            pointer <= popped_pointer;
            if (push) begin
                pointer <= above;
            end
            full <= full | (push & !(|above));
        end
    end

    always @(posedge clock) begin
        if (push) begin
            entries_cells[above] <= return_address;
        end
    end

endmodule

// The shift register whose lowest bit chooses the entry that a new branch takes
module talon_xl_victim_bits (
    input  wire clock,
    input  wire reset,
    input  wire step, // a target is learned
    output wire victim
);

    reg  [2:0] bits;

    assign victim = bits[0];

    always @(posedge clock) begin
        if (reset) begin
            bits <= 3'd6;
        end else begin
            if (step) begin
                bits <= {1'b0, bits[2:1]};
                if (bits[0]) begin
                    bits <= {1'b0, bits[2:1]} ^ 3'd6;
                end
            end
        end
    end

endmodule

// Looks a branch up, compares its target and learns it, all in one cycle
module talon_xl_single_target_buffer (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [9:0]  clear_index, // the entry to clear, in the lower bits
    input  wire [29:0] address, // address of the branch in instruction units; in the synchronous style that of the next cycle's branch
    input  wire [29:0] target, // its target: the bits that an entry keeps
    input  wire        is_near, // the other bits of the target are those of the address
    input  wire        learn,
    output wire        hit, // the buffer knows the branch
    output wire        has_two, // it knows two targets
    output wire        recent, // the target of the last time is in the second way
    output wire [1:0]  confidence, // the confidence of that target's entry
    output wire [29:0] recent_target, // the target of the last time
    output wire        is_first, // the target is the one in the first way
    output wire        is_second // the target is the one in the second way
);

    wire [2:0]  lookup_set;
    wire [1:0]  lookup_tag;
    wire [1:0]  lookup_hits;
    wire [2:0]  tags_0_read_data;
    wire        tags_0_write_enable;
    wire [2:0]  tags_1_read_data;
    wire        tags_1_write_enable;
    wire [29:0] targets_0_read_data;
    wire [29:0] targets_1_read_data;
    wire [1:0]  confidences_0_read_data;
    reg         confidences_0_write_enable;
    reg  [1:0]  confidences_0_write_data;
    wire [1:0]  confidences_1_read_data;
    wire        confidences_1_write_enable;
    reg  [1:0]  confidences_1_write_data;
    wire        recents_read_data;
    wire        recents_write_enable;
    wire        recents_write_data;
    wire [29:0] above;
    wire [2:0]  learned_tag;
    wire [2:0]  write_set;
    wire        way; // the way that was used last of those that hit; if none does, the one that may be replaced
    wire [1:0]  same_bits; // the ways that hit and have the target's bits
    wire [1:0]  known;
    wire        other_is_sure;
    wire        takes_other;
    wire        taken_way; // the way that the target takes
    wire [1:0]  replaces;
    wire        may_replace;
    wire [1:0]  judged; // the ways whose confidence changes
    reg         other_ages; // the branch's only entry is wrong, and the other one sure
    wire        next_recent;
    wire        victim_bits_victim;
    reg  [2:0]  tags_0_cells [0:7];
    reg  [2:0]  tags_1_cells [0:7];
    reg  [29:0] targets_0_cells [0:7];
    reg  [29:0] targets_1_cells [0:7];
    reg  [1:0]  confidences_0_cells [0:7];
    reg  [1:0]  confidences_1_cells [0:7];
    reg         recents_cells [0:7];

    wire       tags_0_read_data_valid = tags_0_read_data[0];
    wire [1:0] tags_0_read_data_tag = tags_0_read_data[2:1];
    wire       tags_1_read_data_valid = tags_1_read_data[0];
    wire [1:0] tags_1_read_data_tag = tags_1_read_data[2:1];

    talon_xl_victim_bits victim_bits (
        .clock  (clock),
        .reset  (reset),
        .step   (learn),
        .victim (victim_bits_victim)
    );

    assign above = {3'd0, address[29:3]};
    assign lookup_set = address[2:0] ^ above[2:0] ^ above[5:3];
    assign lookup_tag = above[1:0] ^ above[3:2];

    assign lookup_hits = {
        tags_1_read_data_valid & (tags_1_read_data_tag == lookup_tag),
        tags_0_read_data_valid & (tags_0_read_data_tag == lookup_tag)
    };

    assign hit = |lookup_hits;
    assign has_two = &lookup_hits;

    assign way =
        has_two ? recents_read_data :
        hit ? lookup_hits[1] :
        victim_bits_victim;

    assign recent = way;
    assign confidence = way ? confidences_1_read_data : confidences_0_read_data;
    assign recent_target = way ? targets_1_read_data : targets_0_read_data;
    assign other_is_sure = way ? |confidences_0_read_data : |confidences_1_read_data;

    assign same_bits = {
        lookup_hits[1] & (targets_1_read_data == target),
        lookup_hits[0] & (targets_0_read_data == target)
    };

    assign known = is_near ? same_bits : 2'd0;
    assign is_first = known[0];
    assign is_second = known[1];
    assign takes_other = hit & (has_two | !other_is_sure);
    assign taken_way = way ^ takes_other;
    assign may_replace = learn & !(|same_bits) & (takes_other | !(|confidence));
    assign replaces = {may_replace & taken_way, may_replace & !taken_way};
    assign judged = {(!(|known) & way) | known[1], (!(|known) & !way) | known[0]};

    assign next_recent =
        (|known) ? is_second :
        may_replace ? taken_way :
        way;

    assign learned_tag = {lookup_tag, !clear_valid};
    assign write_set = clear_valid ? clear_index[2:0] : lookup_set;
    assign tags_0_write_enable = replaces[0] | clear_valid;

    always @* begin
        confidences_0_write_enable = clear_valid;
        if (judged[0]) begin
            confidences_0_write_enable = clear_valid | learn;
        end
        if (replaces[0]) begin
            confidences_0_write_enable = 1'b1;
        end
        confidences_0_write_data = {1'b0, confidences_0_read_data[1]};
        if (|known) begin
            if (confidences_0_read_data != 2'd3) begin
                confidences_0_write_data = confidences_0_read_data + 2'd1;
            end else begin
                confidences_0_write_data = 2'd3;
            end
        end
        other_ages = learn & hit & !takes_other & !(|known);
        if (other_ages && way) begin
            confidences_0_write_enable = 1'b1;
            confidences_0_write_data = confidences_0_read_data - 2'd1;
        end
        if (clear_valid || replaces[0]) begin
            confidences_0_write_data = 2'd0;
        end
        other_ages = learn & hit & !takes_other & !(|known);
    end

    assign tags_1_write_enable = replaces[1] | clear_valid;

    assign confidences_1_write_enable =
        (replaces[1] || (other_ages && !way)) ? 1'b1 :
        judged[1] ? clear_valid | learn :
        clear_valid;

    always @* begin
        confidences_1_write_data = {1'b0, confidences_1_read_data[1]};
        if (|known) begin
            if (confidences_1_read_data != 2'd3) begin
                confidences_1_write_data = confidences_1_read_data + 2'd1;
            end else begin
                confidences_1_write_data = 2'd3;
            end
        end
        if (other_ages && !way) begin
            confidences_1_write_data = confidences_1_read_data - 2'd1;
        end
        if (clear_valid || replaces[1]) begin
            confidences_1_write_data = 2'd0;
        end
    end

    assign recents_write_enable = learn | clear_valid;
    assign recents_write_data = next_recent | clear_valid;
    assign tags_0_read_data = tags_0_cells[lookup_set];
    assign tags_1_read_data = tags_1_cells[lookup_set];
    assign targets_0_read_data = targets_0_cells[lookup_set];
    assign targets_1_read_data = targets_1_cells[lookup_set];
    assign confidences_0_read_data = confidences_0_cells[lookup_set];
    assign confidences_1_read_data = confidences_1_cells[lookup_set];
    assign recents_read_data = recents_cells[lookup_set];

    always @(posedge clock) begin
        if (tags_0_write_enable) begin
            tags_0_cells[write_set] <= learned_tag;
        end
    end

    always @(posedge clock) begin
        if (tags_1_write_enable) begin
            tags_1_cells[write_set] <= learned_tag;
        end
    end

    always @(posedge clock) begin
        if (replaces[0]) begin
            targets_0_cells[lookup_set] <= target;
        end
    end

    always @(posedge clock) begin
        if (replaces[1]) begin
            targets_1_cells[lookup_set] <= target;
        end
    end

    always @(posedge clock) begin
        if (confidences_0_write_enable) begin
            confidences_0_cells[write_set] <= confidences_0_write_data;
        end
    end

    always @(posedge clock) begin
        if (confidences_1_write_enable) begin
            confidences_1_cells[write_set] <= confidences_1_write_data;
        end
    end

    always @(posedge clock) begin
        if (recents_write_enable) begin
            recents_cells[write_set] <= recents_write_data;
        end
    end

    wire _unused_ok = &{1'b0, clear_index[9:3], above[29:6]};

endmodule

// Compares the target of a branch with what stack and target buffer know, and learns it
module talon_xl_target_predictor (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [9:0]  clear_index, // the entry to clear, in the lower bits
    input  wire [29:0] address, // address of the block's last instruction in instruction units
    input  wire [3:0]  length, // its length in instruction units
    input  wire [29:0] target, // its target in instruction units
    input  wire        learn, // a taken indirect branch retires
    input  wire        is_return, // it is a return
    input  wire        conditional, // it is conditional
    input  wire        call, // a taken call retires
    output wire        has_candidate, // there is a candidate
    output wire        has_choice, // there is one that the outcome predictor chooses from two
    output wire        wrong, // the candidate is wrong; with a choice: both are
    output reg  [3:0]  confidence, // confidence of the candidate; with a choice: the highest one
    output wire        has_other, // there is another candidate
    output wire        is_other, // without a choice: the target is the other candidate
    output wire        is_second, // with a choice: the target is the second one
    output wire [29:0] reference // kept bits of the address from which a target is sent
);

    wire        trains; // the buffer learns
    wire        is_top;
    wire        is_below;
    wire        is_recent;
    wire        is_known;
    wire        stack_pop;
    wire        stack_pop_second;
    wire [29:0] stack_return_address;
    wire        stack_has_top;
    wire [29:0] stack_top;
    wire        stack_has_second;
    wire [29:0] stack_second;
    wire        single_buffer_hit;
    wire        single_buffer_has_two;
    wire        single_buffer_recent;
    wire [1:0]  single_buffer_confidence;
    wire [29:0] single_buffer_recent_target;
    wire        single_buffer_is_first;
    wire        single_buffer_is_second;

    talon_xl_return_address_stack stack (
        .clock          (clock),
        .reset          (reset),
        .pop            (stack_pop),
        .pop_second     (stack_pop_second),
        .push           (call),
        .return_address (stack_return_address),
        .has_top        (stack_has_top),
        .top            (stack_top),
        .has_second     (stack_has_second),
        .second         (stack_second)
    );

    talon_xl_single_target_buffer single_buffer (
        .clock         (clock),
        .reset         (reset),
        .clear_valid   (clear_valid),
        .clear_index   (clear_index),
        .address       (address),
        .target        (target),
        .is_near       (1'b1),
        .learn         (trains),
        .hit           (single_buffer_hit),
        .has_two       (single_buffer_has_two),
        .recent        (single_buffer_recent),
        .confidence    (single_buffer_confidence),
        .recent_target (single_buffer_recent_target),
        .is_first      (single_buffer_is_first),
        .is_second     (single_buffer_is_second)
    );

    assign stack_return_address = address + {26'd0, length};
    assign is_top = stack_has_top & (stack_top == target);
    assign is_below = stack_has_second & (stack_second == target);
    assign stack_pop = learn & is_return;
    assign stack_pop_second = is_below & !is_top;
    assign trains = learn & !is_return;
    assign is_recent = single_buffer_recent ? single_buffer_is_second : single_buffer_is_first;
    assign is_known = single_buffer_is_first | single_buffer_is_second;
    assign has_choice = !is_return & (has_other & !conditional);
    assign is_second = !single_buffer_is_first;
    assign reference = (!is_return && single_buffer_hit) ? single_buffer_recent_target : address;

    always @* begin
        confidence = 4'd9;
        if (!is_return) begin
            case (single_buffer_confidence)
                2'd0: confidence = 4'd1;
                2'd1: begin
                    confidence = 4'd1;
                    if (has_choice) begin
                        confidence = 4'd4;
                    end
                end
                2'd2: begin
                    confidence = 4'd1;
                    if (has_choice) begin
                        confidence = 4'd10;
                    end
                end
                2'd3: begin
                    confidence = 4'd6;
                    if (has_choice) begin
                        confidence = 4'd10;
                    end else if (single_buffer_has_two) begin
                        confidence = 4'd2;
                    end
                end
            endcase
        end
    end

    assign has_candidate = is_return ? stack_has_top : single_buffer_hit;

    assign wrong =
        is_return ? !is_top :
        has_choice ? !is_known :
        !is_recent;

    assign is_other = is_return ? is_below & !is_top : has_other & is_known & !is_recent;
    assign has_other = is_return ? stack_has_second : single_buffer_hit & single_buffer_has_two;

endmodule

// Counts the instructions of every block, and gives up half of its range where it would leave it
module talon_xl_instruction_counter (
    input  wire        clock,
    input  wire        reset,
    input  wire        retire, // a block retires
    input  wire [3:0]  count, // its instructions
    input  wire        control_flow, // its last instruction is a jump or a branch
    input  wire        has_symbol, // its last instruction has a symbol
    input  wire        exception, // an exception follows it
    input  wire        flush,
    input  wire        clearing, // the tables are being cleared; no block retires
    output wire [9:0]  swept, // the entry to clear
    output wire [13:0] instructions, // instructions since the last symbol, those of the block included
    output wire        overflows, // the jump that ends the block finds the counter in its upper half, or a sequential block leaves the range
    output wire        overflows_first // the block leaves the range before what its last instruction or an exception says
);

    reg  [13:0] instruction_count;
    reg  [3:0]  counted_now; // instructions of the block, or one entry that is cleared
    wire [14:0] total;
    wire        clears;
    wire        above_range;
    wire        upper_half;
    wire        leaves_more; // of the last instruction too
    wire        halves; // a jump may take a half off
    wire        count_top;
    wire        is_swept; // the last entry is being cleared

    always @* begin
        counted_now = 4'd0;
        if (retire) begin
            counted_now = count;
        end
        counted_now = counted_now | {3'd0, clearing};
    end

    assign is_swept = clearing & (&swept);
    assign swept = instruction_count[9:0];
    assign total = {1'b0, instruction_count} + {11'd0, counted_now};
    assign clears = (retire & (has_symbol | exception)) | flush;
    assign above_range = total[14];
    assign upper_half = above_range | total[13];
    assign leaves_more = |total[3:0];
    assign halves = retire & control_flow & !has_symbol;
    assign overflows = (halves & upper_half) | (above_range & !control_flow & !exception);
    assign overflows_first = above_range & ((control_flow & leaves_more) | exception);
    assign count_top = halves ? above_range & !leaves_more : upper_half;
    assign instructions = {count_top, total[12:0]};

    always @(posedge clock) begin
        if (reset) begin
            instruction_count <= 14'd0;
        end else begin
            instruction_count <= instructions;
            if (clears || is_swept) begin
                instruction_count <= 14'd0;
            end
        end
    end

endmodule

// Blocks in, steps of the coder out, one per cycle
module talon_xl_predictors (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [9:0]  clear_index, // the entry to clear, in the lower bits
    input  wire        retire_valid, // a block is taken
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
    input  wire        flush,
    output wire [62:0] step,
    output wire        step_valid,
    output wire [9:0]  swept // the entry to clear, where the instruction counter numbers them
);

    wire [29:0] address;
    wire [29:0] target;
    wire        has_symbol; // a conditional or an unconditional taken indirect branch
    wire        question_predict;
    wire        question_learn;
    wire        question_taken;
    wire        learns_target;
    wire        excepts;
    wire [29:0] looked_up; // by what a target is looked up
    wire        found_valid;
    wire        found_conditional;
    wire [29:0] difference;
    wire [3:0]  choice_confidence;
    wire        predicted_wrong; // the outcome or the choice is not the predicted one
    wire [3:0]  predicted_confidence; // the confidence of the predicted outcome or choice
    wire [62:0] step_word;
    wire        target_predictor_learn;
    wire        target_predictor_is_return;
    wire        target_predictor_conditional;
    wire        target_predictor_call;
    wire        target_predictor_has_candidate;
    wire        target_predictor_has_choice;
    wire        target_predictor_wrong;
    wire [3:0]  target_predictor_confidence;
    wire        target_predictor_has_other;
    wire        target_predictor_is_other;
    wire        target_predictor_is_second;
    wire [29:0] target_predictor_reference;
    wire        instruction_counter_control_flow;
    wire [13:0] instruction_counter_instructions;
    wire        instruction_counter_overflows;
    wire        instruction_counter_overflows_first;

    talon_xl_outcome_predictor outcome_predictor (
        .clock       (clock),
        .reset       (reset),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .predict     (question_predict),
        .learn       (question_learn),
        .address     (address),
        .taken       (question_taken),
        .wrong       (predicted_wrong),
        .confidence  (predicted_confidence)
    );

    talon_xl_target_predictor target_predictor (
        .clock         (clock),
        .reset         (reset),
        .clear_valid   (clear_valid),
        .clear_index   (clear_index),
        .address       (looked_up),
        .length        ({2'd0, retire_length[3:2]}),
        .target        (target),
        .learn         (target_predictor_learn),
        .is_return     (target_predictor_is_return),
        .conditional   (target_predictor_conditional),
        .call          (target_predictor_call),
        .has_candidate (target_predictor_has_candidate),
        .has_choice    (target_predictor_has_choice),
        .wrong         (target_predictor_wrong),
        .confidence    (target_predictor_confidence),
        .has_other     (target_predictor_has_other),
        .is_other      (target_predictor_is_other),
        .is_second     (target_predictor_is_second),
        .reference     (target_predictor_reference)
    );

    talon_xl_instruction_counter instruction_counter (
        .clock           (clock),
        .reset           (reset),
        .retire          (retire_valid),
        .count           (retire_count),
        .control_flow    (instruction_counter_control_flow),
        .has_symbol      (has_symbol),
        .exception       (retire_exception),
        .flush           (flush),
        .clearing        (clear_valid),
        .swept           (swept),
        .instructions    (instruction_counter_instructions),
        .overflows       (instruction_counter_overflows),
        .overflows_first (instruction_counter_overflows_first)
    );

    assign address = retire_pc[31:2];
    assign target = retire_target[31:2];
    assign has_symbol = retire_conditional | retire_indirect;
    assign excepts = retire_valid & retire_exception;
    assign looked_up = retire_exception ? 30'd0 : address;
    assign learns_target = retire_valid & retire_indirect & retire_taken;
    assign target_predictor_learn = learns_target | excepts;
    assign target_predictor_is_return = retire_return & !retire_exception;
    assign target_predictor_conditional = retire_conditional | retire_exception;

    assign target_predictor_call =
        retire_valid & retire_call & retire_taken & (retire_direct | retire_indirect);

    assign question_predict = retire_valid & (retire_conditional | (retire_indirect & target_predictor_has_choice));
    assign question_learn = retire_valid & (retire_conditional | (retire_indirect & target_predictor_has_choice & !target_predictor_wrong));
    assign question_taken = retire_conditional ? retire_taken : target_predictor_is_second;
    assign instruction_counter_control_flow = retire_direct | retire_indirect;
    assign difference = target ^ target_predictor_reference;
    assign found_conditional = retire_valid & retire_conditional;

    assign found_valid =
        flush | excepts | instruction_counter_overflows | instruction_counter_overflows_first |
        found_conditional | learns_target;

    assign choice_confidence =
        (predicted_confidence < target_predictor_confidence) ? predicted_confidence :
        target_predictor_confidence;

    assign step_word = {
        difference,
        instruction_counter_instructions,
        (target_predictor_has_choice ? choice_confidence : target_predictor_confidence),
        predicted_confidence,
        (target_predictor_has_choice ? (!target_predictor_wrong) : target_predictor_is_other),
        target_predictor_has_other,
        (target_predictor_has_choice ? (target_predictor_wrong | predicted_wrong) : target_predictor_wrong),
        target_predictor_has_candidate,
        learns_target,
        predicted_wrong,
        found_conditional,
        instruction_counter_overflows_first,
        instruction_counter_overflows,
        excepts,
        flush
    };

    assign step_valid = found_valid;
    assign step = step_word;

    wire _unused_ok = &{1'b0, retire_pc[1:0], retire_length[1:0], retire_target[1:0]};

endmodule

// Words in their order, the oldest shown at once: depth words of width bits
module talon_xl_fifo_depth2_width63 (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid,
    input  wire [62:0] in_word,
    output wire        in_ready,
    output wire        out_valid,
    output wire [62:0] out_word,
    input  wire        out_ready
);

    wire [62:0] words_read_data;
    reg         write_pointer;
    reg         read_pointer;
    reg         is_filled; // more words came than went since the pointers were equal last
    wire        is_full;
    wire        puts;
    wire        takes;
    reg  [62:0] words_cells [0:1];

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

// Makes operations of a step: an overflow that goes first, the outcome, and all the others
module talon_xl_operations (
    input  wire        clock,
    input  wire        reset,
    input  wire        step_valid,
    input  wire [62:0] step,
    output wire        step_ready,
    output wire        operation_valid,
    output wire [60:0] operation,
    input  wire        operation_ready
);

    wire [60:0] word;
    wire        word_flush;
    wire        word_has_detour;
    reg  [2:0]  word_chunks;
    reg         did_overflow; // the overflow that goes first is over
    reg         did_outcome; // the outcome's symbol is over
    reg  [11:0] overflows; // overflows since the last symbol or escape
    wire        is_first_overflow;
    wire        counts; // an overflow is counted
    wire        is_quiet; // its count stays in its range, so that the coder gets nothing
    wire        is_owed; // the overflows before an exception or a flush
    wire        done;
    wire        is_outcome;
    wire        is_last; // neither of these, so the last operation of the step
    wire        is_target;
    wire        is_overflow;
    wire        is_exception;
    wire        is_predicted; // the target is the candidate
    wire        is_short; // an exception to it, so few instructions after the last symbol that the coder holds their number back
    wire        more; // the step has more to code after this

    wire        step_flush = step[0];
    wire        step_exception = step[1];
    wire        step_overflows = step[2];
    wire        step_overflows_first = step[3];
    wire        step_has_outcome = step[4];
    wire        step_outcome_wrong = step[5];
    wire        step_has_target = step[6];
    wire        step_has_candidate = step[7];
    wire        step_target_wrong = step[8];
    wire        step_has_other = step[9];
    wire        step_is_other = step[10];
    wire [3:0]  step_outcome_confidence = step[14:11];
    wire [3:0]  step_target_confidence = step[18:15];
    wire [13:0] step_instructions = step[32:19];
    wire [29:0] step_difference = step[62:33];

    assign is_first_overflow = step_overflows_first & !did_overflow;
    assign is_outcome = step_has_outcome & !did_outcome & !is_first_overflow;
    assign is_owed = (step_exception | step_flush) & (|overflows) & !is_first_overflow;
    assign is_last = !(is_first_overflow | is_outcome | is_owed);
    assign more = is_first_overflow | is_owed | (is_outcome & step_has_target);
    assign is_target = is_last & step_has_target;
    assign counts = is_first_overflow | (is_last & step_overflows);
    assign is_quiet = counts & !(&overflows);
    assign is_overflow = counts | is_owed;
    assign is_exception = is_last & step_exception;
    assign is_predicted = step_has_candidate & !step_target_wrong;
    assign is_short = is_exception & is_predicted & !(|step_instructions[13:6]);
    assign word_flush = is_last & step_flush;
    assign word_has_detour = is_target & !is_predicted;

    always @* begin
        word_chunks = 3'd0;
        if (|step_difference[29:7]) begin
            word_chunks = 3'd1;
        end
        if (|step_difference[29:11]) begin
            word_chunks = 3'd2;
        end
        if (|step_difference[29:15]) begin
            word_chunks = 3'd3;
        end
        if (|step_difference[29:19]) begin
            word_chunks = 3'd4;
        end
        if (|step_difference[29:23]) begin
            word_chunks = 3'd5;
        end
        if (|step_difference[29:27]) begin
            word_chunks = 3'd6;
        end
    end

    assign word = {
        step_difference,
        (is_owed ? {2'd0, overflows} : (counts ? 14'd0 : step_instructions)),
        is_overflow | is_short,
        is_exception,
        word_chunks,
        (is_outcome ? step_outcome_confidence : step_target_confidence),
        (is_exception & !is_short) | (word_has_detour & !step_is_other),
        word_has_detour & step_is_other,
        step_has_other,
        word_has_detour,
        is_overflow | is_exception | word_flush,
        (is_outcome ? step_outcome_wrong : (is_target & step_has_candidate & step_target_wrong)),
        is_outcome | (is_target & step_has_candidate),
        word_flush
    };

    assign operation_valid = step_valid & !is_quiet;
    assign operation = word;
    assign done = operation_ready | is_quiet;
    assign step_ready = done & !more;

    always @(posedge clock) begin
        if (reset) begin
            did_overflow <= 1'b0;
            did_outcome <= 1'b0;
            overflows <= 12'd0;
        end else begin
            if (step_valid & done) begin
                did_overflow <= more & (did_overflow | is_first_overflow);
                did_outcome <= is_outcome & more;
                overflows <= 12'd0;
                if (counts) begin
                    overflows <= overflows + 12'd1;
                end
            end
        end
    end

endmodule

// Says what a step sends, and takes it when its record is taken
module talon_xl_range_coder (
    input  wire        clock,
    input  wire        reset,
    input  wire        step, // the step is taken
    input  wire        has_symbol,
    input  wire        wrong, // the symbol is not as predicted
    input  wire [3:0]  confidence,
    input  wire        escape,
    input  wire        has_detour, // the target is not the candidate
    input  wire        has_other, // there is another candidate
    input  wire        is_other, // it is the target
    input  wire [2:0]  chunks, // chunks after the first of the address that follows
    input  wire        has_guard, // the step ends with a number that the coder holds back
    input  wire [5:0]  guard, // that number
    output wire [10:0] code,
    output wire [3:0]  code_count,
    output wire        carries, // the code could carry: ones go after it
    output reg  [11:0] ones, // ones that keep it below the carry
    output wire [3:0]  carry_bits,
    output wire [11:0] detour,
    output wire [3:0]  detour_count,
    output wire [17:0] highest // the highest code
);

    reg  [17:0] low;
    reg  [11:0] range;
    wire [11:0] unlikely;
    wire [11:0] likely;
    wire [17:0] moved;
    wire [11:0] below; // the bits below the unlikely part
    wire [10:0] cleared;
    wire [10:0] reserved; // what a wrong symbol leaves to escapes, less 1
    wire        is_short;
    wire        doubles;
    wire [10:0] leaving; // the places of the bits that leave
    wire [3:0]  leaving_count;
    wire [17:0] unshifted; // the low end before they leave
    wire [11:0] part;
    wire [17:0] shifted;
    wire [18:0] sum;
    wire [11:0] room;
    wire [17:0] after;
    wire [9:0]  rest; // the bits below those that end the code
    wire [7:0]  head; // the bits that end the code, in order of their values
    wire [7:0]  reversed_head;
    wire [2:0]  reversed_chunks;
    wire [3:0]  tail;
    wire [5:0]  next_guard;
    wire        restarts;

    assign unlikely = escape ? 12'd1 : range >> confidence;
    assign likely = range - unlikely;
    assign moved = low + {6'd0, likely};

    assign below = {
        confidence > 4'd11,
        confidence > 4'd10,
        confidence > 4'd9,
        confidence > 4'd8,
        confidence > 4'd7,
        confidence > 4'd6,
        confidence > 4'd5,
        confidence > 4'd4,
        confidence > 4'd3,
        confidence > 4'd2,
        confidence > 4'd1,
        confidence > 4'd0
    };

    assign reserved = {1'b0, below[11:2]};
    assign cleared = range[10:0] & ~below[10:0];
    assign is_short = !(|cleared);
    assign doubles = has_symbol & !likely[11];

    assign part =
        wrong ? {1'b1, (cleared - 11'd1) & ~reserved} :
        doubles ? {likely[10:0], 1'b0} :
        likely;

    assign unshifted = (wrong || escape) ? moved : low;
    assign leaving_count = wrong ? confidence + {3'd0, is_short} : {3'd0, doubles};

    assign leaving =
        !wrong ? {10'd0, doubles} :
        is_short ? {below[9:0], 1'b1} :
        below[10:0];

    assign code_count = leaving_count;
    assign shifted = unshifted << code_count;

    assign code = {
        leaving[10] & unshifted[7],
        leaving[9] & unshifted[8],
        leaving[8] & unshifted[9],
        leaving[7] & unshifted[10],
        leaving[6] & unshifted[11],
        leaving[5] & unshifted[12],
        leaving[4] & unshifted[13],
        leaving[3] & unshifted[14],
        leaving[2] & unshifted[15],
        leaving[1] & unshifted[16],
        leaving[0] & unshifted[17]
    };

    assign sum = {1'b0, shifted} + {7'd0, part};
    assign carries = sum[18] & (|sum[17:0]);
    assign room = ~shifted[11:0] + 12'd1;

    assign carry_bits =
        room[11] ? 4'd1 :
        room[10] ? 4'd2 :
        room[9] ? 4'd3 :
        room[8] ? 4'd4 :
        room[7] ? 4'd5 :
        room[6] ? 4'd6 :
        room[5] ? 4'd7 :
        room[4] ? 4'd8 :
        room[3] ? 4'd9 :
        room[2] ? 4'd10 :
        room[1] ? 4'd11 :
        room[0] ? 4'd12 :
        4'd0;

    always @* begin
        ones = 12'd1;
        if (!room[11]) begin
            ones = 12'd3;
        end
        if (!(|room[11:10])) begin
            ones[2] = 1'b1;
        end
        if (!(|room[11:9])) begin
            ones[3] = 1'b1;
        end
        if (!(|room[11:8])) begin
            ones[4] = 1'b1;
        end
        if (!(|room[11:7])) begin
            ones[5] = 1'b1;
        end
        if (!(|room[11:6])) begin
            ones[6] = 1'b1;
        end
        if (!(|room[11:5])) begin
            ones[7] = 1'b1;
        end
        if (!(|room[11:4])) begin
            ones[8] = 1'b1;
        end
        if (!(|room[11:3])) begin
            ones[9] = 1'b1;
        end
        if (!(|room[11:2])) begin
            ones[10] = 1'b1;
        end
        if (!(|room[11:1])) begin
            ones[11] = 1'b1;
        end
    end

    assign after = carries ? 18'h3f000 : shifted;

    assign head =
        carries ? 8'd252 :
        (|rest) ? shifted[17:10] + 8'd1 :
        shifted[17:10];

    assign rest = shifted[9:0];
    assign reversed_head = {head[0], head[1], head[2], head[3], head[4], head[5], head[6], head[7]};
    assign reversed_chunks = {chunks[0], chunks[1], chunks[2]};
    assign tail = has_other ? {reversed_chunks, 1'b0} : {1'b0, reversed_chunks};

    assign detour_count =
        (is_other || escape) ? 4'd3 :
        has_other ? 4'd12 :
        4'd11;

    assign detour =
        escape ? {9'd0, reversed_chunks} :
        is_other ? {4'd0, reversed_head & 8'd7} :
        {tail, reversed_head};

    assign next_guard =
        has_guard ? guard :
        is_other ? {head[4:0], 1'b1} :
        6'd0;

    assign restarts = escape | has_detour;

    assign highest = {
        unshifted[0],
        unshifted[1],
        unshifted[2],
        unshifted[3],
        unshifted[4],
        unshifted[5],
        unshifted[6],
        unshifted[7],
        unshifted[8],
        unshifted[9],
        unshifted[10],
        unshifted[11],
        unshifted[12],
        unshifted[13],
        unshifted[14],
        unshifted[15],
        unshifted[16],
        unshifted[17]
    };

    always @(posedge clock) begin
        if (reset) begin
            low <= 18'd0;
            range <= 12'd4095;
        end else begin
            if (step) begin
                low <= after;
                range <= part;
                if (carries || restarts) begin
                    range <= 12'd4095;
                end
                if (restarts) begin
                    low <= {next_guard, 12'd0};
                end
            end
        end
    end

endmodule

// Makes the record of an operation
module talon_xl_coding (
    input  wire         clock,
    input  wire         reset,
    input  wire         operation_valid,
    input  wire [60:0]  operation,
    output wire         operation_ready,
    output wire         record_valid,
    output wire [119:0] record,
    input  wire         record_ready
);

    wire [119:0] word;
    wire         word_sends_code;
    wire         word_sends_escape;
    wire         word_sends_detour;
    reg  [4:0]   word_address_bits;
    wire         is_short; // the coder holds back the number of the escape
    wire         sends;
    wire         takes;
    wire         range_coder_step;
    wire         range_coder_has_guard;
    wire [5:0]   range_coder_guard;
    wire [10:0]  range_coder_code;
    wire [3:0]   range_coder_code_count;
    wire         range_coder_carries;
    wire [11:0]  range_coder_ones;
    wire [3:0]   range_coder_carry_bits;
    wire [11:0]  range_coder_detour;
    wire [3:0]   range_coder_detour_count;
    wire [17:0]  range_coder_highest;

    wire        operation_flush = operation[0];
    wire        operation_has_symbol = operation[1];
    wire        operation_wrong = operation[2];
    wire        operation_escape = operation[3];
    wire        operation_has_detour = operation[4];
    wire        operation_has_other = operation[5];
    wire        operation_is_other = operation[6];
    wire        operation_has_address = operation[7];
    wire [3:0]  operation_confidence = operation[11:8];
    wire [2:0]  operation_chunks = operation[14:12];
    wire [1:0]  operation_escape_kind = operation[16:15];
    wire [13:0] operation_instructions = operation[30:17];
    wire [29:0] operation_difference = operation[60:31];

    talon_xl_range_coder range_coder (
        .clock        (clock),
        .reset        (reset),
        .step         (range_coder_step),
        .has_symbol   (operation_has_symbol),
        .wrong        (operation_wrong),
        .confidence   (operation_confidence),
        .escape       (operation_escape),
        .has_detour   (operation_has_detour),
        .has_other    (operation_has_other),
        .is_other     (operation_is_other),
        .chunks       (operation_chunks),
        .has_guard    (range_coder_has_guard),
        .guard        (range_coder_guard),
        .code         (range_coder_code),
        .code_count   (range_coder_code_count),
        .carries      (range_coder_carries),
        .ones         (range_coder_ones),
        .carry_bits   (range_coder_carry_bits),
        .detour       (range_coder_detour),
        .detour_count (range_coder_detour_count),
        .highest      (range_coder_highest)
    );

    assign is_short = &operation_escape_kind;
    assign range_coder_has_guard = operation_has_address | (operation_escape & is_short);

    assign range_coder_guard =
        operation_has_address ? operation_difference[5:0] :
        operation_instructions[5:0];

    assign word_sends_code = operation_has_symbol & (|range_coder_code_count);
    assign word_sends_detour = operation_has_detour | (operation_escape & operation_has_address);
    assign word_sends_escape = operation_escape;

    always @* begin
        case (operation_chunks)
            3'd0: word_address_bits = 5'd1;
            3'd1: word_address_bits = 5'd5;
            3'd2: word_address_bits = 5'd9;
            3'd3: word_address_bits = 5'd13;
            3'd4: word_address_bits = 5'd17;
            3'd5: word_address_bits = 5'd21;
            3'd6, 3'd7: word_address_bits = 5'd24;
        endcase
    end

    assign word = {
        word_address_bits,
        operation_difference[29:6],
        range_coder_detour_count,
        range_coder_detour,
        operation[30:15],
        3'd7,
        range_coder_highest,
        range_coder_carry_bits,
        range_coder_ones,
        range_coder_code_count,
        range_coder_code,
        operation_has_address & (|word_address_bits),
        word_sends_detour,
        operation_escape & !is_short,
        word_sends_escape,
        operation_has_symbol & range_coder_carries,
        word_sends_code,
        operation_flush
    };

    assign sends = word_sends_code | word_sends_detour | word_sends_escape;
    assign record = word;
    assign record_valid = operation_valid & sends;
    assign takes = record_ready | !sends;
    assign operation_ready = takes;
    assign range_coder_step = operation_valid & takes;

    wire _unused_ok = &{1'b0, operation_instructions[13:6]};

endmodule

// Predictors, a queue of steps, and the coder, with a register before it if the encoder has registers
module talon_xl_encoder (
    input  wire         clock,
    input  wire         reset,
    input  wire         clear_valid, // the tables are being cleared
    input  wire [9:0]   clear_index, // the entry to clear, in the lower bits
    input  wire         retire_valid, // valid is high only while the compressor is ready
    input  wire [3:0]   retire_count, // instructions of the block
    input  wire [31:0]  retire_pc, // byte address of the last instruction
    input  wire [3:0]   retire_length, // length of the last instruction in bytes
    input  wire         retire_direct, // it is a direct jump or branch
    input  wire         retire_conditional, // it is a branch, direct or indirect
    input  wire         retire_indirect, // it is an indirect jump or branch
    input  wire         retire_exception, // an exception follows the block
    input  wire         retire_call, // the last instruction leaves a return address
    input  wire         retire_return, // the last instruction returns to one
    input  wire         retire_taken, // the flow changed
    input  wire [31:0]  retire_target, // byte address that the flow changed to, if taken
    input  wire         flush, // send a flush; only when ready
    output wire         ready, // a block or a flush is taken
    output wire         is_empty, // no step waits inside
    output wire         record_valid,
    output wire [119:0] record,
    input  wire         record_ready,
    output wire [9:0]   swept // the entry to clear, where the instruction counter numbers them
);

    wire [62:0] predictors_step;
    wire        predictors_step_valid;
    wire        queue_out_valid;
    wire [62:0] queue_out_word;
    wire        operations_step_ready;
    wire        operations_operation_valid;
    wire [60:0] operations_operation;
    wire        coding_operation_ready;

    talon_xl_predictors predictors (
        .clock              (clock),
        .reset              (reset),
        .clear_valid        (clear_valid),
        .clear_index        (clear_index),
        .retire_valid       (retire_valid),
        .retire_count       (retire_count),
        .retire_pc          (retire_pc),
        .retire_length      (retire_length),
        .retire_direct      (retire_direct),
        .retire_conditional (retire_conditional),
        .retire_indirect    (retire_indirect),
        .retire_exception   (retire_exception),
        .retire_call        (retire_call),
        .retire_return      (retire_return),
        .retire_taken       (retire_taken),
        .retire_target      (retire_target),
        .flush              (flush),
        .step               (predictors_step),
        .step_valid         (predictors_step_valid),
        .swept              (swept)
    );

    talon_xl_fifo_depth2_width63 queue (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (predictors_step_valid),
        .in_word   (predictors_step),
        .in_ready  (ready),
        .out_valid (queue_out_valid),
        .out_word  (queue_out_word),
        .out_ready (operations_step_ready)
    );

    talon_xl_operations operations (
        .clock           (clock),
        .reset           (reset),
        .step_valid      (queue_out_valid),
        .step            (queue_out_word),
        .step_ready      (operations_step_ready),
        .operation_valid (operations_operation_valid),
        .operation       (operations_operation),
        .operation_ready (coding_operation_ready)
    );

    talon_xl_coding coding (
        .clock           (clock),
        .reset           (reset),
        .operation_valid (operations_operation_valid),
        .operation       (operations_operation),
        .operation_ready (coding_operation_ready),
        .record_valid    (record_valid),
        .record          (record),
        .record_ready    (record_ready)
    );

    assign is_empty = !queue_out_valid;

endmodule

// Sends a record slot by slot, a large slot piece by piece
module talon_xl_serial_encoder (
    input  wire         clock,
    input  wire         reset,
    input  wire         record_valid, // without registers it stays until it is taken
    input  wire [119:0] record,
    output wire         record_ready,
    output wire         piece_valid,
    output reg  [7:0]   piece, // zero above piece_bits
    output reg  [3:0]   piece_bits, // bits of the piece, the first one lowest
    output wire         piece_last, // fill the trace word up with zeros after the piece
    input  wire         piece_ready
);

    reg  [5:0]  sent; // stages of the record that are out
    reg  [1:0]  index; // the piece of the slot
    wire [5:0]  flags; // slots that are sent
    wire [5:0]  stages; // stages that send one
    wire [5:0]  pending;
    wire [5:0]  current; // one hot
    wire [5:0]  active; // one hot: the slot of this cycle
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [10:0] code_value;
    wire [11:0] carry_value;
    wire [22:0] escape_value;
    wire [13:0] count_value;
    wire [11:0] detour_value;
    wire [23:0] address_value;
    wire [3:0]  code_raw_size;
    wire [3:0]  carry_raw_size;
    wire [3:0]  detour_raw_size;
    wire [4:0]  address_raw_size;
    wire [4:0]  code_size;
    wire [4:0]  carry_size;
    wire [4:0]  detour_size;
    reg  [4:0]  left;

    assign flags = record[6:1];
    assign stages = record[6:1];
    assign pending = stages & ~sent;
    assign current = pending & (~pending + 6'd1);
    assign is_last = pending == current;

    assign active = {
        current[5] & flags[5],
        current[4] & flags[4],
        current[3] & flags[3],
        current[2] & flags[2],
        current[1] & flags[1],
        current[0] & flags[0]
    };

    always @* begin
        piece = 8'd0;
        if (active[0]) begin
            if (index == 2'd0) begin
                piece = code_value[7:0];
            end
            if (index == 2'd1) begin
                piece = {5'd0, code_value[10:8]};
            end
        end
        if (active[1]) begin
            if (index == 2'd0) begin
                piece = carry_value[7:0];
            end
            if (index == 2'd1) begin
                piece = {4'd0, carry_value[11:8]};
            end
        end
        if (active[2]) begin
            case (index)
                2'd0: piece = escape_value[7:0];
                2'd1: piece = escape_value[15:8];
                2'd2: piece = {1'b0, escape_value[22:16]};
                default: ;
            endcase
        end
        if (active[3]) begin
            if (index == 2'd0) begin
                piece = count_value[7:0];
            end
            if (index == 2'd1) begin
                piece = {2'd0, count_value[13:8]};
            end
        end
        if (active[4]) begin
            if (index == 2'd0) begin
                piece = detour_value[7:0];
            end
            if (index == 2'd1) begin
                piece = {4'd0, detour_value[11:8]};
            end
        end
        if (active[5]) begin
            case (index)
                2'd0: piece = address_value[7:0];
                2'd1: piece = address_value[15:8];
                2'd2: piece = address_value[23:16];
                default: ;
            endcase
        end
    end

    always @* begin
        piece_bits = 4'd0;
        more = 1'b0;
        left = 5'd0;
        if (active[0]) begin
            if (index == 2'd0) begin
                left = code_size;
            end
            if (index == 2'd1) begin
                left = code_size - 5'd8;
            end
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[1]) begin
            if (index == 2'd0) begin
                left = carry_size;
            end
            if (index == 2'd1) begin
                left = carry_size - 5'd8;
            end
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[2]) begin
            case (index)
                2'd0: left = 5'd23;
                2'd1: left = 5'd15;
                2'd2: left = 5'd7;
                default: ;
            endcase
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[3]) begin
            if (index == 2'd0) begin
                left = 5'd14;
            end
            if (index == 2'd1) begin
                left = 5'd6;
            end
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[4]) begin
            if (index == 2'd0) begin
                left = detour_size;
            end
            if (index == 2'd1) begin
                left = detour_size - 5'd8;
            end
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[5]) begin
            case (index)
                2'd0: left = address_raw_size;
                2'd1: left = address_raw_size - 5'd8;
                2'd2: left = address_raw_size - 5'd16;
                default: ;
            endcase
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
    end

    assign code_value = record[17:7];
    assign code_size = {1'b0, code_raw_size};
    assign code_raw_size = record[21:18];
    assign carry_value = record[33:22];
    assign carry_size = {1'b0, carry_raw_size};
    assign carry_raw_size = record[37:34];
    assign escape_value = record[60:38];
    assign count_value = record[74:61];
    assign detour_value = record[86:75];
    assign detour_size = {1'b0, detour_raw_size};
    assign detour_raw_size = record[90:87];
    assign address_value = record[114:91];
    assign address_raw_size = record[119:115];
    assign piece_valid = record_valid;
    assign piece_last = record[0] & is_last & !more;
    assign record_ready = piece_ready & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
            sent <= 6'd0;
            index <= 2'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 2'd1;
                end else begin
                    index <= 2'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 6'd0;
                    end
                end
            end
        end
    end

endmodule

// Collects pieces, first bit lowest, until a word is full; on request fills one up with zeros
module talon_xl_bit_packer (
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
module talon_xl_fifo_depth10_width8_has_level1 (
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
module talon_xl_trace_port (
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
module talon_xl_back_end (
    input  wire         clock,
    input  wire         reset,
    input  wire         record_valid,
    input  wire [119:0] record,
    output wire         record_ready,
    output wire         is_empty, // no record, piece or trace word is inside
    output wire         trace_data, // trace bits
    output wire         trace_valid, // a beat is ready
    input  wire         trace_ready, // the sink takes the beat
    output wire [3:0]   buffered_words // trace words in the output FIFO
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

    talon_xl_serial_encoder serial_encoder (
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

    talon_xl_bit_packer bit_packer (
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

    talon_xl_fifo_depth10_width8_has_level1 output_fifo (
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

    talon_xl_trace_port trace_port (
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

// Predictors, range coder, encoder, buffer and port
module talon_xl (
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

    wire         sequencer_is_empty;
    wire         sequencer_tracing;
    wire         sequencer_record_flush;
    wire         sequencer_clear_valid;
    wire [9:0]   sequencer_clear_index;
    wire         retire_decoder_take;
    wire         retire_decoder_block_valid;
    wire [3:0]   retire_decoder_block_count;
    wire [31:0]  retire_decoder_block_pc;
    wire [3:0]   retire_decoder_block_length;
    wire         retire_decoder_block_direct;
    wire         retire_decoder_block_conditional;
    wire         retire_decoder_block_indirect;
    wire         retire_decoder_block_exception;
    wire         retire_decoder_block_call;
    wire         retire_decoder_block_return;
    wire         retire_decoder_block_taken;
    wire [31:0]  retire_decoder_block_target;
    wire         encoder_flush;
    wire         encoder_ready;
    wire         encoder_is_empty;
    wire         encoder_record_valid;
    wire [119:0] encoder_record;
    wire [9:0]   encoder_swept;
    wire         back_end_record_ready;
    wire         back_end_is_empty;

    talon_xl_sequencer sequencer (
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

    talon_xl_retire_decoder retire_decoder (
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

    talon_xl_encoder encoder (
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

    talon_xl_back_end back_end (
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
