//! What was taken from a sink, decoded.

use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::packet::header::LossCause;
use tracewright_sim::packet::part::{Gap, Reason};
use tracewright_sim::scheme::Design;
use tracewright_testbench::stimulus::Block;

use super::case::Case;
use crate::control::traced::{Decoded, Work};

/// What a bench said, and the beats that were taken.
pub fn check(
    case: Case,
    design: &Design,
    work: &Work,
    (blocks, output): (&[Block], &str),
    beats: &str,
) -> Result<(), String> {
    let name = format!("bench_{}: ", case.name());
    let ends: Vec<Vec<usize>> = output
        .lines()
        .filter_map(|line| line.strip_prefix(&name))
        .map(|line| line.split(' ').map(|word| word.parse().expect("a number")).collect())
        .collect();
    let [first, last] = ends.as_slice() else {
        return Err(format!("{} traces end", ends.len()));
    };
    let beats: Vec<u64> = beats
        .lines()
        .map(|line| u64::from_str_radix(line, 16).map_err(|_| format!("a beat: {line}")))
        .collect::<Result<_, _>>()?;
    if beats.len() != last[2] {
        return Err(format!("{} beats instead of {}", beats.len(), last[2]));
    }
    let decoded = |beats: &[u64]| {
        let mut trace = BitPacker::new();
        beats.iter().for_each(|beat| trace.push(*beat, case.beat_bits()));
        Decoded::new(design, &work.program, &trace.finish())
    };
    let whole = decoded(&beats[..first[2]]);
    whole.check_parts(work)?;
    let recovered = whole.recovered;
    if recovered.instructions + recovered.lost_instructions != first[1] as u64 {
        return Err(format!("{} instructions were executed: {recovered:?}", first[1]));
    }
    let all = decoded(&beats);
    all.check_parts(work)?;
    let Some((place, gap)) = all.gaps.last() else { return Err("nothing is lost".into()) };
    let rest = &all.events[*place..];
    if rest.len() < 3 {
        return Err(format!("{} events after the last gap: {}", rest.len(), gap.reason));
    }
    let is_discard = |gap: &Gap| match &gap.reason {
        Reason::Lost(loss) => loss.cause == LossCause::Discarded,
        _ => false,
    };
    if !all.gaps.iter().any(|(_, gap)| is_discard(gap)) {
        return Err("no gap says that the trace was discarded".into());
    }
    // The last block that was executed ends the trace, whether it has an event or not.
    let executed: Vec<&Block> = blocks[..last[0]].iter().collect();
    let after = executed.iter().rev().take_while(|block| block.kind == 0);
    let trailing: u64 = after.map(|block| block.count).sum();
    if case.drops {
        return Ok(());
    }
    let event = executed.iter().rev().find(|block| block.kind != 0).expect("an event");
    let newest = rest.last().expect("an event");
    if newest.program_counter != event.program_counter || newest.taken != event.taken {
        return Err(format!("the last event: {newest}, expected {event:?}"));
    }
    if all.recovered.trailing_instructions != trailing {
        return Err(format!("{:?}: expected {trailing} at the end", all.recovered));
    }
    Ok(())
}
