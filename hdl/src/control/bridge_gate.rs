//! What is between the source of a trace bus and the bus, where registers switch it.

use tracewright_elaborate::prelude::*;
use tracewright_sim::pins::sinks::{AFREADY, AFVALID, ATREADY, ATVALID};

block! {
    /// Keeps beats back while the ATB bridge is off.
    ///
    /// A beat that is on offer stays until it is taken.
    pub BridgeGate("bridge_gate") of ();

    /// trTeEmpty
    in is_empty: 1;
    /// trAtbBridgeEmpty: nothing is on offer besides
    out bridge_is_empty: 1;
    /// the source has a beat
    in beat_valid: 1;
    /// its beat is taken, if it has one
    out beat_ready: 1;
    /// the source says that everything has left
    in all_has_left: 1;
    #[remark(ATVALID.meaning)]
    out atvalid: 1;
    #[remark(ATREADY.meaning)]
    in atready: 1;
    #[remark(AFVALID.meaning)]
    in afvalid: 1;
    #[remark(AFREADY.meaning)]
    out afready: 1;
    /// a beat was on offer in the cycle before, and was not taken
    reg is_pending: 1;
    local is_open: 1;
}

#[kernel]
impl Logic for BridgeGate {
    fn update(&mut self) {
        is_open = !is_empty | is_pending.q;
        bridge_is_empty = !is_open;
        atvalid = beat_valid & is_open;
        beat_ready = atready & is_open;
        afready = all_has_left | (afvalid & !is_open);
        is_pending.d = beat_valid & is_open & !atready;
    }
}
