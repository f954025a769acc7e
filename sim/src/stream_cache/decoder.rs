//! The decoder: trace bits and the program in, events out (paper A, figure 1).

use std::io::Read;

use super::config::Config;
use super::last_stream_predictor::LastStreamPredictor;
use super::one_length_counter::OneLengthCounter;
use super::record_former::{cache, counter, predictor};
use super::record_reader::{Miss, RecordReader};
use super::start_address_predictor::StartAddressPredictor;
use super::stream_cache::{Descriptor, StreamCache};
use crate::config::mask;
use crate::configuration::Configuration;
use crate::decode::error::DecodeError;
use crate::decode::field_reader::{FieldError, FieldReader};
use crate::decode::record_decoder::RecordDecoder;
use crate::decode::replay::Replay;
use crate::decode::stream_replay::StreamReplay;
use crate::encode::bit_packer::BitUnpacker;
use crate::event::Event;
use crate::parameter::ParameterError;
use crate::program::Program;
use crate::stream_detector::{End, Stream};
use crate::stream_start::CutStart;

/// Replays a program along a trace of streams.
#[derive(Clone)]
pub struct Decoder<'a> {
    streams: StreamReplay<'a>,
    cache: StreamCache,
    predictor: LastStreamPredictor,
    start_addresses: StartAddressPredictor,
    counter: Option<OneLengthCounter>,
    /// The run that the last record was, or 0.
    run: u64,
    records: RecordReader,
    longest: u64,
    alignment: u32,
    word_bits: u32,
}

impl<'a> Decoder<'a> {
    /// A decoder in the state in which reset leaves the hardware, for one thread of the program.
    ///
    /// # Errors
    /// When the configuration breaks a constraint.
    pub fn new(config: &Config, program: &'a Program, thread: u8) -> Result<Self, ParameterError> {
        config.validate()?;
        let cuts = CutStart::new(&config.processor, config.cache.stream_length_bits);
        Ok(Self {
            streams: StreamReplay::new(program, thread, false, cuts),
            cache: cache(config),
            predictor: predictor(config),
            start_addresses: StartAddressPredictor::new(config),
            counter: counter(config),
            run: 0,
            records: RecordReader::new(config),
            longest: mask(config.cache.stream_length_bits),
            alignment: config.processor.alignment,
            word_bits: config.port.word_bits(),
        })
    }
}

impl<'a> RecordDecoder<'a> for Decoder<'a> {
    fn replay(&mut self) -> &mut Replay<'a> {
        &mut self.streams.replay
    }

    fn word_bits(&self) -> u32 {
        self.word_bits
    }

    #[inline]
    fn record<R: Read + ?Sized, E: From<DecodeError>>(
        &mut self,
        bits: &mut BitUnpacker<R>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<bool, E> {
        self.streams.replay.position = bits.position();
        let records = self.records;
        let mut fields = FieldReader(bits);
        let refused = |decoder: &Self, source: FieldError| decoder.streams.replay.field(source);
        let mut flushed = false;
        if fields.bit().map_err(|source| refused(self, source))? {
            let mut run = 1;
            if let Some(size) = self.size_of_next_run()? {
                run = 1 + fields.bits(size).map_err(|source| refused(self, source))?;
                self.run = run;
            }
            for _ in 0..run {
                self.at_index(self.predictor.prediction(), emit)?;
            }
        } else {
            self.end_run();
            let index = records.index(&mut fields).map_err(|source| refused(self, source))?;
            if index == 0 {
                let inferred = self.streams.inferred_start();
                let miss = records.miss(inferred.is_some(), &mut fields);
                let miss = miss.map_err(|source| refused(self, source))?;
                flushed = matches!(miss.stream, Ok(Stream { end: End::Flush, .. }));
                self.missed(inferred, &miss, emit)?;
            } else if index == self.predictor.prediction() {
                return Err(self.impossible("a stream predicted right is said to be wrong").into());
            } else {
                self.at_index(index, emit)?;
            }
        }
        self.streams.replay.summary.records += 1;
        Ok(flushed)
    }
}

impl Decoder<'_> {
    /// Bits of the number of the run at hand; `None` without a one length counter.
    fn size_of_next_run(&mut self) -> Result<Option<u32>, DecodeError> {
        let Some(counter) = &mut self.counter else { return Ok(None) };
        if self.run == counter.longest() {
            counter.went_on();
        } else if self.run > 0 {
            return Err(self.impossible("a run goes on that was not the longest"));
        }
        Ok(Some(counter.bits()))
    }

    fn end_run(&mut self) {
        if let Some(counter) = &mut self.counter
            && self.run > 0
        {
            counter.ended(self.run);
            self.run = 0;
        }
    }

    /// The stream at this index of the stream cache.
    #[inline]
    fn at_index<E: From<DecodeError>>(
        &mut self,
        index: u32,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(stored) = self.cache.get(index) else {
            return Err(self.impossible("no stream is at this index, or predicted").into());
        };
        let start = self.start_addresses.complete(stored.start);
        let start = match self.streams.inferred_start() {
            // Under rBASE the upper bits of an inferred start may differ from the recent ones.
            Some(inferred) if self.cache.stores(stored.start, inferred) => inferred,
            _ => start,
        };
        self.cache.touch(index);
        self.predictor.update(index);
        self.start_addresses.update(start, false);
        let stream = match stored.length {
            0 => Stream { length: self.longest, end: End::Cut },
            length => Stream { length, end: End::Branch },
        };
        self.streams.stream(start, stream, emit)
    }

    /// A stream that is written out.
    fn missed<E: From<DecodeError>>(
        &mut self,
        inferred: Option<u64>,
        miss: &Miss,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let sent = miss.start << self.alignment;
        let start = match inferred {
            Some(inferred) => inferred,
            None if miss.whole => sent,
            None => self.start_addresses.join(sent),
        };
        let stream = match miss.stream {
            Ok(stream) => stream,
            Err(code) => {
                let what = format!("a stream of end {code} is of a later version");
                return Err(self.streams.replay.impossible(what).into());
            }
        };
        if matches!(stream.end, End::Branch | End::Cut) {
            let length = if stream.end == End::Cut { 0 } else { stream.length };
            let descriptor = Descriptor { start, length };
            let is_hidden = inferred.is_none()
                && self.start_addresses.guards_the_cache()
                && !self.start_addresses.matches(start);
            let index = match self.cache.find(descriptor) {
                Some(index) if is_hidden => {
                    self.cache.touch(index);
                    index
                }
                Some(_) => {
                    let what = "a stream in the stream cache is said not to be there";
                    return Err(self.impossible(what).into());
                }
                None => self.cache.insert(descriptor),
            };
            self.predictor.update_missed(index);
        }
        self.start_addresses.update(start, inferred.is_none());
        self.streams.stream(start, stream, emit)
    }

    #[cold]
    fn impossible(&self, what: &str) -> DecodeError {
        self.streams.replay.impossible(what.into())
    }
}
