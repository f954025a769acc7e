// ntrace-htm of Tracewright, made by `tracewright generate`.
//   address_width = 32
//   alignment = 1
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 79
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   branch_history = true
//   history_bits = 31
//   count_bits = 20

// Clears the tables after reset, and takes the module through a flush
module ntrace_htm_sequencer (
    input  wire clock,
    input  wire reset,
    input  wire flush, // level: the trace ends here
    input  wire ready, // the compressor takes a block or a flush in this cycle
    input  wire is_empty, // no record and no bit is left in the module
    output wire tracing, // blocks are taken while the compressor is ready
    output wire record_flush, // the compressor makes its flush record when it is ready
    output wire flushed, // every bit of the trace has left the module
    output wire clear_valid // the tables are being cleared
);

    localparam [1:0] STATE_TRACING = 2'd0; // the state after reset
    localparam [1:0] STATE_RECORDING = 2'd1;
    localparam [1:0] STATE_DRAINING = 2'd2;
    localparam [1:0] STATE_FLUSHED = 2'd3;

    reg        clearing;
    reg  [1:0] state;

    assign clear_valid = clearing;
    assign tracing = (state == STATE_TRACING) & !clearing;
    assign record_flush = state == STATE_RECORDING;
    assign flushed = state == STATE_FLUSHED;

    always @(posedge clock) begin
        if (reset) begin
            clearing <= 1'b1;
            state <= STATE_TRACING;
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
        end
    end

endmodule

