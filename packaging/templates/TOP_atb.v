// {{ name }} as a source of trace on an AMBA trace bus (ATB), with the clock and the reset of that. trace_id, 1 to 111, does
// not change while the module traces. AFVALID ends the trace as `flush` does, and afready says that all of it has been taken; after that
// tracing goes on.
{% if pins.switches %}
// A discard ends the trace without what is in the module. A byte or a wider beat that is on offer stays until it is taken, for which
// flushed does not wait{{ "; bits that fill no byte are dropped" if parts > 1 }}.
{% endif %}

module {{ top }}_atb (
{% for port in first + passed + last %}
    {{ port.direction }} {{ port.kind }} {{ port.range }}{{ port.name }}{{ "," if not loop.last }}
{% endfor %}
);

    wire {{ trace_range }}trace_data;
    wire trace_valid;
    wire trace_ready;
    wire trace_flushed;
    wire all_taken;

    // What flush asks for is answered by flushed, and what afvalid asks for by afready.
    reg flush_before;
    wire flush_asks = flush{{ " | !enable" if pins.switches }};
{% if pins.switches %}
    // The trace that ends was discarded.
    reg is_discarded;
{% endif %}

    assign atid = trace_id;
{% if bus_width > 8 %}
    assign atbytes = {{ bytes_bits }}'d{{ bus_width // 8 - 1 }};
{% endif %}
    assign flushed = (flush_asks | flush_before) & {{ "(all_taken | (trace_flushed & is_discarded))" if pins.switches else "all_taken" }};
    assign afready = afvalid & all_taken;

    always @(posedge atclk{{ " or negedge atresetn" if pins.reset_level == 0 }}) begin
        if (!atresetn) begin
            flush_before <= 1'b0;
{% if pins.switches %}
            is_discarded <= 1'b0;
{% endif %}
        end else{{ " if (atclken)" if pins.clock_enable }} begin
            flush_before <= flush_asks;
{% if pins.switches %}
            is_discarded <= flush_asks & (is_discarded | discard);
{% endif %}
        end
    end

{% if parts == 1 and not pins.switches %}
    assign all_taken = trace_flushed;
    assign atdata = trace_data;
    assign trace_ready = atready;
{% if pins.reset_level == 1 %}
    // ATB wants atvalid low from the first moment of the reset.
    assign atvalid = atresetn & trace_valid;
{% else %}
    assign atvalid = trace_valid;
{% endif %}
{% else %}
{% if parts == 1 %}
    // The beat on offer.
    reg {{ trace_range }}gathered;
    reg count;
    wire is_whole = count;
{% else %}
    // The {{ parts }} beats of a byte, the first one lowest.
    reg [7:0] gathered;
    reg {{ count_range }}count;
    wire is_whole = count == {{ count_bits }}'d{{ parts }};
{% endif %}
    wire is_taken = is_whole & atready;
{% if parts > 1 and pins.switches %}
    wire is_dropped = trace_flushed & !is_whole;
    wire {{ count_range }}kept = is_taken | is_dropped ? {{ count_bits }}'d0 : count;
{% else %}
    wire {{ count_range }}kept = is_taken ? {{ count_bits }}'d0 : count;
{% endif %}

    assign all_taken = trace_flushed & !is_whole;
    assign atdata = gathered;
{% if pins.reset_level == 1 %}
    // ATB wants atvalid low from the first moment of the reset.
    assign atvalid = atresetn & is_whole;
{% else %}
    assign atvalid = is_whole;
{% endif %}
    assign trace_ready = !is_whole | atready;

    always @(posedge atclk{{ " or negedge atresetn" if pins.reset_level == 0 }}) begin
        if (!atresetn) begin
            gathered <= {{ bus_width }}'d0;
            count <= {{ count_bits }}'d0;
        end else{{ " if (atclken)" if pins.clock_enable }} begin
            count <= kept;
            if (trace_valid & trace_ready) begin
{% if parts == 1 %}
                gathered <= trace_data;
                count <= 1'b1;
{% else %}
                gathered <= {trace_data, gathered[7:{{ pins.trace_width }}]};
                count <= kept + {{ count_bits }}'d1;
{% endif %}
            end
        end
    end

{% endif %}
    {{ top }} trace_module (
        .clock (atclk),
        .{{ pins.reset }} ({{ "!" if pins.reset_level == 1 else "" }}atresetn),
{% if pins.clock_enable %}
        .clock_enable (atclken),
{% endif %}
{% for port in passed %}
        .{{ port.name }} ({{ "trace_flushed" if port.name == "flushed" else "flush | afvalid" if port.name == "flush" else port.name }}),
{% endfor %}
{% if pins.has_packets %}
        .sync_request ({{ sync_request }}),
{% endif %}
        .trace_data (trace_data),
        .trace_valid (trace_valid),
        .trace_ready (trace_ready)
    );

endmodule
