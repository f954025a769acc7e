//! The decoder: packets and the program in, events out.

use std::collections::VecDeque;
use std::io::Read;

use super::config::Config;
use super::record_reader::RecordReader;
use super::trace_output_controller::Packet;
use super::tuple_history_buffer::{Tuple, TupleHistoryBuffer};
use crate::config::mask;
use crate::configuration::Configuration;
use crate::decode::error::DecodeError;
use crate::decode::field_reader::FieldReader;
use crate::decode::record_decoder::RecordDecoder;
use crate::decode::replay::Replay;
use crate::decode::stream_replay::StreamReplay;
use crate::encode::bit_packer::BitUnpacker;
use crate::event::Event;
use crate::parameter::ParameterError;
use crate::program::Program;
use crate::stream_cache::stream_cache::{Descriptor, StreamCache};
use crate::stream_detector::{End, Stream};
use crate::stream_start::CutStart;

/// Replays a program along packets.
#[derive(Clone)]
pub struct Decoder<'a> {
    streams: StreamReplay<'a>,
    cache: StreamCache,
    history: TupleHistoryBuffer,
    /// Streams that were in no cache, until their tuple comes.
    misses: VecDeque<Descriptor>,
    /// Exceptions likewise, with the number of streams of the tuple before them.
    exceptions: VecDeque<(u32, Descriptor)>,
    records: RecordReader,
    tuple_length: u32,
    longest: u64,
    word_bits: u32,
}

impl<'a> Decoder<'a> {
    /// A decoder in the state in which reset leaves the hardware, for one thread of the program.
    ///
    /// # Errors
    /// When the configuration breaks a constraint.
    pub fn new(config: &Config, program: &'a Program, thread: u8) -> Result<Self, ParameterError> {
        config.validate()?;
        let length_bits = config.cache.stream_length_bits;
        let cuts = CutStart::new(&config.processor, length_bits);
        Ok(Self {
            streams: StreamReplay::new(program, thread, true, cuts),
            cache: StreamCache::new(&config.cache, u64::MAX),
            history: TupleHistoryBuffer::new(config),
            misses: VecDeque::new(),
            exceptions: VecDeque::new(),
            records: RecordReader::new(config),
            tuple_length: config.tuple_length,
            longest: mask(length_bits),
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

    fn record<R: Read + ?Sized, E: From<DecodeError>>(
        &mut self,
        bits: &mut BitUnpacker<R>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<bool, E> {
        self.streams.replay.position = bits.position();
        let packet = self.records.packet(FieldReader(bits));
        let packet = packet.map_err(|source| self.streams.replay.field(source))?;
        let mut flushed = false;
        match packet {
            Ok(Packet::Tuple { age, tuple }) => self.tuple(age, tuple, emit)?,
            Ok(Packet::Miss(_)) if self.misses.len() as u32 == self.tuple_length => {
                let what = "more streams are not in the cache than a tuple has";
                return Err(self.impossible(what).into());
            }
            Ok(Packet::Miss(stream)) => self.misses.push_back(stream),
            Ok(Packet::Broken { end: End::Flush, count, tuple, stream }) => {
                self.follow(&tuple, count, emit)?;
                self.broken_off(End::Flush, stream, emit)?;
                flushed = true;
            }
            Ok(Packet::Broken { count, stream, .. }) => {
                let least = self.exceptions.back().map_or(0, |(count, _)| *count);
                if !(least..self.tuple_length).contains(&count) {
                    return Err(self.impossible("an exception is out of its place").into());
                }
                self.exceptions.push_back((count, stream));
            }
            Err(code) => {
                let what = format!("a packet of code {code} is of a later version");
                return Err(self.streams.replay.impossible(what).into());
            }
        }
        self.streams.replay.summary.records += 1;
        Ok(flushed)
    }
}

impl Decoder<'_> {
    /// A full tuple.
    fn tuple<E: From<DecodeError>>(
        &mut self,
        age: u32,
        sent: Tuple,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let tuple = match age {
            0 => sent,
            age => self
                .history
                .get(age)
                .ok_or_else(|| self.impossible("no tuple in the history buffer is so old"))?,
        };
        if self.history.age(&tuple) != age {
            let what = "a tuple is in the history buffer at another age, or at one at all";
            return Err(self.impossible(what).into());
        }
        self.history.update(&tuple, age);
        self.follow(&tuple, self.tuple_length, emit)
    }

    /// The first `count` streams of a tuple, and the exceptions between them.
    fn follow<E: From<DecodeError>>(
        &mut self,
        tuple: &Tuple,
        count: u32,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let streams = tuple.get(..count as usize).unwrap_or_default();
        for (index, at) in streams.iter().zip(0..) {
            self.exceptions_at(at, emit)?;
            self.stream((*index).into(), emit)?;
        }
        self.exceptions_at(count, emit)?;
        if self.misses.is_empty() && self.exceptions.is_empty() && count <= self.tuple_length {
            return Ok(());
        }
        Err(self
            .impossible("a tuple has not the streams and exceptions that were sent for it")
            .into())
    }

    fn exceptions_at<E: From<DecodeError>>(
        &mut self,
        at: u32,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        while let Some((count, stream)) = self.exceptions.front().copied()
            && count == at
        {
            self.exceptions.pop_front();
            self.broken_off(End::Exception, stream, emit)?;
        }
        Ok(())
    }

    /// The stream at an index of the cache, or for 0 the next one that was sent.
    #[inline]
    fn stream<E: From<DecodeError>>(
        &mut self,
        index: u32,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let stream = if index == 0 {
            let Some(stream) = self.misses.pop_front() else {
                return Err(self.impossible("no stream was sent that is not in the cache").into());
            };
            if self.cache.find(stream).is_some() {
                let what = "a stream in the stream cache is said not to be there";
                return Err(self.impossible(what).into());
            }
            self.cache.insert(stream);
            stream
        } else {
            let Some(stream) = self.cache.get(index) else {
                return Err(self.impossible("no stream is at this index").into());
            };
            self.cache.touch(index);
            stream
        };
        let whole = match stream.length {
            0 => Stream { length: self.longest, end: End::Cut },
            length => Stream { length, end: End::Branch },
        };
        self.streams.stream(stream.start, whole, emit)
    }

    fn broken_off<E: From<DecodeError>>(
        &mut self,
        end: End,
        stream: Descriptor,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.streams.stream(stream.start, Stream { length: stream.length, end }, emit)
    }

    #[cold]
    fn impossible(&self, what: &str) -> DecodeError {
        self.streams.replay.impossible(what.into())
    }
}
