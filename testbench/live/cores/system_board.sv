// Harts of system_hart.sv before one trace system, whose registers a debugger of this file drives. `systems` writes what depends
// on the harts and on the sink:
//   harts.svh               their instances
//   pins.svh                the pins of the system that are theirs
//   steps.svh               what the debugger does
// Macros from the command line:
//   SYSTEM                  the system's module
//   HARTS                   how many harts it has
//   SINK_ATB, SINK_STREAM, SINK_MEMORY   what takes the trace, if it is no ring
//
// +ring=FILE (words of the ring, or bytes of the port or the memory, in hexadecimal), +rests=N (some of the harts are off in the
// funnel by turns of N cycles; 0: none is).

module board (
    input wire clock
);
    reg  [7:0] resetting = 8'd0;
    wire       reset = resetting != 8'hff;
    always @(posedge clock)
        resetting <= resetting == 8'hff ? 8'hff : resetting + 8'd1;

    reg                 hold = 1'b1;
    wire [`HARTS-1:0]   stall, lost, over;
    wire [31:0]         status [0:`HARTS-1], instructions [0:`HARTS-1];
`include "harts.svh"

    reg         psel = 1'b0, penable = 1'b0, pwrite = 1'b0;
    reg  [23:0] paddr = 24'd0;
    reg  [31:0] pwdata = 32'd0;
    wire        pready, pslverr;
    wire [31:0] prdata;
    `SYSTEM trace (
        .clock(clock), .reset(reset),
        .psel(psel), .penable(penable), .pwrite(pwrite), .paddr(paddr[15+$clog2(`HARTS+1):0]), .pwdata(pwdata), .pstrb(4'hf),
        .pprot(3'd0), .pready(pready), .prdata(prdata), .pslverr(pslverr),
`ifdef SINK_STREAM
        .m_axis_tdata(beat), .m_axis_tvalid(beat_valid), .m_axis_tlast(), .m_axis_tready(beat_ready),
`endif
`ifdef SINK_ATB
        .atid(), .atdata(beat), .atvalid(beat_valid), .atready(beat_ready), .afvalid(1'b0), .afready(),
`endif
`ifdef SINK_MEMORY
        .m_axi_awaddr(awaddr), .m_axi_awlen(awlen), .m_axi_awsize(), .m_axi_awburst(), .m_axi_awcache(), .m_axi_awprot(),
        .m_axi_awvalid(awvalid), .m_axi_awready(awready), .m_axi_wdata(wdata), .m_axi_wstrb(), .m_axi_wlast(wlast),
        .m_axi_wvalid(wvalid), .m_axi_wready(wready), .m_axi_bresp(2'd0), .m_axi_bvalid(bvalid), .m_axi_bready(bready),
`endif
`include "pins.svh"
    );

    // What takes the trace is not always ready.
    reg  [15:0] random = 16'd1;
    reg         is_ready = 1'b0;
    always @(posedge clock) begin
        random <= {random[14:0], random[15] ^ random[13] ^ random[12] ^ random[10]};
        is_ready <= random[2:0] != 3'd0;
    end

`ifdef SINK_MEMORY
    // A bus of AXI4 to a memory, a burst after the other.
    wire [31:0] awaddr, wdata;
    wire [7:0]  awlen;
    wire        awvalid, wlast, wvalid, bready;
    reg  [31:0] written [0:65535], place = 32'd0;
    reg         is_burst = 1'b0, bvalid = 1'b0;
    wire        awready = !is_burst && !bvalid && is_ready;
    wire        wready = is_burst && is_ready;
    always @(posedge clock) begin
        if (awvalid && awready) {is_burst, place} <= {1'b1, awaddr};
        if (wvalid && wready) begin
            written[place[17:2]] <= wdata;
            place <= place + 32'd4;
            if (wlast) {is_burst, bvalid} <= 2'b01;
        end
        if (bvalid && bready) bvalid <= 1'b0;
    end
`endif
    wire [7:0]  beat;
    wire        beat_valid;
    wire        beat_ready = is_ready;
`ifndef SINK_STREAM
`ifndef SINK_ATB
    assign {beat, beat_valid} = 9'd0;
`endif
`endif
    always @(posedge clock)
        if (beat_valid && beat_ready)
            $fwrite(ring, "%h\n", beat);

    // What the debugger does, one step after the other: the address, what is written or waited for, and which bits are. Cores run
    // in RUN, POINTER keeps the write pointer, RING reads the ring word by word, and in REST what the sink holds is still taken.
    localparam [2:0] WRITE = 3'd0, WAIT = 3'd1, RUN = 3'd2, POINTER = 3'd3, RING = 3'd4, REST = 3'd5, END = 3'd6;
    reg  [7:0]  step = 8'd0;
    reg  [2:0]  kind;
    reg  [23:0] address;
    reg  [31:0] value, mask;
    always @* begin
        {kind, address, value, mask} = {END, 24'd0, 32'd0, 32'd0};
        case (step)
`include "steps.svh"
            default: ;
        endcase
    end

    integer     rests = 0, waited = 0, ring;
    reg  [31:0] turn = 32'd0, pointer = 32'd0, words = 32'd0;
    reg         was_lost = 1'b0;
    longint     cycles = 0;
    string      file;
    initial begin
        void'($value$plusargs("rests=%d", rests));
        if (!$value$plusargs("ring=%s", file)) $fatal(1, "+ring");
        ring = $fopen(file, "w");
    end

    wire is_due = rests != 0 && waited >= rests;
    wire has_passed = kind == RUN ? &over : kind == RING ? words == pointer[31:2] : kind == REST && waited > 1000;
    wire accesses = kind != RUN && kind != REST && kind != END || kind == RUN && is_due;
    always @(posedge clock) if (!reset) begin
        cycles <= cycles + 1;
        was_lost <= was_lost | (|lost);
        // Cores run from that step on.
        if (kind == RUN) hold <= 1'b0;
        waited <= waited + 1;
        if (!psel && has_passed) begin
            step <= step + 8'd1;
            waited <= 0;
        end else if (!psel && kind == END) begin
`ifdef SINK_MEMORY
            for (int at = 0; at < pointer[17:2]; at++)
                $fwrite(ring, "%h\n", written[at]);
`endif
            for (int hart = 0; hart < `HARTS; hart++)
                $display("status%0d=%0d instructions%0d=%0d", hart, status[hart], hart, instructions[hart]);
            $display("cycles=%0d pointer=%0d lost=%0d ended=1", cycles, pointer, was_lost);
            $fclose(ring);
            $finish;
        end else if (!psel && accesses) begin
            {psel, pwrite} <= {1'b1, kind == WRITE || kind == RUN};
            {paddr, pwdata} <= {address, kind == RUN ? turn : value};
        end else if (psel && !penable)
            penable <= 1'b1;
        else if (psel && pready) begin
            {psel, penable} <= 2'b00;
            if (pslverr) $fatal(1, "the access to %h is an error", paddr);
            case (kind)
                WAIT:
                    if ((prdata & mask) == value) begin
                        step <= step + 8'd1;
                        waited <= 0;
                    end
                RUN: begin
                    turn <= turn == 32'((1 << `HARTS) - 1) ? 32'd0 : turn + 32'd1;
                    waited <= 0;
                end
                RING: begin
                    $fwrite(ring, "%h\n", prdata);
                    words <= words + 32'd1;
                end
                default: begin
                    if (kind == POINTER) pointer <= prdata;
                    step <= step + 8'd1;
                    waited <= 0;
                end
            endcase
        end
    end
endmodule
