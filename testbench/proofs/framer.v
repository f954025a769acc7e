// The framer, whatever pieces and headers come. A reader counts ones: a zero after MARKER_ONES of them or more ends a
// marker, and in a packet a bit after MARKER_ONES - 1 of them is a stuffed one. So:
// * the reader finds a marker where one is sent and nowhere else, and no run of ones is longer than a marker with what a
//   packet may end in;
// * without the stuffed bits, which are zeros, a packet is the bits of its header and of its pieces, each once and in order;
// * after a marker comes a header, after a header its pieces up to the last one, after an end nothing, and before the
//   first header nothing; only the last piece of an end is to be filled up;
// * a header ends in fewer than LIMIT cycles in which a piece is taken.
// A header stays until it is taken, as one in a register does.
module proof (
    input                               clock,
    input                               reset,
    input                               payload_valid,
    input [`FRAMER_payload-1:0]         payload,
    input [`FRAMER_payload_bits-1:0]    payload_bits,
    input                               payload_last,
    input                               comes,
    input [`FRAMER_header-1:0]          next,
    input                               piece_ready
);

    localparam ONES = `MARKER_ONES;
    localparam MOST = `FRAMER_piece;
    localparam [1:0] CLOSED = 2'd0;
    localparam [1:0] MARKER = 2'd1;
    localparam [1:0] HEADER = 2'd2;
    localparam [1:0] PAYLOAD = 2'd3;

    wire                          payload_ready;
    wire                          header_ready;
    wire                          piece_valid;
    wire [MOST-1:0]               piece;
    wire [`FRAMER_piece_bits-1:0] piece_bits;
    wire                          piece_last;
    wire                          is_idle;

    reg                      started = 1'b0;
    reg                      header_valid = 1'b0;
    reg [`FRAMER_header-1:0] header;

    `FRAMER dut (
        .clock         (clock),
        .reset         (reset),
        .payload_valid (payload_valid),
        .payload       (payload),
        .payload_bits  (payload_bits),
        .payload_last  (payload_last),
        .payload_ready (payload_ready),
        .header_valid  (header_valid),
        .header        (header),
        .header_ready  (header_ready),
        .piece_valid   (piece_valid),
        .piece         (piece),
        .piece_bits    (piece_bits),
        .piece_last    (piece_last),
        .piece_ready   (piece_ready),
        .is_idle       (is_idle)
    );

    // The header's pieces, before zeros are stuffed.
    wire [`FRAMER_header_encoder_piece-1:0]      header_piece;
    wire [`FRAMER_header_encoder_piece_bits-1:0] header_piece_bits;

    wire sends = piece_valid && piece_ready;
    wire is_end = header[0];

    // What follows what.
    reg [1:0] phase = CLOSED;
    reg [7:0] marker_bits;
    reg [7:0] header_pieces;

    always @(posedge clock) begin
        started <= 1'b1;
        if (!header_valid || header_ready) begin
            header_valid <= comes;
            header <= next;
        end
        case (phase)
            CLOSED: if (header_valid) phase <= MARKER;
            MARKER: if (marker_bits + piece_bits > ONES && sends) phase <= HEADER;
            HEADER: if (header_valid && header_ready) phase <= is_end ? CLOSED : PAYLOAD;
            PAYLOAD: if (sends && payload_last) phase <= CLOSED;
        endcase
        if (sends) marker_bits <= marker_bits + piece_bits;
        if (phase != MARKER) marker_bits <= 8'd0;
        if (sends) header_pieces <= header_pieces + 8'd1;
        if (phase != HEADER) header_pieces <= 8'd0;
        if (reset) begin
            phase <= CLOSED;
            header_valid <= 1'b0;
            marker_bits <= 8'd0;
            header_pieces <= 8'd0;
        end
    end

    // The reader: all ones in a row, those in the packet alone, and what is left of the piece without stuffed bits.
    reg [6:0]      ones = 7'd0;
    reg [6:0]      packet_ones = 7'd0;
    reg [6:0]      ones_after;
    reg [6:0]      packet_ones_after;
    reg [6:0]      most_ones;
    reg            finds_marker;
    reg            stuffs_one;
    reg [MOST-1:0] data;
    reg [7:0]      data_bits;
    integer        at;

    always @* begin
        ones_after = ones;
        packet_ones_after = packet_ones;
        most_ones = ones;
        finds_marker = 1'b0;
        stuffs_one = 1'b0;
        data = 0;
        data_bits = 8'd0;
        for (at = 0; at < MOST; at = at + 1) begin
            if (at < piece_bits) begin
                finds_marker = finds_marker || !piece[at] && ones_after >= ONES;
                ones_after = piece[at] ? ones_after + 7'd1 : 7'd0;
                most_ones = ones_after > most_ones ? ones_after : most_ones;
                if (packet_ones_after == ONES - 1) begin
                    stuffs_one = stuffs_one || piece[at];
                    packet_ones_after = 7'd0;
                end else begin
                    data = data | piece[at] << data_bits;
                    data_bits = data_bits + 8'd1;
                    packet_ones_after = piece[at] ? packet_ones_after + 7'd1 : 7'd0;
                end
            end
        end
    end

    always @(posedge clock) begin
        if (sends) begin
            ones <= ones_after;
            packet_ones <= phase == MARKER ? 7'd0 : packet_ones_after;
        end
        if (reset) begin
            ones <= 7'd0;
            packet_ones <= 7'd0;
        end
    end

    always @* begin
        assume (started || reset);
        // Every header has a kind.
        assume (next[1]);
        assume (payload_bits <= `FRAMER_payload && (payload >> payload_bits) == 0);
        if (started) begin
            assert (!is_idle || phase == CLOSED && !header_valid);
            assert (!payload_ready || phase == PAYLOAD);
            assert (!header_ready || phase == HEADER);
            assert (!piece_valid || phase != CLOSED);
            assert (phase != MARKER || piece_valid);
            assert (phase != HEADER || header_pieces < `LIMIT);
            if (piece_valid) begin
                assert (piece_bits <= MOST && (piece >> piece_bits) == 0);
                assert (!piece_ready || piece_last == (phase == HEADER && is_end && header_ready));
                assert (most_ones < 2 * ONES - 1);
                assert (finds_marker == (phase == MARKER && marker_bits + piece_bits > ONES));
                if (phase == MARKER) begin
                    assert (marker_bits + piece_bits <= ONES + 1);
                end else begin
                    assert (!stuffs_one);
                end
                if (phase == HEADER) begin
                    assert (data == header_piece && data_bits == header_piece_bits);
                end
                if (phase == PAYLOAD) begin
                    assert (payload_valid && data == payload && data_bits == payload_bits);
                end
            end
        end
    end

endmodule
