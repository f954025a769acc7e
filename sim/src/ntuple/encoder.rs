//! The golden encoder: events in, trace bits out.

use std::convert::Infallible;

use super::config::Config;
use super::layout::Word;
use super::trace_output_controller::{Packet, TraceOutputController};
use crate::configuration::Configuration;
use crate::encode::record_sender::RecordSender;
use crate::event::Event;
use crate::field::Sink;
use crate::golden_encoder::{GoldenEncoder, no_accesses};
use crate::parameter::ParameterError;
use crate::stream_cache::stream_cache::{Descriptor, StreamCache};
use crate::stream_detector::End;
use crate::stream_source::{StartedStream, StreamSource};

/// Turns events into packets, bit for bit as the hardware does.
#[derive(Clone, Debug)]
pub struct Encoder {
    source: StreamSource,
    streams: Streams,
    records: RecordSender,
    alignment: u32,
    index_bits: u32,
    word_bits: u32,
}

/// What becomes of streams.
#[derive(Clone, Debug)]
struct Streams {
    cache: StreamCache,
    controller: TraceOutputController,
}

impl Encoder {
    /// An encoder as reset leaves the hardware.
    ///
    /// # Errors
    /// When the configuration breaks a constraint.
    pub fn new(config: &Config) -> Result<Self, ParameterError> {
        config.validate()?;
        Ok(Self {
            source: StreamSource::new(&config.processor, config.cache.stream_length_bits, false),
            streams: Streams {
                cache: StreamCache::new(&config.cache, u64::MAX),
                controller: TraceOutputController::new(config),
            },
            records: RecordSender::new::<Word>(&config.format()),
            alignment: config.processor.alignment,
            index_bits: config.cache.index_bits(),
            word_bits: config.port.word_bits(),
        })
    }
}

impl Streams {
    /// A stream; nothing is known of branches, so no start is taken to be inferred.
    #[inline]
    fn stream(&mut self, started: StartedStream, packet: &mut impl FnMut(Packet)) {
        let StartedStream { stream, start, .. } = started;
        let length = match stream.end {
            End::Cut => 0,
            End::Exception | End::Flush => {
                let rest = Descriptor { start, length: stream.length };
                return self.controller.broken(stream.end, rest, packet);
            }
            End::Branch => stream.length,
        };
        let descriptor = Descriptor { start, length };
        let index = match self.cache.find(descriptor) {
            Some(index) => {
                self.cache.touch(index);
                index
            }
            None => {
                self.cache.insert(descriptor);
                0
            }
        };
        self.controller.stream(index, descriptor, packet);
    }
}

impl GoldenEncoder for Encoder {
    type Error = Infallible;

    #[inline]
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), Infallible> {
        let Self { source, streams, records, alignment, index_bits, .. } = self;
        source.event(event, |stream| {
            streams.stream(stream, &mut |packet| {
                records.send(&Word::new(&packet, *alignment, *index_bits), sink);
            });
        });
        Ok(())
    }

    no_accesses!();

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        let Self { source, streams, records, alignment, index_bits, .. } = self;
        streams.stream(source.flush(), &mut |packet| {
            records.send(&Word::new(&packet, *alignment, *index_bits), sink);
        });
        sink.align(self.word_bits);
    }
}
