// Control registers for traptor-m4-unit of Tracewright, made by `tracewright generate`.

// Registers of the RISC-V Trace Control Interface as an APB4 slave. docs/control.md describes them; an access
// outside of their pages ends in an error, reads 0 and writes nothing.

module traptor_m4_unit_registers (
    input  wire clock,
    input  wire reset,
    input  wire psel,
    input  wire penable,
    input  wire pwrite,
    input  wire [15:0] paddr,
    input  wire [31:0] pwdata,
    input  wire [3:0] pstrb,
    input  wire [2:0] pprot,
    output wire pready,
    output wire [31:0] prdata,
    output wire pslverr,
    output reg  trTeActive,
    output reg  trTeEnable,
    output reg  trTeInstTracing,
    input  wire trTeEmpty_value,
    output reg  [2:0] trTeInstMode,
    input  wire trTeInstStallOrOverflow_set,
    output reg  [1:0] trTeInstSyncMode,
    output reg  [3:0] trTeInstSyncMax,
    input  wire twTakesBlocks_value,
    output reg  trRamActive,
    output reg  trRamEnable,
    input  wire trRamEnable_clear,
    input  wire trRamEmpty_value,
    output reg  trRamStopOnWrap,
    output reg  [9:0] trRamLimitLow,
    input  wire trRamWrap_value,
    output wire trRamWrap_load,
    output wire trRamWrap_loaded,
    input  wire [9:0] trRamWPLow_value,
    output wire trRamWPLow_load,
    output wire [9:0] trRamWPLow_loaded,
    input  wire [9:0] trRamRPLow_value,
    output wire trRamRPLow_load,
    output wire [9:0] trRamRPLow_loaded,
    input  wire [31:0] trRamData_value,
    input  wire trRamData_ready,
    output wire trRamData_read
);

    // One access in a cycle: the register, and what is written.
    wire [13:0] word;
    wire [31:0] data;
    wire [3:0] strobes;
    wire is_write;
    // The access takes place in this cycle, and goes on if its data is not there.
    wire is_access;
    wire can_answer;
    wire is_outside = word >= 14'd2048;
    wire is_done = is_access & can_answer;
    wire [31:0] mask = {{8{strobes[3]}}, {8{strobes[2]}}, {8{strobes[1]}}, {8{strobes[0]}}};
    reg [31:0] read_data;

    assign word = paddr[15:2];
    assign data = pwdata;
    assign strobes = pstrb;
    assign is_write = pwrite;
    assign is_access = psel & penable;
    assign pready = can_answer;
    assign prdata = read_data;
    assign pslverr = is_done & is_outside;
    wire unused = &{1'b0, data, mask, paddr[1:0], pprot};

    // trTeControl
    wire write_trTeControl = is_done & is_write & (word == 14'd0);
    reg trTeInstStallOrOverflow;
    wire merged_trTeActive = (trTeActive & ~mask[0]) | (data[0] & mask[0]);
    wire merged_trTeEnable = (trTeEnable & ~mask[1]) | (data[1] & mask[1]);
    wire merged_trTeInstTracing = (trTeInstTracing & ~mask[2]) | (data[2] & mask[2]);
    wire [2:0] merged_trTeInstMode = (trTeInstMode & ~mask[6:4]) | (data[6:4] & mask[6:4]);
    wire [1:0] merged_trTeInstSyncMode = (trTeInstSyncMode & ~mask[17:16]) | (data[17:16] & mask[17:16]);
    wire [3:0] merged_trTeInstSyncMax = (trTeInstSyncMax & ~mask[23:20]) | (data[23:20] & mask[23:20]);
    always @(posedge clock) begin
        if (reset) begin
            trTeActive <= 1'd0;
            trTeEnable <= 1'd0;
            trTeInstTracing <= 1'd0;
            trTeInstMode <= 3'd7;
            trTeInstStallOrOverflow <= 1'd0;
            trTeInstSyncMode <= 2'd0;
            trTeInstSyncMax <= 4'd0;
        end else begin
            if (write_trTeControl) begin
                trTeActive <= merged_trTeActive;
                trTeEnable <= merged_trTeEnable;
                trTeInstTracing <= merged_trTeInstTracing;
                trTeInstMode <= {3{|merged_trTeInstMode}};
                trTeInstSyncMode <= merged_trTeInstSyncMode & 2'd2;
                trTeInstSyncMax <= merged_trTeInstSyncMax;
                trTeInstStallOrOverflow <= trTeInstStallOrOverflow & ~(data[12] & mask[12]);
                if (merged_trTeEnable & !trTeEnable) begin
                    trTeInstStallOrOverflow <= 1'd0;
                end
            end
            if (trTeInstStallOrOverflow_set) begin
                trTeInstStallOrOverflow <= 1'd1;
            end
            if (!trTeActive) begin
                trTeEnable <= 1'd0;
                trTeInstTracing <= 1'd0;
                trTeInstMode <= 3'd7;
                trTeInstStallOrOverflow <= 1'd0;
                trTeInstSyncMode <= 2'd0;
                trTeInstSyncMax <= 4'd0;
            end
        end
    end

    // trRamControl
    wire write_trRamControl = is_done & is_write & (word == 14'd1024);
    wire merged_trRamActive = (trRamActive & ~mask[0]) | (data[0] & mask[0]);
    wire merged_trRamEnable = (trRamEnable & ~mask[1]) | (data[1] & mask[1]);
    wire merged_trRamStopOnWrap = (trRamStopOnWrap & ~mask[8]) | (data[8] & mask[8]);
    always @(posedge clock) begin
        if (reset) begin
            trRamActive <= 1'd0;
            trRamEnable <= 1'd0;
            trRamStopOnWrap <= 1'd0;
        end else begin
            if (write_trRamControl) begin
                trRamActive <= merged_trRamActive;
                trRamEnable <= merged_trRamEnable;
                trRamStopOnWrap <= merged_trRamStopOnWrap;
            end
            if (trRamEnable_clear) begin
                trRamEnable <= 1'd0;
            end
            if (!trRamActive) begin
                trRamEnable <= 1'd0;
                trRamStopOnWrap <= 1'd0;
            end
        end
    end

    // trRamLimitLow
    wire write_trRamLimitLow = is_done & is_write & (word == 14'd1030);
    wire [9:0] merged_trRamLimitLow = (trRamLimitLow & ~mask[11:2]) | (data[11:2] & mask[11:2]);
    always @(posedge clock) begin
        if (reset) begin
            trRamLimitLow <= 10'd1023;
        end else begin
            if (write_trRamLimitLow) begin
                trRamLimitLow <= merged_trRamLimitLow;
            end
            if (!trRamActive) begin
                trRamLimitLow <= 10'd1023;
            end
        end
    end

    // trRamWPLow
    wire write_trRamWPLow = is_done & is_write & (word == 14'd1032);
    wire merged_trRamWrap = (trRamWrap_value & ~mask[0]) | (data[0] & mask[0]);
    wire [9:0] merged_trRamWPLow = (trRamWPLow_value & ~mask[11:2]) | (data[11:2] & mask[11:2]);
    assign trRamWrap_load = write_trRamWPLow;
    assign trRamWrap_loaded = merged_trRamWrap;
    assign trRamWPLow_load = write_trRamWPLow;
    assign trRamWPLow_loaded = merged_trRamWPLow;

    // trRamRPLow
    wire write_trRamRPLow = is_done & is_write & (word == 14'd1034);
    wire [9:0] merged_trRamRPLow = (trRamRPLow_value & ~mask[11:2]) | (data[11:2] & mask[11:2]);
    assign trRamRPLow_load = write_trRamRPLow;
    assign trRamRPLow_loaded = merged_trRamRPLow;

    assign can_answer = is_write | (word != 14'd1040) | trRamData_ready;
    assign trRamData_read = is_done & !is_write & (word == 14'd1040);

    always @(*) begin
        case (word)
            14'd0: read_data = {5'd0, 3'd7, trTeInstSyncMax, 2'd0, trTeInstSyncMode, 2'd0, 1'd1, trTeInstStallOrOverflow, 5'd0, trTeInstMode, trTeEmpty_value, trTeInstTracing, trTeEnable, trTeActive}; // trTeControl
            14'd1: read_data = {8'd0, 4'd1, 4'd0, 4'd0, 4'd1, 4'd0, 4'd1}; // trTeImpl
            14'd896: read_data = {31'd0, twTakesBlocks_value}; // twStatus
            14'd959: read_data = 32'd2626568452; // twFingerprint
            14'd1024: read_data = {23'd0, trRamStopOnWrap, 3'd0, 1'd0, trRamEmpty_value, 1'd0, trRamEnable, trRamActive}; // trRamControl
            14'd1025: read_data = {18'd0, 1'd0, 1'd1, 4'd9, 4'd0, 4'd1}; // trRamImpl
            14'd1028: read_data = {30'd0, 2'd0}; // trRamStartLow
            14'd1030: read_data = {20'd0, trRamLimitLow, 2'd0}; // trRamLimitLow
            14'd1032: read_data = {20'd0, trRamWPLow_value, 1'd0, trRamWrap_value}; // trRamWPLow
            14'd1034: read_data = {20'd0, trRamRPLow_value, 2'd0}; // trRamRPLow
            14'd1040: read_data = trRamData_value; // trRamData
            default: read_data = 32'd0;
        endcase
    end

endmodule

// RAM sink for traptor-m4-unit of Tracewright, made by `tracewright generate`.
// Keeps the last words of a trace in a ring, for registers that read them
module traptor_m4_unit_ram_sink (
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

    wire [31:0] words_read_data;
    reg         is_open;
    reg         is_full; // the last word of a ring that stops was written, and what comes is dropped
    reg  [31:0] held;
    reg  [1:0]  count;
    reg  [9:0]  writes_at;
    reg  [9:0]  reads_at;
    reg         has_wrapped;
    reg         is_read;
    reg  [31:0] word_read;
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
    wire        reads;
    reg  [31:0] words_cells [0:1023];

    assign pads = is_open & !enable & source_is_empty & (|count);
    assign trace_ready = is_open & !pads;
    assign takes = (trace_ready & trace_valid) | pads;
    assign beat = pads ? 32'd0 : {24'd0, trace_data};
    assign completes = takes & (&count);
    assign full_word = {beat[7:0], held[31:8]};
    assign reads = !is_open & !is_read;
    assign address = is_open ? writes_at : reads_at;
    assign writes = completes & !is_full;
    assign left = limit - address;
    assign is_last = !(|left) | (&address);
    assign is_tail = !(|left[9:6]);
    assign stopped = stop_when_full & ((completes & (is_last | is_tail)) | is_full);
    assign read_ready = is_open | is_read | clear;
    assign read_word = (is_open || clear) ? 32'd0 : word_read;
    assign is_empty = !is_open & !enable;
    assign write_pointer = writes_at;
    assign wrapped = has_wrapped;
    assign read_pointer = reads_at;
    assign words_read_data = words_cells[address];

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
        if (reads) begin
            word_read <= words_read_data;
        end
    end

    always @(posedge clock) begin
        if (writes) begin
            words_cells[address] <= full_word;
        end
    end

    wire _unused_ok = &{1'b0, held[7:0], beat[31:8]};

endmodule

// traptor-m4-unit with the registers of the RISC-V Trace Control Interface, which drive its pins (docs/control.md).
// The trace goes into a ring of 4096 bytes, which is read through the registers.

module traptor_m4_unit_rvfi_control (
    input  wire clock,
    input  wire reset,
    input  wire psel,
    input  wire penable,
    input  wire pwrite,
    input  wire [15:0] paddr,
    input  wire [31:0] pwdata,
    input  wire [3:0] pstrb,
    input  wire [2:0] pprot,
    output wire pready,
    output wire [31:0] prdata,
    output wire pslverr,
    input  wire rvfi_valid,
    input  wire [31:0] rvfi_insn,
    input  wire rvfi_trap,
    input  wire rvfi_intr,
    input  wire [31:0] rvfi_pc_rdata,
    input  wire [31:0] rvfi_pc_wdata,
    output wire stall,
    output wire lost,
    output wire drops,
    input  wire sync_request,
    output wire synchronised,
    output wire [3:0] buffered_words
);

    wire trTeActive;
    wire trTeEnable;
    wire trTeInstTracing;
    wire trTeEmpty_value;
    wire [2:0] trTeInstMode;
    wire trTeInstStallOrOverflow_set;
    wire [1:0] trTeInstSyncMode;
    wire [3:0] trTeInstSyncMax;
    wire twTakesBlocks_value;
    wire trRamActive;
    wire trRamEnable;
    wire trRamEnable_clear;
    wire trRamEmpty_value;
    wire trRamStopOnWrap;
    wire [9:0] trRamLimitLow;
    wire trRamWrap_value;
    wire trRamWrap_load;
    wire trRamWrap_loaded;
    wire [9:0] trRamWPLow_value;
    wire trRamWPLow_load;
    wire [9:0] trRamWPLow_loaded;
    wire [9:0] trRamRPLow_value;
    wire trRamRPLow_load;
    wire [9:0] trRamRPLow_loaded;
    wire [31:0] trRamData_value;
    wire trRamData_ready;
    wire trRamData_read;
    wire flushed;
    // A trace has begun, and not all of it has left the module.
    reg has_begun;
    // The module took blocks, or could have, since tracing was switched on.
    reg is_in_trace;
    // Cycles since a packet began, as long as they are counted.
    reg [19:0] cycles;

    wire enable = trTeActive & trTeEnable & trTeInstTracing & (|trTeInstMode) & trRamEnable;
    wire discard = !trTeActive & has_begun & !flushed;
    wire sync_is_due = cycles[{1'b0, trTeInstSyncMax} + 5'd4];

    assign trTeEmpty_value = !enable & !has_begun;
    assign twTakesBlocks_value = is_in_trace;
    // A core waits for its adapter when tracing is switched off.
    assign trTeInstStallOrOverflow_set = enable & is_in_trace & (stall | drops);

    always @(posedge clock) begin
        if (reset) begin
            has_begun <= 1'b0;
            is_in_trace <= 1'b0;
            cycles <= 20'd0;
        end else begin
            if (enable) begin
                has_begun <= 1'b1;
            end else if (flushed) begin
                has_begun <= 1'b0;
            end
            is_in_trace <= enable & (is_in_trace | !(stall | drops));
            if (!enable | synchronised | !(|trTeInstSyncMode)) begin
                cycles <= 20'd0;
            end else if (!sync_is_due) begin
                cycles <= cycles + 20'd1;
            end
        end
    end

    traptor_m4_unit_registers registers (
        .clock (clock),
        .reset (reset),
        .psel (psel),
        .penable (penable),
        .pwrite (pwrite),
        .paddr (paddr),
        .pwdata (pwdata),
        .pstrb (pstrb),
        .pprot (pprot),
        .pready (pready),
        .prdata (prdata),
        .pslverr (pslverr),
        .trTeActive (trTeActive),
        .trTeEnable (trTeEnable),
        .trTeInstTracing (trTeInstTracing),
        .trTeEmpty_value (trTeEmpty_value),
        .trTeInstMode (trTeInstMode),
        .trTeInstStallOrOverflow_set (trTeInstStallOrOverflow_set),
        .trTeInstSyncMode (trTeInstSyncMode),
        .trTeInstSyncMax (trTeInstSyncMax),
        .twTakesBlocks_value (twTakesBlocks_value),
        .trRamActive (trRamActive),
        .trRamEnable (trRamEnable),
        .trRamEnable_clear (trRamEnable_clear),
        .trRamEmpty_value (trRamEmpty_value),
        .trRamStopOnWrap (trRamStopOnWrap),
        .trRamLimitLow (trRamLimitLow),
        .trRamWrap_value (trRamWrap_value),
        .trRamWrap_load (trRamWrap_load),
        .trRamWrap_loaded (trRamWrap_loaded),
        .trRamWPLow_value (trRamWPLow_value),
        .trRamWPLow_load (trRamWPLow_load),
        .trRamWPLow_loaded (trRamWPLow_loaded),
        .trRamRPLow_value (trRamRPLow_value),
        .trRamRPLow_load (trRamRPLow_load),
        .trRamRPLow_loaded (trRamRPLow_loaded),
        .trRamData_value (trRamData_value),
        .trRamData_ready (trRamData_ready),
        .trRamData_read (trRamData_read)
    );

    wire [7:0] trace_data;
    wire trace_valid;
    wire trace_ready;

    traptor_m4_unit_ram_sink ram_sink (
        .clock (clock),
        .reset (reset),
        .trace_data (trace_data),
        .trace_valid (trace_valid),
        .trace_ready (trace_ready),
        .enable (trRamEnable),
        .clear (!trRamActive),
        .source_is_empty (flushed),
        .stop_when_full (trRamStopOnWrap),
        .limit (trRamLimitLow),
        .stopped (trRamEnable_clear),
        .is_empty (trRamEmpty_value),
        .load_write_pointer (trRamWPLow_load),
        .loaded_write_pointer (trRamWPLow_loaded),
        .write_pointer (trRamWPLow_value),
        .load_wrapped (trRamWrap_load),
        .loaded_wrapped (trRamWrap_loaded),
        .wrapped (trRamWrap_value),
        .load_read_pointer (trRamRPLow_load),
        .loaded_read_pointer (trRamRPLow_loaded),
        .read_pointer (trRamRPLow_value),
        .read (trRamData_read),
        .read_word (trRamData_value),
        .read_ready (trRamData_ready)
    );

    traptor_m4_unit_rvfi trace_module (
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
        .drops (drops),
        .enable (enable),
        .discard (discard),
        .flush (1'b0),
        .flushed (flushed),
        .sync_request (sync_request | sync_is_due),
        .synchronised (synchronised),
        .trace_data (trace_data),
        .trace_valid (trace_valid),
        .trace_ready (trace_ready),
        .buffered_words (buffered_words)
    );

endmodule
