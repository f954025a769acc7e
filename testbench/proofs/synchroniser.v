// The synchroniser of a design whose core cannot wait. The blocks of the core are free, and so is which of those that may
// be taken are. So:
// * every block is taken or lost, and every loss is told: a header after lost instructions has the number of instructions of
//   all blocks that were shown and not taken since the packet before began to lose, or the largest number if they are more;
// * no packet begins otherwise while a loss has not been told, and no block is taken between a loss and the packet after it;
// * a header stays until it is taken, and says where the instruction after the last one before the packet is, taken or lost;
// * a trace ends: if the compressor is ready, is empty, and is cleared, and a header is taken, each in fewer than PATIENCE
//   cycles, `ends` comes in fewer than LIMIT cycles with `trace_ends`.
module proof (
    input                                 clock,
    input                                 reset,
    input                                 is_shown,
    input                                 may_take,
    input [`SYNC_retire_count-1:0]        retire_count,
    input [`SYNC_retire_pc-1:0]           retire_pc,
    input [`SYNC_retire_target-1:0]       retire_target,
    input                                 retire_direct,
    input                                 retire_indirect,
    input                                 retire_exception,
    input                                 retire_taken,
    input                                 sync_request,
    input                                 trace_ends,
    input                                 is_off,
    input                                 is_clearing,
    input                                 ready,
    input                                 is_empty,
    input                                 header_ready
);

    wire                    accepts;
    wire                    flush;
    wire                    ends;
    wire                    restart;
    wire                    synchronised;
    wire                    header_valid;
    wire [`SYNC_header-1:0] header;
    wire                    retire_valid = is_shown && may_take && ready && accepts;

    // What is not connected is free.
    `SYNC dut (
        .clock            (clock),
        .reset            (reset),
        .retire_valid     (retire_valid),
        .retire_count     (retire_count),
        .retire_pc        (retire_pc),
        .retire_target    (retire_target),
        .retire_direct    (retire_direct),
        .retire_indirect  (retire_indirect),
        .retire_exception (retire_exception),
        .retire_taken     (retire_taken),
        .is_shown         (is_shown),
        .sync_request     (sync_request),
        .trace_ends       (trace_ends),
        .is_off           (is_off),
`ifdef SYNC_is_clearing
        .is_clearing      (is_clearing),
`endif
        .ready            (ready),
        .is_empty         (is_empty),
        .accepts          (accepts),
        .flush            (flush),
        .ends             (ends),
        .restart          (restart),
        .synchronised     (synchronised),
        .header_valid     (header_valid),
        .header           (header),
        .header_ready     (header_ready)
    );

    // The header's fields, after the flags of its slots and the checksum.
    localparam KIND = 4 + `CHECKSUM_BITS;
    localparam ADDRESS_BITS = `SYNC_address;
    wire [1:0]              kind = header[KIND +: 2];
    // The framer puts the number of the packet in.
    localparam LOST = KIND + 2 + `NUMBER_BITS;
    wire [15:0]             told_lost = header[LOST +: 16];
    wire                    told_is_after = header[LOST+18];
    wire [ADDRESS_BITS-1:0] told_address = header[LOST+19 +: ADDRESS_BITS];
    localparam [1:0] SYNCHRONISATION = 2'd1;
    localparam [1:0] AFTER_LOSS = 2'd2;

    // What was shown and not taken since the last loss was told.
    reg         misses = 1'b0;
    reg  [15:0] missing = 16'd0;
    wire        loses = is_shown && !retire_valid;
    wire [16:0] sum = misses ? {1'b0, missing} + retire_count : retire_count;
    wire [15:0] missing_now = !loses ? missing : sum[16] ? 16'hffff : sum[15:0];
    wire        misses_now = misses || loses;

    // Where the next instruction is.
    reg                     is_after = 1'b0;
    reg  [ADDRESS_BITS-1:0] address = 0;
    wire                    changes = retire_exception || (retire_direct || retire_indirect) && retire_taken;
    wire                    is_after_now = is_shown ? !changes : is_after;
    wire [ADDRESS_BITS-1:0] address_now =
        !is_shown ? address : changes ? retire_target >> `ALIGNMENT : retire_pc >> `ALIGNMENT;

    // What the header that waits has to say.
    reg                     begins_after_loss;
    reg  [15:0]             lost;
    reg                     begins_is_after;
    reg  [ADDRESS_BITS-1:0] begins_address;
    reg                     had_header = 1'b0;
    reg [`SYNC_header-1:0]  header_before;
    wire                    begins_now = header_valid && !had_header;

    reg       started = 1'b0;
    reg       was_reset = 1'b1;
    reg       had_misses;
    reg [7:0] not_ready;
    reg [7:0] not_empty;
    reg [7:0] clearing;
    reg [7:0] not_taken;
    reg [7:0] waited;

    always @(posedge clock) begin
        started <= 1'b1;
        was_reset <= reset;
        is_after <= is_after_now;
        address <= address_now;
        misses <= misses_now && !synchronised;
        missing <= missing_now;
        had_header <= header_valid && !header_ready;
        header_before <= header;
        had_misses <= misses_now;
        begins_after_loss <= synchronised && misses_now;
        if (synchronised) lost <= missing_now;
        begins_is_after <= synchronised ? is_after_now : is_after;
        begins_address <= synchronised ? address_now : address;
        not_ready <= ready ? 8'd0 : not_ready + 8'd1;
        not_empty <= is_empty ? 8'd0 : not_empty + 8'd1;
        clearing <= is_clearing ? clearing + 8'd1 : 8'd0;
        not_taken <= header_valid && !header_ready ? not_taken + 8'd1 : 8'd0;
        waited <= trace_ends && !ends ? waited + 8'd1 : 8'd0;
        if (reset) begin
            misses <= 1'b0;
            missing <= 16'd0;
            is_after <= 1'b0;
            address <= 0;
            had_header <= 1'b0;
            not_ready <= 8'd0;
            not_empty <= 8'd0;
            clearing <= 8'd0;
            not_taken <= 8'd0;
            waited <= 8'd0;
        end
    end

    always @* begin
        assume (started || reset);
        assume (not_ready < `PATIENCE && not_empty < `PATIENCE && clearing < `PATIENCE && not_taken < `PATIENCE);
        if (started) begin
            assert (!retire_valid || !misses);
            if (!was_reset) begin
                assert (!had_header || header_valid && header == header_before);
                assert (!begins_now || kind != AFTER_LOSS || begins_after_loss);
                assert (!begins_after_loss || begins_now && kind == AFTER_LOSS && told_lost == lost);
                assert (!begins_now || kind == 2'd3 || kind == AFTER_LOSS || !had_misses);
                if (begins_now && (kind == SYNCHRONISATION || kind == AFTER_LOSS)) begin
                    assert (told_is_after == begins_is_after && told_address == begins_address);
                end
            end
            assert (waited < `LIMIT);
        end
    end

endmodule
