// Control registers for traptor-m4-unit of Tracewright, made by `tracewright generate`.

// Makes an access of registers of the second and later cycles of a transfer on an APB
module traptor_m4_unit_apb (
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

// Holds the registers of the Trace Control Interface: an access in each cycle on one side, the fields on the other
module traptor_m4_unit_register_file (
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
    output wire        trRamActive,
    output wire        trRamEnable,
    output wire        trRamStopOnWrap,
    output wire [9:0]  trRamLimitLow,
    input  wire        trRamEnable_clear,
    input  wire        trTeInstStallOrOverflow_set,
    input  wire        trTeEmpty_value,
    input  wire        twTakesBlocks_value,
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

    reg         trTeActive_kept;
    reg         trTeEnable_kept;
    reg         trTeInstTracing_kept;
    reg  [2:0]  trTeInstMode_kept;
    reg  [1:0]  trTeInstSyncMode_kept;
    reg  [3:0]  trTeInstSyncMax_kept;
    reg         trRamActive_kept;
    reg         trRamEnable_kept;
    reg         trRamStopOnWrap_kept;
    reg  [9:0]  trRamLimitLow_kept;
    reg         trTeInstStallOrOverflow_kept;
    wire [31:0] mask;
    wire [31:0] unwritten; // the bits that are not written
    wire [31:0] ones; // the bits that are written as 1
    wire        writes;
    wire        reads;
    wire        writes_trTeControl;
    wire        writes_trRamControl;
    wire        writes_trRamLimitLow;
    wire        writes_trRamWPLow;
    wire        writes_trRamRPLow;
    wire        trTeActive_merged;
    wire        trTeEnable_merged;
    wire        trTeInstTracing_merged;
    wire [2:0]  trTeInstMode_merged;
    wire [1:0]  trTeInstSyncMode_merged;
    wire [3:0]  trTeInstSyncMax_merged;
    wire        trRamActive_merged;
    wire        trRamEnable_merged;
    wire        trRamStopOnWrap_merged;
    wire [9:0]  trRamLimitLow_merged;
    wire [2:0]  trTeInstMode_legal;
    wire [1:0]  trTeInstSyncMode_legal;
    wire        trRamWrap_merged;
    wire [9:0]  trRamWPLow_merged;
    wire [9:0]  trRamRPLow_merged;
    wire [31:0] trTeControl_word;
    wire [31:0] twStatus_word;
    wire [31:0] trRamControl_word;
    wire [31:0] trRamLimitLow_word;
    wire [31:0] trRamWPLow_word;
    wire [31:0] trRamRPLow_word;

    assign access_outside = access_address >= 14'd2048;
    assign access_ready = access_write | (access_address != 14'd1040) | trRamData_ready;
    assign writes = access_valid & access_write;
    assign reads = access_valid & access_ready & !access_write;
    assign writes_trTeControl = (access_address == 14'd0) & writes;
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
    assign trTeActive_merged = (trTeActive_kept & unwritten[0]) | ones[0];
    assign trTeActive = trTeActive_kept;
    assign trTeEnable_merged = (trTeEnable_kept & unwritten[1]) | ones[1];
    assign trTeEnable = trTeEnable_kept;
    assign trTeInstTracing_merged = (trTeInstTracing_kept & unwritten[2]) | ones[2];
    assign trTeInstTracing = trTeInstTracing_kept;
    assign trTeInstMode_merged = (trTeInstMode_kept & unwritten[6:4]) | ones[6:4];
    assign trTeInstMode_legal = (|trTeInstMode_merged) ? 3'd7 : 3'd0;
    assign trTeInstMode = trTeInstMode_kept;
    assign trTeInstSyncMode_merged = (trTeInstSyncMode_kept & unwritten[17:16]) | ones[17:16];
    assign trTeInstSyncMode_legal = trTeInstSyncMode_merged & 2'd2;
    assign trTeInstSyncMode = trTeInstSyncMode_kept;
    assign trTeInstSyncMax_merged = (trTeInstSyncMax_kept & unwritten[23:20]) | ones[23:20];
    assign trTeInstSyncMax = trTeInstSyncMax_kept;
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
            14'd0: access_read = trTeControl_word;
            14'd1: access_read = 32'h100101;
            14'd896: access_read = twStatus_word;
            14'd959: access_read = 32'h9c8e4104;
            14'd1024: access_read = trRamControl_word;
            14'd1025: access_read = 32'h1901;
            14'd1030: access_read = trRamLimitLow_word;
            14'd1032: access_read = trRamWPLow_word;
            14'd1034: access_read = trRamRPLow_word;
            14'd1040: access_read = trRamData_value;
            default: access_read = 32'd0;
        endcase
    end

    assign trTeControl_word = {
        8'd7,
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
            trTeActive_kept <= 1'b0;
            trTeEnable_kept <= 1'b0;
            trTeInstTracing_kept <= 1'b0;
            trTeInstMode_kept <= 3'd7;
            trTeInstSyncMode_kept <= 2'd0;
            trTeInstSyncMax_kept <= 4'd0;
            trRamActive_kept <= 1'b0;
            trRamEnable_kept <= 1'b0;
            trRamStopOnWrap_kept <= 1'b0;
            trRamLimitLow_kept <= 10'd1023;
            trTeInstStallOrOverflow_kept <= 1'b0;
        end else begin
            if (writes_trTeControl) begin
                trTeActive_kept <= trTeActive_merged;
                trTeEnable_kept <= trTeEnable_merged;
                trTeInstTracing_kept <= trTeInstTracing_merged;
                trTeInstMode_kept <= trTeInstMode_legal;
                trTeInstSyncMode_kept <= trTeInstSyncMode_legal;
                trTeInstSyncMax_kept <= trTeInstSyncMax_merged;
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
            if (writes_trTeControl) begin
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
                trTeInstMode_kept <= 3'd7;
                trTeInstSyncMode_kept <= 2'd0;
                trTeInstSyncMax_kept <= 4'd0;
                trTeInstStallOrOverflow_kept <= 1'b0;
            end
            if (!trRamActive_kept) begin
                trRamEnable_kept <= 1'b0;
                trRamStopOnWrap_kept <= 1'b0;
                trRamLimitLow_kept <= 10'd1023;
            end
        end
    end

    wire _unused_ok = &{
        1'b0,
        unwritten[15:12],
        unwritten[19:18],
        unwritten[31:24],
        ones[15:13],
        ones[19:18],
        ones[31:24]
    };

endmodule

// Registers of the RISC-V Trace Control Interface as an APB4 slave. docs/control.md describes them; an access
// outside of their pages ends in an error, reads 0 and writes nothing. Registers are words, and are not protected.
module traptor_m4_unit_registers (
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
    input  wire        twTakesBlocks_value,
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

    traptor_m4_unit_apb front_end (
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

    traptor_m4_unit_register_file register_file (
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
        .trRamActive                 (trRamActive),
        .trRamEnable                 (trRamEnable),
        .trRamStopOnWrap             (trRamStopOnWrap),
        .trRamLimitLow               (trRamLimitLow),
        .trRamEnable_clear           (trRamEnable_clear),
        .trTeInstStallOrOverflow_set (trTeInstStallOrOverflow_set),
        .trTeEmpty_value             (trTeEmpty_value),
        .twTakesBlocks_value         (twTakesBlocks_value),
        .trRamEmpty_value            (trRamEmpty_value),
        .trRamWrap_value             (trRamWrap_value),
        .trRamWPLow_value            (trRamWPLow_value),
        .trRamRPLow_value            (trRamRPLow_value),
        .trRamWrap_load              (trRamWrap_load),
        .trRamWPLow_load             (trRamWPLow_load),
        .trRamRPLow_load             (trRamRPLow_load),
        .trRamWrap_loaded            (trRamWrap_loaded),
        .trRamWPLow_loaded           (trRamWPLow_loaded),
        .trRamRPLow_loaded           (trRamRPLow_loaded),
        .trRamData_value             (trRamData_value),
        .trRamData_ready             (trRamData_ready),
        .trRamData_read              (trRamData_read)
    );

    wire _unused_ok = &{1'b0, paddr[1:0], pprot};

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
    assign is_tail = !(|left[9:6]);
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

// Switches a trace module as the registers say, and tells them what it does
module traptor_m4_unit_trace_switch (
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

// traptor-m4-unit with the registers of the RISC-V Trace Control Interface, which drive its pins (docs/control.md).
// The trace goes into a ring of 4096 bytes, which is read through the registers.
module traptor_m4_unit_rvfi_control (
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
    output wire [3:0]  buffered_words
);

    wire        trTeActive;
    wire        trTeEnable;
    wire        trTeInstTracing;
    wire        trTeEmpty_value;
    wire [2:0]  trTeInstMode;
    wire        trTeInstStallOrOverflow_set;
    wire [1:0]  trTeInstSyncMode;
    wire [3:0]  trTeInstSyncMax;
    wire        twTakesBlocks_value;
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
    wire        flushed;
    wire        enable;
    wire        discard;
    wire        sync_is_due;
    wire [7:0]  trace_data;
    wire        trace_valid;
    wire        trace_ready;

    traptor_m4_unit_registers registers (
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
        .twTakesBlocks_value         (twTakesBlocks_value),
        .trRamActive                 (trRamActive),
        .trRamEnable                 (trRamEnable),
        .trRamEnable_clear           (trRamEnable_clear),
        .trRamEmpty_value            (trRamEmpty_value),
        .trRamStopOnWrap             (trRamStopOnWrap),
        .trRamLimitLow               (trRamLimitLow),
        .trRamWrap_value             (trRamWrap_value),
        .trRamWrap_load              (trRamWrap_load),
        .trRamWrap_loaded            (trRamWrap_loaded),
        .trRamWPLow_value            (trRamWPLow_value),
        .trRamWPLow_load             (trRamWPLow_load),
        .trRamWPLow_loaded           (trRamWPLow_loaded),
        .trRamRPLow_value            (trRamRPLow_value),
        .trRamRPLow_load             (trRamRPLow_load),
        .trRamRPLow_loaded           (trRamRPLow_loaded),
        .trRamData_value             (trRamData_value),
        .trRamData_ready             (trRamData_ready),
        .trRamData_read              (trRamData_read)
    );

    traptor_m4_unit_trace_switch trace_switch (
        .clock          (clock),
        .reset          (reset),
        .active         (trTeActive),
        .enable         (trTeEnable),
        .tracing        (trTeInstTracing),
        .mode           (trTeInstMode),
        .sink_enable    (trRamEnable),
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

    traptor_m4_unit_ram_sink ram_sink (
        .clock                (clock),
        .reset                (reset),
        .trace_data           (trace_data),
        .trace_valid          (trace_valid),
        .trace_ready          (trace_ready),
        .enable               (trRamEnable),
        .clear                (!trRamActive),
        .source_is_empty      (flushed),
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

    traptor_m4_unit_rvfi trace_module (
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

endmodule
