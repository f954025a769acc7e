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

// How far a direct jump or branch goes
module traptor_m4_unit_rvfi_adapter_offset (
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

// What the pins say of an instruction
module traptor_m4_unit_rvfi_adapter_instruction (
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

    traptor_m4_unit_rvfi_adapter_classifier classifier (
        .insn        (shown_insn),
        .branch_kind (classifier_branch_kind),
        .call        (classifier_call),
        .is_return   (classifier_is_return),
        .is_long     (classifier_is_long),
        .trap_return (classifier_trap_return)
    );

    traptor_m4_unit_rvfi_adapter_offset offset (
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

// What an instruction did, when the next one comes or a flush does not wait for it
module traptor_m4_unit_rvfi_adapter_outcome (
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

// The instructions at the pins of all lanes, as words for the queue
module traptor_m4_unit_rvfi_adapter_runs (
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

    traptor_m4_unit_rvfi_adapter_instruction instruction_0 (
        .shown (shown_0),
        .held  (instruction_0_held)
    );

    traptor_m4_unit_rvfi_adapter_outcome outcome_0 (
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

// Words in their order, the oldest shown at once: depth words of width bits
module traptor_m4_unit_rvfi_adapter_fifo (
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

// Words in their order, of which several come in a cycle: any lanes have one, the lowest lane the oldest
module traptor_m4_unit_rvfi_adapter_lane_queue (
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

// What the port says of each instruction, as the blocks of a trace module (docs/hardware.md)
module traptor_m4_unit_rvfi_adapter (
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

    traptor_m4_unit_rvfi_adapter_runs runs (
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

    traptor_m4_unit_rvfi_adapter_lane_queue queue (
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

    assign shown_target =
        (!follows || (!diversion_due || (is_trap & oldest_taken))) ? oldest_target :
        oldest_program_counter;

    assign retire_valid = shows;
    assign retire_pc = {shown_program_counter, 1'b0};
    assign retire_target = {shown_target, 1'b0};
    assign retire_call = oldest_call & follows;
    assign retire_return = oldest_is_return & follows;
    assign retire_taken = oldest_taken & follows;
    assign retire_length = (oldest_is_long & follows) ? 4'd4 : 4'd2;

    always @(posedge clock) begin
        if (reset) begin
            instructions <= 4'd0;
            last_program_counter <= 31'd0;
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
// adapter. A core stops retiring while its stall is high, and may retire 8 more after stall has risen; lost rises
// when an instruction comes while the queue is full, and stays high.
module traptor_m4_unit_rvfi (
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

    traptor_m4_unit_rvfi_adapter adapter (
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

    traptor_m4_unit_adapter_switch adapter_switch (
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

    traptor_m4_unit trace_module (
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
