{{ header }}// {{ name }} with the registers of the RISC-V Trace Control Interface, which drive its pins (docs/control.md).
{% if ram %}
// The trace goes into a ring of {{ ram.bytes }} bytes, which is read through the registers.
{% endif %}
{% if memory %}
// The trace goes into a ring in the memory of the system, at the addresses that the registers say.
{% endif %}
{% if bridge_gate %}
// The trace leaves over a trace bus, which the registers of the ATB bridge switch on.
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
    wire enable;
    wire discard;
    wire flushed;
    wire sync_is_due;
{% if trigger_inputs %}
    wire trigger_notifies;
{% endif %}
{% if shared_sink %}

    assign source_discards = discard;
    assign source_is_empty = flushed;

{% endif %}
{% if has_time %}
    assign trTsActive_value = trTeActive;
{% endif %}
{% if timestamp_unit %}
    wire {{ timestamp_range }}timestamp;

    assign {{ counter_fields }} = timestamp;

    {{ timestamp_unit.module }} timestamp_unit (
{% for name, connection in timestamp_unit.connections %}
        .{{ name }} ({{ connection }}){{ "," if not loop.last }}
{% endfor %}
    );

{% endif %}
{% for pin in filter %}
    wire {{ pin.range }}{{ pin.name }}{{ " = " ~ pin.value if pin.value }};
{% endfor %}

    {{ trace_switch.module }} trace_switch (
{% for name, connection in trace_switch.connections %}
        .{{ name }} ({{ connection }}){{ "," if not loop.last }}
{% endfor %}
    );

{% if bridge_gate %}
    wire beat_valid;
    wire beat_ready;
    wire all_has_left;

    // What it holds in reset says all of it.
    wire _unused_bridge = &{1'b0, trAtbBridgeActive};

    {{ bridge_gate.module }} bridge_gate (
{% for name, connection in bridge_gate.connections %}
        .{{ name }} ({{ connection }}){{ "," if not loop.last }}
{% endfor %}
    );

{% endif %}
{% if trigger_inputs %}
    {{ trigger_inputs.module }} trigger_inputs (
{% for name, connection in trigger_inputs.connections %}
        .{{ name }} ({{ connection }}){{ "," if not loop.last }}
{% endfor %}
    );

{% endif %}
{% if trigger_outputs %}
    {{ trigger_outputs.module }} trigger_outputs (
{% for name, connection in trigger_outputs.connections %}
        .{{ name }} ({{ connection }}){{ "," if not loop.last }}
{% endfor %}
    );

{% endif %}
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
