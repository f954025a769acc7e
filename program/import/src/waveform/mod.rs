//! Waveforms, and the signals of a core in them.
//!
//! A signal is sampled as a register would: what it has right before the edge of the clock counts. So a waveform in
//! which the signals change at the very time of the edge, as those of a simulation without delays, is read correctly.

pub(crate) mod fst;
mod header;
mod lanes;
mod names;
mod signals;
mod tokens;
pub(crate) mod vcd;

use crate::error::Problem;
use crate::port::row::TakeRows;
use lanes::Lanes;
use signals::Signals;

pub(crate) use fst::is_fst;
pub use names::Core;
pub(crate) use vcd::is_vcd;

/// All changes of this time are known: takes the instructions that retire at an edge of the clock.
fn step(
    signals: &mut Signals,
    lanes: &mut Lanes,
    time: u64,
    sink: &mut dyn TakeRows,
) -> Result<(), Problem> {
    if lanes.is_edge(signals) {
        lanes.retire(signals, time, sink)?;
    }
    signals.settle();
    Ok(())
}
