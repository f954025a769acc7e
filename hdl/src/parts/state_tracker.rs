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

#[kernel]
impl Logic for StateTracker {
    fn update(&mut self) {
        // The header after an end says what holds at the end.
        makes_header = begins | ends;
        is_due = 0;
        if when(has_context) {
            next_context = last_context.q;
            if retires {
                next_context = pins.context;
            }
            last_context.d = next_context;
            if makes_header {
                told_context.d = next_context;
            }
            header_context = told_context.q;
            is_due = pins.context != told_context.q;
        }
        if when(has_privilege) {
            next_privilege = last_privilege.q;
            if retires {
                next_privilege = pins.privilege;
            }
            last_privilege.d = next_privilege;
            if makes_header {
                told_privilege.d = next_privilege;
            }
            header_privilege = told_privilege.q;
            is_due = is_due | bit(pins.privilege != told_privilege.q);
        }
        if when(has_cause) {
            if makes_header {
                told_has_cause.d = has_exception.q;
                told_cause.d = exception_cause.q;
                has_exception.d = 0;
            }
            if takes & is_exception {
                has_exception.d = 1;
                exception_cause.d = pins.cause;
            }
            header_has_cause = told_has_cause.q;
            header_cause = told_cause.q;
            is_due = is_due | is_exception;
        }
        asks = takes & may_change_flow & is_due;
        if when(says_kept) {
            if takes & may_change_flow {
                keeps_tables.d = !clears;
            }
            if makes_header {
                told_keeps.d = begins & !is_restarted;
            }
            keeps = keeps_tables.q;
            header_keeps = told_keeps.q;
        }
    }
}
