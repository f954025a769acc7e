//! Faults: what is wrong, text of the right hardware, text of the wrong one.

pub type Fault = (&'static str, &'static str, &'static str);

/// In the module that connects the front end of an APB with the registers. The faults of both are those of
/// `testbench/tests/mutations/control.rs`.
pub const REGISTERS: &[Fault] = &[
    ("an address is one of bytes", "(paddr[15:2])", "(paddr[13:0])"),
    ("an address is one of double words", "(paddr[15:2])", "({1'b0, paddr[15:3]})"),
];

/// The same for an AXI4-Lite.
pub const AXI: &[Fault] = &[
    ("an address of a write is one of bytes", "(s_axi_awaddr[15:2])", "(s_axi_awaddr[13:0])"),
    ("an address of a read is one of bytes", "(s_axi_araddr[15:2])", "(s_axi_araddr[13:0])"),
    ("a write is not answered", "write_answered & !reset", "1'b0"),
    ("a read is not answered", "read_answered & !reset", "1'b0"),
];

/// Around a trace module with its trace port, in what connects the blocks.
pub const AROUND: &[Fault] = &[
    ("trTeInstTracing does nothing", ".tracing (trTeInstTracing)", ".tracing (1'b1)"),
    ("trTeEnable does nothing", ".enable (trTeEnable)", ".enable (1'b1)"),
    ("trTeInstMode does nothing", ".mode (trTeInstMode)", ".mode (3'd7)"),
    ("nothing is discarded", ".discard (discard)", ".discard (1'b0)"),
    ("the trace has always left", ".flushed (flushed)", ".flushed (1'b1)"),
    ("an overflow is not told", ".answers ({drops_0, stall_0})", ".answers (2'd0)"),
    (
        "cycles are not counted anew",
        ".synchronised (synchronised)",
        ".synchronised (1'b0 & synchronised)",
    ),
    ("cycles are always counted", ".sync_mode (trTeInstSyncMode)", ".sync_mode (2'd2)"),
    ("another number of cycles", ".sync_max (trTeInstSyncMax)", ".sync_max (~trTeInstSyncMax)"),
    ("no packet is asked for", "sync_request | sync_is_due", "sync_request"),
];

/// Around a trace module with a RAM sink.
pub const RAM: &[Fault] = &[
    ("tracing goes on without the sink", ".sink_enable (trRamEnable)", ".sink_enable (1'b1)"),
    (
        "the sink does not wait for the rest",
        ".source_is_empty (flushed)",
        ".source_is_empty (1'b1)",
    ),
    ("the sink waits for ever", ".source_is_empty (flushed)", ".source_is_empty (1'b0)"),
    ("the sink is not reset", ".clear (!trRamActive)", ".clear (1'b0)"),
    ("the ring is the whole memory", ".limit (trRamLimitLow)", ".limit (~14'd0)"),
    ("a full ring goes on", ".stop_when_full (trRamStopOnWrap)", ".stop_when_full (1'b0)"),
    ("a full ring always stops", ".stop_when_full (trRamStopOnWrap)", ".stop_when_full (1'b1)"),
    (
        "the wrapped flag cannot be cleared",
        ".loaded_wrapped (trRamWrap_loaded)",
        ".loaded_wrapped (1'b1)",
    ),
    (
        "the pointer to read is not set",
        ".load_read_pointer (trRamRPLow_load)",
        ".load_read_pointer (1'b0)",
    ),
    ("the pointer to read stays", ".read (trRamData_read)", ".read (1'b0)"),
    (
        "the pointer to write is not set",
        ".load_write_pointer (trRamWPLow_load)",
        ".load_write_pointer (1'b0)",
    ),
    ("the sink is always on", ".enable (trRamEnable)", ".enable (trRamActive)"),
];

/// Around a funnel of three sources, in what connects the blocks.
pub const FUNNEL: &[Fault] = &[
    ("trFunnelEnable does nothing", ".enable (trFunnelEnable)", ".enable (1'b1)"),
    ("trFunnelActive enables", ".enable (trFunnelEnable)", ".enable (trFunnelActive)"),
    ("no source is disabled", ".disabled (trFunnelDisInput)", ".disabled (3'd0)"),
    (
        "the sources are the other way round",
        ".disabled (trFunnelDisInput)",
        ".disabled ({trFunnelDisInput[0], trFunnelDisInput[1], trFunnelDisInput[2]})",
    ),
    ("all has always left", ".flushed (flushed)", ".flushed (1'b1)"),
    ("nothing has ever left", ".flushed (flushed)", ".flushed (1'b0)"),
    ("the pin of the flush does nothing", ".flush (flush)", ".flush (1'b0)"),
    ("what is switched off is not flushed", ".flush (funnel_flush)", ".flush (flush)"),
    (
        "a source that is not shown is taken",
        ".source_valid_1 (shown[1])",
        ".source_valid_1 (source_valid_1)",
    ),
    (
        "a source is shown for another one",
        ".source_valid_0 (shown[0])",
        ".source_valid_0 (shown[2])",
    ),
    ("there is always room", ".room (room)", ".room (3'd7)"),
];

/// Of triggers, around a trace module, in what connects the blocks.
pub const TRIGGERS: &[Fault] = &[
    ("a trigger needs no permission", ".may_switch (trTeInstTrigEnable)", ".may_switch (1'b1)"),
    (
        "the first input does what the second one does",
        ".action_0 (trTeTrigExtInAction0)",
        ".action_0 (trTeTrigExtInAction1)",
    ),
    (
        "the second input does what the first one does",
        ".action_1 (trTeTrigExtInAction1)",
        ".action_1 (trTeTrigExtInAction0)",
    ),
    ("tracing is never on", ".is_tracing (enable)", ".is_tracing (1'b0)"),
    ("nothing is asked for", " | trigger_notifies", ""),
    (
        "the outputs are exchanged",
        ".event_0 (trTeTrigExtOutEvent0),\n        .event_1 (trTeTrigExtOutEvent1)",
        ".event_0 (trTeTrigExtOutEvent1),\n        .event_1 (trTeTrigExtOutEvent0)",
    ),
];

/// Of a trace bus with the registers around it, in the module that has them and in the one around the trace module.
pub const SINK: &[Fault] = &[
    ("what is switched off is not flushed", "flush | !enable", "flush"),
    ("the counter of cycles is not heard", "syncreq | sync_is_due", "syncreq"),
    (
        "the trace is never switched off",
        ".enable (enable),\n        .discard (discard),\n        .flush (",
        ".enable (1'b1),\n        .discard (discard),\n        .flush (",
    ),
    ("the reset is the wrong way round", ".atresetn (!reset)", ".atresetn (reset)"),
    ("a flush is answered at once", "(asks | asked) & (", "asks | ("),
    ("beats do not wait", "trace_ready = !is_whole | atready", "trace_ready = 1'b1"),
    ("beats are the wrong way round", "{trace_data, gathered[7:2]}", "{gathered[5:0], trace_data}"),
    ("a byte is taken twice", "count <= kept;", "count <= count;"),
    ("a byte has three beats", "count == 3'd4", "count == 3'd3"),
    ("the bridge switches nothing", ".sink_enable (trAtbBridgeEnable)", ".sink_enable (1'b1)"),
    (
        "the bridge is empty although a beat is on offer",
        "bridge_is_empty = !is_open",
        "bridge_is_empty = is_empty",
    ),
    ("a bridge that is off sends", ".is_empty (trTeEmpty_value)", ".is_empty (1'b0)"),
    ("the source is always 1", ".trace_id (trAtbBridgeID)", ".trace_id (7'd1)"),
];

/// Of the switch around an adapter, for a core that waits.
pub const SWITCH: &[Fault] = &[
    ("the adapter is not flushed", ".flush (adapter_flush)", ".flush (flush)"),
    (
        "the module is switched off before the adapter has drained",
        "is_off | all_drained",
        "is_off | 1'b1",
    ),
    ("the module is never switched off", ".enable (module_enable)", ".enable (1'b1)"),
    ("the module is switched off by the pin", ".enable (module_enable)", ".enable (enable)"),
    ("the core waits as long as it is off", "is_off <= stops", "is_off <= 1'b0"),
    ("a flush does not wait for the adapter", "flush & all_drained", "flush"),
    ("the pin of the flush does nothing", "flush & all_drained", "1'b0"),
    ("the core waits for a dead sink", " | (&waits)", ""),
    ("the core waits half as long", "(&waits)", "(&waits[8:0])"),
    ("a beat that is taken is no sign of life", " | (trace_valid & trace_ready)", ""),
    ("a discard does not let the core go on", "stops = discards | ", "stops = "),
    (
        "a discard comes too early for the module",
        "discards <= (discards | ((drains | flush) & discard))",
        "discards <= (discards | (1'b0 & discard))",
    ),
    ("a discard does not end a flush", "((drains | flush) & discard)", "(drains & discard)"),
    ("a flush begins again after a discard", "(flush | !flushed)", "!flushed"),
    ("a discard does not reach the module", ".discard (module_discard)", ".discard (1'b0)"),
    ("a discard lasts for ever", "(flush | !flushed)", "1'b1"),
    ("nothing switches it on again", "drains = !enable & !is_off", "drains = !is_off"),
];

/// Of the same, for a core that does not wait.
pub const SWITCH_OF_DROPS: &[Fault] = &[
    ("it is on after a reset", "is_off <= 1'b1", "is_off <= 1'b0"),
    ("a core that does not pause is never switched off", " | (&waits)", ""),
    ("it waits too short a time", "(&waits)", "(waits[0])"),
];
