// etrace-full of Tracewright, made by `tracewright generate`.
//   address_width = 32
//   alignment = 1
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 79
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   trap_cause_bits = 6
//   return_stack_entries = 8
//   jump_target_cache_entries = 64
//   branch_predictor_entries = 64

// Clears the tables after reset, and takes the module through a flush
module etrace_full_sequencer (
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
module etrace_full_retire_decoder (
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

// Says how many bits are sent of the fields of a payload
module etrace_full_payload_cut (
    input  wire [30:0] value, // the last value, its sign in all bits above its own
    input  wire        trap, // the payload is a trap
    input  wire        start, // the payload is a start
    input  wire        full, // the payload is a full map, which is the value
    input  wire [30:0] map, // a map before the value, zero above its branches
    input  wire [4:0]  branches, // branches in it
    input  wire        notify, // the payload is an address that no jump and no end asks for
    input  wire        updiscon, // the payload is an address where the trace ends after a jump
    input  wire        irreport, // the payload says the depth of the stack of return addresses
    input  wire [3:0]  depth,
    input  wire        counted, // a count of branches goes before the address
    output wire [4:0]  bytes, // bytes of the payload
    output wire [4:0]  map_bits, // bits of the map
    output wire [4:0]  size, // bits of the value
    output wire [30:0] kept, // the value, zero above these
    output wire [13:0] rest, // what follows the value, zero above its bits
    output wire [3:0]  rest_bits // bits of that
);

    wire        sign;
    wire [30:0] magnitude; // where the value differs from its sign
    wire        cuts_map; // the map is cut, too
    wire [30:0] searched;
    reg  [6:0]  found; // bits up to the highest one
    wire [4:0]  whole_map; // bits of the map that all branches have
    wire [6:0]  map_head;
    wire [6:0]  head;
    wire [6:0]  least;
    wire [6:0]  rounded;
    wire [6:0]  sent;
    wire [6:0]  limit; // bits of the field that is cut
    wire [6:0]  low;
    wire [6:0]  high; // bits above that
    wire        first;
    wire        others;
    wire [13:0] rest_ones;
    wire [30:0] cut; // bits of the value that are not sent
    wire [13:0] rest_cut; // bits after the rest
    wire        depth_sign;
    wire [3:0]  depth_magnitude; // where the depth differs from its sign
    wire [6:0]  depth_found; // bits up to the highest one
    wire [13:0] signed_depth;
    wire [13:0] before_depth; // bits before the depth

    assign whole_map =
        branches | {1'b0, branches[4:1]} | {2'd0, branches[4:2]} | {3'd0, branches[4:3]} |
        {4'd0, branches[4]};

    assign sign = value[30] & !trap;
    assign magnitude = sign ? ~value : value;
    assign cuts_map = !(|value) & (|branches) & !(notify | updiscon | irreport);
    assign searched = cuts_map ? map : magnitude;

    always @* begin
        found = 7'd0;
        if (searched[0]) begin
            found = 7'd1;
        end
        if (searched[1]) begin
            found = 7'd2;
        end
        if (searched[2]) begin
            found = 7'd3;
        end
        if (searched[3]) begin
            found = 7'd4;
        end
        if (searched[4]) begin
            found = 7'd5;
        end
        if (searched[5]) begin
            found = 7'd6;
        end
        if (searched[6]) begin
            found = 7'd7;
        end
        if (searched[7]) begin
            found = 7'd8;
        end
        if (searched[8]) begin
            found = 7'd9;
        end
        if (searched[9]) begin
            found = 7'd10;
        end
        if (searched[10]) begin
            found = 7'd11;
        end
        if (searched[11]) begin
            found = 7'd12;
        end
        if (searched[12]) begin
            found = 7'd13;
        end
        if (searched[13]) begin
            found = 7'd14;
        end
        if (searched[14]) begin
            found = 7'd15;
        end
        if (searched[15]) begin
            found = 7'd16;
        end
        if (searched[16]) begin
            found = 7'd17;
        end
        if (searched[17]) begin
            found = 7'd18;
        end
        if (searched[18]) begin
            found = 7'd19;
        end
        if (searched[19]) begin
            found = 7'd20;
        end
        if (searched[20]) begin
            found = 7'd21;
        end
        if (searched[21]) begin
            found = 7'd22;
        end
        if (searched[22]) begin
            found = 7'd23;
        end
        if (searched[23]) begin
            found = 7'd24;
        end
        if (searched[24]) begin
            found = 7'd25;
        end
        if (searched[25]) begin
            found = 7'd26;
        end
        if (searched[26]) begin
            found = 7'd27;
        end
        if (searched[27]) begin
            found = 7'd28;
        end
        if (searched[28]) begin
            found = 7'd29;
        end
        if (searched[29]) begin
            found = 7'd30;
        end
        if (searched[30]) begin
            found = 7'd31;
        end
    end

    assign map_head = ((|branches) || full) ? 7'd7 : 7'd2;

    assign head =
        counted ? 7'd37 :
        start ? 7'd7 :
        trap ? 7'd15 :
        cuts_map ? map_head :
        map_head + {2'd0, whole_map};

    assign least =
        irreport ? 7'd34 + depth_found :
        (notify || updiscon) ? 7'd31 + {6'd0, updiscon} :
        found;

    assign depth_sign = depth[3];
    assign depth_magnitude = depth_sign ? ~depth : depth;

    assign depth_found =
        depth_magnitude[3] ? 7'd4 :
        depth_magnitude[2] ? 7'd3 :
        depth_magnitude[1] ? 7'd2 :
        {6'd0, depth_magnitude[0]};

    assign rounded = head + least + 7'd8;
    assign bytes = {1'b0, rounded[6:3]};
    assign sent = {rounded[6:3], 3'd0} - head;
    assign limit = cuts_map ? {2'd0, whole_map} : 7'd31;
    assign low = (sent > limit) ? limit : sent;
    assign high = (sent > limit) ? sent - limit : 7'd0;
    assign map_bits = cuts_map ? low[4:0] : whole_map;
    assign size = cuts_map ? high[4:0] : low[4:0];
    assign rest_bits = cuts_map ? 4'd0 : high[3:0];
    assign first = sign ^ notify;
    assign others = sign ^ (notify | updiscon);
    assign rest_ones = irreport ? before_depth | {signed_depth[10:0], 3'd0} : {{13{others}}, first};
    assign signed_depth = {{10{depth_sign}}, depth};
    assign before_depth = {11'd0, !others, others, first};
    assign cut = 31'h7fffffff << size;
    assign kept = value & ~cut;
    assign rest_cut = 14'h3fff << rest_bits;
    assign rest = rest_ones & ~rest_cut;

    wire _unused_ok = &{1'b0, rounded[2:0], low[6:5], high[6:5], signed_depth[13:11]};

endmodule

// Shows the top and the depth; pushes, pops or forgets all once per cycle
module etrace_full_return_stack (
    input  wire        clock,
    input  wire        reset,
    input  wire        push, // a call retires
    input  wire [30:0] return_address, // the address that it leaves, in instruction units
    input  wire        pop, // a return to the top retires; only if there is one
    input  wire        forget, // the trace goes on with a start or a trap
    output wire [30:0] top, // the address that a return should go to, if the depth is not 0
    output wire [3:0]  depth // addresses on the stack
);

    reg  [2:0]  free; // where the next address goes
    reg  [3:0]  held;
    wire        is_full;
    wire [2:0]  entries_read_address;
    wire [30:0] entries_read_data;
    reg  [30:0] entries_cells [0:7];

    assign depth = held;
    assign is_full = held == 4'd8;
    assign entries_read_address = free - 3'd1;
    assign top = entries_read_data;
    assign entries_read_data = entries_cells[entries_read_address];

    always @(posedge clock) begin
        if (reset) begin
            free <= 3'd0;
            held <= 4'd0;
        end else begin
            if (forget) begin
                held <= 4'd0;
            end else if (push) begin
                free <= free + 3'd1;
                if (!is_full) begin
                    held <= held + 4'd1;
                end
            end else if (pop) begin
                free <= free - 3'd1;
                held <= held - 4'd1;
            end
        end
    end

    always @(posedge clock) begin
        if (push) begin
            entries_cells[free] <= return_address;
        end
    end

endmodule

// Infers returns, and keeps the depth that a report of the last instruction has, so that a decoder stops in the right call
module etrace_full_calls (
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
    input  wire [30:0] target_units, // the target of the jump, in instruction units
    input  wire        reports, // the address of the jump before this block is sent
    input  wire        makes_report, // an address is sent
    input  wire        forget, // the trace goes on with a start or a trap
    output wire        infers, // a return to the address on the stack
    output wire        is_failed, // the jump that is pending is a return to another address than that on the stack
    output wire [3:0]  depth, // return addresses on the stack
    output wire        reports_depth, // a report of this block's last instruction says the depth
    output wire [3:0]  last_depth,
    output wire        reported_depth, // the same of the block before
    output wire [3:0]  depth_before
);

    reg         failed;
    reg         has_just_returned; // the last instruction is a return that was inferred
    reg         has_returned; // a return was inferred since the last call, branch or address
    reg         kept_reports;
    reg  [3:0]  kept_depth;
    wire        is_return;
    wire        fails;
    wire        is_call;
    wire [31:0] after_call;
    wire        is_one;
    wire        is_after; // the only instruction since an inferred return
    wire        return_stack_push;
    wire [30:0] return_stack_top;

    etrace_full_return_stack return_stack (
        .clock          (clock),
        .reset          (reset),
        .push           (return_stack_push),
        .return_address (after_call[31:1]),
        .pop            (infers),
        .forget         (forget),
        .top            (return_stack_top),
        .depth          (depth)
    );

    assign is_return =
        retire_valid & retire_indirect & !retire_conditional & retire_return & !retire_call & (|depth);

    assign infers = (return_stack_top == target_units) & is_return;
    assign fails = (return_stack_top != target_units) & is_return;
    assign is_one = retire_count == 4'd1;
    assign is_after = has_just_returned & is_one;

    assign reports_depth =
        !(retire_valid && (|retire_count)) ? kept_reports :
        (reports | retire_conditional) ? is_after :
        is_after | has_returned;

    assign last_depth = (retire_valid && (|retire_count)) ? depth + {3'd0, is_after} : kept_depth;
    assign reported_depth = kept_reports;
    assign depth_before = kept_depth;
    assign is_failed = failed;
    assign is_call = retire_valid & retire_call & (retire_direct | retire_indirect);
    assign after_call = retire_pc + {28'd0, retire_length};
    assign return_stack_push = is_call & retire_taken;

    always @(posedge clock) begin
        if (reset) begin
            failed <= 1'b0;
            has_just_returned <= 1'b0;
            has_returned <= 1'b0;
            kept_reports <= 1'b0;
            kept_depth <= 4'd0;
        end else begin
            if (retire_valid && (|retire_count)) begin
                has_just_returned <= infers;
                failed <= fails;
            end
            kept_reports <= reports_depth;
            kept_depth <= last_depth;
            if (makes_report) begin
                has_returned <= 1'b0;
            end
            if (infers) begin
                has_returned <= 1'b1;
            end
            if ((retire_valid & retire_conditional) || is_call) begin
                has_returned <= 1'b0;
            end
            if (forget) begin
                has_just_returned <= 1'b0;
                has_returned <= 1'b0;
                kept_reports <= 1'b0;
                failed <= 1'b0;
            end
        end
    end

    wire _unused_ok = &{1'b0, retire_exception, retire_target, after_call[0]};

endmodule

// Collects the outcomes of branches, and sends the addresses that the program does not tell
module etrace_full_record_former (
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
    input  wire         counts, // branches are counted, and are in no map
    input  wire         ends, // a payload of branches without an address is sent
    input  wire         is_full, // the address of the branch is sent, as no more are counted
    output wire         is_busy, // the second record of an exception is made
    output wire         record_valid,
    output wire [117:0] record,
    output wire [38:0]  progress,
    output wire [1:0]   collected
);

    localparam [2:0] NOTHING = 3'd0;
    localparam [2:0] RESET = 3'd1;
    localparam [2:0] ENDED = 3'd2;
    localparam [2:0] FIRST = 3'd3;
    localparam [2:0] HANDLER = 3'd4;
    localparam [2:0] START = 3'd5;
    localparam [2:0] TARGET = 3'd6;
    localparam [2:0] MOST_PASSES = 3'd7;

    reg  [2:0]  pending; // what the last block leaves open
    reg  [30:0] pending_address; // where it leads to
    reg  [30:0] last_address; // of the last payload
    reg  [30:0] program_counter; // of the last instruction; of the second record
    reg         has_run; // instructions have retired since the trace began, and it has no address of them
    reg         is_reported; // the last payload has the address of the last instruction, or ends at it
    reg         is_marked; // one instruction has retired between the last address and the exception that is pending
    reg  [4:0]  branch_count;
    reg  [30:0] map; // a bit for each branch, 1 if it was not taken
    reg  [2:0]  passes; // direct jumps since the last branch or address
    reg         has_second;
    reg         second_traps;
    wire        infers; // a return to the address on the stack
    wire        reports_failed; // the target of a return that was not inferred is sent
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
    wire        makes_payload;
    wire        ends_last;
    wire [30:0] map_added;
    wire [30:0] branch;
    wire [30:0] sent_map;
    wire [4:0]  sent_count;
    wire [30:0] address;
    wire [30:0] difference;
    wire [30:0] field;
    wire [30:0] value;
    wire [2:0]  flow;
    wire        has_flow;
    wire        has_rest;
    wire [4:0]  payload_cut_branches;
    wire        payload_cut_irreport;
    wire [3:0]  payload_cut_depth;
    wire [4:0]  payload_cut_bytes;
    wire [4:0]  payload_cut_map_bits;
    wire [4:0]  payload_cut_size;
    wire [30:0] payload_cut_kept;
    wire [13:0] payload_cut_rest;
    wire [3:0]  payload_cut_rest_bits;
    wire        calls_forget;
    wire        calls_is_failed;
    wire [3:0]  calls_depth;
    wire        calls_reports_depth;
    wire [3:0]  calls_last_depth;
    wire        calls_reported_depth;
    wire [3:0]  calls_depth_before;

    etrace_full_payload_cut payload_cut (
        .value     (value),
        .trap      (makes_trap),
        .start     (makes_start),
        .full      (ends),
        .map       (sent_map),
        .branches  (payload_cut_branches),
        .notify    (overflows),
        .updiscon  (unfollowed),
        .irreport  (payload_cut_irreport),
        .depth     (payload_cut_depth),
        .counted   (counts),
        .bytes     (payload_cut_bytes),
        .map_bits  (payload_cut_map_bits),
        .size      (payload_cut_size),
        .kept      (payload_cut_kept),
        .rest      (payload_cut_rest),
        .rest_bits (payload_cut_rest_bits)
    );

    etrace_full_calls calls (
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
        .target_units       (target_units),
        .reports            (reports),
        .makes_report       (makes_report),
        .forget             (calls_forget),
        .infers             (infers),
        .is_failed          (calls_is_failed),
        .depth              (calls_depth),
        .reports_depth      (calls_reports_depth),
        .last_depth         (calls_last_depth),
        .reported_depth     (calls_reported_depth),
        .depth_before       (calls_depth_before)
    );

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
    assign adds = retire_valid & retire_conditional & (!is_sent | joins) & (reports | !counts);
    assign jumps = (retire_valid & retire_direct & !retire_conditional) | infers;
    assign overflows = is_full | ((passes == MOST_PASSES) & (jumps & !resolves));
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

    assign makes_payload = makes_start | makes_trap | makes_report | ends;
    assign branch = {30'd0, !retire_taken};
    assign map_added = map | (branch << branch_count);
    assign sent_map = joins ? map_added : map;

    assign sent_count =
        counts ? 5'd0 :
        joins ? branch_count + 5'd1 :
        branch_count;

    assign address =
        (begins | overflows | lasts_now) ? pc_units :
        (has_second | (flush & (is_nothing | is_unknown))) ? program_counter :
        pending_address;

    assign difference = address - last_address;
    assign field = makes_report ? difference : address;
    assign value = ends ? map_added : field;

    assign flow =
        (has_second & second_traps) ? 3'd3 :
        ((leads & is_reported) && calls_is_failed) ? 3'd2 :
        (reports_failed || (lasts_now | ends_last)) ? passes :
        {2'd0, (makes_trap & (is_marked | leads)) | (makes_start & is_reset)};

    assign reports_failed = (reports | (flush & is_target)) & calls_is_failed;

    assign payload_cut_irreport =
        lasts_now ? calls_reports_depth :
        (ends_last | (has_second & !second_traps)) ? calls_reported_depth :
        reports_failed;

    assign payload_cut_depth =
        lasts_now ? calls_last_depth :
        (ends_last | (has_second & !second_traps)) ? calls_depth_before :
        calls_depth;

    assign payload_cut_branches = makes_report ? sent_count : 5'd0;
    assign has_rest = |payload_cut_rest_bits;
    assign has_flow = |flow;
    assign record_valid = makes_payload | flush;

    assign record = {
        payload_cut_rest_bits,
        payload_cut_rest,
        payload_cut_size,
        payload_cut_kept,
        payload_cut_map_bits,
        sent_map,
        (ends ? 5'd0 : sent_count),
        payload_cut_bytes,
        flow,
        !makes_payload,
        traps,
        !(retire_valid & retire_taken & is_sent),
        makes_payload & has_rest,
        (|payload_cut_size) & (makes_payload & !ends),
        ends,
        (|sent_count) & makes_report,
        !(|sent_count) & makes_report,
        ((|sent_count) ? (ends | makes_report) : ends),
        makes_start | makes_trap,
        makes_trap,
        makes_start,
        makes_payload,
        has_flow,
        flush
    };

    assign collected = {makes_report, adds};
    assign progress = {branch_count, joins, pending_address, unfollowed | reports_failed, reports};
    assign calls_forget = excepts | flush;
    assign is_busy = has_second;

    always @(posedge clock) begin
        if (reset) begin
            pending <= 3'd1;
            pending_address <= 31'd0;
            last_address <= 31'd0;
            program_counter <= 31'd0;
            has_run <= 1'b0;
            is_reported <= 1'b0;
            is_marked <= 1'b0;
            branch_count <= 5'd0;
            map <= 31'd0;
            passes <= 3'd0;
            has_second <= 1'b0;
            second_traps <= 1'b0;
        end else begin
            if (makes_report || ends) begin
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
            if ((makes_start | makes_trap | makes_report) & record_ready) begin
                last_address <= address;
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
                if (infers) begin
                    pending <= NOTHING;
                end
                if (excepts) begin
                    pending <= HANDLER;
                    if (stands & is_reset) begin
                        pending <= FIRST;
                    end else if (leads) begin
                        pending <= START;
                    end
                end
                is_reported <= (now_reported & !excepts) | ends | overflows;
                if (arrives & is_unknown) begin
                    has_run <= !may_change;
                end
                if ((makes_payload & !ends) || retire_conditional) begin
                    passes <= 3'd0;
                end
                if (jumps & !overflows) begin
                    passes <= passes + 3'd1;
                    if (resolves) begin
                        passes <= 3'd1;
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

endmodule

// Says whether an outcome is the predicted one, and learns it
module etrace_full_branch_predictor (
    input  wire        clock,
    input  wire        reset,
    input  wire        learn, // a branch retires
    input  wire [30:0] address, // its address, in instruction units
    input  wire        taken,
    input  wire        forget, // the trace goes on with a start or a trap
    output wire        is_right // the outcome is the predicted one
);

    reg  [63:0] written; // the entries that were written
    wire [5:0]  index;
    wire        is_written;
    wire [1:0]  state; // the last outcome, and above it the prediction
    wire        last;
    wire        prediction;
    wire        next_prediction;
    wire [1:0]  states_read_data;
    wire [63:0] is_written_part;
    reg  [1:0]  states_cells [0:63];

    assign is_written_part = written >> index;

    assign index = address[5:0];
    assign is_written = is_written_part[0];
    assign state = is_written ? states_read_data : 2'd1;
    assign last = state[0];
    assign prediction = state[1];
    assign is_right = !(prediction ^ taken);
    assign next_prediction = (prediction & last) | ((prediction | last) & taken);
    assign states_read_data = states_cells[index];

    always @(posedge clock) begin
        if (reset) begin
            written <= 64'd0;
        end else begin
            if (forget) begin
                written <= 64'd0;
            end else if (learn) begin
                written <= written | (64'd1 << index);
            end
        end
    end

    always @(posedge clock) begin
        if (learn) begin
            states_cells[index] <= {next_prediction, taken};
        end
    end

    wire _unused_ok = &{1'b0, address[30:6], is_written_part[63:1]};

endmodule

// Counts branches after a full map of predicted ones, until one is not predicted
module etrace_full_branch_count (
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
    input  wire [38:0] progress,
    input  wire [1:0]  collected,
    input  wire        forget, // the trace goes on with a start or a trap
    output wire        counts, // a report has a count
    output wire [15:0] count, // branches that were predicted after the map of them
    output wire        fails, // the branch at the address of a report was not predicted
    output wire        ends, // a full map is sent, or a count before a branch that was not predicted
    output wire        ends_count, // the latter
    output wire        is_full // the counter is full with this branch
);

    localparam [4:0]  FULL_MAP = 5'd31;
    localparam [4:0]  LAST_BRANCH = 5'd30;
    localparam [15:0] LAST_COUNT = 16'hfffe;

    reg  [15:0] counted; // branches that were predicted after the map of them
    reg         has_failed; // a branch in the map was not predicted
    wire        is_branch;
    wire        is_counting;
    wire        is_last; // the map has room for one more
    wire        all_right; // with this branch, all in the map were predicted
    wire        is_single; // a branch that no report has
    wire        may_fill;
    wire        adds_one;
    wire        starts_map;
    wire        predictor_is_right;

    wire       progress_reports = progress[0];
    wire       progress_joins = progress[33];
    wire [4:0] progress_branch_count = progress[38:34];
    wire       collected_adds = collected[0];
    wire       collected_makes_report = collected[1];

    etrace_full_branch_predictor predictor (
        .clock    (clock),
        .reset    (reset),
        .learn    (is_branch),
        .address  (retire_pc[31:1]),
        .taken    (retire_taken),
        .forget   (forget),
        .is_right (predictor_is_right)
    );

    assign is_branch = retire_valid & retire_conditional;
    assign is_counting = progress_branch_count == FULL_MAP;
    assign is_last = progress_branch_count == LAST_BRANCH;
    assign all_right = predictor_is_right & !has_failed;
    assign is_single = is_branch & !progress_reports;
    assign counts = is_counting | (is_last & progress_joins & all_right);
    assign fails = is_counting & progress_joins & !predictor_is_right;
    assign ends_count = is_counting & is_single & !predictor_is_right;
    assign ends = (is_counting & is_single & !predictor_is_right) | (is_last & is_single & !all_right);
    assign may_fill = counted == LAST_COUNT;
    assign is_full = may_fill & is_counting & is_single & predictor_is_right;
    assign adds_one = is_counting & predictor_is_right & (progress_joins | is_single);
    assign count = counted + {15'd0, adds_one};
    assign starts_map = is_branch & progress_reports & !progress_joins;

    always @(posedge clock) begin
        if (reset) begin
            counted <= 16'd0;
            has_failed <= 1'b0;
        end else begin
            if (collected_makes_report | ends) begin
                counted <= 16'd0;
                has_failed <= starts_map & !predictor_is_right;
            end else begin
                counted <= count;
                if (collected_adds) begin
                    has_failed <= !all_right;
                end
            end
        end
    end

    wire _unused_ok = &{
        1'b0,
        retire_count,
        retire_pc[0],
        retire_length,
        retire_direct,
        retire_indirect,
        retire_exception,
        retire_call,
        retire_return,
        retire_target,
        progress[32:1]
    };

endmodule

// Says whether a target was sent before, and keeps it
module etrace_full_jump_target_cache (
    input  wire        clock,
    input  wire        reset,
    input  wire        keep, // a jump's target is sent
    input  wire [30:0] target, // the target, in instruction units
    input  wire        forget, // the trace goes on with a start or a trap
    output wire [5:0]  index, // where the target is
    output wire        hit // it was there
);

    reg  [63:0] written; // the entries that were written
    wire        is_written;
    wire [24:0] tag;
    wire [24:0] tags_read_data;
    wire [63:0] is_written_part;
    reg  [24:0] tags_cells [0:63];

    assign is_written_part = written >> target[5:0];

    assign index = target[5:0];
    assign tag = target[30:6];
    assign is_written = is_written_part[0];
    assign hit = (tags_read_data == tag) & is_written;
    assign tags_read_data = tags_cells[target[5:0]];

    always @(posedge clock) begin
        if (reset) begin
            written <= 64'd0;
        end else begin
            if (forget) begin
                written <= 64'd0;
            end else if (keep) begin
                written <= written | (64'd1 << target[5:0]);
            end
        end
    end

    always @(posedge clock) begin
        if (keep) begin
            tags_cells[target[5:0]] <= tag;
        end
    end

    wire _unused_ok = &{1'b0, is_written_part[63:1]};

endmodule

// Sends a count of branches, and the place of a jump's target in the cache instead of its address unless that is longer
module etrace_full_extensions (
    input  wire         clock,
    input  wire         reset,
    input  wire [117:0] plain, // the record without these payloads
    input  wire [38:0]  progress,
    input  wire         forget, // the trace goes on with a start or a trap
    input  wire         counts, // a report has a count
    input  wire [15:0]  count,
    input  wire         fails, // the branch at its address was not predicted
    input  wire         ends_count, // a count is sent before a branch that was not predicted
    output wire [144:0] record
);

    wire        alone; // the payload ends in an index, in the map after it, or in a count
    wire        may_index;
    wire        is_shorter;
    wire        indexes; // an index goes instead of an address
    wire        has_map;
    wire [4:0]  whole_map; // bits of the map
    wire        last_of_map;
    wire        sign;
    wire [30:0] magnitude;
    wire [30:0] value; // what comes last, and where it differs from its sign
    wire [30:0] searched;
    reg  [6:0]  found; // bits up to the highest one
    wire [6:0]  head;
    wire [6:0]  width;
    wire [6:0]  rounded;
    wire [4:0]  bytes;
    wire [6:0]  sent;
    wire [6:0]  low;
    wire [6:0]  high;
    wire [4:0]  size;
    wire [3:0]  rest_size;
    wire [30:0] cut;
    wire [13:0] rest_cut;
    wire [13:0] rest_ones;
    wire [5:0]  cache_index;
    wire        cache_hit;
    wire [30:0] last_of_map_part;

    wire        plain_branches = plain[6];
    wire        plain_plain = plain[7];
    wire        plain_mapped = plain[8];
    wire        plain_full = plain[9];
    wire        plain_sends_address = plain[10];
    wire        plain_sends_rest = plain[11];
    wire [2:0]  plain_flow = plain[17:15];
    wire [4:0]  plain_bytes = plain[22:18];
    wire [4:0]  plain_branch_count = plain[27:23];
    wire [30:0] plain_map = plain[58:28];
    wire [30:0] plain_value = plain[94:64];
    wire [4:0]  plain_value_bits = plain[99:95];
    wire [13:0] plain_rest = plain[113:100];
    wire [3:0]  plain_rest_bits = plain[117:114];
    wire        progress_reports = progress[0];
    wire        progress_needs_address = progress[1];
    wire [30:0] progress_target = progress[32:2];

    assign last_of_map_part = plain_map >> (plain_branch_count - 5'd1);

    etrace_full_jump_target_cache cache (
        .clock  (clock),
        .reset  (reset),
        .keep   (progress_reports),
        .target (progress_target),
        .forget (forget),
        .index  (cache_index),
        .hit    (cache_hit)
    );

    assign has_map = |plain_branch_count;

    assign whole_map =
        plain_branch_count | {1'b0, plain_branch_count[4:1]} | {2'd0, plain_branch_count[4:2]} |
        {3'd0, plain_branch_count[4:3]} | {4'd0, plain_branch_count[4]};

    assign last_of_map = last_of_map_part[0];
    assign sign = (plain_branch_count == whole_map) & (last_of_map & has_map);
    assign magnitude = sign ? ~(plain_map | (31'h7fffffff << whole_map)) : plain_map;

    assign value =
        ends_count ? {15'd0, count} :
        has_map ? plain_map :
        {25'd0, cache_index};

    assign searched =
        ends_count ? {15'd0, count} :
        has_map ? magnitude :
        {25'd0, cache_index};

    always @* begin
        found = 7'd0;
        if (searched[0]) begin
            found = 7'd1;
        end
        if (searched[1]) begin
            found = 7'd2;
        end
        if (searched[2]) begin
            found = 7'd3;
        end
        if (searched[3]) begin
            found = 7'd4;
        end
        if (searched[4]) begin
            found = 7'd5;
        end
        if (searched[5]) begin
            found = 7'd6;
        end
        if (searched[6]) begin
            found = 7'd7;
        end
        if (searched[7]) begin
            found = 7'd8;
        end
        if (searched[8]) begin
            found = 7'd9;
        end
        if (searched[9]) begin
            found = 7'd10;
        end
        if (searched[10]) begin
            found = 7'd11;
        end
        if (searched[11]) begin
            found = 7'd12;
        end
        if (searched[12]) begin
            found = 7'd13;
        end
        if (searched[13]) begin
            found = 7'd14;
        end
        if (searched[14]) begin
            found = 7'd15;
        end
        if (searched[15]) begin
            found = 7'd16;
        end
        if (searched[16]) begin
            found = 7'd17;
        end
        if (searched[17]) begin
            found = 7'd18;
        end
        if (searched[18]) begin
            found = 7'd19;
        end
        if (searched[19]) begin
            found = 7'd20;
        end
        if (searched[20]) begin
            found = 7'd21;
        end
        if (searched[21]) begin
            found = 7'd22;
        end
        if (searched[22]) begin
            found = 7'd23;
        end
        if (searched[23]) begin
            found = 7'd24;
        end
        if (searched[24]) begin
            found = 7'd25;
        end
        if (searched[25]) begin
            found = 7'd26;
        end
        if (searched[26]) begin
            found = 7'd27;
        end
        if (searched[27]) begin
            found = 7'd28;
        end
        if (searched[28]) begin
            found = 7'd29;
        end
        if (searched[29]) begin
            found = 7'd30;
        end
        if (searched[30]) begin
            found = 7'd31;
        end
    end

    assign head = (!ends_count && has_map) ? 7'd14 : 7'd3;

    assign width =
        ends_count ? 7'd34 :
        has_map ? {2'd0, whole_map} :
        7'd11;

    assign rounded = head + found + 7'd8;
    assign bytes = {1'b0, rounded[6:3]};
    assign sent = {rounded[6:3], 3'd0} - head;
    assign low = (sent > width) ? width : sent;
    assign high = (sent > width) ? sent - width : 7'd0;
    assign size = low[4:0];
    assign rest_size = high[3:0];
    assign cut = 31'h7fffffff << low;
    assign rest_cut = 14'h3fff << high;
    assign rest_ones = sign ? ~rest_cut : 14'd0;
    assign is_shorter = !(bytes > plain_bytes);
    assign may_index = progress_reports & cache_hit & !progress_needs_address;
    assign indexes = !counts & (may_index & is_shorter);
    assign alone = indexes | ends_count;

    assign record = {
        count,
        cache_index,
        (alone ? rest_size : plain_rest_bits),
        (alone ? rest_ones : plain_rest),
        (alone ? size : plain_value_bits),
        (alone ? (value & ~cut) : plain_value),
        plain[63:23],
        (alone ? bytes : plain_bytes),
        plain_flow,
        fails,
        counts & plain_plain,
        ends_count,
        indexes & has_map,
        indexes & !has_map,
        plain[14:12],
        (alone ? (|high) : plain_sends_rest),
        plain_sends_address & !alone,
        plain_full & !alone,
        plain_mapped & !alone,
        plain_plain & !(alone | counts),
        plain_branches & !alone,
        plain[5:0]
    };

    wire _unused_ok = &{1'b0, progress[38:33], rounded[2:0], last_of_map_part[30:1]};

endmodule

// A record leaves in the cycle of its block; an exception may make two, and the second leaves in the next cycle
module etrace_full_encoder (
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
    output wire [144:0] record,
    input  wire         record_ready
);

    wire         forgets; // the trace goes on with a start or a trap
    wire         record_former_is_busy;
    wire [117:0] record_former_record;
    wire [38:0]  record_former_progress;
    wire [1:0]   record_former_collected;
    wire         branch_count_counts;
    wire [15:0]  branch_count_count;
    wire         branch_count_fails;
    wire         branch_count_ends;
    wire         branch_count_ends_count;
    wire         branch_count_is_full;

    etrace_full_record_former record_former (
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
        .counts             (branch_count_counts),
        .ends               (branch_count_ends),
        .is_full            (branch_count_is_full),
        .is_busy            (record_former_is_busy),
        .record_valid       (record_valid),
        .record             (record_former_record),
        .progress           (record_former_progress),
        .collected          (record_former_collected)
    );

    etrace_full_branch_count branch_count (
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
        .progress           (record_former_progress),
        .collected          (record_former_collected),
        .forget             (forgets),
        .counts             (branch_count_counts),
        .count              (branch_count_count),
        .fails              (branch_count_fails),
        .ends               (branch_count_ends),
        .ends_count         (branch_count_ends_count),
        .is_full            (branch_count_is_full)
    );

    etrace_full_extensions extensions (
        .clock      (clock),
        .reset      (reset),
        .plain      (record_former_record),
        .progress   (record_former_progress),
        .forget     (forgets),
        .counts     (branch_count_counts),
        .count      (branch_count_count),
        .fails      (branch_count_fails),
        .ends_count (branch_count_ends_count),
        .record     (record)
    );

    assign ready = record_ready & !record_former_is_busy;
    assign is_empty = !record_former_is_busy;
    assign forgets = (retire_valid & retire_exception) | flush;

    wire _unused_ok = &{1'b0, clear_valid};

endmodule

// Words in their order, the oldest shown at once: depth words of width bits
module etrace_full_fifo_depth2_width145 (
    input  wire         clock,
    input  wire         reset,
    input  wire         in_valid,
    input  wire [144:0] in_word,
    output wire         in_ready,
    output wire         out_valid,
    output wire [144:0] out_word,
    input  wire         out_ready
);

    wire [144:0] words_read_data;
    reg          write_pointer;
    reg          read_pointer;
    reg          is_filled; // more words came than went since the pointers were equal last
    wire         is_full;
    wire         puts;
    wire         takes;
    reg  [144:0] words_cells [0:1];

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

// Sends a record slot by slot, a large slot piece by piece
module etrace_full_serial_encoder (
    input  wire         clock,
    input  wire         reset,
    input  wire         record_valid, // without registers it stays until it is taken
    input  wire [144:0] record,
    output wire         record_ready,
    output wire         piece_valid,
    output reg  [7:0]   piece, // zero above piece_bits
    output reg  [3:0]   piece_bits, // bits of the piece, the first one lowest
    output wire         piece_last, // fill the trace word up with zeros after the piece
    input  wire         piece_ready
);

    reg  [14:0] sent; // stages of the record that are out
    reg  [1:0]  index; // the piece of the slot
    reg  [32:0] flags; // slots that are sent
    reg  [14:0] stages; // stages that send one
    wire [14:0] pending;
    wire [14:0] current; // one hot
    reg  [32:0] active; // one hot: the slot of this cycle
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [2:0]  idle_value_2;
    wire [4:0]  payload_value;
    wire [5:0]  index_map_value_2;
    wire        synchronises_value;
    wire [4:0]  branches_value_2;
    wire [4:0]  index_map_value_3;
    wire [15:0] counted_value_2;
    wire [30:0] mapped_value;
    wire        trap_value_3;
    wire        counted_value_4;
    wire [30:0] address_value;
    wire [30:0] full_value;
    wire [30:0] index_alone_value_2;
    wire [30:0] index_map_value_4;
    wire [30:0] count_alone_value_2;
    wire [13:0] rest_value;
    wire        flush_value_3;
    wire [4:0]  mapped_raw_size;
    wire [4:0]  address_raw_size;
    wire [4:0]  full_raw_size;
    wire [4:0]  index_alone_raw_size_2;
    wire [4:0]  index_map_raw_size_4;
    wire [4:0]  count_alone_raw_size_2;
    wire [3:0]  rest_raw_size;
    wire [4:0]  rest_size;
    reg  [4:0]  left;

    always @* begin
        flags = 33'd0;
        if (record[1]) begin
            flags = 33'd3;
        end
        if (record[2]) begin
            flags[2] = 1'b1;
        end
        if (record[3]) begin
            flags[3] = 1'b1;
        end
        if (record[4]) begin
            flags[4] = 1'b1;
        end
        if (record[6]) begin
            flags[5] = 1'b1;
        end
        if (record[7]) begin
            flags[6] = 1'b1;
        end
        if (record[15]) begin
            flags[7] = 1'b1;
        end
        if (record[16]) begin
            flags[8] = 1'b1;
        end
        if (record[17]) begin
            flags[9] = 1'b1;
        end
        if (record[18]) begin
            flags[10] = 1'b1;
        end
        if (record[16]) begin
            flags[11] = 1'b1;
        end
        if (record[5]) begin
            flags[12] = 1'b1;
        end
        if (record[6]) begin
            flags[13] = 1'b1;
        end
        if (record[16]) begin
            flags[14] = 1'b1;
        end
        if (record[18]) begin
            flags[15] = 1'b1;
        end
        if (record[3]) begin
            flags[16] = 1'b1;
        end
        if (record[4]) begin
            flags[17] = 1'b1;
        end
        if (record[8]) begin
            flags[18] = 1'b1;
        end
        if (record[18]) begin
            flags[19] = 1'b1;
        end
        if (record[4]) begin
            flags[20] = 1'b1;
        end
        if (record[18]) begin
            flags[21] = 1'b1;
            flags[22] = 1'b1;
        end
        if (record[10]) begin
            flags[23] = 1'b1;
        end
        if (record[9]) begin
            flags[24] = 1'b1;
        end
        if (record[15]) begin
            flags[25] = 1'b1;
        end
        if (record[16]) begin
            flags[26] = 1'b1;
        end
        if (record[17]) begin
            flags[27] = 1'b1;
        end
        if (record[11]) begin
            flags[28] = 1'b1;
        end
        if (record[0]) begin
            flags[29] = 1'b1;
            flags[30] = 1'b1;
            flags[31] = 1'b1;
            flags[32] = 1'b1;
        end
    end

    always @* begin
        stages = 15'd0;
        if (record[1]) begin
            stages = 15'd3;
        end
        if (record[2]) begin
            stages[2] = 1'b1;
        end
        if (record[3] || record[4] || record[6] || record[7] || record[15] || record[16] || record[17] || record[18]) begin
            stages[3] = 1'b1;
        end
        if (record[16]) begin
            stages[4] = 1'b1;
        end
        if (record[5] || record[6] || record[16] || record[18]) begin
            stages[5] = 1'b1;
        end
        if (record[3] || record[4] || record[8] || record[18]) begin
            stages[6] = 1'b1;
        end
        if (record[4] || record[18]) begin
            stages[7] = 1'b1;
        end
        if (record[18]) begin
            stages[8] = 1'b1;
        end
        if (record[10] || record[9] || record[15] || record[16] || record[17]) begin
            stages[9] = 1'b1;
        end
        if (record[11]) begin
            stages[10] = 1'b1;
        end
        if (record[0]) begin
            stages[11] = 1'b1;
            stages[12] = 1'b1;
            stages[13] = 1'b1;
            stages[14] = 1'b1;
        end
    end

    assign pending = stages & ~sent;
    assign current = pending & (~pending + 15'd1);
    assign is_last = pending == current;

    always @* begin
        active = 33'd0;
        if (current[0]) begin
            active = {32'd0, flags[0]};
        end
        if (current[1]) begin
            active[1] = flags[1];
        end
        if (current[2]) begin
            active[2] = flags[2];
        end
        if (current[3]) begin
            active[3] = flags[3];
            active[4] = flags[4];
            active[5] = flags[5];
            active[6] = flags[6];
            active[7] = flags[7];
            active[8] = flags[8];
            active[9] = flags[9];
            active[10] = flags[10];
        end
        if (current[4]) begin
            active[11] = flags[11];
        end
        if (current[5]) begin
            active[12] = flags[12];
            active[13] = flags[13];
            active[14] = flags[14];
            active[15] = flags[15];
        end
        if (current[6]) begin
            active[16] = flags[16];
            active[17] = flags[17];
            active[18] = flags[18];
            active[19] = flags[19];
        end
        if (current[7]) begin
            active[20] = flags[20];
            active[21] = flags[21];
        end
        if (current[8]) begin
            active[22] = flags[22];
        end
        if (current[9]) begin
            active[23] = flags[23];
            active[24] = flags[24];
            active[25] = flags[25];
            active[26] = flags[26];
            active[27] = flags[27];
        end
        if (current[10]) begin
            active[28] = flags[28];
        end
        if (current[11]) begin
            active[29] = flags[29];
        end
        if (current[12]) begin
            active[30] = flags[30];
        end
        if (current[13]) begin
            active[31] = flags[31];
        end
        if (current[14]) begin
            active[32] = flags[32];
        end
    end

    always @* begin
        piece = 8'd0;
        if (active[1]) begin
            piece = {5'd0, idle_value_2};
        end
        if (active[2]) begin
            piece = piece | {3'd0, payload_value};
        end
        if (active[3]) begin
            piece = piece | 8'd24;
        end
        if (active[4]) begin
            piece = piece | 8'd56;
        end
        if (active[5]) begin
            piece = piece | 8'd8;
        end
        if (active[6]) begin
            piece = piece | 8'd16;
        end
        if (active[7]) begin
            piece = piece | 8'd32;
        end
        if (active[8]) begin
            piece = piece | 8'd32;
        end
        if (active[11]) begin
            piece = piece | {2'd0, index_map_value_2};
        end
        if (active[12]) begin
            piece = piece | {7'd0, synchronises_value};
        end
        if (active[13]) begin
            piece = piece | {3'd0, branches_value_2};
        end
        if (active[14]) begin
            piece = piece | {3'd0, index_map_value_3};
        end
        if (active[15]) begin
            if (index == 2'd0) begin
                piece = counted_value_2[7:0];
            end
            if (index == 2'd1) begin
                piece = counted_value_2[15:8];
            end
        end
        if (active[17]) begin
            if ((index == 2'd0) || (index == 2'd1)) begin
                piece = 8'd0;
            end
        end
        if (active[18]) begin
            case (index)
                2'd0: piece = mapped_value[7:0];
                2'd1: piece = mapped_value[15:8];
                2'd2: piece = mapped_value[23:16];
                2'd3: piece = {1'b0, mapped_value[30:24]};
            endcase
        end
        if (active[19]) begin
            if ((index == 2'd0) || (index == 2'd1)) begin
                piece = 8'd0;
            end
        end
        if (active[20]) begin
            piece = piece | {7'd0, trap_value_3};
        end
        if (active[21]) begin
            piece = piece | {7'd0, counted_value_4};
        end
        if (active[22]) begin
            piece = piece | 8'd1;
        end
        if (active[23]) begin
            case (index)
                2'd0: piece = address_value[7:0];
                2'd1: piece = address_value[15:8];
                2'd2: piece = address_value[23:16];
                2'd3: piece = {1'b0, address_value[30:24]};
            endcase
        end
        if (active[24]) begin
            case (index)
                2'd0: piece = full_value[7:0];
                2'd1: piece = full_value[15:8];
                2'd2: piece = full_value[23:16];
                2'd3: piece = {1'b0, full_value[30:24]};
            endcase
        end
        if (active[25]) begin
            case (index)
                2'd0: piece = index_alone_value_2[7:0];
                2'd1: piece = index_alone_value_2[15:8];
                2'd2: piece = index_alone_value_2[23:16];
                2'd3: piece = {1'b0, index_alone_value_2[30:24]};
            endcase
        end
        if (active[26]) begin
            case (index)
                2'd0: piece = index_map_value_4[7:0];
                2'd1: piece = index_map_value_4[15:8];
                2'd2: piece = index_map_value_4[23:16];
                2'd3: piece = {1'b0, index_map_value_4[30:24]};
            endcase
        end
        if (active[27]) begin
            case (index)
                2'd0: piece = count_alone_value_2[7:0];
                2'd1: piece = count_alone_value_2[15:8];
                2'd2: piece = count_alone_value_2[23:16];
                2'd3: piece = {1'b0, count_alone_value_2[30:24]};
            endcase
        end
        if (active[28]) begin
            if (index == 2'd0) begin
                piece = rest_value[7:0];
            end
            if (index == 2'd1) begin
                piece = {2'd0, rest_value[13:8]};
            end
        end
        if (active[29]) begin
            if (index == 2'd0) begin
                piece = 8'd2;
            end
            if (index == 2'd1) begin
                piece = 8'd15;
            end
        end
        if (active[30]) begin
            piece = piece | 8'd5;
        end
        if (active[31]) begin
            piece = piece | {7'd0, flush_value_3};
        end
        if (active[32]) begin
            piece = piece | 8'd25;
        end
    end

    always @* begin
        piece_bits = 4'd0;
        more = 1'b0;
        left = 5'd0;
        if (active[0]) begin
            piece_bits = 4'd5;
        end
        if (active[1]) begin
            piece_bits = piece_bits | 4'd3;
        end
        if (active[2]) begin
            piece_bits = piece_bits | 4'd5;
        end
        if (active[3]) begin
            piece_bits = piece_bits | 4'd7;
        end
        if (active[4]) begin
            piece_bits = piece_bits | 4'd7;
        end
        if (active[5]) begin
            piece_bits = piece_bits | 4'd5;
        end
        if (active[6]) begin
            piece_bits = piece_bits | 4'd5;
        end
        if (active[7]) begin
            piece_bits = piece_bits | 4'd6;
        end
        if (active[8]) begin
            piece_bits = piece_bits | 4'd6;
        end
        if (active[9]) begin
            piece_bits = piece_bits | 4'd6;
        end
        if (active[10]) begin
            piece_bits = piece_bits | 4'd6;
        end
        if (active[11]) begin
            piece_bits = piece_bits | 4'd6;
        end
        if (active[12]) begin
            piece_bits = piece_bits | 4'd1;
        end
        if (active[13]) begin
            piece_bits = piece_bits | 4'd5;
        end
        if (active[14]) begin
            piece_bits = piece_bits | 4'd5;
        end
        if (active[15]) begin
            if (index == 2'd0) begin
                left = 5'd16;
            end
            if (index == 2'd1) begin
                left = 5'd8;
            end
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[16]) begin
            piece_bits = piece_bits | 4'd2;
        end
        if (active[17]) begin
            if (index == 2'd0) begin
                left = 5'd9;
            end
            if (index == 2'd1) begin
                left = 5'd1;
            end
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[18]) begin
            case (index)
                2'd0: left = mapped_raw_size;
                2'd1: left = mapped_raw_size - 5'd8;
                2'd2: left = mapped_raw_size - 5'd16;
                2'd3: left = mapped_raw_size - 5'd24;
            endcase
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[19]) begin
            if (index == 2'd0) begin
                left = 5'd16;
            end
            if (index == 2'd1) begin
                left = 5'd8;
            end
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[20]) begin
            piece_bits = piece_bits | 4'd1;
        end
        if (active[21]) begin
            piece_bits = piece_bits | 4'd1;
        end
        if (active[22]) begin
            piece_bits = piece_bits | 4'd1;
        end
        if (active[23]) begin
            case (index)
                2'd0: left = address_raw_size;
                2'd1: left = address_raw_size - 5'd8;
                2'd2: left = address_raw_size - 5'd16;
                2'd3: left = address_raw_size - 5'd24;
            endcase
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[24]) begin
            case (index)
                2'd0: left = full_raw_size;
                2'd1: left = full_raw_size - 5'd8;
                2'd2: left = full_raw_size - 5'd16;
                2'd3: left = full_raw_size - 5'd24;
            endcase
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[25]) begin
            case (index)
                2'd0: left = index_alone_raw_size_2;
                2'd1: left = index_alone_raw_size_2 - 5'd8;
                2'd2: left = index_alone_raw_size_2 - 5'd16;
                2'd3: left = index_alone_raw_size_2 - 5'd24;
            endcase
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[26]) begin
            case (index)
                2'd0: left = index_map_raw_size_4;
                2'd1: left = index_map_raw_size_4 - 5'd8;
                2'd2: left = index_map_raw_size_4 - 5'd16;
                2'd3: left = index_map_raw_size_4 - 5'd24;
            endcase
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[27]) begin
            case (index)
                2'd0: left = count_alone_raw_size_2;
                2'd1: left = count_alone_raw_size_2 - 5'd8;
                2'd2: left = count_alone_raw_size_2 - 5'd16;
                2'd3: left = count_alone_raw_size_2 - 5'd24;
            endcase
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[28]) begin
            if (index == 2'd0) begin
                left = rest_size;
            end
            if (index == 2'd1) begin
                left = rest_size - 5'd8;
            end
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[29]) begin
            if (index == 2'd0) begin
                left = 5'd12;
            end
            if (index == 2'd1) begin
                left = 5'd4;
            end
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[30]) begin
            piece_bits = piece_bits | 4'd3;
        end
        if (active[31]) begin
            piece_bits = piece_bits | 4'd1;
        end
        if (active[32]) begin
            piece_bits = piece_bits | 4'd8;
        end
    end

    assign idle_value_2 = record[22:20];
    assign payload_value = record[27:23];
    assign index_map_value_2 = record[128:123];
    assign synchronises_value = record[12];
    assign branches_value_2 = record[32:28];
    assign index_map_value_3 = record[32:28];
    assign counted_value_2 = record[144:129];
    assign mapped_value = record[63:33];
    assign mapped_raw_size = record[68:64];
    assign trap_value_3 = record[13];
    assign counted_value_4 = record[19];
    assign address_value = record[99:69];
    assign address_raw_size = record[104:100];
    assign full_value = record[99:69];
    assign full_raw_size = record[104:100];
    assign index_alone_value_2 = record[99:69];
    assign index_alone_raw_size_2 = record[104:100];
    assign index_map_value_4 = record[99:69];
    assign index_map_raw_size_4 = record[104:100];
    assign count_alone_value_2 = record[99:69];
    assign count_alone_raw_size_2 = record[104:100];
    assign rest_value = record[118:105];
    assign rest_size = {1'b0, rest_raw_size};
    assign rest_raw_size = record[122:119];
    assign flush_value_3 = record[14];
    assign piece_valid = record_valid;
    assign piece_last = record[0] & is_last & !more;
    assign record_ready = piece_ready & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
            sent <= 15'd0;
            index <= 2'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 2'd1;
                end else begin
                    index <= 2'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 15'd0;
                    end
                end
            end
        end
    end

endmodule

// Collects pieces, first bit lowest, until a word is full; on request fills one up with zeros
module etrace_full_bit_packer (
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
module etrace_full_fifo_depth10_width8_has_level1 (
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
module etrace_full_trace_port (
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
module etrace_full_back_end (
    input  wire         clock,
    input  wire         reset,
    input  wire         record_valid,
    input  wire [144:0] record,
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
    wire [144:0] record_queue_out_word;
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

    etrace_full_fifo_depth2_width145 record_queue (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (record_valid),
        .in_word   (record),
        .in_ready  (record_ready),
        .out_valid (next_valid),
        .out_word  (record_queue_out_word),
        .out_ready (serial_encoder_record_ready)
    );

    etrace_full_serial_encoder serial_encoder (
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

    etrace_full_bit_packer bit_packer (
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

    etrace_full_fifo_depth10_width8_has_level1 output_fifo (
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

    etrace_full_trace_port trace_port (
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
module etrace_full (
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
    wire [144:0] encoder_record;
    wire         back_end_record_ready;
    wire         back_end_is_empty;

    etrace_full_sequencer sequencer (
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

    etrace_full_retire_decoder retire_decoder (
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

    etrace_full_encoder encoder (
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

    etrace_full_back_end back_end (
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
