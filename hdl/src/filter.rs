//! What of an execution is traced.

#![allow(
    clippy::collapsible_if,
    reason = "a condition of the configuration guards signals that are not there without it"
)]

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{Processor, Protocol};

use crate::parts::ports::FilterPins;

block! {
    /// Decides about each run of instructions when the one before ends (docs/filters.md).
    pub Filter("filter") of (processor: &Processor, protocol: &Protocol) {
        let address_bits = processor.instruction_address_bits() as usize;
        let ranges = protocol.filter_ranges as usize;
    }
    parameters {
        ranges,
        privilege = usize::from(protocol.filter_privilege),
        context = usize::from(protocol.filter_context),
        window = usize::from(protocol.filter_window),
    }

    /// a run ends with the block at the pins
    in ends_run: 1;
    /// in instruction units: where the next run begins, or the branch before it that is not taken
    in begins_at: address_bits;
    /// byte address of the last instruction
    in last: if protocol.filter_window { processor.address_width } else { 0 };
    /// in which the execution goes on
    in next_context: if protocol.filter_context { protocol.context_bits } else { 0 };
    in next_privilege: if protocol.filter_privilege { protocol.privilege_bits } else { 0 };
    in pins: FilterPins(processor, protocol);
    /// first byte address of each range
    in low: processor.address_width for _ in 0..ranges;
    /// last byte address of each range
    in high: processor.address_width for _ in 0..ranges;
    /// the run at hand is traced
    out passes: 1;
    /// the next run is traced, if the one at hand ends
    out next_passes: 1;
    /// up to the first instruction that may change the flow everything is traced
    reg traces: 1 = 1;
    /// between start and stop
    reg window_is_open: usize::from(protocol.filter_window);
    /// in instruction units
    local first_place: address_bits for _ in 0..ranges;
    local last_place: address_bits for _ in 0..ranges;
    /// the ranges in which the next run begins
    local hits: ranges;
    local passes_ranges: 1;
    local passes_state: 1;
    local passes_window: 1;
    param has_ranges = ranges > 0;
    param has_privilege = protocol.filter_privilege;
    param has_context = protocol.filter_context;
    param has_window = protocol.filter_window;
    param alignment = processor.alignment as usize;
}

#[kernel]
impl Logic for Filter {
    fn update(&mut self) {
        passes_ranges = 1;
        if when(has_ranges) {
            hits = 0;
            for range in 0..low.len() {
                first_place[range] = fitted(low[range] >> alignment);
                last_place[range] = fitted(high[range] >> alignment);
                if begins_at >= first_place[range] && begins_at <= last_place[range] {
                    hits = hits.replace_bit(range, true);
                }
            }
            passes_ranges =
                (bit(hits & pins.includes) | !bit(pins.includes)) & !bit(hits & pins.excludes);
        }

        passes_state = 1;
        if when(has_privilege) {
            passes_state = !resized(pins.privilege_excludes >> next_privilege, 1);
        }
        if when(has_context) {
            if pins.has_context && next_context != pins.context {
                passes_state = 0;
            }
        }

        passes_window = 1;
        if when(has_window) {
            passes_window = window_is_open.q;
            if last >> alignment == pins.stop >> alignment {
                passes_window = 0;
            }
            if begins_at == resized(pins.start >> alignment, begins_at.width()) {
                passes_window = 1;
            }
            if ends_run {
                window_is_open.d = passes_window;
            }
        }

        next_passes = passes_ranges & passes_state;
        if when(has_window) {
            next_passes = passes_ranges & passes_state & (passes_window | !pins.has_window);
        }
        passes = traces.q;
        if ends_run {
            traces.d = next_passes;
        }
    }
}
