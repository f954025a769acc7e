// Control registers for talon-m-unit of Tracewright, made by `tracewright generate`.

// Makes one access of registers in a cycle of the transfers on an AXI4-Lite
module talon_m_unit_axi_lite (
    input  wire        clock,
    input  wire        reset,
    input  wire [13:0] s_axi_awaddr, // address of a write in words of 32 bits
    input  wire        s_axi_awvalid, // there is one
    output wire        s_axi_awready, // it is taken
    input  wire [31:0] s_axi_wdata, // what is written
    input  wire [3:0]  s_axi_wstrb, // the bytes of it that are written
    input  wire        s_axi_wvalid, // there is something
    output wire        s_axi_wready, // it is taken
    output wire [1:0]  s_axi_bresp, // 0, or 2: there is no such register
    output wire        s_axi_bvalid, // a write has ended
    input  wire        s_axi_bready, // that is taken
    input  wire [13:0] s_axi_araddr, // address of a read in words of 32 bits
    input  wire        s_axi_arvalid, // there is one
    output wire        s_axi_arready, // it is taken
    output wire [31:0] s_axi_rdata, // what is read
    output wire [1:0]  s_axi_rresp, // 0, or 2: there is no such register
    output wire        s_axi_rvalid, // a read has ended
    input  wire        s_axi_rready, // that is taken
    output wire        access_valid, // there is an access; without ready it goes on in the next cycle
    output wire        access_write,
    output wire [13:0] access_address, // address in words of 32 bits
    output wire [31:0] access_written,
    output wire [3:0]  access_strobes, // the bytes that are written
    input  wire        access_ready,
    input  wire [31:0] access_read,
    input  wire        access_outside // no page of registers is there
);

    reg         write_address_waits; // the address of a write waits
    reg  [13:0] write_address;
    reg         write_data_wait; // the data of a write wait
    reg  [31:0] write_data;
    reg  [3:0]  write_strobes;
    reg         read_address_waits; // the address of a read waits
    reg  [13:0] read_address;
    reg         write_answered; // a write was answered, and the answer is not taken yet
    reg         write_failed;
    reg         read_answered; // a read was answered, and the answer is not taken yet
    reg         read_failed;
    reg  [31:0] read_data;
    wire        writes;
    wire        reads;
    wire        has_read; // a read ends

    assign writes = write_address_waits & write_data_wait & (!write_answered | s_axi_bready);
    assign reads = read_address_waits & !writes & (!read_answered | s_axi_rready);
    assign access_valid = writes | reads;
    assign access_write = writes;
    assign access_address = writes ? write_address : read_address;
    assign access_written = write_data;
    assign access_strobes = write_strobes;
    assign has_read = reads & access_ready;
    assign s_axi_awready = !write_address_waits;
    assign s_axi_wready = !write_data_wait;
    assign s_axi_arready = !read_address_waits;
    assign s_axi_bvalid = write_answered;
    assign s_axi_bresp = {write_failed, 1'b0};
    assign s_axi_rvalid = read_answered;
    assign s_axi_rresp = {read_failed, 1'b0};
    assign s_axi_rdata = read_data;

    always @(posedge clock) begin
        if (reset) begin
            write_address_waits <= 1'b0;
            write_address <= 14'd0;
            write_data_wait <= 1'b0;
            write_data <= 32'd0;
            write_strobes <= 4'd0;
            read_address_waits <= 1'b0;
            read_address <= 14'd0;
            write_answered <= 1'b0;
            write_failed <= 1'b0;
            read_answered <= 1'b0;
            read_failed <= 1'b0;
            read_data <= 32'd0;
        end else begin
            if (s_axi_awvalid & !write_address_waits) begin
                write_address_waits <= 1'b1;
                write_address <= s_axi_awaddr;
            end else if (writes) begin
                write_address_waits <= 1'b0;
            end
            if (s_axi_wvalid & !write_data_wait) begin
                write_data_wait <= 1'b1;
                write_data <= s_axi_wdata;
                write_strobes <= s_axi_wstrb;
            end else if (writes) begin
                write_data_wait <= 1'b0;
            end
            if (s_axi_arvalid & !read_address_waits) begin
                read_address_waits <= 1'b1;
                read_address <= s_axi_araddr;
            end else if (has_read) begin
                read_address_waits <= 1'b0;
            end
            if (writes) begin
                write_answered <= 1'b1;
                write_failed <= access_outside;
            end else if (s_axi_bready) begin
                write_answered <= 1'b0;
            end
            if (has_read) begin
                read_answered <= 1'b1;
                read_failed <= access_outside;
                read_data <= access_read;
            end else if (s_axi_rready) begin
                read_answered <= 1'b0;
            end
        end
    end

endmodule

// Holds the registers of the Trace Control Interface: an access in each cycle on one side, the fields on the other
module talon_m_unit_register_file (
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
    output wire        trAtbBridgeActive,
    output wire        trAtbBridgeEnable,
    output wire [6:0]  trAtbBridgeID,
    input  wire        trTeInstStallOrOverflow_set,
    input  wire        trTeEmpty_value,
    input  wire        twTakesBlocks_value,
    input  wire        trAtbBridgeEmpty_value
);

    reg         trTeActive_kept;
    reg         trTeEnable_kept;
    reg         trTeInstTracing_kept;
    reg  [2:0]  trTeInstMode_kept;
    reg  [1:0]  trTeInstSyncMode_kept;
    reg  [3:0]  trTeInstSyncMax_kept;
    reg         trAtbBridgeActive_kept;
    reg         trAtbBridgeEnable_kept;
    reg  [6:0]  trAtbBridgeID_kept;
    reg         trTeInstStallOrOverflow_kept;
    wire [31:0] mask;
    wire [31:0] unwritten; // the bits that are not written
    wire [31:0] ones; // the bits that are written as 1
    wire        writes;
    wire        writes_trTeControl;
    wire        writes_trAtbBridgeControl;
    wire        trTeActive_merged;
    wire        trTeEnable_merged;
    wire        trTeInstTracing_merged;
    wire [2:0]  trTeInstMode_merged;
    wire [1:0]  trTeInstSyncMode_merged;
    wire [3:0]  trTeInstSyncMax_merged;
    wire        trAtbBridgeActive_merged;
    wire        trAtbBridgeEnable_merged;
    wire [6:0]  trAtbBridgeID_merged;
    wire [2:0]  trTeInstMode_legal;
    wire [1:0]  trTeInstSyncMode_legal;
    wire [31:0] trTeControl_word;
    wire [31:0] twStatus_word;
    wire [31:0] trAtbBridgeControl_word;

    assign access_outside = access_address >= 14'd2048;
    assign access_ready = 1'b1;
    assign writes = access_valid & access_write;
    assign writes_trTeControl = (access_address == 14'd0) & writes;
    assign writes_trAtbBridgeControl = (access_address == 14'd1024) & writes;

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
    assign trAtbBridgeActive_merged = (trAtbBridgeActive_kept & unwritten[0]) | ones[0];
    assign trAtbBridgeActive = trAtbBridgeActive_kept;
    assign trAtbBridgeEnable_merged = (trAtbBridgeEnable_kept & unwritten[1]) | ones[1];
    assign trAtbBridgeEnable = trAtbBridgeEnable_kept;
    assign trAtbBridgeID_merged = (trAtbBridgeID_kept & unwritten[14:8]) | ones[14:8];
    assign trAtbBridgeID = trAtbBridgeID_kept;

    always @* begin
        case (access_address)
            14'd0: access_read = trTeControl_word;
            14'd1: access_read = 32'h100101;
            14'd896: access_read = twStatus_word;
            14'd959: access_read = 32'hdbaf3976;
            14'd1024: access_read = trAtbBridgeControl_word;
            14'd1025: access_read = 32'd3585;
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

    assign trAtbBridgeControl_word = {
        17'd0,
        trAtbBridgeID_kept,
        4'd0,
        trAtbBridgeEmpty_value,
        1'b0,
        trAtbBridgeEnable_kept,
        trAtbBridgeActive_kept
    };

    always @(posedge clock) begin
        if (reset) begin
            trTeActive_kept <= 1'b0;
            trTeEnable_kept <= 1'b0;
            trTeInstTracing_kept <= 1'b0;
            trTeInstMode_kept <= 3'd7;
            trTeInstSyncMode_kept <= 2'd0;
            trTeInstSyncMax_kept <= 4'd0;
            trAtbBridgeActive_kept <= 1'b0;
            trAtbBridgeEnable_kept <= 1'b0;
            trAtbBridgeID_kept <= 7'd0;
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
            if (writes_trAtbBridgeControl) begin
                trAtbBridgeActive_kept <= trAtbBridgeActive_merged;
                trAtbBridgeEnable_kept <= trAtbBridgeEnable_merged;
                trAtbBridgeID_kept <= trAtbBridgeID_merged;
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
            if (!trAtbBridgeActive_kept) begin
                trAtbBridgeEnable_kept <= 1'b0;
                trAtbBridgeID_kept <= 7'd0;
            end
        end
    end

    wire _unused_ok = &{
        1'b0,
        unwritten[3],
        unwritten[7],
        unwritten[15],
        unwritten[19:18],
        unwritten[31:24],
        ones[3],
        ones[7],
        ones[15],
        ones[19:18],
        ones[31:24]
    };

endmodule

// Registers of the RISC-V Trace Control Interface as an AXI4-Lite slave. docs/control.md describes them; an access
// outside of their pages ends in an error, reads 0 and writes nothing. Registers are words, and are not protected.
module talon_m_unit_registers (
    input  wire        clock,
    input  wire        reset,
    input  wire [15:0] s_axi_awaddr,
    input  wire [2:0]  s_axi_awprot,
    input  wire        s_axi_awvalid,
    output wire        s_axi_awready,
    input  wire [31:0] s_axi_wdata,
    input  wire [3:0]  s_axi_wstrb,
    input  wire        s_axi_wvalid,
    output wire        s_axi_wready,
    output wire [1:0]  s_axi_bresp,
    output wire        s_axi_bvalid,
    input  wire        s_axi_bready,
    input  wire [15:0] s_axi_araddr,
    input  wire [2:0]  s_axi_arprot,
    input  wire        s_axi_arvalid,
    output wire        s_axi_arready,
    output wire [31:0] s_axi_rdata,
    output wire [1:0]  s_axi_rresp,
    output wire        s_axi_rvalid,
    input  wire        s_axi_rready,
    output wire        trTeActive,
    output wire        trTeEnable,
    output wire        trTeInstTracing,
    input  wire        trTeEmpty_value,
    output wire [2:0]  trTeInstMode,
    input  wire        trTeInstStallOrOverflow_set,
    output wire [1:0]  trTeInstSyncMode,
    output wire [3:0]  trTeInstSyncMax,
    input  wire        twTakesBlocks_value,
    output wire        trAtbBridgeActive,
    output wire        trAtbBridgeEnable,
    input  wire        trAtbBridgeEmpty_value,
    output wire [6:0]  trAtbBridgeID
);

    wire        write_answered;
    wire        read_answered;
    wire        access_valid;
    wire        access_write;
    wire [13:0] access_address;
    wire [31:0] access_written;
    wire [3:0]  access_strobes;
    wire        access_ready;
    wire [31:0] access_read;
    wire        access_outside;

    talon_m_unit_axi_lite front_end (
        .clock          (clock),
        .reset          (reset),
        .s_axi_awaddr   (s_axi_awaddr[15:2]),
        .s_axi_awvalid  (s_axi_awvalid),
        .s_axi_awready  (s_axi_awready),
        .s_axi_wdata    (s_axi_wdata),
        .s_axi_wstrb    (s_axi_wstrb),
        .s_axi_wvalid   (s_axi_wvalid),
        .s_axi_wready   (s_axi_wready),
        .s_axi_bresp    (s_axi_bresp),
        .s_axi_bvalid   (write_answered),
        .s_axi_bready   (s_axi_bready),
        .s_axi_araddr   (s_axi_araddr[15:2]),
        .s_axi_arvalid  (s_axi_arvalid),
        .s_axi_arready  (s_axi_arready),
        .s_axi_rdata    (s_axi_rdata),
        .s_axi_rresp    (s_axi_rresp),
        .s_axi_rvalid   (read_answered),
        .s_axi_rready   (s_axi_rready),
        .access_valid   (access_valid),
        .access_write   (access_write),
        .access_address (access_address),
        .access_written (access_written),
        .access_strobes (access_strobes),
        .access_ready   (access_ready),
        .access_read    (access_read),
        .access_outside (access_outside)
    );

    talon_m_unit_register_file register_file (
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
        .trAtbBridgeActive           (trAtbBridgeActive),
        .trAtbBridgeEnable           (trAtbBridgeEnable),
        .trAtbBridgeID               (trAtbBridgeID),
        .trTeInstStallOrOverflow_set (trTeInstStallOrOverflow_set),
        .trTeEmpty_value             (trTeEmpty_value),
        .twTakesBlocks_value         (twTakesBlocks_value),
        .trAtbBridgeEmpty_value      (trAtbBridgeEmpty_value)
    );

    assign s_axi_bvalid = write_answered & !reset;
    assign s_axi_rvalid = read_answered & !reset;

    wire _unused_ok = &{1'b0, s_axi_awaddr[1:0], s_axi_awprot, s_axi_araddr[1:0], s_axi_arprot};

endmodule

// Switches a trace module as the registers say, and tells them what it does
module talon_m_unit_trace_switch (
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

// Keeps beats back while the ATB bridge is off
module talon_m_unit_bridge_gate (
    input  wire clock,
    input  wire reset,
    input  wire is_empty, // trTeEmpty
    output wire bridge_is_empty, // trAtbBridgeEmpty: nothing is on offer besides
    input  wire beat_valid, // the source has a beat
    output wire beat_ready, // its beat is taken, if it has one
    input  wire all_has_left, // the source says that everything has left
    output wire atvalid, // there is a beat
    input  wire atready, // the beat is taken
    input  wire afvalid, // everything is to leave
    output wire afready // everything has left
);

    reg  is_pending; // a beat was on offer in the cycle before, and was not taken
    wire is_open;

    assign is_open = !is_empty | is_pending;
    assign bridge_is_empty = !is_open;
    assign atvalid = beat_valid & is_open;
    assign beat_ready = atready & is_open;
    assign afready = all_has_left | (afvalid & !is_open);

    always @(posedge clock) begin
        if (reset) begin
            is_pending <= 1'b0;
        end else begin
            is_pending <= beat_valid & is_open & !atready;
        end
    end

endmodule

// talon-m-unit with the registers of the RISC-V Trace Control Interface, which drive its pins (docs/control.md).
// The trace leaves over a trace bus, which the registers of the ATB bridge switch on.
module talon_m_unit_tip_atb_control (
    input  wire        clock,
    input  wire        reset,
    input  wire [15:0] s_axi_awaddr,
    input  wire [2:0]  s_axi_awprot,
    input  wire        s_axi_awvalid,
    output wire        s_axi_awready,
    input  wire [31:0] s_axi_wdata,
    input  wire [3:0]  s_axi_wstrb,
    input  wire        s_axi_wvalid,
    output wire        s_axi_wready,
    output wire [1:0]  s_axi_bresp,
    output wire        s_axi_bvalid,
    input  wire        s_axi_bready,
    input  wire [15:0] s_axi_araddr,
    input  wire [2:0]  s_axi_arprot,
    input  wire        s_axi_arvalid,
    output wire        s_axi_arready,
    output wire [31:0] s_axi_rdata,
    output wire [1:0]  s_axi_rresp,
    output wire        s_axi_rvalid,
    input  wire        s_axi_rready,
    input  wire [3:0]  tip_itype,
    input  wire [31:0] tip_iaddr,
    input  wire        tip_iretire,
    input  wire        tip_ilastsize,
    output wire        stall,
    output wire        lost,
    output wire        drops,
    output wire        synchronised,
    output wire [3:0]  buffered_words,
    output wire [6:0]  atid,
    output wire [7:0]  atdata,
    output wire        atvalid,
    input  wire        atready,
    input  wire        syncreq,
    input  wire        afvalid,
    output wire        afready
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
    wire       trAtbBridgeActive;
    wire       trAtbBridgeEnable;
    wire       trAtbBridgeEmpty_value;
    wire [6:0] trAtbBridgeID;
    wire       flushed;
    wire       enable;
    wire       discard;
    wire       sync_is_due;
    wire       beat_valid;
    wire       beat_ready;
    wire       all_has_left;

    talon_m_unit_registers registers (
        .clock                       (clock),
        .reset                       (reset),
        .s_axi_awaddr                (s_axi_awaddr),
        .s_axi_awprot                (s_axi_awprot),
        .s_axi_awvalid               (s_axi_awvalid),
        .s_axi_awready               (s_axi_awready),
        .s_axi_wdata                 (s_axi_wdata),
        .s_axi_wstrb                 (s_axi_wstrb),
        .s_axi_wvalid                (s_axi_wvalid),
        .s_axi_wready                (s_axi_wready),
        .s_axi_bresp                 (s_axi_bresp),
        .s_axi_bvalid                (s_axi_bvalid),
        .s_axi_bready                (s_axi_bready),
        .s_axi_araddr                (s_axi_araddr),
        .s_axi_arprot                (s_axi_arprot),
        .s_axi_arvalid               (s_axi_arvalid),
        .s_axi_arready               (s_axi_arready),
        .s_axi_rdata                 (s_axi_rdata),
        .s_axi_rresp                 (s_axi_rresp),
        .s_axi_rvalid                (s_axi_rvalid),
        .s_axi_rready                (s_axi_rready),
        .trTeActive                  (trTeActive),
        .trTeEnable                  (trTeEnable),
        .trTeInstTracing             (trTeInstTracing),
        .trTeEmpty_value             (trTeEmpty_value),
        .trTeInstMode                (trTeInstMode),
        .trTeInstStallOrOverflow_set (trTeInstStallOrOverflow_set),
        .trTeInstSyncMode            (trTeInstSyncMode),
        .trTeInstSyncMax             (trTeInstSyncMax),
        .twTakesBlocks_value         (twTakesBlocks_value),
        .trAtbBridgeActive           (trAtbBridgeActive),
        .trAtbBridgeEnable           (trAtbBridgeEnable),
        .trAtbBridgeEmpty_value      (trAtbBridgeEmpty_value),
        .trAtbBridgeID               (trAtbBridgeID)
    );

    talon_m_unit_trace_switch trace_switch (
        .clock          (clock),
        .reset          (reset),
        .active         (trTeActive),
        .enable         (trTeEnable),
        .tracing        (trTeInstTracing),
        .mode           (trTeInstMode),
        .sink_enable    (trAtbBridgeEnable),
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

    talon_m_unit_bridge_gate bridge_gate (
        .clock           (clock),
        .reset           (reset),
        .is_empty        (trTeEmpty_value),
        .bridge_is_empty (trAtbBridgeEmpty_value),
        .beat_valid      (beat_valid),
        .beat_ready      (beat_ready),
        .all_has_left    (all_has_left),
        .atvalid         (atvalid),
        .atready         (atready),
        .afvalid         (afvalid),
        .afready         (afready)
    );

    talon_m_unit_tip_atb trace_module (
        .atclk          (clock),
        .atresetn       (!reset),
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
        .synchronised   (synchronised),
        .buffered_words (buffered_words),
        .trace_id       (trAtbBridgeID),
        .atid           (atid),
        .atdata         (atdata),
        .atvalid        (beat_valid),
        .atready        (beat_ready),
        .syncreq        (syncreq | sync_is_due),
        .afvalid        (afvalid),
        .afready        (all_has_left)
    );

    wire _unused_ok = &{1'b0, trAtbBridgeActive};

endmodule
