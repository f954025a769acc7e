{% macro wires() %}
        .clock (clock),
        .{{ pins.reset }} (reset),
{% if pins.clock_enable %}
        .clock_enable (1'b1),
{% endif %}
{% for suffix in pins.suffixes %}
{% set core = loop.index0 %}
        .{{ pins.valid }}{{ suffix }} (valid[{{ core }}]),
{% for pin in pins.fields %}
        .{{ pin.name }}{{ suffix }} (shown[{{ core * pins.field_bits + pin.low }} +: {{ pin.width }}]),
{% endfor %}
        .{{ "stall" if pins.has_stall else "drops" }}{{ suffix }} (stall[{{ core }}]),
{% endfor %}
{% for pin in pins.switch %}
        .{{ pin.name }} ({{ pin.width }}'b{{ pin.idle }}),
{% endfor %}
{% for pin in pins.ruled if pin.name not in pins.switch | map(attribute="name") %}
        .{{ pin.name }} ({{ pin.name }}),
{% endfor %}
{% endmacro %}
// Compares {{ name }} with the golden model's trace. It needs only this folder and the one above it.
// In this folder, Icarus Verilog or Verilator:
//   $ iverilog -g2001 -y .. -s {{ top }}_testbench -o testbench {{ top }}_testbench.v && vvp -N testbench
//   $ verilator --binary -y .. --top-module {{ top }}_testbench {{ top }}_testbench.v && obj_dir/V{{ top }}_testbench
// It ends with PASS, or with FAIL, the reason and an exit status that is not 0. With +waves it writes
// waves.vcd (Verilator: if made with --trace).

module {{ top }}_testbench;

    localparam CORES       = {{ cores }};
    localparam FIELD_BITS  = {{ pins.field_bits }}; // bits of the pins of a core
    localparam LINES       = {{ lines }}; // lines of vectors.hex
    localparam LINE_WORDS  = {{ (line_bits + 31) // 32 }}; // words of 32 bits in a line
    // A line has, from its lowest bit: pins, core, flags (valid, more of this cycle, flush), cycles to wait before it.
    localparam CORE_AT     = {{ line_bits - 20 }};
    localparam FLAGS_AT    = {{ line_bits - 16 }};
    localparam WAIT_AT     = {{ line_bits - 12 }};
    localparam [CORES-1:0] FIRST_CORE = 1;
    localparam [31:0] CHECKSUM = 32'h{{ checksum }}; // of vectors.hex
    localparam WORDS       = {{ words }}; // words of expected.hex, which is the whole trace
    localparam WORD_BITS   = {{ word_bits }};
    localparam TRACE_WIDTH = {{ pins.trace_width }};
    localparam SHOWN_BITS  = CORES * FIELD_BITS;
    localparam IDLE_LIMIT  = {{ idle_limit }}; // most cycles without activity
    localparam TIMED       = {{ 1 if timed else 0 }}; // the trace has time stamps, so no block may be stalled

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
{% if pins.has_packets %}
    wire                      synchronised;
{% endif %}
{% if pins.has_stall and pins.drops %}
    wire                      drops;
{% endif %}
    reg                       flush;
    wire                      flushed;
    wire [TRACE_WIDTH-1:0]    trace_data;
    wire                      trace_valid;
    reg                       trace_ready;
    wire [{{ pins.level_width - 1 }}:0] buffered_words;
{% if assertions %}
    wire [{{ (1 if pins.valid == "data_valid" else 6) * cores + 2 }}:0] violations;
{% endif %}

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

    {{ top }} dut (
{{ wires() }}{% for pin in pins.sync %}
        .{{ pin.name }} ({{ pin.width ~ "'b" ~ pin.idle if pin.is_input else pin.name }}),
{% endfor %}{% if pins.filter %}
        .filtered (),
{% endif %}{% for pin in pins.filter %}
        .{{ pin.name }} ({{ pin.width }}'d0),
{% endfor %}{% if pins.timestamp_width %}
        .timestamp ({{ pins.timestamp_width }}'h{{ timestamp }}),
{% endif %}{% if pins.has_stall and pins.drops %}
        .drops{{ pins.suffixes[0] }} (drops),
{% endif %}
        .buffered_words (buffered_words)
    );
{% if assertions %}

    {{ top }}_contract #(.STOP (1)) contract (
{{ wires() }}        .violations (violations)
    );
{% endif %}

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
        noise = {{ '{{' }}(SHOWN_BITS-1){1'b0}}, 1'b1};
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
        reset = 1'b{{ pins.reset_level }};
        repeat (4) @(negedge clock);
        reset = 1'b{{ 1 - pins.reset_level }};
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
{% if assertions %}
        if (violations !== 0) begin
            $display("FAIL: a rule of docs/hardware.md is broken: violations are %b", violations);
            $stop;
        end
{% endif %}
        if (position != WORDS * WORD_BITS) begin
            $display("FAIL: the trace ends at bit %0d, %0d bits were expected", position, WORDS * WORD_BITS);
            $stop;
        end else if (sum !== CHECKSUM) begin
            $display("FAIL: vectors.hex does not belong to this testbench");
            $stop;
        end else begin
            $display("PASS: {{ blocks }} {{ "accesses" if pins.valid == "data_valid" else "blocks" }}, %0d bits, %0d cycles, %0d of them stalled",
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
{% if pins.has_stall %}
                    valid = held & (stall | {CORES{taking}});
{% else %}
                    valid = held & {CORES{taking}}; // the module would lose what it does not take
{% endif %}
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
