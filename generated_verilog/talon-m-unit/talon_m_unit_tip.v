// Trace ingress port for talon-m-unit of Tracewright, made by `tracewright generate`.

// Words in their order, the oldest shown at once: depth words of width bits
module talon_m_unit_tip_adapter_fifo (
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

// Words in their order, of which several come in a cycle: any lanes have one, the lowest lane the oldest
module talon_m_unit_tip_adapter_lane_queue (
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

    talon_m_unit_tip_adapter_fifo banks_0 (
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

// What a code of itype says
module talon_m_unit_tip_adapter_termination (
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

// What a hart's trace ingress port says, as the blocks of a trace module (docs/hardware.md)
module talon_m_unit_tip_adapter (
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

    talon_m_unit_tip_adapter_lane_queue queue (
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

    talon_m_unit_tip_adapter_termination termination (
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

// Switch after adapters for talon-m-unit of Tracewright, made by `tracewright generate`.
// Switches a trace module after adapters off when what came before has left them
module talon_m_unit_adapter_switch (
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

// talon-m-unit with the trace ingress port (TIP) of its hart. docs/integration.md describes the
// adapter. A hart stops retiring while its stall is high, and may retire 8 more after stall has risen; lost rises
// when a block comes while the queue is full, and stays high.
module talon_m_unit_tip (
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

    talon_m_unit_tip_adapter adapter (
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

    talon_m_unit_adapter_switch adapter_switch (
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

    talon_m_unit trace_module (
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
