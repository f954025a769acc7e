// {{ top }}: instructions ({{ flow_top }}) and data addresses ({{ data_top }}) of one core in one trace, in the frames of
// {{ funnel_top }}. Blocks and accesses of a cycle are taken together: neither of them while stall is high.

module {{ top }} (
{% for port in ports %}
    {{ port.direction }} wire {{ port.range }}{{ port.name }}{{ "," if not loop.last }}
{% endfor %}
);

    wire flow_stall;
    wire flow_flushed;
    wire [7:0] flow_data;
    wire flow_valid;
    wire flow_ready;
    wire data_stall;
    wire data_flushed;
    wire [7:0] address_data;
    wire address_valid;
    wire address_ready;

    assign stall = flow_stall | data_stall;

    {{ flow_top }} flow (
{% for port in flow_passed %}
        .{{ port }}({{ port }}),
{% endfor %}
        .retire_valid(retire_valid & !data_stall),
        .stall(flow_stall),
        .flush(flush),
        .flushed(flow_flushed),
        .trace_data(flow_data),
        .trace_valid(flow_valid),
        .trace_ready(flow_ready),
        .buffered_words(buffered_words)
    );

    {{ data_top }} addresses (
{% for port in data_passed %}
        .{{ port }}({{ port }}),
{% endfor %}
        .data_valid(data_valid & !flow_stall),
        .stall(data_stall),
        .flush(flush),
        .flushed(data_flushed),
        .trace_data(address_data),
        .trace_valid(address_valid),
        .trace_ready(address_ready),
        .buffered_words(data_buffered_words)
    );

    // What is left leaves when neither of the two has anything more.
    {{ funnel_top }} funnel (
{% for port in common %}
        .{{ port }}({{ port }}),
{% endfor %}
        .source_data_0(flow_data),
        .source_data_1(address_data),
        .source_valid_0(flow_valid),
        .source_valid_1(address_valid),
        .source_ready_0(flow_ready),
        .source_ready_1(address_ready),
        .flush(flow_flushed & data_flushed),
        .flushed(flushed),
        .trace_data(trace_data),
        .trace_valid(trace_valid),
        .trace_ready(trace_ready)
    );

endmodule
