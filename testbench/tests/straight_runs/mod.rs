//! Straight runs of every length, which bring small counters to their limits from every side.

use tracewright_sim::event::{Event, Kind};

/// Runs of every length up to `most`, from many states of the counters, with every kind of
/// control-flow instruction at their ends. They are of no program: an encoder takes them all the same.
pub fn straight_runs(most: u64) -> Vec<Event> {
    let lengths = (1..=most).chain((1..=most / 4).rev());
    of_lengths(lengths)
}

/// The same of a few lengths around each of these, and of the shortest ones.
pub fn runs_around(limits: &[u64]) -> Vec<Event> {
    let around = limits.iter().flat_map(|limit| limit - 4..=limit + 4);
    of_lengths((1..=8).chain(around).chain(1..=8))
}

fn of_lengths(lengths: impl Iterator<Item = u64>) -> Vec<Event> {
    lengths.flat_map(|length| (0..5).map(move |kind| run(length, 5 * length + kind))).collect()
}

/// A run that ends in each kind of control-flow instruction.
fn run(instructions: u64, index: u64) -> Event {
    let kind = [
        Kind::DirectJump,
        Kind::DirectConditional,
        Kind::Exception,
        Kind::IndirectJump,
        Kind::Exception,
    ];
    let kind = kind[index as usize % 5];
    // The last of the five is a system call that comes back; the branches go either way.
    let taken = index % 5 != 4 && (kind != Kind::DirectConditional || index.is_multiple_of(3));
    let target = if taken { 0x1000 + 0x40 * (index % 16) } else { 0 };
    Event {
        instructions,
        program_counter: 0x8000 + 16 * (index % 64),
        target,
        kind,
        call: false,
        is_return: false,
        taken,
        length: 4,
        thread: 0,
    }
}
