//! In which context and privilege level the execution goes on, and why exceptions were taken.

#![allow(
    clippy::collapsible_if,
    reason = "a condition of the configuration guards signals that are not there without it"
)]

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::Protocol;

use super::ports::StatePins;

block! {
    /// Compares context and privilege level at the pins with those of the last header, and has the values of the next one.
    pub StateTracker("state_tracker") of (protocol: &Protocol) {
        let (context_bits, privilege_bits) = (protocol.context_bits, protocol.privilege_bits);
        let cause_bits = protocol.cause_bits;
        let highest_privilege = u64::from(protocol.reset_state().privilege);
        let says_kept = protocol.says_if_tables_are_kept();
        let has_level = context_bits + privilege_bits > 0;
    }
    parameters {
        context_bits = context_bits as usize,
        privilege_bits = privilege_bits as usize,
        cause_bits = cause_bits as usize,
        says_kept = usize::from(says_kept),
    }

    in pins: StatePins(protocol);
    /// a block retires, taken or not
    in retires: usize::from(has_level);
    /// the block at the pins is taken
    in takes: 1;
    in may_change_flow: 1;
    in is_exception: cause_bits.min(1);
    /// a synchronisation that is due with the block for another reason clears the tables
    in clears: usize::from(says_kept);
    /// a packet begins
    in begins: 1;
    /// the tables were cleared before it
    in is_restarted: usize::from(says_kept);
    /// the trace ends
    in ends: 1;
    /// a synchronisation is due with the block at the pins if that may change the flow
    out is_due: 1;
    /// that block is taken, and may change the flow
    out asks: 1;
    /// the synchronisation that is due keeps the tables
    out keeps: usize::from(says_kept);
    /// what the last header says
    out header_keeps: usize::from(says_kept);
    out header_context: context_bits;
    out header_privilege: privilege_bits;
    out header_has_cause: cause_bits.min(1);
    out header_cause: cause_bits;
    /// in which the execution goes on after the last block
    reg last_context: context_bits;
    reg last_privilege: privilege_bits = highest_privilege;
    reg told_context: context_bits;
    reg told_privilege: privilege_bits = highest_privilege;
    /// the packet ends with an exception
    reg has_exception: cause_bits.min(1);
    reg exception_cause: cause_bits = undefined;
    reg told_has_cause: cause_bits.min(1);
    reg told_cause: cause_bits = undefined;
    reg keeps_tables: usize::from(says_kept);
    reg told_keeps: usize::from(says_kept);
    local next_context: context_bits;
    local next_privilege: privilege_bits;
    local makes_header: 1;
    param has_context = context_bits > 0;
    param has_privilege = privilege_bits > 0;
    param has_cause = cause_bits > 0;
    param says_kept = says_kept;
}

impl Logic for StateTracker {
    #[hdl_gen]
    fn update(&mut self) {
        // The header after an end says what holds at the end.
        self.makes_header.next = self.begins.val() | self.ends.val();
        self.is_due.next = 0.into();
        if self.has_context.val() == 1 {
            self.next_context.next = self.last_context.q.val();
            if self.retires.val().any() {
                self.next_context.next = self.pins.context.val();
            }
            self.last_context.d.next = self.next_context.val();
            if self.makes_header.val().any() {
                self.told_context.d.next = self.next_context.val();
            }
            self.header_context.next = self.told_context.q.val();
            self.is_due.next = bits_to(self.pins.context.val() != self.told_context.q.val(), 1);
        }
        if self.has_privilege.val() == 1 {
            self.next_privilege.next = self.last_privilege.q.val();
            if self.retires.val().any() {
                self.next_privilege.next = self.pins.privilege.val();
            }
            self.last_privilege.d.next = self.next_privilege.val();
            if self.makes_header.val().any() {
                self.told_privilege.d.next = self.next_privilege.val();
            }
            self.header_privilege.next = self.told_privilege.q.val();
            self.is_due.next = self.is_due.val()
                | bits_to(self.pins.privilege.val() != self.told_privilege.q.val(), 1);
        }
        if self.has_cause.val() == 1 {
            if self.makes_header.val().any() {
                self.told_has_cause.d.next = self.has_exception.q.val();
                self.told_cause.d.next = self.exception_cause.q.val();
                self.has_exception.d.next = 0.into();
            }
            if (self.takes.val() & self.is_exception.val()).any() {
                self.has_exception.d.next = 1.into();
                self.exception_cause.d.next = self.pins.cause.val();
            }
            self.header_has_cause.next = self.told_has_cause.q.val();
            self.header_cause.next = self.told_cause.q.val();
            self.is_due.next = self.is_due.val() | self.is_exception.val();
        }
        self.asks.next = self.takes.val() & self.may_change_flow.val() & self.is_due.val();
        if self.says_kept.val() == 1 {
            if (self.takes.val() & self.may_change_flow.val()).any() {
                self.keeps_tables.d.next = !self.clears.val();
            }
            if self.makes_header.val().any() {
                self.told_keeps.d.next = self.begins.val() & !self.is_restarted.val();
            }
            self.keeps.next = self.keeps_tables.q.val();
            self.header_keeps.next = self.told_keeps.q.val();
        }
    }
}
