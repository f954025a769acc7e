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

impl Logic for Filter {
    #[hdl_gen]
    fn update(&mut self) {
        self.passes_ranges.next = 1.into();
        if self.has_ranges.val() == 1 {
            self.hits.next = 0.into();
            for range in 0..self.low.len() {
                self.first_place[range].next =
                    unsigned_cast_to_fit(self.low[range].val() >> self.alignment.val());
                self.last_place[range].next =
                    unsigned_cast_to_fit(self.high[range].val() >> self.alignment.val());
                if self.begins_at.val() >= self.first_place[range].val()
                    && self.begins_at.val() <= self.last_place[range].val()
                {
                    self.hits.next = self.hits.val().replace_bit(range, true);
                }
            }
            self.passes_ranges.next =
                (bits_to((self.hits.val() & self.pins.includes.val()).any(), 1)
                    | !bits_to(self.pins.includes.val().any(), 1))
                    & !bits_to((self.hits.val() & self.pins.excludes.val()).any(), 1);
        }

        self.passes_state.next = 1.into();
        if self.has_privilege.val() == 1 {
            self.passes_state.next =
                !bits_to(self.pins.privilege_excludes.val() >> self.next_privilege.val(), 1);
        }
        if self.has_context.val() == 1 {
            if self.pins.has_context.val().any()
                && self.next_context.val() != self.pins.context.val()
            {
                self.passes_state.next = 0.into();
            }
        }

        self.passes_window.next = 1.into();
        if self.has_window.val() == 1 {
            self.passes_window.next = self.window_is_open.q.val();
            if self.last.val() >> self.alignment.val()
                == self.pins.stop.val() >> self.alignment.val()
            {
                self.passes_window.next = 0.into();
            }
            if self.begins_at.val()
                == bits_to(self.pins.start.val() >> self.alignment.val(), self.begins_at.width())
            {
                self.passes_window.next = 1.into();
            }
            if self.ends_run.val().any() {
                self.window_is_open.d.next = self.passes_window.val();
            }
        }

        self.next_passes.next = self.passes_ranges.val() & self.passes_state.val();
        if self.has_window.val() == 1 {
            self.next_passes.next = self.passes_ranges.val()
                & self.passes_state.val()
                & (self.passes_window.val() | !self.pins.has_window.val());
        }
        self.passes.next = self.traces.q.val();
        if self.ends_run.val().any() {
            self.traces.d.next = self.next_passes.val();
        }
    }
}
