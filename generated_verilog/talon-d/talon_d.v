// talon-d of Tracewright, made by `tracewright generate`.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 79
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   stride_entries = 64
//   pc_shift = 2
//   kept_address_bits = 14
//   address_regions = 4
//   stride_bits = 12
//   stride_confidences = [1, 1, 2, 3, 4, 5, 6, 6]
//   address_first_chunk = 1
//   address_next_chunk = 3
//   range_bits = 8
//   guard_bits = 4
//   most_confidence = 6
//   escape_ones = 3
//   data_address_buffer_depth = 2

// Clears the tables after reset, and takes the module through a flush
module talon_d_sequencer (
    input  wire       clock,
    input  wire       reset,
    input  wire       flush, // level: the trace ends here
    input  wire       ready, // the compressor takes a block or a flush in this cycle
    input  wire       is_empty, // no record and no bit is left in the module
    output wire       tracing, // blocks are taken while the compressor is ready
    output wire       record_flush, // the compressor makes its flush record when it is ready
    output wire       flushed, // every bit of the trace has left the module
    output wire       clear_valid, // the tables are being cleared
    output wire [5:0] clear_index // the entry to clear, in the lower bits
);

    localparam [1:0] STATE_TRACING = 2'd0; // the state after reset
    localparam [1:0] STATE_RECORDING = 2'd1;
    localparam [1:0] STATE_DRAINING = 2'd2;
    localparam [1:0] STATE_FLUSHED = 2'd3;

    reg        clearing;
    reg  [5:0] index;
    reg  [1:0] state;

    assign clear_valid = clearing;
    assign clear_index = index;
    assign tracing = (state == STATE_TRACING) & !clearing;
    assign record_flush = state == STATE_RECORDING;
    assign flushed = state == STATE_FLUSHED;

    always @(posedge clock) begin
        if (reset) begin
            clearing <= 1'b1;
            index <= 6'd0;
            state <= STATE_TRACING;
        end else begin
            if (clearing) begin
                index <= index + 6'd1;
            end
            if (&index) begin
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

// Words in their order, the oldest shown at once: depth words of width bits
module talon_d_fifo_depth2_width38 (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid,
    input  wire [37:0] in_word,
    output wire        in_ready,
    output wire        out_valid,
    output wire [37:0] out_word,
    input  wire        out_ready
);

    wire [37:0] words_read_data;
    reg         write_pointer;
    reg         read_pointer;
    reg         is_filled; // more words came than went since the pointers were equal last
    wire        is_full;
    wire        puts;
    wire        takes;
    reg  [37:0] words_cells [0:1];

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

// A memory with one read port and one write port, cleared entry by entry
module talon_d_table_memory_entries64_width31 (
    input  wire        clock,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [5:0]  clear_index, // the entry to clear, in the lower bits
    input  wire [30:0] clear_entry, // what a cleared entry holds
    input  wire [5:0]  index, // the entry to read
    output wire [30:0] entry,
    input  wire        write,
    input  wire [5:0]  write_index,
    input  wire [30:0] written
);

    wire        writes;
    wire [5:0]  changed_index; // the entry that is written
    wire [30:0] entries_read_data;
    wire [30:0] entries_write_data;
    reg  [30:0] entries_cells [0:63];

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

// A memory with one read port and one write port, cleared entry by entry
module talon_d_table_memory_entries4_width18 (
    input  wire        clock,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [1:0]  clear_index, // the entry to clear, in the lower bits
    input  wire [17:0] clear_entry, // what a cleared entry holds
    input  wire [1:0]  index, // the entry to read
    output wire [17:0] entry,
    input  wire        write,
    input  wire [1:0]  write_index,
    input  wire [17:0] written
);

    wire        writes;
    wire [1:0]  changed_index; // the entry that is written
    wire [17:0] entries_read_data;
    wire [17:0] entries_write_data;
    reg  [17:0] entries_cells [0:3];

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

