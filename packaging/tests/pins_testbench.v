// A probe at the pins: it takes the data at both edges of the pins' clock, and finds every bit of the module inside and no other.
`timescale 1ns / 1ns

module pins_testbench;
STIMULUS
    localparam HALF_PERIOD = 1;
    wire pin_clock, pin_idle;
    wire [WIDTH-1:0] pin_data;
    reg previous_clock = 0;
    reg [WIDTH:0] previous = 0;
    integer stable = 0, since_edge = 1000, edges = 0, position;

    TOP_pins #(.HALF_PERIOD (HALF_PERIOD)) trace (
        .clock (clock), RESET,
        .retire_valid (block), .retire_count (4'd1), .retire_pc (pc), .retire_length (4'd4), .retire_kind (kind),
        .retire_call (1'b0), .retire_return (1'b0), .retire_taken (taken), .retire_target (target),
        .stall (stall), .flush (flush), .flushed (flushed), .buffered_words (),
        .pin_clock (pin_clock), .pin_data (pin_data), .pin_idle (pin_idle)
    );

    initial begin
        for (cycle = 0; cycle < CYCLES; cycle = cycle + 1) begin
            @(posedge clock);
            if (resetn & enabled) begin
                // Data changes neither less than half a value before an edge nor less than that after it.
                stable = {pin_idle, pin_data} == previous ? stable + 1 : 0;
                since_edge = since_edge + 1;
                if (stable == 0 & since_edge < HALF_PERIOD) fail("data changes after an edge");
                if (pin_clock != previous_clock) begin
                    if (stable < HALF_PERIOD) fail("data changes before an edge");
                    since_edge = 0;
                    edges = edges + 1;
                    if (!pin_idle)
                        for (position = 0; position < WIDTH; position = position + 1) receive(pin_data[position]);
                end
                note_inside;
                if (flushed & !previous_flushed) begin
                    if (received != sent) fail("flushed before the last value");
                    flushes = flushes + 1;
                end
                previous_flushed = flushed;
                previous_clock = pin_clock;
                previous = {pin_idle, pin_data};
            end
            @(negedge clock);
            next_inputs;
            if (!resetn) begin
                previous_clock = 0;
                previous = {1'b1, {WIDTH{1'b0}}};
                previous_flushed = 0;
                since_edge = 1000;
            end
        end
        if (flushes < (HALF_PERIOD > 4 ? 2 : 10) | received < 1000 | edges < 1000 / HALF_PERIOD) fail("too little happened");
        $display("PASS: %0d bits, %0d flushes, %0d edges", received, flushes, edges);
        $finish(0);
    end
endmodule
