//! What starts and traps say beside an address.

use tracewright_elaborate::prelude::*;

/// Privilege level and context, the cause and the value of a trap, and the time.
#[piece]
pub(crate) fn tells() {
    if tells_state == 1 {
        // A change of level comes into force with the handler's first instruction.
        if splits_state == 1 {
            told_state = state;
            if makes_trap & !(traps | leads) {
                told_state = interrupted.q;
            }
            record.level = resized(told_state);
            record.context = resized(told_state >> privilege_bits);
        } else {
            record.level = state;
            if makes_trap & !(traps | leads) {
                record.level = interrupted.q;
            }
        }
        if excepts {
            interrupted.d = state;
        }
    }
    if tells_cause == 1 {
        new_cause = resized(cause & all_code) | (resized(cause >> code_bits) << interrupt_place);
        sent_cause = held_cause.q;
        if leads {
            sent_cause = new_cause;
        }
        if excepts {
            held_cause.d = new_cause;
        }
        if in_steps == 0 {
            payload_cut.interrupt = resized(sent_cause >> interrupt_place, 1);
        }
        record.cause = sent_cause;
    }
    if tells_trap_values == 1 {
        sent_trap_value = held_trap_value.q;
        if leads {
            sent_trap_value = trap_value;
        }
        if excepts {
            held_trap_value.d = trap_value;
        }
        if in_steps == 0 {
            payload_cut.trap_value = sent_trap_value;
            record.sends_trap_value = payload_cut.trap_value_size.any();
            record.trap_value = payload_cut.kept_trap_value;
            record.trap_value_bits = payload_cut.trap_value_size;
        } else {
            record.trap_value = sent_trap_value;
        }
    }
    if tells_time == 1 {
        record.time = told_time;
    }
}
