//! Faults in what clears tables while blocks are traced, and in what switches tracing off and on.

use super::bench::Bench;
use super::packets::{EVENTS, design, programs, varied_runs};

/// Packets whose tables are cleared in the background, and pins that switch tracing off and on.
pub fn bench() -> Bench<'static> {
    let changes = [("background_clearing", "true"), ("enable_pin", "true"), ("sync_bytes", "16")];
    Bench::of_design("background", design(&changes), varied_runs(&programs(EVENTS)))
}
