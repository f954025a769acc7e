//! Where packets begin and end.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::packet::framing::Framing;

use super::ports::{Headers, RetiredBlock};
use crate::packet::framer::Header;

block! {
    /// Counts instructions, keeps the address of the last one, and asks the compressor for a flush record where a packet
    /// ends. It makes the header of the packet that follows.
    ///
    /// A synchronisation follows the first block that may change the flow, once as many instructions as the interval
    /// has have retired since the last one, or one is requested. The next block waits until the flush record is made.
    pub Synchroniser("synchroniser") of (framing: &Framing) {
        let (protocol, processor) = (&framing.protocol, &framing.processor);
        let interval = protocol.interval();
        // A bit more than the interval needs: it stays once the interval is over.
        let counter_bits = if interval == 0 { 0 } else { index_bits(interval) as usize + 1 };
        let address_bits = processor.instruction_address_bits() as usize;
        let format = framing.header_format();
    }
    parameters {
        sync_interval = interval as usize,
    }

    /// blocks that are taken
    in retire: RetiredBlock(processor);
    /// a synchronisation is due
    in sync_request: 1;
    /// the trace ends here
    in trace_ends: 1;
    /// the compressor can make a flush record
    in ready: 1;
    /// no block is taken in this cycle
    out holds: 1;
    /// the compressor makes its flush record in this cycle
    out flush: 1;
    /// the flush record of this cycle ends the trace
    out ends: 1;
    out header: Headers(format.bits() as usize);
    /// a packet has begun and not ended
    reg is_open: 1;
    /// a synchronisation comes as soon as the compressor can make its flush record
    reg is_due: 1;
    reg is_requested: 1;
    /// instructions since the last synchronisation; the highest bit says that the interval is over
    reg instructions: counter_bits;
    /// something has retired since reset
    reg has_retired: 1;
    /// the flow did not change at the last instruction
    reg is_after: 1;
    /// in instruction units: where the flow changed to, or the last instruction
    reg address: address_bits;
    reg waiting_valid: 1;
    reg waiting_kind: 2 = undefined;
    reg waiting_is_after: 1 = undefined;
    reg waiting_address: address_bits = undefined;
    local formed: Header(&format);
    local counted: counter_bits;
    local interval_is_over: 1;
    local is_branch: 1;
    local changes_flow: 1;
    local opens: 1;
    local requested: 1;
    param has_interval = interval > 0;
    param last_bit = counter_bits.saturating_sub(1);
    param alignment = processor.alignment as usize;
    /// the first packet after reset
    constant kind_start: 2 = 0;
    constant kind_synchronisation: 2 = 1;
    constant kind_after_loss: 2 = 2;
    constant kind_end: 2 = 3;
}

impl Logic for Synchroniser {
    #[hdl_gen]
    fn update(&mut self) {
        // The pin `retire_taken` has a meaning for branches only.
        self.is_branch.next = self.retire.direct.val() | self.retire.indirect.val();
        self.changes_flow.next =
            self.retire.exception.val() | (self.is_branch.val() & self.retire.taken.val());
        if self.retire.valid.val().any() {
            self.has_retired.d.next = 1.into();
            self.is_after.d.next = !self.changes_flow.val();
            self.address.d.next =
                bits_to(self.retire.pc.val() >> self.alignment.val(), self.address.width());
            if self.changes_flow.val().any() {
                self.address.d.next =
                    bits_to(self.retire.target.val() >> self.alignment.val(), self.address.width());
            }
        }

        // The interval, or a request, is over with a block that may change the flow.
        self.opens.next = (self.retire.valid.val() | self.trace_ends.val()) & !self.is_open.q.val();
        self.interval_is_over.next = 0.into();
        if self.has_interval.val() == 1 {
            self.counted.next = self.instructions.q.val();
            if !self.is_open.q.val().any() {
                self.counted.next = 0.into();
            }
            if !self.counted.val().get_bit(self.last_bit.val()) {
                self.counted.next =
                    self.counted.val() + bits_to(self.retire.count.val(), self.counted.width());
            }
            self.interval_is_over.next =
                bits_to(self.counted.val().get_bit(self.last_bit.val()), 1);
            if self.retire.valid.val().any() {
                self.instructions.d.next = self.counted.val();
            }
        }
        self.requested.next =
            self.is_open.q.val() & (self.is_requested.q.val() | self.sync_request.val());
        self.is_requested.d.next = self.requested.val();
        if self.retire.valid.val().any()
            && (self.is_branch.val() | self.retire.exception.val()).any()
            && (self.requested.val() | self.interval_is_over.val()).any()
        {
            self.is_due.d.next = 1.into();
        }

        // One header waits; a packet ends when there is room for the next one's.
        self.holds.next = self.is_due.q.val();
        self.flush.next = 0.into();
        self.ends.next = 0.into();
        if self.header.ready.val().any() {
            self.waiting_valid.d.next = 0.into();
        }
        if !self.waiting_valid.q.val().any() {
            self.waiting_is_after.d.next = self.is_after.q.val();
            self.waiting_address.d.next = self.address.q.val();
            self.waiting_kind.d.next = self.kind_synchronisation.val();
            if self.opens.val().any() {
                self.waiting_valid.d.next = 1.into();
                self.is_open.d.next = 1.into();
                if !self.has_retired.q.val().any() {
                    self.waiting_kind.d.next = self.kind_start.val();
                }
            } else if (self.is_due.q.val() & self.ready.val()).any() {
                self.flush.next = 1.into();
                self.waiting_valid.d.next = 1.into();
                self.is_due.d.next = 0.into();
                self.is_requested.d.next = 0.into();
                if self.has_interval.val() == 1 {
                    self.instructions.d.next = 0.into();
                }
            } else if (self.trace_ends.val() & self.ready.val()).any() {
                self.flush.next = 1.into();
                self.ends.next = 1.into();
                self.waiting_valid.d.next = 1.into();
                self.waiting_kind.d.next = self.kind_end.val();
                self.is_open.d.next = 0.into();
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
        self.formed.is_after.next = self.waiting_is_after.q.val();
        self.formed.address.next = self.waiting_address.q.val();
        self.header.valid.next = self.waiting_valid.q.val();
        self.header.word.next = self.formed.val();
    }
}
