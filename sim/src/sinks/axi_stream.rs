//! A trace port as an AXI4-Stream manager.
//!
//! A beat waits until the next one follows or the trace ends, because the last beat of a trace says that it is the last
//! one. A beat that was on offer does not change any more. So when a discard throws the next beat away for which a beat
//! is on offer as one of several, a beat of zeros follows, which is the last one.

use super::Source;

/// A beat on the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beat {
    /// The trace, bit 0 first.
    pub data: u64,
    /// The trace ends with it.
    pub is_last: bool,
}

/// What the sink says in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// The beat on offer.
    pub beat: Option<Beat>,
    /// A beat of the trace port is taken, if there is one.
    pub takes: bool,
    /// The trace has ended.
    pub is_flushed: bool,
}

/// What is known of the beat that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Offered {
    /// It was not on offer yet.
    Never,
    /// It was on offer as one that others follow.
    WithMore,
    /// It was on offer as the last one.
    AsLast,
}

/// The sink.
#[derive(Clone, Debug)]
pub struct AxiStream {
    /// Tracing can be switched off, and what is in the module can be discarded.
    switches: bool,
    held: Option<(u64, Offered)>,
    /// The trace that ends was discarded.
    is_discarded: bool,
}

impl AxiStream {
    /// A sink without a beat, after a module that can be switched off or cannot.
    pub fn new(switches: bool) -> Self {
        Self { switches, held: None, is_discarded: false }
    }

    /// What the sink says while the bus is ready to take a beat or is not.
    pub fn outputs(&self, source: &Source, ready: bool) -> Outputs {
        let has_ended = source.is_flushed && source.beat.is_none();
        let offer = |(data, offered)| match offered {
            Offered::Never if has_ended => Some(Beat { data, is_last: true }),
            Offered::Never => source.beat.map(|_| Beat { data, is_last: false }),
            Offered::WithMore => Some(Beat { data, is_last: false }),
            Offered::AsLast => Some(Beat { data, is_last: true }),
        };
        Outputs {
            beat: self.held.and_then(offer),
            takes: self.held.is_none() || ready,
            is_flushed: source.is_flushed && (self.held.is_none() || self.is_discarded),
        }
    }

    /// The end of the cycle.
    pub fn clock(&mut self, source: &Source, ready: bool) {
        let Outputs { beat, takes, .. } = self.outputs(source, ready);
        if let Some(data) = source.beat.filter(|_| takes) {
            self.held = Some((data, Offered::Never));
        } else if let Some(Beat { data, is_last }) = beat {
            self.held = match (ready, is_last) {
                (false, true) => Some((data, Offered::AsLast)),
                (false, false) if self.switches => Some((data, Offered::WithMore)),
                (false, false) => Some((data, Offered::Never)),
                (true, false) if source.is_flushed => Some((0, Offered::Never)),
                (true, _) => None,
            };
        }
        self.is_discarded = self.switches && source.ends() && (self.is_discarded || source.discard);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDLE: Source =
        Source { beat: None, is_flushed: false, flush: false, enable: true, discard: false };

    /// The beats that are taken by a bus that is always ready.
    fn taken(sources: &[Source]) -> Vec<Beat> {
        let mut sink = AxiStream::new(true);
        let beats = sources.iter().filter_map(|source| {
            let beat = sink.outputs(source, true).beat;
            sink.clock(source, true);
            beat
        });
        beats.collect()
    }

    #[test]
    fn the_last_beat_of_a_trace_says_so() {
        let beat = |data| Source { beat: Some(data), ..IDLE };
        let end = Source { is_flushed: true, flush: true, ..IDLE };
        let beats = taken(&[beat(3), beat(5), IDLE, end, end, IDLE, beat(7), end, end]);
        let expected = [(3, false), (5, true), (7, true)];
        assert_eq!(beats, expected.map(|(data, is_last)| Beat { data, is_last }));
    }

    #[test]
    fn a_discard_leaves_a_beat_on_offer_as_it_is() {
        let mut sink = AxiStream::new(true);
        let beat = |data| Source { beat: Some(data), ..IDLE };
        sink.clock(&beat(3), false);
        sink.clock(&beat(5), false);
        let discard = Source { flush: true, discard: true, ..IDLE };
        sink.clock(&discard, false);
        let end = Source { is_flushed: true, ..discard };
        let more = Beat { data: 3, is_last: false };
        let outputs = Outputs { beat: Some(more), takes: true, is_flushed: true };
        assert_eq!(sink.outputs(&end, true), outputs);
        sink.clock(&end, true);
        assert_eq!(sink.outputs(&end, true).beat, Some(Beat { data: 0, is_last: true }));
    }
}
