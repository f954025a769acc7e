// {{ name }} with its trace port at the pins of a chip, {{ pins.trace_width }} of data and a clock. A probe takes pin_data at both edges of
// pin_clock, which lie in the middle of a value; pin_idle says that the value is no trace. A value takes 2 * HALF_PERIOD cycles of
// `clock`, so pin_clock has a quarter of its frequency with the default, and less with more.

module {{ top }}_pins #(
    parameter HALF_PERIOD = 1 // 1 to 128 cycles
) (
{% for port in passed + last %}
    {{ port.direction }} {{ port.kind }} {{ port.range }}{{ port.name }}{{ "," if not loop.last }}
{% endfor %}
);

    localparam [31:0] LAST = 2 * HALF_PERIOD - 1;
    localparam [31:0] MIDDLE = HALF_PERIOD - 1;

    wire {{ trace_range }}trace_data;
    wire trace_valid;
    wire trace_flushed;
    reg [7:0] phase;
    wire is_last = phase == LAST[7:0];
    wire trace_ready = is_last;

    // The last value has been at the pins for its whole time once the idle one has taken its place.
    assign flushed = trace_flushed & pin_idle;

    always @(posedge clock{{ " or negedge reset_n" if pins.reset_level == 0 }}) begin
        if ({{ "!reset_n" if pins.reset_level == 0 else "reset" }}) begin
            phase <= 8'd0;
            pin_clock <= 1'b0;
            pin_data <= {{ pins.trace_width }}'d0;
            pin_idle <= 1'b1;
        end else{{ " if (clock_enable)" if pins.clock_enable }} begin
            phase <= is_last ? 8'd0 : phase + 8'd1;
            if (phase == MIDDLE[7:0])
                pin_clock <= !pin_clock;
            if (is_last) begin
                pin_data <= trace_valid ? trace_data : {{ pins.trace_width }}'d0;
                pin_idle <= !trace_valid;
            end
        end
    end

    {{ top }} trace_module (
{% for port in passed %}
        .{{ port.name }} ({{ "trace_flushed" if port.name == "flushed" else port.name }}),
{% endfor %}
        .trace_data (trace_data),
        .trace_valid (trace_valid),
        .trace_ready (trace_ready)
    );

    // Only the lowest bits of these are compared.
    wire _unused_ok = &{1'b0, LAST[31:8], MIDDLE[31:8]};

endmodule
