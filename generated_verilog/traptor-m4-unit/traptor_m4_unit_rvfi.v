// RISC-V formal interface for traptor-m4-unit of Tracewright, made by `tracewright generate`.

// What an instruction word does to the flow
module traptor_m4_unit_rvfi_adapter_classifier (
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

// What the pins say of an instruction
module traptor_m4_unit_rvfi_adapter_instruction (
    input  wire [31:0] insn,
    input  wire        trap,
    input  wire        intr,
    input  wire [31:0] pc_rdata,
    input  wire [31:0] pc_wdata,
    input  wire [30:0] expected, // address after the instruction before, in alignment units, as all below
    input  wire        expects, // there is such an address
    input  wire        after_trap, // the instruction before trapped, and this one begins its handler
    output wire [30:0] after, // address after it, as far as the core says
    output wire [71:0] waiting
);

    localparam [2:0] DIRECT_JUMP = 3'd1;
    localparam [2:0] DIRECT_CONDITIONAL = 3'd2;
    localparam [2:0] INDIRECT_JUMP = 3'd3;
    localparam [2:0] EXCEPTION = 3'd5;

    wire [30:0] program_counter;
    wire [30:0] next;
    wire [2:0]  branch_kind; // kind of the instruction; an exception if it traps
    wire [30:0] fall_through;
    wire [2:0]  step; // bytes of the instruction
    wire        jumps;
    wire        taken;
    wire        diverted; // before this instruction
    wire [2:0]  classifier_branch_kind;
    wire        classifier_call;
    wire        classifier_is_return;
    wire        classifier_is_long;
    wire        classifier_trap_return;

    traptor_m4_unit_rvfi_adapter_classifier classifier (
        .insn        (insn),
        .branch_kind (classifier_branch_kind),
        .call        (classifier_call),
        .is_return   (classifier_is_return),
        .is_long     (classifier_is_long),
        .trap_return (classifier_trap_return)
    );

    assign program_counter = pc_rdata[31:1];
    assign next = pc_wdata[31:1];
    assign branch_kind = trap ? EXCEPTION : classifier_branch_kind;
    assign step = classifier_is_long ? 3'd4 : 3'd2;
    assign fall_through = program_counter + {29'd0, step[2:1]};
    assign jumps = (branch_kind == DIRECT_JUMP) | (branch_kind == INDIRECT_JUMP);
    assign taken = ((branch_kind == DIRECT_CONDITIONAL) & (next != fall_through)) | jumps;
    assign diverted = (program_counter != expected) | ((intr & !after_trap) | !expects);
    assign after = (taken | trap) ? next : fall_through;

    assign waiting = {
        next,
        classifier_trap_return & !trap,
        intr,
        diverted,
        classifier_is_long,
        taken,
        classifier_is_return,
        classifier_call,
        branch_kind,
        program_counter
    };

    wire _unused_ok = &{1'b0, pc_rdata[0], pc_wdata[0], step[0]};

endmodule

// The instructions at the pins of all channels, as words for the queue
module traptor_m4_unit_rvfi_adapter_runs (
    input  wire        clock,
    input  wire        reset,
    input  wire        rvfi_valid_0, // an instruction retires in this cycle
    input  wire [31:0] rvfi_insn_0, // instruction word
    input  wire        rvfi_trap_0, // the instruction ended in a trap
    input  wire        rvfi_intr_0, // the instruction is the first of a handler
    input  wire [31:0] rvfi_pc_rdata_0, // address of the instruction
    input  wire [31:0] rvfi_pc_wdata_0, // address of the next instruction
    output wire        puts, // lanes with a word
    output wire [71:0] run_0
);

    reg  [30:0] expected; // address after the last instruction at the pins
    reg         expects;
    reg         after_trap;
    reg  [30:0] expected_now;
    reg         expects_now;
    reg         after_trap_now;
    reg  [30:0] instruction_0_expected;
    reg         instruction_0_expects;
    reg         instruction_0_after_trap;
    wire [30:0] instruction_0_after;

    traptor_m4_unit_rvfi_adapter_instruction instruction_0 (
        .insn       (rvfi_insn_0),
        .trap       (rvfi_trap_0),
        .intr       (rvfi_intr_0),
        .pc_rdata   (rvfi_pc_rdata_0),
        .pc_wdata   (rvfi_pc_wdata_0),
        .expected   (instruction_0_expected),
        .expects    (instruction_0_expects),
        .after_trap (instruction_0_after_trap),
        .after      (instruction_0_after),
        .waiting    (run_0)
    );

    always @* begin
        expected_now = expected;
        instruction_0_expected = expected_now;
        if (rvfi_valid_0) begin
            expected_now = instruction_0_after;
        end
    end

    always @* begin
        expects_now = expects;
        instruction_0_expects = expects_now;
        if (rvfi_valid_0) begin
            expects_now = 1'b1;
        end
    end

    always @* begin
        after_trap_now = after_trap;
        instruction_0_after_trap = after_trap_now;
        if (rvfi_valid_0) begin
            after_trap_now = rvfi_trap_0;
        end
    end

    assign puts = rvfi_valid_0;

    always @(posedge clock) begin
        if (reset) begin
            expected <= 31'd0;
            expects <= 1'b0;
            after_trap <= 1'b0;
        end else begin
            expected <= expected_now;
            expects <= expects_now;
            after_trap <= after_trap_now;
        end
    end

endmodule

// Words in their order, the oldest shown at once: depth words of width bits
module traptor_m4_unit_rvfi_adapter_fifo (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid,
    input  wire [71:0] in_word,
    output wire        in_ready,
    output wire        out_valid,
    output wire [71:0] out_word,
    input  wire        out_ready,
    output wire [3:0]  level // words held
);

    wire [71:0] words_read_data;
    reg  [2:0]  write_pointer;
    reg  [2:0]  read_pointer;
    reg  [3:0]  held;
    wire        is_full;
    wire        puts;
    wire        takes;
    reg  [71:0] words_cells [0:7];

    assign is_full = held == 4'd8;
    assign out_valid = |held;
    assign in_ready = !is_full;
    assign puts = in_valid & in_ready;
    assign takes = out_ready & out_valid;
    assign level = held;
    assign out_word = words_read_data;
    assign words_read_data = words_cells[read_pointer];

    always @(posedge clock) begin
        if (reset) begin
            write_pointer <= 3'd0;
            read_pointer <= 3'd0;
            held <= 4'd0;
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

// Words in their order, of which several come in a cycle: any lanes have one, the lowest lane the oldest
module traptor_m4_unit_rvfi_adapter_lane_queue (
    input  wire        clock,
    input  wire        reset,
    input  wire        arrives, // lanes that have a word in this cycle
    input  wire [71:0] word_0,
    input  wire        flush, // level: nothing more is to come
    input  wire        holds, // what has left the queue is still held or shown
    output wire        is_there, // the oldest words, as far as there are so many
    output wire [71:0] oldest_0,
    input  wire        takes, // of these, those that leave; none without those before it
    output wire [3:0]  level, // words held
    output wire        stall, // stop: room for a cycle and 4 words more
    output wire        lost, // sticky: a word came when the queue was full
    output wire        ends, // level: a flush, and nothing comes in this cycle
    output wire        drained // level: everything before the flush has gone
);

    reg        lost_any;
    reg        drained_once;
    wire       has_room; // banks with room
    wire [3:0] words_0; // words in the banks up to each
    wire       leaves; // banks from which a word leaves

    traptor_m4_unit_rvfi_adapter_fifo banks_0 (
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

// What RVFI says of each instruction, as the blocks of a trace module (docs/hardware.md)
module traptor_m4_unit_rvfi_adapter (
    input  wire        clock,
    input  wire        reset,
    input  wire        rvfi_valid, // an instruction retires in this cycle
    input  wire [31:0] rvfi_insn, // instruction word
    input  wire        rvfi_trap, // the instruction ended in a trap
    input  wire        rvfi_intr, // the instruction is the first of a handler
    input  wire [31:0] rvfi_pc_rdata, // address of the instruction
    input  wire [31:0] rvfi_pc_wdata, // address of the next instruction
    output wire        stall, // stop retiring: room for 4 more
    output wire        lost, // sticky: an instruction was lost because the queue was full
    input  wire        flush, // level: the trace ends here
    output wire        drained, // the trace module is to see flush
    output wire        retire_valid, // a block retires in this cycle
    output wire [3:0]  retire_count, // instructions of the block
    output wire [31:0] retire_pc, // byte address of the last instruction
    output wire [3:0]  retire_length, // length of the last instruction in bytes
    output reg  [2:0]  retire_kind, // 0 sequential, 1 jump, 2 conditional, 3 indirect, 4 indirect conditional, 5 exception
    output wire        retire_call, // the last instruction leaves a return address
    output wire        retire_return, // the last instruction returns to one
    output wire        retire_taken, // the flow changed
    output wire [31:0] retire_target, // byte address that the flow changed to, if taken
    input  wire        retire_stall // the trace module's stall
);

    localparam [2:0] SEQUENTIAL = 3'd0;
    localparam [2:0] INDIRECT_JUMP = 3'd3;
    localparam [2:0] EXCEPTION = 3'd5;

    reg  [3:0]  instructions; // sequential instructions that left the queue and are not shown yet
    reg  [30:0] last_program_counter;
    reg         diversion_shown;
    reg         returned; // the last instruction returned from a trap, which is not shown yet
    reg         trapped; // an instruction trapped after the last one, which is not shown yet
    reg  [30:0] return_target; // where these two went, as far as the core says
    reg         ends; // the block at the pins is shown for a flush, and is not taken yet
    wire [71:0] oldest;
    wire        is_trap; // the oldest instruction has trapped, and is not counted
    wire        pends; // a change of flow waits that the next instruction shows where it went
    wire        is_interrupted; // that next one begins a handler of its own
    wire        passes; // the oldest instruction can leave after a block in front of it
    wire        follows; // there is an instruction
    wire        out_diverted; // the flow was diverted before it, which is not shown yet
    wire [3:0]  total; // those that are counted and those of the words that leave
    wire [30:0] shown_program_counter;
    reg  [30:0] shown_target;
    wire        takes; // the instruction leaves the queue
    reg         shows; // there is a block
    wire        is_sequential;
    wire        describes; // the last instruction's call, return, length and outcome are the block's
    wire        runs_puts;
    wire [71:0] runs_run_0;
    wire        queue_holds;
    wire        queue_is_there;
    wire [3:0]  queue_level;
    wire        queue_ends;

    wire [30:0] oldest_program_counter = oldest[30:0];
    wire [2:0]  oldest_branch_kind = oldest[33:31];
    wire        oldest_call = oldest[34];
    wire        oldest_is_return = oldest[35];
    wire        oldest_taken = oldest[36];
    wire        oldest_is_long = oldest[37];
    wire        oldest_diverted = oldest[38];
    wire        oldest_interrupt = oldest[39];
    wire        oldest_trap_return = oldest[40];
    wire [30:0] oldest_target = oldest[71:41];

    traptor_m4_unit_rvfi_adapter_runs runs (
        .clock           (clock),
        .reset           (reset),
        .rvfi_valid_0    (rvfi_valid),
        .rvfi_insn_0     (rvfi_insn),
        .rvfi_trap_0     (rvfi_trap),
        .rvfi_intr_0     (rvfi_intr),
        .rvfi_pc_rdata_0 (rvfi_pc_rdata),
        .rvfi_pc_wdata_0 (rvfi_pc_wdata),
        .puts            (runs_puts),
        .run_0           (runs_run_0)
    );

    traptor_m4_unit_rvfi_adapter_lane_queue queue (
        .clock    (clock),
        .reset    (reset),
        .arrives  (runs_puts),
        .word_0   (runs_run_0),
        .flush    (flush),
        .holds    (queue_holds),
        .is_there (queue_is_there),
        .oldest_0 (oldest),
        .takes    (takes),
        .level    (queue_level),
        .stall    (stall),
        .lost     (lost),
        .ends     (queue_ends),
        .drained  (drained)
    );

    assign queue_holds = (|instructions) | trapped;
    assign follows = queue_is_there & !ends;
    assign out_diverted = oldest_diverted & !diversion_shown;
    assign is_sequential = oldest_branch_kind == SEQUENTIAL;
    assign is_trap = oldest_branch_kind == EXCEPTION;
    assign pends = returned | trapped;
    assign is_interrupted = oldest_interrupt & returned;
    assign passes = is_sequential | is_trap;
    assign total = is_trap ? instructions : instructions + 4'd1;

    always @* begin
        shows = 1'b0;
        if (pends) begin
            shows = follows | queue_ends | ends;
        end else if (!follows) begin
            shows = (queue_ends | ends) & (|instructions);
        end else if (out_diverted) begin
            shows = 1'b1;
        end else begin
            shows = oldest_branch_kind != SEQUENTIAL;
            if (total > 4'd14) begin
                shows = 1'b1;
            end
            if (oldest_trap_return | is_trap) begin
                shows = 1'b0;
            end
        end
    end

    assign takes =
        (shows && retire_stall) ? 1'b0 :
        pends ? (follows > is_interrupted) & passes :
        (follows && out_diverted) ? passes :
        follows;

    always @* begin
        retire_kind = SEQUENTIAL;
        if (pends) begin
            retire_kind = EXCEPTION;
            if (returned) begin
                retire_kind = INDIRECT_JUMP;
            end
        end else if (follows) begin
            if (out_diverted) begin
                retire_kind = EXCEPTION;
            end else begin
                retire_kind = oldest_branch_kind;
            end
        end
    end

    assign retire_count = (pends || !follows || out_diverted) ? instructions : total;

    assign shown_program_counter =
        (pends || !follows || out_diverted) ? last_program_counter :
        oldest_program_counter;

    always @* begin
        shown_target = return_target;
        if (follows > pends) begin
            shown_target = oldest_target;
        end
        if (pends) begin
            if (follows > is_interrupted) begin
                shown_target = oldest_program_counter;
            end
        end else if (follows) begin
            if (out_diverted) begin
                shown_target = oldest_program_counter;
            end
        end
    end

    assign retire_valid = shows;
    assign retire_pc = {shown_program_counter, 1'b0};
    assign retire_target = {shown_target, 1'b0};
    assign describes = follows & !pends;
    assign retire_call = oldest_call & describes;
    assign retire_return = oldest_is_return & describes;
    assign retire_taken = (oldest_taken & describes) | returned;
    assign retire_length = (oldest_is_long & describes) ? 4'd4 : 4'd2;

    always @(posedge clock) begin
        if (reset) begin
            instructions <= 4'd0;
            last_program_counter <= 31'd0;
            diversion_shown <= 1'b0;
            returned <= 1'b0;
            trapped <= 1'b0;
            return_target <= 31'd0;
            ends <= 1'b0;
        end else begin
            ends <= 1'b0;
            if (shows && retire_stall) begin
                ends <= !follows;
            end else begin
                if (shows) begin
                    instructions <= 4'd0;
                end
                if (pends) begin
                    diversion_shown <= follows & !is_interrupted;
                end else if (out_diverted) begin
                    diversion_shown <= follows;
                end
                if (shows) begin
                    returned <= 1'b0;
                    trapped <= 1'b0;
                end
            end
            if (takes) begin
                diversion_shown <= 1'b0;
                if (!is_trap) begin
                    last_program_counter <= oldest_program_counter;
                end
                returned <= oldest_trap_return;
                trapped <= is_trap;
                return_target <= oldest_target;
                if (!shows) begin
                    instructions <= total;
                end else if (out_diverted || pends) begin
                    instructions <= {3'd0, !is_trap};
                end
            end
        end
    end

    wire _unused_ok = &{1'b0, queue_level};

endmodule

// Switch after adapters for traptor-m4-unit of Tracewright, made by `tracewright generate`.
// Switches a trace module after adapters off when what came before has left them
module traptor_m4_unit_adapter_switch (
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

// traptor-m4-unit with the RISC-V formal interface (RVFI) of its core. docs/live_core.md describes the
// adapter. A core stops retiring while its stall is high; lost rises when an instruction comes while the queue is
// full, and stays high.

module traptor_m4_unit_rvfi (
    input  wire clock,
    input  wire reset,
    input  wire rvfi_valid,
    input  wire [31:0] rvfi_insn,
    input  wire rvfi_trap,
    input  wire rvfi_intr,
    input  wire [31:0] rvfi_pc_rdata,
    input  wire [31:0] rvfi_pc_wdata,
    output wire stall,
    output wire lost,
    output wire drops,
    input  wire flush,
    output wire flushed,
    input  wire enable,
    input  wire discard,
    input  wire sync_request,
    output wire synchronised,
    output wire [7:0] trace_data,
    output wire trace_valid,
    input  wire trace_ready,
    output wire [3:0] buffered_words
);

    wire adapter_flush;
    wire module_enable;
    wire module_discard;
    wire module_flush;

    wire drained;
    wire retire_valid;
    wire [3:0] retire_count;
    wire [31:0] retire_pc;
    wire [3:0] retire_length;
    wire [2:0] retire_kind;
    wire retire_call;
    wire retire_return;
    wire retire_taken;
    wire [31:0] retire_target;
    wire retire_stall;

    traptor_m4_unit_rvfi_adapter adapter (
        .clock (clock),
        .reset (reset),
        .rvfi_valid (rvfi_valid),
        .rvfi_insn (rvfi_insn),
        .rvfi_trap (rvfi_trap),
        .rvfi_intr (rvfi_intr),
        .rvfi_pc_rdata (rvfi_pc_rdata),
        .rvfi_pc_wdata (rvfi_pc_wdata),
        .stall (stall),
        .lost (lost),
        .flush (adapter_flush),
        .drained (drained),
        .retire_valid (retire_valid),
        .retire_count (retire_count),
        .retire_pc (retire_pc),
        .retire_length (retire_length),
        .retire_kind (retire_kind),
        .retire_call (retire_call),
        .retire_return (retire_return),
        .retire_taken (retire_taken),
        .retire_target (retire_target),
        .retire_stall (retire_stall)
    );

    traptor_m4_unit_adapter_switch adapter_switch (
        .clock (clock),
        .reset (reset),
        .enable (enable),
        .discard (discard),
        .flush (flush),
        .all_drained (drained),
        .trace_valid (trace_valid),
        .trace_ready (trace_ready),
        .flushed (flushed),
        .adapter_flush (adapter_flush),
        .module_enable (module_enable),
        .module_discard (module_discard),
        .module_flush (module_flush)
    );

    traptor_m4_unit trace_module (
        .clock (clock),
        .reset (reset),
        .retire_valid (retire_valid),
        .retire_count (retire_count),
        .retire_pc (retire_pc),
        .retire_length (retire_length),
        .retire_kind (retire_kind),
        .retire_call (retire_call),
        .retire_return (retire_return),
        .retire_taken (retire_taken),
        .retire_target (retire_target),
        .drops (drops),
        .stall (retire_stall),
        .sync_request (sync_request),
        .synchronised (synchronised),
        .enable (module_enable),
        .discard (module_discard),
        .flush (module_flush),
        .flushed (flushed),
        .trace_data (trace_data),
        .trace_valid (trace_valid),
        .trace_ready (trace_ready),
        .buffered_words (buffered_words)
    );

endmodule
