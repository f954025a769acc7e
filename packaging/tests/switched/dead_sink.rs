//! Tracing is switched off while the sink takes little or nothing: a core that waits goes on after some time, or at once with `discard`.

use std::sync::Arc;

use tracewright_sim::packet::header::{LossCause, MOST_LOST};
use tracewright_sim::packet::part::Reason;
use tracewright_sim::scheme::Design;
use tracewright_testbench::Library;

use super::Case;
use super::bench::{Bench, Shown};
use super::compare::parts;
use crate::control::traced::Decoded;

/// Cycles within which a sink that takes nothing stops the core.
const FILLED: usize = 4_000;

/// Cycles in which a core waits for such a sink, and a few more.
const PATIENCE: usize = 1_023 + 10;

/// A few cycles.
const SOON: usize = 20;

/// A sink that takes a beat now and then gets everything, however long that takes.
pub fn slow(case: &Case, (library, design): (&Arc<Library>, &Design)) -> Result<(), String> {
    let shown = Shown::new(case, design, 1);
    let mut bench = Bench::new(case, library, &shown, 1)?;
    bench.start()?;
    bench.cycles(true, 6_000)?;
    bench.pause = Some(400);
    bench.cycles(true, FILLED)?;
    let retired = bench.retired();
    bench.set("enable", 0);
    bench.until_flushed(100_000)?;
    let decoded = Decoded::new(design, &shown.program, &bench.received.clone().finish());
    let end = parts(&decoded, &shown.events)?.last().map_or(0, |part| part.end);
    if end == retired { Ok(()) } else { Err(format!("{end} of {retired} instructions are traced")) }
}

/// A sink that is dead.
pub fn check(case: &Case, (library, design): (&Arc<Library>, &Design)) -> Result<(), String> {
    let shown = Shown::new(case, design, 1);
    let mut bench = Bench::new(case, library, &shown, 1)?;
    bench.start()?;
    for discards_at_once in [false, true] {
        bench.pause = None;
        bench.cycles(true, 6_000)?;
        bench.pause = Some(usize::MAX);
        bench.cycles(true, FILLED)?;
        let stopped = bench.retired();
        bench.cycles(true, SOON)?;
        if bench.retired() != stopped {
            return Err("the core does not wait for the sink".into());
        }
        if !discards_at_once {
            bench.cycles(false, 900)?;
            if bench.retired() != stopped {
                return Err("the core does not wait for the adapter".into());
            }
            bench.cycles(false, PATIENCE - 900)?;
            if bench.retired() == stopped || bench.is_flushed() {
                return Err("the core does not go on, or the trace has ended".into());
            }
        }
        bench.set("enable", 0);
        bench.cycle()?;
        bench.set("discard", 1);
        bench.cycle()?;
        bench.set("discard", 0);
        bench.until_flushed(SOON)?;
        let before = bench.retired();
        bench.cycles(false, 3 * SOON)?;
        if bench.retired() == before {
            return Err("the core does not go on after a discard".into());
        }
    }
    in_a_flush(&mut bench)?;
    bench.pause = None;
    bench.cycles(true, 6_000)?;
    bench.set("enable", 0);
    bench.until_flushed(20_000)?;
    let decoded = Decoded::new(design, &shown.program, &bench.received.clone().finish());
    // Packets that a discard has cut off are not decoded; the last one is whole.
    let last = decoded.gaps.last().map(|(place, gap)| (decoded.events.len() - place, &gap.reason));
    match last {
        Some((events, Reason::Lost(loss)))
            if events > 100 && loss.cause == LossCause::Discarded =>
        {
            if loss.instructions == MOST_LOST { Ok(()) } else { Err(format!("{loss:?}")) }
        }
        _ => Err(format!("the last gap, and the events after it: {last:?}")),
    }
}

/// The same in a flush, which the adapter lets through only when it has drained.
fn in_a_flush(bench: &mut Bench<'_>) -> Result<(), String> {
    bench.pause = None;
    bench.cycles(true, 6_000)?;
    bench.pause = Some(usize::MAX);
    bench.cycles(true, FILLED)?;
    bench.set("flush", 1);
    bench.cycle()?;
    bench.set("discard", 1);
    bench.cycle()?;
    bench.set("discard", 0);
    bench.until_flushed(SOON)?;
    for _ in 0..3 * SOON {
        bench.cycle()?;
        if !bench.is_flushed() {
            return Err("a flush that was discarded begins again".into());
        }
    }
    bench.set("flush", 0);
    Ok(())
}
