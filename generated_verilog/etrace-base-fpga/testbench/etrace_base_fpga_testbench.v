// Compares etrace-base-fpga with the golden model's trace. It needs only this folder and the one above it.
// In this folder, Icarus Verilog or Verilator:
//   $ iverilog -g2001 -y .. -s etrace_base_fpga_testbench -o testbench etrace_base_fpga_testbench.v && vvp -N testbench
//   $ verilator --binary -y .. --top-module etrace_base_fpga_testbench etrace_base_fpga_testbench.v && obj_dir/Vetrace_base_fpga_testbench
// It ends with PASS, or with FAIL, the reason and an exit status that is not 0. With +waves it writes
// waves.vcd (Verilator: if made with --trace).

module etrace_base_fpga_testbench;

    localparam CORES       = 1;
    localparam FIELD_BITS  = 78; // bits of the pins of a core
    localparam LINES       = 180; // lines of vectors.hex
    localparam LINE_WORDS  = 4; // words of 32 bits in a line
    // A line has, from its lowest bit: pins, core, flags (valid, more of this cycle, flush), cycles to wait before it.
    localparam CORE_AT     = 80;
    localparam FLAGS_AT    = 84;
    localparam WAIT_AT     = 88;
    localparam [CORES-1:0] FIRST_CORE = 1;
    localparam [31:0] CHECKSUM = 32'h2d1d9935; // of vectors.hex
    localparam WORDS       = 85; // words of expected.hex, which is the whole trace
    localparam WORD_BITS   = 8;
    localparam TRACE_WIDTH = 1;
    localparam SHOWN_BITS  = CORES * FIELD_BITS;
    localparam IDLE_LIMIT  = 11466; // most cycles without activity
    localparam TIMED       = 0; // the trace has time stamps, so no block may be stalled

    // Phases of the coming cycle.
    localparam START   = 0; // the tables are cleared
    localparam RUN     = 1;
    localparam FLUSH   = 2;
    localparam RELEASE = 3; // flush is low again
    localparam REST    = 4; // no further trace may come

    reg  [LINE_WORDS*32-1:0]  vectors [0:LINES-1];
    reg  [WORD_BITS-1:0]      expected [0:WORDS-1];

    reg                       clock;
    reg                       reset;
    reg  [CORES-1:0]          valid;
    reg  [SHOWN_BITS-1:0] shown;
    wire [CORES-1:0]          stall;
    reg                       flush;
    wire                      flushed;
    wire [TRACE_WIDTH-1:0]    trace_data;
    wire                      trace_valid;
    reg                       trace_ready;
    wire [3:0] buffered_words;

    integer                   phase;
    integer                   next_line;
    reg                       loaded;     // a line, or several lines of the same cycle, wait to be shown
    reg  [LINE_WORDS*32-1:0]  line;
    reg  [CORES-1:0]          held;       // cores with a block in these lines
    reg  [SHOWN_BITS-1:0] fields;     // the pins of these cores
    reg                       flushes;    // a flush begins in this cycle
    reg  [11:0]               wait_clocks; // cycles to wait before it
    reg  [3:0]                core;
    reg                       more;
    reg                       taking;
    integer                   position;   // number of trace bits so far
    reg  [WORD_BITS-1:0]      word;
    reg  [TRACE_WIDTH-1:0]    difference;
    reg                       offered;    // a beat was not taken in the last cycle
    reg  [TRACE_WIDTH-1:0]    offered_data;
    reg  [SHOWN_BITS-1:0]     noise;
    reg  [31:0]               sum;
    integer                   clocks;
    integer                   stalled_clocks;
    integer                   idle_clocks;
    integer                   index;
    reg                       done;

    etrace_base_fpga dut (
        .clock (clock),
        .reset (reset),
        .retire_valid (valid[0]),
        .retire_count (shown[0 +: 4]),
        .retire_pc (shown[4 +: 32]),
        .retire_length (shown[36 +: 4]),
        .retire_kind (shown[40 +: 3]),
        .retire_call (shown[43 +: 1]),
        .retire_return (shown[44 +: 1]),
        .retire_taken (shown[45 +: 1]),
        .retire_target (shown[46 +: 32]),
        .stall (stall[0]),
        .flush (flush),
        .flushed (flushed),
        .trace_data (trace_data),
        .trace_valid (trace_valid),
        .trace_ready (trace_ready),
        .buffered_words (buffered_words)
    );

    initial begin
        clock = 1'b0;
        forever #5 clock = !clock;
    end

    // Inputs change at the falling edge. Outputs depend on registers only, so they do not change before the next
    // rising edge.
    initial begin
        if ($test$plusargs("waves")) begin
            $dumpfile("waves.vcd");
            $dumpvars;
        end
        $readmemh("vectors.hex", vectors);
        $readmemh("expected.hex", expected);
        valid = {CORES{1'b0}};
        flush = 1'b0;
        trace_ready = 1'b0;
        shown = {SHOWN_BITS{1'b0}};
        noise = {{(SHOWN_BITS-1){1'b0}}, 1'b1};
        sum = 32'd0;
        phase = START;
        next_line = 0;
        loaded = 1'b0;
        position = 0;
        offered = 1'b0;
        clocks = 0;
        stalled_clocks = 0;
        idle_clocks = 0;
        done = 1'b0;
        reset = 1'b1;
        repeat (4) @(negedge clock);
        reset = 1'b0;
        while (!done) begin
            @(negedge clock);
            clocks = clocks + 1;
            idle_clocks = idle_clocks + 1;
            show;
            take_beat;
            if (idle_clocks > IDLE_LIMIT) begin
                $display("FAIL: no activity (line %0d of vectors.hex)", next_line);
                $stop;
            end
        end
        if (position != WORDS * WORD_BITS) begin
            $display("FAIL: the trace ends at bit %0d, %0d bits were expected", position, WORDS * WORD_BITS);
            $stop;
        end else if (sum !== CHECKSUM) begin
            $display("FAIL: vectors.hex does not belong to this testbench");
            $stop;
        end else begin
            $display("PASS: 179 blocks, %0d bits, %0d cycles, %0d of them stalled",
                position, clocks, stalled_clocks);
            // Newer versions of Icarus Verilog say where, if it is not told not to.
            $finish(0);
        end
    end

    // Drives the inputs of the coming cycle.
    task show;
        begin
            noise = {noise[SHOWN_BITS-2:0], noise[31] ^ noise[21] ^ noise[1] ^ noise[0]};
            valid = {CORES{1'b0}};
            if (phase == START && stall == {CORES{1'b0}})
                phase = RUN;
            if (phase == FLUSH && flushed) begin
                flush = 1'b0;
                phase = RELEASE;
            end else if (phase == RELEASE && !flushed)
                phase = next_line == LINES ? REST : RUN;
            if (phase == REST && idle_clocks > 100)
                done = 1'b1;
            if (phase == RUN) begin
                if (!loaded)
                    load;
                if (wait_clocks != 12'd0)
                    wait_clocks = wait_clocks - 12'd1;
                else begin
                    // The blocks of all cores of a cycle are taken together: a core that is not stalled waits for the others.
                    taking = (held & stall) == {CORES{1'b0}};
                    valid = held & (stall | {CORES{taking}});
                    if (taking) begin
                        idle_clocks = 0;
                        loaded = 1'b0;
                        if (flushes) begin
                            flush = 1'b1;
                            phase = FLUSH;
                        end
                    end else begin
                        stalled_clocks = stalled_clocks + 1;
                        if (TIMED != 0) begin
                            $display("FAIL: stalled before line %0d of vectors.hex", next_line);
                            $stop;
                        end
                    end
                end
            end
            shown = valid == {CORES{1'b0}} ? noise : fields;
        end
    endtask

    // Loads the next line, and the lines of the same cycle.
    task load;
        begin
            held = {CORES{1'b0}};
            fields = noise;
            flushes = 1'b0;
            more = 1'b1;
            while (more) begin
                line = vectors[next_line];
                next_line = next_line + 1;
                for (index = 0; index < LINE_WORDS; index = index + 1)
                    sum = {sum[30:0], sum[31]} ^ line[index * 32 +: 32];
                core = line[CORE_AT +: 4];
                if (line[FLAGS_AT]) begin
                    held = held | FIRST_CORE << core;
                    fields[core * FIELD_BITS +: FIELD_BITS] = line[FIELD_BITS-1:0];
                end
                more = line[FLAGS_AT + 1];
                flushes = line[FLAGS_AT + 2];
            end
            wait_clocks = line[WAIT_AT +: 12];
            loaded = 1'b1;
        end
    endtask

    // Checks the outputs of the coming cycle.
    task take_beat;
        begin
            // The sink is ready nearly always, and then for some cycles only now and then.
            trace_ready = clocks[6] ? noise[9:8] == 2'd0 : noise[11:8] != 4'd0;
            if (offered && !trace_valid) begin
                $display("FAIL: trace_valid fell before bit %0d was taken", position);
                $stop;
            end
            if (offered && trace_data !== offered_data) begin
                $display("FAIL: trace_data changed before bit %0d was taken", position);
                $stop;
            end
            offered = trace_valid && !trace_ready;
            offered_data = trace_data;
            if (flushed && (trace_valid || buffered_words != 0)) begin
                $display("FAIL: flushed is high and the trace continues after bit %0d", position);
                $stop;
            end
            if (trace_valid && trace_ready) begin
                idle_clocks = 0;
                if (position == WORDS * WORD_BITS) begin
                    $display("FAIL: the trace has more than %0d bits", position);
                    $stop;
                end
                word = expected[position / WORD_BITS] >> (position % WORD_BITS);
                if (trace_data !== word[TRACE_WIDTH-1:0]) begin
                    difference = trace_data ^ word[TRACE_WIDTH-1:0];
                    for (index = 0; difference[0] === 1'b0; index = index + 1)
                        difference = difference >> 1;
                    word = word >> index;
                    $display("FAIL: bit %0d of the trace is %b, expected %b (cycle %0d, line %0d of vectors.hex)",
                        position + index, trace_data[index], word[0], clocks, next_line);
                    $stop;
                end
                position = position + TRACE_WIDTH;
            end
        end
    endtask

endmodule
