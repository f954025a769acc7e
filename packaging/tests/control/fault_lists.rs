//! Faults: what is wrong, text of the right hardware, text of the wrong one.

pub type Fault = (&'static str, &'static str, &'static str);

/// In a register file on APB.
pub const REGISTERS: &[Fault] = &[
    ("an address after the pages is none", "word >= 14'd2048", "word >= 14'd4096"),
    ("a byte has no strobe", "{8{strobes[2]}}", "8'hff"),
    (
        "strobes are exchanged",
        "{8{strobes[1]}}, {8{strobes[0]}}",
        "{8{strobes[0]}}, {8{strobes[1]}}",
    ),
    ("writing 1 does not clear", " & ~(data[12] & mask[12])", ""),
    ("writing 0 clears", "~(data[12] & mask[12])", "~mask[12]"),
    ("switching on does not clear", "merged_trTeEnable & !trTeEnable", "1'b0"),
    ("being on clears", "merged_trTeEnable & !trTeEnable", "merged_trTeEnable"),
    (
        "a write prevails over an overflow",
        "if (trTeInstStallOrOverflow_set) begin",
        "if (trTeInstStallOrOverflow_set & !write_trTeControl) begin",
    ),
    (
        "a write prevails over the end of the ring",
        "if (trRamEnable_clear) begin",
        "if (trRamEnable_clear & !write_trRamControl) begin",
    ),
    ("fields are not held in reset", "if (!trTeActive) begin", "if (1'b0) begin"),
    (
        "fields of the sink are not held in reset",
        "if (!trRamActive) begin",
        "if (!trTeActive) begin",
    ),
    ("a mode that there is not", "{3{|merged_trTeInstMode}}", "merged_trTeInstMode"),
    ("messages are counted", "merged_trTeInstSyncMode & 2'd2", "merged_trTeInstSyncMode"),
    ("the end of the ring does not switch off", "if (trRamEnable_clear) begin", "if (1'b0) begin"),
    ("a read does not wait for the memory", "| trRamData_ready;", "| 1'b1;"),
    (
        "every access waits for the memory",
        "(word != 14'd1040) | trRamData_ready",
        "trRamData_ready",
    ),
    ("a write reads on", "trRamData_read = is_done & !is_write", "trRamData_read = is_done"),
    ("there are no errors", "is_done & is_outside", "1'b0"),
    ("the setup phase is an access", "psel & penable", "psel"),
    ("it is active after reset", "trTeActive <= 1'd0", "trTeActive <= 1'd1"),
    (
        "the limit after reset",
        "if (!trRamActive) begin\n                trRamLimitLow <= 6'd63",
        "if (!trRamActive) begin\n                trRamLimitLow <= 6'd62",
    ),
    ("a reserved bit reads as 1", "read_data = {5'd0, 3'd7", "read_data = {5'd1, 3'd7"),
    ("another register is read", "14'd1: read_data", "14'd2: read_data"),
    (
        "a pointer loads what it was",
        "assign trRamWPLow_loaded = merged_trRamWPLow",
        "assign trRamWPLow_loaded = trRamWPLow_value",
    ),
    (
        "the pointer of reads is that of writes",
        "trRamRPLow_load = write_trRamRPLow",
        "trRamRPLow_load = write_trRamWPLow",
    ),
];

/// In a register file on AXI4-Lite.
pub const AXI: &[Fault] = &[
    ("a read writes", "is_done & is_write & (word == 14'd0)", "is_done & (word == 14'd0)"),
    ("a write does not wait for its data", "aw_held & w_held & (", "aw_held & ("),
    ("a write does not wait for its address", "aw_held & w_held & (", "w_held & ("),
    ("a read does not wait for a write", "ar_held & !is_write & (", "ar_held & ("),
    ("an answer to a write does not wait", "end else if (s_axi_bready) begin", "end else begin"),
    ("an answer to a read does not wait", "end else if (s_axi_rready) begin", "end else begin"),
    (
        "an answer to a write does not end",
        "b_valid <= 1'b0;\n            end\n            if (does",
        "end\n            if (does",
    ),
    ("strobes are lost", "w_strobes <= s_axi_wstrb", "w_strobes <= 4'd15"),
    ("a write has no errors", "b_error <= is_outside", "b_error <= 1'b0"),
    ("a read has no errors", "r_error <= is_outside", "r_error <= 1'b0"),
    ("a read does not wait for the memory", "does_read & can_answer", "does_read"),
    (
        "an address waits for ever",
        "ar_held <= 1'b0;\n            end\n            if (is",
        "end\n            if (is",
    ),
];

/// Around a trace module with its trace port.
pub const AROUND: &[Fault] = &[
    ("trTeInstTracing does nothing", "trTeEnable & trTeInstTracing", "trTeEnable"),
    ("trTeEnable does nothing", "trTeActive & trTeEnable &", "trTeActive &"),
    ("trTeInstMode does nothing", " & (|trTeInstMode)", " & (|trTeInstMode | trTeInstTracing)"),
    ("nothing is discarded", "!trTeActive & has_begun & !flushed", "1'b0"),
    (
        "the empty packet after a reset is discarded",
        "!trTeActive & has_begun & !flushed",
        "!trTeActive & !flushed",
    ),
    ("it is empty while it ends", "!enable & !has_begun", "!enable"),
    (
        "a trace never begins",
        "            if (enable) begin\n                has_begun <= 1'b1;",
        "            if (1'b0) begin\n                has_begun <= 1'b1;",
    ),
    ("an overflow is not told", "is_in_trace & (", "1'b0 & ("),
    ("an overflow is told before the trace", "is_in_trace & (", "("),
    ("the module takes blocks at once", "enable & (is_in_trace | !(", "enable & (1'b1 | !("),
    ("the module takes blocks when it is off", "enable & (is_in_trace | !(", "(is_in_trace | !("),
    ("cycles are not counted anew", "!enable | synchronised | ", "!enable | "),
    ("cycles are always counted", " | !(|trTeInstSyncMode)", ""),
    ("twice as many cycles", "+ 5'd4", "+ 5'd5"),
    ("no packet is asked for", "sync_request | sync_is_due", "sync_request"),
];

/// Around a trace module with a RAM sink.
pub const RAM: &[Fault] = &[
    ("tracing goes on without the sink", " & trRamEnable;", ";"),
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

/// Of triggers, in a register file on APB.
pub const TRIGGER_FIELDS: &[Fault] = &[
    ("a trigger does not start", "if (trTeInstTracing_set) begin", "if (1'b0) begin"),
    ("a trigger does not stop", "if (trTeInstTracing_clear) begin", "if (1'b0) begin"),
    (
        "a write prevails over a start",
        "if (trTeInstTracing_set) begin",
        "if (trTeInstTracing_set & !write_trTeControl) begin",
    ),
    (
        "a write prevails over a stop",
        "if (trTeInstTracing_clear) begin",
        "if (trTeInstTracing_clear & !write_trTeControl) begin",
    ),
    (
        "a start prevails over a stop",
        "if (trTeInstTracing_clear) begin",
        "if (trTeInstTracing_clear & !trTeInstTracing_set) begin",
    ),
    ("any action is kept", "{4{(merged_trTeTrigExtInAction0 == 4'd2)", "{4{1'b1"),
    (
        "an action is left out",
        "(merged_trTeTrigExtInAction1 == 4'd3)",
        "(merged_trTeTrigExtInAction1 == 4'd2)",
    ),
    (
        "there is another action",
        "(merged_trTeTrigExtInAction1 == 4'd4)",
        "(merged_trTeTrigExtInAction1 == 4'd5)",
    ),
    (
        "an event belongs to another output",
        "trTeTrigExtOutEvent1 <= merged_trTeTrigExtOutEvent1",
        "trTeTrigExtOutEvent1 <= merged_trTeTrigExtOutEvent0",
    ),
    (
        "triggers are not enabled by a write",
        "trTeInstTrigEnable <= merged",
        "trTeInstTrigEnable <= 1'b0 & merged",
    ),
    (
        "the registers are exchanged",
        "write_trTeTrigExtInControl = is_done & is_write & (word == 14'd21)",
        "write_trTeTrigExtInControl = is_done & is_write & (word == 14'd22)",
    ),
];

/// Of triggers, around a trace module.
pub const TRIGGERS: &[Fault] = &[
    ("one register less", "trigger_level <= trigger_sampled", "trigger_level <= trigger_in"),
    ("a level counts", "trigger_level & ~trigger_before", "trigger_level"),
    (
        "the falling edge counts",
        "trigger_level & ~trigger_before",
        "~trigger_level & trigger_before",
    ),
    (
        "a start needs no permission",
        "trTeInstTracing_set = trTeInstTrigEnable &",
        "trTeInstTracing_set =",
    ),
    (
        "a stop needs no permission",
        "trTeInstTracing_clear = trTeInstTrigEnable &",
        "trTeInstTracing_clear =",
    ),
    (
        "start and stop are exchanged",
        "trTeTrigExtInAction0 == 4'd2",
        "trTeTrigExtInAction0 == 4'd3",
    ),
    ("the second input does nothing", "trTeTrigExtInAction1 == 4'd3", "1'b0"),
    (
        "inputs are exchanged",
        "trTeTrigExtInAction1 == 4'd2, trTeTrigExtInAction0 == 4'd2",
        "trTeTrigExtInAction0 == 4'd2, trTeTrigExtInAction1 == 4'd2",
    ),
    ("nothing is asked for", " | trigger_notifies", ""),
    (
        "every trigger asks for a packet",
        "trigger_notifies = enable & (|(trigger_fires &",
        "trigger_notifies = enable & (|(trigger_fires |",
    ),
    ("the start is not told", "trTeInstTracing & !was_tracing\n", "1'b0\n"),
    (
        "tracing is told as long as it is on",
        "trTeInstTracing & !was_tracing\n",
        "trTeInstTracing\n",
    ),
    (
        "the stop is told as long as tracing is off",
        "!trTeInstTracing & was_tracing",
        "!trTeInstTracing",
    ),
    ("packets are not told", "was_short, synchronised,", "was_short, 1'b0,"),
    (
        "that there is no room is told as long as it lasts",
        "trTeInstStallOrOverflow_set & !was_short",
        "trTeInstStallOrOverflow_set",
    ),
    ("that there is no room is not told", "trTeInstStallOrOverflow_set & !was_short", "1'b0"),
    (
        "outputs are exchanged",
        "|(trTeTrigExtOutEvent1 & trigger_events), |(trTeTrigExtOutEvent0 & trigger_events)",
        "|(trTeTrigExtOutEvent0 & trigger_events), |(trTeTrigExtOutEvent1 & trigger_events)",
    ),
    ("an output hears every event", "|(trTeTrigExtOutEvent0 & trigger_events)", "|trigger_events"),
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
