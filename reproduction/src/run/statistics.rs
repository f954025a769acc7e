//! What a program consists of: branches by kind, and streams.

use rustc_hash::FxHashMap;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::stream_detector::StreamDetector;

/// Streams are counted whole, however long: no program has one of 2^32 instructions.
const LENGTH_BITS: u32 = 32;

/// Share of the executed streams that the column "CDF 90%" of paper A is about.
const SHARE: f64 = 0.9;

/// Counts of a whole trace.
#[derive(Clone, Debug)]
pub struct Statistics {
    /// Instructions.
    pub instructions: u64,
    /// Branches by the code of their kind; the last are the exceptions.
    pub branches: [u64; Kind::ALL.len()],
    /// Taken branches by the code of their kind.
    pub taken: [u64; Kind::ALL.len()],
    /// Streams that end at taken conditional and indirect branches (paper A).
    pub streams: Streams,
    /// Streams that end at every taken branch (paper B).
    pub runs: Streams,
}

/// Streams, each known by its start and length.
#[derive(Clone, Debug)]
pub struct Streams {
    detector: StreamDetector,
    start: u64,
    counts: FxHashMap<(u64, u64), u64>,
    /// Executed streams.
    pub executed: u64,
    /// Instructions of the longest one.
    pub longest: u64,
}

impl Streams {
    fn new(jumps_end: bool) -> Self {
        Self {
            detector: StreamDetector::new(LENGTH_BITS, jumps_end),
            start: 0,
            counts: FxHashMap::default(),
            executed: 0,
            longest: 0,
        }
    }

    fn event(&mut self, event: &Event) {
        let Self { detector, start, counts, executed, longest } = self;
        detector.event(event, |stream| {
            if stream.length > 0 {
                *counts.entry((*start, stream.length)).or_default() += 1;
                *executed += 1;
                *longest = stream.length.max(*longest);
            }
            *start = event.target;
        });
    }

    /// Streams that differ.
    pub fn unique(&self) -> u64 {
        self.counts.len() as u64
    }

    /// Instructions of an executed stream on average.
    pub fn average_length(&self) -> f64 {
        let instructions: u64 = self.counts.iter().map(|((_, length), count)| length * count).sum();
        instructions as f64 / self.executed.max(1) as f64
    }

    /// The number of streams, most frequent first, that are nine tenths of the executed ones.
    pub fn most_of_the_run(&self) -> u64 {
        let mut counts: Vec<u64> = self.counts.values().copied().collect();
        counts.sort_unstable_by(|one, other| other.cmp(one));
        let wanted = (self.executed as f64 * SHARE) as u64;
        let mut found = 0;
        let enough = counts.iter().position(|count| {
            found += count;
            found >= wanted
        });
        enough.map_or(0, |last| last as u64 + 1)
    }
}

impl Statistics {
    /// Before the first event.
    pub fn new() -> Self {
        Self {
            instructions: 0,
            branches: Default::default(),
            taken: Default::default(),
            streams: Streams::new(false),
            runs: Streams::new(true),
        }
    }

    /// Counts an event.
    pub fn event(&mut self, event: &Event) {
        self.instructions += event.instructions;
        let kind = event.kind as usize;
        self.branches[kind] += 1;
        self.taken[kind] += u64::from(event.taken);
        self.streams.event(event);
        self.runs.event(event);
    }

    /// Branches of a kind in percent of the instructions.
    pub fn percent(&self, kind: Kind) -> f64 {
        100.0 * self.branches[kind as usize] as f64 / self.instructions.max(1) as f64
    }
}

impl Default for Statistics {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(instructions: u64, kind: Kind, target: u64) -> Event {
        Event {
            instructions,
            program_counter: 0x100,
            target,
            kind,
            call: false,
            is_return: false,
            taken: true,
            length: 4,
            thread: 0,
        }
    }

    #[test]
    fn streams_of_both_papers() {
        let mut statistics = Statistics::new();
        for _ in 0..9 {
            statistics.event(&taken(2, Kind::DirectJump, 0x40));
            statistics.event(&taken(3, Kind::DirectConditional, 0x80));
        }
        statistics.event(&taken(7, Kind::IndirectJump, 0x80));
        assert_eq!((statistics.instructions, statistics.branches), (52, [9, 9, 1, 0, 0]));
        let Statistics { streams, runs, .. } = &statistics;
        // The first stream starts at the reset and the others at 0x80.
        assert_eq!((streams.executed, streams.unique(), streams.longest), (10, 3, 7));
        assert_eq!((runs.executed, runs.unique()), (19, 4));
        assert_eq!((streams.average_length(), streams.most_of_the_run()), (5.2, 2));
    }
}
