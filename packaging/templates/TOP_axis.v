// {{ name }} with its trace port as an AXI4-Stream master, and AXI4-Stream clock and reset. A beat of
// trace_data is the lowest {{ pins.trace_width }} of the {{ axis_width }} bits of m_axis_tdata; the bits above are 0.

module {{ top }}_axis (
    input  wire aclk,
    input  wire aresetn,
{% for port in ports if port.name not in own %}
    {{ "input " if port.direction == "input" else "output" }} wire {{ port.range }}{{ port.name }},
{% endfor %}
    output wire [{{ axis_width - 1 }}:0] m_axis_tdata,
    output wire m_axis_tvalid,
    input  wire m_axis_tready
);

{% if axis_width > pins.trace_width %}
    assign m_axis_tdata[{{ axis_width - 1 }}:{{ pins.trace_width }}] = {{ axis_width - pins.trace_width }}'d0;

{% endif %}
    {{ top }} trace_module (
        .clock (aclk),
        .{{ pins.reset }} ({{ "!" if pins.reset_level == 1 else "" }}aresetn),
{% for port in ports if port.name not in own %}
        .{{ port.name }} ({{ port.name }}),
{% endfor %}
        .trace_data (m_axis_tdata[{{ pins.trace_width - 1 }}:0]),
        .trace_valid (m_axis_tvalid),
        .trace_ready (m_axis_tready)
    );

endmodule
