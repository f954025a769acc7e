// Blocks at random, a sink that is ready at random, flushes and a reset in between. What the AXI4-Stream wrapper sends
// must be what the module inside it sends; the signals must follow the rules of the bus; and the last beat of
// every flush, and no other, must have m_axis_tlast. A cycle without aclken is none.
`timescale 1ns / 1ns

module axis_testbench;
    localparam CYCLES = 40000;
    localparam HAS_ENABLE = 0;

    reg clock = 0;
    reg aresetn = 0;
    reg flush = 0;
    reg ready = 0;
    reg aclken = 0; // of a design with a clock enable; else always high
    reg [31:0] random = 1;
    reg [31:0] pc = 32'h8000;
    reg block = 0;
    wire stall, flushed, valid, last;
    wire [7:0] data;

    TOP_axis trace (
        .aclk (clock), .aresetn (aresetn),
        .retire_valid (block), .retire_count (4'd1), .retire_pc (pc), .retire_length (4'd4),
        .retire_kind (random[8] ? 3'd3 : 3'd1), .retire_call (1'b0), .retire_return (1'b0), .retire_taken (random[8] | random[9]),
        .retire_target ({16'd0, random[31:18], 2'b00}),
        .stall (stall), .flush (flush), .flushed (flushed), .buffered_words (),
        .m_axis_tdata (data), .m_axis_tvalid (valid), .m_axis_tlast (last), .m_axis_tready (ready)
    );

    wire inside = trace.trace_module.trace_valid & trace.trace_module.trace_ready;
    integer sent = 0, received = 0, flushes = 0, lasts = 0, since_last = 0, cycle;
    reg [7:0] queue [0:65535];
    reg waiting = 0, previous_last = 0, previous_flushed = 0;
    reg [7:0] previous_data = 0;

    task fail(input [8*40-1:0] what);
        begin
            $display("FAIL: %0s in cycle %0d", what, cycle);
            $finish(1);
        end
    endtask

    always #5 clock = !clock;

    initial begin
        for (cycle = 0; cycle < CYCLES; cycle = cycle + 1) begin
            @(posedge clock);
            if (aresetn & aclken) begin
                if (waiting & !(valid & data == previous_data & last == previous_last)) fail("a beat changed while it waited");
                waiting = valid & !ready;
                previous_data = data;
                previous_last = last;
                if (inside) begin
                    queue[sent] = trace.trace_module.trace_data;
                    sent = sent + 1;
                end
                if (valid & ready) begin
                    if (received >= sent | queue[received] != data) fail("another beat");
                    received = received + 1;
                    since_last = last ? 0 : since_last + 1;
                    if (last) lasts = lasts + 1;
                    if (last & !flush) fail("a last beat without a flush");
                end
                if (flushed & !previous_flushed) begin
                    flushes = flushes + 1;
                    if (received != sent) fail("flushed before the last beat");
                    if (since_last != 0) fail("a flush without a last beat");
                    if (lasts != flushes) fail("another number of last beats");
                end
                previous_flushed = flushed;
            end
            @(negedge clock);
            random = {random[30:0], random[31] ^ random[21] ^ random[1] ^ random[0]};
            aclken = !HAS_ENABLE | random[6] | random[20];
            // A reset every 4096 cycles.
            aresetn = cycle[11:0] > 3;
            if (!aresetn) begin
                received = sent;
                since_last = 0;
                waiting = 0;
                flush = 0;
                #1 if (valid) fail("valid in reset");
            end else begin
                if (!flush & random[7:0] == 8'd0) flush = 1;
                else if (flushed & random[3]) flush = 0;
            end
            if (!stall) pc = {16'd0, random[17:4], 2'b00};
            block = random[5];
            ready = cycle[12] | random[12];
        end
        if (flushes < 20 | received < 500) fail("too little happened");
        $display("PASS: %0d beats, %0d flushes", received, flushes);
        $finish(0);
    end
endmodule
