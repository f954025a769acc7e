//! What a trace has of an execution, by the numbers of its instructions, against when tracing was on.

use std::collections::HashSet;

use tracewright_sim::event::Event;
use tracewright_sim::packet::header::LossCause;
use tracewright_sim::packet::part::Reason;

use super::Case;
use super::bench::Log;
use crate::control::traced::Decoded;

/// Cycles after switching on within which tracing goes on: the last trace leaves, tables are cleared, and a branch comes.
const WARM_UP: usize = 3_000;

/// Cycles after a reset within which a module without tables may take a block before it sees that tracing is off.
const AFTER_RESET: usize = 3;

/// A run of instructions without a gap, and why it ends; by their numbers in the execution.
pub struct Part {
    begin: u64,
    pub end: u64,
    reason: Option<LossCause>,
}

/// The parts of a trace. Every event has to be one of the execution, after as many instructions.
pub fn parts(decoded: &Decoded, events: &[Event]) -> Result<Vec<Part>, String> {
    let (mut places, mut at) = (HashSet::new(), 0);
    for event in events {
        at += event.instructions;
        places.insert((at, event.program_counter, event.taken, event.target));
    }
    let follow = |from: &[Event], mut at: u64| {
        for event in from {
            at += event.instructions;
            let known = (at, event.program_counter, event.taken, event.target);
            // An exception without an instruction is after the last one, which a part may not know.
            if !places.contains(&known) && event.instructions > 0 {
                return Err(format!("{event} after {at} instructions"));
            }
        }
        Ok(at)
    };
    let (mut parts, mut begin, mut next) = (Vec::new(), 0, 0);
    for (place, gap) in &decoded.gaps {
        let Reason::Lost(loss) = &gap.reason else {
            return Err(format!("a gap: {}", gap.reason));
        };
        let end = follow(&decoded.events[next..*place], begin)? + gap.trailing_instructions;
        parts.push(Part { begin, end, reason: Some(loss.cause) });
        (begin, next) = (end + loss.instructions, *place);
    }
    let end = follow(&decoded.events[next..], begin)? + decoded.recovered.trailing_instructions;
    parts.push(Part { begin, end, reason: None });
    Ok(parts)
}

/// Compares the parts of a trace with when tracing was on.
pub fn compare(case: &Case, log: &Log, parts: &[Part]) -> Result<(), String> {
    let all = log.retired.len() - 1;
    let retired = |cycle: usize| log.retired[cycle.min(all)];
    // Off, a word leaves the queue in each cycle at least.
    let latency = case.queue().depth as usize;
    let is_on = |part: &&Part| part.begin < part.end && part.end > retired(AFTER_RESET);
    for part in parts.iter().filter(is_on) {
        let mut at = part.begin;
        for (on, off, _) in &log.on {
            if (retired(on.saturating_sub(latency))..=retired(off + case.drain)).contains(&at) {
                at = retired(off + case.drain);
            }
        }
        if at < part.end {
            let Part { begin, end, .. } = part;
            return Err(format!("{begin} to {end} are traced, {at} retired while it was off"));
        }
    }
    let mut compared = 0;
    for (on, off, held) in &log.on {
        let (begin, end) = (retired(on + WARM_UP), retired(*off) - held);
        if begin < end {
            compared += 1;
            let at = explained(parts, begin);
            if at < end {
                return Err(format!("{at} is not traced: it was on from {begin} to {end}"));
            }
        }
    }
    let account = parts.last().map_or(0, |part| part.end);
    if account != retired(all) {
        return Err(format!("{account} of {} instructions are accounted for", retired(all)));
    }
    if compared < 3 { Err(format!("only {compared} times are long enough")) } else { Ok(()) }
}

/// The first instruction from one on that is neither traced nor lost for another reason than that tracing was off.
fn explained(parts: &[Part], from: u64) -> u64 {
    let mut at = from;
    for (place, part) in parts.iter().enumerate() {
        let is_explained = part.reason.is_some_and(|reason| reason != LossCause::Off);
        let end = match parts.get(place + 1) {
            Some(next) if is_explained => next.begin,
            _ => part.end,
        };
        if (part.begin..end).contains(&at) {
            at = end;
        }
    }
    at
}
