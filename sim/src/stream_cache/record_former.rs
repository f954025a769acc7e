//! What is recorded of a stream (paper A, section II).

use super::config::Config;
use super::last_stream_predictor::LastStreamPredictor;
use super::one_length_counter::OneLengthCounter;
use super::start_address_predictor::StartAddressPredictor;
use super::stream_cache::{Descriptor, StreamCache};
use crate::config::mask;
use crate::stream_detector::{End, Stream};
use crate::stream_source::StartedStream;

/// A record, before it becomes bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record {
    /// A stream that was predicted.
    Hit,
    /// So many of them, as a number of `bits`.
    Run {
        /// Streams, 1 to 2^`bits`.
        run: u64,
        /// Bits of the number.
        bits: u32,
    },
    /// A stream at another index than the predicted one.
    Index(u32),
    /// A stream that is not in the cache, or no whole one.
    Miss {
        /// The start address is not sent.
        inferred: bool,
        /// The start address in instruction units.
        start: u64,
        /// All bits of the start address are sent, if any.
        whole: bool,
        /// Length and end of the stream.
        stream: Stream,
    },
}

/// The tables, and the run at hand.
///
/// What an exception or a flush leaves of a stream is written out and changes no table.
#[derive(Clone, Debug)]
pub struct RecordFormer {
    cache: StreamCache,
    predictor: LastStreamPredictor,
    start_addresses: StartAddressPredictor,
    counter: Option<OneLengthCounter>,
    run: u64,
    alignment: u32,
}

/// The stream cache of `config`.
pub(super) fn cache(config: &Config) -> StreamCache {
    StreamCache::new(&config.cache, mask(config.entry_start_bits() + config.processor.alignment))
}

/// The last stream predictor of `config`.
pub(super) fn predictor(config: &Config) -> LastStreamPredictor {
    LastStreamPredictor::new(config.last_stream_predictor_entries(), config.miss_index)
}

/// The one length counter of `config`, if it has one.
pub(super) fn counter(config: &Config) -> Option<OneLengthCounter> {
    config.one_length_counter.then(|| OneLengthCounter::new(config))
}

impl RecordFormer {
    /// Everything as reset leaves it.
    pub fn new(config: &Config) -> Self {
        Self {
            cache: cache(config),
            predictor: predictor(config),
            start_addresses: StartAddressPredictor::new(config),
            counter: counter(config),
            run: 0,
            alignment: config.processor.alignment,
        }
    }

    /// Records a stream.
    #[inline]
    pub fn stream(&mut self, started: StartedStream, record: &mut impl FnMut(Record)) {
        let StartedStream { stream, start, inferred } = started;
        let length = match stream.end {
            End::Branch => stream.length,
            End::Cut => 0,
            End::Exception | End::Flush => return self.miss(started, record),
        };
        let descriptor = Descriptor { start, length };
        let found = self.cache.find(descriptor);
        // A stored start without its upper bits is the target only if these are the recent ones.
        let is_told = inferred
            || !self.start_addresses.guards_the_cache()
            || self.start_addresses.matches(start);
        match found {
            Some(index) if is_told => {
                let predicted = self.predictor.prediction() == index;
                self.cache.touch(index);
                self.predictor.update(index);
                self.start_addresses.update(start, false);
                if predicted {
                    self.hit(record);
                } else {
                    self.end_run(record);
                    record(Record::Index(index));
                }
            }
            found => {
                let index = found.unwrap_or_else(|| self.cache.insert(descriptor));
                if found.is_some() {
                    self.cache.touch(index);
                }
                self.predictor.update_missed(index);
                self.miss(started, record);
            }
        }
    }

    #[inline]
    fn hit(&mut self, record: &mut impl FnMut(Record)) {
        let Some(counter) = &mut self.counter else { return record(Record::Hit) };
        if self.run == counter.longest() {
            record(Record::Run { run: self.run, bits: counter.bits() });
            counter.went_on();
            self.run = 0;
        }
        self.run += 1;
    }

    fn end_run(&mut self, record: &mut impl FnMut(Record)) {
        if let Some(counter) = &mut self.counter
            && self.run > 0
        {
            record(Record::Run { run: self.run, bits: counter.bits() });
            counter.ended(self.run);
            self.run = 0;
        }
    }

    fn miss(&mut self, started: StartedStream, record: &mut impl FnMut(Record)) {
        let StartedStream { stream, start, inferred } = started;
        self.end_run(record);
        let whole = !self.start_addresses.shortens(start);
        self.start_addresses.update(start, !inferred);
        record(Record::Miss { inferred, start: start >> self.alignment, whole, stream });
    }
}
