// {{ name }} with its trace port as an AXI4-Stream master, and AXI4-Stream clock and reset. A beat of
// trace_data is the lowest {{ pins.trace_width }} of the {{ bus_width }} bits of m_axis_tdata; the bits above are 0. The last beat of
// a flush has m_axis_tlast, for which a beat waits until the next one follows or the flush ends; then flushed rises.
{% if pins.switches %}
// A discard ends the trace without what is in the module, and flushed waits for no beat then. The beat that waits has m_axis_tlast; if
// it is on offer without, it stays so, and a beat of zeros with m_axis_tlast follows, unless tracing has gone on before.
{% endif %}

module {{ top }}_axis (
{% for port in first + passed + last %}
    {{ port.direction }} {{ port.kind }} {{ port.range }}{{ port.name }}{{ "," if not loop.last }}
{% endfor %}
);

    wire {{ trace_range }}trace_data;
    wire trace_valid;
    wire trace_ready;
    wire trace_flushed;

    // The beat that waits, and whether it was offered as the last one, which it then stays.
    reg {{ trace_range }}held_data;
    reg held_valid;
    reg held_last;

{% if pins.switches %}
    // It was offered as one that another follows, which a discard may have thrown away.
    reg held_more;
    // The trace that ends was discarded.
    reg is_discarded;

    wire is_last = held_last | (trace_flushed & !trace_valid & !held_more);
    wire is_offered = held_valid & (trace_valid | is_last | held_more);
{% else %}
    wire is_last = held_last | (trace_flushed & !trace_valid);
{% endif %}

{% if pins.reset_level == 1 %}
    // AXI4-Stream wants m_axis_tvalid low from the first moment of the reset.
    assign m_axis_tvalid = aresetn & {{ "is_offered" if pins.switches else "held_valid & (trace_valid | is_last)" }};
{% else %}
    assign m_axis_tvalid = {{ "is_offered" if pins.switches else "held_valid & (trace_valid | is_last)" }};
{% endif %}
    assign m_axis_tlast = is_last;
{% if bus_width > pins.trace_width %}
    assign m_axis_tdata = {{ "{" }}{{ bus_width - pins.trace_width }}'d0, held_data};
{% else %}
    assign m_axis_tdata = held_data;
{% endif %}
    assign trace_ready = !held_valid | m_axis_tready;
    assign flushed = trace_flushed & {{ "(!held_valid | is_discarded)" if pins.switches else "!held_valid" }};

    always @(posedge aclk{{ " or negedge aresetn" if pins.reset_level == 0 }}) begin
        if (!aresetn) begin
            held_data <= {{ pins.trace_width }}'d0;
            held_valid <= 1'b0;
            held_last <= 1'b0;
{% if pins.switches %}
            held_more <= 1'b0;
            is_discarded <= 1'b0;
{% endif %}
        end else{{ " if (aclken)" if pins.clock_enable }} begin
            held_last <= m_axis_tvalid & is_last & !m_axis_tready;
{% if pins.switches %}
            held_more <= m_axis_tvalid & !is_last & !m_axis_tready;
            is_discarded <= (flush | !enable) & (is_discarded | discard);
{% endif %}
            if (trace_valid & trace_ready) begin
                held_data <= trace_data;
                held_valid <= 1'b1;
            end else if (m_axis_tvalid & m_axis_tready) begin
{% if pins.switches %}
                held_data <= {{ pins.trace_width }}'d0;
                held_valid <= trace_flushed & !is_last;
{% else %}
                held_valid <= 1'b0;
{% endif %}
            end
        end
    end

    {{ top }} trace_module (
        .clock (aclk),
        .{{ pins.reset }} ({{ "!" if pins.reset_level == 1 else "" }}aresetn),
{% if pins.clock_enable %}
        .clock_enable (aclken),
{% endif %}
{% for port in passed %}
        .{{ port.name }} ({{ "trace_flushed" if port.name == "flushed" else port.name }}),
{% endfor %}
        .trace_data (trace_data),
        .trace_valid (trace_valid),
        .trace_ready (trace_ready)
    );

endmodule
