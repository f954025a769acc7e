//! Where packets begin and end.

#![allow(
    clippy::collapsible_if,
    reason = "a condition of the configuration guards signals that are not there without it"
)]

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::packet::framing::Framing;
use tracewright_sim::packet::header::{LOSS_CAUSE_BITS, LOST_INSTRUCTIONS, LossCause};

use super::ports::{Headers, RetiredBlock};
use crate::packet::framer::Header;

block! {
    /// Counts instructions, keeps the address of the last one, and asks the compressor for a flush record where a packet
    /// ends. It makes the header of the packet that follows (docs/packets.md).
    ///
    /// A synchronisation follows the first block that may change the flow, once as many instructions as the interval
    /// has have retired since the last one, or one is requested. The next block waits until the packet has begun. If the
    /// core cannot wait, blocks are counted instead, up to one that may change the flow.
    pub Synchroniser("synchroniser") of (framing: &Framing) {
        let (protocol, processor) = (&framing.protocol, &framing.processor);
        let interval = protocol.interval();
        // A bit more than the interval needs: it stays once the interval is over.
        let counter_bits = if interval == 0 { 0 } else { index_bits(interval) as usize + 1 };
        let address_bits = processor.instruction_address_bits() as usize;
        let format = framing.header_format();
        let (counts, restarts) = (protocol.counts_losses(), protocol.restarts_tables());
        let switches = protocol.enable_pin;
        let in_background = protocol.clears_in_background();
        let lost_bits = if counts { LOST_INSTRUCTIONS.width as usize } else { 0 };
        let cause_bits = if counts { LOSS_CAUSE_BITS as usize } else { 0 };
    }
    parameters {
        sync_interval = interval as usize,
        keeps_tables = usize::from(protocol.sync_keeps_tables),
        counts_losses = usize::from(counts),
        switches if switches,
        in_background if in_background,
    }

    /// the block at the pins; valid if it is taken
    in retire: RetiredBlock(processor);
    /// a block is at the pins, taken or not
    in is_shown: usize::from(counts);
    /// a synchronisation is due
    in sync_request: 1;
    /// the trace ends here
    in trace_ends: 1;
    /// tracing is off
    in is_off: usize::from(counts);
    /// what is in the module is discarded
    in discards: usize::from(switches);
    /// blocks are lost until the trace goes on
    out skips: usize::from(switches);
    /// the tables are being cleared
    in is_clearing: usize::from(restarts && !in_background);
    /// the compressor can make a flush record
    in ready: 1;
    /// the compressor is empty, and what is behind it and the tables can be restarted
    in is_empty: usize::from(restarts);
    /// blocks may be taken
    out accepts: 1;
    /// the compressor makes its flush record in this cycle
    out flush: 1;
    /// the flush record of this cycle ends the trace
    out ends: 1;
    /// the tables and the registers of the compressor are cleared
    out restart: usize::from(restarts);
    /// the first block of a packet does not follow an instruction that its decoder knows
    out hides_address: usize::from(restarts);
    /// a packet begins after a synchronisation or a loss
    out synchronised: 1;
    out header: Headers(format.bits() as usize);
    reg phase: 3;
    reg is_requested: 1;
    /// instructions since the last synchronisation; the highest bit says that the interval is over
    reg instructions: counter_bits;
    /// something has retired since reset
    reg has_retired: 1;
    /// the flow did not change at the last instruction
    reg is_after: 1;
    /// in instruction units: where the flow changed to, or the last instruction
    reg address: address_bits;
    /// the compressor was cleared and has taken no block since then
    reg is_restarted: usize::from(restarts);
    /// the trace has ended, and no packet has begun since then
    reg is_ended: usize::from(restarts);
    /// blocks were lost since the last packet
    reg is_losing: usize::from(counts);
    reg lost: lost_bits;
    reg cause: cause_bits;
    reg waiting_valid: 1;
    reg waiting_kind: 2 = undefined;
    reg waiting_is_after: 1 = undefined;
    reg waiting_address: address_bits = undefined;
    reg waiting_lost: lost_bits = undefined;
    reg waiting_cause: cause_bits = undefined;
    local formed: Header(&format);
    local is_branch: 1;
    local changes_flow: 1;
    local may_change_flow: 1;
    /// a block retires and is not taken
    local is_lost: 1;
    local retires: 1;
    local next_is_after: 1;
    local next_address: address_bits;
    local counted: counter_bits;
    local requested: 1;
    local is_due: 1;
    local sum: if counts { lost_bits + 1 } else { 0 };
    local next_lost: lost_bits;
    local next_cause: cause_bits;
    local loses: 1;
    param has_interval = interval > 0;
    param last_bit = counter_bits.saturating_sub(1);
    param alignment = processor.alignment as usize;
    param counts = counts;
    param switches = usize::from(switches);
    param restarts = restarts;
    param in_background = usize::from(in_background);
    param keeps_tables = protocol.sync_keeps_tables;
    param most_lost = lost_bits;
    /// no packet is open, as after reset
    constant phase_closed: 3 = 0;
    constant phase_open: 3 = 1;
    /// the packet ends as soon as the compressor can make its flush record
    constant phase_due: 3 = 2;
    /// the compressor has records
    constant phase_emptying: 3 = 3;
    constant phase_clearing: 3 = 4;
    /// the next packet begins as soon as its header can wait, and no block is lost
    constant phase_heading: 3 = 5;
    /// the first packet after reset
    constant kind_start: 2 = 0;
    constant kind_synchronisation: 2 = 1;
    constant kind_after_loss: 2 = 2;
    constant kind_end: 2 = 3;
    constant cause_no_room: cause_bits = LossCause::NoRoom as u64;
    constant cause_off: cause_bits = LossCause::Off as u64;
    constant cause_not_ready: cause_bits = LossCause::NotReady as u64;
    constant cause_discarded: cause_bits = LossCause::Discarded as u64;
}

