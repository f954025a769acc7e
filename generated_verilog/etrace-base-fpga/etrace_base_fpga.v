// etrace-base-fpga of Tracewright, made by `tracewright generate`.
//   address_width = 32
//   alignment = 1
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 79
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = true
//   reset = synchronous
//   trap_cause_bits = 6

// Clears the tables after reset, and takes the module through a flush
module etrace_base_fpga_sequencer (
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
module etrace_base_fpga_retire_decoder (
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

// Collects the outcomes of branches, and sends the addresses that the program does not tell
module etrace_base_fpga_record_former (
    input  wire        clock,
    input  wire        reset,
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
    input  wire        flush, // make a flush record
    input  wire        record_ready, // a record is taken
    output wire        is_busy, // the second record of an exception is made
    output wire        record_valid,
    output wire [51:0] record,
    output wire [32:0] cutting // where the payload is cut in steps, what it is made of
);

    localparam [2:0] NOTHING = 3'd0;
    localparam [2:0] RESET = 3'd1;
    localparam [2:0] ENDED = 3'd2;
    localparam [2:0] FIRST = 3'd3;
    localparam [2:0] HANDLER = 3'd4;
    localparam [2:0] START = 3'd5;
    localparam [2:0] TARGET = 3'd6;
    localparam [1:0] MOST_PASSES = 2'd3;
    localparam [4:0] LAST_BRANCH = 5'd30;

    reg  [2:0]  pending; // what the last block leaves open
    reg  [30:0] pending_address; // where it leads to
    reg  [30:0] program_counter; // of the last instruction; of the second record
    reg         has_run; // instructions have retired since the trace began, and it has no address of them
    reg         is_reported; // the last payload has the address of the last instruction, or ends at it
    reg         is_marked; // one instruction has retired between the last address and the exception that is pending
    reg  [4:0]  branch_count;
    reg  [30:0] map; // a bit for each branch, 1 if it was not taken
    reg  [1:0]  passes; // direct jumps since the last branch or address
    reg         has_second;
    reg         second_traps;
    wire [30:0] pc_units;
    wire [30:0] target_units;
    wire        is_nothing;
    wire        is_reset;
    wire        is_first;
    wire        is_target;
    wire        is_unknown; // at reset, or after a flush
    wire        is_exception; // an exception's handler
    wire        may_change;
    wire        is_one;
    wire        arrives; // instructions retire, or have retired before an exception
    wire        begins; // the trace begins
    wire        starts; // a start, a trap or a target is sent
    wire        traps;
    wire        reports;
    wire        meets;
    wire        resolves;
    wire        is_there; // the branch is at the address that is sent
    wire        is_sent;
    wire        joins; // it is in the map that is sent
    wire        adds;
    wire        jumps;
    wire        overflows;
    wire        excepts;
    wire        stands; // an exception after no instruction
    wire        now_reported;
    wire        marks;
    wire        lasts; // the last instruction before an exception is reported
    wire        lasts_now;
    wire        leads; // the exception comes at the target of a jump
    wire        unfollowed; // the trace ends at a jump's target, or one instruction retires there before an exception
    wire        starts_second;
    wire        makes_start; // payloads of any cause
    wire        makes_trap;
    wire        makes_report;
    wire        makes_full;
    wire        makes_payload;
    wire        ends_last;
    wire [30:0] map_added;
    wire [30:0] branch;
    wire [30:0] sent_map;
    wire [4:0]  sent_count;
    wire [30:0] address;
    wire [2:0]  flow;
    wire        has_flow;

    assign pc_units = retire_pc[31:1];
    assign target_units = retire_target[31:1];
    assign is_nothing = pending == NOTHING;
    assign is_reset = pending == RESET;
    assign is_first = pending == FIRST;
    assign is_target = pending == TARGET;
    assign is_unknown = is_reset | (pending == ENDED);
    assign is_exception = (pending == HANDLER) | (pending == START);
    assign may_change = retire_direct | retire_indirect | retire_exception;
    assign is_one = retire_count == 4'd1;
    assign arrives = retire_valid & ((|retire_count) | has_run);
    assign begins = arrives & is_unknown & may_change;
    assign traps = arrives & (pending == HANDLER);
    assign starts = arrives & (is_first | (pending == START));
    assign reports = arrives & is_target;
    assign meets = starts | traps | reports;
    assign resolves = begins | meets;
    assign is_there = meets & is_one;
    assign is_sent = retire_conditional & (begins | is_there);
    assign joins = reports & is_sent;
    assign adds = retire_valid & retire_conditional & (!is_sent | joins);
    assign jumps = retire_valid & retire_direct & !retire_conditional;
    assign overflows = (passes == MOST_PASSES) & (jumps & !resolves);
    assign excepts = retire_valid & retire_exception;
    assign stands = excepts & !arrives;
    assign now_reported = (is_reported & !arrives) | begins | is_there;
    assign marks = excepts & (is_nothing | resolves) & now_reported;
    assign lasts = excepts & (is_nothing | resolves) & !now_reported;
    assign leads = stands & is_target;
    assign lasts_now = (lasts & !meets) | (leads & !is_reported);
    assign starts_second = (lasts & meets) | (leads & !is_reported);
    assign unfollowed = (flush & is_target) | (reports & excepts & is_one);

    assign makes_start =
        begins | starts | (stands & is_first) | (flush & ((is_unknown & has_run) | is_first));

    assign makes_trap =
        traps | (stands & is_exception) | (leads & is_reported) | (has_second & second_traps) |
        (flush & is_exception);

    assign ends_last = flush & is_nothing & !is_reported;

    assign makes_report =
        reports | overflows | lasts_now | (has_second & !second_traps) | ends_last | (flush & is_target);

    assign makes_full = (branch_count == LAST_BRANCH) & (adds & !reports);
    assign makes_payload = makes_start | makes_trap | makes_report | makes_full;
    assign branch = {30'd0, !retire_taken};
    assign map_added = map | (branch << branch_count);
    assign sent_map = joins ? map_added : map;
    assign sent_count = joins ? branch_count + 5'd1 : branch_count;

    assign address =
        (begins | overflows | lasts_now) ? pc_units :
        (has_second | (flush & (is_nothing | is_unknown))) ? program_counter :
        pending_address;

    assign flow =
        (lasts_now | ends_last) ? {1'b0, passes} :
        {2'd0, (makes_trap & (is_marked | leads)) | (makes_start & is_reset)};

    assign has_flow = |flow;
    assign record_valid = makes_payload | flush;

    assign record = {
        (makes_full ? map_added : sent_map),
        (makes_full ? 5'd0 : sent_count),
        flow,
        !makes_payload,
        traps,
        !(retire_valid & retire_taken & is_sent),
        makes_full,
        (|sent_count) & makes_report,
        !(|sent_count) & makes_report,
        ((|sent_count) ? (makes_full | makes_report) : makes_full),
        makes_start | makes_trap,
        makes_trap,
        makes_start,
        makes_payload,
        has_flow,
        flush
    };

    assign cutting = {unfollowed, overflows, address};
    assign is_busy = has_second;

    always @(posedge clock) begin
        if (reset) begin
            pending <= 3'd1;
            pending_address <= 31'd0;
            program_counter <= 31'd0;
            has_run <= 1'b0;
            is_reported <= 1'b0;
            is_marked <= 1'b0;
            branch_count <= 5'd0;
            map <= 31'd0;
            passes <= 2'd0;
            has_second <= 1'b0;
            second_traps <= 1'b0;
        end else begin
            if (makes_report || makes_full) begin
                map <= 31'd0;
                branch_count <= 5'd0;
                if (adds & reports & !joins) begin
                    map <= branch;
                    branch_count <= 5'd1;
                end
            end else if (adds) begin
                map <= map_added;
                branch_count <= branch_count + 5'd1;
            end
            if (retire_valid) begin
                if (|retire_count) begin
                    program_counter <= pc_units;
                end
                if (retire_indirect | retire_exception) begin
                    pending_address <= target_units;
                end
                if (leads) begin
                    program_counter <= pending_address;
                end
                if (resolves) begin
                    pending <= NOTHING;
                end
                if (retire_indirect & retire_taken) begin
                    pending <= TARGET;
                end
                if (excepts) begin
                    pending <= HANDLER;
                    if (stands & is_reset) begin
                        pending <= FIRST;
                    end else if (leads) begin
                        pending <= START;
                    end
                end
                is_reported <= (now_reported & !excepts) | makes_full | overflows;
                if (arrives & is_unknown) begin
                    has_run <= !may_change;
                end
                if ((makes_payload & !makes_full) || retire_conditional) begin
                    passes <= 2'd0;
                end
                if (jumps & !overflows) begin
                    passes <= passes + 2'd1;
                    if (resolves) begin
                        passes <= 2'd1;
                    end
                end
            end
            if (makes_trap) begin
                is_marked <= 1'b0;
            end
            if (marks) begin
                is_marked <= 1'b1;
            end
            if (flush) begin
                pending <= ENDED;
                has_run <= 1'b0;
            end
            if (record_ready) begin
                has_second <= 1'b0;
            end
            if (starts_second) begin
                has_second <= 1'b1;
                second_traps <= leads;
            end
        end
    end

    wire _unused_ok = &{
        1'b0,
        retire_pc[0],
        retire_length,
        retire_call,
        retire_return,
        retire_target[0]
    };

endmodule

// Words in their order, the oldest shown at once: depth words of width bits
module etrace_base_fpga_fifo_depth2_width85 (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid,
    input  wire [84:0] in_word,
    output wire        in_ready,
    output wire        out_valid,
    output wire [84:0] out_word,
    input  wire        out_ready
);

    wire [84:0] words_read_data;
    reg         write_pointer;
    reg         read_pointer;
    reg         is_filled; // more words came than went since the pointers were equal last
    wire        is_full;
    wire        puts;
    wire        takes;
    reg  [84:0] words_cells [0:1];

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

// A register for words that are taken when both sides are ready
module etrace_base_fpga_word_register_width116 (
    input  wire         clock,
    input  wire         reset,
    input  wire         in_valid,
    input  wire [115:0] in_word,
    output wire         in_ready,
    output wire         out_valid,
    output wire [115:0] out_word,
    input  wire         out_ready
);

    reg          held_valid;
    reg  [115:0] held;

    assign in_ready = out_ready | !held_valid;
    assign out_valid = held_valid;
    assign out_word = held;

    always @(posedge clock) begin
        if (reset) begin
            held_valid <= 1'b0;
        end else begin
            if (in_ready) begin
                held_valid <= in_valid;
            end
        end
    end

    always @(posedge clock) begin
        if (in_ready) begin
            held <= in_word;
        end
    end

endmodule

// Keeps the last address, and says of the next one how far it is from there
module etrace_base_fpga_address_difference (
    input  wire         clock,
    input  wire         reset,
    input  wire         planned_valid,
    input  wire [84:0]  planned,
    output wire         planned_ready,
    output wire         differing_valid,
    output wire [115:0] differing,
    input  wire         differing_ready
);

    reg  [30:0]  last_address; // of the last payload
    wire [51:0]  record;
    wire [32:0]  cutting;
    wire [115:0] made;
    wire [30:0]  difference;
    wire [30:0]  field;
    wire         reports; // the payload ends in the difference

    wire [51:0] planned_record = planned[51:0];
    wire [32:0] planned_cutting = planned[84:52];
    wire        record_synchronises = record[5];
    wire        record_plain = record[7];
    wire        record_mapped = record[8];
    wire [30:0] cutting_address = cutting[30:0];

    etrace_base_fpga_word_register_width116 step_register (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (planned_valid),
        .in_word   (made),
        .in_ready  (planned_ready),
        .out_valid (differing_valid),
        .out_word  (differing),
        .out_ready (differing_ready)
    );

    assign record = planned_record;
    assign cutting = planned_cutting;
    assign difference = cutting_address - last_address;
    assign reports = record_plain | record_mapped;
    assign field = reports ? difference : cutting_address;
    assign made = {field, planned};

    always @(posedge clock) begin
        if (reset) begin
            last_address <= 31'd0;
        end else begin
            if (planned_valid & planned_ready & (record_synchronises | reports)) begin
                last_address <= cutting_address;
            end
        end
    end

    wire _unused_ok = &{1'b0, record[4:0], record[6], record[51:9], cutting[32:31]};

endmodule

// A register for words that are taken when both sides are ready
module etrace_base_fpga_word_register_width150 (
    input  wire         clock,
    input  wire         reset,
    input  wire         in_valid,
    input  wire [149:0] in_word,
    output wire         in_ready,
    output wire         out_valid,
    output wire [149:0] out_word,
    input  wire         out_ready
);

    reg          held_valid;
    reg  [149:0] held;

    assign in_ready = out_ready | !held_valid;
    assign out_valid = held_valid;
    assign out_word = held;

    always @(posedge clock) begin
        if (reset) begin
            held_valid <= 1'b0;
        end else begin
            if (in_ready) begin
                held_valid <= in_valid;
            end
        end
    end

    always @(posedge clock) begin
        if (in_ready) begin
            held <= in_word;
        end
    end

endmodule

// Makes the last value of a payload, and of an index or a count that may go instead
module etrace_base_fpga_payload_sign (
    input  wire         clock,
    input  wire         reset,
    input  wire         differing_valid,
    input  wire [115:0] differing,
    output wire         differing_ready,
    output wire         with_sign_valid,
    output wire [149:0] with_sign,
    input  wire         with_sign_ready
);

    wire [84:0]  plan;
    wire [51:0]  record;
    wire [32:0]  cutting;
    wire [118:0] known;
    wire [149:0] made;
    wire [30:0]  value;
    wire [4:0]   branches; // branches in a map before an address
    wire         ends_in_zeros; // a tval follows the address
    wire         sign;
    wire [30:0]  magnitude; // where the value differs from its sign
    wire         cuts_map; // the map is cut, too

    wire [84:0] differing_plan = differing[84:0];
    wire [30:0] differing_field = differing[115:85];
    wire [51:0] plan_record = plan[51:0];
    wire [32:0] plan_cutting = plan[84:52];
    wire        record_trap = record[4];
    wire        record_plain = record[7];
    wire        record_mapped = record[8];
    wire        record_full = record[9];
    wire [4:0]  record_branch_count = record[20:16];
    wire [30:0] record_map = record[51:21];
    wire        cutting_notify = cutting[31];
    wire        cutting_updiscon = cutting[32];

    etrace_base_fpga_word_register_width150 step_register (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (differing_valid),
        .in_word   (made),
        .in_ready  (differing_ready),
        .out_valid (with_sign_valid),
        .out_word  (with_sign),
        .out_ready (with_sign_ready)
    );

    assign plan = differing_plan;
    assign record = plan_record;
    assign cutting = plan_cutting;
    assign value = record_full ? record_map : differing_field;
    assign ends_in_zeros = record_trap;
    assign sign = value[30] & !ends_in_zeros;
    assign magnitude = sign ? ~value : value;
    assign branches = (record_plain | record_mapped) ? record_branch_count : 5'd0;
    assign cuts_map = !(|value) & (|branches) & !(cutting_notify | cutting_updiscon);
    assign known = {ends_in_zeros, cuts_map, sign, value, differing_plan};
    assign made = {(cuts_map ? record_map : magnitude), known};

    wire _unused_ok = &{1'b0, record[3:0], record[6:5], record[15:10], cutting[30:0]};

endmodule

// A register for words that are taken when both sides are ready
module etrace_base_fpga_word_register_width129 (
    input  wire         clock,
    input  wire         reset,
    input  wire         in_valid,
    input  wire [128:0] in_word,
    output wire         in_ready,
    output wire         out_valid,
    output wire [128:0] out_word,
    input  wire         out_ready
);

    reg          held_valid;
    reg  [128:0] held;

    assign in_ready = out_ready | !held_valid;
    assign out_valid = held_valid;
    assign out_word = held;

    always @(posedge clock) begin
        if (reset) begin
            held_valid <= 1'b0;
        end else begin
            if (in_ready) begin
                held_valid <= in_valid;
            end
        end
    end

    always @(posedge clock) begin
        if (in_ready) begin
            held <= in_word;
        end
    end

endmodule

// The eight bits among which the highest one is
module etrace_base_fpga_highest_group (
    input  wire [30:0] word,
    output wire [1:0]  group, // their number
    output wire [7:0]  chosen
);

    wire [7:0]  part_1;
    wire [7:0]  part_2;
    wire [7:0]  part_3;
    wire [4:0]  place;
    wire [30:0] chosen_part;

    assign chosen_part = word >> place;

    assign group =
        (|part_3) ? 2'd3 :
        (|part_2) ? 2'd2 :
        {1'b0, |part_1};

    assign part_1 = word[15:8];
    assign part_2 = word[23:16];
    assign part_3 = {1'b0, word[30:24]};
    assign place = {group, 3'd0};
    assign chosen = chosen_part[7:0];

    wire _unused_ok = &{1'b0, chosen_part[30:8]};

endmodule

// Among which eight bits the highest one is
module etrace_base_fpga_payload_search (
    input  wire         clock,
    input  wire         reset,
    input  wire         with_sign_valid,
    input  wire [149:0] with_sign,
    output wire         with_sign_ready,
    output wire         grouped_valid,
    output wire [128:0] grouped,
    input  wire         grouped_ready
);

    wire [128:0] made;
    wire [1:0]   value_group_group;
    wire [7:0]   value_group_chosen;

    wire [118:0] with_sign_known = with_sign[118:0];
    wire [30:0]  with_sign_searched = with_sign[149:119];

    etrace_base_fpga_word_register_width129 step_register (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (with_sign_valid),
        .in_word   (made),
        .in_ready  (with_sign_ready),
        .out_valid (grouped_valid),
        .out_word  (grouped),
        .out_ready (grouped_ready)
    );

    etrace_base_fpga_highest_group value_group (
        .word   (with_sign_searched),
        .group  (value_group_group),
        .chosen (value_group_chosen)
    );

    assign made = {value_group_chosen, value_group_group, with_sign_known};

endmodule

// A register for words that are taken when both sides are ready
module etrace_base_fpga_word_register_width133 (
    input  wire         clock,
    input  wire         reset,
    input  wire         in_valid,
    input  wire [132:0] in_word,
    output wire         in_ready,
    output wire         out_valid,
    output wire [132:0] out_word,
    input  wire         out_ready
);

    reg          held_valid;
    reg  [132:0] held;

    assign in_ready = out_ready | !held_valid;
    assign out_valid = held_valid;
    assign out_word = held;

    always @(posedge clock) begin
        if (reset) begin
            held_valid <= 1'b0;
        end else begin
            if (in_ready) begin
                held_valid <= in_valid;
            end
        end
    end

    always @(posedge clock) begin
        if (in_ready) begin
            held <= in_word;
        end
    end

endmodule

// How many bits there are up to the highest one, of which the last eight are chosen
module etrace_base_fpga_highest_bit (
    input  wire [1:0] group,
    input  wire [7:0] chosen,
    output wire [6:0] found
);

    wire [3:0] place;

    assign place =
        chosen[7] ? 4'd8 :
        chosen[6] ? 4'd7 :
        chosen[5] ? 4'd6 :
        chosen[4] ? 4'd5 :
        chosen[3] ? 4'd4 :
        chosen[2] ? 4'd3 :
        chosen[1] ? 4'd2 :
        {3'd0, chosen[0]};

    assign found = {2'd0, group, 3'd0} + {3'd0, place};

endmodule

// How many bits there are before the last value, and at least in it
module etrace_base_fpga_payload_least (
    input  wire         clock,
    input  wire         reset,
    input  wire         grouped_valid,
    input  wire [128:0] grouped,
    output wire         grouped_ready,
    output wire         found_valid,
    output wire [132:0] found,
    input  wire         found_ready
);

    wire [118:0] known;
    wire [84:0]  plan;
    wire [51:0]  record;
    wire [32:0]  cutting;
    wire [132:0] made;
    wire [4:0]   branches; // branches in a map before an address
    wire [4:0]   whole_map; // bits of the map that all branches have
    wire [6:0]   map_head;
    wire [6:0]   head;
    wire [6:0]   least;
    wire [6:0]   value_bit_found;

    wire [118:0] grouped_known = grouped[118:0];
    wire [1:0]   grouped_group = grouped[120:119];
    wire [7:0]   grouped_chosen = grouped[128:121];
    wire [84:0]  known_plan = known[84:0];
    wire         known_cuts_map = known[117];
    wire [51:0]  plan_record = plan[51:0];
    wire [32:0]  plan_cutting = plan[84:52];
    wire         record_start = record[3];
    wire         record_trap = record[4];
    wire         record_plain = record[7];
    wire         record_mapped = record[8];
    wire         record_full = record[9];
    wire [4:0]   record_branch_count = record[20:16];
    wire         cutting_notify = cutting[31];
    wire         cutting_updiscon = cutting[32];

    etrace_base_fpga_word_register_width133 step_register (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (grouped_valid),
        .in_word   (made),
        .in_ready  (grouped_ready),
        .out_valid (found_valid),
        .out_word  (found),
        .out_ready (found_ready)
    );

    etrace_base_fpga_highest_bit value_bit (
        .group  (grouped_group),
        .chosen (grouped_chosen),
        .found  (value_bit_found)
    );

    assign known = grouped_known;
    assign plan = known_plan;
    assign record = plan_record;
    assign cutting = plan_cutting;
    assign branches = (record_plain | record_mapped) ? record_branch_count : 5'd0;

    assign whole_map =
        branches | {1'b0, branches[4:1]} | {2'd0, branches[4:2]} | {3'd0, branches[4:3]} |
        {4'd0, branches[4]};

    assign map_head = ((|branches) || record_full) ? 7'd7 : 7'd2;

    assign head =
        record_start ? 7'd7 :
        record_trap ? 7'd15 :
        known_cuts_map ? map_head :
        map_head + {2'd0, whole_map};

    assign least =
        (cutting_notify || cutting_updiscon) ? 7'd31 + {6'd0, cutting_updiscon} :
        value_bit_found;

    assign made = {least, head, grouped_known};

    wire _unused_ok = &{
        1'b0,
        known[116:85],
        known[118],
        record[2:0],
        record[6:5],
        record[15:10],
        record[51:21],
        cutting[30:0]
    };

endmodule

// A register for words that are taken when both sides are ready
module etrace_base_fpga_word_register_width131 (
    input  wire         clock,
    input  wire         reset,
    input  wire         in_valid,
    input  wire [130:0] in_word,
    output wire         in_ready,
    output wire         out_valid,
    output wire [130:0] out_word,
    input  wire         out_ready
);

    reg          held_valid;
    reg  [130:0] held;

    assign in_ready = out_ready | !held_valid;
    assign out_valid = held_valid;
    assign out_word = held;

    always @(posedge clock) begin
        if (reset) begin
            held_valid <= 1'b0;
        end else begin
            if (in_ready) begin
                held_valid <= in_valid;
            end
        end
    end

    always @(posedge clock) begin
        if (in_ready) begin
            held <= in_word;
        end
    end

endmodule

// How many bytes a payload has
module etrace_base_fpga_payload_bytes (
    input  wire         clock,
    input  wire         reset,
    input  wire         found_valid,
    input  wire [132:0] found,
    output wire         found_ready,
    output wire         counted_valid,
    output wire [130:0] counted,
    input  wire         counted_ready
);

    wire [130:0] made;
    wire [6:0]   rounded;
    wire [3:0]   filled; // what is left of the last byte, from 8 down to 1

    wire [118:0] found_known = found[118:0];
    wire [6:0]   found_head = found[125:119];
    wire [6:0]   found_least = found[132:126];

    etrace_base_fpga_word_register_width131 step_register (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (found_valid),
        .in_word   (made),
        .in_ready  (found_ready),
        .out_valid (counted_valid),
        .out_word  (counted),
        .out_ready (counted_ready)
    );

    assign rounded = found_head + found_least + 7'd8;
    assign filled = 4'd8 - {1'b0, found_head[2:0] + found_least[2:0]};
    assign made = {found_least + {3'd0, filled}, 1'b0, rounded[6:3], found_known};

    wire _unused_ok = &{1'b0, rounded[2:0]};

endmodule

// A register for words that are taken when both sides are ready
module etrace_base_fpga_word_register_width138 (
    input  wire         clock,
    input  wire         reset,
    input  wire         in_valid,
    input  wire [137:0] in_word,
    output wire         in_ready,
    output wire         out_valid,
    output wire [137:0] out_word,
    input  wire         out_ready
);

    reg          held_valid;
    reg  [137:0] held;

    assign in_ready = out_ready | !held_valid;
    assign out_valid = held_valid;
    assign out_word = held;

    always @(posedge clock) begin
        if (reset) begin
            held_valid <= 1'b0;
        end else begin
            if (in_ready) begin
                held_valid <= in_valid;
            end
        end
    end

    always @(posedge clock) begin
        if (in_ready) begin
            held <= in_word;
        end
    end

endmodule

// How many bits of each field are sent
module etrace_base_fpga_payload_sizes (
    input  wire         clock,
    input  wire         reset,
    input  wire         counted_valid,
    input  wire [130:0] counted,
    output wire         counted_ready,
    output wire         sized_valid,
    output wire [137:0] sized,
    input  wire         sized_ready
);

    wire [118:0] known;
    wire [84:0]  plan;
    wire [51:0]  record;
    wire [137:0] made;
    wire [4:0]   branches; // branches in a map before an address
    wire [4:0]   whole_map; // bits of the map that all branches have
    wire [6:0]   limit; // bits of the field that is cut
    wire [6:0]   low;
    wire [6:0]   high; // bits above that
    wire [3:0]   rest_bits;

    wire [118:0] counted_known = counted[118:0];
    wire [6:0]   counted_sent = counted[130:124];
    wire [84:0]  known_plan = known[84:0];
    wire         known_cuts_map = known[117];
    wire [51:0]  plan_record = plan[51:0];
    wire         record_plain = record[7];
    wire         record_mapped = record[8];
    wire [4:0]   record_branch_count = record[20:16];

    etrace_base_fpga_word_register_width138 step_register (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (counted_valid),
        .in_word   (made),
        .in_ready  (counted_ready),
        .out_valid (sized_valid),
        .out_word  (sized),
        .out_ready (sized_ready)
    );

    assign known = counted_known;
    assign plan = known_plan;
    assign record = plan_record;
    assign branches = (record_plain | record_mapped) ? record_branch_count : 5'd0;

    assign whole_map =
        branches | {1'b0, branches[4:1]} | {2'd0, branches[4:2]} | {3'd0, branches[4:3]} |
        {4'd0, branches[4]};

    assign limit = known_cuts_map ? {2'd0, whole_map} : 7'd31;
    assign low = (counted_sent > limit) ? limit : counted_sent;
    assign high = (counted_sent > limit) ? counted_sent - limit : 7'd0;
    assign rest_bits = known_cuts_map ? 4'd0 : high[3:0];

    assign made = {
        rest_bits,
        (known_cuts_map ? high[4:0] : low[4:0]),
        (known_cuts_map ? low[4:0] : whole_map),
        counted[123:0]
    };

    wire _unused_ok = &{
        1'b0,
        known[116:85],
        known[118],
        plan[84:52],
        record[6:0],
        record[15:9],
        record[51:21],
        low[6:5],
        high[6:5]
    };

endmodule

// Cuts a payload, and what may go instead
module etrace_base_fpga_payload_assembly (
    input  wire [137:0] sized,
    output wire [112:0] record // the record without payloads of format 0
);

    wire [118:0] known;
    wire [84:0]  plan;
    wire [51:0]  planned;
    wire [32:0]  cutting;
    wire         first;
    wire         others;
    wire [8:0]   rest_ones;
    wire [30:0]  cut; // bits of the value that are not sent
    wire [8:0]   rest_cut; // bits after the rest

    wire [118:0] sized_known = sized[118:0];
    wire [4:0]   sized_bytes = sized[123:119];
    wire [4:0]   sized_map_bits = sized[128:124];
    wire [4:0]   sized_size = sized[133:129];
    wire [3:0]   sized_rest_bits = sized[137:134];
    wire [84:0]  known_plan = known[84:0];
    wire [30:0]  known_value = known[115:85];
    wire         known_sign = known[116];
    wire [51:0]  plan_record = plan[51:0];
    wire [32:0]  plan_cutting = plan[84:52];
    wire         planned_sends_payload = planned[2];
    wire         planned_full = planned[9];
    wire         cutting_notify = cutting[31];
    wire         cutting_updiscon = cutting[32];

    assign known = sized_known;
    assign plan = known_plan;
    assign planned = plan_record;
    assign cutting = plan_cutting;
    assign first = known_sign ^ cutting_notify;
    assign others = known_sign ^ (cutting_notify | cutting_updiscon);
    assign rest_ones = {{8{others}}, first};
    assign cut = 31'h7fffffff << sized_size;
    assign rest_cut = 9'd511 << sized_rest_bits;

    assign record = {
        sized_rest_bits,
        rest_ones & ~rest_cut,
        sized_size,
        known_value & ~cut,
        sized_map_bits,
        planned[51:16],
        sized_bytes,
        planned[15:10],
        planned_sends_payload & (|sized_rest_bits),
        (|sized_size) & (planned_sends_payload & !planned_full),
        planned[9:0]
    };

    wire _unused_ok = &{1'b0, known[118:117], cutting[30:0]};

endmodule

// Records wait here before their payloads are cut, a step in each cycle, so the queue of the back end is not there
module etrace_base_fpga_payload_steps (
    input  wire         clock,
    input  wire         reset,
    input  wire         planned_valid,
    input  wire [84:0]  planned,
    output wire         planned_ready,
    output wire         record_valid,
    output wire [112:0] record,
    input  wire         record_ready,
    output wire         is_empty // no record is inside
);

    wire         record_queue_out_valid;
    wire [84:0]  record_queue_out_word;
    wire         address_difference_planned_ready;
    wire         address_difference_differing_valid;
    wire [115:0] address_difference_differing;
    wire         payload_sign_differing_ready;
    wire         payload_sign_with_sign_valid;
    wire [149:0] payload_sign_with_sign;
    wire         payload_search_with_sign_ready;
    wire         payload_search_grouped_valid;
    wire [128:0] payload_search_grouped;
    wire         payload_least_grouped_ready;
    wire         payload_least_found_valid;
    wire [132:0] payload_least_found;
    wire         payload_bytes_found_ready;
    wire         payload_bytes_counted_valid;
    wire [130:0] payload_bytes_counted;
    wire         payload_sizes_counted_ready;
    wire [137:0] payload_sizes_sized;

    etrace_base_fpga_fifo_depth2_width85 record_queue (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (planned_valid),
        .in_word   (planned),
        .in_ready  (planned_ready),
        .out_valid (record_queue_out_valid),
        .out_word  (record_queue_out_word),
        .out_ready (address_difference_planned_ready)
    );

    etrace_base_fpga_address_difference address_difference (
        .clock           (clock),
        .reset           (reset),
        .planned_valid   (record_queue_out_valid),
        .planned         (record_queue_out_word),
        .planned_ready   (address_difference_planned_ready),
        .differing_valid (address_difference_differing_valid),
        .differing       (address_difference_differing),
        .differing_ready (payload_sign_differing_ready)
    );

    etrace_base_fpga_payload_sign payload_sign (
        .clock           (clock),
        .reset           (reset),
        .differing_valid (address_difference_differing_valid),
        .differing       (address_difference_differing),
        .differing_ready (payload_sign_differing_ready),
        .with_sign_valid (payload_sign_with_sign_valid),
        .with_sign       (payload_sign_with_sign),
        .with_sign_ready (payload_search_with_sign_ready)
    );

    etrace_base_fpga_payload_search payload_search (
        .clock           (clock),
        .reset           (reset),
        .with_sign_valid (payload_sign_with_sign_valid),
        .with_sign       (payload_sign_with_sign),
        .with_sign_ready (payload_search_with_sign_ready),
        .grouped_valid   (payload_search_grouped_valid),
        .grouped         (payload_search_grouped),
        .grouped_ready   (payload_least_grouped_ready)
    );

    etrace_base_fpga_payload_least payload_least (
        .clock         (clock),
        .reset         (reset),
        .grouped_valid (payload_search_grouped_valid),
        .grouped       (payload_search_grouped),
        .grouped_ready (payload_least_grouped_ready),
        .found_valid   (payload_least_found_valid),
        .found         (payload_least_found),
        .found_ready   (payload_bytes_found_ready)
    );

    etrace_base_fpga_payload_bytes payload_bytes (
        .clock         (clock),
        .reset         (reset),
        .found_valid   (payload_least_found_valid),
        .found         (payload_least_found),
        .found_ready   (payload_bytes_found_ready),
        .counted_valid (payload_bytes_counted_valid),
        .counted       (payload_bytes_counted),
        .counted_ready (payload_sizes_counted_ready)
    );

    etrace_base_fpga_payload_sizes payload_sizes (
        .clock         (clock),
        .reset         (reset),
        .counted_valid (payload_bytes_counted_valid),
        .counted       (payload_bytes_counted),
        .counted_ready (payload_sizes_counted_ready),
        .sized_valid   (record_valid),
        .sized         (payload_sizes_sized),
        .sized_ready   (record_ready)
    );

    etrace_base_fpga_payload_assembly payload_assembly (
        .sized  (payload_sizes_sized),
        .record (record)
    );

    assign is_empty =
        !record_queue_out_valid & !address_difference_differing_valid & !payload_sign_with_sign_valid &
        !payload_search_grouped_valid & !payload_least_found_valid & !payload_bytes_counted_valid &
        !record_valid;

endmodule

// A record leaves in the cycle of its block; an exception may make two, and the second leaves in the next cycle
module etrace_base_fpga_encoder (
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
    output wire [112:0] record,
    input  wire         record_ready
);

    wire [84:0] plan;
    wire        record_former_is_busy;
    wire        record_former_record_valid;
    wire [51:0] record_former_record;
    wire [32:0] record_former_cutting;
    wire        payload_steps_planned_ready;
    wire        payload_steps_is_empty;

    etrace_base_fpga_record_former record_former (
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
        .record_ready       (payload_steps_planned_ready),
        .is_busy            (record_former_is_busy),
        .record_valid       (record_former_record_valid),
        .record             (record_former_record),
        .cutting            (record_former_cutting)
    );

    etrace_base_fpga_payload_steps payload_steps (
        .clock         (clock),
        .reset         (reset),
        .planned_valid (record_former_record_valid),
        .planned       (plan),
        .planned_ready (payload_steps_planned_ready),
        .record_valid  (record_valid),
        .record        (record),
        .record_ready  (record_ready),
        .is_empty      (payload_steps_is_empty)
    );

    assign ready = payload_steps_planned_ready & !record_former_is_busy;
    assign is_empty = payload_steps_is_empty & !record_former_is_busy;
    assign plan = {record_former_cutting, record_former_record};

    wire _unused_ok = &{1'b0, clear_valid};

endmodule

// Sends a record slot by slot, a large slot piece by piece, with a register between the choice of a slot and its pieces
module etrace_base_fpga_slot_encoder (
    input  wire         clock,
    input  wire         reset,
    input  wire         record_valid,
    input  wire [112:0] record,
    output wire         record_ready,
    output wire         piece_valid,
    output wire [7:0]   piece, // zero above piece_bits
    output wire [3:0]   piece_bits, // bits of the piece, the first one lowest
    output wire         piece_last, // fill the trace word up with zeros after the piece
    input  wire         piece_ready,
    output wire         is_empty // no record and no slot is inside
);

    reg          held_valid;
    reg  [112:0] held_record;
    reg  [12:0]  held_stages; // stages of the held record that are not out
    reg  [12:0]  held_current; // one hot: the lowest of them
    reg          slot_valid;
    reg  [30:0]  slot_value; // what is left of the slot
    reg  [4:0]   slot_bits;
    reg          slot_more; // more than a piece is left
    reg          slot_last;
    reg  [19:0]  flags; // slots that are sent
    reg  [12:0]  stages; // stages that send one
    wire [12:0]  rest; // stages that are not out after this one
    reg  [19:0]  active; // one hot: the slot that comes next
    wire         is_last;
    wire [2:0]   idle_value_2;
    wire [4:0]   payload_value;
    wire         synchronises_value;
    wire [4:0]   branches_value_2;
    wire [30:0]  mapped_value;
    wire         trap_value_3;
    wire [30:0]  address_value;
    wire [30:0]  full_value;
    wire [8:0]   rest_value;
    wire         flush_value_3;
    wire [4:0]   mapped_raw_size;
    wire [4:0]   address_raw_size;
    wire [4:0]   full_raw_size;
    wire [3:0]   rest_raw_size;
    wire [4:0]   rest_size;
    wire [30:0]  picked_1; // the value of the slot, if it comes next, and its bits
    wire [30:0]  picked_2; // the value of the slot, if it comes next, and its bits
    wire [30:0]  picked_3; // the value of the slot, if it comes next, and its bits
    wire [30:0]  picked_4; // the value of the slot, if it comes next, and its bits
    wire [30:0]  picked_5; // the value of the slot, if it comes next, and its bits
    wire [30:0]  picked_6; // the value of the slot, if it comes next, and its bits
    wire [30:0]  picked_7; // the value of the slot, if it comes next, and its bits
    wire [30:0]  picked_8; // the value of the slot, if it comes next, and its bits
    wire [30:0]  picked_11; // the value of the slot, if it comes next, and its bits
    wire [30:0]  picked_12; // the value of the slot, if it comes next, and its bits
    wire [30:0]  picked_13; // the value of the slot, if it comes next, and its bits
    wire [30:0]  picked_14; // the value of the slot, if it comes next, and its bits
    wire [30:0]  picked_15; // the value of the slot, if it comes next, and its bits
    wire [30:0]  picked_16; // the value of the slot, if it comes next, and its bits
    wire [30:0]  picked_17; // the value of the slot, if it comes next, and its bits
    wire [30:0]  picked_18; // the value of the slot, if it comes next, and its bits
    wire [4:0]   picked_bits_0;
    wire [4:0]   picked_bits_1;
    wire [4:0]   picked_bits_2;
    wire [4:0]   picked_bits_3;
    wire [4:0]   picked_bits_4;
    wire [4:0]   picked_bits_5;
    wire [4:0]   picked_bits_6;
    wire [4:0]   picked_bits_7;
    wire [4:0]   picked_bits_8;
    wire [4:0]   picked_bits_9;
    wire [4:0]   picked_bits_10;
    wire [4:0]   picked_bits_11;
    wire [4:0]   picked_bits_12;
    wire [4:0]   picked_bits_13;
    wire [4:0]   picked_bits_14;
    wire [4:0]   picked_bits_15;
    wire [4:0]   picked_bits_16;
    wire [4:0]   picked_bits_17;
    wire [4:0]   picked_bits_18;
    wire [4:0]   picked_bits_19;
    wire [30:0]  chosen;
    wire [4:0]   chosen_bits;
    wire         is_free; // the last piece of the slot is taken, or there is none
    wire [4:0]   left;

    always @* begin
        flags = 20'd0;
        if (held_record[1]) begin
            flags = 20'd3;
        end
        if (held_record[2]) begin
            flags[2] = 1'b1;
        end
        if (held_record[3]) begin
            flags[3] = 1'b1;
        end
        if (held_record[4]) begin
            flags[4] = 1'b1;
        end
        if (held_record[6]) begin
            flags[5] = 1'b1;
        end
        if (held_record[7]) begin
            flags[6] = 1'b1;
        end
        if (held_record[5]) begin
            flags[7] = 1'b1;
        end
        if (held_record[6]) begin
            flags[8] = 1'b1;
        end
        if (held_record[3]) begin
            flags[9] = 1'b1;
        end
        if (held_record[4]) begin
            flags[10] = 1'b1;
        end
        if (held_record[8]) begin
            flags[11] = 1'b1;
        end
        if (held_record[4]) begin
            flags[12] = 1'b1;
        end
        if (held_record[10]) begin
            flags[13] = 1'b1;
        end
        if (held_record[9]) begin
            flags[14] = 1'b1;
        end
        if (held_record[11]) begin
            flags[15] = 1'b1;
        end
        if (held_record[0]) begin
            flags[16] = 1'b1;
            flags[17] = 1'b1;
            flags[18] = 1'b1;
            flags[19] = 1'b1;
        end
    end

    always @* begin
        stages = 13'd0;
        if (record[1]) begin
            stages = 13'd3;
        end
        if (record[2]) begin
            stages[2] = 1'b1;
        end
        if (record[3] || record[4] || record[6] || record[7]) begin
            stages[3] = 1'b1;
        end
        if (record[5] || record[6]) begin
            stages[4] = 1'b1;
        end
        if (record[3] || record[4] || record[8]) begin
            stages[5] = 1'b1;
        end
        if (record[4]) begin
            stages[6] = 1'b1;
        end
        if (record[10] || record[9]) begin
            stages[7] = 1'b1;
        end
        if (record[11]) begin
            stages[8] = 1'b1;
        end
        if (record[0]) begin
            stages[9] = 1'b1;
            stages[10] = 1'b1;
            stages[11] = 1'b1;
            stages[12] = 1'b1;
        end
    end

    always @* begin
        active = 20'd0;
        if (held_current[0]) begin
            active = {19'd0, flags[0]};
        end
        if (held_current[1]) begin
            active[1] = flags[1];
        end
        if (held_current[2]) begin
            active[2] = flags[2];
        end
        if (held_current[3]) begin
            active[3] = flags[3];
            active[4] = flags[4];
            active[5] = flags[5];
            active[6] = flags[6];
        end
        if (held_current[4]) begin
            active[7] = flags[7];
            active[8] = flags[8];
        end
        if (held_current[5]) begin
            active[9] = flags[9];
            active[10] = flags[10];
            active[11] = flags[11];
        end
        if (held_current[6]) begin
            active[12] = flags[12];
        end
        if (held_current[7]) begin
            active[13] = flags[13];
            active[14] = flags[14];
        end
        if (held_current[8]) begin
            active[15] = flags[15];
        end
        if (held_current[9]) begin
            active[16] = flags[16];
        end
        if (held_current[10]) begin
            active[17] = flags[17];
        end
        if (held_current[11]) begin
            active[18] = flags[18];
        end
        if (held_current[12]) begin
            active[19] = flags[19];
        end
    end

    assign chosen =
        picked_1 | picked_2 | picked_3 | picked_4 | picked_5 | picked_6 | picked_7 | picked_8 | picked_11 |
        picked_12 | picked_13 | picked_14 | picked_15 | picked_16 | picked_17 | picked_18;

    assign chosen_bits =
        picked_bits_0 | picked_bits_1 | picked_bits_2 | picked_bits_3 | picked_bits_4 | picked_bits_5 |
        picked_bits_6 | picked_bits_7 | picked_bits_8 | picked_bits_9 | picked_bits_10 | picked_bits_11 |
        picked_bits_12 | picked_bits_13 | picked_bits_14 | picked_bits_15 | picked_bits_16 |
        picked_bits_17 | picked_bits_18 | picked_bits_19;

    assign picked_bits_0 = active[0] ? 5'd5 : 5'd0;
    assign idle_value_2 = held_record[17:15];
    assign picked_1 = active[1] ? {28'd0, idle_value_2} : 31'd0;
    assign picked_bits_1 = active[1] ? 5'd3 : 5'd0;
    assign payload_value = held_record[22:18];
    assign picked_2 = active[2] ? {26'd0, payload_value} : 31'd0;
    assign picked_bits_2 = active[2] ? 5'd5 : 5'd0;
    assign picked_3 = active[3] ? 31'd24 : 31'd0;
    assign picked_bits_3 = active[3] ? 5'd7 : 5'd0;
    assign picked_4 = active[4] ? 31'd56 : 31'd0;
    assign picked_bits_4 = active[4] ? 5'd7 : 5'd0;
    assign picked_5 = {27'd0, active[5], 3'd0};
    assign picked_bits_5 = active[5] ? 5'd5 : 5'd0;
    assign picked_6 = {26'd0, active[6], 4'd0};
    assign picked_bits_6 = active[6] ? 5'd5 : 5'd0;
    assign synchronises_value = held_record[12];
    assign picked_7 = {30'd0, active[7] & synchronises_value};
    assign picked_bits_7 = {4'd0, active[7]};
    assign branches_value_2 = held_record[27:23];
    assign picked_8 = active[8] ? {26'd0, branches_value_2} : 31'd0;
    assign picked_bits_8 = active[8] ? 5'd5 : 5'd0;
    assign picked_bits_9 = {3'd0, active[9], 1'b0};
    assign picked_bits_10 = active[10] ? 5'd9 : 5'd0;
    assign mapped_value = held_record[58:28];
    assign mapped_raw_size = held_record[63:59];
    assign picked_11 = active[11] ? mapped_value : 31'd0;
    assign picked_bits_11 = active[11] ? mapped_raw_size : 5'd0;
    assign trap_value_3 = held_record[13];
    assign picked_12 = {30'd0, active[12] & trap_value_3};
    assign picked_bits_12 = {4'd0, active[12]};
    assign address_value = held_record[94:64];
    assign address_raw_size = held_record[99:95];
    assign picked_13 = active[13] ? address_value : 31'd0;
    assign picked_bits_13 = active[13] ? address_raw_size : 5'd0;
    assign full_value = held_record[94:64];
    assign full_raw_size = held_record[99:95];
    assign picked_14 = active[14] ? full_value : 31'd0;
    assign picked_bits_14 = active[14] ? full_raw_size : 5'd0;
    assign rest_value = held_record[108:100];
    assign rest_size = {1'b0, rest_raw_size};
    assign rest_raw_size = held_record[112:109];
    assign picked_15 = active[15] ? {22'd0, rest_value} : 31'd0;
    assign picked_bits_15 = active[15] ? rest_size : 5'd0;
    assign picked_16 = active[16] ? 31'd3842 : 31'd0;
    assign picked_bits_16 = active[16] ? 5'd12 : 5'd0;
    assign picked_17 = active[17] ? 31'd5 : 31'd0;
    assign picked_bits_17 = active[17] ? 5'd3 : 5'd0;
    assign flush_value_3 = held_record[14];
    assign picked_18 = {30'd0, active[18] & flush_value_3};
    assign picked_bits_18 = {4'd0, active[18]};
    assign picked_bits_19 = {1'b0, active[19], 3'd0};
    assign rest = held_stages & ~held_current;
    assign is_last = !(|rest);
    assign left = slot_bits - 5'd8;
    assign piece_valid = slot_valid;
    assign piece = slot_value[7:0];
    assign piece_bits = slot_more ? 4'd8 : slot_bits[3:0];
    assign piece_last = slot_last & !slot_more;
    assign is_free = !slot_valid | (piece_ready & !slot_more);
    assign record_ready = !held_valid;
    assign is_empty = !held_valid & !slot_valid;

    always @(posedge clock) begin
        if (reset) begin
            held_valid <= 1'b0;
            slot_valid <= 1'b0;
        end else begin
            if (is_free) begin
                slot_valid <= held_valid;
                if (is_last) begin
                    held_valid <= 1'b0;
                end
            end
            if (!held_valid) begin
                held_valid <= record_valid;
            end
        end
    end

    always @(posedge clock) begin
        if (piece_ready) begin
            slot_value <= {8'd0, slot_value[30:8]};
            slot_bits <= left;
            slot_more <= left > 5'd8;
        end
        if (is_free) begin
            slot_value <= chosen;
            slot_bits <= chosen_bits;
            slot_more <= chosen_bits > 5'd8;
            slot_last <= held_record[0] & is_last;
            held_stages <= rest;
            held_current <= rest & (~rest + 13'd1);
        end
        if (!held_valid) begin
            held_record <= record;
            held_stages <= stages;
            held_current <= stages & (~stages + 13'd1);
        end
    end

endmodule

// A register for words that are taken when both sides are ready
module etrace_base_fpga_word_register_width13 (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid,
    input  wire [12:0] in_word,
    output wire        in_ready,
    output wire        out_valid,
    output wire [12:0] out_word,
    input  wire        out_ready
);

    reg         held_valid;
    reg  [12:0] held;

    assign in_ready = out_ready | !held_valid;
    assign out_valid = held_valid;
    assign out_word = held;

    always @(posedge clock) begin
        if (reset) begin
            held_valid <= 1'b0;
        end else begin
            if (in_ready) begin
                held_valid <= in_valid;
            end
        end
    end

    always @(posedge clock) begin
        if (in_ready) begin
            held <= in_word;
        end
    end

endmodule

// A register for words that are taken when both sides are ready
module etrace_base_fpga_word_register_width17 (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid,
    input  wire [16:0] in_word,
    output wire        in_ready,
    output wire        out_valid,
    output wire [16:0] out_word,
    input  wire        out_ready
);

    reg         held_valid;
    reg  [16:0] held;

    assign in_ready = out_ready | !held_valid;
    assign out_valid = held_valid;
    assign out_word = held;

    always @(posedge clock) begin
        if (reset) begin
            held_valid <= 1'b0;
        end else begin
            if (in_ready) begin
                held_valid <= in_valid;
            end
        end
    end

    always @(posedge clock) begin
        if (in_ready) begin
            held <= in_word;
        end
    end

endmodule

// Does what the bit packer does in steps with registers between them: the places of pieces in the trace words are counted, a piece is shifted to its place, and joined with those before it; the words that it completes leave one in a cycle
module etrace_base_fpga_registered_bit_packer (
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

    reg  [2:0]  position; // bits of the trace word at hand before the next piece
    reg  [6:0]  held; // the bits of the trace word at hand
    reg  [15:0] leaving; // words that wait to leave
    reg  [1:0]  leaving_words;
    wire [4:0]  sum;
    wire [1:0]  whole_words;
    wire [2:0]  rest;
    wire [1:0]  words;
    wire [12:0] placed;
    wire [12:0] shifting;
    wire [16:0] shifted;
    wire [16:0] joining;
    wire [14:0] joined;
    wire        is_free; // all words that wait have left after this cycle
    wire        joins; // a piece is joined
    wire        placed_register_out_valid;
    wire        shifted_register_in_ready;
    wire        shifted_register_out_valid;
    wire        shifted_register_out_ready;

    wire [7:0]  shifting_piece = shifting[7:0];
    wire [2:0]  shifting_place = shifting[10:8];
    wire [1:0]  shifting_words = shifting[12:11];
    wire [14:0] joining_piece = joining[14:0];
    wire [1:0]  joining_words = joining[16:15];

    etrace_base_fpga_word_register_width13 placed_register (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (piece_valid),
        .in_word   (placed),
        .in_ready  (piece_ready),
        .out_valid (placed_register_out_valid),
        .out_word  (shifting),
        .out_ready (shifted_register_in_ready)
    );

    etrace_base_fpga_word_register_width17 shifted_register (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (placed_register_out_valid),
        .in_word   (shifted),
        .in_ready  (shifted_register_in_ready),
        .out_valid (shifted_register_out_valid),
        .out_word  (joining),
        .out_ready (shifted_register_out_ready)
    );

    assign sum = {2'd0, position} + {1'b0, piece_bits};
    assign whole_words = sum[4:3];
    assign rest = sum[2:0];
    assign words = (piece_last && (|rest)) ? whole_words + 2'd1 : whole_words;
    assign placed = {words, position, piece};
    assign shifted = {shifting_words, {7'd0, shifting_piece} << shifting_place};
    assign is_free = (leaving_words == 2'd1) ? word_ready : !(|leaving_words);
    assign shifted_register_out_ready = is_free | !(|joining_words);
    assign joins = shifted_register_out_valid & (is_free | !(|joining_words));
    assign joined = {8'd0, held} | joining_piece;
    assign word = leaving[7:0];
    assign word_valid = |leaving_words;

    assign is_empty =
        !(|position) & !placed_register_out_valid & !shifted_register_out_valid & !(|leaving_words);

    always @(posedge clock) begin
        if (reset) begin
            position <= 3'd0;
            held <= 7'd0;
            leaving_words <= 2'd0;
        end else begin
            if (piece_valid && piece_ready) begin
                position <= rest;
                if (piece_last) begin
                    position <= 3'd0;
                end
            end
            if (word_ready && (|leaving_words)) begin
                leaving_words <= leaving_words - 2'd1;
            end
            if (joins) begin
                held <= joined[6:0];
                if (joining_words == 2'd1) begin
                    held <= joined[14:8];
                end
                if (joining_words == 2'd2) begin
                    held <= 7'd0;
                end
                if (|joining_words) begin
                    leaving_words <= joining_words;
                end
            end
        end
    end

    always @(posedge clock) begin
        if (word_ready && (|leaving_words)) begin
            leaving <= {8'd0, leaving[15:8]};
        end
        if (joins) begin
            if (|joining_words) begin
                leaving <= {1'b0, joined};
            end
        end
    end

endmodule

// Words in their order, the oldest shown at once: depth words of width bits
module etrace_base_fpga_fifo_depth10_width8_has_level1 (
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
module etrace_base_fpga_trace_port (
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
module etrace_base_fpga_back_end (
    input  wire         clock,
    input  wire         reset,
    input  wire         record_valid,
    input  wire [112:0] record,
    output wire         record_ready,
    output wire         is_empty, // no record, piece or trace word is inside
    output wire         trace_data, // trace bits
    output wire         trace_valid, // a beat is ready
    input  wire         trace_ready, // the sink takes the beat
    output wire [3:0]   buffered_words // trace words in the output FIFO
);

    wire [7:0]  piece; // zero above piece_bits
    wire [3:0]  piece_bits; // bits of the piece, the first one lowest
    wire        piece_last; // fill the trace word up with zeros after the piece
    wire [12:0] whole_piece;
    wire [12:0] held_piece;
    wire        piece_is_gone;
    wire        serial_encoder_piece_valid;
    wire        serial_encoder_is_empty;
    wire        piece_register_in_ready;
    wire        piece_register_out_valid;
    wire        bit_packer_piece_ready;
    wire        bit_packer_word_valid;
    wire [7:0]  bit_packer_word;
    wire        bit_packer_is_empty;
    wire        output_fifo_in_ready;
    wire        output_fifo_out_valid;
    wire [7:0]  output_fifo_out_word;
    wire        trace_port_word_ready;

    wire [7:0] held_piece_piece = held_piece[7:0];
    wire [3:0] held_piece_bits = held_piece[11:8];
    wire       held_piece_last = held_piece[12];

    etrace_base_fpga_slot_encoder serial_encoder (
        .clock        (clock),
        .reset        (reset),
        .record_valid (record_valid),
        .record       (record),
        .record_ready (record_ready),
        .piece_valid  (serial_encoder_piece_valid),
        .piece        (piece),
        .piece_bits   (piece_bits),
        .piece_last   (piece_last),
        .piece_ready  (piece_register_in_ready),
        .is_empty     (serial_encoder_is_empty)
    );

    etrace_base_fpga_word_register_width13 piece_register (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (serial_encoder_piece_valid),
        .in_word   (whole_piece),
        .in_ready  (piece_register_in_ready),
        .out_valid (piece_register_out_valid),
        .out_word  (held_piece),
        .out_ready (bit_packer_piece_ready)
    );

    etrace_base_fpga_registered_bit_packer bit_packer (
        .clock       (clock),
        .reset       (reset),
        .piece_valid (piece_register_out_valid),
        .piece       (held_piece_piece),
        .piece_bits  (held_piece_bits),
        .piece_last  (held_piece_last),
        .piece_ready (bit_packer_piece_ready),
        .word_valid  (bit_packer_word_valid),
        .word        (bit_packer_word),
        .word_ready  (output_fifo_in_ready),
        .is_empty    (bit_packer_is_empty)
    );

    etrace_base_fpga_fifo_depth10_width8_has_level1 output_fifo (
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

    etrace_base_fpga_trace_port trace_port (
        .clock       (clock),
        .reset       (reset),
        .word_valid  (output_fifo_out_valid),
        .word        (output_fifo_out_word),
        .word_ready  (trace_port_word_ready),
        .trace_valid (trace_valid),
        .trace_data  (trace_data),
        .trace_ready (trace_ready)
    );

    assign whole_piece = {piece_last, piece_bits, piece};
    assign piece_is_gone = !piece_register_out_valid;

    assign is_empty =
        serial_encoder_is_empty & piece_is_gone & bit_packer_is_empty & !output_fifo_out_valid;

endmodule

// Record former, encoder, buffer and port
module etrace_base_fpga (
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
    wire [112:0] encoder_record;
    wire         back_end_record_ready;
    wire         back_end_is_empty;

    etrace_base_fpga_sequencer sequencer (
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

    etrace_base_fpga_retire_decoder retire_decoder (
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

    etrace_base_fpga_encoder encoder (
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

    etrace_base_fpga_back_end back_end (
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