// The shift register of pseudo-random bits, and what they decide about every counter
module talon_d_random_bits (
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

// Takes a counter a step towards an outcome
module talon_d_counter_step (
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

// Predicts the data address of an access, and learns it in the cycle in which its symbol is coded
module talon_d_stride_table (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [5:0]  clear_index, // the entry to clear, in the lower bits
    input  wire        access, // an access is there
    input  wire [5:0]  index, // its entry
    input  wire [31:0] address, // its data address
    output wire        is_coded, // its symbol can be coded in this cycle
    input  wire        coded, // it is taken by the coder in this cycle
    output wire        done, // the access is learned in this cycle; the next one may come
    output wire        hit, // the address was predicted
    output reg  [2:0]  confidence, // the confidence of the prediction
    output wire [31:0] difference // exclusive or of the address and the last one
);

    wire [30:0] own;
    wire [30:0] written;
    wire [31:0] last_address;
    wire [13:0] last_low; // low bits of the last address
    wire [13:0] low; // low bits of the address
    wire [13:0] distance; // how far the address is from the last one in its region
    wire [13:0] extended; // the stride with its sign
    wire        is_near; // the address is in the region that is looked at
    reg         searching; // a region is searched for
    reg  [1:0]  place; // the region that is looked at
    reg  [1:0]  oldest; // the region that is replaced next
    wire [1:0]  asked; // the region whose upper bits are read
    wire [1:0]  number; // the region of the address
    wire        replaces;
    wire [17:0] uppers_entry;
    wire [7:0]  random_bits_random;
    wire [7:0]  random_bits_grows;
    wire        step_grows;
    wire [3:0]  step_counter_next;

    wire [15:0] own_last_address = own[15:0];
    wire [11:0] own_stride = own[27:16];
    wire [2:0]  own_confidence = own[30:28];

    talon_d_table_memory_entries64_width31 strides (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .clear_entry (31'd0),
        .index       (index),
        .entry       (own),
        .write       (done),
        .write_index (index),
        .written     (written)
    );

    talon_d_table_memory_entries4_width18 uppers (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (clear_index[1:0]),
        .clear_entry (18'd0),
        .index       (asked),
        .entry       (uppers_entry),
        .write       (replaces),
        .write_index (oldest),
        .written     (address[31:14])
    );

    talon_d_random_bits random_bits (
        .clock  (clock),
        .reset  (reset),
        .step   (done),
        .random (random_bits_random),
        .grows  (random_bits_grows)
    );

    talon_d_counter_step step (
        .counter      ({1'b1, own_confidence}),
        .taken        (hit),
        .grows        (step_grows),
        .counter_next (step_counter_next)
    );

    assign last_low = own_last_address[13:0];
    assign low = address[13:0];
    assign last_address = {uppers_entry, last_low};
    assign asked = searching ? place : own_last_address[15:14];
    assign difference = address ^ last_address;
    assign distance = low - last_low;
    assign extended = {own_stride[11], own_stride[11], own_stride};
    assign hit = is_near & !searching & (distance == extended);
    assign done = searching ? is_near | replaces : coded & is_near;
    assign is_coded = access & !searching;
    assign is_near = !(|difference[31:14]);
    assign replaces = searching & (!is_near & (&place));
    assign number = replaces ? oldest : asked;

    always @* begin
        case (own_confidence)
            3'd2: confidence = 3'd2;
            3'd3: confidence = 3'd3;
            3'd4: confidence = 3'd4;
            3'd5: confidence = 3'd5;
            3'd6, 3'd7: confidence = 3'd6;
            default: confidence = 3'd1;
        endcase
    end

    assign step_grows = random_bits_grows[own_confidence];

    assign written = {
        step_counter_next[2:0],
        ((hit | (|own_confidence)) ? own_stride : distance[11:0]),
        number,
        low
    };

    always @(posedge clock) begin
        if (reset) begin
            searching <= 1'b0;
            place <= 2'd0;
            oldest <= 2'd0;
        end else begin
            place <= 2'd0;
            if (searching) begin
                searching <= !done;
                place <= place + 2'd1;
            end else if (coded) begin
                searching <= !is_near;
            end
            if (replaces) begin
                oldest <= oldest + 2'd1;
            end
        end
    end

    wire _unused_ok = &{1'b0, random_bits_random, step_counter_next[3]};

endmodule

// Says what a step sends, and takes it when its record is taken
module talon_d_range_coder (
    input  wire        clock,
    input  wire        reset,
    input  wire        step, // the step is taken
    input  wire        has_symbol,
    input  wire        wrong, // the symbol is not as predicted
    input  wire [2:0]  confidence,
    input  wire        escape,
    input  wire        has_detour, // the target is not the candidate
    input  wire        has_other, // there is another candidate
    input  wire        is_other, // it is the target
    input  wire [2:0]  chunks, // chunks after the first of the address that follows
    input  wire        has_guard, // the step ends with a number that the coder holds back
    input  wire [3:0]  guard, // that number
    output wire [6:0]  code,
    output wire [2:0]  code_count,
    output wire        carries, // the code could carry: ones go after it
    output reg  [7:0]  ones, // ones that keep it below the carry
    output wire [3:0]  carry_bits,
    output wire [9:0]  detour,
    output wire [3:0]  detour_count,
    output wire [11:0] highest // the highest code
);

    reg  [11:0] low;
    reg  [7:0]  range;
    wire [7:0]  unlikely;
    wire [7:0]  likely;
    wire [11:0] moved;
    wire [7:0]  below; // the bits below the unlikely part
    wire [6:0]  cleared;
    wire [6:0]  reserved; // what a wrong symbol leaves to escapes, less 1
    wire        is_short;
    wire        doubles;
    wire [6:0]  leaving; // the places of the bits that leave
    wire [2:0]  leaving_count;
    wire [11:0] unshifted; // the low end before they leave
    wire [7:0]  part;
    wire [11:0] shifted;
    wire [12:0] sum;
    wire [7:0]  room;
    wire [11:0] after;
    wire [5:0]  rest; // the bits below those that end the code
    wire [5:0]  head; // the bits that end the code, in order of their values
    wire [5:0]  reversed_head;
    wire [2:0]  reversed_chunks;
    wire [3:0]  tail;
    wire [3:0]  next_guard;
    wire        restarts;

    assign unlikely = escape ? 8'd1 : range >> confidence;
    assign likely = range - unlikely;
    assign moved = low + {4'd0, likely};

    assign below = {
        1'b0,
        confidence > 3'd6,
        confidence > 3'd5,
        confidence > 3'd4,
        confidence > 3'd3,
        confidence > 3'd2,
        confidence > 3'd1,
        confidence > 3'd0
    };

    assign reserved = {1'b0, below[7:2]};
    assign cleared = range[6:0] & ~below[6:0];
    assign is_short = !(|cleared);
    assign doubles = has_symbol & !likely[7];

    assign part =
        wrong ? {1'b1, (cleared - 7'd1) & ~reserved} :
        doubles ? {likely[6:0], 1'b0} :
        likely;

    assign unshifted = (wrong || escape) ? moved : low;
    assign leaving_count = wrong ? confidence + {2'd0, is_short} : {2'd0, doubles};

    assign leaving =
        !wrong ? {6'd0, doubles} :
        is_short ? {below[5:0], 1'b1} :
        below[6:0];

    assign code_count = leaving_count;
    assign shifted = unshifted << code_count;

    assign code = {
        leaving[6] & unshifted[5],
        leaving[5] & unshifted[6],
        leaving[4] & unshifted[7],
        leaving[3] & unshifted[8],
        leaving[2] & unshifted[9],
        leaving[1] & unshifted[10],
        leaving[0] & unshifted[11]
    };

    assign sum = {1'b0, shifted} + {5'd0, part};
    assign carries = sum[12] & (|sum[11:0]);
    assign room = ~shifted[7:0] + 8'd1;

    assign carry_bits =
        room[7] ? 4'd1 :
        room[6] ? 4'd2 :
        room[5] ? 4'd3 :
        room[4] ? 4'd4 :
        room[3] ? 4'd5 :
        room[2] ? 4'd6 :
        room[1] ? 4'd7 :
        {room[0], 3'd0};

    always @* begin
        ones = 8'd1;
        if (!room[7]) begin
            ones = 8'd3;
        end
        if (!(|room[7:6])) begin
            ones[2] = 1'b1;
        end
        if (!(|room[7:5])) begin
            ones[3] = 1'b1;
        end
        if (!(|room[7:4])) begin
            ones[4] = 1'b1;
        end
        if (!(|room[7:3])) begin
            ones[5] = 1'b1;
        end
        if (!(|room[7:2])) begin
            ones[6] = 1'b1;
        end
        if (!(|room[7:1])) begin
            ones[7] = 1'b1;
        end
    end

    assign after = carries ? 12'd3840 : shifted;

    assign head =
        carries ? 6'd60 :
        (|rest) ? shifted[11:6] + 6'd1 :
        shifted[11:6];

    assign rest = shifted[5:0];
    assign reversed_head = {head[0], head[1], head[2], head[3], head[4], head[5]};
    assign reversed_chunks = {chunks[0], chunks[1], chunks[2]};
    assign tail = has_other ? {reversed_chunks, 1'b0} : {1'b0, reversed_chunks};

    assign detour_count =
        (is_other || escape) ? 4'd3 :
        has_other ? 4'd10 :
        4'd9;

    assign detour =
        escape ? {7'd0, reversed_chunks} :
        is_other ? {4'd0, reversed_head & 6'd7} :
        {tail, reversed_head};

    assign next_guard =
        has_guard ? guard :
        is_other ? {head[2:0], 1'b1} :
        4'd0;

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
        unshifted[11]
    };

    always @(posedge clock) begin
        if (reset) begin
            low <= 12'd0;
            range <= 8'd255;
        end else begin
            if (step) begin
                low <= after;
                range <= part;
                if (carries || restarts) begin
                    range <= 8'd255;
                end
                if (restarts) begin
                    low <= {next_guard, 8'd0};
                end
            end
        end
    end

endmodule

// Makes the record of an operation
module talon_d_coding (
    input  wire        clock,
    input  wire        reset,
    input  wire        operation_valid,
    input  wire [37:0] operation,
    output wire        operation_ready,
    output wire        record_valid,
    output wire [75:0] record,
    input  wire        record_ready
);

    wire [75:0] word;
    wire        word_sends_code;
    wire        sends;
    wire        takes;
    wire        range_coder_step;
    wire        range_coder_has_symbol;
    wire [6:0]  range_coder_code;
    wire [2:0]  range_coder_code_count;
    wire        range_coder_carries;
    wire [7:0]  range_coder_ones;
    wire [3:0]  range_coder_carry_bits;
    wire [9:0]  range_coder_detour;
    wire [3:0]  range_coder_detour_count;
    wire [11:0] range_coder_highest;

    wire        operation_flush = operation[0];
    wire        operation_wrong = operation[1];
    wire        operation_is_of_last = operation[2];
    wire [2:0]  operation_confidence = operation[5:3];
    wire [31:0] operation_difference = operation[37:6];

    talon_d_range_coder range_coder (
        .clock        (clock),
        .reset        (reset),
        .step         (range_coder_step),
        .has_symbol   (range_coder_has_symbol),
        .wrong        (operation_wrong),
        .confidence   (operation_confidence),
        .escape       (operation_flush),
        .has_detour   (operation_wrong),
        .has_other    (1'b0),
        .is_other     (1'b0),
        .chunks       (3'd0),
        .has_guard    (operation_wrong),
        .guard        ({operation_difference[2:0], operation_is_of_last}),
        .code         (range_coder_code),
        .code_count   (range_coder_code_count),
        .carries      (range_coder_carries),
        .ones         (range_coder_ones),
        .carry_bits   (range_coder_carry_bits),
        .detour       (range_coder_detour),
        .detour_count (range_coder_detour_count),
        .highest      (range_coder_highest)
    );

    assign range_coder_has_symbol = !operation_flush;
    assign word_sends_code = !operation_flush & (|range_coder_code_count);

    assign word = {
        3'd7,
        range_coder_highest,
        operation_difference[31:3],
        range_coder_detour[5:0],
        range_coder_carry_bits,
        range_coder_ones,
        range_coder_code_count,
        range_coder_code,
        operation_wrong,
        !operation_flush & range_coder_carries,
        word_sends_code,
        operation_flush
    };

    assign sends = word_sends_code | operation_flush;
    assign record = word;
    assign record_valid = operation_valid & sends;
    assign takes = record_ready | !sends;
    assign operation_ready = takes;
    assign range_coder_step = operation_valid & takes;

    wire _unused_ok = &{1'b0, range_coder_detour[9:6], range_coder_detour_count};

endmodule

// Data address buffer, stride table and coder, with a register before the coder if the encoder has registers
module talon_d_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [5:0]  clear_index, // the entry to clear, in the lower bits
    input  wire        access, // an access is made; only when ready
    input  wire [5:0]  index, // the entry of its instruction
    input  wire [31:0] address, // data address of the access
    output wire        ready, // from registers alone
    input  wire        flush, // send a flush as soon as no access waits
    output wire        flush_ready, // it is sent, if it is asked for
    output wire        is_empty, // no operation waits inside
    output wire        record_valid,
    output wire [75:0] record,
    input  wire        record_ready
);

    wire [37:0] arriving;
    wire [37:0] oldest;
    wire        valid; // an operation is there
    wire        is_taken; // it is taken if it is there
    wire [37:0] word;
    wire        word_is_of_last;
    reg  [31:0] last_address; // the address of the access before
    wire [31:0] of_last; // its exclusive or with the address
    wire        buffer_out_valid;
    wire        stride_table_is_coded;
    wire        stride_table_coded;
    wire        stride_table_done;
    wire        stride_table_hit;
    wire [2:0]  stride_table_confidence;
    wire [31:0] stride_table_difference;

    wire [31:0] oldest_address = oldest[31:0];
    wire [5:0]  oldest_index = oldest[37:32];

    talon_d_fifo_depth2_width38 buffer (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (access),
        .in_word   (arriving),
        .in_ready  (ready),
        .out_valid (buffer_out_valid),
        .out_word  (oldest),
        .out_ready (stride_table_done)
    );

    talon_d_stride_table stride_table (
        .clock       (clock),
        .reset       (reset),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .access      (buffer_out_valid),
        .index       (oldest_index),
        .address     (oldest_address),
        .is_coded    (stride_table_is_coded),
        .coded       (stride_table_coded),
        .done        (stride_table_done),
        .hit         (stride_table_hit),
        .confidence  (stride_table_confidence),
        .difference  (stride_table_difference)
    );

    talon_d_coding coding (
        .clock           (clock),
        .reset           (reset),
        .operation_valid (valid),
        .operation       (word),
        .operation_ready (is_taken),
        .record_valid    (record_valid),
        .record          (record),
        .record_ready    (record_ready)
    );

    assign arriving = {index, address};
    assign of_last = oldest_address ^ last_address;
    assign word_is_of_last = of_last < stride_table_difference;

    assign word = {
        (word_is_of_last ? of_last : stride_table_difference),
        stride_table_confidence,
        word_is_of_last,
        buffer_out_valid & !stride_table_hit,
        !buffer_out_valid
    };

    assign valid = buffer_out_valid ? stride_table_is_coded : flush;
    assign is_empty = 1'b1;
    assign flush_ready = is_taken & !buffer_out_valid;
    assign stride_table_coded = is_taken & stride_table_is_coded;

    always @(posedge clock) begin
        if (reset) begin
            last_address <= 32'd0;
        end else begin
            if (stride_table_done) begin
                last_address <= oldest_address;
            end
        end
    end

endmodule

// One chunk of a number with its continuation bit, and whether more follow
module talon_d_chunk_selector (
    input  wire [28:0] value, // the number
    input  wire [3:0]  index, // number of the chunk, 0 for the first
    output reg  [7:0]  piece, // chunk and continuation bit
    output reg  [3:0]  piece_bits, // bits of the piece
    output reg         more // the continuation bit
);

    wire       chunk_0;
    wire [2:0] chunk_1;
    wire [2:0] chunk_2;
    wire [2:0] chunk_3;
    wire [2:0] chunk_4;
    wire [2:0] chunk_5;
    wire [2:0] chunk_6;
    wire [2:0] chunk_7;
    wire [2:0] chunk_8;
    wire [2:0] chunk_9;
    wire [2:0] chunk_10;

    always @* begin
        case (index)
            4'd0: more = |value[28:1];
            4'd1: more = |value[28:4];
            4'd2: more = |value[28:7];
            4'd3: more = |value[28:10];
            4'd4: more = |value[28:13];
            4'd5: more = |value[28:16];
            4'd6: more = |value[28:19];
            4'd7: more = |value[28:22];
            4'd8: more = |value[28:25];
            4'd9: more = value[28];
            default: more = 1'b0;
        endcase
    end

    always @* begin
        case (index)
            4'd0: piece = {6'd0, |value[28:1], chunk_0};
            4'd1: piece = {4'd0, |value[28:4], chunk_1};
            4'd2: piece = {4'd0, |value[28:7], chunk_2};
            4'd3: piece = {4'd0, |value[28:10], chunk_3};
            4'd4: piece = {4'd0, |value[28:13], chunk_4};
            4'd5: piece = {4'd0, |value[28:16], chunk_5};
            4'd6: piece = {4'd0, |value[28:19], chunk_6};
            4'd7: piece = {4'd0, |value[28:22], chunk_7};
            4'd8: piece = {4'd0, |value[28:25], chunk_8};
            4'd9: piece = {4'd0, value[28], chunk_9};
            4'd10: piece = {5'd0, chunk_10};
            default: piece = 8'd0;
        endcase
    end

    always @* begin
        case (index)
            4'd0: piece_bits = 4'd2;
            4'd1, 4'd2, 4'd3, 4'd4, 4'd5, 4'd6, 4'd7, 4'd8, 4'd9, 4'd10: piece_bits = 4'd4;
            default: piece_bits = 4'd0;
        endcase
    end

    assign chunk_0 = value[0];
    assign chunk_1 = value[3:1];
    assign chunk_2 = value[6:4];
    assign chunk_3 = value[9:7];
    assign chunk_4 = value[12:10];
    assign chunk_5 = value[15:13];
    assign chunk_6 = value[18:16];
    assign chunk_7 = value[21:19];
    assign chunk_8 = value[24:22];
    assign chunk_9 = value[27:25];
    assign chunk_10 = {2'd0, value[28]};

endmodule

// Sends a record slot by slot, a large slot piece by piece
module talon_d_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid, // without registers it stays until it is taken
    input  wire [75:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [7:0]  piece, // zero above piece_bits
    output reg  [3:0]  piece_bits, // bits of the piece, the first one lowest
    output wire        piece_last, // fill the trace word up with zeros after the piece
    input  wire        piece_ready
);

    reg  [4:0]  sent; // stages of the record that are out
    reg  [3:0]  index; // the piece of the slot
    wire [4:0]  flags; // slots that are sent
    wire [4:0]  stages; // stages that send one
    wire [4:0]  pending;
    wire [4:0]  current; // one hot
    wire [4:0]  active; // one hot: the slot of this cycle
    wire        more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [6:0]  code_value;
    wire [7:0]  carry_value;
    wire [5:0]  miss_value;
    wire [14:0] flush_value;
    wire [2:0]  code_raw_size;
    wire [3:0]  carry_raw_size;
    wire [3:0]  code_size;
    wire [3:0]  left;
    wire [7:0]  miss_selector_piece;
    wire [3:0]  miss_selector_piece_bits;
    wire        miss_selector_more;

    talon_d_chunk_selector miss_selector (
        .value      (record[60:32]),
        .index      (index),
        .piece      (miss_selector_piece),
        .piece_bits (miss_selector_piece_bits),
        .more       (miss_selector_more)
    );

    assign flags = {record[0], record[3], record[3:1]};
    assign stages = {record[0], record[3], record[3:1]};
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
        piece = 8'd0;
        if (active[3]) begin
            piece = miss_selector_piece;
        end
        if (active[0]) begin
            piece = piece | {1'b0, code_value};
        end
        if (active[1]) begin
            piece = piece | carry_value;
        end
        if (active[2]) begin
            piece = piece | {2'd0, miss_value};
        end
        if (active[4]) begin
            if (index == 4'd0) begin
                piece = flush_value[7:0];
            end
            if (index == 4'd1) begin
                piece = {1'b0, flush_value[14:8]};
            end
        end
    end

    always @* begin
        piece_bits = 4'd0;
        if (active[3]) begin
            piece_bits = miss_selector_piece_bits;
        end
        if (active[0]) begin
            piece_bits = piece_bits | code_size;
        end
        if (active[1]) begin
            piece_bits = piece_bits | carry_raw_size;
        end
        if (active[2]) begin
            piece_bits = piece_bits | 4'd6;
        end
        if (active[4]) begin
            piece_bits = left;
            if (left > 4'd8) begin
                piece_bits = 4'd8;
            end
        end
    end

    assign more =
        active[4] ? (left > 4'd8) | (active[3] & miss_selector_more) :
        active[3] & miss_selector_more;

    assign left =
        !active[4] ? 4'd0 :
        (index == 4'd1) ? 4'd7 :
        (index == 4'd0) ? 4'd15 :
        4'd0;

    assign code_value = record[10:4];
    assign code_size = {1'b0, code_raw_size};
    assign code_raw_size = record[13:11];
    assign carry_value = record[21:14];
    assign carry_raw_size = record[25:22];
    assign miss_value = record[31:26];
    assign flush_value = record[75:61];
    assign piece_valid = record_valid;
    assign piece_last = record[0] & is_last & !more;
    assign record_ready = piece_ready & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
            sent <= 5'd0;
            index <= 4'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 4'd1;
                end else begin
                    index <= 4'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 5'd0;
                    end
                end
            end
        end
    end

endmodule

// Collects pieces, first bit lowest, until a word is full; on request fills one up with zeros
module talon_d_bit_packer (
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
module talon_d_fifo_depth10_width8_has_level1 (
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
module talon_d_trace_port (
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
module talon_d_back_end (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [75:0] record,
    output wire        record_ready,
    output wire        is_empty, // no record, piece or trace word is inside
    output wire        trace_data, // trace bits
    output wire        trace_valid, // a beat is ready
    input  wire        trace_ready, // the sink takes the beat
    output wire [3:0]  buffered_words // trace words in the output FIFO
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

    talon_d_serial_encoder serial_encoder (
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

    talon_d_bit_packer bit_packer (
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

    talon_d_fifo_depth10_width8_has_level1 output_fifo (
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

    talon_d_trace_port trace_port (
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

// Data address buffer, stride table, range coder, encoder, buffer and port
module talon_d (
    input  wire        clock,
    input  wire        reset,
    input  wire        data_valid, // an access is made in this cycle
    input  wire [31:0] data_pc, // byte address of its instruction
    input  wire [31:0] data_address, // the byte address that it accesses
    input  wire        data_store, // it writes; not traced
    output wire        stall, // the access of this cycle is not taken
    input  wire        flush, // level: the trace ends here
    output wire        flushed, // every bit of the trace has left the module
    output wire        trace_data, // trace bits, bit 0 first
    output wire        trace_valid, // a beat is ready
    input  wire        trace_ready, // the sink takes the beat
    output wire [3:0]  buffered_words // trace words in the output FIFO
);

    wire [5:0]  folded;
    wire        sequencer_is_empty;
    wire        sequencer_tracing;
    wire        sequencer_record_flush;
    wire        sequencer_clear_valid;
    wire [5:0]  sequencer_clear_index;
    wire        encoder_access;
    wire        encoder_ready;
    wire        encoder_flush_ready;
    wire        encoder_is_empty;
    wire        encoder_record_valid;
    wire [75:0] encoder_record;
    wire        back_end_record_ready;
    wire        back_end_is_empty;

    talon_d_sequencer sequencer (
        .clock        (clock),
        .reset        (reset),
        .flush        (flush),
        .ready        (encoder_flush_ready),
        .is_empty     (sequencer_is_empty),
        .tracing      (sequencer_tracing),
        .record_flush (sequencer_record_flush),
        .flushed      (flushed),
        .clear_valid  (sequencer_clear_valid),
        .clear_index  (sequencer_clear_index)
    );

    talon_d_encoder encoder (
        .clock        (clock),
        .reset        (reset),
        .clear_valid  (sequencer_clear_valid),
        .clear_index  (sequencer_clear_index),
        .access       (encoder_access),
        .index        (folded),
        .address      (data_address),
        .ready        (encoder_ready),
        .flush        (sequencer_record_flush),
        .flush_ready  (encoder_flush_ready),
        .is_empty     (encoder_is_empty),
        .record_valid (encoder_record_valid),
        .record       (encoder_record),
        .record_ready (back_end_record_ready)
    );

    talon_d_back_end back_end (
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
    assign folded = data_pc[7:2] ^ data_pc[13:8] ^ data_pc[19:14];
    assign encoder_access = data_valid & !stall;

    wire _unused_ok = &{1'b0, data_pc[1:0], data_pc[31:20], data_store};

endmodule
