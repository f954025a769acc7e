// The source of a trace bus: the rules of the bus, every bit of the module inside and no other, and flushes from both sides.
`timescale 1ns / 1ns

module atb_testbench;
STIMULUS
    localparam BUS = WIDTH < 8 ? 8 : WIDTH;
    reg ready = 0, ask = 0, answered = 0, flush_before = 0;
    wire valid, answer;
    wire [6:0] id;
    wire [BUS-1:0] data;
    reg waiting = 0;
    reg [BUS-1:0] waiting_data = 0;
    integer answers = 0, position;

    TOP_atb trace (
        .atclk (clock), .atresetn (resetn),
        .retire_valid (block), .retire_count (4'd1), .retire_pc (pc), .retire_length (4'd4), .retire_kind (kind),
        .retire_call (1'b0), .retire_return (1'b0), .retire_taken (taken), .retire_target (target),
        .stall (stall), .flush (flush), .flushed (flushed), .buffered_words (),
        .trace_id (7'h15), .atid (id), .atdata (data), .atvalid (valid), .atready (ready),
        .afvalid (ask), .afready (answer)
    );

    initial begin
        for (cycle = 0; cycle < CYCLES; cycle = cycle + 1) begin
            @(posedge clock);
            answered = resetn & enabled & answer;
            if (resetn & enabled) begin
                if (waiting & !(valid & data == waiting_data)) fail("a beat changed while it waited");
                if (valid & id != 7'h15) fail("another source");
                waiting = valid & !ready;
                waiting_data = data;
                note_inside;
                if (valid & ready)
                    for (position = 0; position < BUS; position = position + 1) receive(data[position]);
                if (answer) begin
                    if (!ask) fail("an answer to nothing");
                    if (received != sent) fail("an answer before the last beat");
                    // Those that no flush of the pin brought along.
                    if (!flush & !flush_before) answers = answers + 1;
                end
                if (flushed & !previous_flushed) begin
                    if (!flush) fail("flushed without flush");
                    if (received != sent) fail("flushed before the last beat");
                    flushes = flushes + 1;
                end
                previous_flushed = flushed;
                flush_before = flush;
            end
            @(negedge clock);
            // What asks for a flush holds until the answer, and then falls.
            if (answered) ask = 0;
            else if ((random[27:20] ^ cycle[9:2]) == 8'h5a) ask = 1;
            next_inputs;
            if (!resetn) begin
                ask = 0;
                waiting = 0;
                previous_flushed = 0;
                #1 if (valid) fail("valid in reset");
            end
            ready = cycle[12] | random[12];
        end
        if (flushes < 20 | answers < 20 | received < 4000) fail("too little happened");
        $display("PASS: %0d bits, %0d flushes, %0d answers", received, flushes, answers);
        $finish(0);
    end
endmodule
