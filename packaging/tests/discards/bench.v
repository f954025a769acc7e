// A core, a trace module with a sink, and what takes the trace: tracing is switched off while that takes beats slowly, or none at all,
// and is discarded in the middle of beats. The blocks are those of the module `discards`, where all benches are.

module BENCH;
    localparam KIND = SINK; // 0 trace port, 1 AXI4-Stream, 2 trace bus, 3 pins
    localparam DROPS = LOSES; // the core does not wait
    localparam BITS = TAKEN_BITS; // of a beat
    localparam SETTLES = 4; // cycles from a discard to flushed; values at pins have two cycles

    wire clock = discards.clock;
    reg resetn = 0, enable = 0, flush = 0, discard = 0, ready = 0, runs = 0, shown = 0;
    reg [31:0] random = SEED;
    integer pause = 0; // 0: most beats are taken; -1: none; others: one in so many cycles
    wire flushed, waits, valid;
    wire last;
    wire [BITS-1:0] data;
    integer next = 0, executed = 0, received = 0, cycle = 0, file, round, steps;
    reg is_taken = 0;
    wire [BLOCK_BITS-1:0] block = discards.blocks[next];

    // A beat of a bus that is offered stays. The trace module takes one back where the trace is discarded.
    reg waiting = 0, waiting_last = 0, ends_open = 0;
    reg [BITS-1:0] waiting_data = 0;

    initial file = $fopen("BENCH.beats");

    task fail(input [8*60-1:0] what);
        begin
            $display("FAIL BENCH: %0s in cycle %0d", what, cycle);
            $finish(1);
        end
    endtask

INSTANCE

    always @(posedge clock) begin
        cycle = cycle + 1;
        is_taken = shown & !waits;
        if (is_taken) executed = executed + block[COUNT];
        if (waiting & !(valid & data == waiting_data & last == waiting_last) & (KIND != 0 | !flushed))
            fail("a beat changed while it waited");
        waiting = resetn & valid & !ready & KIND != 3;
        waiting_data = data;
        waiting_last = last;
        if (valid & ready) begin
            $fdisplay(file, "%h", data);
            received = received + 1;
            ends_open = !last;
        end
    end

    always @(negedge clock) begin
        random = {random[30:0], random[31] ^ random[21] ^ random[1] ^ random[0]};
        if (is_taken) next = next + 1;
        if (is_taken | !shown) shown = runs & random[11:8] < RATE & (random[6:5] != 0);
        is_taken = 0;
        ready = KIND == 3 | (pause == 0 ? random[14:12] != 0 : pause > 0 & cycle % (pause > 0 ? pause : 1) == 0);
    end

    task cycles(input integer count);
        repeat (count) @(negedge clock);
    endtask

    // The flag is high within so many cycles.
    task ends(input integer most);
        begin
            steps = 0;
            while (!flushed) begin
                if (steps == most) fail("flushed does not rise");
                @(negedge clock);
                steps = steps + 1;
            end
        end
    endtask

    // The trace ends without a discard: all of it is taken, and the core has executed no more.
    task whole(input integer most);
        begin
            runs = 0;
            steps = 0;
            while (shown) begin
                if (steps == most) fail("the core hangs");
                @(negedge clock);
                steps = steps + 1;
            end
            enable = 0;
            cycles(1);
            ends(most);
            if (valid) fail("flushed before the last beat");
            if (KIND == 1 & ends_open) fail("a trace without a last beat");
            $display("BENCH: %0d %0d %0d", next, executed, received);
        end
    endtask

    // One cycle of the pin, after which the trace is over whatever the sink does.
    task discards_now;
        begin
            discard = 1;
            cycles(1);
            discard = 0;
            ends(SETTLES);
        end
    endtask

    task alive(input integer most);
        integer before;
        begin
            before = executed;
            cycles(most);
            if (!DROPS & executed == before) fail("the core does not go on");
        end
    endtask

    initial begin
        cycles(4);
        resetn = 1;
        cycles(80);
        // A slow sink.
        enable = 1;
        runs = 1;
        cycles(150);
        pause = 11;
        cycles(60);
        whole(6000);
        // A dead one; then it lives again, while tracing is off or after it went on.
        for (round = 0; round < 4 & KIND != 3; round = round + 1) begin
            pause = 0;
            enable = 1;
            runs = 1;
            cycles(60 + random[4:0]);
            pause = -1;
            cycles(400);
            if (!DROPS) begin
                steps = executed;
                cycles(20);
                if (executed != steps) fail("the core does not wait for the sink");
            end
            // By the pin that ends the trace, or the one that switches it off; in the first cycle of that or later.
            flush = round[1];
            enable = round[1];
            if (round[0]) cycles(3 + random[1:0]);
            discards_now;
            if (KIND != 0 & !valid) fail("a beat is not offered any more");
            cycles(10);
            if (!flushed) fail("flushed falls again");
            alive(40);
            if (!round[0]) begin
                pause = 0;
                cycles(20);
                if (valid) fail("something is left in the sink");
                if (KIND == 1 & ends_open) fail("a discarded trace without a last beat");
            end
            flush = 0;
            enable = 1;
            alive(40);
        end
        pause = 0;
        cycles(100);
        // Discards in front of a sink that takes beats, at every time.
        for (round = 0; round < 10; round = round + 1) begin
            enable = 1;
            runs = 1;
            cycles(30 + random[5:0]);
            enable = 0;
            cycles(round);
            discards_now;
            cycles(random[3:0]);
        end
        enable = 1;
        cycles(DROPS ? 600 : 250);
        pause = 5;
        whole(6000);
        $fclose(file);
        discards.done = discards.done + 1;
    end
endmodule
