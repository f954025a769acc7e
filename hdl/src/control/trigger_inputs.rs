//! Triggers from outside.

use tracewright_elaborate::prelude::*;
use tracewright_sim::control::trigger::{NOTIFIES, STARTS, STOPS};

block! {
    /// Starts and stops tracing and asks for packets where a trigger of another clock rises.
    pub TriggerInputs("trigger_inputs") of (triggers: u32, is_gated: bool) {
        let triggers = triggers as usize;
        let gate = usize::from(is_gated);
    }
    parameters {
        triggers,
        gated = 1 if is_gated,
    }

    in trigger_in: triggers;
    /// what the trigger does
    in action: 4 for _ in 0..triggers;
    /// triggers may start and stop tracing
    in may_switch: 1;
    /// tracing is on
    in is_tracing: 1;
    /// the module does not stand still
    in runs: gate;
    out starts: 1;
    out stops: 1;
    /// a packet is asked for
    out notifies: 1;
    reg sampled: triggers;
    reg level: triggers;
    reg level_before: triggers;
    /// a packet was asked for in a cycle in which the module stood still
    reg notify_waits: gate;
    local rises: triggers;
    local does_start: 1;
    local does_stop: 1;
    local does_notify: 1;
    param is_gated = is_gated;
    constant start: 4 = u64::from(STARTS);
    constant stop: 4 = u64::from(STOPS);
    constant notify: 4 = u64::from(NOTIFIES);
}

#[kernel]
impl Logic for TriggerInputs {
    fn update(&mut self) {
        sampled.d = trigger_in;
        level.d = sampled.q;
        level_before.d = level.q;
        rises = level.q & !level_before.q;

        does_start = 0;
        does_stop = 0;
        does_notify = 0;
        for each in 0..action.len() {
            if rises.get_bit(each) && action[each] == start {
                does_start = 1;
            }
            if rises.get_bit(each) && action[each] == stop {
                does_stop = 1;
            }
            if rises.get_bit(each) && action[each] == notify {
                does_notify = 1;
            }
        }
        starts = may_switch & does_start;
        stops = may_switch & does_stop;
        notifies = is_tracing & does_notify;
        if when(is_gated) {
            notifies = (is_tracing & does_notify) | notify_waits.q;
            notify_waits.d = is_tracing & !runs & (notify_waits.q | does_notify);
        }
    }
}
