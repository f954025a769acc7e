// ntrace_pair of Tracewright, made by `tracewright generate`.

// ntrace_pair-a of Tracewright, made by `tracewright generate`.
// Clears the tables after reset, and takes the module through a flush
module ntrace_pair_a_sequencer (
    input  wire clock,
    input  wire reset,
    input  wire flush, // level: the trace ends here
    input  wire ready, // the compressor takes a block or a flush in this cycle
    input  wire is_empty, // no record and no bit is left in the module
    output wire tracing, // blocks are taken while the compressor is ready
    output wire record_flush, // the compressor makes its flush record when it is ready
    output wire flushed, // every bit of the trace has left the module
    input  wire discard, // a flush ends without what is in the module, as soon as the tables are clear
    output wire discards, // what is in the module is discarded in this cycle
    output wire is_on, // no flush has begun
    output wire clear_valid // the tables are being cleared
);

    localparam [1:0] STATE_TRACING = 2'd0; // the state after reset
    localparam [1:0] STATE_RECORDING = 2'd1;
    localparam [1:0] STATE_DRAINING = 2'd2;
    localparam [1:0] STATE_FLUSHED = 2'd3;

    reg        clearing;
    reg  [1:0] state;
    reg        discarding; // a discard that came before the flush could begin

    assign clear_valid = clearing;
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
            clearing <= 1'b0;
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