// Hands the block of this cycle to the compressor if it is taken
module ntrace_htm_retire_decoder (
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

// Counts the code, collects the outcomes of branches, and sends both with the addresses that the program does not tell
module ntrace_htm_record_former (
    input  wire         clock,
    input  wire         reset,
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
    output wire         is_busy, // the second record of a block is made
    output wire         record_valid,
    output wire [108:0] record
);

    reg         is_known; // the trace has begun
    reg         has_run; // instructions have retired since the last block that may change the flow
    reg  [30:0] program_counter; // of the last of these
    reg  [30:0] from; // where the code begins that is not counted
    reg  [19:0] code_count; // the code since the last message
    reg  [31:0] outcomes; // outcomes after a first 1, the newest lowest
    reg  [30:0] last_address; // the last address in a message
    reg         has_second;
    reg         second_excepts;
    wire [30:0] pc_units;
    wire [30:0] target_units;
    wire        may_change; // the block may change the flow
    wire        ran; // instructions have retired before it
    wire        starts;
    wire        resumes;
    wire        is_call;
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

    assign pc_units = retire_pc[31:1];
    assign target_units = retire_target[31:1];
    assign may_change = retire_valid & (retire_direct | retire_indirect | retire_exception);
    assign ran = has_run | (|retire_count);
    assign starts = may_change & !is_known & !ran;
    assign resumes = ((may_change & ran) | (flush & has_run)) & !is_known;
    assign is_call = retire_call & (retire_direct | retire_indirect);
    assign units = (is_call & !flush) ? retire_length[3:1] : 3'd1;
    assign counts = (may_change & ran) | (flush & has_run);
    assign at = flush ? program_counter : pc_units;
    assign after = pc_units + {28'd0, units};
    assign run = (counts && is_known) ? at - from : 31'd0;
    assign added = counts ? units : 3'd0;
    assign sum = {12'd0, code_count} + {1'b0, run} + {29'd0, added};
    assign upper = sum[31:20];
    assign overflows = |upper;
    assign excepts = may_change & retire_exception & !starts;
    assign jumps = (may_change & retire_indirect & retire_taken) | excepts;
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
        (sends_indirect ? (address ^ last_address) : address),
        sum[19:0],
        1'b0,
        is_exception,
        upper,
        sends_indirect | flush,
        fills,
        sends_indirect,
        starts | resumes,
        resumes,
        starts,
        overflows,
        flush
    };

    always @(posedge clock) begin
        if (reset) begin
            is_known <= 1'b0;
            has_run <= 1'b0;
            program_counter <= 31'd0;
            from <= 31'd0;
            code_count <= 20'd0;
            outcomes <= 32'd1;
            last_address <= 31'd0;
            has_second <= 1'b0;
            second_excepts <= 1'b0;
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
        end
    end

    wire _unused_ok = &{1'b0, retire_pc[0], retire_length[0], retire_return, retire_target[0]};

endmodule

// A record leaves in the cycle of its block; the block with which the trace begins may make two, and the second leaves in the next cycle
module ntrace_htm_encoder (
    input  wire         clock,
    input  wire         reset,
    input  wire         clear_valid, // the tables are being cleared
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
    output wire         ready, // a block or a flush is taken
    output wire         is_empty, // no record waits inside
    output wire         record_valid,
    output wire [108:0] record,
    input  wire         record_ready
);

    wire record_former_is_busy;

    ntrace_htm_record_former record_former (
        .clock              (clock),
        .reset              (reset),
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
        .is_busy            (record_former_is_busy),
        .record_valid       (record_valid),
        .record             (record)
    );

    assign ready = record_ready & !record_former_is_busy;
    assign is_empty = !record_former_is_busy;

    wire _unused_ok = &{1'b0, clear_valid};

endmodule

// Words in their order, the oldest shown at once: depth words of width bits
module ntrace_htm_fifo_depth2_width109 (
    input  wire         clock,
    input  wire         reset,
    input  wire         in_valid,
    input  wire [108:0] in_word,
    output wire         in_ready,
    output wire         out_valid,
    output wire [108:0] out_word,
    input  wire         out_ready
);

    wire [108:0] words_read_data;
    reg          write_pointer;
    reg          read_pointer;
    reg          is_filled; // more words came than went since the pointers were equal last
    wire         is_full;
    wire         puts;
    wire         takes;
    reg  [108:0] words_cells [0:1];

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
module ntrace_htm_chunk_selector_width12_end3 (
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

// One chunk of a number with its continuation bit, and whether more follow
module ntrace_htm_chunk_selector_width31_end3 (
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

// One chunk of a number with its continuation bit, and whether more follow
module ntrace_htm_chunk_selector_width22_end1 (
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

// One chunk of a number with its continuation bit, and whether more follow
module ntrace_htm_chunk_selector_width36_end3 (
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

// One chunk of a number with its continuation bit, and whether more follow
module ntrace_htm_chunk_selector_width31_end1 (
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

// One chunk of a number with its continuation bit, and whether more follow
module ntrace_htm_chunk_selector_width20_end1 (
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

// One chunk of a number with its continuation bit, and whether more follow
module ntrace_htm_chunk_selector_width32_end3 (
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

// Sends a record slot by slot, a large slot piece by piece
module ntrace_htm_serial_encoder (
    input  wire         clock,
    input  wire         reset,
    input  wire         record_valid, // without registers it stays until it is taken
    input  wire [108:0] record,
    output wire         record_ready,
    output wire         piece_valid,
    output reg  [7:0]   piece, // zero above piece_bits
    output reg  [3:0]   piece_bits, // bits of the piece, the first one lowest
    output wire         piece_last, // fill the trace word up with zeros after the piece
    input  wire         piece_ready
);

    reg  [6:0]  sent; // stages of the record that are out
    reg  [2:0]  index; // the piece of the slot
    reg  [12:0] flags; // slots that are sent
    reg  [6:0]  stages; // stages that send one
    wire [6:0]  pending;
    wire [6:0]  current; // one hot
    reg  [12:0] active; // one hot: the slot of this cycle
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    reg  [5:0]  left;
    wire [7:0]  overflows_selector_piece;
    wire [3:0]  overflows_selector_piece_bits;
    wire        overflows_selector_more;
    wire [7:0]  synchronises_selector_piece;
    wire [3:0]  synchronises_selector_piece_bits;
    wire        synchronises_selector_more;
    wire [7:0]  indirect_selector_piece;
    wire [3:0]  indirect_selector_piece_bits;
    wire        indirect_selector_more;
    wire [7:0]  full_selector_piece;
    wire [3:0]  full_selector_piece_bits;
    wire        full_selector_more;
    wire [7:0]  indirect_selector_2_piece;
    wire [3:0]  indirect_selector_2_piece_bits;
    wire        indirect_selector_2_more;
    wire [7:0]  flush_selector_piece;
    wire [3:0]  flush_selector_piece_bits;
    wire        flush_selector_more;
    wire [7:0]  history_selector_piece;
    wire [3:0]  history_selector_piece_bits;
    wire        history_selector_more;

    ntrace_htm_chunk_selector_width12_end3 overflows_selector (
        .value      (record[19:8]),
        .index      (index[0]),
        .piece      (overflows_selector_piece),
        .piece_bits (overflows_selector_piece_bits),
        .more       (overflows_selector_more)
    );

    ntrace_htm_chunk_selector_width31_end3 synchronises_selector (
        .value      (record[72:42]),
        .index      (index),
        .piece      (synchronises_selector_piece),
        .piece_bits (synchronises_selector_piece_bits),
        .more       (synchronises_selector_more)
    );

    ntrace_htm_chunk_selector_width22_end1 indirect_selector (
        .value      (record[41:20]),
        .index      (index[1:0]),
        .piece      (indirect_selector_piece),
        .piece_bits (indirect_selector_piece_bits),
        .more       (indirect_selector_more)
    );

    ntrace_htm_chunk_selector_width36_end3 full_selector (
        .value      (record[108:73]),
        .index      (index),
        .piece      (full_selector_piece),
        .piece_bits (full_selector_piece_bits),
        .more       (full_selector_more)
    );

    ntrace_htm_chunk_selector_width31_end1 indirect_selector_2 (
        .value      (record[72:42]),
        .index      (index),
        .piece      (indirect_selector_2_piece),
        .piece_bits (indirect_selector_2_piece_bits),
        .more       (indirect_selector_2_more)
    );

    ntrace_htm_chunk_selector_width20_end1 flush_selector (
        .value      (record[41:22]),
        .index      (index[1:0]),
        .piece      (flush_selector_piece),
        .piece_bits (flush_selector_piece_bits),
        .more       (flush_selector_more)
    );

    ntrace_htm_chunk_selector_width32_end3 history_selector (
        .value      (record[108:77]),
        .index      (index),
        .piece      (history_selector_piece),
        .piece_bits (history_selector_piece_bits),
        .more       (history_selector_more)
    );

    always @* begin
        flags = 13'd0;
        if (record[1]) begin
            flags = 13'd3;
        end
        if (record[2]) begin
            flags[2] = 1'b1;
        end
        if (record[3]) begin
            flags[3] = 1'b1;
        end
        if (record[5]) begin
            flags[4] = 1'b1;
        end
        if (record[6]) begin
            flags[5] = 1'b1;
        end
        if (record[4]) begin
            flags[6] = 1'b1;
        end
        if (record[5]) begin
            flags[7] = 1'b1;
        end
        if (record[6]) begin
            flags[8] = 1'b1;
        end
        if (record[5]) begin
            flags[9] = 1'b1;
        end
        if (record[0]) begin
            flags[10] = 1'b1;
            flags[11] = 1'b1;
        end
        if (record[7]) begin
            flags[12] = 1'b1;
        end
    end

    always @* begin
        stages = 7'd0;
        if (record[1]) begin
            stages = 7'd3;
        end
        if (record[2] || record[3] || record[5] || record[6]) begin
            stages[2] = 1'b1;
        end
        if (record[4] || record[5] || record[6]) begin
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
        active = 13'd0;
        if (current[0]) begin
            active = {12'd0, flags[0]};
        end
        if (current[1]) begin
            active[1] = flags[1];
        end
        if (current[2]) begin
            active[2] = flags[2];
            active[3] = flags[3];
            active[4] = flags[4];
            active[5] = flags[5];
        end
        if (current[3]) begin
            active[6] = flags[6];
            active[7] = flags[7];
            active[8] = flags[8];
        end
        if (current[4]) begin
            active[9] = flags[9];
            active[10] = flags[10];
        end
        if (current[5]) begin
            active[11] = flags[11];
        end
        if (current[6]) begin
            active[12] = flags[12];
        end
    end

    always @* begin
        piece = 8'd0;
        if (active[1]) begin
            piece = overflows_selector_piece;
        end
        if (active[6]) begin
            piece = piece | synchronises_selector_piece;
        end
        if (active[7]) begin
            piece = piece | indirect_selector_piece;
        end
        if (active[8]) begin
            piece = piece | full_selector_piece;
        end
        if (active[9]) begin
            piece = piece | indirect_selector_2_piece;
        end
        if (active[11]) begin
            piece = piece | flush_selector_piece;
        end
        if (active[12]) begin
            piece = piece | history_selector_piece;
        end
        if (active[0]) begin
            case (index)
                3'd0: piece = 8'd108;
                3'd1, 3'd2, 3'd3, 3'd4: piece = 8'd0;
                default: ;
            endcase
        end
        if (active[2]) begin
            case (index)
                3'd0: piece = 8'd255;
                3'd1: piece = 8'd36;
                3'd2: piece = 8'd5;
                default: ;
            endcase
        end
        if (active[3]) begin
            case (index)
                3'd0: piece = 8'd255;
                3'd1: piece = 8'd36;
                3'd2: piece = 8'd21;
                default: ;
            endcase
        end
        if (active[4]) begin
            piece = piece | 8'd112;
        end
        if (active[5]) begin
            piece = piece | 8'd108;
        end
        if (active[10]) begin
            if (index == 3'd0) begin
                piece = 8'd132;
            end
            if (index == 3'd1) begin
                piece = 8'd80;
            end
        end
    end

    always @* begin
        piece_bits = 4'd0;
        more = 1'b0;
        if (active[1]) begin
            piece_bits = overflows_selector_piece_bits;
            more = overflows_selector_more;
        end
        if (active[6]) begin
            piece_bits = piece_bits | synchronises_selector_piece_bits;
            more = synchronises_selector_more;
        end
        if (active[7]) begin
            piece_bits = piece_bits | indirect_selector_piece_bits;
            more = indirect_selector_more;
        end
        if (active[8]) begin
            piece_bits = piece_bits | full_selector_piece_bits;
            more = full_selector_more;
        end
        if (active[9]) begin
            piece_bits = piece_bits | indirect_selector_2_piece_bits;
            more = indirect_selector_2_more;
        end
        if (active[11]) begin
            piece_bits = piece_bits | flush_selector_piece_bits;
            more = flush_selector_more;
        end
        if (active[12]) begin
            piece_bits = piece_bits | history_selector_piece_bits;
            more = history_selector_more;
        end
        left = 6'd0;
        if (active[0]) begin
            case (index)
                3'd0: left = 6'd40;
                3'd1: left = 6'd32;
                3'd2: left = 6'd24;
                3'd3: left = 6'd16;
                3'd4: left = 6'd8;
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
        if (active[3]) begin
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
        if (active[4]) begin
            piece_bits = piece_bits | 4'd8;
        end
        if (active[5]) begin
            piece_bits = piece_bits | 4'd8;
        end
        if (active[10]) begin
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
    end

    assign piece_valid = record_valid;
    assign piece_last = record[0] & is_last & !more;
    assign record_ready = piece_ready & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
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

// Collects pieces, first bit lowest, until a word is full; on request fills one up with zeros
module ntrace_htm_bit_packer (
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
module ntrace_htm_fifo_depth10_width8_has_level1 (
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
module ntrace_htm_trace_port (
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
module ntrace_htm_back_end (
    input  wire         clock,
    input  wire         reset,
    input  wire         record_valid,
    input  wire [108:0] record,
    output wire         record_ready,
    output wire         is_empty, // no record, piece or trace word is inside
    output wire         trace_data, // trace bits
    output wire         trace_valid, // a beat is ready
    input  wire         trace_ready, // the sink takes the beat
    output wire [3:0]   buffered_words // trace words in the output FIFO
);

    wire         next_valid; // the record that comes to the encoder next
    wire [7:0]   piece; // zero above piece_bits
    wire [3:0]   piece_bits; // bits of the piece, the first one lowest
    wire         piece_last; // fill the trace word up with zeros after the piece
    wire         queue_is_empty;
    wire [108:0] record_queue_out_word;
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

    ntrace_htm_fifo_depth2_width109 record_queue (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (record_valid),
        .in_word   (record),
        .in_ready  (record_ready),
        .out_valid (next_valid),
        .out_word  (record_queue_out_word),
        .out_ready (serial_encoder_record_ready)
    );

    ntrace_htm_serial_encoder serial_encoder (
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

    ntrace_htm_bit_packer bit_packer (
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

    ntrace_htm_fifo_depth10_width8_has_level1 output_fifo (
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

    ntrace_htm_trace_port trace_port (
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

// Record former, encoder, buffer and port
module ntrace_htm (
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
    wire [108:0] encoder_record;
    wire         back_end_record_ready;
    wire         back_end_is_empty;

    ntrace_htm_sequencer sequencer (
        .clock        (clock),
        .reset        (reset),
        .flush        (flush),
        .ready        (encoder_ready),
        .is_empty     (sequencer_is_empty),
        .tracing      (sequencer_tracing),
        .record_flush (sequencer_record_flush),
        .flushed      (flushed),
        .clear_valid  (sequencer_clear_valid)
    );

    ntrace_htm_retire_decoder retire_decoder (
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

    ntrace_htm_encoder encoder (
        .clock              (clock),
        .reset              (reset),
        .clear_valid        (sequencer_clear_valid),
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
        .record_ready       (back_end_record_ready)
    );

    ntrace_htm_back_end back_end (
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
