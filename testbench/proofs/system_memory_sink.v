// The sink that writes to the memory of the system writes nowhere but in the ring, whatever its registers do in any cycle and
// at whatever pace the memory takes and answers: a burst lies in the ring of the cycle before it begins, crosses no boundary
// of 4 KiB, has as many beats as it says, and does not change until it is taken; the next one begins when it was answered; and
// an empty sink has none.
//
// The last assertions are about registers: with them the others follow by induction.
module proof (
    input                         clock,
    input                         reset,
    input  [`SINK_trace_data-1:0] trace_data,
    input                         trace_valid,
    input                         enable,
    input                         clear,
    input                         source_is_empty,
    input                         stop_when_full,
    input  [`SINK_start-1:0]      start,
    input  [`SINK_limit-1:0]      limit,
    input                         load_write_pointer,
    input  [`SINK_start-1:0]      loaded_write_pointer,
    input                         load_wrapped,
    input                         loaded_wrapped,
    input                         awready,
    input                         wready,
    input  [1:0]                  bresp,
    input                         bvalid
);

    localparam PLACE = `SINK_start;
    localparam BYTE = `SINK_m_axi_awaddr - PLACE;

    wire [`SINK_m_axi_awaddr-1:0] awaddr;
    wire [7:0]                    awlen;
    wire [`SINK_m_axi_wstrb-1:0]  wstrb;
    wire                          awvalid, wvalid, wlast, bready, is_empty;
    wire                          is_writing, checks, drops, fifo_valid;
    wire [`SINK_beats_left-1:0]   beats_left;
    wire [`FIFO_held-1:0]         held;

    `SINK dut (
        .clock                (clock),
        .reset                (reset),
        .trace_data           (trace_data),
        .trace_valid          (trace_valid),
        .enable               (enable),
        .clear                (clear),
        .source_is_empty      (source_is_empty),
        .stop_when_full       (stop_when_full),
        .start                (start),
        .limit                (limit),
        .is_empty             (is_empty),
        .load_write_pointer   (load_write_pointer),
        .loaded_write_pointer (loaded_write_pointer),
        .load_wrapped         (load_wrapped),
        .loaded_wrapped       (loaded_wrapped),
        .m_axi_awaddr         (awaddr),
        .m_axi_awlen          (awlen),
        .m_axi_awvalid        (awvalid),
        .m_axi_awready        (awready),
        .m_axi_wstrb          (wstrb),
        .m_axi_wlast          (wlast),
        .m_axi_wvalid         (wvalid),
        .m_axi_wready         (wready),
        .m_axi_bresp          (bresp),
        .m_axi_bvalid         (bvalid),
        .m_axi_bready         (bready)
    );

    reg             started = 1'b0;
    reg             was_reset;
    reg             was_writing;
    reg             address_waits, data_waits;
    reg             waited_last;
    reg [`SINK_m_axi_awaddr-1:0] waited_address;
    reg [7:0]       waited_length;
    reg [PLACE-1:0] ring_start, ring_limit;
    // Beats of the burst that were taken.
    reg [8:0]       beats;

    wire [PLACE-1:0] first = awaddr >> BYTE;
    wire [PLACE:0]   last = first + awlen;
    wire             begins = is_writing && !was_writing;

    always @(posedge clock) begin
        started <= 1'b1;
        was_reset <= reset;
        was_writing <= is_writing;
        address_waits <= awvalid && !awready;
        data_waits <= wvalid && !wready;
        waited_last <= wlast;
        waited_address <= awaddr;
        waited_length <= awlen;
        ring_start <= start;
        ring_limit <= limit;
        beats <= !is_writing ? 9'd0 : beats + (wvalid && wready);
    end

    always @* begin
        assume (started || reset);
        // A memory answers only what it has got.
        assume (!bvalid || !(awvalid || wvalid));
        if (started && !was_reset) begin
            assert (!begins || (first >= ring_start && last <= ring_limit));
            assert (!begins || awaddr[11:BYTE] + awlen <= (4096 >> BYTE) - 1);
            assert (!begins || (awvalid && wvalid && awlen < `BURST));
            assert (!address_waits || (awvalid && awaddr == waited_address && awlen == waited_length));
            assert (!data_waits || (wvalid && wlast == waited_last));
            assert (!is_writing || !was_writing || (awlen == waited_length && awaddr == waited_address));
            assert (!wvalid || wlast == (beats == awlen));
            assert (&wstrb);
        end
        if (started) begin
            assert (!is_empty || !(awvalid || wvalid || bready));
            assert (!wvalid || fifo_valid);
            assert (!(awvalid || wvalid) || is_writing);
            assert (bready == is_writing);
            assert (!wvalid || (beats + beats_left == awlen && held > beats_left));
            assert (!is_writing || wvalid || beats == awlen + 9'd1);
            assert (!checks || (!is_writing && !drops && held != 0));
            assert (held <= `DEPTH && awlen < `BURST);
        end
    end

endmodule
