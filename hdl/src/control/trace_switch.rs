//! What the registers do with a trace module.

use tracewright_elaborate::prelude::*;
use tracewright_sim::control::trace_switch::{CYCLES_BITS, Config, LEAST_SYNC};

block! {
    /// Switches a trace module as the registers say, and tells them what it does.
    pub TraceSwitch("trace_switch") of (config: &Config) {
        let ranges = config.filter_ranges as usize;
        let gate = usize::from(config.is_gated);
    }
    parameters {
        answers = config.answers as usize,
        sink = 1 if config.has_sink,
        adapter = 1 if config.has_adapter,
        filter_ranges = ranges if config.filters,
        gated = 1 if config.is_gated,
    }

    /// trTeActive
    in active: 1;
    /// trTeEnable
    in enable: 1;
    /// trTeInstTracing
    in tracing: 1;
    /// trTeInstMode
    in mode: 3;
    /// trRamEnable, or trAtbBridgeEnable
    in sink_enable: usize::from(config.has_sink);
    /// trTeInstSyncMode
    in sync_mode: 2;
    /// trTeInstSyncMax
    in sync_max: 4;
    /// trTeInstFilters
    in filters: ranges;
    /// a bit for each filter: it is enabled
    in filter_enables: ranges;
    /// all of the trace has left the module
    in flushed: 1;
    /// a bit for each pin that says that the module has no room
    in answers: config.answers as usize;
    /// the block at the pins is not traced
    in filtered: usize::from(config.filters);
    /// a packet begins after a synchronisation or a loss
    in synchronised: 1;
    /// the module does not stand still
    in runs: gate;
    out module_enable: 1;
    out module_discard: 1;
    /// a packet is due
    out sync_is_due: 1;
    /// a bit for each range that is traced
    out filter_includes: ranges;
    /// trTeEmpty
    out is_empty: 1;
    /// twTakesBlocks
    out takes_blocks: 1;
    /// trTeInstStallOrOverflow is set
    out lacks_room: 1;
    /// a trace has begun, and not all of it has left the module
    reg has_begun: 1;
    /// the module took blocks, or could have, since tracing was switched on
    reg is_in_trace: 1;
    /// cycles since a packet began, as long as they are counted
    reg cycles: CYCLES_BITS;
    local is_lost: 1;
    param has_sink = config.has_sink;
    param has_adapter = config.has_adapter;
    param has_ranges = ranges > 0;
    param filters_blocks = config.filters;
    param is_gated = config.is_gated;
    param least_sync = Word::new(5, u64::from(LEAST_SYNC));
}

#[kernel]
impl Logic for TraceSwitch {
    fn update(&mut self) {
        module_enable = active & enable & tracing & bit(mode);
        if when(has_sink) {
            module_enable = active & enable & tracing & bit(mode) & sink_enable;
        }
        module_discard = !active & has_begun.q & !flushed;
        if when(has_ranges) {
            filter_includes = filters & filter_enables;
        }
        is_empty = !module_enable & !has_begun.q;
        takes_blocks = is_in_trace.q;

        is_lost = is_in_trace.q & bit(answers);
        if when(has_adapter) {
            // A core waits for its adapter when tracing is switched off.
            is_lost = is_in_trace.q & bit(answers) & module_enable;
        }
        lacks_room = is_lost;
        if when(filters_blocks) {
            lacks_room = is_lost & !filtered;
        }
        if when(is_gated) {
            lacks_room = lacks_room & runs;
        }

        if module_enable {
            has_begun.d = 1;
        } else if flushed {
            has_begun.d = 0;
        }
        is_in_trace.d = module_enable & (is_in_trace.q | !bit(answers));

        sync_is_due = bit(cycles.q.get_bit(resized(sync_max, 5) + least_sync));
        if !module_enable | synchronised | !bit(sync_mode) {
            cycles.d = 0;
        } else if !sync_is_due {
            cycles.d = cycles.q + 1;
        }
    }
}
