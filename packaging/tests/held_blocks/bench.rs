//! A core that never waits, a trace module, and a sink that takes every beat.

use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_testbench::{InputPort, Library, Model};

use super::expected::Shown;

/// Cycles after reset in which nothing retires, as the module clears what it has.
const CLEARING: usize = 20;

/// Cycles within which a flush ends.
const FLUSHES: usize = 5_000;

/// Cycles of a pause in which an adapter makes up for what it holds; one where it has no queue to empty.
const PAUSE: usize = 2;

/// What holds a block for a cycle while the module works at the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holding {
    Adapter,
    /// A core that heeds `drops`, and shows nothing in the first cycle in which it is high.
    Core,
    Nothing,
}

/// What a run gives.
pub struct Run {
    pub trace: Vec<u8>,
    /// Cycles in which a block is lost, if there is one.
    pub drops: usize,
}

/// Shows everything in so many percent of the cycles, but for pauses.
///
/// # Errors
/// When the adapter has no room, or the trace does not end.
pub fn run(
    library: &Arc<Library>,
    shown: &Shown,
    (holding, rate): (Holding, u32),
) -> Result<Run, String> {
    let output = |name: &str| library.output_of_any_width(name).expect("an output");
    let ((drops, _), (flushed, _), (valid, _)) =
        (output("drops"), output("flushed"), output("trace_valid"));
    let (data, width) = output("trace_data");
    let lost = library.output_of_any_width("lost").ok().map(|(lost, _)| lost);
    let input = |name: &str| Some(library.input_of_any_width(name).ok()?.0);
    // A design does not read what it does not trace.
    let pins: Vec<Option<InputPort>> = shown.names.iter().map(|name| input(name)).collect();
    let mut model = Model::new(library, 1).map_err(|error| error.to_string())?;
    model.reset(2).map_err(|error| error.to_string())?;
    for name in ["enable", "trace_ready"] {
        model.set(input(name).expect("an input"), 1);
    }
    let (mut random, mut trace) = (ChaCha8Rng::seed_from_u64(7), BitPacker::new());
    let (mut next, mut pause, mut dropped, mut losses) = (0, CLEARING, true, 0);
    let end = CLEARING + 20 * shown.entries.len();
    let longest = if holding == Holding::Adapter { PAUSE } else { 1 };
    let mut flushing = 0;
    for cycle in 0..end {
        model.settle().map_err(|error| error.to_string())?;
        let drops_now = model.get(drops) != 0;
        let holds = holding == Holding::Core && drops_now && !dropped;
        let retires = pause == 0 && !holds && random.random_range(0..100) < rate;
        let entry = shown.entries.get(next).filter(|_| retires);
        next += usize::from(entry.is_some());
        pause = match entry {
            Some(entry) if entry.pauses => longest,
            _ => pause.saturating_sub(1),
        };
        // At the module's own pins only a block that is shown is lost.
        let is_loss = drops_now && (holding == Holding::Adapter || entry.is_some());
        losses += usize::from(is_loss && cycle >= CLEARING && flushing == 0);
        dropped = drops_now;
        for (place, pin) in pins.iter().enumerate() {
            if let Some(pin) = pin {
                model.set(*pin, entry.map_or(0, |entry| entry.values[place]));
            }
        }
        let is_over = next == shown.entries.len() && entry.is_none();
        model.set(input("flush").expect("an input"), is_over.into());
        flushing += usize::from(is_over);
        model.settle().map_err(|error| error.to_string())?;
        if model.get(valid) != 0 {
            trace.push(model.get(data), width);
        }
        model.cycle().map_err(|error| error.to_string())?;
        if is_over && model.get(flushed) != 0 {
            return match lost {
                Some(lost) if model.get(lost) != 0 => {
                    Err("the queue of the adapter was full".into())
                }
                _ => Ok(Run { trace: trace.finish(), drops: losses }),
            };
        }
        if flushing > FLUSHES {
            break;
        }
    }
    Err("the trace does not end".into())
}
