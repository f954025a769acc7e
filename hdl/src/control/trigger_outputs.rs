//! Triggers to outside.

use tracewright_elaborate::prelude::*;

block! {
    /// Fires a trigger for a cycle when something happens that it is for.
    pub TriggerOutputs("trigger_outputs") of (triggers: u32, is_gated: bool) {
        let triggers = triggers as usize;
    }
    parameters {
        triggers,
        gated = 1 if is_gated,
    }

    /// what the trigger is for, a bit for each event: tracing starts, it stops, a packet begins, the core begins to wait or
    /// to lose blocks
    in event: 4 for _ in 0..triggers;
    in tracing: 1;
    /// a packet begins after a synchronisation or a loss
    in synchronised: 1;
    /// the core waits or loses blocks
    in lacks_room: 1;
    /// the module does not stand still
    in runs: usize::from(is_gated);
    out trigger_out: triggers;
    reg was_tracing: 1;
    reg lacked_room: 1;
    reg fired: triggers;
    local happens: Events();
    local all: triggers;
    param is_gated = is_gated;
}

packed! {
    /// What happens in a cycle.
    pub Events of ();
    starts: 1;
    stops: 1;
    packet_begins: 1;
    room_ends: 1;
}

#[kernel]
impl Logic for TriggerOutputs {
    fn update(&mut self) {
        was_tracing.d = tracing;
        lacked_room.d = lacks_room;
        happens.starts = tracing & !was_tracing.q;
        happens.stops = was_tracing.q & !tracing;
        happens.packet_begins = synchronised;
        happens.room_ends = lacks_room & !lacked_room.q;
        if when(is_gated) {
            lacked_room.d = lacked_room.q;
            if runs {
                lacked_room.d = lacks_room;
            }
            happens.packet_begins = synchronised & runs;
        }
        all = 0;
        for each in 0..event.len() {
            if event[each] & happens {
                all = all.replace_bit(each, true);
            }
        }
        fired.d = all;
        trigger_out = fired.q;
    }
}