impl Logic for Synchroniser {
    #[hdl_gen]
    fn update(&mut self) {
        // Where the next instruction is. The pin `retire_taken` has a meaning for branches only.
        self.is_branch.next = self.retire.direct.val() | self.retire.indirect.val();
        self.changes_flow.next =
            self.retire.exception.val() | (self.is_branch.val() & self.retire.taken.val());
        self.may_change_flow.next = self.is_branch.val() | self.retire.exception.val();
        self.retires.next = self.retire.valid.val();
        self.is_lost.next = 0.into();
        if self.counts.val() == 1 {
            self.retires.next = self.is_shown.val();
            self.is_lost.next = self.is_shown.val() & !self.retire.valid.val();
        }
        self.next_is_after.next = self.is_after.q.val();
        self.next_address.next = self.address.q.val();
        if self.retires.val().any() {
            self.has_retired.d.next = 1.into();
            self.next_is_after.next = !self.changes_flow.val();
            self.next_address.next =
                bits_to(self.retire.pc.val() >> self.alignment.val(), self.address.width());
            if self.changes_flow.val().any() {
                self.next_address.next =
                    bits_to(self.retire.target.val() >> self.alignment.val(), self.address.width());
            }
        }
        self.is_after.d.next = self.next_is_after.val();
        self.address.d.next = self.next_address.val();

        // A synchronisation is due with a block that may change the flow.
        self.requested.next = self.is_requested.q.val() | self.sync_request.val();
        self.is_requested.d.next = self.requested.val();
        self.is_due.next = self.requested.val();
        if self.has_interval.val() == 1 {
            self.counted.next = self.instructions.q.val();
            if !self.instructions.q.val().get_bit(self.last_bit.val()) {
                self.counted.next = self.instructions.q.val()
                    + bits_to(self.retire.count.val(), self.counted.width());
            }
            self.is_due.next =
                self.requested.val() | bits_to(self.counted.val().get_bit(self.last_bit.val()), 1);
            if self.retire.valid.val().any() {
                self.instructions.d.next = self.counted.val();
            }
        }

        // Instructions that are lost; the largest number stands for all that are larger.
        self.loses.next = 0.into();
        if self.counts.val() == 1 {
            self.loses.next = self.is_losing.q.val() | self.is_lost.val();
            self.next_lost.next = self.lost.q.val();
            self.next_cause.next = self.cause.q.val();
            self.sum.next = bits_to(self.lost.q.val(), self.sum.width())
                + bits_to(self.retire.count.val(), self.sum.width());
            if !self.is_losing.q.val().any() {
                self.sum.next = bits_to(self.retire.count.val(), self.sum.width());
            }
            if self.is_lost.val().any() {
                self.next_lost.next = bits_to(self.sum.val(), self.lost.width());
                if self.sum.val().get_bit(self.most_lost.val()) {
                    self.next_lost.next = !bits_to(0, self.lost.width());
                }
                if !self.is_losing.q.val().any() {
                    self.next_cause.next = self.cause_not_ready.val();
                    if self.phase.q.val() == self.phase_open.val() {
                        self.next_cause.next = self.cause_no_room.val();
                    }
                    if self.is_off.val().any() {
                        self.next_cause.next = self.cause_off.val();
                    }
                }
            }
            self.lost.d.next = self.next_lost.val();
            self.cause.d.next = self.next_cause.val();
            self.is_losing.d.next = self.loses.val();
        }

        // One header waits.
        if self.header.ready.val().any() {
            self.waiting_valid.d.next = 0.into();
        }
        self.accepts.next = bits_to(self.phase.q.val() == self.phase_closed.val(), 1)
            | bits_to(self.phase.q.val() == self.phase_open.val(), 1);
        if self.counts.val() == 1 {
            self.accepts.next = (bits_to(self.phase.q.val() == self.phase_closed.val(), 1)
                | bits_to(self.phase.q.val() == self.phase_open.val(), 1))
                & !self.is_losing.q.val();
        }
        self.flush.next = 0.into();
        self.ends.next = 0.into();
        self.synchronised.next = 0.into();
        if self.restarts.val() == 1 {
            self.restart.next = 0.into();
            self.hides_address.next = self.is_restarted.q.val();
            if self.retire.valid.val().any() {
                self.is_restarted.d.next = 0.into();
            }
        }
        if self.phase.q.val() == self.phase_closed.val() {
            if self.loses.val().any() {
                self.phase.d.next = self.phase_emptying.val();
            } else if (self.retire.valid.val() | self.trace_ends.val()).any()
                && !self.waiting_valid.q.val().any()
            {
                self.waiting_valid.d.next = 1.into();
                self.waiting_is_after.d.next = self.is_after.q.val();
                self.waiting_address.d.next = self.address.q.val();
                self.waiting_kind.d.next = self.kind_synchronisation.val();
                if !self.has_retired.q.val().any() {
                    self.waiting_kind.d.next = self.kind_start.val();
                }
                self.is_requested.d.next = 0.into();
                self.phase.d.next = self.phase_open.val();
                if self.restarts.val() == 1 {
                    self.is_ended.d.next = 0.into();
                }
            }
        } else if self.phase.q.val() == self.phase_open.val() {
            if self.trace_ends.val().any() {
                if self.ready.val().any() && !self.waiting_valid.q.val().any() {
                    self.flush.next = 1.into();
                    self.ends.next = 1.into();
                    self.waiting_valid.d.next = 1.into();
                    self.waiting_kind.d.next = self.kind_end.val();
                    if self.has_interval.val() == 1 {
                        self.instructions.d.next = 0.into();
                    }
                    self.phase.d.next = self.phase_closed.val();
                    if self.restarts.val() == 1 {
                        self.is_ended.d.next = 1.into();
                        if self.keeps_tables.val() == 1 {
                            self.is_restarted.d.next = 0.into();
                        } else {
                            self.phase.d.next = self.phase_emptying.val();
                        }
                    }
                }
            } else if self.is_lost.val().any()
                || (self.retire.valid.val() & self.may_change_flow.val() & self.is_due.val()).any()
            {
                self.phase.d.next = self.phase_due.val();
            }
        } else if self.phase.q.val() == self.phase_due.val() {
            if self.ready.val().any() {
                self.flush.next = 1.into();
                self.phase.d.next = self.phase_heading.val();
                if self.restarts.val() == 1 {
                    if self.keeps_tables.val() == 0 || self.loses.val().any() {
                        self.phase.d.next = self.phase_emptying.val();
                    }
                }
            }
        } else if self.phase.q.val() == self.phase_emptying.val() {
            if self.restarts.val() == 1 {
                if self.is_empty.val().any() {
                    self.restart.next = 1.into();
                    self.is_restarted.d.next = 1.into();
                    self.phase.d.next = self.phase_clearing.val();
                    if self.in_background.val() == 1 {
                        self.phase.d.next = self.phase_heading.val();
                        if self.is_ended.q.val().any() && !self.loses.val().any() {
                            self.phase.d.next = self.phase_closed.val();
                        }
                    }
                }
            }
        } else if self.phase.q.val() == self.phase_clearing.val() {
            if self.restarts.val() == 1 && self.in_background.val() == 0 {
                if !self.is_clearing.val().any() {
                    self.phase.d.next = self.phase_heading.val();
                    if self.is_ended.q.val().any() && !self.loses.val().any() {
                        self.phase.d.next = self.phase_closed.val();
                    }
                }
            }
        } else if !self.waiting_valid.q.val().any() {
            self.waiting_is_after.d.next = self.next_is_after.val();
            self.waiting_address.d.next = self.next_address.val();
            self.waiting_kind.d.next = self.kind_synchronisation.val();
            self.synchronised.next = 1.into();
            if self.counts.val() == 1 {
                self.waiting_lost.d.next = self.next_lost.val();
                self.waiting_cause.d.next = self.next_cause.val();
                if self.loses.val().any() {
                    self.waiting_kind.d.next = self.kind_after_loss.val();
                    // A loss ends with a block that may change the flow, where the next one could be taken, or with the trace.
                    self.synchronised.next = self.is_restarted.q.val()
                        & (self.trace_ends.val()
                            | (self.is_lost.val()
                                & self.may_change_flow.val()
                                & self.ready.val()
                                & !self.is_off.val()));
                    if !self.is_restarted.q.val().any() {
                        self.phase.d.next = self.phase_emptying.val();
                    }
                }
            }
            if self.synchronised.val().any() {
                self.waiting_valid.d.next = 1.into();
                self.is_requested.d.next = 0.into();
                if self.counts.val() == 1 {
                    self.is_losing.d.next = 0.into();
                }
                if self.restarts.val() == 1 {
                    self.is_ended.d.next = 0.into();
                }
                if self.has_interval.val() == 1 {
                    self.instructions.d.next = 0.into();
                }
                self.phase.d.next = self.phase_open.val();
            }
        }

        // What is discarded is lost, and how much that was is not known.
        if self.switches.val() == 1 {
            self.skips.next = self.is_losing.q.val();
            if self.discards.val().any() {
                self.waiting_valid.d.next = 0.into();
                self.is_losing.d.next = 1.into();
                self.lost.d.next = !bits_to(0, self.lost.width());
                self.cause.d.next = self.cause_discarded.val();
                self.is_ended.d.next = 1.into();
                self.phase.d.next = self.phase_emptying.val();
            }
        }

        self.formed.is_end.next = bits_to(self.waiting_kind.q.val() == self.kind_end.val(), 1);
        self.formed.sends_kind.next = 1.into();
        self.formed.sends_loss.next =
            bits_to(self.waiting_kind.q.val() == self.kind_after_loss.val(), 1);
        self.formed.sends_address.next =
            bits_to(self.waiting_kind.q.val() == self.kind_synchronisation.val(), 1)
                | bits_to(self.waiting_kind.q.val() == self.kind_after_loss.val(), 1);
        self.formed.checksum.next = 0.into();
        self.formed.kind.next = self.waiting_kind.q.val();
        self.formed.lost_instructions.next = 0.into();
        self.formed.loss_cause.next = 0.into();
        if self.counts.val() == 1 {
            self.formed.lost_instructions.next = self.waiting_lost.q.val();
            self.formed.loss_cause.next = self.waiting_cause.q.val();
        }
        self.formed.is_after.next = self.waiting_is_after.q.val();
        self.formed.address.next = self.waiting_address.q.val();
        self.header.valid.next = self.waiting_valid.q.val();
        self.header.word.next = self.formed.val();
    }
}
