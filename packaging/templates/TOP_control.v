{{ header }}// {{ name }} with the registers of the RISC-V Trace Control Interface, which drive its pins (docs/control.md).
{% if ram %}
// The trace goes into a ring of {{ ram.bytes }} bytes, which is read through the registers.
{% endif %}
{% if memory %}
// The trace goes into a ring in the memory of the system, at the addresses that the registers say.
{% endif %}
{% if gate %}
// Registers and bus do not wait for {{ gate }}; what they say has an effect on tracing in the next cycle in which it is high.
{% endif %}

module {{ top }}_control {{ "#(
    parameter HALF_PERIOD = 1 // 1 to 128 cycles
) " if has_half_period }}(
    input  wire clock,
    input  wire {{ reset }},
{% for port in bus_ports %}
    {{ port.direction }} wire {{ port.range }}{{ port.name }},
{% endfor %}
{% for port in kept %}
    {{ port.direction }} wire {{ port.range }}{{ port.name }}{{ "," if not loop.last }}
{% endfor %}
);

{% for port in register_ports %}
    wire {{ port.range }}{{ port.name }};
{% endfor %}
    wire flushed;
    // A trace has begun, and not all of it has left the module.
    reg has_begun;
    // The module took blocks, or could have, since tracing was switched on.
    reg is_in_trace;
    // Cycles since a packet began, as long as they are counted.
    reg [19:0] cycles;

    wire enable = trTeActive & trTeEnable & trTeInstTracing & (|trTeInstMode){{ " & trRamEnable" if ram or memory }};
    wire discard = !trTeActive & has_begun & !flushed;
    wire sync_is_due = cycles[{1'b0, trTeInstSyncMax} + 5'd4];

    assign trTeEmpty_value = !enable & !has_begun;
    assign twTakesBlocks_value = is_in_trace;
{% if has_adapter %}
    // A core waits for its adapter when tracing is switched off.
{% endif %}
    assign trTeInstStallOrOverflow_set = {{ "enable & " if has_adapter }}is_in_trace & ({{ lossy | join(" | ") }}){{ " & !filtered" if filter }}{{ " & " ~ gate if gate }};
{% if has_time %}
    assign trTsActive_value = trTeActive;
{% endif %}

{% for pin in filter %}
    wire {{ pin.range }}{{ pin.name }} = {{ pin.value }};
{% endfor %}
{% if filter %}

{% endif %}
{% if triggers.input %}
    // trigger_in of another clock, after one and two registers, and a cycle later.
    reg {{ triggers.input.range }}trigger_sampled;
    reg {{ triggers.input.range }}trigger_level;
    reg {{ triggers.input.range }}trigger_before;
    wire {{ triggers.input.range }}trigger_fires = trigger_level & ~trigger_before;
    wire trigger_notifies = enable & (|(trigger_fires & {{ triggers.input.notifies }}));
{% if gate %}
    // A packet was asked for in a cycle in which the module stands still.
    reg notify_waits;
{% endif %}

    assign trTeInstTracing_set = trTeInstTrigEnable & (|(trigger_fires & {{ triggers.input.starts }}));
    assign trTeInstTracing_clear = trTeInstTrigEnable & (|(trigger_fires & {{ triggers.input.stops }}));

    always @(posedge clock{{ edge }}) begin
        if ({{ in_reset }}) begin
            trigger_sampled <= {{ triggers.input.zeros }};
            trigger_level <= {{ triggers.input.zeros }};
            trigger_before <= {{ triggers.input.zeros }};
{% if gate %}
            notify_waits <= 1'b0;
{% endif %}
        end else begin
            trigger_sampled <= trigger_in;
            trigger_level <= trigger_sampled;
            trigger_before <= trigger_level;
{% if gate %}
            notify_waits <= enable & !{{ gate }} & (notify_waits | trigger_notifies);
{% endif %}
        end
    end

{% endif %}
{% if triggers.output %}
    // What fires trigger_out, from bit 0 on: tracing starts, it stops, a packet begins, the core waits or loses blocks.
    reg was_tracing;
    reg was_short;
    wire [3:0] trigger_events = {
        trTeInstStallOrOverflow_set & !was_short, synchronised{{ " & " ~ gate if gate }}, !trTeInstTracing & was_tracing, trTeInstTracing & !was_tracing
    };
    reg {{ triggers.output.range }}trigger_fired;

    assign trigger_out = trigger_fired;

    always @(posedge clock{{ edge }}) begin
        if ({{ in_reset }}) begin
            was_tracing <= 1'b0;
            was_short <= 1'b0;
            trigger_fired <= {{ triggers.output.zeros }};
        end else begin
            was_tracing <= trTeInstTracing;
            {{ "if (" ~ gate ~ ") " if gate }}was_short <= trTeInstStallOrOverflow_set;
            trigger_fired <= {{ triggers.output.fired }};
        end
    end

{% endif %}
    always @(posedge clock{{ edge }}) begin
        if ({{ in_reset }}) begin
            has_begun <= 1'b0;
            is_in_trace <= 1'b0;
            cycles <= 20'd0;
        end else {{ "if (" ~ gate ~ ") " if gate }}begin
            if (enable) begin
                has_begun <= 1'b1;
            end else if (flushed) begin
                has_begun <= 1'b0;
            end
            is_in_trace <= enable & (is_in_trace | !({{ lossy | join(" | ") }}));
            if (!enable | synchronised | !(|trTeInstSyncMode)) begin
                cycles <= 20'd0;
            end else if (!sync_is_due) begin
                cycles <= cycles + 20'd1;
            end
        end
    end

    {{ registers_module }} registers (
        .clock (clock),
        .{{ reset }} ({{ reset }}),
{% for port in bus_ports %}
        .{{ port.name }} ({{ port.name }}),
{% endfor %}
{% for port in register_ports %}
        .{{ port.name }} ({{ port.name }}){{ "," if not loop.last }}
{% endfor %}
    );

{% if ram or memory %}
    wire {{ trace_range }}trace_data;
    wire trace_valid;
    wire trace_ready;

{% endif %}
{% if ram %}
    {{ ram.module }} ram_sink (
        .clock (clock),
        .{{ reset }} ({{ reset }}),
{% if gate %}
        .clock_enable (1'b1),
{% endif %}
        .trace_data (trace_data),
        .trace_valid (trace_valid{{ " & " ~ gate if gate }}),
        .trace_ready (trace_ready),
        .enable (trRamEnable),
        .clear (!trRamActive),
        .source_is_empty (flushed),
        .stop_when_full (trRamStopOnWrap),
        .limit (trRamLimitLow),
        .stopped (trRamEnable_clear),
        .is_empty (trRamEmpty_value),
        .load_write_pointer (trRamWPLow_load),
        .loaded_write_pointer (trRamWPLow_loaded),
        .write_pointer (trRamWPLow_value),
        .load_wrapped (trRamWrap_load),
        .loaded_wrapped (trRamWrap_loaded),
        .wrapped (trRamWrap_value),
        .load_read_pointer (trRamRPLow_load),
        .loaded_read_pointer (trRamRPLow_loaded),
        .read_pointer (trRamRPLow_value),
        .read (trRamData_read),
        .read_word (trRamData_value),
        .read_ready (trRamData_ready)
    );

{% endif %}
{% if memory %}
    wire memory_address_valid;
    wire memory_data_valid;

    // AXI wants valid low from the first moment of the reset.
    assign m_axi_awvalid = memory_address_valid{{ " & !reset" if reset == "reset" }};
    assign m_axi_wvalid = memory_data_valid{{ " & !reset" if reset == "reset" }};

    {{ memory.module }} system_memory_sink (
        .clock (clock),
        .{{ reset }} ({{ reset }}),
{% if gate %}
        .clock_enable (1'b1),
{% endif %}
        .trace_data (trace_data),
        .trace_valid (trace_valid{{ " & " ~ gate if gate }}),
        .trace_ready (trace_ready),
        .enable (trRamEnable),
        .clear (!trRamActive),
        .source_is_empty (flushed),
        .stop_when_full (trRamStopOnWrap),
{% if memory.has_high %}
        .start ({trRamStartHigh, trRamStartLow}),
        .limit ({trRamLimitHigh, trRamLimitLow}),
        .load_write_pointer (trRamWPLow_load | trRamWPHigh_load),
        .loaded_write_pointer ({
            trRamWPHigh_load ? trRamWPHigh_loaded : trRamWPHigh_value, trRamWPLow_load ? trRamWPLow_loaded : trRamWPLow_value
        }),
        .write_pointer ({trRamWPHigh_value, trRamWPLow_value}),
{% else %}
        .start (trRamStartLow),
        .limit (trRamLimitLow),
        .load_write_pointer (trRamWPLow_load),
        .loaded_write_pointer (trRamWPLow_loaded),
        .write_pointer (trRamWPLow_value),
{% endif %}
        .stopped (trRamEnable_clear),
        .is_empty (trRamEmpty_value),
        .load_wrapped (trRamWrap_load),
        .loaded_wrapped (trRamWrap_loaded),
        .wrapped (trRamWrap_value),
        .error_response (twRamResponse_value),
{% for pin in memory.pins %}
        .{{ pin }} ({{ "memory_address_valid" if pin == "m_axi_awvalid" else "memory_data_valid" if pin == "m_axi_wvalid" else pin }}){{ "," if not loop.last }}
{% endfor %}
    );

{% endif %}
    {{ top }} {{ "#(.HALF_PERIOD (HALF_PERIOD)) " if has_half_period }}trace_module (
{% for name, connection in connections %}
        .{{ name }} ({{ connection }}){{ "," if not loop.last }}
{% endfor %}
    );

endmodule