// ntrace_pair-a of Tracewright, made by `tracewright generate`.
// Hands the block of this cycle to the compressor if it is taken
module ntrace_pair_a_retire_decoder (
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

// ntrace_pair-a of Tracewright, made by `tracewright generate`.
// Counts the code, collects the outcomes of branches, and sends both with the addresses that the program does not tell
module ntrace_pair_a_record_former (
    input  wire         clock,
    input  wire         reset,
    input  wire         restart_registers,
    input  wire         retire_valid, // a block is taken
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
    input  wire         flush, // make a flush record
    input  wire         record_ready, // a record is taken
    input  wire         sync_request, // a synchronisation is due
    output wire         synchronised, // a synchronisation is made
    output wire         is_busy, // the second record of a block is made
    output wire         record_valid,
    output wire [114:0] record
);

    reg         is_known; // the trace has begun
    reg         has_run; // instructions have retired since the last block that may change the flow
    reg  [30:0] program_counter; // of the last of these
    reg  [2:0]  last_units; // how long it is
    reg  [30:0] from; // where the code begins that is not counted
    reg  [19:0] code_count; // the code since the last message
    reg  [31:0] outcomes; // outcomes after a first 1, the newest lowest
    reg  [30:0] last_address; // the last address in a message
    reg         has_second;
    reg         second_excepts;
    reg         is_requested;
    wire [30:0] pc_units;
    wire [30:0] target_units;
    wire        may_change; // the block may change the flow
    wire        ran; // instructions have retired before it
    wire        starts;
    wire        resumes;
    wire [2:0]  units; // length of the last instruction
    wire        counts; // code is counted
    wire [30:0] at; // the last instruction
    wire [30:0] after;
    wire [30:0] run;
    wire [2:0]  added;
    wire [31:0] sum;
    wire [11:0] upper;
    wire        overflows;
    wire        excepts;
    wire        jumps; // an indirect branch or an exception
    wire        holds;
    wire        sends_indirect;
    wire [31:0] collected;
    wire        fills;
    wire [30:0] address;
    wire        is_exception;
    wire        requested; // the block's message has a synchronisation

    assign pc_units = retire_pc[31:1];
    assign target_units = retire_target[31:1];
    assign may_change = retire_valid & (retire_direct | retire_indirect | retire_exception);
    assign ran = has_run | (|retire_count);
    assign starts = may_change & !is_known & !ran;
    assign resumes = ((may_change & ran) | (flush & has_run)) & !is_known;
    assign units = flush ? last_units : retire_length[3:1];
    assign counts = (may_change & ran) | (flush & has_run);
    assign at = flush ? program_counter : pc_units;
    assign after = pc_units + {28'd0, units};
    assign run = (counts && is_known) ? at - from : 31'd0;
    assign added = counts ? units : 3'd0;
    assign sum = {12'd0, code_count} + {1'b0, run} + {29'd0, added};
    assign upper = sum[31:20];
    assign overflows = |upper;
    assign excepts = may_change & retire_exception & !starts;
    assign jumps = (may_change & retire_indirect & retire_taken) | excepts | requested;
    assign requested = is_requested & is_known & may_change & (retire_taken | retire_exception);
    assign holds = resumes & jumps;
    assign sends_indirect = (jumps & !resumes) | has_second;
    assign fills = collected[31] & !jumps;

    assign collected =
        (may_change & retire_conditional) ? {outcomes[30:0], retire_taken} :
        outcomes;

    assign address =
        resumes ? at :
        has_second ? from :
        target_units;

    assign is_busy = has_second;
    assign record_valid = flush | overflows | starts | resumes | sends_indirect | fills;
    assign is_exception = excepts | (has_second & second_excepts);

    assign record = {
        collected,
        4'd1,
        (requested ? address : (sends_indirect ? (address ^ last_address) : address)),
        sum[19:0],
        1'b0,
        is_exception,
        4'd2,
        upper,
        requested,
        sends_indirect & !requested,
        sends_indirect | flush,
        fills,
        sends_indirect,
        starts | resumes,
        resumes,
        starts,
        overflows,
        flush
    };

    assign synchronised = record_ready & (starts | resumes | requested);

    always @(posedge clock) begin
        if (reset || restart_registers) begin
            is_known <= 1'b0;
            has_run <= 1'b0;
            program_counter <= 31'd0;
            last_units <= 3'd0;
            from <= 31'd0;
            code_count <= 20'd0;
            outcomes <= 32'd1;
            last_address <= 31'd0;
            has_second <= 1'b0;
            second_excepts <= 1'b0;
            is_requested <= 1'b0;
        end else begin
            if (record_ready) begin
                has_second <= 1'b0;
            end
            if (holds) begin
                has_second <= 1'b1;
                second_excepts <= excepts;
            end
            if (may_change) begin
                has_run <= 1'b0;
                is_known <= 1'b1;
                code_count <= sum[19:0];
                from <= after;
                if (retire_taken | retire_exception) begin
                    from <= target_units;
                end
                outcomes <= collected;
            end else if (retire_valid) begin
                has_run <= 1'b1;
                program_counter <= pc_units;
                last_units <= retire_length[3:1];
            end
            if (record_ready & (starts | resumes | sends_indirect)) begin
                last_address <= address;
            end
            if ((record_ready & sends_indirect) | flush) begin
                code_count <= 20'd0;
            end
            if ((record_ready & sends_indirect) | fills | flush) begin
                outcomes <= 32'd1;
            end
            if (flush) begin
                is_known <= 1'b0;
                has_run <= 1'b0;
            end
            if (starts | resumes | requested) begin
                is_requested <= 1'b0;
            end
            if (sync_request) begin
                is_requested <= 1'b1;
            end
        end
    end

    wire _unused_ok = &{
        1'b0,
        retire_pc[0],
        retire_length[0],
        retire_call,
        retire_return,
        retire_target[0]
    };

endmodule

// ntrace_pair-a of Tracewright, made by `tracewright generate`.
// A record leaves in the cycle of its block; the block with which the trace begins may make two, and the second leaves in the next cycle
module ntrace_pair_a_encoder (
    input  wire         clock,
    input  wire         reset,
    input  wire         clear_valid, // the tables are being cleared
    input  wire         restart_registers, // every register takes the value that it has after a reset
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
    input  wire         flush, // make a flush record; only when ready
    input  wire         sync_request, // a synchronisation is due
    output wire         synchronised, // a synchronisation is made
    output wire         ready, // a block or a flush is taken
    output wire         is_empty, // no record waits inside
    output wire         record_valid,
    output wire [114:0] record,
    input  wire         record_ready
);

    wire record_former_is_busy;

    ntrace_pair_a_record_former record_former (
        .clock              (clock),
        .reset              (reset),
        .restart_registers  (restart_registers),
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
        .record_ready       (record_ready),
        .sync_request       (sync_request),
        .synchronised       (synchronised),
        .is_busy            (record_former_is_busy),
        .record_valid       (record_valid),
        .record             (record)
    );

    assign ready = record_ready & !record_former_is_busy;
    assign is_empty = !record_former_is_busy;

    wire _unused_ok = &{1'b0, clear_valid};

endmodule

// ntrace_pair-a of Tracewright, made by `tracewright generate`.
// Words in their order, the oldest shown at once: depth words of width bits
module ntrace_pair_a_fifo_depth2_width115 (
    input  wire         clock,
    input  wire         reset,
    input  wire         restart_registers,
    input  wire         in_valid,
    input  wire [114:0] in_word,
    output wire         in_ready,
    output wire         out_valid,
    output wire [114:0] out_word,
    input  wire         out_ready
);

    wire [114:0] words_read_data;
    reg          write_pointer;
    reg          read_pointer;
    reg          is_filled; // more words came than went since the pointers were equal last
    wire         is_full;
    wire         puts;
    wire         takes;
    reg  [114:0] words_cells [0:1];

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

// ntrace_pair-a of Tracewright, made by `tracewright generate`.
// One chunk of a number with its continuation bit, and whether more follow
module ntrace_pair_a_chunk_selector_width12_end3 (
    input  wire [11:0] value, // the number
    input  wire        index, // number of the chunk, 0 for the first
    output wire [7:0]  piece, // chunk and continuation bit
    output wire [3:0]  piece_bits, // bits of the piece
    output wire        more // the continuation bit
);

    wire [5:0] chunk_0;
    wire [5:0] chunk_1;

    assign more = !index & (|value[11:6]);

    assign piece =
        index ? {chunk_1, 2'd3} :
        index ? 8'd0 :
        (|value[11:6]) ? {chunk_0, 2'd0} :
        {chunk_0, 2'd3};

    assign piece_bits = {!index | index, 3'd0};
    assign chunk_0 = value[5:0];
    assign chunk_1 = value[11:6];

endmodule

// ntrace_pair-a of Tracewright, made by `tracewright generate`.
// One chunk of a number with its continuation bit, and whether more follow
module ntrace_pair_a_chunk_selector_width31_end3 (
    input  wire [30:0] value, // the number
    input  wire [2:0]  index, // number of the chunk, 0 for the first
    output reg  [7:0]  piece, // chunk and continuation bit
    output reg  [3:0]  piece_bits, // bits of the piece
    output reg         more // the continuation bit
);

    wire [5:0] chunk_0;
    wire [5:0] chunk_1;
    wire [5:0] chunk_2;
    wire [5:0] chunk_3;
    wire [5:0] chunk_4;
    wire [5:0] chunk_5;

    always @* begin
        case (index)
            3'd0: more = |value[30:6];
            3'd1: more = |value[30:12];
            3'd2: more = |value[30:18];
            3'd3: more = |value[30:24];
            3'd4: more = value[30];
            default: more = 1'b0;
        endcase
    end

    always @* begin
        case (index)
            3'd0: begin
                piece = {2'd0, chunk_0};
                piece = {chunk_0, 2'd0};
                if (!(|value[30:6])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd1: begin
                piece = {2'd0, chunk_1};
                piece = {chunk_1, 2'd0};
                if (!(|value[30:12])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd2: begin
                piece = {2'd0, chunk_2};
                piece = {chunk_2, 2'd0};
                if (!(|value[30:18])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd3: begin
                piece = {2'd0, chunk_3};
                piece = {chunk_3, 2'd0};
                if (!(|value[30:24])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd4: begin
                piece = {2'd0, chunk_4};
                piece = {chunk_4, 2'd0};
                if (!value[30]) begin
                    piece = piece | 8'd3;
                end
            end
            3'd5: piece = {chunk_5, 2'd3};
            default: piece = 8'd0;
        endcase
    end

    always @* begin
        case (index)
            3'd0, 3'd1, 3'd2, 3'd3, 3'd4, 3'd5: piece_bits = 4'd8;
            default: piece_bits = 4'd0;
        endcase
    end

    assign chunk_0 = value[5:0];
    assign chunk_1 = value[11:6];
    assign chunk_2 = value[17:12];
    assign chunk_3 = value[23:18];
    assign chunk_4 = value[29:24];
    assign chunk_5 = {5'd0, value[30]};

endmodule

// ntrace_pair-a of Tracewright, made by `tracewright generate`.
// One chunk of a number with its continuation bit, and whether more follow
module ntrace_pair_a_chunk_selector_width22_end1 (
    input  wire [21:0] value, // the number
    input  wire [1:0]  index, // number of the chunk, 0 for the first
    output reg  [7:0]  piece, // chunk and continuation bit
    output wire [3:0]  piece_bits, // bits of the piece
    output reg         more // the continuation bit
);

    wire [5:0] chunk_0;
    wire [5:0] chunk_1;
    wire [5:0] chunk_2;
    wire [5:0] chunk_3;

    always @* begin
        case (index)
            2'd0: more = |value[21:6];
            2'd1: more = |value[21:12];
            2'd2: more = |value[21:18];
            default: more = 1'b0;
        endcase
    end

    always @* begin
        case (index)
            2'd0: piece = {chunk_0, 1'b0, !(|value[21:6])};
            2'd1: piece = {chunk_1, 1'b0, !(|value[21:12])};
            2'd2: piece = {chunk_2, 1'b0, !(|value[21:18])};
            2'd3: piece = {chunk_3, 2'd1};
        endcase
    end

    assign piece_bits = 4'd8;
    assign chunk_0 = value[5:0];
    assign chunk_1 = value[11:6];
    assign chunk_2 = value[17:12];
    assign chunk_3 = {2'd0, value[21:18]};

endmodule

// ntrace_pair-a of Tracewright, made by `tracewright generate`.
// One chunk of a number with its continuation bit, and whether more follow
module ntrace_pair_a_chunk_selector_width26_end1 (
    input  wire [25:0] value, // the number
    input  wire [2:0]  index, // number of the chunk, 0 for the first
    output reg  [7:0]  piece, // chunk and continuation bit
    output reg  [3:0]  piece_bits, // bits of the piece
    output reg         more // the continuation bit
);

    wire [5:0] chunk_0;
    wire [5:0] chunk_1;
    wire [5:0] chunk_2;
    wire [5:0] chunk_3;
    wire [5:0] chunk_4;

    always @* begin
        case (index)
            3'd0: more = |value[25:6];
            3'd1: more = |value[25:12];
            3'd2: more = |value[25:18];
            3'd3: more = |value[25:24];
            default: more = 1'b0;
        endcase
    end

    always @* begin
        case (index)
            3'd0: piece = {chunk_0, 1'b0, !(|value[25:6])};
            3'd1: piece = {chunk_1, 1'b0, !(|value[25:12])};
            3'd2: piece = {chunk_2, 1'b0, !(|value[25:18])};
            3'd3: piece = {chunk_3, 1'b0, !(|value[25:24])};
            3'd4: piece = {chunk_4, 2'd1};
            default: piece = 8'd0;
        endcase
    end

    always @* begin
        case (index)
            3'd0, 3'd1, 3'd2, 3'd3, 3'd4: piece_bits = 4'd8;
            default: piece_bits = 4'd0;
        endcase
    end

    assign chunk_0 = value[5:0];
    assign chunk_1 = value[11:6];
    assign chunk_2 = value[17:12];
    assign chunk_3 = value[23:18];
    assign chunk_4 = {4'd0, value[25:24]};

endmodule

// ntrace_pair-a of Tracewright, made by `tracewright generate`.
// One chunk of a number with its continuation bit, and whether more follow
module ntrace_pair_a_chunk_selector_width36_end3 (
    input  wire [35:0] value, // the number
    input  wire [2:0]  index, // number of the chunk, 0 for the first
    output reg  [7:0]  piece, // chunk and continuation bit
    output reg  [3:0]  piece_bits, // bits of the piece
    output reg         more // the continuation bit
);

    wire [5:0] chunk_0;
    wire [5:0] chunk_1;
    wire [5:0] chunk_2;
    wire [5:0] chunk_3;
    wire [5:0] chunk_4;
    wire [5:0] chunk_5;

    always @* begin
        case (index)
            3'd0: more = |value[35:6];
            3'd1: more = |value[35:12];
            3'd2: more = |value[35:18];
            3'd3: more = |value[35:24];
            3'd4: more = |value[35:30];
            default: more = 1'b0;
        endcase
    end

    always @* begin
        case (index)
            3'd0: begin
                piece = {2'd0, chunk_0};
                piece = {chunk_0, 2'd0};
                if (!(|value[35:6])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd1: begin
                piece = {2'd0, chunk_1};
                piece = {chunk_1, 2'd0};
                if (!(|value[35:12])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd2: begin
                piece = {2'd0, chunk_2};
                piece = {chunk_2, 2'd0};
                if (!(|value[35:18])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd3: begin
                piece = {2'd0, chunk_3};
                piece = {chunk_3, 2'd0};
                if (!(|value[35:24])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd4: begin
                piece = {2'd0, chunk_4};
                piece = {chunk_4, 2'd0};
                if (!(|value[35:30])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd5: piece = {chunk_5, 2'd3};
            default: piece = 8'd0;
        endcase
    end

    always @* begin
        case (index)
            3'd0, 3'd1, 3'd2, 3'd3, 3'd4, 3'd5: piece_bits = 4'd8;
            default: piece_bits = 4'd0;
        endcase
    end

    assign chunk_0 = value[5:0];
    assign chunk_1 = value[11:6];
    assign chunk_2 = value[17:12];
    assign chunk_3 = value[23:18];
    assign chunk_4 = value[29:24];
    assign chunk_5 = value[35:30];

endmodule

// ntrace_pair-a of Tracewright, made by `tracewright generate`.
// One chunk of a number with its continuation bit, and whether more follow
module ntrace_pair_a_chunk_selector_width31_end1 (
    input  wire [30:0] value, // the number
    input  wire [2:0]  index, // number of the chunk, 0 for the first
    output reg  [7:0]  piece, // chunk and continuation bit
    output reg  [3:0]  piece_bits, // bits of the piece
    output reg         more // the continuation bit
);

    wire [5:0] chunk_0;
    wire [5:0] chunk_1;
    wire [5:0] chunk_2;
    wire [5:0] chunk_3;
    wire [5:0] chunk_4;
    wire [5:0] chunk_5;

    always @* begin
        case (index)
            3'd0: more = |value[30:6];
            3'd1: more = |value[30:12];
            3'd2: more = |value[30:18];
            3'd3: more = |value[30:24];
            3'd4: more = value[30];
            default: more = 1'b0;
        endcase
    end

    always @* begin
        case (index)
            3'd0: piece = {chunk_0, 1'b0, !(|value[30:6])};
            3'd1: piece = {chunk_1, 1'b0, !(|value[30:12])};
            3'd2: piece = {chunk_2, 1'b0, !(|value[30:18])};
            3'd3: piece = {chunk_3, 1'b0, !(|value[30:24])};
            3'd4: piece = {chunk_4, 1'b0, !value[30]};
            3'd5: piece = {chunk_5, 2'd1};
            default: piece = 8'd0;
        endcase
    end

    always @* begin
        case (index)
            3'd0, 3'd1, 3'd2, 3'd3, 3'd4, 3'd5: piece_bits = 4'd8;
            default: piece_bits = 4'd0;
        endcase
    end

    assign chunk_0 = value[5:0];
    assign chunk_1 = value[11:6];
    assign chunk_2 = value[17:12];
    assign chunk_3 = value[23:18];
    assign chunk_4 = value[29:24];
    assign chunk_5 = {5'd0, value[30]};

endmodule

// ntrace_pair-a of Tracewright, made by `tracewright generate`.
// One chunk of a number with its continuation bit, and whether more follow
module ntrace_pair_a_chunk_selector_width20_end1 (
    input  wire [19:0] value, // the number
    input  wire [1:0]  index, // number of the chunk, 0 for the first
    output reg  [7:0]  piece, // chunk and continuation bit
    output wire [3:0]  piece_bits, // bits of the piece
    output reg         more // the continuation bit
);

    wire [5:0] chunk_0;
    wire [5:0] chunk_1;
    wire [5:0] chunk_2;
    wire [5:0] chunk_3;

    always @* begin
        case (index)
            2'd0: more = |value[19:6];
            2'd1: more = |value[19:12];
            2'd2: more = |value[19:18];
            default: more = 1'b0;
        endcase
    end

    always @* begin
        case (index)
            2'd0: piece = {chunk_0, 1'b0, !(|value[19:6])};
            2'd1: piece = {chunk_1, 1'b0, !(|value[19:12])};
            2'd2: piece = {chunk_2, 1'b0, !(|value[19:18])};
            2'd3: piece = {chunk_3, 2'd1};
        endcase
    end

    assign piece_bits = 4'd8;
    assign chunk_0 = value[5:0];
    assign chunk_1 = value[11:6];
    assign chunk_2 = value[17:12];
    assign chunk_3 = {4'd0, value[19:18]};

endmodule

// ntrace_pair-a of Tracewright, made by `tracewright generate`.
// One chunk of a number with its continuation bit, and whether more follow
module ntrace_pair_a_chunk_selector_width32_end3 (
    input  wire [31:0] value, // the number
    input  wire [2:0]  index, // number of the chunk, 0 for the first
    output reg  [7:0]  piece, // chunk and continuation bit
    output reg  [3:0]  piece_bits, // bits of the piece
    output reg         more // the continuation bit
);

    wire [5:0] chunk_0;
    wire [5:0] chunk_1;
    wire [5:0] chunk_2;
    wire [5:0] chunk_3;
    wire [5:0] chunk_4;
    wire [5:0] chunk_5;

    always @* begin
        case (index)
            3'd0: more = |value[31:6];
            3'd1: more = |value[31:12];
            3'd2: more = |value[31:18];
            3'd3: more = |value[31:24];
            3'd4: more = |value[31:30];
            default: more = 1'b0;
        endcase
    end

    always @* begin
        case (index)
            3'd0: begin
                piece = {2'd0, chunk_0};
                piece = {chunk_0, 2'd0};
                if (!(|value[31:6])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd1: begin
                piece = {2'd0, chunk_1};
                piece = {chunk_1, 2'd0};
                if (!(|value[31:12])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd2: begin
                piece = {2'd0, chunk_2};
                piece = {chunk_2, 2'd0};
                if (!(|value[31:18])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd3: begin
                piece = {2'd0, chunk_3};
                piece = {chunk_3, 2'd0};
                if (!(|value[31:24])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd4: begin
                piece = {2'd0, chunk_4};
                piece = {chunk_4, 2'd0};
                if (!(|value[31:30])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd5: piece = {chunk_5, 2'd3};
            default: piece = 8'd0;
        endcase
    end

    always @* begin
        case (index)
            3'd0, 3'd1, 3'd2, 3'd3, 3'd4, 3'd5: piece_bits = 4'd8;
            default: piece_bits = 4'd0;
        endcase
    end

    assign chunk_0 = value[5:0];
    assign chunk_1 = value[11:6];
    assign chunk_2 = value[17:12];
    assign chunk_3 = value[23:18];
    assign chunk_4 = value[29:24];
    assign chunk_5 = {4'd0, value[31:30]};

endmodule

// ntrace_pair-a of Tracewright, made by `tracewright generate`.
// Sends a record slot by slot, a large slot piece by piece
module ntrace_pair_a_serial_encoder (
    input  wire         clock,
    input  wire         reset,
    input  wire         restart_registers,
    input  wire         record_valid, // without registers it stays until it is taken
    input  wire [114:0] record,
    output wire         record_ready,
    output wire         piece_valid,
    output reg  [7:0]   piece, // zero above piece_bits
    output reg  [3:0]   piece_bits, // bits of the piece, the first one lowest
    output wire         piece_last, // fill the trace word up with zeros after the piece
    input  wire         piece_ready
);

    reg  [6:0]  sent; // stages of the record that are out
    reg  [2:0]  index; // the piece of the slot
    reg  [14:0] flags; // slots that are sent
    reg  [6:0]  stages; // stages that send one
    wire [6:0]  pending;
    wire [6:0]  current; // one hot
    reg  [14:0] active; // one hot: the slot of this cycle
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    reg  [5:0]  left;
    wire [7:0]  overflows_selector_piece;
    wire [3:0]  overflows_selector_piece_bits;
    wire        overflows_selector_more;
    wire [7:0]  synchronises_selector_piece;
    wire [3:0]  synchronises_selector_piece_bits;
    wire        synchronises_selector_more;
    wire [7:0]  plain_selector_piece;
    wire [3:0]  plain_selector_piece_bits;
    wire        plain_selector_more;
    wire [7:0]  requested_selector_piece;
    wire [3:0]  requested_selector_piece_bits;
    wire        requested_selector_more;
    wire [7:0]  full_selector_piece;
    wire [3:0]  full_selector_piece_bits;
    wire        full_selector_more;
    wire [7:0]  indirect_selector_piece;
    wire [3:0]  indirect_selector_piece_bits;
    wire        indirect_selector_more;
    wire [7:0]  flush_selector_piece;
    wire [3:0]  flush_selector_piece_bits;
    wire        flush_selector_more;
    wire [7:0]  history_selector_piece;
    wire [3:0]  history_selector_piece_bits;
    wire        history_selector_more;

    ntrace_pair_a_chunk_selector_width12_end3 overflows_selector (
        .value      (record[21:10]),
        .index      (index[0]),
        .piece      (overflows_selector_piece),
        .piece_bits (overflows_selector_piece_bits),
        .more       (overflows_selector_more)
    );

    ntrace_pair_a_chunk_selector_width31_end3 synchronises_selector (
        .value      (record[78:48]),
        .index      (index),
        .piece      (synchronises_selector_piece),
        .piece_bits (synchronises_selector_piece_bits),
        .more       (synchronises_selector_more)
    );

    ntrace_pair_a_chunk_selector_width22_end1 plain_selector (
        .value      (record[47:26]),
        .index      (index[1:0]),
        .piece      (plain_selector_piece),
        .piece_bits (plain_selector_piece_bits),
        .more       (plain_selector_more)
    );

    ntrace_pair_a_chunk_selector_width26_end1 requested_selector (
        .value      (record[47:22]),
        .index      (index),
        .piece      (requested_selector_piece),
        .piece_bits (requested_selector_piece_bits),
        .more       (requested_selector_more)
    );

    ntrace_pair_a_chunk_selector_width36_end3 full_selector (
        .value      (record[114:79]),
        .index      (index),
        .piece      (full_selector_piece),
        .piece_bits (full_selector_piece_bits),
        .more       (full_selector_more)
    );

    ntrace_pair_a_chunk_selector_width31_end1 indirect_selector (
        .value      (record[78:48]),
        .index      (index),
        .piece      (indirect_selector_piece),
        .piece_bits (indirect_selector_piece_bits),
        .more       (indirect_selector_more)
    );

    ntrace_pair_a_chunk_selector_width20_end1 flush_selector (
        .value      (record[47:28]),
        .index      (index[1:0]),
        .piece      (flush_selector_piece),
        .piece_bits (flush_selector_piece_bits),
        .more       (flush_selector_more)
    );

    ntrace_pair_a_chunk_selector_width32_end3 history_selector (
        .value      (record[114:83]),
        .index      (index),
        .piece      (history_selector_piece),
        .piece_bits (history_selector_piece_bits),
        .more       (history_selector_more)
    );

    always @* begin
        flags = 15'd0;
        if (record[1]) begin
            flags = 15'd3;
        end
        if (record[2]) begin
            flags[2] = 1'b1;
        end
        if (record[3]) begin
            flags[3] = 1'b1;
        end
        if (record[8]) begin
            flags[4] = 1'b1;
        end
        if (record[9]) begin
            flags[5] = 1'b1;
        end
        if (record[6]) begin
            flags[6] = 1'b1;
        end
        if (record[4]) begin
            flags[7] = 1'b1;
        end
        if (record[8]) begin
            flags[8] = 1'b1;
        end
        if (record[9]) begin
            flags[9] = 1'b1;
        end
        if (record[6]) begin
            flags[10] = 1'b1;
        end
        if (record[5]) begin
            flags[11] = 1'b1;
        end
        if (record[0]) begin
            flags[12] = 1'b1;
            flags[13] = 1'b1;
        end
        if (record[7]) begin
            flags[14] = 1'b1;
        end
    end

    always @* begin
        stages = 7'd0;
        if (record[1]) begin
            stages = 7'd3;
        end
        if (record[2] || record[3] || record[8] || record[9] || record[6]) begin
            stages[2] = 1'b1;
        end
        if (record[4] || record[8] || record[9] || record[6]) begin
            stages[3] = 1'b1;
        end
        if (record[5] || record[0]) begin
            stages[4] = 1'b1;
        end
        if (record[0]) begin
            stages[5] = 1'b1;
        end
        if (record[7]) begin
            stages[6] = 1'b1;
        end
    end

    assign pending = stages & ~sent;
    assign current = pending & (~pending + 7'd1);
    assign is_last = pending == current;

    always @* begin
        active = 15'd0;
        if (current[0]) begin
            active = {14'd0, flags[0]};
        end
        if (current[1]) begin
            active[1] = flags[1];
        end
        if (current[2]) begin
            active[2] = flags[2];
            active[3] = flags[3];
            active[4] = flags[4];
            active[5] = flags[5];
            active[6] = flags[6];
        end
        if (current[3]) begin
            active[7] = flags[7];
            active[8] = flags[8];
            active[9] = flags[9];
            active[10] = flags[10];
        end
        if (current[4]) begin
            active[11] = flags[11];
            active[12] = flags[12];
        end
        if (current[5]) begin
            active[13] = flags[13];
        end
        if (current[6]) begin
            active[14] = flags[14];
        end
    end

    always @* begin
        piece = 8'd0;
        if (active[1]) begin
            piece = overflows_selector_piece;
        end
        if (active[7]) begin
            piece = piece | synchronises_selector_piece;
        end
        if (active[8]) begin
            piece = piece | plain_selector_piece;
        end
        if (active[9]) begin
            piece = piece | requested_selector_piece;
        end
        if (active[10]) begin
            piece = piece | full_selector_piece;
        end
        if (active[11]) begin
            piece = piece | indirect_selector_piece;
        end
        if (active[13]) begin
            piece = piece | flush_selector_piece;
        end
        if (active[14]) begin
            piece = piece | history_selector_piece;
        end
        if (active[0]) begin
            case (index)
                3'd0: piece = 8'd108;
                3'd1, 3'd2, 3'd3, 3'd4, 3'd5: piece = 8'd0;
                default: ;
            endcase
        end
        if (active[2]) begin
            case (index)
                3'd0: piece = 8'd255;
                3'd1: piece = 8'd36;
                3'd2: piece = 8'd0;
                3'd3: piece = 8'd5;
                default: ;
            endcase
        end
        if (active[3]) begin
            case (index)
                3'd0: piece = 8'd255;
                3'd1: piece = 8'd36;
                3'd2: piece = 8'd0;
                3'd3: piece = 8'd21;
                default: ;
            endcase
        end
        if (active[4]) begin
            if (index == 3'd0) begin
                piece = 8'd112;
            end
            if (index == 3'd1) begin
                piece = 8'd0;
            end
        end
        if (active[5]) begin
            if (index == 3'd0) begin
                piece = 8'd116;
            end
            if (index == 3'd1) begin
                piece = 8'd0;
            end
        end
        if (active[6]) begin
            if (index == 3'd0) begin
                piece = 8'd108;
            end
            if (index == 3'd1) begin
                piece = 8'd0;
            end
        end
        if (active[12]) begin
            case (index)
                3'd0: piece = 8'd132;
                3'd1: piece = 8'd0;
                3'd2: piece = 8'd80;
                default: ;
            endcase
        end
    end

    always @* begin
        piece_bits = 4'd0;
        more = 1'b0;
        if (active[1]) begin
            piece_bits = overflows_selector_piece_bits;
            more = overflows_selector_more;
        end
        if (active[7]) begin
            piece_bits = piece_bits | synchronises_selector_piece_bits;
            more = synchronises_selector_more;
        end
        if (active[8]) begin
            piece_bits = piece_bits | plain_selector_piece_bits;
            more = plain_selector_more;
        end
        if (active[9]) begin
            piece_bits = piece_bits | requested_selector_piece_bits;
            more = requested_selector_more;
        end
        if (active[10]) begin
            piece_bits = piece_bits | full_selector_piece_bits;
            more = full_selector_more;
        end
        if (active[11]) begin
            piece_bits = piece_bits | indirect_selector_piece_bits;
            more = indirect_selector_more;
        end
        if (active[13]) begin
            piece_bits = piece_bits | flush_selector_piece_bits;
            more = flush_selector_more;
        end
        if (active[14]) begin
            piece_bits = piece_bits | history_selector_piece_bits;
            more = history_selector_more;
        end
        left = 6'd0;
        if (active[0]) begin
            case (index)
                3'd0: left = 6'd48;
                3'd1: left = 6'd40;
                3'd2: left = 6'd32;
                3'd3: left = 6'd24;
                3'd4: left = 6'd16;
                3'd5: left = 6'd8;
                default: ;
            endcase
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[2]) begin
            case (index)
                3'd0: left = 6'd32;
                3'd1: left = 6'd24;
                3'd2: left = 6'd16;
                3'd3: left = 6'd8;
                default: ;
            endcase
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[3]) begin
            case (index)
                3'd0: left = 6'd32;
                3'd1: left = 6'd24;
                3'd2: left = 6'd16;
                3'd3: left = 6'd8;
                default: ;
            endcase
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[4]) begin
            if (index == 3'd0) begin
                left = 6'd16;
            end
            if (index == 3'd1) begin
                left = 6'd8;
            end
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[5]) begin
            if (index == 3'd0) begin
                left = 6'd16;
            end
            if (index == 3'd1) begin
                left = 6'd8;
            end
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[6]) begin
            if (index == 3'd0) begin
                left = 6'd16;
            end
            if (index == 3'd1) begin
                left = 6'd8;
            end
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[12]) begin
            case (index)
                3'd0: left = 6'd24;
                3'd1: left = 6'd16;
                3'd2: left = 6'd8;
                default: ;
            endcase
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
    end

    assign piece_valid = record_valid;
    assign piece_last = record[0] & is_last & !more;
    assign record_ready = piece_ready & is_last & !more;

    always @(posedge clock) begin
        if (reset || restart_registers) begin
            sent <= 7'd0;
            index <= 3'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 3'd1;
                end else begin
                    index <= 3'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 7'd0;
                    end
                end
            end
        end
    end

endmodule

// ntrace_pair-a of Tracewright, made by `tracewright generate`.
// Collects pieces, first bit lowest, until a word is full; on request fills one up with zeros
module ntrace_pair_a_bit_packer (
    input  wire       clock,
    input  wire       reset,
    input  wire       restart_registers,
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
        if (reset || restart_registers) begin
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

// ntrace_pair-a of Tracewright, made by `tracewright generate`.
// Words in their order, the oldest shown at once: depth words of width bits
module ntrace_pair_a_fifo_depth10_width8_has_level1 (
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

// ntrace_pair-a of Tracewright, made by `tracewright generate`.
// Shows the beats of the oldest trace word in turn, under AXI4-Stream's rules
module ntrace_pair_a_trace_port (
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

// ntrace_pair-a of Tracewright, made by `tracewright generate`.
// Records in, beats of the trace out
module ntrace_pair_a_back_end (
    input  wire         clock,
    input  wire         reset,
    input  wire         record_valid,
    input  wire [114:0] record,
    output wire         record_ready,
    input  wire         restart_registers, // every register takes the value that it has after a reset
    output wire         is_empty, // no record, piece or trace word is inside
    output wire [7:0]   trace_data, // trace bits
    output wire         trace_valid, // a beat is ready
    input  wire         trace_ready, // the sink takes the beat
    output wire [3:0]   buffered_words // trace words in the output FIFO
);

    wire         next_valid; // the record that comes to the encoder next
    wire [7:0]   piece; // zero above piece_bits
    wire [3:0]   piece_bits; // bits of the piece, the first one lowest
    wire         piece_last; // fill the trace word up with zeros after the piece
    wire         queue_is_empty;
    wire [114:0] record_queue_out_word;
    wire         serial_encoder_record_ready;
    wire         serial_encoder_piece_valid;
    wire         bit_packer_piece_ready;
    wire         bit_packer_word_valid;
    wire [7:0]   bit_packer_word;
    wire         bit_packer_is_empty;
    wire         output_fifo_in_ready;
    wire         output_fifo_out_valid;
    wire [7:0]   output_fifo_out_word;
    wire         trace_port_word_ready;

    ntrace_pair_a_fifo_depth2_width115 record_queue (
        .clock             (clock),
        .reset             (reset),
        .restart_registers (restart_registers),
        .in_valid          (record_valid),
        .in_word           (record),
        .in_ready          (record_ready),
        .out_valid         (next_valid),
        .out_word          (record_queue_out_word),
        .out_ready         (serial_encoder_record_ready)
    );

    ntrace_pair_a_serial_encoder serial_encoder (
        .clock             (clock),
        .reset             (reset),
        .restart_registers (restart_registers),
        .record_valid      (next_valid),
        .record            (record_queue_out_word),
        .record_ready      (serial_encoder_record_ready),
        .piece_valid       (serial_encoder_piece_valid),
        .piece             (piece),
        .piece_bits        (piece_bits),
        .piece_last        (piece_last),
        .piece_ready       (bit_packer_piece_ready)
    );

    ntrace_pair_a_bit_packer bit_packer (
        .clock             (clock),
        .reset             (reset),
        .restart_registers (restart_registers),
        .piece_valid       (serial_encoder_piece_valid),
        .piece             (piece),
        .piece_bits        (piece_bits),
        .piece_last        (piece_last),
        .piece_ready       (bit_packer_piece_ready),
        .word_valid        (bit_packer_word_valid),
        .word              (bit_packer_word),
        .word_ready        (output_fifo_in_ready),
        .is_empty          (bit_packer_is_empty)
    );

    ntrace_pair_a_fifo_depth10_width8_has_level1 output_fifo (
        .clock             (clock),
        .reset             (reset),
        .restart_registers (restart_registers),
        .in_valid          (bit_packer_word_valid),
        .in_word           (bit_packer_word),
        .in_ready          (output_fifo_in_ready),
        .out_valid         (output_fifo_out_valid),
        .out_word          (output_fifo_out_word),
        .out_ready         (trace_port_word_ready),
        .level             (buffered_words)
    );

    ntrace_pair_a_trace_port trace_port (
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

// ntrace_pair-a of Tracewright, made by `tracewright generate`.
//   address_width = 32
//   alignment = 1
//   retire_count_bits = 4
//   exact_lengths = true
//   trace_port_width = 8
//   fifo_bits = 79
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   enable_pin = true
//   source_bits = 6
//   branch_history = true
//   history_bits = 31
//   count_bits = 20
// Record former, encoder, buffer and port
module ntrace_pair_a (
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

    wire         accepts;
    wire         waits; // the core waits
    wire         sequencer_flush;
    wire         sequencer_is_empty;
    wire         sequencer_tracing;
    wire         sequencer_record_flush;
    wire         sequencer_discards;
    wire         sequencer_is_on;
    wire         sequencer_clear_valid;
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
    wire         encoder_sync_request;
    wire         encoder_ready;
    wire         encoder_is_empty;
    wire         encoder_record_valid;
    wire [114:0] encoder_record;
    wire         back_end_record_ready;
    wire         back_end_is_empty;

    ntrace_pair_a_sequencer sequencer (
        .clock        (clock),
        .reset        (reset),
        .flush        (sequencer_flush),
        .ready        (encoder_ready),
        .is_empty     (sequencer_is_empty),
        .tracing      (sequencer_tracing),
        .record_flush (sequencer_record_flush),
        .flushed      (flushed),
        .discard      (discard),
        .discards     (sequencer_discards),
        .is_on        (sequencer_is_on),
        .clear_valid  (sequencer_clear_valid)
    );

    ntrace_pair_a_retire_decoder retire_decoder (
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

    ntrace_pair_a_encoder encoder (
        .clock              (clock),
        .reset              (reset),
        .clear_valid        (sequencer_clear_valid),
        .restart_registers  (sequencer_discards),
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
        .sync_request       (encoder_sync_request),
        .synchronised       (synchronised),
        .ready              (encoder_ready),
        .is_empty           (encoder_is_empty),
        .record_valid       (encoder_record_valid),
        .record             (encoder_record),
        .record_ready       (back_end_record_ready)
    );

    ntrace_pair_a_back_end back_end (
        .clock             (clock),
        .reset             (reset),
        .record_valid      (encoder_record_valid),
        .record            (encoder_record),
        .record_ready      (back_end_record_ready),
        .restart_registers (sequencer_discards),
        .is_empty          (back_end_is_empty),
        .trace_data        (trace_data),
        .trace_valid       (trace_valid),
        .trace_ready       (trace_ready),
        .buffered_words    (buffered_words)
    );

    assign sequencer_flush = flush | !enable;
    assign sequencer_is_empty = encoder_is_empty & back_end_is_empty;
    assign accepts = sequencer_tracing & encoder_ready;
    assign waits = !accepts & sequencer_is_on;
    assign stall = waits;
    assign drops = !accepts & !waits;
    assign encoder_flush = sequencer_record_flush & encoder_ready;
    assign encoder_sync_request = sync_request & sequencer_is_on;

endmodule

// RISC-V formal interface for ntrace_pair-a of Tracewright, made by `tracewright generate`.
// What an instruction word does to the flow
module ntrace_pair_a_rvfi_adapter_classifier (
    input  wire [31:0] insn, // instruction word, a compressed instruction in the lower half
    output reg  [2:0]  branch_kind, // 0 none, 1 jump, 2 branch, 3 indirect jump
    output wire        call, // the instruction leaves a return address
    output wire        is_return, // the instruction returns to such an address
    output wire        is_long, // the instruction has four bytes, not two
    output reg         trap_return // the instruction returns from a trap
);

    localparam [2:0] SEQUENTIAL = 3'd0;
    localparam [2:0] DIRECT_JUMP = 3'd1;
    localparam [2:0] DIRECT_CONDITIONAL = 3'd2;
    localparam [2:0] INDIRECT_JUMP = 3'd3;
    localparam [4:0] OPCODE_BRANCH = 5'd24;
    localparam [4:0] OPCODE_JALR = 5'd25;
    localparam [4:0] OPCODE_JAL = 5'd27;
    localparam [4:0] OPCODE_SYSTEM = 5'd28;
    localparam [2:0] C_JAL = 3'd1; // in RV32 alone
    localparam [2:0] C_JR = 3'd4; // c.jr, c.jalr and others
    localparam [2:0] C_J = 3'd5;
    localparam [2:0] C_BEQZ = 3'd6;
    localparam [2:0] C_BNEZ = 3'd7;

    wire [4:0]  opcode;
    wire [1:0]  quadrant;
    wire [2:0]  compressed_function;
    wire        compressed_call;
    reg  [4:0]  destination;
    reg  [4:0]  source;
    wire        links; // the destination is x1 or x5
    wire        goes_back; // the source is x1 or x5
    wire [11:0] upper;

    assign quadrant = insn[1:0];
    assign opcode = insn[6:2];
    assign compressed_function = insn[15:13];
    assign upper = insn[31:20];
    assign is_long = quadrant == 2'd3;
    assign compressed_call = compressed_function == C_JAL;

    always @* begin
        branch_kind = SEQUENTIAL;
        if (is_long) begin
            case (opcode)
                OPCODE_JAL: branch_kind = DIRECT_JUMP;
                OPCODE_BRANCH: branch_kind = DIRECT_CONDITIONAL;
                OPCODE_JALR: branch_kind = INDIRECT_JUMP;
                default: begin
                    if ((opcode == OPCODE_SYSTEM) && (insn[19:7] == 13'd0)) begin
                        case (upper)
                            12'd2, 12'd258, 12'd770, 12'd1794, 12'd1970: branch_kind = INDIRECT_JUMP;
                            default: ;
                        endcase
                    end
                end
            endcase
        end else if (quadrant == 2'd1) begin
            case (compressed_function)
                C_J: branch_kind = DIRECT_JUMP;
                C_BEQZ, C_BNEZ: branch_kind = DIRECT_CONDITIONAL;
                default: ;
            endcase
            if (compressed_call) begin
                branch_kind = DIRECT_JUMP;
            end
        end else if ((quadrant == 2'd2) && (compressed_function == C_JR) && (insn[6:2] == 5'd0) && (|insn[11:7])) begin
            branch_kind = INDIRECT_JUMP;
        end
    end

    always @* begin
        trap_return = 1'b0;
        if (is_long) begin
            case (opcode)
                OPCODE_JAL, OPCODE_BRANCH, OPCODE_JALR: ;
                default: begin
                    if ((opcode == OPCODE_SYSTEM) && (insn[19:7] == 13'd0)) begin
                        case (upper)
                            12'd2, 12'd258, 12'd770, 12'd1794, 12'd1970: trap_return = 1'b1;
                            default: ;
                        endcase
                    end
                end
            endcase
        end
    end

    always @* begin
        destination = 5'd0;
        if (is_long) begin
            if ((opcode == OPCODE_JAL) || (opcode == OPCODE_JALR)) begin
                destination = insn[11:7];
            end
        end else if (quadrant == 2'd1) begin
            if (compressed_call) begin
                destination = 5'd1;
            end
        end else if ((quadrant == 2'd2) && (compressed_function == C_JR) && (insn[6:2] == 5'd0) && (|insn[11:7])) begin
            destination = {4'd0, insn[12]};
        end
    end

    always @* begin
        source = 5'd0;
        if (is_long) begin
            if (opcode == OPCODE_JALR) begin
                source = insn[19:15];
            end
        end else if (quadrant != 2'd1) begin
            if ((quadrant == 2'd2) && (compressed_function == C_JR) && (insn[6:2] == 5'd0) && (|insn[11:7])) begin
                source = insn[11:7];
            end
        end
    end

    assign links = (destination == 5'd1) | (destination == 5'd5);
    assign goes_back = (source == 5'd1) | (source == 5'd5);
    assign call = links;
    assign is_return = (source != destination) & goes_back;

endmodule

// RISC-V formal interface for ntrace_pair-a of Tracewright, made by `tracewright generate`.
// How far a direct jump or branch goes
module ntrace_pair_a_rvfi_adapter_offset (
    input  wire [31:0] insn, // instruction word, a compressed instruction in the lower half
    output reg  [19:0] half_words // two bytes each, with a sign
);

    wire [19:0] jump;
    wire [19:0] branch;
    wire [19:0] compressed_jump;
    wire [19:0] compressed_branch;
    wire [12:0] sign; // all bits are the sign
    wire        is_long;

    assign is_long = insn[1:0] == 2'd3;
    assign sign = ((is_long & insn[31]) | (!is_long & insn[12])) ? 13'h1fff : 13'd0;
    assign jump = {sign[0], insn[19:12], insn[20], insn[30:21]};
    assign branch = {sign[8:0], insn[7], insn[30:25], insn[11:8]};

    assign compressed_jump = {
        sign[9:0],
        insn[8],
        insn[10:9],
        insn[6],
        insn[7],
        insn[2],
        insn[11],
        insn[5:3]
    };

    assign compressed_branch = {sign, insn[6:5], insn[2], insn[11:10], insn[4:3]};

    always @* begin
        if (is_long) begin
            half_words = jump;
            if (!insn[2]) begin
                half_words = branch;
            end
        end else begin
            half_words = compressed_jump;
            if (insn[14]) begin
                half_words = compressed_branch;
            end
        end
    end

endmodule

// RISC-V formal interface for ntrace_pair-a of Tracewright, made by `tracewright generate`.
// What the pins say of an instruction
module ntrace_pair_a_rvfi_adapter_instruction (
    input  wire [97:0] shown,
    output wire [69:0] held
);

    localparam [2:0] INDIRECT_JUMP = 3'd3;
    localparam [2:0] EXCEPTION = 3'd5;

    wire [30:0] program_counter; // in alignment units, as all below
    wire [30:0] next_address;
    wire [30:0] distance; // from the instruction to its target
    wire [30:0] direct_target;
    wire [30:0] target;
    wire [2:0]  branch_kind; // kind of the instruction; an exception if it traps
    wire        says_taken;
    wire [2:0]  classifier_branch_kind;
    wire        classifier_call;
    wire        classifier_is_return;
    wire        classifier_is_long;
    wire        classifier_trap_return;
    wire [19:0] offset_half_words;

    wire [31:0] shown_insn = shown[31:0];
    wire        shown_trap = shown[32];
    wire [31:0] shown_pc = shown[65:34];
    wire [31:0] shown_next_pc = shown[97:66];

    ntrace_pair_a_rvfi_adapter_classifier classifier (
        .insn        (shown_insn),
        .branch_kind (classifier_branch_kind),
        .call        (classifier_call),
        .is_return   (classifier_is_return),
        .is_long     (classifier_is_long),
        .trap_return (classifier_trap_return)
    );

    ntrace_pair_a_rvfi_adapter_offset offset (
        .insn       (shown_insn),
        .half_words (offset_half_words)
    );

    assign program_counter = shown_pc[31:1];
    assign distance = {(offset_half_words[19] ? 11'd2047 : 11'd0), offset_half_words};
    assign direct_target = program_counter + distance;
    assign branch_kind = shown_trap ? EXCEPTION : classifier_branch_kind;

    assign target =
        ((branch_kind == INDIRECT_JUMP) || (branch_kind == EXCEPTION)) ? next_address :
        direct_target;

    assign next_address = shown_next_pc[31:1];
    assign says_taken = next_address == direct_target;

    assign held = {
        target,
        says_taken,
        classifier_is_long,
        classifier_trap_return,
        classifier_is_return,
        classifier_call,
        branch_kind,
        program_counter
    };

    wire _unused_ok = &{1'b0, shown[33], shown_pc[0], shown_next_pc[0]};

endmodule

// RISC-V formal interface for ntrace_pair-a of Tracewright, made by `tracewright generate`.
// What an instruction did, when the next one comes or a flush does not wait for it
module ntrace_pair_a_rvfi_adapter_outcome (
    input  wire [69:0] held,
    input  wire        was_shown, // a flush has shown it already, as one that jumps or does not
    input  wire        shown_taken,
    input  wire [30:0] next_address, // address of the next instruction, in alignment units
    input  wire        interrupt, // the next instruction is the first of a handler
    input  wire        alone, // a flush shows where it led, and does not wait for the next instruction
    output wire [68:0] waiting,
    output reg         diverted // the flow was diverted before the next instruction
);

    localparam [2:0] SEQUENTIAL = 3'd0;
    localparam [2:0] DIRECT_JUMP = 3'd1;
    localparam [2:0] DIRECT_CONDITIONAL = 3'd2;
    localparam [2:0] INDIRECT_JUMP = 3'd3;
    localparam [2:0] EXCEPTION = 3'd5;

    wire        is_handler;
    wire [2:0]  branch_kind; // of one that was shown, what it did then, which only the port's next address leaves open
    wire [30:0] step;
    wire [30:0] differs; // bits in which the next address differs from this one
    wire [30:0] carries; // those in which it has to, above the step's
    wire        follows; // the next instruction follows
    wire        at_target;
    wire        goes_on; // a branch goes on at the following address
    wire        jumps;
    wire        taken;
    wire [30:0] target;

    wire [30:0] held_program_counter = held[30:0];
    wire [2:0]  held_branch_kind = held[33:31];
    wire        held_trap_return = held[36];
    wire        held_is_long = held[37];
    wire        held_says_taken = held[38];
    wire [30:0] held_target = held[69:39];

    assign is_handler = interrupt & (held_branch_kind != EXCEPTION);
    assign step = held_is_long ? 31'd2 : 31'd1;
    assign differs = next_address ^ held_program_counter;
    assign carries = {differs[29:0] & held_program_counter[29:0], 1'b0};
    assign follows = differs == (carries | step);
    assign at_target = next_address == held_target;
    assign goes_on = follows & !is_handler;
    assign jumps = at_target & !is_handler & !goes_on;

    assign branch_kind =
        !was_shown ? held_branch_kind :
        shown_taken ? DIRECT_JUMP :
        SEQUENTIAL;

    assign taken =
        (branch_kind == SEQUENTIAL) ? 1'b0 :
        (branch_kind != DIRECT_CONDITIONAL) ? (branch_kind != EXCEPTION) | alone :
        alone ? held_says_taken :
        jumps | (held_says_taken & !goes_on);

    assign target =
        ((branch_kind != INDIRECT_JUMP) || (!(held_trap_return & !is_handler) || alone)) ? held_target :
        next_address;

    always @* begin
        diverted = !at_target | is_handler;
        case (branch_kind)
            SEQUENTIAL: diverted = !follows | is_handler;
            DIRECT_CONDITIONAL: diverted = !(goes_on | jumps);
            EXCEPTION: diverted = 1'b1;
            INDIRECT_JUMP: begin
                if (held_trap_return & !is_handler) begin
                    diverted = 1'b0;
                end
            end
            default: ;
        endcase
    end

    assign waiting = {target, held_is_long, taken, held[35:0]};

endmodule

// RISC-V formal interface for ntrace_pair-a of Tracewright, made by `tracewright generate`.
// The instructions at the pins of all lanes, as words for the queue
module ntrace_pair_a_rvfi_adapter_runs (
    input  wire        clock,
    input  wire        reset,
    input  wire        valid_0, // an instruction retires in this cycle
    input  wire [97:0] shown_0,
    input  wire        flush, // level: the trace ends here
    input  wire        has_room, // there is room for a word more
    output wire        arrives, // an instruction comes in this cycle
    output wire        puts, // lanes with a word
    output wire [69:0] run_0
);

    localparam [2:0] EXCEPTION = 3'd5;

    reg  [69:0] held_word; // the last instruction at the pins
    reg         held_diverted; // the flow was diverted before it
    reg         is_held; // there is one
    reg         is_shown; // a flush has shown it, or there is none
    reg         shown_taken; // it was shown as one that jumps
    reg  [69:0] held_before_0; // the instruction before that of each lane
    reg  [69:0] before_now;
    wire [30:0] next_address_0; // its address
    reg         is_before_0;
    reg         is_before_now;
    reg         was_shown_0; // a flush has shown that one
    reg         was_shown_now;
    reg         diverted_now;
    reg         was_diverted_0;
    wire        can_leave;
    wire        releases; // what is held leaves for a flush
    wire        ends; // all of it
    wire        is_trap_0; // the instruction before that of each lane has trapped
    wire        puts_now;
    wire [69:0] instruction_0_held;
    wire [68:0] outcome_0_waiting;
    wire        outcome_0_diverted;

    wire        shown_0_interrupt = shown_0[33];
    wire [31:0] shown_0_pc = shown_0[65:34];
    wire [2:0]  held_word_branch_kind = held_word[33:31];
    wire [2:0]  outcome_0_waiting_branch_kind = outcome_0_waiting[33:31];
    wire        outcome_0_waiting_taken = outcome_0_waiting[36];

    ntrace_pair_a_rvfi_adapter_instruction instruction_0 (
        .shown (shown_0),
        .held  (instruction_0_held)
    );

    ntrace_pair_a_rvfi_adapter_outcome outcome_0 (
        .held         (held_before_0),
        .was_shown    (was_shown_0),
        .shown_taken  (shown_taken),
        .next_address (next_address_0),
        .interrupt    (shown_0_interrupt),
        .alone        (ends),
        .waiting      (outcome_0_waiting),
        .diverted     (outcome_0_diverted)
    );

    assign arrives = valid_0;
    assign can_leave = !is_shown;
    assign releases = can_leave & flush & has_room & !arrives;
    assign ends = releases & !((held_word_branch_kind == EXCEPTION) & held_diverted);

    always @* begin
        before_now = held_word;
        held_before_0 = before_now;
        if (valid_0) begin
            before_now = instruction_0_held;
        end
    end

    always @* begin
        is_before_now = is_held;
        is_before_0 = is_before_now;
        if (valid_0) begin
            is_before_now = 1'b1;
        end
    end

    always @* begin
        was_shown_now = is_shown;
        was_shown_0 = was_shown_now;
        if (valid_0) begin
            was_shown_now = 1'b0;
        end
    end

    always @* begin
        diverted_now = held_diverted;
        was_diverted_0 = diverted_now;
        if (valid_0) begin
            diverted_now = outcome_0_diverted | !is_before_0;
        end
    end

    assign puts_now = releases | (valid_0 & (!was_shown_0 & (!is_trap_0 | was_diverted_0)));
    assign next_address_0 = shown_0_pc[31:1];
    assign is_trap_0 = outcome_0_waiting_branch_kind == EXCEPTION;
    assign run_0 = {was_diverted_0 | is_trap_0, outcome_0_waiting};
    assign puts = puts_now;

    always @(posedge clock) begin
        if (reset) begin
            is_held <= 1'b0;
            is_shown <= 1'b1;
            shown_taken <= 1'b0;
        end else begin
            is_held <= is_before_now;
            is_shown <= was_shown_now;
            if (releases) begin
                is_shown <= ends;
                shown_taken <= outcome_0_waiting_taken;
            end
        end
    end

    always @(posedge clock) begin
        held_word <= before_now;
        held_diverted <= diverted_now;
        if (releases) begin
            held_diverted <= 1'b0;
        end
    end

    wire _unused_ok = &{1'b0, shown_0_pc[0]};

endmodule

// RISC-V formal interface for ntrace_pair-a of Tracewright, made by `tracewright generate`.
// Words in their order, the oldest shown at once: depth words of width bits
module ntrace_pair_a_rvfi_adapter_fifo (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid,
    input  wire [69:0] in_word,
    output wire        in_ready,
    output wire        out_valid,
    output wire [69:0] out_word,
    input  wire        out_ready,
    output wire [3:0]  level // words held
);

    wire [69:0] words_read_data;
    reg  [3:0]  write_pointer;
    reg  [3:0]  read_pointer;
    reg  [3:0]  held;
    wire        is_full;
    wire        puts;
    wire        takes;
    reg  [69:0] words_cells [0:11];

    assign is_full = held == 4'd12;
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
                if (write_pointer == 4'd11) begin
                    write_pointer <= 4'd0;
                end
            end
            if (takes) begin
                read_pointer <= read_pointer + 4'd1;
                if (read_pointer == 4'd11) begin
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

// RISC-V formal interface for ntrace_pair-a of Tracewright, made by `tracewright generate`.
// Words in their order, of which several come in a cycle: any lanes have one, the lowest lane the oldest
module ntrace_pair_a_rvfi_adapter_lane_queue (
    input  wire        clock,
    input  wire        reset,
    input  wire        arrives, // lanes that have a word in this cycle
    input  wire [69:0] word_0,
    input  wire        flush, // level: nothing more is to come
    input  wire        holds, // what has left the queue is still held or shown
    output wire        is_there, // the oldest words, as far as there are so many
    output wire [69:0] oldest_0,
    input  wire        takes, // of these, those that leave; none without those before it
    output wire [3:0]  level, // words held
    output wire        stall, // stop: room for a cycle and 8 words more
    output wire        lost, // sticky: a word came when the queue was full
    output wire        ends, // level: a flush, and nothing comes in this cycle
    output wire        drained // level: everything before the flush has gone
);

    reg        lost_any;
    reg        drained_once;
    wire       has_room; // banks with room
    wire [3:0] words_0; // words in the banks up to each
    wire       leaves; // banks from which a word leaves

    ntrace_pair_a_rvfi_adapter_fifo banks_0 (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (arrives),
        .in_word   (word_0),
        .in_ready  (has_room),
        .out_valid (is_there),
        .out_word  (oldest_0),
        .out_ready (leaves),
        .level     (words_0)
    );

    assign lost = lost_any;
    assign level = words_0;
    assign stall = (level >= 4'd4) | flush;
    assign leaves = takes & is_there;
    assign ends = flush & !arrives;
    assign drained = flush & ((ends & !is_there & !holds) | drained_once);

    always @(posedge clock) begin
        if (reset) begin
            lost_any <= 1'b0;
            drained_once <= 1'b0;
        end else begin
            if (arrives & !has_room) begin
                lost_any <= 1'b1;
            end
            drained_once <= drained;
        end
    end

endmodule

// RISC-V formal interface for ntrace_pair-a of Tracewright, made by `tracewright generate`.
// What the port says of each instruction, as the blocks of a trace module (docs/hardware.md)
module ntrace_pair_a_rvfi_adapter (
    input  wire        clock,
    input  wire        reset,
    input  wire        rvfi_valid, // an instruction retires in this cycle
    input  wire [31:0] rvfi_insn, // instruction word
    input  wire        rvfi_trap, // the instruction ended in a trap
    input  wire        rvfi_intr, // the instruction is the first of a handler
    input  wire [31:0] rvfi_pc_rdata, // address of the instruction
    input  wire [31:0] rvfi_pc_wdata, // address of the next instruction
    output wire        stall, // stop retiring: room for 8 more
    output wire        lost, // sticky: an instruction was lost because the queue was full
    input  wire        flush, // level: the trace ends here
    output wire        drained, // the trace module is to see flush
    output wire        retire_valid, // a block retires in this cycle
    output wire [3:0]  retire_count, // instructions of the block
    output wire [31:0] retire_pc, // byte address of the last instruction
    output wire [3:0]  retire_length, // length of the last instruction in bytes
    output wire [2:0]  retire_kind, // 0 sequential, 1 jump, 2 conditional, 3 indirect, 4 indirect conditional, 5 exception
    output wire        retire_call, // the last instruction leaves a return address
    output wire        retire_return, // the last instruction returns to one
    output wire        retire_taken, // the flow changed
    output wire [31:0] retire_target, // byte address that the flow changed to, if taken
    input  wire        retire_stall // the trace module's stall
);

    localparam [2:0] SEQUENTIAL = 3'd0;
    localparam [2:0] EXCEPTION = 3'd5;

    wire [97:0] shown_0;
    reg  [3:0]  instructions; // sequential instructions that left the queue and are not shown yet
    reg  [30:0] last_program_counter;
    reg         last_is_long; // that instruction has four bytes
    reg         diversion_due; // the diversion before the oldest instruction is shown in this cycle
    reg         diversion_shown; // it is, or has been shown
    reg         ends; // the block at the pins is shown for a flush, and is not taken yet
    wire [69:0] oldest_run;
    wire [68:0] oldest;
    wire        is_trap; // the oldest word is of an instruction that has trapped, which is not counted
    wire        passes; // the oldest instruction can leave after a block in front of it
    wire        follows; // there is an instruction
    wire        waits; // the flow was diverted before it, which is shown in the next cycle
    wire [3:0]  total; // those that are counted and those of the words that leave
    wire [30:0] shown_program_counter;
    wire        shown_is_long;
    wire [30:0] shown_target;
    wire        takes; // the instruction leaves the queue
    wire        shows; // there is a block
    wire        is_sequential;
    wire        runs_has_room;
    wire        runs_arrives;
    wire        runs_puts;
    wire [69:0] runs_run_0;
    wire        queue_holds;
    wire        queue_is_there;
    wire [3:0]  queue_level;
    wire        queue_ends;

    wire [68:0] oldest_run_last = oldest_run[68:0];
    wire        oldest_run_diverted = oldest_run[69];
    wire [30:0] oldest_program_counter = oldest[30:0];
    wire [2:0]  oldest_branch_kind = oldest[33:31];
    wire        oldest_call = oldest[34];
    wire        oldest_is_return = oldest[35];
    wire        oldest_taken = oldest[36];
    wire        oldest_is_long = oldest[37];
    wire [30:0] oldest_target = oldest[68:38];

    ntrace_pair_a_rvfi_adapter_runs runs (
        .clock    (clock),
        .reset    (reset),
        .valid_0  (rvfi_valid),
        .shown_0  (shown_0),
        .flush    (flush),
        .has_room (runs_has_room),
        .arrives  (runs_arrives),
        .puts     (runs_puts),
        .run_0    (runs_run_0)
    );

    ntrace_pair_a_rvfi_adapter_lane_queue queue (
        .clock    (clock),
        .reset    (reset),
        .arrives  (runs_puts),
        .word_0   (runs_run_0),
        .flush    (flush),
        .holds    (queue_holds),
        .is_there (queue_is_there),
        .oldest_0 (oldest_run),
        .takes    (takes),
        .level    (queue_level),
        .stall    (stall),
        .lost     (lost),
        .ends     (queue_ends),
        .drained  (drained)
    );

    assign shown_0 = {rvfi_pc_wdata, rvfi_pc_rdata, rvfi_intr, rvfi_trap, rvfi_insn};
    assign runs_has_room = queue_level != 4'd12;
    assign queue_holds = (|instructions) | runs_arrives;
    assign oldest = oldest_run_last;
    assign follows = queue_is_there & !ends;
    assign waits = oldest_run_diverted & !diversion_shown;
    assign is_sequential = oldest_branch_kind == SEQUENTIAL;
    assign is_trap = oldest_branch_kind == EXCEPTION;
    assign passes = is_sequential | is_trap;
    assign total = instructions + 4'd1;

    assign shows =
        follows ? diversion_due | (!waits & ((total > 4'd14) | (oldest_branch_kind != SEQUENTIAL))) :
        (queue_ends | ends) & (|instructions);

    assign takes =
        ((shows && retire_stall) || !follows) ? 1'b0 :
        diversion_due ? passes :
        !waits;

    assign retire_kind =
        !follows ? SEQUENTIAL :
        diversion_due ? EXCEPTION :
        oldest_branch_kind;

    assign retire_count = (!follows || diversion_due) ? instructions : total;

    assign shown_program_counter =
        (!follows || diversion_due) ? last_program_counter :
        oldest_program_counter;

    assign shown_is_long = (!follows || diversion_due) ? last_is_long : oldest_is_long;

    assign shown_target =
        (!follows || (!diversion_due || (is_trap & oldest_taken))) ? oldest_target :
        oldest_program_counter;

    assign retire_valid = shows;
    assign retire_pc = {shown_program_counter, 1'b0};
    assign retire_target = {shown_target, 1'b0};
    assign retire_call = oldest_call & follows;
    assign retire_return = oldest_is_return & follows;
    assign retire_taken = oldest_taken & follows;
    assign retire_length = shown_is_long ? 4'd4 : 4'd2;

    always @(posedge clock) begin
        if (reset) begin
            instructions <= 4'd0;
            last_program_counter <= 31'd0;
            last_is_long <= 1'b0;
            diversion_due <= 1'b0;
            diversion_shown <= 1'b0;
            ends <= 1'b0;
        end else begin
            ends <= 1'b0;
            if (shows && retire_stall) begin
                ends <= !follows;
            end else begin
                if (shows) begin
                    instructions <= 4'd0;
                end
                if (follows) begin
                    diversion_shown <= 1'b1;
                    diversion_due <= waits;
                end
            end
            if (takes) begin
                diversion_shown <= 1'b0;
                if (!is_trap) begin
                    last_program_counter <= oldest_program_counter;
                    last_is_long <= oldest_is_long;
                end
                if (!shows) begin
                    instructions <= total;
                end else if (diversion_due) begin
                    instructions <= {3'd0, !is_trap};
                end
            end
        end
    end

endmodule

// Switch after adapters for ntrace_pair-a of Tracewright, made by `tracewright generate`.
// Switches a trace module after adapters off when what came before has left them
module ntrace_pair_a_adapter_switch (
    input  wire clock,
    input  wire reset,
    input  wire enable,
    input  wire discard,
    input  wire flush,
    input  wire all_drained, // all adapters have drained
    input  wire trace_valid,
    input  wire trace_ready,
    input  wire flushed,
    output wire adapter_flush, // the adapters are to drain
    output wire module_enable, // the trace module is on
    output wire module_discard, // the trace module is to throw away what it has
    output wire module_flush // the trace module is to end its trace
);

    reg        is_off; // tracing was switched off, and what came before that has left the adapters
    reg        discards; // a discard came while an adapter held something, until the module has thrown everything away, and until the end of a flush, because the adapter goes on to give blocks to a module that would begin a packet with them
    reg  [9:0] waits; // cycles that the adapters have taken
    wire       drains;
    wire       stops; // the module is off

    assign drains = !enable & !is_off;
    assign stops = discards | (!enable & (is_off | all_drained | (&waits)));
    assign adapter_flush = flush | drains;
    assign module_enable = !stops;
    assign module_discard = discard | discards;
    assign module_flush = flush & all_drained;

    always @(posedge clock) begin
        if (reset) begin
            is_off <= 1'b1;
            discards <= 1'b0;
            waits <= 10'd0;
        end else begin
            is_off <= stops;
            discards <= (discards | ((drains | flush) & discard)) & (flush | !flushed);
            if (!drains | (trace_valid & trace_ready)) begin
                waits <= 10'd0;
            end else if (trace_valid) begin
                waits <= waits + 10'd1;
            end
        end
    end

endmodule

// RISC-V formal interface for ntrace_pair-a of Tracewright, made by `tracewright generate`.
// ntrace_pair-a with the RISC-V formal interface (RVFI) of its core. docs/live_core.md describes the
// adapter. A core stops retiring while its stall is high, and may retire 8 more after stall has risen; lost rises
// when an instruction comes while the queue is full, and stays high.
module ntrace_pair_a_rvfi (
    input  wire        clock,
    input  wire        reset,
    input  wire        rvfi_valid,
    input  wire [31:0] rvfi_insn,
    input  wire        rvfi_trap,
    input  wire        rvfi_intr,
    input  wire [31:0] rvfi_pc_rdata,
    input  wire [31:0] rvfi_pc_wdata,
    output wire        stall,
    output wire        lost,
    output wire        drops,
    input  wire        enable,
    input  wire        discard,
    input  wire        flush,
    output wire        flushed,
    input  wire        sync_request,
    output wire        synchronised,
    output wire [7:0]  trace_data,
    output wire        trace_valid,
    input  wire        trace_ready,
    output wire [3:0]  buffered_words
);

    wire        adapter_flush;
    wire        drained;
    wire        retire_valid;
    wire [3:0]  retire_count;
    wire [31:0] retire_pc;
    wire [3:0]  retire_length;
    wire [2:0]  retire_kind;
    wire        retire_call;
    wire        retire_return;
    wire        retire_taken;
    wire [31:0] retire_target;
    wire        retire_stall;
    wire        module_enable;
    wire        module_discard;
    wire        module_flush;

    ntrace_pair_a_rvfi_adapter adapter (
        .clock         (clock),
        .reset         (reset),
        .rvfi_valid    (rvfi_valid),
        .rvfi_insn     (rvfi_insn),
        .rvfi_trap     (rvfi_trap),
        .rvfi_intr     (rvfi_intr),
        .rvfi_pc_rdata (rvfi_pc_rdata),
        .rvfi_pc_wdata (rvfi_pc_wdata),
        .stall         (stall),
        .lost          (lost),
        .flush         (adapter_flush),
        .drained       (drained),
        .retire_valid  (retire_valid),
        .retire_count  (retire_count),
        .retire_pc     (retire_pc),
        .retire_length (retire_length),
        .retire_kind   (retire_kind),
        .retire_call   (retire_call),
        .retire_return (retire_return),
        .retire_taken  (retire_taken),
        .retire_target (retire_target),
        .retire_stall  (retire_stall)
    );

    ntrace_pair_a_adapter_switch adapter_switch (
        .clock          (clock),
        .reset          (reset),
        .enable         (enable),
        .discard        (discard),
        .flush          (flush),
        .all_drained    (drained),
        .trace_valid    (trace_valid),
        .trace_ready    (trace_ready),
        .flushed        (flushed),
        .adapter_flush  (adapter_flush),
        .module_enable  (module_enable),
        .module_discard (module_discard),
        .module_flush   (module_flush)
    );

    ntrace_pair_a trace_module (
        .clock          (clock),
        .reset          (reset),
        .retire_valid   (retire_valid),
        .retire_count   (retire_count),
        .retire_pc      (retire_pc),
        .retire_length  (retire_length),
        .retire_kind    (retire_kind),
        .retire_call    (retire_call),
        .retire_return  (retire_return),
        .retire_taken   (retire_taken),
        .retire_target  (retire_target),
        .stall          (retire_stall),
        .drops          (drops),
        .enable         (module_enable),
        .discard        (module_discard),
        .flush          (module_flush),
        .flushed        (flushed),
        .sync_request   (sync_request),
        .synchronised   (synchronised),
        .trace_data     (trace_data),
        .trace_valid    (trace_valid),
        .trace_ready    (trace_ready),
        .buffered_words (buffered_words)
    );

endmodule

// Control registers for ntrace_pair-a of Tracewright, made by `tracewright generate`.
// Makes an access of registers of the second and later cycles of a transfer on an APB
module ntrace_pair_a_apb (
    input  wire        psel, // an access to this slave
    input  wire        penable, // the second and later cycles of it
    input  wire        pwrite, // it writes
    input  wire [13:0] paddr, // address in words of 32 bits
    input  wire [31:0] pwdata, // what is written
    input  wire [3:0]  pstrb, // the bytes of it that are written
    output wire        pready, // the access ends
    output wire [31:0] prdata, // what is read
    output wire        pslverr, // there is no such register
    output wire        access_valid, // there is an access; without ready it goes on in the next cycle
    output wire        access_write,
    output wire [13:0] access_address, // address in words of 32 bits
    output wire [31:0] access_written,
    output wire [3:0]  access_strobes, // the bytes that are written
    input  wire        access_ready,
    input  wire [31:0] access_read,
    input  wire        access_outside // no page of registers is there
);

    assign access_valid = psel & penable;
    assign access_write = pwrite;
    assign access_address = paddr;
    assign access_written = pwdata;
    assign access_strobes = pstrb;
    assign pready = access_ready;
    assign prdata = access_read;
    assign pslverr = access_valid & access_ready & access_outside;

endmodule

// Control registers for ntrace_pair-a of Tracewright, made by `tracewright generate`.
// Holds the registers of the Trace Control Interface: an access in each cycle on one side, the fields on the other
module ntrace_pair_a_register_file (
    input  wire        clock,
    input  wire        reset,
    input  wire        access_valid, // there is an access; without ready it goes on in the next cycle
    input  wire        access_write,
    input  wire [13:0] access_address, // address in words of 32 bits
    input  wire [31:0] access_written,
    input  wire [3:0]  access_strobes, // the bytes that are written
    output wire        access_ready,
    output reg  [31:0] access_read,
    output wire        access_outside, // no page of registers is there
    output wire        trTeActive,
    output wire        trTeEnable,
    output wire        trTeInstTracing,
    output wire [2:0]  trTeInstMode,
    output wire [1:0]  trTeInstSyncMode,
    output wire [3:0]  trTeInstSyncMax,
    input  wire        trTeInstStallOrOverflow_set,
    input  wire        trTeEmpty_value,
    input  wire        twTakesBlocks_value
);

    reg         trTeActive_kept;
    reg         trTeEnable_kept;
    reg         trTeInstTracing_kept;
    reg  [2:0]  trTeInstMode_kept;
    reg  [1:0]  trTeInstSyncMode_kept;
    reg  [3:0]  trTeInstSyncMax_kept;
    reg         trTeInstStallOrOverflow_kept;
    wire [31:0] mask;
    wire [31:0] unwritten; // the bits that are not written
    wire [31:0] ones; // the bits that are written as 1
    wire        writes;
    wire        writes_trTeControl;
    wire        trTeActive_merged;
    wire        trTeEnable_merged;
    wire        trTeInstTracing_merged;
    wire [2:0]  trTeInstMode_merged;
    wire [1:0]  trTeInstSyncMode_merged;
    wire [3:0]  trTeInstSyncMax_merged;
    wire [2:0]  trTeInstMode_legal;
    wire [1:0]  trTeInstSyncMode_legal;
    wire [31:0] trTeControl_word;
    wire [31:0] twStatus_word;

    assign access_outside = access_address >= 14'd1024;
    assign access_ready = 1'b1;
    assign writes = access_valid & access_write;
    assign writes_trTeControl = (access_address == 14'd0) & writes;

    assign mask = {
        (access_strobes[3] ? 8'd255 : 8'd0),
        (access_strobes[2] ? 8'd255 : 8'd0),
        (access_strobes[1] ? 8'd255 : 8'd0),
        (access_strobes[0] ? 8'd255 : 8'd0)
    };

    assign unwritten = ~mask;
    assign ones = access_written & mask;
    assign trTeActive_merged = (trTeActive_kept & unwritten[0]) | ones[0];
    assign trTeActive = trTeActive_kept;
    assign trTeEnable_merged = (trTeEnable_kept & unwritten[1]) | ones[1];
    assign trTeEnable = trTeEnable_kept;
    assign trTeInstTracing_merged = (trTeInstTracing_kept & unwritten[2]) | ones[2];
    assign trTeInstTracing = trTeInstTracing_kept;
    assign trTeInstMode_merged = (trTeInstMode_kept & unwritten[6:4]) | ones[6:4];
    assign trTeInstMode_legal = (|trTeInstMode_merged) ? 3'd6 : 3'd0;
    assign trTeInstMode = trTeInstMode_kept;
    assign trTeInstSyncMode_merged = (trTeInstSyncMode_kept & unwritten[17:16]) | ones[17:16];
    assign trTeInstSyncMode_legal = trTeInstSyncMode_merged & 2'd2;
    assign trTeInstSyncMode = trTeInstSyncMode_kept;
    assign trTeInstSyncMax_merged = (trTeInstSyncMax_kept & unwritten[23:20]) | ones[23:20];
    assign trTeInstSyncMax = trTeInstSyncMax_kept;

    always @* begin
        case (access_address)
            14'd0: access_read = trTeControl_word;
            14'd1: access_read = 32'h10101;
            14'd2: access_read = 32'h60000000;
            14'd896: access_read = twStatus_word;
            14'd959: access_read = 32'h2ba6f917;
            default: access_read = 32'd0;
        endcase
    end

    assign trTeControl_word = {
        8'd1,
        trTeInstSyncMax_kept,
        2'd0,
        trTeInstSyncMode_kept,
        3'd1,
        trTeInstStallOrOverflow_kept,
        5'd0,
        trTeInstMode_kept,
        trTeEmpty_value,
        trTeInstTracing_kept,
        trTeEnable_kept,
        trTeActive_kept
    };

    assign twStatus_word = {31'd0, twTakesBlocks_value};

    always @(posedge clock) begin
        if (reset) begin
            trTeActive_kept <= 1'b0;
            trTeEnable_kept <= 1'b0;
            trTeInstTracing_kept <= 1'b0;
            trTeInstMode_kept <= 3'd6;
            trTeInstSyncMode_kept <= 2'd0;
            trTeInstSyncMax_kept <= 4'd0;
            trTeInstStallOrOverflow_kept <= 1'b0;
        end else begin
            if (writes_trTeControl) begin
                trTeActive_kept <= trTeActive_merged;
                trTeEnable_kept <= trTeEnable_merged;
                trTeInstTracing_kept <= trTeInstTracing_merged;
                trTeInstMode_kept <= trTeInstMode_legal;
                trTeInstSyncMode_kept <= trTeInstSyncMode_legal;
                trTeInstSyncMax_kept <= trTeInstSyncMax_merged;
                trTeInstStallOrOverflow_kept <= trTeInstStallOrOverflow_kept & !ones[12];
            end
            if (writes_trTeControl && trTeEnable_merged && !trTeEnable_kept) begin
                trTeInstStallOrOverflow_kept <= 1'b0;
            end
            if (trTeInstStallOrOverflow_set) begin
                trTeInstStallOrOverflow_kept <= 1'b1;
            end
            if (!trTeActive_kept) begin
                trTeEnable_kept <= 1'b0;
                trTeInstTracing_kept <= 1'b0;
                trTeInstMode_kept <= 3'd6;
                trTeInstSyncMode_kept <= 2'd0;
                trTeInstSyncMax_kept <= 4'd0;
                trTeInstStallOrOverflow_kept <= 1'b0;
            end
        end
    end

    wire _unused_ok = &{
        1'b0,
        unwritten[3],
        unwritten[15:7],
        unwritten[19:18],
        unwritten[31:24],
        ones[3],
        ones[11:7],
        ones[15:13],
        ones[19:18],
        ones[31:24]
    };

endmodule

// Control registers for ntrace_pair-a of Tracewright, made by `tracewright generate`.
// Registers of the RISC-V Trace Control Interface as an APB4 slave. docs/control.md describes them; an access
// outside of their pages ends in an error, reads 0 and writes nothing. Registers are words, and are not protected.
module ntrace_pair_a_registers (
    input  wire        clock,
    input  wire        reset,
    input  wire        psel,
    input  wire        penable,
    input  wire        pwrite,
    input  wire [15:0] paddr,
    input  wire [31:0] pwdata,
    input  wire [3:0]  pstrb,
    input  wire [2:0]  pprot,
    output wire        pready,
    output wire [31:0] prdata,
    output wire        pslverr,
    output wire        trTeActive,
    output wire        trTeEnable,
    output wire        trTeInstTracing,
    input  wire        trTeEmpty_value,
    output wire [2:0]  trTeInstMode,
    input  wire        trTeInstStallOrOverflow_set,
    output wire [1:0]  trTeInstSyncMode,
    output wire [3:0]  trTeInstSyncMax,
    input  wire        twTakesBlocks_value
);

    wire        access_valid;
    wire        access_write;
    wire [13:0] access_address;
    wire [31:0] access_written;
    wire [3:0]  access_strobes;
    wire        access_ready;
    wire [31:0] access_read;
    wire        access_outside;

    ntrace_pair_a_apb front_end (
        .psel           (psel),
        .penable        (penable),
        .pwrite         (pwrite),
        .paddr          (paddr[15:2]),
        .pwdata         (pwdata),
        .pstrb          (pstrb),
        .pready         (pready),
        .prdata         (prdata),
        .pslverr        (pslverr),
        .access_valid   (access_valid),
        .access_write   (access_write),
        .access_address (access_address),
        .access_written (access_written),
        .access_strobes (access_strobes),
        .access_ready   (access_ready),
        .access_read    (access_read),
        .access_outside (access_outside)
    );

    ntrace_pair_a_register_file register_file (
        .clock                       (clock),
        .reset                       (reset),
        .access_valid                (access_valid),
        .access_write                (access_write),
        .access_address              (access_address),
        .access_written              (access_written),
        .access_strobes              (access_strobes),
        .access_ready                (access_ready),
        .access_read                 (access_read),
        .access_outside              (access_outside),
        .trTeActive                  (trTeActive),
        .trTeEnable                  (trTeEnable),
        .trTeInstTracing             (trTeInstTracing),
        .trTeInstMode                (trTeInstMode),
        .trTeInstSyncMode            (trTeInstSyncMode),
        .trTeInstSyncMax             (trTeInstSyncMax),
        .trTeInstStallOrOverflow_set (trTeInstStallOrOverflow_set),
        .trTeEmpty_value             (trTeEmpty_value),
        .twTakesBlocks_value         (twTakesBlocks_value)
    );

    wire _unused_ok = &{1'b0, paddr[1:0], pprot};

endmodule

// Control registers for ntrace_pair-a of Tracewright, made by `tracewright generate`.
// Switches a trace module as the registers say, and tells them what it does
module ntrace_pair_a_trace_switch (
    input  wire       clock,
    input  wire       reset,
    input  wire       active, // trTeActive
    input  wire       enable, // trTeEnable
    input  wire       tracing, // trTeInstTracing
    input  wire [2:0] mode, // trTeInstMode
    input  wire       sink_enable, // trRamEnable, or trAtbBridgeEnable
    input  wire [1:0] sync_mode, // trTeInstSyncMode
    input  wire [3:0] sync_max, // trTeInstSyncMax
    input  wire       flushed, // all of the trace has left the module
    input  wire [1:0] answers, // a bit for each pin that says that the module has no room
    input  wire       synchronised, // a packet begins after a synchronisation or a loss
    output wire       module_enable,
    output wire       module_discard,
    output wire       sync_is_due, // a packet is due
    output wire       is_empty, // trTeEmpty
    output wire       takes_blocks, // twTakesBlocks
    output wire       lacks_room // trTeInstStallOrOverflow is set
);

    reg         has_begun; // a trace has begun, and not all of it has left the module
    reg         is_in_trace; // the module took blocks, or could have, since tracing was switched on
    reg  [19:0] cycles; // cycles since a packet began, as long as they are counted
    wire        is_lost;

    assign module_enable = active & enable & tracing & (|mode) & sink_enable;
    assign module_discard = !active & has_begun & !flushed;
    assign is_empty = !module_enable & !has_begun;
    assign takes_blocks = is_in_trace;
    assign is_lost = is_in_trace & (|answers) & module_enable;
    assign lacks_room = is_lost;
    assign sync_is_due = |((cycles >> ({1'b0, sync_max} + 5'd4)) & 20'd1);

    always @(posedge clock) begin
        if (reset) begin
            has_begun <= 1'b0;
            is_in_trace <= 1'b0;
            cycles <= 20'd0;
        end else begin
            if (module_enable) begin
                has_begun <= 1'b1;
            end else if (flushed) begin
                has_begun <= 1'b0;
            end
            is_in_trace <= module_enable & (is_in_trace | !(|answers));
            if (!module_enable | synchronised | !(|sync_mode)) begin
                cycles <= 20'd0;
            end else if (!sync_is_due) begin
                cycles <= cycles + 20'd1;
            end
        end
    end

endmodule

// Control registers for ntrace_pair-a of Tracewright, made by `tracewright generate`.
// ntrace_pair-a with the registers of the RISC-V Trace Control Interface, which drive its pins (docs/control.md).
module ntrace_pair_a_rvfi_control (
    input  wire        clock,
    input  wire        reset,
    input  wire        psel,
    input  wire        penable,
    input  wire        pwrite,
    input  wire [15:0] paddr,
    input  wire [31:0] pwdata,
    input  wire [3:0]  pstrb,
    input  wire [2:0]  pprot,
    output wire        pready,
    output wire [31:0] prdata,
    output wire        pslverr,
    input  wire        rvfi_valid,
    input  wire [31:0] rvfi_insn,
    input  wire        rvfi_trap,
    input  wire        rvfi_intr,
    input  wire [31:0] rvfi_pc_rdata,
    input  wire [31:0] rvfi_pc_wdata,
    output wire        stall,
    output wire        lost,
    output wire        drops,
    input  wire        sync_request,
    output wire        synchronised,
    output wire [7:0]  trace_data,
    output wire        trace_valid,
    input  wire        trace_ready,
    output wire [3:0]  buffered_words,
    input  wire        sink_enable,
    output wire        source_discards,
    output wire        source_is_empty
);

    wire       trTeActive;
    wire       trTeEnable;
    wire       trTeInstTracing;
    wire       trTeEmpty_value;
    wire [2:0] trTeInstMode;
    wire       trTeInstStallOrOverflow_set;
    wire [1:0] trTeInstSyncMode;
    wire [3:0] trTeInstSyncMax;
    wire       twTakesBlocks_value;
    wire       discard;
    wire       flushed;
    wire       enable;
    wire       sync_is_due;

    ntrace_pair_a_registers registers (
        .clock                       (clock),
        .reset                       (reset),
        .psel                        (psel),
        .penable                     (penable),
        .pwrite                      (pwrite),
        .paddr                       (paddr),
        .pwdata                      (pwdata),
        .pstrb                       (pstrb),
        .pprot                       (pprot),
        .pready                      (pready),
        .prdata                      (prdata),
        .pslverr                     (pslverr),
        .trTeActive                  (trTeActive),
        .trTeEnable                  (trTeEnable),
        .trTeInstTracing             (trTeInstTracing),
        .trTeEmpty_value             (trTeEmpty_value),
        .trTeInstMode                (trTeInstMode),
        .trTeInstStallOrOverflow_set (trTeInstStallOrOverflow_set),
        .trTeInstSyncMode            (trTeInstSyncMode),
        .trTeInstSyncMax             (trTeInstSyncMax),
        .twTakesBlocks_value         (twTakesBlocks_value)
    );

    ntrace_pair_a_trace_switch trace_switch (
        .clock          (clock),
        .reset          (reset),
        .active         (trTeActive),
        .enable         (trTeEnable),
        .tracing        (trTeInstTracing),
        .mode           (trTeInstMode),
        .sink_enable    (sink_enable),
        .sync_mode      (trTeInstSyncMode),
        .sync_max       (trTeInstSyncMax),
        .flushed        (flushed),
        .answers        ({drops, stall}),
        .synchronised   (synchronised),
        .module_enable  (enable),
        .module_discard (discard),
        .sync_is_due    (sync_is_due),
        .is_empty       (trTeEmpty_value),
        .takes_blocks   (twTakesBlocks_value),
        .lacks_room     (trTeInstStallOrOverflow_set)
    );

    ntrace_pair_a_rvfi trace_module (
        .clock          (clock),
        .reset          (reset),
        .rvfi_valid     (rvfi_valid),
        .rvfi_insn      (rvfi_insn),
        .rvfi_trap      (rvfi_trap),
        .rvfi_intr      (rvfi_intr),
        .rvfi_pc_rdata  (rvfi_pc_rdata),
        .rvfi_pc_wdata  (rvfi_pc_wdata),
        .stall          (stall),
        .lost           (lost),
        .drops          (drops),
        .enable         (enable),
        .discard        (discard),
        .flush          (1'b0),
        .flushed        (flushed),
        .sync_request   (sync_request | sync_is_due),
        .synchronised   (synchronised),
        .trace_data     (trace_data),
        .trace_valid    (trace_valid),
        .trace_ready    (trace_ready),
        .buffered_words (buffered_words)
    );

    assign source_discards = discard;
    assign source_is_empty = flushed;

endmodule

// ntrace_pair-b of Tracewright, made by `tracewright generate`.
// Clears the tables after reset, and takes the module through a flush
module ntrace_pair_b_sequencer (
    input  wire clock,
    input  wire reset,
    input  wire flush, // level: the trace ends here
    input  wire ready, // the compressor takes a block or a flush in this cycle
    input  wire is_empty, // no record and no bit is left in the module
    output wire tracing, // blocks are taken while the compressor is ready
    output wire record_flush, // the compressor makes its flush record when it is ready
    output wire flushed, // every bit of the trace has left the module
    input  wire discard, // a flush ends without what is in the module, as soon as the tables are clear
    output wire discards, // what is in the module is discarded in this cycle
    output wire is_on, // no flush has begun
    output wire clear_valid // the tables are being cleared
);

    localparam [1:0] STATE_TRACING = 2'd0; // the state after reset
    localparam [1:0] STATE_RECORDING = 2'd1;
    localparam [1:0] STATE_DRAINING = 2'd2;
    localparam [1:0] STATE_FLUSHED = 2'd3;

    reg        clearing;
    reg  [1:0] state;
    reg        discarding; // a discard that came before the flush could begin

    assign clear_valid = clearing;
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
            clearing <= 1'b0;
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

// ntrace_pair-b of Tracewright, made by `tracewright generate`.
// Hands the block of this cycle to the compressor if it is taken
module ntrace_pair_b_retire_decoder (
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

// ntrace_pair-b of Tracewright, made by `tracewright generate`.
// Counts the code, collects the outcomes of branches, and sends both with the addresses that the program does not tell
module ntrace_pair_b_record_former (
    input  wire         clock,
    input  wire         reset,
    input  wire         restart_registers,
    input  wire         retire_valid, // a block is taken
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
    input  wire         flush, // make a flush record
    input  wire         record_ready, // a record is taken
    input  wire         sync_request, // a synchronisation is due
    output wire         synchronised, // a synchronisation is made
    output wire         is_busy, // the second record of a block is made
    output wire         record_valid,
    output wire [114:0] record
);

    reg         is_known; // the trace has begun
    reg         has_run; // instructions have retired since the last block that may change the flow
    reg  [30:0] program_counter; // of the last of these
    reg  [2:0]  last_units; // how long it is
    reg  [30:0] from; // where the code begins that is not counted
    reg  [19:0] code_count; // the code since the last message
    reg  [31:0] outcomes; // outcomes after a first 1, the newest lowest
    reg  [30:0] last_address; // the last address in a message
    reg         has_second;
    reg         second_excepts;
    reg         is_requested;
    wire [30:0] pc_units;
    wire [30:0] target_units;
    wire        may_change; // the block may change the flow
    wire        ran; // instructions have retired before it
    wire        starts;
    wire        resumes;
    wire [2:0]  units; // length of the last instruction
    wire        counts; // code is counted
    wire [30:0] at; // the last instruction
    wire [30:0] after;
    wire [30:0] run;
    wire [2:0]  added;
    wire [31:0] sum;
    wire [11:0] upper;
    wire        overflows;
    wire        excepts;
    wire        jumps; // an indirect branch or an exception
    wire        holds;
    wire        sends_indirect;
    wire [31:0] collected;
    wire        fills;
    wire [30:0] address;
    wire        is_exception;
    wire        requested; // the block's message has a synchronisation

    assign pc_units = retire_pc[31:1];
    assign target_units = retire_target[31:1];
    assign may_change = retire_valid & (retire_direct | retire_indirect | retire_exception);
    assign ran = has_run | (|retire_count);
    assign starts = may_change & !is_known & !ran;
    assign resumes = ((may_change & ran) | (flush & has_run)) & !is_known;
    assign units = flush ? last_units : retire_length[3:1];
    assign counts = (may_change & ran) | (flush & has_run);
    assign at = flush ? program_counter : pc_units;
    assign after = pc_units + {28'd0, units};
    assign run = (counts && is_known) ? at - from : 31'd0;
    assign added = counts ? units : 3'd0;
    assign sum = {12'd0, code_count} + {1'b0, run} + {29'd0, added};
    assign upper = sum[31:20];
    assign overflows = |upper;
    assign excepts = may_change & retire_exception & !starts;
    assign jumps = (may_change & retire_indirect & retire_taken) | excepts | requested;
    assign requested = is_requested & is_known & may_change & (retire_taken | retire_exception);
    assign holds = resumes & jumps;
    assign sends_indirect = (jumps & !resumes) | has_second;
    assign fills = collected[31] & !jumps;

    assign collected =
        (may_change & retire_conditional) ? {outcomes[30:0], retire_taken} :
        outcomes;

    assign address =
        resumes ? at :
        has_second ? from :
        target_units;

    assign is_busy = has_second;
    assign record_valid = flush | overflows | starts | resumes | sends_indirect | fills;
    assign is_exception = excepts | (has_second & second_excepts);

    assign record = {
        collected,
        4'd1,
        (requested ? address : (sends_indirect ? (address ^ last_address) : address)),
        sum[19:0],
        1'b0,
        is_exception,
        4'd2,
        upper,
        requested,
        sends_indirect & !requested,
        sends_indirect | flush,
        fills,
        sends_indirect,
        starts | resumes,
        resumes,
        starts,
        overflows,
        flush
    };

    assign synchronised = record_ready & (starts | resumes | requested);

    always @(posedge clock) begin
        if (reset || restart_registers) begin
            is_known <= 1'b0;
            has_run <= 1'b0;
            program_counter <= 31'd0;
            last_units <= 3'd0;
            from <= 31'd0;
            code_count <= 20'd0;
            outcomes <= 32'd1;
            last_address <= 31'd0;
            has_second <= 1'b0;
            second_excepts <= 1'b0;
            is_requested <= 1'b0;
        end else begin
            if (record_ready) begin
                has_second <= 1'b0;
            end
            if (holds) begin
                has_second <= 1'b1;
                second_excepts <= excepts;
            end
            if (may_change) begin
                has_run <= 1'b0;
                is_known <= 1'b1;
                code_count <= sum[19:0];
                from <= after;
                if (retire_taken | retire_exception) begin
                    from <= target_units;
                end
                outcomes <= collected;
            end else if (retire_valid) begin
                has_run <= 1'b1;
                program_counter <= pc_units;
                last_units <= retire_length[3:1];
            end
            if (record_ready & (starts | resumes | sends_indirect)) begin
                last_address <= address;
            end
            if ((record_ready & sends_indirect) | flush) begin
                code_count <= 20'd0;
            end
            if ((record_ready & sends_indirect) | fills | flush) begin
                outcomes <= 32'd1;
            end
            if (flush) begin
                is_known <= 1'b0;
                has_run <= 1'b0;
            end
            if (starts | resumes | requested) begin
                is_requested <= 1'b0;
            end
            if (sync_request) begin
                is_requested <= 1'b1;
            end
        end
    end

    wire _unused_ok = &{
        1'b0,
        retire_pc[0],
        retire_length[0],
        retire_call,
        retire_return,
        retire_target[0]
    };

endmodule

// ntrace_pair-b of Tracewright, made by `tracewright generate`.
// A record leaves in the cycle of its block; the block with which the trace begins may make two, and the second leaves in the next cycle
module ntrace_pair_b_encoder (
    input  wire         clock,
    input  wire         reset,
    input  wire         clear_valid, // the tables are being cleared
    input  wire         restart_registers, // every register takes the value that it has after a reset
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
    input  wire         flush, // make a flush record; only when ready
    input  wire         sync_request, // a synchronisation is due
    output wire         synchronised, // a synchronisation is made
    output wire         ready, // a block or a flush is taken
    output wire         is_empty, // no record waits inside
    output wire         record_valid,
    output wire [114:0] record,
    input  wire         record_ready
);

    wire record_former_is_busy;

    ntrace_pair_b_record_former record_former (
        .clock              (clock),
        .reset              (reset),
        .restart_registers  (restart_registers),
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
        .record_ready       (record_ready),
        .sync_request       (sync_request),
        .synchronised       (synchronised),
        .is_busy            (record_former_is_busy),
        .record_valid       (record_valid),
        .record             (record)
    );

    assign ready = record_ready & !record_former_is_busy;
    assign is_empty = !record_former_is_busy;

    wire _unused_ok = &{1'b0, clear_valid};

endmodule

// ntrace_pair-b of Tracewright, made by `tracewright generate`.
// Words in their order, the oldest shown at once: depth words of width bits
module ntrace_pair_b_fifo_depth2_width115 (
    input  wire         clock,
    input  wire         reset,
    input  wire         restart_registers,
    input  wire         in_valid,
    input  wire [114:0] in_word,
    output wire         in_ready,
    output wire         out_valid,
    output wire [114:0] out_word,
    input  wire         out_ready
);

    wire [114:0] words_read_data;
    reg          write_pointer;
    reg          read_pointer;
    reg          is_filled; // more words came than went since the pointers were equal last
    wire         is_full;
    wire         puts;
    wire         takes;
    reg  [114:0] words_cells [0:1];

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

// ntrace_pair-b of Tracewright, made by `tracewright generate`.
// One chunk of a number with its continuation bit, and whether more follow
module ntrace_pair_b_chunk_selector_width12_end3 (
    input  wire [11:0] value, // the number
    input  wire        index, // number of the chunk, 0 for the first
    output wire [7:0]  piece, // chunk and continuation bit
    output wire [3:0]  piece_bits, // bits of the piece
    output wire        more // the continuation bit
);

    wire [5:0] chunk_0;
    wire [5:0] chunk_1;

    assign more = !index & (|value[11:6]);

    assign piece =
        index ? {chunk_1, 2'd3} :
        index ? 8'd0 :
        (|value[11:6]) ? {chunk_0, 2'd0} :
        {chunk_0, 2'd3};

    assign piece_bits = {!index | index, 3'd0};
    assign chunk_0 = value[5:0];
    assign chunk_1 = value[11:6];

endmodule

// ntrace_pair-b of Tracewright, made by `tracewright generate`.
// One chunk of a number with its continuation bit, and whether more follow
module ntrace_pair_b_chunk_selector_width31_end3 (
    input  wire [30:0] value, // the number
    input  wire [2:0]  index, // number of the chunk, 0 for the first
    output reg  [7:0]  piece, // chunk and continuation bit
    output reg  [3:0]  piece_bits, // bits of the piece
    output reg         more // the continuation bit
);

    wire [5:0] chunk_0;
    wire [5:0] chunk_1;
    wire [5:0] chunk_2;
    wire [5:0] chunk_3;
    wire [5:0] chunk_4;
    wire [5:0] chunk_5;

    always @* begin
        case (index)
            3'd0: more = |value[30:6];
            3'd1: more = |value[30:12];
            3'd2: more = |value[30:18];
            3'd3: more = |value[30:24];
            3'd4: more = value[30];
            default: more = 1'b0;
        endcase
    end

    always @* begin
        case (index)
            3'd0: begin
                piece = {2'd0, chunk_0};
                piece = {chunk_0, 2'd0};
                if (!(|value[30:6])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd1: begin
                piece = {2'd0, chunk_1};
                piece = {chunk_1, 2'd0};
                if (!(|value[30:12])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd2: begin
                piece = {2'd0, chunk_2};
                piece = {chunk_2, 2'd0};
                if (!(|value[30:18])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd3: begin
                piece = {2'd0, chunk_3};
                piece = {chunk_3, 2'd0};
                if (!(|value[30:24])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd4: begin
                piece = {2'd0, chunk_4};
                piece = {chunk_4, 2'd0};
                if (!value[30]) begin
                    piece = piece | 8'd3;
                end
            end
            3'd5: piece = {chunk_5, 2'd3};
            default: piece = 8'd0;
        endcase
    end

    always @* begin
        case (index)
            3'd0, 3'd1, 3'd2, 3'd3, 3'd4, 3'd5: piece_bits = 4'd8;
            default: piece_bits = 4'd0;
        endcase
    end

    assign chunk_0 = value[5:0];
    assign chunk_1 = value[11:6];
    assign chunk_2 = value[17:12];
    assign chunk_3 = value[23:18];
    assign chunk_4 = value[29:24];
    assign chunk_5 = {5'd0, value[30]};

endmodule

// ntrace_pair-b of Tracewright, made by `tracewright generate`.
// One chunk of a number with its continuation bit, and whether more follow
module ntrace_pair_b_chunk_selector_width22_end1 (
    input  wire [21:0] value, // the number
    input  wire [1:0]  index, // number of the chunk, 0 for the first
    output reg  [7:0]  piece, // chunk and continuation bit
    output wire [3:0]  piece_bits, // bits of the piece
    output reg         more // the continuation bit
);

    wire [5:0] chunk_0;
    wire [5:0] chunk_1;
    wire [5:0] chunk_2;
    wire [5:0] chunk_3;

    always @* begin
        case (index)
            2'd0: more = |value[21:6];
            2'd1: more = |value[21:12];
            2'd2: more = |value[21:18];
            default: more = 1'b0;
        endcase
    end

    always @* begin
        case (index)
            2'd0: piece = {chunk_0, 1'b0, !(|value[21:6])};
            2'd1: piece = {chunk_1, 1'b0, !(|value[21:12])};
            2'd2: piece = {chunk_2, 1'b0, !(|value[21:18])};
            2'd3: piece = {chunk_3, 2'd1};
        endcase
    end

    assign piece_bits = 4'd8;
    assign chunk_0 = value[5:0];
    assign chunk_1 = value[11:6];
    assign chunk_2 = value[17:12];
    assign chunk_3 = {2'd0, value[21:18]};

endmodule

// ntrace_pair-b of Tracewright, made by `tracewright generate`.
// One chunk of a number with its continuation bit, and whether more follow
module ntrace_pair_b_chunk_selector_width26_end1 (
    input  wire [25:0] value, // the number
    input  wire [2:0]  index, // number of the chunk, 0 for the first
    output reg  [7:0]  piece, // chunk and continuation bit
    output reg  [3:0]  piece_bits, // bits of the piece
    output reg         more // the continuation bit
);

    wire [5:0] chunk_0;
    wire [5:0] chunk_1;
    wire [5:0] chunk_2;
    wire [5:0] chunk_3;
    wire [5:0] chunk_4;

    always @* begin
        case (index)
            3'd0: more = |value[25:6];
            3'd1: more = |value[25:12];
            3'd2: more = |value[25:18];
            3'd3: more = |value[25:24];
            default: more = 1'b0;
        endcase
    end

    always @* begin
        case (index)
            3'd0: piece = {chunk_0, 1'b0, !(|value[25:6])};
            3'd1: piece = {chunk_1, 1'b0, !(|value[25:12])};
            3'd2: piece = {chunk_2, 1'b0, !(|value[25:18])};
            3'd3: piece = {chunk_3, 1'b0, !(|value[25:24])};
            3'd4: piece = {chunk_4, 2'd1};
            default: piece = 8'd0;
        endcase
    end

    always @* begin
        case (index)
            3'd0, 3'd1, 3'd2, 3'd3, 3'd4: piece_bits = 4'd8;
            default: piece_bits = 4'd0;
        endcase
    end

    assign chunk_0 = value[5:0];
    assign chunk_1 = value[11:6];
    assign chunk_2 = value[17:12];
    assign chunk_3 = value[23:18];
    assign chunk_4 = {4'd0, value[25:24]};

endmodule

// ntrace_pair-b of Tracewright, made by `tracewright generate`.
// One chunk of a number with its continuation bit, and whether more follow
module ntrace_pair_b_chunk_selector_width36_end3 (
    input  wire [35:0] value, // the number
    input  wire [2:0]  index, // number of the chunk, 0 for the first
    output reg  [7:0]  piece, // chunk and continuation bit
    output reg  [3:0]  piece_bits, // bits of the piece
    output reg         more // the continuation bit
);

    wire [5:0] chunk_0;
    wire [5:0] chunk_1;
    wire [5:0] chunk_2;
    wire [5:0] chunk_3;
    wire [5:0] chunk_4;
    wire [5:0] chunk_5;

    always @* begin
        case (index)
            3'd0: more = |value[35:6];
            3'd1: more = |value[35:12];
            3'd2: more = |value[35:18];
            3'd3: more = |value[35:24];
            3'd4: more = |value[35:30];
            default: more = 1'b0;
        endcase
    end

    always @* begin
        case (index)
            3'd0: begin
                piece = {2'd0, chunk_0};
                piece = {chunk_0, 2'd0};
                if (!(|value[35:6])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd1: begin
                piece = {2'd0, chunk_1};
                piece = {chunk_1, 2'd0};
                if (!(|value[35:12])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd2: begin
                piece = {2'd0, chunk_2};
                piece = {chunk_2, 2'd0};
                if (!(|value[35:18])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd3: begin
                piece = {2'd0, chunk_3};
                piece = {chunk_3, 2'd0};
                if (!(|value[35:24])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd4: begin
                piece = {2'd0, chunk_4};
                piece = {chunk_4, 2'd0};
                if (!(|value[35:30])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd5: piece = {chunk_5, 2'd3};
            default: piece = 8'd0;
        endcase
    end

    always @* begin
        case (index)
            3'd0, 3'd1, 3'd2, 3'd3, 3'd4, 3'd5: piece_bits = 4'd8;
            default: piece_bits = 4'd0;
        endcase
    end

    assign chunk_0 = value[5:0];
    assign chunk_1 = value[11:6];
    assign chunk_2 = value[17:12];
    assign chunk_3 = value[23:18];
    assign chunk_4 = value[29:24];
    assign chunk_5 = value[35:30];

endmodule

// ntrace_pair-b of Tracewright, made by `tracewright generate`.
// One chunk of a number with its continuation bit, and whether more follow
module ntrace_pair_b_chunk_selector_width31_end1 (
    input  wire [30:0] value, // the number
    input  wire [2:0]  index, // number of the chunk, 0 for the first
    output reg  [7:0]  piece, // chunk and continuation bit
    output reg  [3:0]  piece_bits, // bits of the piece
    output reg         more // the continuation bit
);

    wire [5:0] chunk_0;
    wire [5:0] chunk_1;
    wire [5:0] chunk_2;
    wire [5:0] chunk_3;
    wire [5:0] chunk_4;
    wire [5:0] chunk_5;

    always @* begin
        case (index)
            3'd0: more = |value[30:6];
            3'd1: more = |value[30:12];
            3'd2: more = |value[30:18];
            3'd3: more = |value[30:24];
            3'd4: more = value[30];
            default: more = 1'b0;
        endcase
    end

    always @* begin
        case (index)
            3'd0: piece = {chunk_0, 1'b0, !(|value[30:6])};
            3'd1: piece = {chunk_1, 1'b0, !(|value[30:12])};
            3'd2: piece = {chunk_2, 1'b0, !(|value[30:18])};
            3'd3: piece = {chunk_3, 1'b0, !(|value[30:24])};
            3'd4: piece = {chunk_4, 1'b0, !value[30]};
            3'd5: piece = {chunk_5, 2'd1};
            default: piece = 8'd0;
        endcase
    end

    always @* begin
        case (index)
            3'd0, 3'd1, 3'd2, 3'd3, 3'd4, 3'd5: piece_bits = 4'd8;
            default: piece_bits = 4'd0;
        endcase
    end

    assign chunk_0 = value[5:0];
    assign chunk_1 = value[11:6];
    assign chunk_2 = value[17:12];
    assign chunk_3 = value[23:18];
    assign chunk_4 = value[29:24];
    assign chunk_5 = {5'd0, value[30]};

endmodule

// ntrace_pair-b of Tracewright, made by `tracewright generate`.
// One chunk of a number with its continuation bit, and whether more follow
module ntrace_pair_b_chunk_selector_width20_end1 (
    input  wire [19:0] value, // the number
    input  wire [1:0]  index, // number of the chunk, 0 for the first
    output reg  [7:0]  piece, // chunk and continuation bit
    output wire [3:0]  piece_bits, // bits of the piece
    output reg         more // the continuation bit
);

    wire [5:0] chunk_0;
    wire [5:0] chunk_1;
    wire [5:0] chunk_2;
    wire [5:0] chunk_3;

    always @* begin
        case (index)
            2'd0: more = |value[19:6];
            2'd1: more = |value[19:12];
            2'd2: more = |value[19:18];
            default: more = 1'b0;
        endcase
    end

    always @* begin
        case (index)
            2'd0: piece = {chunk_0, 1'b0, !(|value[19:6])};
            2'd1: piece = {chunk_1, 1'b0, !(|value[19:12])};
            2'd2: piece = {chunk_2, 1'b0, !(|value[19:18])};
            2'd3: piece = {chunk_3, 2'd1};
        endcase
    end

    assign piece_bits = 4'd8;
    assign chunk_0 = value[5:0];
    assign chunk_1 = value[11:6];
    assign chunk_2 = value[17:12];
    assign chunk_3 = {4'd0, value[19:18]};

endmodule

// ntrace_pair-b of Tracewright, made by `tracewright generate`.
// One chunk of a number with its continuation bit, and whether more follow
module ntrace_pair_b_chunk_selector_width32_end3 (
    input  wire [31:0] value, // the number
    input  wire [2:0]  index, // number of the chunk, 0 for the first
    output reg  [7:0]  piece, // chunk and continuation bit
    output reg  [3:0]  piece_bits, // bits of the piece
    output reg         more // the continuation bit
);

    wire [5:0] chunk_0;
    wire [5:0] chunk_1;
    wire [5:0] chunk_2;
    wire [5:0] chunk_3;
    wire [5:0] chunk_4;
    wire [5:0] chunk_5;

    always @* begin
        case (index)
            3'd0: more = |value[31:6];
            3'd1: more = |value[31:12];
            3'd2: more = |value[31:18];
            3'd3: more = |value[31:24];
            3'd4: more = |value[31:30];
            default: more = 1'b0;
        endcase
    end

    always @* begin
        case (index)
            3'd0: begin
                piece = {2'd0, chunk_0};
                piece = {chunk_0, 2'd0};
                if (!(|value[31:6])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd1: begin
                piece = {2'd0, chunk_1};
                piece = {chunk_1, 2'd0};
                if (!(|value[31:12])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd2: begin
                piece = {2'd0, chunk_2};
                piece = {chunk_2, 2'd0};
                if (!(|value[31:18])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd3: begin
                piece = {2'd0, chunk_3};
                piece = {chunk_3, 2'd0};
                if (!(|value[31:24])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd4: begin
                piece = {2'd0, chunk_4};
                piece = {chunk_4, 2'd0};
                if (!(|value[31:30])) begin
                    piece = piece | 8'd3;
                end
            end
            3'd5: piece = {chunk_5, 2'd3};
            default: piece = 8'd0;
        endcase
    end

    always @* begin
        case (index)
            3'd0, 3'd1, 3'd2, 3'd3, 3'd4, 3'd5: piece_bits = 4'd8;
            default: piece_bits = 4'd0;
        endcase
    end

    assign chunk_0 = value[5:0];
    assign chunk_1 = value[11:6];
    assign chunk_2 = value[17:12];
    assign chunk_3 = value[23:18];
    assign chunk_4 = value[29:24];
    assign chunk_5 = {4'd0, value[31:30]};

endmodule

// ntrace_pair-b of Tracewright, made by `tracewright generate`.
// Sends a record slot by slot, a large slot piece by piece
module ntrace_pair_b_serial_encoder (
    input  wire         clock,
    input  wire         reset,
    input  wire         restart_registers,
    input  wire         record_valid, // without registers it stays until it is taken
    input  wire [114:0] record,
    output wire         record_ready,
    output wire         piece_valid,
    output reg  [7:0]   piece, // zero above piece_bits
    output reg  [3:0]   piece_bits, // bits of the piece, the first one lowest
    output wire         piece_last, // fill the trace word up with zeros after the piece
    input  wire         piece_ready
);

    reg  [6:0]  sent; // stages of the record that are out
    reg  [2:0]  index; // the piece of the slot
    reg  [14:0] flags; // slots that are sent
    reg  [6:0]  stages; // stages that send one
    wire [6:0]  pending;
    wire [6:0]  current; // one hot
    reg  [14:0] active; // one hot: the slot of this cycle
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    reg  [5:0]  left;
    wire [7:0]  overflows_selector_piece;
    wire [3:0]  overflows_selector_piece_bits;
    wire        overflows_selector_more;
    wire [7:0]  synchronises_selector_piece;
    wire [3:0]  synchronises_selector_piece_bits;
    wire        synchronises_selector_more;
    wire [7:0]  plain_selector_piece;
    wire [3:0]  plain_selector_piece_bits;
    wire        plain_selector_more;
    wire [7:0]  requested_selector_piece;
    wire [3:0]  requested_selector_piece_bits;
    wire        requested_selector_more;
    wire [7:0]  full_selector_piece;
    wire [3:0]  full_selector_piece_bits;
    wire        full_selector_more;
    wire [7:0]  indirect_selector_piece;
    wire [3:0]  indirect_selector_piece_bits;
    wire        indirect_selector_more;
    wire [7:0]  flush_selector_piece;
    wire [3:0]  flush_selector_piece_bits;
    wire        flush_selector_more;
    wire [7:0]  history_selector_piece;
    wire [3:0]  history_selector_piece_bits;
    wire        history_selector_more;

    ntrace_pair_b_chunk_selector_width12_end3 overflows_selector (
        .value      (record[21:10]),
        .index      (index[0]),
        .piece      (overflows_selector_piece),
        .piece_bits (overflows_selector_piece_bits),
        .more       (overflows_selector_more)
    );

    ntrace_pair_b_chunk_selector_width31_end3 synchronises_selector (
        .value      (record[78:48]),
        .index      (index),
        .piece      (synchronises_selector_piece),
        .piece_bits (synchronises_selector_piece_bits),
        .more       (synchronises_selector_more)
    );

    ntrace_pair_b_chunk_selector_width22_end1 plain_selector (
        .value      (record[47:26]),
        .index      (index[1:0]),
        .piece      (plain_selector_piece),
        .piece_bits (plain_selector_piece_bits),
        .more       (plain_selector_more)
    );

    ntrace_pair_b_chunk_selector_width26_end1 requested_selector (
        .value      (record[47:22]),
        .index      (index),
        .piece      (requested_selector_piece),
        .piece_bits (requested_selector_piece_bits),
        .more       (requested_selector_more)
    );

    ntrace_pair_b_chunk_selector_width36_end3 full_selector (
        .value      (record[114:79]),
        .index      (index),
        .piece      (full_selector_piece),
        .piece_bits (full_selector_piece_bits),
        .more       (full_selector_more)
    );

    ntrace_pair_b_chunk_selector_width31_end1 indirect_selector (
        .value      (record[78:48]),
        .index      (index),
        .piece      (indirect_selector_piece),
        .piece_bits (indirect_selector_piece_bits),
        .more       (indirect_selector_more)
    );

    ntrace_pair_b_chunk_selector_width20_end1 flush_selector (
        .value      (record[47:28]),
        .index      (index[1:0]),
        .piece      (flush_selector_piece),
        .piece_bits (flush_selector_piece_bits),
        .more       (flush_selector_more)
    );

    ntrace_pair_b_chunk_selector_width32_end3 history_selector (
        .value      (record[114:83]),
        .index      (index),
        .piece      (history_selector_piece),
        .piece_bits (history_selector_piece_bits),
        .more       (history_selector_more)
    );

    always @* begin
        flags = 15'd0;
        if (record[1]) begin
            flags = 15'd3;
        end
        if (record[2]) begin
            flags[2] = 1'b1;
        end
        if (record[3]) begin
            flags[3] = 1'b1;
        end
        if (record[8]) begin
            flags[4] = 1'b1;
        end
        if (record[9]) begin
            flags[5] = 1'b1;
        end
        if (record[6]) begin
            flags[6] = 1'b1;
        end
        if (record[4]) begin
            flags[7] = 1'b1;
        end
        if (record[8]) begin
            flags[8] = 1'b1;
        end
        if (record[9]) begin
            flags[9] = 1'b1;
        end
        if (record[6]) begin
            flags[10] = 1'b1;
        end
        if (record[5]) begin
            flags[11] = 1'b1;
        end
        if (record[0]) begin
            flags[12] = 1'b1;
            flags[13] = 1'b1;
        end
        if (record[7]) begin
            flags[14] = 1'b1;
        end
    end

    always @* begin
        stages = 7'd0;
        if (record[1]) begin
            stages = 7'd3;
        end
        if (record[2] || record[3] || record[8] || record[9] || record[6]) begin
            stages[2] = 1'b1;
        end
        if (record[4] || record[8] || record[9] || record[6]) begin
            stages[3] = 1'b1;
        end
        if (record[5] || record[0]) begin
            stages[4] = 1'b1;
        end
        if (record[0]) begin
            stages[5] = 1'b1;
        end
        if (record[7]) begin
            stages[6] = 1'b1;
        end
    end

    assign pending = stages & ~sent;
    assign current = pending & (~pending + 7'd1);
    assign is_last = pending == current;

    always @* begin
        active = 15'd0;
        if (current[0]) begin
            active = {14'd0, flags[0]};
        end
        if (current[1]) begin
            active[1] = flags[1];
        end
        if (current[2]) begin
            active[2] = flags[2];
            active[3] = flags[3];
            active[4] = flags[4];
            active[5] = flags[5];
            active[6] = flags[6];
        end
        if (current[3]) begin
            active[7] = flags[7];
            active[8] = flags[8];
            active[9] = flags[9];
            active[10] = flags[10];
        end
        if (current[4]) begin
            active[11] = flags[11];
            active[12] = flags[12];
        end
        if (current[5]) begin
            active[13] = flags[13];
        end
        if (current[6]) begin
            active[14] = flags[14];
        end
    end

    always @* begin
        piece = 8'd0;
        if (active[1]) begin
            piece = overflows_selector_piece;
        end
        if (active[7]) begin
            piece = piece | synchronises_selector_piece;
        end
        if (active[8]) begin
            piece = piece | plain_selector_piece;
        end
        if (active[9]) begin
            piece = piece | requested_selector_piece;
        end
        if (active[10]) begin
            piece = piece | full_selector_piece;
        end
        if (active[11]) begin
            piece = piece | indirect_selector_piece;
        end
        if (active[13]) begin
            piece = piece | flush_selector_piece;
        end
        if (active[14]) begin
            piece = piece | history_selector_piece;
        end
        if (active[0]) begin
            case (index)
                3'd0: piece = 8'd108;
                3'd1: piece = 8'd4;
                3'd2, 3'd3, 3'd4, 3'd5: piece = 8'd0;
                default: ;
            endcase
        end
        if (active[2]) begin
            case (index)
                3'd0: piece = 8'd255;
                3'd1: piece = 8'd36;
                3'd2: piece = 8'd4;
                3'd3: piece = 8'd5;
                default: ;
            endcase
        end
        if (active[3]) begin
            case (index)
                3'd0: piece = 8'd255;
                3'd1: piece = 8'd36;
                3'd2: piece = 8'd4;
                3'd3: piece = 8'd21;
                default: ;
            endcase
        end
        if (active[4]) begin
            if (index == 3'd0) begin
                piece = 8'd112;
            end
            if (index == 3'd1) begin
                piece = 8'd4;
            end
        end
        if (active[5]) begin
            if (index == 3'd0) begin
                piece = 8'd116;
            end
            if (index == 3'd1) begin
                piece = 8'd4;
            end
        end
        if (active[6]) begin
            if (index == 3'd0) begin
                piece = 8'd108;
            end
            if (index == 3'd1) begin
                piece = 8'd4;
            end
        end
        if (active[12]) begin
            case (index)
                3'd0: piece = 8'd132;
                3'd1: piece = 8'd4;
                3'd2: piece = 8'd80;
                default: ;
            endcase
        end
    end

    always @* begin
        piece_bits = 4'd0;
        more = 1'b0;
        if (active[1]) begin
            piece_bits = overflows_selector_piece_bits;
            more = overflows_selector_more;
        end
        if (active[7]) begin
            piece_bits = piece_bits | synchronises_selector_piece_bits;
            more = synchronises_selector_more;
        end
        if (active[8]) begin
            piece_bits = piece_bits | plain_selector_piece_bits;
            more = plain_selector_more;
        end
        if (active[9]) begin
            piece_bits = piece_bits | requested_selector_piece_bits;
            more = requested_selector_more;
        end
        if (active[10]) begin
            piece_bits = piece_bits | full_selector_piece_bits;
            more = full_selector_more;
        end
        if (active[11]) begin
            piece_bits = piece_bits | indirect_selector_piece_bits;
            more = indirect_selector_more;
        end
        if (active[13]) begin
            piece_bits = piece_bits | flush_selector_piece_bits;
            more = flush_selector_more;
        end
        if (active[14]) begin
            piece_bits = piece_bits | history_selector_piece_bits;
            more = history_selector_more;
        end
        left = 6'd0;
        if (active[0]) begin
            case (index)
                3'd0: left = 6'd48;
                3'd1: left = 6'd40;
                3'd2: left = 6'd32;
                3'd3: left = 6'd24;
                3'd4: left = 6'd16;
                3'd5: left = 6'd8;
                default: ;
            endcase
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[2]) begin
            case (index)
                3'd0: left = 6'd32;
                3'd1: left = 6'd24;
                3'd2: left = 6'd16;
                3'd3: left = 6'd8;
                default: ;
            endcase
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[3]) begin
            case (index)
                3'd0: left = 6'd32;
                3'd1: left = 6'd24;
                3'd2: left = 6'd16;
                3'd3: left = 6'd8;
                default: ;
            endcase
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[4]) begin
            if (index == 3'd0) begin
                left = 6'd16;
            end
            if (index == 3'd1) begin
                left = 6'd8;
            end
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[5]) begin
            if (index == 3'd0) begin
                left = 6'd16;
            end
            if (index == 3'd1) begin
                left = 6'd8;
            end
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[6]) begin
            if (index == 3'd0) begin
                left = 6'd16;
            end
            if (index == 3'd1) begin
                left = 6'd8;
            end
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[12]) begin
            case (index)
                3'd0: left = 6'd24;
                3'd1: left = 6'd16;
                3'd2: left = 6'd8;
                default: ;
            endcase
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
    end

    assign piece_valid = record_valid;
    assign piece_last = record[0] & is_last & !more;
    assign record_ready = piece_ready & is_last & !more;

    always @(posedge clock) begin
        if (reset || restart_registers) begin
            sent <= 7'd0;
            index <= 3'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 3'd1;
                end else begin
                    index <= 3'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 7'd0;
                    end
                end
            end
        end
    end

endmodule

// ntrace_pair-b of Tracewright, made by `tracewright generate`.
// Collects pieces, first bit lowest, until a word is full; on request fills one up with zeros
module ntrace_pair_b_bit_packer (
    input  wire       clock,
    input  wire       reset,
    input  wire       restart_registers,
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
        if (reset || restart_registers) begin
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

// ntrace_pair-b of Tracewright, made by `tracewright generate`.
// Words in their order, the oldest shown at once: depth words of width bits
module ntrace_pair_b_fifo_depth10_width8_has_level1 (
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

// ntrace_pair-b of Tracewright, made by `tracewright generate`.
// Shows the beats of the oldest trace word in turn, under AXI4-Stream's rules
module ntrace_pair_b_trace_port (
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

// ntrace_pair-b of Tracewright, made by `tracewright generate`.
// Records in, beats of the trace out
module ntrace_pair_b_back_end (
    input  wire         clock,
    input  wire         reset,
    input  wire         record_valid,
    input  wire [114:0] record,
    output wire         record_ready,
    input  wire         restart_registers, // every register takes the value that it has after a reset
    output wire         is_empty, // no record, piece or trace word is inside
    output wire [7:0]   trace_data, // trace bits
    output wire         trace_valid, // a beat is ready
    input  wire         trace_ready, // the sink takes the beat
    output wire [3:0]   buffered_words // trace words in the output FIFO
);

    wire         next_valid; // the record that comes to the encoder next
    wire [7:0]   piece; // zero above piece_bits
    wire [3:0]   piece_bits; // bits of the piece, the first one lowest
    wire         piece_last; // fill the trace word up with zeros after the piece
    wire         queue_is_empty;
    wire [114:0] record_queue_out_word;
    wire         serial_encoder_record_ready;
    wire         serial_encoder_piece_valid;
    wire         bit_packer_piece_ready;
    wire         bit_packer_word_valid;
    wire [7:0]   bit_packer_word;
    wire         bit_packer_is_empty;
    wire         output_fifo_in_ready;
    wire         output_fifo_out_valid;
    wire [7:0]   output_fifo_out_word;
    wire         trace_port_word_ready;

    ntrace_pair_b_fifo_depth2_width115 record_queue (
        .clock             (clock),
        .reset             (reset),
        .restart_registers (restart_registers),
        .in_valid          (record_valid),
        .in_word           (record),
        .in_ready          (record_ready),
        .out_valid         (next_valid),
        .out_word          (record_queue_out_word),
        .out_ready         (serial_encoder_record_ready)
    );

    ntrace_pair_b_serial_encoder serial_encoder (
        .clock             (clock),
        .reset             (reset),
        .restart_registers (restart_registers),
        .record_valid      (next_valid),
        .record            (record_queue_out_word),
        .record_ready      (serial_encoder_record_ready),
        .piece_valid       (serial_encoder_piece_valid),
        .piece             (piece),
        .piece_bits        (piece_bits),
        .piece_last        (piece_last),
        .piece_ready       (bit_packer_piece_ready)
    );

    ntrace_pair_b_bit_packer bit_packer (
        .clock             (clock),
        .reset             (reset),
        .restart_registers (restart_registers),
        .piece_valid       (serial_encoder_piece_valid),
        .piece             (piece),
        .piece_bits        (piece_bits),
        .piece_last        (piece_last),
        .piece_ready       (bit_packer_piece_ready),
        .word_valid        (bit_packer_word_valid),
        .word              (bit_packer_word),
        .word_ready        (output_fifo_in_ready),
        .is_empty          (bit_packer_is_empty)
    );

    ntrace_pair_b_fifo_depth10_width8_has_level1 output_fifo (
        .clock             (clock),
        .reset             (reset),
        .restart_registers (restart_registers),
        .in_valid          (bit_packer_word_valid),
        .in_word           (bit_packer_word),
        .in_ready          (output_fifo_in_ready),
        .out_valid         (output_fifo_out_valid),
        .out_word          (output_fifo_out_word),
        .out_ready         (trace_port_word_ready),
        .level             (buffered_words)
    );

    ntrace_pair_b_trace_port trace_port (
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

// ntrace_pair-b of Tracewright, made by `tracewright generate`.
//   address_width = 32
//   alignment = 1
//   retire_count_bits = 4
//   exact_lengths = true
//   trace_port_width = 8
//   fifo_bits = 79
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   enable_pin = true
//   source_bits = 6
//   source_id = 1
//   branch_history = true
//   history_bits = 31
//   count_bits = 20
// Record former, encoder, buffer and port
module ntrace_pair_b (
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

    wire         accepts;
    wire         waits; // the core waits
    wire         sequencer_flush;
    wire         sequencer_is_empty;
    wire         sequencer_tracing;
    wire         sequencer_record_flush;
    wire         sequencer_discards;
    wire         sequencer_is_on;
    wire         sequencer_clear_valid;
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
    wire         encoder_sync_request;
    wire         encoder_ready;
    wire         encoder_is_empty;
    wire         encoder_record_valid;
    wire [114:0] encoder_record;
    wire         back_end_record_ready;
    wire         back_end_is_empty;

    ntrace_pair_b_sequencer sequencer (
        .clock        (clock),
        .reset        (reset),
        .flush        (sequencer_flush),
        .ready        (encoder_ready),
        .is_empty     (sequencer_is_empty),
        .tracing      (sequencer_tracing),
        .record_flush (sequencer_record_flush),
        .flushed      (flushed),
        .discard      (discard),
        .discards     (sequencer_discards),
        .is_on        (sequencer_is_on),
        .clear_valid  (sequencer_clear_valid)
    );

    ntrace_pair_b_retire_decoder retire_decoder (
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

    ntrace_pair_b_encoder encoder (
        .clock              (clock),
        .reset              (reset),
        .clear_valid        (sequencer_clear_valid),
        .restart_registers  (sequencer_discards),
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
        .sync_request       (encoder_sync_request),
        .synchronised       (synchronised),
        .ready              (encoder_ready),
        .is_empty           (encoder_is_empty),
        .record_valid       (encoder_record_valid),
        .record             (encoder_record),
        .record_ready       (back_end_record_ready)
    );

    ntrace_pair_b_back_end back_end (
        .clock             (clock),
        .reset             (reset),
        .record_valid      (encoder_record_valid),
        .record            (encoder_record),
        .record_ready      (back_end_record_ready),
        .restart_registers (sequencer_discards),
        .is_empty          (back_end_is_empty),
        .trace_data        (trace_data),
        .trace_valid       (trace_valid),
        .trace_ready       (trace_ready),
        .buffered_words    (buffered_words)
    );

    assign sequencer_flush = flush | !enable;
    assign sequencer_is_empty = encoder_is_empty & back_end_is_empty;
    assign accepts = sequencer_tracing & encoder_ready;
    assign waits = !accepts & sequencer_is_on;
    assign stall = waits;
    assign drops = !accepts & !waits;
    assign encoder_flush = sequencer_record_flush & encoder_ready;
    assign encoder_sync_request = sync_request & sequencer_is_on;

endmodule

// Trace ingress port for ntrace_pair-b of Tracewright, made by `tracewright generate`.
// Words in their order, the oldest shown at once: depth words of width bits
module ntrace_pair_b_tip_adapter_fifo (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid,
    input  wire [36:0] in_word,
    output wire        in_ready,
    output wire        out_valid,
    output wire [36:0] out_word,
    input  wire        out_ready,
    output wire [3:0]  level // words held
);

    wire [36:0] words_read_data;
    reg  [3:0]  write_pointer;
    reg  [3:0]  read_pointer;
    reg  [3:0]  held;
    wire        is_full;
    wire        puts;
    wire        takes;
    reg  [36:0] words_cells [0:11];

    assign is_full = held == 4'd12;
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
                if (write_pointer == 4'd11) begin
                    write_pointer <= 4'd0;
                end
            end
            if (takes) begin
                read_pointer <= read_pointer + 4'd1;
                if (read_pointer == 4'd11) begin
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

// Trace ingress port for ntrace_pair-b of Tracewright, made by `tracewright generate`.
// Words in their order, of which several come in a cycle: any lanes have one, the lowest lane the oldest
module ntrace_pair_b_tip_adapter_lane_queue (
    input  wire        clock,
    input  wire        reset,
    input  wire        arrives, // lanes that have a word in this cycle
    input  wire [36:0] word_0,
    input  wire        flush, // level: nothing more is to come
    input  wire        holds, // what has left the queue is still held or shown
    output wire        is_there, // the oldest words, as far as there are so many
    output wire [36:0] oldest_0,
    input  wire        takes, // of these, those that leave; none without those before it
    output wire [3:0]  level, // words held
    output wire        stall, // stop: room for a cycle and 8 words more
    output wire        lost, // sticky: a word came when the queue was full
    output wire        ends, // level: a flush, and nothing comes in this cycle
    output wire        drained // level: everything before the flush has gone
);

    reg        lost_any;
    reg        drained_once;
    wire       has_room; // banks with room
    wire [3:0] words_0; // words in the banks up to each
    wire       leaves; // banks from which a word leaves

    ntrace_pair_b_tip_adapter_fifo banks_0 (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (arrives),
        .in_word   (word_0),
        .in_ready  (has_room),
        .out_valid (is_there),
        .out_word  (oldest_0),
        .out_ready (leaves),
        .level     (words_0)
    );

    assign lost = lost_any;
    assign level = words_0;
    assign stall = (level >= 4'd4) | flush;
    assign leaves = takes & is_there;
    assign ends = flush & !arrives;
    assign drained = flush & ((ends & !is_there & !holds) | drained_once);

    always @(posedge clock) begin
        if (reset) begin
            lost_any <= 1'b0;
            drained_once <= 1'b0;
        end else begin
            if (arrives & !has_room) begin
                lost_any <= 1'b1;
            end
            drained_once <= drained;
        end
    end

endmodule

// Trace ingress port for ntrace_pair-b of Tracewright, made by `tracewright generate`.
// What a code of itype says
module ntrace_pair_b_tip_adapter_termination (
    input  wire [3:0] itype, // how the block ends
    output wire       traps, // it ends in an exception or an interrupt
    output reg  [2:0] branch_kind, // 0 none, 1 jump, 2 branch, 3 indirect jump
    output wire       call, // the last instruction leaves a return address
    output wire       is_return, // the last instruction returns to such an address
    output wire       taken // the flow goes on where the next block begins
);

    localparam [2:0] SEQUENTIAL = 3'd0;
    localparam [2:0] DIRECT_JUMP = 3'd1;
    localparam [2:0] DIRECT_CONDITIONAL = 3'd2;
    localparam [2:0] INDIRECT_JUMP = 3'd3;
    localparam [3:0] EXCEPTION = 4'd1;
    localparam [3:0] INTERRUPT = 4'd2;
    localparam [3:0] TRAP_RETURN = 4'd3;
    localparam [3:0] NOT_TAKEN = 4'd4;
    localparam [3:0] TAKEN_BRANCH = 4'd5;
    localparam [3:0] UNINFERABLE_CALL = 4'd8;
    localparam [3:0] INFERABLE_CALL = 4'd9;
    localparam [3:0] SWAP = 4'd12;
    localparam [3:0] BACK = 4'd13;

    assign traps = (itype == EXCEPTION) | (itype == INTERRUPT);

    always @* begin
        case (itype)
            TRAP_RETURN: branch_kind = INDIRECT_JUMP;
            NOT_TAKEN, TAKEN_BRANCH: branch_kind = DIRECT_CONDITIONAL;
            default: branch_kind = SEQUENTIAL;
        endcase
        if (itype >= UNINFERABLE_CALL) begin
            branch_kind = INDIRECT_JUMP;
            if (itype[0] && (itype != BACK)) begin
                branch_kind = DIRECT_JUMP;
            end
        end
    end

    assign call = (itype == UNINFERABLE_CALL) | (itype == INFERABLE_CALL) | (itype == SWAP);
    assign is_return = (itype == SWAP) | (itype == BACK);
    assign taken = (itype != NOT_TAKEN) & (traps | (|branch_kind));

endmodule

// Trace ingress port for ntrace_pair-b of Tracewright, made by `tracewright generate`.
// What a hart's trace ingress port says, as the blocks of a trace module (docs/hardware.md)
module ntrace_pair_b_tip_adapter (
    input  wire        clock,
    input  wire        reset,
    input  wire [3:0]  tip_itype, // how the block of this cycle ends
    input  wire [31:0] tip_iaddr, // address of the first instruction of the block
    input  wire        tip_iretire, // an instruction retires
    input  wire        tip_ilastsize, // the last instruction has four bytes, not two
    output wire        stall, // stop retiring: room for 8 more
    output wire        lost, // sticky: a block was lost because the queue was full
    input  wire        flush, // level: the trace ends here
    output wire        drained, // the trace module is to see flush
    output wire        retire_valid, // a block retires in this cycle
    output wire [3:0]  retire_count, // instructions of the block
    output wire [31:0] retire_pc, // byte address of the last instruction
    output wire [3:0]  retire_length, // length of the last instruction in bytes
    output wire [2:0]  retire_kind, // 0 sequential, 1 jump, 2 conditional, 3 indirect, 4 indirect conditional, 5 exception
    output wire        retire_call, // the last instruction leaves a return address
    output wire        retire_return, // the last instruction returns to one
    output wire        retire_taken, // the flow changed
    output wire [31:0] retire_target, // byte address that the flow changed to, if taken
    input  wire        retire_stall // the trace module's stall
);

    localparam [2:0] SEQUENTIAL = 3'd0;
    localparam [2:0] EXCEPTION_KIND = 3'd5;
    localparam [3:0] EXCEPTION = 4'd1;
    localparam [3:0] INTERRUPT = 4'd2;

    wire        arrives; // lanes whose pins say something
    wire [36:0] arriving_0;
    wire [36:0] oldest;
    reg  [3:0]  held_count; // instructions of the block that is held
    reg  [2:0]  held_kind; // 0 none, or an exception, 1 jump, 2 branch, 3 indirect jump
    reg         held_call;
    reg         held_return;
    reg         held_goes_on; // it goes on at the next instruction, not where the next block begins
    reg         held_is_long;
    reg  [30:0] held_program_counter; // in alignment units, as all below
    reg  [30:0] held_fall_through; // address after it
    reg         ends; // the block at the pins is shown for a flush, and is not taken yet
    wire        follows; // the oldest block in the queue says where the one that is held has led
    wire        retires; // the oldest block in the queue has an instruction
    wire        has_address; // the oldest block in the queue says where the flow has gone on
    wire        diverted; // the flow goes on elsewhere than after the block that is held
    wire [2:0]  branch_kind;
    wire [2:0]  length; // bytes of the last instruction
    wire [30:0] step; // length of the block
    wire [30:0] fall_through;
    wire        shows; // there is a block
    wire        takes; // the oldest block leaves the queue, and is held
    wire        queue_is_there;
    wire [3:0]  queue_level;
    wire        queue_ends;
    wire        termination_traps;
    wire [2:0]  termination_branch_kind;
    wire        termination_call;
    wire        termination_is_return;
    wire        termination_taken;

    wire [3:0]  oldest_itype = oldest[3:0];
    wire [30:0] oldest_address = oldest[34:4];
    wire        oldest_iretire = oldest[35];
    wire        oldest_last_size = oldest[36];

    ntrace_pair_b_tip_adapter_lane_queue queue (
        .clock    (clock),
        .reset    (reset),
        .arrives  (arrives),
        .word_0   (arriving_0),
        .flush    (flush),
        .holds    (shows),
        .is_there (queue_is_there),
        .oldest_0 (oldest),
        .takes    (takes),
        .level    (queue_level),
        .stall    (stall),
        .lost     (lost),
        .ends     (queue_ends),
        .drained  (drained)
    );

    ntrace_pair_b_tip_adapter_termination termination (
        .itype       (oldest_itype),
        .traps       (termination_traps),
        .branch_kind (termination_branch_kind),
        .call        (termination_call),
        .is_return   (termination_is_return),
        .taken       (termination_taken)
    );

    assign arrives = tip_iretire | (tip_itype == EXCEPTION) | (tip_itype == INTERRUPT);
    assign arriving_0 = {tip_ilastsize, tip_iretire, tip_iaddr[31:1], tip_itype};
    assign retires = oldest_iretire;
    assign has_address = retires | (oldest_itype == EXCEPTION);
    assign length = oldest_last_size ? 3'd4 : 3'd2;
    assign step = {29'd0, length[2:1]};
    assign fall_through = oldest_address + step;
    assign follows = queue_is_there & !ends;
    assign diverted = (oldest_address != held_fall_through) & (held_goes_on & has_address & follows);

    assign takes =
        (shows && retire_stall) ? 1'b0 :
        (held_kind != SEQUENTIAL) ? !diverted & follows :
        follows;

    assign branch_kind =
        ((held_kind == SEQUENTIAL) && (!held_goes_on || diverted)) ? EXCEPTION_KIND :
        held_kind;

    assign shows =
        follows ? (|branch_kind) | (|held_count) :
        (queue_ends | ends) & held_goes_on & (|held_count);

    assign retire_valid = shows;
    assign retire_kind = branch_kind;
    assign retire_count = held_count;
    assign retire_pc = {held_program_counter, 1'b0};
    assign retire_call = held_call;
    assign retire_return = held_return;
    assign retire_taken = (held_kind == SEQUENTIAL) ? !held_goes_on | diverted : !held_goes_on;
    assign retire_length = held_is_long ? 4'd4 : 4'd2;
    assign retire_target = follows ? {oldest_address, 1'b0} : 32'd0;

    always @(posedge clock) begin
        if (reset) begin
            held_count <= 4'd0;
            held_kind <= SEQUENTIAL;
            held_call <= 1'b0;
            held_return <= 1'b0;
            held_goes_on <= 1'b0;
            held_is_long <= 1'b0;
            held_program_counter <= 31'd0;
            held_fall_through <= 31'd0;
            ends <= 1'b0;
        end else begin
            ends <= 1'b0;
            if (!follows) begin
                ends <= shows & retire_stall;
            end
            if (!(shows && retire_stall)) begin
                if (shows) begin
                    held_count <= 4'd0;
                    held_kind <= SEQUENTIAL;
                end
            end
            if (takes) begin
                held_kind <= termination_branch_kind;
                held_call <= termination_call;
                held_return <= termination_is_return;
                held_goes_on <= !termination_taken;
                held_count <= 4'd0;
                if (retires) begin
                    held_count <= 4'd1;
                    held_is_long <= oldest_last_size;
                    held_fall_through <= fall_through;
                    held_program_counter <= oldest_address;
                end
            end
        end
    end

    wire _unused_ok = &{1'b0, tip_iaddr[0], length[0], queue_level, termination_traps};

endmodule

// Switch after adapters for ntrace_pair-b of Tracewright, made by `tracewright generate`.
// Switches a trace module after adapters off when what came before has left them
module ntrace_pair_b_adapter_switch (
    input  wire clock,
    input  wire reset,
    input  wire enable,
    input  wire discard,
    input  wire flush,
    input  wire all_drained, // all adapters have drained
    input  wire trace_valid,
    input  wire trace_ready,
    input  wire flushed,
    output wire adapter_flush, // the adapters are to drain
    output wire module_enable, // the trace module is on
    output wire module_discard, // the trace module is to throw away what it has
    output wire module_flush // the trace module is to end its trace
);

    reg        is_off; // tracing was switched off, and what came before that has left the adapters
    reg        discards; // a discard came while an adapter held something, until the module has thrown everything away, and until the end of a flush, because the adapter goes on to give blocks to a module that would begin a packet with them
    reg  [9:0] waits; // cycles that the adapters have taken
    wire       drains;
    wire       stops; // the module is off

    assign drains = !enable & !is_off;
    assign stops = discards | (!enable & (is_off | all_drained | (&waits)));
    assign adapter_flush = flush | drains;
    assign module_enable = !stops;
    assign module_discard = discard | discards;
    assign module_flush = flush & all_drained;

    always @(posedge clock) begin
        if (reset) begin
            is_off <= 1'b1;
            discards <= 1'b0;
            waits <= 10'd0;
        end else begin
            is_off <= stops;
            discards <= (discards | ((drains | flush) & discard)) & (flush | !flushed);
            if (!drains | (trace_valid & trace_ready)) begin
                waits <= 10'd0;
            end else if (trace_valid) begin
                waits <= waits + 10'd1;
            end
        end
    end

endmodule

// Trace ingress port for ntrace_pair-b of Tracewright, made by `tracewright generate`.
// ntrace_pair-b with the trace ingress port (TIP) of its hart. docs/integration.md describes the
// adapter. A hart stops retiring while its stall is high, and may retire 8 more after stall has risen; lost rises
// when a block comes while the queue is full, and stays high.
module ntrace_pair_b_tip (
    input  wire        clock,
    input  wire        reset,
    input  wire [3:0]  tip_itype,
    input  wire [31:0] tip_iaddr,
    input  wire        tip_iretire,
    input  wire        tip_ilastsize,
    output wire        stall,
    output wire        lost,
    output wire        drops,
    input  wire        enable,
    input  wire        discard,
    input  wire        flush,
    output wire        flushed,
    input  wire        sync_request,
    output wire        synchronised,
    output wire [7:0]  trace_data,
    output wire        trace_valid,
    input  wire        trace_ready,
    output wire [3:0]  buffered_words
);

    wire        adapter_flush;
    wire        drained;
    wire        retire_valid;
    wire [3:0]  retire_count;
    wire [31:0] retire_pc;
    wire [3:0]  retire_length;
    wire [2:0]  retire_kind;
    wire        retire_call;
    wire        retire_return;
    wire        retire_taken;
    wire [31:0] retire_target;
    wire        retire_stall;
    wire        module_enable;
    wire        module_discard;
    wire        module_flush;

    ntrace_pair_b_tip_adapter adapter (
        .clock         (clock),
        .reset         (reset),
        .tip_itype     (tip_itype),
        .tip_iaddr     (tip_iaddr),
        .tip_iretire   (tip_iretire),
        .tip_ilastsize (tip_ilastsize),
        .stall         (stall),
        .lost          (lost),
        .flush         (adapter_flush),
        .drained       (drained),
        .retire_valid  (retire_valid),
        .retire_count  (retire_count),
        .retire_pc     (retire_pc),
        .retire_length (retire_length),
        .retire_kind   (retire_kind),
        .retire_call   (retire_call),
        .retire_return (retire_return),
        .retire_taken  (retire_taken),
        .retire_target (retire_target),
        .retire_stall  (retire_stall)
    );

    ntrace_pair_b_adapter_switch adapter_switch (
        .clock          (clock),
        .reset          (reset),
        .enable         (enable),
        .discard        (discard),
        .flush          (flush),
        .all_drained    (drained),
        .trace_valid    (trace_valid),
        .trace_ready    (trace_ready),
        .flushed        (flushed),
        .adapter_flush  (adapter_flush),
        .module_enable  (module_enable),
        .module_discard (module_discard),
        .module_flush   (module_flush)
    );

    ntrace_pair_b trace_module (
        .clock          (clock),
        .reset          (reset),
        .retire_valid   (retire_valid),
        .retire_count   (retire_count),
        .retire_pc      (retire_pc),
        .retire_length  (retire_length),
        .retire_kind    (retire_kind),
        .retire_call    (retire_call),
        .retire_return  (retire_return),
        .retire_taken   (retire_taken),
        .retire_target  (retire_target),
        .stall          (retire_stall),
        .drops          (drops),
        .enable         (module_enable),
        .discard        (module_discard),
        .flush          (module_flush),
        .flushed        (flushed),
        .sync_request   (sync_request),
        .synchronised   (synchronised),
        .trace_data     (trace_data),
        .trace_valid    (trace_valid),
        .trace_ready    (trace_ready),
        .buffered_words (buffered_words)
    );

endmodule

// Control registers for ntrace_pair-b of Tracewright, made by `tracewright generate`.
// Makes an access of registers of the second and later cycles of a transfer on an APB
module ntrace_pair_b_apb (
    input  wire        psel, // an access to this slave
    input  wire        penable, // the second and later cycles of it
    input  wire        pwrite, // it writes
    input  wire [13:0] paddr, // address in words of 32 bits
    input  wire [31:0] pwdata, // what is written
    input  wire [3:0]  pstrb, // the bytes of it that are written
    output wire        pready, // the access ends
    output wire [31:0] prdata, // what is read
    output wire        pslverr, // there is no such register
    output wire        access_valid, // there is an access; without ready it goes on in the next cycle
    output wire        access_write,
    output wire [13:0] access_address, // address in words of 32 bits
    output wire [31:0] access_written,
    output wire [3:0]  access_strobes, // the bytes that are written
    input  wire        access_ready,
    input  wire [31:0] access_read,
    input  wire        access_outside // no page of registers is there
);

    assign access_valid = psel & penable;
    assign access_write = pwrite;
    assign access_address = paddr;
    assign access_written = pwdata;
    assign access_strobes = pstrb;
    assign pready = access_ready;
    assign prdata = access_read;
    assign pslverr = access_valid & access_ready & access_outside;

endmodule

// Control registers for ntrace_pair-b of Tracewright, made by `tracewright generate`.
// Holds the registers of the Trace Control Interface: an access in each cycle on one side, the fields on the other
module ntrace_pair_b_register_file (
    input  wire        clock,
    input  wire        reset,
    input  wire        access_valid, // there is an access; without ready it goes on in the next cycle
    input  wire        access_write,
    input  wire [13:0] access_address, // address in words of 32 bits
    input  wire [31:0] access_written,
    input  wire [3:0]  access_strobes, // the bytes that are written
    output wire        access_ready,
    output reg  [31:0] access_read,
    output wire        access_outside, // no page of registers is there
    output wire        trTeActive,
    output wire        trTeEnable,
    output wire        trTeInstTracing,
    output wire [2:0]  trTeInstMode,
    output wire [1:0]  trTeInstSyncMode,
    output wire [3:0]  trTeInstSyncMax,
    input  wire        trTeInstStallOrOverflow_set,
    input  wire        trTeEmpty_value,
    input  wire        twTakesBlocks_value
);

    reg         trTeActive_kept;
    reg         trTeEnable_kept;
    reg         trTeInstTracing_kept;
    reg  [2:0]  trTeInstMode_kept;
    reg  [1:0]  trTeInstSyncMode_kept;
    reg  [3:0]  trTeInstSyncMax_kept;
    reg         trTeInstStallOrOverflow_kept;
    wire [31:0] mask;
    wire [31:0] unwritten; // the bits that are not written
    wire [31:0] ones; // the bits that are written as 1
    wire        writes;
    wire        writes_trTeControl;
    wire        trTeActive_merged;
    wire        trTeEnable_merged;
    wire        trTeInstTracing_merged;
    wire [2:0]  trTeInstMode_merged;
    wire [1:0]  trTeInstSyncMode_merged;
    wire [3:0]  trTeInstSyncMax_merged;
    wire [2:0]  trTeInstMode_legal;
    wire [1:0]  trTeInstSyncMode_legal;
    wire [31:0] trTeControl_word;
    wire [31:0] twStatus_word;

    assign access_outside = access_address >= 14'd1024;
    assign access_ready = 1'b1;
    assign writes = access_valid & access_write;
    assign writes_trTeControl = (access_address == 14'd0) & writes;

    assign mask = {
        (access_strobes[3] ? 8'd255 : 8'd0),
        (access_strobes[2] ? 8'd255 : 8'd0),
        (access_strobes[1] ? 8'd255 : 8'd0),
        (access_strobes[0] ? 8'd255 : 8'd0)
    };

    assign unwritten = ~mask;
    assign ones = access_written & mask;
    assign trTeActive_merged = (trTeActive_kept & unwritten[0]) | ones[0];
    assign trTeActive = trTeActive_kept;
    assign trTeEnable_merged = (trTeEnable_kept & unwritten[1]) | ones[1];
    assign trTeEnable = trTeEnable_kept;
    assign trTeInstTracing_merged = (trTeInstTracing_kept & unwritten[2]) | ones[2];
    assign trTeInstTracing = trTeInstTracing_kept;
    assign trTeInstMode_merged = (trTeInstMode_kept & unwritten[6:4]) | ones[6:4];
    assign trTeInstMode_legal = (|trTeInstMode_merged) ? 3'd6 : 3'd0;
    assign trTeInstMode = trTeInstMode_kept;
    assign trTeInstSyncMode_merged = (trTeInstSyncMode_kept & unwritten[17:16]) | ones[17:16];
    assign trTeInstSyncMode_legal = trTeInstSyncMode_merged & 2'd2;
    assign trTeInstSyncMode = trTeInstSyncMode_kept;
    assign trTeInstSyncMax_merged = (trTeInstSyncMax_kept & unwritten[23:20]) | ones[23:20];
    assign trTeInstSyncMax = trTeInstSyncMax_kept;

    always @* begin
        case (access_address)
            14'd0: access_read = trTeControl_word;
            14'd1: access_read = 32'h10101;
            14'd2: access_read = 32'h60010000;
            14'd896: access_read = twStatus_word;
            14'd959: access_read = 32'h2d3e670;
            default: access_read = 32'd0;
        endcase
    end

    assign trTeControl_word = {
        8'd1,
        trTeInstSyncMax_kept,
        2'd0,
        trTeInstSyncMode_kept,
        3'd1,
        trTeInstStallOrOverflow_kept,
        5'd0,
        trTeInstMode_kept,
        trTeEmpty_value,
        trTeInstTracing_kept,
        trTeEnable_kept,
        trTeActive_kept
    };

    assign twStatus_word = {31'd0, twTakesBlocks_value};

    always @(posedge clock) begin
        if (reset) begin
            trTeActive_kept <= 1'b0;
            trTeEnable_kept <= 1'b0;
            trTeInstTracing_kept <= 1'b0;
            trTeInstMode_kept <= 3'd6;
            trTeInstSyncMode_kept <= 2'd0;
            trTeInstSyncMax_kept <= 4'd0;
            trTeInstStallOrOverflow_kept <= 1'b0;
        end else begin
            if (writes_trTeControl) begin
                trTeActive_kept <= trTeActive_merged;
                trTeEnable_kept <= trTeEnable_merged;
                trTeInstTracing_kept <= trTeInstTracing_merged;
                trTeInstMode_kept <= trTeInstMode_legal;
                trTeInstSyncMode_kept <= trTeInstSyncMode_legal;
                trTeInstSyncMax_kept <= trTeInstSyncMax_merged;
                trTeInstStallOrOverflow_kept <= trTeInstStallOrOverflow_kept & !ones[12];
            end
            if (writes_trTeControl && trTeEnable_merged && !trTeEnable_kept) begin
                trTeInstStallOrOverflow_kept <= 1'b0;
            end
            if (trTeInstStallOrOverflow_set) begin
                trTeInstStallOrOverflow_kept <= 1'b1;
            end
            if (!trTeActive_kept) begin
                trTeEnable_kept <= 1'b0;
                trTeInstTracing_kept <= 1'b0;
                trTeInstMode_kept <= 3'd6;
                trTeInstSyncMode_kept <= 2'd0;
                trTeInstSyncMax_kept <= 4'd0;
                trTeInstStallOrOverflow_kept <= 1'b0;
            end
        end
    end

    wire _unused_ok = &{
        1'b0,
        unwritten[3],
        unwritten[15:7],
        unwritten[19:18],
        unwritten[31:24],
        ones[3],
        ones[11:7],
        ones[15:13],
        ones[19:18],
        ones[31:24]
    };

endmodule

// Control registers for ntrace_pair-b of Tracewright, made by `tracewright generate`.
// Registers of the RISC-V Trace Control Interface as an APB4 slave. docs/control.md describes them; an access
// outside of their pages ends in an error, reads 0 and writes nothing. Registers are words, and are not protected.
module ntrace_pair_b_registers (
    input  wire        clock,
    input  wire        reset,
    input  wire        psel,
    input  wire        penable,
    input  wire        pwrite,
    input  wire [15:0] paddr,
    input  wire [31:0] pwdata,
    input  wire [3:0]  pstrb,
    input  wire [2:0]  pprot,
    output wire        pready,
    output wire [31:0] prdata,
    output wire        pslverr,
    output wire        trTeActive,
    output wire        trTeEnable,
    output wire        trTeInstTracing,
    input  wire        trTeEmpty_value,
    output wire [2:0]  trTeInstMode,
    input  wire        trTeInstStallOrOverflow_set,
    output wire [1:0]  trTeInstSyncMode,
    output wire [3:0]  trTeInstSyncMax,
    input  wire        twTakesBlocks_value
);

    wire        access_valid;
    wire        access_write;
    wire [13:0] access_address;
    wire [31:0] access_written;
    wire [3:0]  access_strobes;
    wire        access_ready;
    wire [31:0] access_read;
    wire        access_outside;

    ntrace_pair_b_apb front_end (
        .psel           (psel),
        .penable        (penable),
        .pwrite         (pwrite),
        .paddr          (paddr[15:2]),
        .pwdata         (pwdata),
        .pstrb          (pstrb),
        .pready         (pready),
        .prdata         (prdata),
        .pslverr        (pslverr),
        .access_valid   (access_valid),
        .access_write   (access_write),
        .access_address (access_address),
        .access_written (access_written),
        .access_strobes (access_strobes),
        .access_ready   (access_ready),
        .access_read    (access_read),
        .access_outside (access_outside)
    );

    ntrace_pair_b_register_file register_file (
        .clock                       (clock),
        .reset                       (reset),
        .access_valid                (access_valid),
        .access_write                (access_write),
        .access_address              (access_address),
        .access_written              (access_written),
        .access_strobes              (access_strobes),
        .access_ready                (access_ready),
        .access_read                 (access_read),
        .access_outside              (access_outside),
        .trTeActive                  (trTeActive),
        .trTeEnable                  (trTeEnable),
        .trTeInstTracing             (trTeInstTracing),
        .trTeInstMode                (trTeInstMode),
        .trTeInstSyncMode            (trTeInstSyncMode),
        .trTeInstSyncMax             (trTeInstSyncMax),
        .trTeInstStallOrOverflow_set (trTeInstStallOrOverflow_set),
        .trTeEmpty_value             (trTeEmpty_value),
        .twTakesBlocks_value         (twTakesBlocks_value)
    );

    wire _unused_ok = &{1'b0, paddr[1:0], pprot};

endmodule

// Control registers for ntrace_pair-b of Tracewright, made by `tracewright generate`.
// Switches a trace module as the registers say, and tells them what it does
module ntrace_pair_b_trace_switch (
    input  wire       clock,
    input  wire       reset,
    input  wire       active, // trTeActive
    input  wire       enable, // trTeEnable
    input  wire       tracing, // trTeInstTracing
    input  wire [2:0] mode, // trTeInstMode
    input  wire       sink_enable, // trRamEnable, or trAtbBridgeEnable
    input  wire [1:0] sync_mode, // trTeInstSyncMode
    input  wire [3:0] sync_max, // trTeInstSyncMax
    input  wire       flushed, // all of the trace has left the module
    input  wire [1:0] answers, // a bit for each pin that says that the module has no room
    input  wire       synchronised, // a packet begins after a synchronisation or a loss
    output wire       module_enable,
    output wire       module_discard,
    output wire       sync_is_due, // a packet is due
    output wire       is_empty, // trTeEmpty
    output wire       takes_blocks, // twTakesBlocks
    output wire       lacks_room // trTeInstStallOrOverflow is set
);

    reg         has_begun; // a trace has begun, and not all of it has left the module
    reg         is_in_trace; // the module took blocks, or could have, since tracing was switched on
    reg  [19:0] cycles; // cycles since a packet began, as long as they are counted
    wire        is_lost;

    assign module_enable = active & enable & tracing & (|mode) & sink_enable;
    assign module_discard = !active & has_begun & !flushed;
    assign is_empty = !module_enable & !has_begun;
    assign takes_blocks = is_in_trace;
    assign is_lost = is_in_trace & (|answers) & module_enable;
    assign lacks_room = is_lost;
    assign sync_is_due = |((cycles >> ({1'b0, sync_max} + 5'd4)) & 20'd1);

    always @(posedge clock) begin
        if (reset) begin
            has_begun <= 1'b0;
            is_in_trace <= 1'b0;
            cycles <= 20'd0;
        end else begin
            if (module_enable) begin
                has_begun <= 1'b1;
            end else if (flushed) begin
                has_begun <= 1'b0;
            end
            is_in_trace <= module_enable & (is_in_trace | !(|answers));
            if (!module_enable | synchronised | !(|sync_mode)) begin
                cycles <= 20'd0;
            end else if (!sync_is_due) begin
                cycles <= cycles + 20'd1;
            end
        end
    end

endmodule

// Control registers for ntrace_pair-b of Tracewright, made by `tracewright generate`.
// ntrace_pair-b with the registers of the RISC-V Trace Control Interface, which drive its pins (docs/control.md).
module ntrace_pair_b_tip_control (
    input  wire        clock,
    input  wire        reset,
    input  wire        psel,
    input  wire        penable,
    input  wire        pwrite,
    input  wire [15:0] paddr,
    input  wire [31:0] pwdata,
    input  wire [3:0]  pstrb,
    input  wire [2:0]  pprot,
    output wire        pready,
    output wire [31:0] prdata,
    output wire        pslverr,
    input  wire [3:0]  tip_itype,
    input  wire [31:0] tip_iaddr,
    input  wire        tip_iretire,
    input  wire        tip_ilastsize,
    output wire        stall,
    output wire        lost,
    output wire        drops,
    input  wire        sync_request,
    output wire        synchronised,
    output wire [7:0]  trace_data,
    output wire        trace_valid,
    input  wire        trace_ready,
    output wire [3:0]  buffered_words,
    input  wire        sink_enable,
    output wire        source_discards,
    output wire        source_is_empty
);

    wire       trTeActive;
    wire       trTeEnable;
    wire       trTeInstTracing;
    wire       trTeEmpty_value;
    wire [2:0] trTeInstMode;
    wire       trTeInstStallOrOverflow_set;
    wire [1:0] trTeInstSyncMode;
    wire [3:0] trTeInstSyncMax;
    wire       twTakesBlocks_value;
    wire       discard;
    wire       flushed;
    wire       enable;
    wire       sync_is_due;

    ntrace_pair_b_registers registers (
        .clock                       (clock),
        .reset                       (reset),
        .psel                        (psel),
        .penable                     (penable),
        .pwrite                      (pwrite),
        .paddr                       (paddr),
        .pwdata                      (pwdata),
        .pstrb                       (pstrb),
        .pprot                       (pprot),
        .pready                      (pready),
        .prdata                      (prdata),
        .pslverr                     (pslverr),
        .trTeActive                  (trTeActive),
        .trTeEnable                  (trTeEnable),
        .trTeInstTracing             (trTeInstTracing),
        .trTeEmpty_value             (trTeEmpty_value),
        .trTeInstMode                (trTeInstMode),
        .trTeInstStallOrOverflow_set (trTeInstStallOrOverflow_set),
        .trTeInstSyncMode            (trTeInstSyncMode),
        .trTeInstSyncMax             (trTeInstSyncMax),
        .twTakesBlocks_value         (twTakesBlocks_value)
    );

    ntrace_pair_b_trace_switch trace_switch (
        .clock          (clock),
        .reset          (reset),
        .active         (trTeActive),
        .enable         (trTeEnable),
        .tracing        (trTeInstTracing),
        .mode           (trTeInstMode),
        .sink_enable    (sink_enable),
        .sync_mode      (trTeInstSyncMode),
        .sync_max       (trTeInstSyncMax),
        .flushed        (flushed),
        .answers        ({drops, stall}),
        .synchronised   (synchronised),
        .module_enable  (enable),
        .module_discard (discard),
        .sync_is_due    (sync_is_due),
        .is_empty       (trTeEmpty_value),
        .takes_blocks   (twTakesBlocks_value),
        .lacks_room     (trTeInstStallOrOverflow_set)
    );

    ntrace_pair_b_tip trace_module (
        .clock          (clock),
        .reset          (reset),
        .tip_itype      (tip_itype),
        .tip_iaddr      (tip_iaddr),
        .tip_iretire    (tip_iretire),
        .tip_ilastsize  (tip_ilastsize),
        .stall          (stall),
        .lost           (lost),
        .drops          (drops),
        .enable         (enable),
        .discard        (discard),
        .flush          (1'b0),
        .flushed        (flushed),
        .sync_request   (sync_request | sync_is_due),
        .synchronised   (synchronised),
        .trace_data     (trace_data),
        .trace_valid    (trace_valid),
        .trace_ready    (trace_ready),
        .buffered_words (buffered_words)
    );

    assign source_discards = discard;
    assign source_is_empty = flushed;

endmodule

// Control registers for ntrace_pair of Tracewright, made by `tracewright generate`.
// Gives transfers on an APB to the unit that has the upper bits of their addresses
module ntrace_pair_apb_split (
    input  wire        psel, // an access to this slave
    input  wire        penable, // the second and later cycles of it
    input  wire [1:0]  address_high, // upper bits of the address
    output wire [2:0]  unit_select, // a bit for each unit: the access is to it
    input  wire [2:0]  unit_ready, // a bit for each unit: the access ends
    input  wire [2:0]  unit_error, // a bit for each unit: there is no such register
    input  wire [31:0] unit_read_0, // what is read of a unit
    input  wire [31:0] unit_read_1, // what is read of a unit
    input  wire [31:0] unit_read_2, // what is read of a unit
    output wire        pready, // the access ends
    output reg  [31:0] prdata, // what is read
    output wire        pslverr // there is no such register
);

    reg  [2:0] selected;

    always @* begin
        selected = 3'd0;
        if (psel) begin
            case (address_high)
                2'd0: selected = 3'd1;
                2'd1: selected[1] = 1'b1;
                2'd2: selected[2] = 1'b1;
                default: ;
            endcase
        end
    end

    always @* begin
        prdata = 32'd0;
        if (psel) begin
            case (address_high)
                2'd0: prdata = unit_read_0;
                2'd1: prdata = unit_read_1;
                2'd2: prdata = unit_read_2;
                default: ;
            endcase
        end
    end

    assign unit_select = selected;
    assign pready = !(|selected) | (|(selected & unit_ready));
    assign pslverr = (|selected) ? |(selected & unit_error) : psel & penable;

endmodule

// ntrace_pair_funnel of Tracewright, made by `tracewright generate`.
// Whole messages of several traces of a standard in one stream, which names their source in each
module ntrace_pair_funnel (
    input  wire       clock,
    input  wire       reset,
    input  wire [7:0] source_data_0, // the next byte of a source
    input  wire [7:0] source_data_1, // the next byte of a source
    input  wire       source_valid_0,
    input  wire       source_valid_1,
    output wire       source_ready_0,
    output wire       source_ready_1,
    input  wire       enable, // level: messages begin
    input  wire [1:0] disabled, // a bit for each source: no message of it begins
    input  wire [1:0] discards, // a bit for each source: it discards what is in it, and the rest of a message does not come
    input  wire [1:0] source_is_empty, // a bit for each source: all of its trace has left it
    output wire       is_empty, // nothing is in it, and no message is open
    output wire       all_has_left, // nothing is in it or in a source that it takes
    output wire [7:0] trace_data,
    output wire       trace_valid,
    input  wire       trace_ready
);

    reg  [1:0] current; // one hot: whose byte came last
    reg        is_open; // its message has not ended
    reg        sent_valid;
    reg  [7:0] sent;
    wire [1:0] taken; // sources that it takes
    wire [1:0] available; // those of them with a byte
    wire [1:0] later; // those of them that are in turn before the first source
    wire [1:0] following; // one hot: whose byte is next
    wire       has_byte;
    wire [7:0] head;
    wire       fills; // the rest of the message does not come
    wire       has_room;
    wire       moves; // a byte goes to the output register
    wire [7:0] next_byte;
    wire       ends; // the message ends with it

    assign taken = enable ? ~disabled : 2'd0;

    assign available =
        is_open ? {source_valid_1, source_valid_0} & (taken | current) :
        {source_valid_1, source_valid_0} & taken;

    assign later = available & ~(current | (current - 2'd1));

    assign following =
        is_open ? current :
        (|later) ? later & (~later + 2'd1) :
        available & (~available + 2'd1);

    assign has_byte = |(available & following);

    assign head =
        following[1] ? source_data_1 :
        following[0] ? source_data_0 :
        8'd0;

    assign fills = is_open & !has_byte & (|(discards & current));
    assign has_room = !sent_valid | trace_ready;
    assign moves = has_room & (has_byte | fills);
    assign next_byte = fills ? 8'd255 : head;
    assign source_ready_0 = following[0] & has_room;
    assign source_ready_1 = following[1] & has_room;
    assign ends = next_byte[0] & next_byte[1] & (is_open | !(&next_byte));
    assign is_empty = !sent_valid & !is_open;
    assign all_has_left = !sent_valid & !is_open & (&(source_is_empty | ~taken));
    assign trace_valid = sent_valid;
    assign trace_data = sent;

    always @(posedge clock) begin
        if (reset) begin
            current <= 2'd1;
            is_open <= 1'b0;
            sent_valid <= 1'b0;
            sent <= 8'd0;
        end else begin
            if (trace_ready) begin
                sent_valid <= 1'b0;
            end
            if (moves) begin
                sent_valid <= 1'b1;
                sent <= next_byte;
                current <= following;
                is_open <= !ends;
            end
        end
    end

endmodule

// Control registers for ntrace_pair of Tracewright, made by `tracewright generate`.
// Makes an access of registers of the second and later cycles of a transfer on an APB
module ntrace_pair_apb (
    input  wire        psel, // an access to this slave
    input  wire        penable, // the second and later cycles of it
    input  wire        pwrite, // it writes
    input  wire [13:0] paddr, // address in words of 32 bits
    input  wire [31:0] pwdata, // what is written
    input  wire [3:0]  pstrb, // the bytes of it that are written
    output wire        pready, // the access ends
    output wire [31:0] prdata, // what is read
    output wire        pslverr, // there is no such register
    output wire        access_valid, // there is an access; without ready it goes on in the next cycle
    output wire        access_write,
    output wire [13:0] access_address, // address in words of 32 bits
    output wire [31:0] access_written,
    output wire [3:0]  access_strobes, // the bytes that are written
    input  wire        access_ready,
    input  wire [31:0] access_read,
    input  wire        access_outside // no page of registers is there
);

    assign access_valid = psel & penable;
    assign access_write = pwrite;
    assign access_address = paddr;
    assign access_written = pwdata;
    assign access_strobes = pstrb;
    assign pready = access_ready;
    assign prdata = access_read;
    assign pslverr = access_valid & access_ready & access_outside;

endmodule

// Control registers for ntrace_pair of Tracewright, made by `tracewright generate`.
// Holds the registers of the Trace Control Interface: an access in each cycle on one side, the fields on the other
module ntrace_pair_register_file (
    input  wire        clock,
    input  wire        reset,
    input  wire        access_valid, // there is an access; without ready it goes on in the next cycle
    input  wire        access_write,
    input  wire [13:0] access_address, // address in words of 32 bits
    input  wire [31:0] access_written,
    input  wire [3:0]  access_strobes, // the bytes that are written
    output wire        access_ready,
    output reg  [31:0] access_read,
    output wire        access_outside, // no page of registers is there
    output wire        trFunnelActive,
    output wire        trFunnelEnable,
    output wire [1:0]  trFunnelDisInput,
    output wire        trRamActive,
    output wire        trRamEnable,
    output wire        trRamStopOnWrap,
    output wire [9:0]  trRamLimitLow,
    input  wire        trRamEnable_clear,
    input  wire        trFunnelEmpty_value,
    input  wire        trRamEmpty_value,
    input  wire        trRamWrap_value,
    input  wire [9:0]  trRamWPLow_value,
    input  wire [9:0]  trRamRPLow_value,
    output wire        trRamWrap_load,
    output wire        trRamWPLow_load,
    output wire        trRamRPLow_load,
    output wire        trRamWrap_loaded,
    output wire [9:0]  trRamWPLow_loaded,
    output wire [9:0]  trRamRPLow_loaded,
    input  wire [31:0] trRamData_value,
    input  wire        trRamData_ready,
    output wire        trRamData_read
);

    reg         trFunnelActive_kept;
    reg         trFunnelEnable_kept;
    reg  [1:0]  trFunnelDisInput_kept;
    reg         trRamActive_kept;
    reg         trRamEnable_kept;
    reg         trRamStopOnWrap_kept;
    reg  [9:0]  trRamLimitLow_kept;
    wire [31:0] mask;
    wire [31:0] unwritten; // the bits that are not written
    wire [31:0] ones; // the bits that are written as 1
    wire        writes;
    wire        reads;
    wire        writes_trFunnelControl;
    wire        writes_trFunnelDisInput;
    wire        writes_trRamControl;
    wire        writes_trRamLimitLow;
    wire        writes_trRamWPLow;
    wire        writes_trRamRPLow;
    wire        trFunnelActive_merged;
    wire        trFunnelEnable_merged;
    wire [1:0]  trFunnelDisInput_merged;
    wire        trRamActive_merged;
    wire        trRamEnable_merged;
    wire        trRamStopOnWrap_merged;
    wire [9:0]  trRamLimitLow_merged;
    wire        trRamWrap_merged;
    wire [9:0]  trRamWPLow_merged;
    wire [9:0]  trRamRPLow_merged;
    wire [31:0] trFunnelControl_word;
    wire [31:0] trFunnelDisInput_word;
    wire [31:0] trRamControl_word;
    wire [31:0] trRamLimitLow_word;
    wire [31:0] trRamWPLow_word;
    wire [31:0] trRamRPLow_word;

    assign access_outside = access_address >= 14'd2048;
    assign access_ready = access_write | (access_address != 14'd1040) | trRamData_ready;
    assign writes = access_valid & access_write;
    assign reads = access_valid & access_ready & !access_write;
    assign writes_trFunnelControl = (access_address == 14'd0) & writes;
    assign writes_trFunnelDisInput = (access_address == 14'd2) & writes;
    assign writes_trRamControl = (access_address == 14'd1024) & writes;
    assign writes_trRamLimitLow = (access_address == 14'd1030) & writes;
    assign writes_trRamWPLow = (access_address == 14'd1032) & writes;
    assign writes_trRamRPLow = (access_address == 14'd1034) & writes;
    assign trRamData_read = (access_address == 14'd1040) & reads;

    assign mask = {
        (access_strobes[3] ? 8'd255 : 8'd0),
        (access_strobes[2] ? 8'd255 : 8'd0),
        (access_strobes[1] ? 8'd255 : 8'd0),
        (access_strobes[0] ? 8'd255 : 8'd0)
    };

    assign unwritten = ~mask;
    assign ones = access_written & mask;
    assign trFunnelActive_merged = (trFunnelActive_kept & unwritten[0]) | ones[0];
    assign trFunnelActive = trFunnelActive_kept;
    assign trFunnelEnable_merged = (trFunnelEnable_kept & unwritten[1]) | ones[1];
    assign trFunnelEnable = trFunnelEnable_kept;
    assign trFunnelDisInput_merged = (trFunnelDisInput_kept & unwritten[1:0]) | ones[1:0];
    assign trFunnelDisInput = trFunnelDisInput_kept;
    assign trRamActive_merged = (trRamActive_kept & unwritten[0]) | ones[0];
    assign trRamActive = trRamActive_kept;
    assign trRamEnable_merged = (trRamEnable_kept & unwritten[1]) | ones[1];
    assign trRamEnable = trRamEnable_kept;
    assign trRamStopOnWrap_merged = (trRamStopOnWrap_kept & unwritten[8]) | ones[8];
    assign trRamStopOnWrap = trRamStopOnWrap_kept;
    assign trRamLimitLow_merged = (trRamLimitLow_kept & unwritten[11:2]) | ones[11:2];
    assign trRamLimitLow = trRamLimitLow_kept;
    assign trRamWrap_merged = (trRamWrap_value & unwritten[0]) | ones[0];
    assign trRamWrap_loaded = trRamWrap_merged;
    assign trRamWrap_load = writes_trRamWPLow;
    assign trRamWPLow_merged = (trRamWPLow_value & unwritten[11:2]) | ones[11:2];
    assign trRamWPLow_loaded = trRamWPLow_merged;
    assign trRamWPLow_load = writes_trRamWPLow;
    assign trRamRPLow_merged = (trRamRPLow_value & unwritten[11:2]) | ones[11:2];
    assign trRamRPLow_loaded = trRamRPLow_merged;
    assign trRamRPLow_load = writes_trRamRPLow;

    always @* begin
        case (access_address)
            14'd0: access_read = trFunnelControl_word;
            14'd1: access_read = 32'd2049;
            14'd2: access_read = trFunnelDisInput_word;
            14'd1024: access_read = trRamControl_word;
            14'd1025: access_read = 32'h1901;
            14'd1030: access_read = trRamLimitLow_word;
            14'd1032: access_read = trRamWPLow_word;
            14'd1034: access_read = trRamRPLow_word;
            14'd1040: access_read = trRamData_value;
            default: access_read = 32'd0;
        endcase
    end

    assign trFunnelControl_word = {
        28'd0,
        trFunnelEmpty_value,
        1'b0,
        trFunnelEnable_kept,
        trFunnelActive_kept
    };

    assign trFunnelDisInput_word = {30'd0, trFunnelDisInput_kept};

    assign trRamControl_word = {
        23'd0,
        trRamStopOnWrap_kept,
        4'd0,
        trRamEmpty_value,
        1'b0,
        trRamEnable_kept,
        trRamActive_kept
    };

    assign trRamLimitLow_word = {20'd0, trRamLimitLow_kept, 2'd0};
    assign trRamWPLow_word = {20'd0, trRamWPLow_value, 1'b0, trRamWrap_value};
    assign trRamRPLow_word = {20'd0, trRamRPLow_value, 2'd0};

    always @(posedge clock) begin
        if (reset) begin
            trFunnelActive_kept <= 1'b0;
            trFunnelEnable_kept <= 1'b0;
            trFunnelDisInput_kept <= 2'd0;
            trRamActive_kept <= 1'b0;
            trRamEnable_kept <= 1'b0;
            trRamStopOnWrap_kept <= 1'b0;
            trRamLimitLow_kept <= 10'd1023;
        end else begin
            if (writes_trFunnelControl) begin
                trFunnelActive_kept <= trFunnelActive_merged;
                trFunnelEnable_kept <= trFunnelEnable_merged;
            end
            if (writes_trFunnelDisInput) begin
                trFunnelDisInput_kept <= trFunnelDisInput_merged;
            end
            if (writes_trRamControl) begin
                trRamActive_kept <= trRamActive_merged;
                trRamEnable_kept <= trRamEnable_merged;
            end
            if (trRamEnable_clear) begin
                trRamEnable_kept <= 1'b0;
            end
            if (writes_trRamControl) begin
                trRamStopOnWrap_kept <= trRamStopOnWrap_merged;
            end
            if (writes_trRamLimitLow) begin
                trRamLimitLow_kept <= trRamLimitLow_merged;
            end
            if (!trFunnelActive_kept) begin
                trFunnelEnable_kept <= 1'b0;
                trFunnelDisInput_kept <= 2'd0;
            end
            if (!trRamActive_kept) begin
                trRamEnable_kept <= 1'b0;
                trRamStopOnWrap_kept <= 1'b0;
                trRamLimitLow_kept <= 10'd1023;
            end
        end
    end

    wire _unused_ok = &{1'b0, unwritten[31:12], ones[31:12]};

endmodule

// Control registers for ntrace_pair of Tracewright, made by `tracewright generate`.
// Registers of the RISC-V Trace Control Interface as an APB4 slave. docs/control.md describes them; an access
// outside of their pages ends in an error, reads 0 and writes nothing. Registers are words, and are not protected.
module ntrace_pair_registers (
    input  wire        clock,
    input  wire        reset,
    input  wire        psel,
    input  wire        penable,
    input  wire        pwrite,
    input  wire [15:0] paddr,
    input  wire [31:0] pwdata,
    input  wire [3:0]  pstrb,
    input  wire [2:0]  pprot,
    output wire        pready,
    output wire [31:0] prdata,
    output wire        pslverr,
    output wire        trFunnelActive,
    output wire        trFunnelEnable,
    input  wire        trFunnelEmpty_value,
    output wire [1:0]  trFunnelDisInput,
    output wire        trRamActive,
    output wire        trRamEnable,
    input  wire        trRamEnable_clear,
    input  wire        trRamEmpty_value,
    output wire        trRamStopOnWrap,
    output wire [9:0]  trRamLimitLow,
    input  wire        trRamWrap_value,
    output wire        trRamWrap_load,
    output wire        trRamWrap_loaded,
    input  wire [9:0]  trRamWPLow_value,
    output wire        trRamWPLow_load,
    output wire [9:0]  trRamWPLow_loaded,
    input  wire [9:0]  trRamRPLow_value,
    output wire        trRamRPLow_load,
    output wire [9:0]  trRamRPLow_loaded,
    input  wire [31:0] trRamData_value,
    input  wire        trRamData_ready,
    output wire        trRamData_read
);

    wire        access_valid;
    wire        access_write;
    wire [13:0] access_address;
    wire [31:0] access_written;
    wire [3:0]  access_strobes;
    wire        access_ready;
    wire [31:0] access_read;
    wire        access_outside;

    ntrace_pair_apb front_end (
        .psel           (psel),
        .penable        (penable),
        .pwrite         (pwrite),
        .paddr          (paddr[15:2]),
        .pwdata         (pwdata),
        .pstrb          (pstrb),
        .pready         (pready),
        .prdata         (prdata),
        .pslverr        (pslverr),
        .access_valid   (access_valid),
        .access_write   (access_write),
        .access_address (access_address),
        .access_written (access_written),
        .access_strobes (access_strobes),
        .access_ready   (access_ready),
        .access_read    (access_read),
        .access_outside (access_outside)
    );

    ntrace_pair_register_file register_file (
        .clock               (clock),
        .reset               (reset),
        .access_valid        (access_valid),
        .access_write        (access_write),
        .access_address      (access_address),
        .access_written      (access_written),
        .access_strobes      (access_strobes),
        .access_ready        (access_ready),
        .access_read         (access_read),
        .access_outside      (access_outside),
        .trFunnelActive      (trFunnelActive),
        .trFunnelEnable      (trFunnelEnable),
        .trFunnelDisInput    (trFunnelDisInput),
        .trRamActive         (trRamActive),
        .trRamEnable         (trRamEnable),
        .trRamStopOnWrap     (trRamStopOnWrap),
        .trRamLimitLow       (trRamLimitLow),
        .trRamEnable_clear   (trRamEnable_clear),
        .trFunnelEmpty_value (trFunnelEmpty_value),
        .trRamEmpty_value    (trRamEmpty_value),
        .trRamWrap_value     (trRamWrap_value),
        .trRamWPLow_value    (trRamWPLow_value),
        .trRamRPLow_value    (trRamRPLow_value),
        .trRamWrap_load      (trRamWrap_load),
        .trRamWPLow_load     (trRamWPLow_load),
        .trRamRPLow_load     (trRamRPLow_load),
        .trRamWrap_loaded    (trRamWrap_loaded),
        .trRamWPLow_loaded   (trRamWPLow_loaded),
        .trRamRPLow_loaded   (trRamRPLow_loaded),
        .trRamData_value     (trRamData_value),
        .trRamData_ready     (trRamData_ready),
        .trRamData_read      (trRamData_read)
    );

    wire _unused_ok = &{1'b0, paddr[1:0], pprot};

endmodule

// RAM sink for ntrace_pair of Tracewright, made by `tracewright generate`.
// Keeps the last words of a trace in a ring, for registers that read them
module ntrace_pair_ram_sink (
    input  wire        clock,
    input  wire        reset,
    input  wire [7:0]  trace_data,
    input  wire        trace_valid,
    output wire        trace_ready,
    input  wire        enable, // level: the sink takes the trace
    input  wire        clear, // level: everything is as after reset, but for the memory
    input  wire        source_is_empty, // no bit of the trace will come before enable rises
    input  wire        stop_when_full, // the sink stops when the tail of the ring is reached, and overwrites nothing
    input  wire [9:0]  limit, // the last word of the ring
    output wire        stopped, // the sink asks for the end of the trace
    output wire        is_empty, // all that was taken is in the memory, and no more is taken
    input  wire        load_write_pointer,
    input  wire [9:0]  loaded_write_pointer,
    output wire [9:0]  write_pointer, // the word that is written next
    input  wire        load_wrapped,
    input  wire        loaded_wrapped,
    output wire        wrapped, // the last word of the ring was written
    input  wire        load_read_pointer,
    input  wire [9:0]  loaded_read_pointer,
    output wire [9:0]  read_pointer, // the word that is read
    input  wire        read, // the word was read, and the pointer goes on
    output wire [31:0] read_word, // the word at the read pointer, 0 while the sink is not empty
    output wire        read_ready // the word is there
);

    reg  [31:0] words_read_data;
    reg         is_open;
    reg         is_full; // the last word of a ring that stops was written, and what comes is dropped
    reg  [31:0] held;
    reg  [1:0]  count;
    reg  [9:0]  writes_at;
    reg  [9:0]  reads_at;
    reg         has_wrapped;
    reg         is_read;
    wire        pads; // beats of zeros fill a word up
    wire        takes;
    wire [31:0] beat;
    wire        completes;
    wire [31:0] full_word;
    wire [9:0]  address;
    wire        writes; // a word is written
    wire [9:0]  left; // words of the ring after this one
    wire        is_last;
    wire        is_tail; // only the tail is left
    reg  [31:0] words_cells [0:1023];

    assign pads = is_open & !enable & source_is_empty & (|count);
    assign trace_ready = is_open & !pads;
    assign takes = (trace_ready & trace_valid) | pads;
    assign beat = pads ? 32'd0 : {24'd0, trace_data};
    assign completes = takes & (&count);
    assign full_word = {beat[7:0], held[31:8]};
    assign address = is_open ? writes_at : reads_at;
    assign writes = completes & !is_full;
    assign left = limit - address;
    assign is_last = !(|left) | (&address);
    assign is_tail = !(|left[9:7]);
    assign stopped = stop_when_full & ((completes & (is_last | is_tail)) | is_full);
    assign read_ready = is_open | is_read | clear;
    assign read_word = (is_open || clear) ? 32'd0 : words_read_data;
    assign is_empty = !is_open & !enable;
    assign write_pointer = writes_at;
    assign wrapped = has_wrapped;
    assign read_pointer = reads_at;

    always @(posedge clock) begin
        words_read_data <= words_cells[address];
    end

    always @(posedge clock) begin
        if (reset) begin
            is_open <= 1'b0;
            is_full <= 1'b0;
            held <= 32'd0;
            count <= 2'd0;
            writes_at <= 10'd0;
            reads_at <= 10'd0;
            has_wrapped <= 1'b0;
            is_read <= 1'b0;
        end else begin
            if (takes) begin
                held <= full_word;
                count <= count + 2'd1;
            end
            is_read <= !is_open;
            if (writes) begin
                writes_at <= writes_at + 10'd1;
                if (is_last) begin
                    writes_at <= 10'd0;
                    has_wrapped <= 1'b1;
                    is_full <= stop_when_full;
                end
            end
            if (enable) begin
                is_open <= 1'b1;
            end else if (source_is_empty && !(takes & !completes)) begin
                is_open <= 1'b0;
                is_full <= 1'b0;
            end
            if (!is_open) begin
                if (read) begin
                    reads_at <= reads_at + 10'd1;
                    if (is_last) begin
                        reads_at <= 10'd0;
                    end
                    is_read <= 1'b0;
                end
                if (load_read_pointer) begin
                    reads_at <= loaded_read_pointer;
                    is_read <= 1'b0;
                end
            end
            if (load_write_pointer) begin
                writes_at <= loaded_write_pointer;
            end
            if (load_wrapped) begin
                has_wrapped <= loaded_wrapped;
            end
            if (clear) begin
                is_open <= 1'b0;
                is_full <= 1'b0;
                writes_at <= 10'd0;
                reads_at <= 10'd0;
                has_wrapped <= 1'b0;
                is_read <= 1'b0;
                count <= 2'd0;
            end
        end
    end

    always @(posedge clock) begin
        if (writes) begin
            words_cells[address] <= full_word;
        end
    end

    wire _unused_ok = &{1'b0, held[7:0], beat[31:8]};

endmodule

// 2 harts, one sink for their traces, and one bus with all registers (docs/system.md).
module ntrace_pair (
    input  wire        clock,
    input  wire        reset,
    input  wire        psel,
    input  wire        penable,
    input  wire        pwrite,
    input  wire [17:0] paddr,
    input  wire [31:0] pwdata,
    input  wire [3:0]  pstrb,
    input  wire [2:0]  pprot,
    output wire        pready,
    output wire [31:0] prdata,
    output wire        pslverr,
    input  wire        a_rvfi_valid,
    input  wire [31:0] a_rvfi_insn,
    input  wire        a_rvfi_trap,
    input  wire        a_rvfi_intr,
    input  wire [31:0] a_rvfi_pc_rdata,
    input  wire [31:0] a_rvfi_pc_wdata,
    output wire        a_stall,
    output wire        a_lost,
    output wire        a_drops,
    input  wire        a_sync_request,
    output wire        a_synchronised,
    output wire [3:0]  a_buffered_words,
    input  wire [3:0]  b_tip_itype,
    input  wire [31:0] b_tip_iaddr,
    input  wire        b_tip_iretire,
    input  wire        b_tip_ilastsize,
    output wire        b_stall,
    output wire        b_lost,
    output wire        b_drops,
    input  wire        b_sync_request,
    output wire        b_synchronised,
    output wire [3:0]  b_buffered_words
);

    wire        a_pready;
    wire [31:0] a_prdata;
    wire        a_pslverr;
    wire        b_pready;
    wire [31:0] b_prdata;
    wire        b_pslverr;
    wire        shared_pready;
    wire [31:0] shared_prdata;
    wire        shared_pslverr;
    wire [2:0]  unit_select;
    wire [7:0]  a_trace_data;
    wire        a_trace_valid;
    wire        a_trace_ready;
    wire        a_is_empty;
    wire        a_discards;
    wire [7:0]  b_trace_data;
    wire        b_trace_valid;
    wire        b_trace_ready;
    wire        b_is_empty;
    wire        b_discards;
    wire        all_has_left;
    wire [7:0]  trace_data;
    wire        trace_valid;
    wire        trace_ready;
    wire        trFunnelActive;
    wire        trFunnelEnable;
    wire        trFunnelEmpty_value;
    wire [1:0]  trFunnelDisInput;
    wire        trRamActive;
    wire        trRamEnable;
    wire        trRamEnable_clear;
    wire        trRamEmpty_value;
    wire        trRamStopOnWrap;
    wire [9:0]  trRamLimitLow;
    wire        trRamWrap_value;
    wire        trRamWrap_load;
    wire        trRamWrap_loaded;
    wire [9:0]  trRamWPLow_value;
    wire        trRamWPLow_load;
    wire [9:0]  trRamWPLow_loaded;
    wire [9:0]  trRamRPLow_value;
    wire        trRamRPLow_load;
    wire [9:0]  trRamRPLow_loaded;
    wire [31:0] trRamData_value;
    wire        trRamData_ready;
    wire        trRamData_read;

    ntrace_pair_a_rvfi_control hart_a (
        .clock           (clock),
        .reset           (reset),
        .psel            (unit_select[0]),
        .penable         (penable),
        .pwrite          (pwrite),
        .paddr           (paddr[15:0]),
        .pwdata          (pwdata),
        .pstrb           (pstrb),
        .pprot           (pprot),
        .pready          (a_pready),
        .prdata          (a_prdata),
        .pslverr         (a_pslverr),
        .rvfi_valid      (a_rvfi_valid),
        .rvfi_insn       (a_rvfi_insn),
        .rvfi_trap       (a_rvfi_trap),
        .rvfi_intr       (a_rvfi_intr),
        .rvfi_pc_rdata   (a_rvfi_pc_rdata),
        .rvfi_pc_wdata   (a_rvfi_pc_wdata),
        .stall           (a_stall),
        .lost            (a_lost),
        .drops           (a_drops),
        .sync_request    (a_sync_request),
        .synchronised    (a_synchronised),
        .trace_data      (a_trace_data),
        .trace_valid     (a_trace_valid),
        .trace_ready     (a_trace_ready),
        .buffered_words  (a_buffered_words),
        .sink_enable     (trRamEnable),
        .source_discards (a_discards),
        .source_is_empty (a_is_empty)
    );

    ntrace_pair_b_tip_control hart_b (
        .clock           (clock),
        .reset           (reset),
        .psel            (unit_select[1]),
        .penable         (penable),
        .pwrite          (pwrite),
        .paddr           (paddr[15:0]),
        .pwdata          (pwdata),
        .pstrb           (pstrb),
        .pprot           (pprot),
        .pready          (b_pready),
        .prdata          (b_prdata),
        .pslverr         (b_pslverr),
        .tip_itype       (b_tip_itype),
        .tip_iaddr       (b_tip_iaddr),
        .tip_iretire     (b_tip_iretire),
        .tip_ilastsize   (b_tip_ilastsize),
        .stall           (b_stall),
        .lost            (b_lost),
        .drops           (b_drops),
        .sync_request    (b_sync_request),
        .synchronised    (b_synchronised),
        .trace_data      (b_trace_data),
        .trace_valid     (b_trace_valid),
        .trace_ready     (b_trace_ready),
        .buffered_words  (b_buffered_words),
        .sink_enable     (trRamEnable),
        .source_discards (b_discards),
        .source_is_empty (b_is_empty)
    );

    ntrace_pair_apb_split apb_split (
        .psel         (psel),
        .penable      (penable),
        .address_high (paddr[17:16]),
        .unit_select  (unit_select),
        .unit_ready   ({shared_pready, b_pready, a_pready}),
        .unit_error   ({shared_pslverr, b_pslverr, a_pslverr}),
        .unit_read_0  (a_prdata),
        .unit_read_1  (b_prdata),
        .unit_read_2  (shared_prdata),
        .pready       (pready),
        .prdata       (prdata),
        .pslverr      (pslverr)
    );

    ntrace_pair_funnel funnel (
        .clock           (clock),
        .reset           (reset),
        .source_data_0   (a_trace_data),
        .source_data_1   (b_trace_data),
        .source_valid_0  (a_trace_valid),
        .source_valid_1  (b_trace_valid),
        .source_ready_0  (a_trace_ready),
        .source_ready_1  (b_trace_ready),
        .enable          (trFunnelEnable),
        .disabled        (trFunnelDisInput),
        .discards        ({b_discards, a_discards}),
        .source_is_empty ({b_is_empty, a_is_empty}),
        .is_empty        (trFunnelEmpty_value),
        .all_has_left    (all_has_left),
        .trace_data      (trace_data),
        .trace_valid     (trace_valid),
        .trace_ready     (trace_ready)
    );

    ntrace_pair_registers registers (
        .clock               (clock),
        .reset               (reset),
        .psel                (unit_select[2]),
        .penable             (penable),
        .pwrite              (pwrite),
        .paddr               (paddr[15:0]),
        .pwdata              (pwdata),
        .pstrb               (pstrb),
        .pprot               (pprot),
        .pready              (shared_pready),
        .prdata              (shared_prdata),
        .pslverr             (shared_pslverr),
        .trFunnelActive      (trFunnelActive),
        .trFunnelEnable      (trFunnelEnable),
        .trFunnelEmpty_value (trFunnelEmpty_value),
        .trFunnelDisInput    (trFunnelDisInput),
        .trRamActive         (trRamActive),
        .trRamEnable         (trRamEnable),
        .trRamEnable_clear   (trRamEnable_clear),
        .trRamEmpty_value    (trRamEmpty_value),
        .trRamStopOnWrap     (trRamStopOnWrap),
        .trRamLimitLow       (trRamLimitLow),
        .trRamWrap_value     (trRamWrap_value),
        .trRamWrap_load      (trRamWrap_load),
        .trRamWrap_loaded    (trRamWrap_loaded),
        .trRamWPLow_value    (trRamWPLow_value),
        .trRamWPLow_load     (trRamWPLow_load),
        .trRamWPLow_loaded   (trRamWPLow_loaded),
        .trRamRPLow_value    (trRamRPLow_value),
        .trRamRPLow_load     (trRamRPLow_load),
        .trRamRPLow_loaded   (trRamRPLow_loaded),
        .trRamData_value     (trRamData_value),
        .trRamData_ready     (trRamData_ready),
        .trRamData_read      (trRamData_read)
    );

    ntrace_pair_ram_sink ram_sink (
        .clock                (clock),
        .reset                (reset),
        .trace_data           (trace_data),
        .trace_valid          (trace_valid),
        .trace_ready          (trace_ready),
        .enable               (trRamEnable),
        .clear                (!trRamActive),
        .source_is_empty      (all_has_left),
        .stop_when_full       (trRamStopOnWrap),
        .limit                (trRamLimitLow),
        .stopped              (trRamEnable_clear),
        .is_empty             (trRamEmpty_value),
        .load_write_pointer   (trRamWPLow_load),
        .loaded_write_pointer (trRamWPLow_loaded),
        .write_pointer        (trRamWPLow_value),
        .load_wrapped         (trRamWrap_load),
        .loaded_wrapped       (trRamWrap_loaded),
        .wrapped              (trRamWrap_value),
        .load_read_pointer    (trRamRPLow_load),
        .loaded_read_pointer  (trRamRPLow_loaded),
        .read_pointer         (trRamRPLow_value),
        .read                 (trRamData_read),
        .read_word            (trRamData_value),
        .read_ready           (trRamData_ready)
    );

    wire _unused_ok = &{1'b0, trFunnelActive};

endmodule
