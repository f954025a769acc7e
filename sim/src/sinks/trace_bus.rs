//! A trace port as a source on an AMBA trace bus (ATB).
//!
//! Beats of a narrow trace port are gathered into bytes, the first beat lowest. What `flush` asks for is answered by
//! `flushed`, and what the bus asks for by `afready`. A beat of the bus that is on offer stays until it is taken, even if the
//! trace is discarded, which is why a module that can discard its trace has a register in front of the bus.

use super::Source;
use crate::pins::sinks::Outlet;

/// What the bus says in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bus {
    /// A beat is taken, if there is one: `atready`.
    pub ready: bool,
    /// Everything is to leave: `afvalid`.
    pub flushes: bool,
}

/// What the sink says in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// The beat on the bus.
    pub beat: Option<u64>,
    /// Everything that the bus asked for has left: `afready`.
    pub has_left: bool,
    /// A beat of the trace port is taken, if there is one.
    pub takes: bool,
    /// The trace module is to end its trace.
    pub flushes: bool,
    /// The trace has ended.
    pub is_flushed: bool,
}

/// The sink.
#[derive(Clone, Debug)]
pub struct TraceBus {
    outlet: Outlet,
    /// Beats of the trace port that wait to become one of the bus.
    gathered: Vec<u64>,
    /// The trace was to end in the cycle before.
    ended_before: bool,
    /// The trace that ends was discarded.
    is_discarded: bool,
}

impl TraceBus {
    /// A sink in which nothing waits.
    pub fn new(outlet: &Outlet) -> Self {
        Self { outlet: *outlet, gathered: Vec::new(), ended_before: false, is_discarded: false }
    }

    /// What the sink says.
    pub fn outputs(&self, source: &Source, bus: Bus) -> Outputs {
        let is_whole = self.is_whole();
        let (beat, takes) = if self.outlet.gathers() {
            (is_whole.then(|| self.beat()), !is_whole || bus.ready)
        } else {
            (source.beat, bus.ready)
        };
        let all_taken = source.is_flushed && !is_whole;
        let is_over = all_taken || source.is_flushed && self.is_discarded;
        Outputs {
            beat,
            has_left: bus.flushes && all_taken,
            takes,
            flushes: source.flush || bus.flushes,
            is_flushed: (source.ends() || self.ended_before) && is_over,
        }
    }

    fn is_whole(&self) -> bool {
        self.gathered.len() == self.outlet.beats() as usize
    }

    fn beat(&self) -> u64 {
        let beats = self.gathered.iter().rev();
        beats.fold(0, |word, beat| word.unbounded_shl(self.outlet.trace_port_width) | beat)
    }

    /// The end of the cycle.
    pub fn clock(&mut self, source: &Source, bus: Bus) {
        let Outputs { takes, .. } = self.outputs(source, bus);
        if self.outlet.gathers() {
            let is_whole = self.is_whole();
            // Bits that fill no byte are what a discard left.
            let is_dropped = self.outlet.switches && source.is_flushed && !is_whole;
            if is_whole && bus.ready || is_dropped {
                self.gathered.clear();
            }
            self.gathered.extend(source.beat.filter(|_| takes));
        }
        self.ended_before = source.ends();
        self.is_discarded =
            self.outlet.switches && source.ends() && (self.is_discarded || source.discard);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ON: Source =
        Source { beat: None, is_flushed: false, flush: false, enable: true, discard: false };
    const READY: Bus = Bus { ready: true, flushes: false };

    fn outlet(trace_port_width: u32) -> Outlet {
        Outlet { trace_port_width, has_packets: false, clock_enable: false, switches: true }
    }

    #[test]
    fn narrow_beats_fill_bytes_from_the_lowest_bit() {
        let mut sink = TraceBus::new(&outlet(2));
        for beat in [1, 2, 3, 0] {
            assert_eq!(sink.outputs(&ON, READY).beat, None);
            sink.clock(&Source { beat: Some(beat), ..ON }, READY);
        }
        assert_eq!(sink.outputs(&ON, READY).beat, Some(0b0011_1001));
    }

    #[test]
    fn the_bus_and_the_user_are_answered_apart() {
        let mut sink = TraceBus::new(&outlet(8));
        let ended = Source { is_flushed: true, ..ON };
        let asked = sink.outputs(&ended, Bus { flushes: true, ..READY });
        assert!(asked.flushes && asked.has_left && !asked.is_flushed);
        let flush = Source { flush: true, ..ended };
        let asked = sink.outputs(&flush, READY);
        assert!(asked.flushes && !asked.has_left && asked.is_flushed);
        sink.clock(&flush, READY);
        assert!(sink.outputs(&ended, READY).is_flushed);
    }
}
