//! The golden encoder: events in, trace bits out.

use std::convert::Infallible;

use super::config::Config;
use super::layout::{Head, Layout};
use super::trace_output_controller::{Packet, TraceOutputController};
use crate::event::Event;
use crate::field::{Putter, Sink};
use crate::parameter::ParameterError;
use crate::scheme::{Configuration, GoldenEncoder};
use crate::stream_cache::stream_cache::{Descriptor, StreamCache};
use crate::stream_detector::{CutStart, End, Stream, StreamDetector};

/// Turns events into packets, bit for bit as the hardware does.
#[derive(Clone, Debug)]
pub struct Encoder {
    detector: StreamDetector,
    streams: Streams,
    layout: Layout,
    word_bits: u32,
}

/// What becomes of streams.
#[derive(Clone, Debug)]
struct Streams {
    cache: StreamCache,
    controller: TraceOutputController,
    cuts: CutStart,
    start: u64,
}

impl Encoder {
    /// An encoder as reset leaves the hardware.
    ///
    /// # Errors
    /// When the configuration breaks a constraint.
    pub fn new(config: &Config) -> Result<Self, ParameterError> {
        config.validate()?;
        let length_bits = config.cache.stream_length_bits;
        Ok(Self {
            detector: StreamDetector::new(length_bits, true),
            streams: Streams {
                cache: StreamCache::new(&config.cache, u64::MAX),
                controller: TraceOutputController::new(config),
                cuts: CutStart::new(&config.processor, length_bits),
                start: 0,
            },
            layout: Layout::new(config),
            word_bits: config.port.word_bits(),
        })
    }
}

impl Streams {
    /// A stream, and where the next one starts if a branch or an exception ended it.
    #[inline]
    fn stream(&mut self, stream: Stream, target: u64, packet: &mut impl FnMut(Packet)) {
        let start = self.start;
        self.start = match stream.end {
            End::Branch | End::Exception => target,
            End::Cut => self.cuts.after(start),
            End::Flush => start,
        };
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
    #[inline]
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) {
        let (layout, streams) = (&self.layout, &mut self.streams);
        self.detector.event(event, |stream| {
            streams.stream(stream, event.target, &mut |packet| put(layout, packet, sink));
        });
    }

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        let rest = self.detector.flush();
        let layout = &self.layout;
        self.streams.stream(rest, 0, &mut |packet| put(layout, packet, sink));
        sink.align(self.word_bits);
    }
}

#[inline]
fn put<S: Sink>(layout: &Layout, packet: Packet, sink: &mut S) {
    let mut putter = Putter(sink);
    let mut head = match packet {
        Packet::Miss(_) => Head::Miss,
        Packet::Tuple { .. } => Head::Tuple,
        Packet::Broken { end, .. } => Head::Broken(Ok(end)),
    };
    let sent: Result<(), Infallible> =
        layout.head(&mut head, &mut putter).and_then(|()| match packet {
            Packet::Miss(mut stream) => layout.miss(&mut stream, &mut putter),
            Packet::Tuple { mut age, mut tuple } => layout.tuple(&mut age, &mut tuple, &mut putter),
            Packet::Broken { end, mut count, mut tuple, mut stream } => {
                layout.broken(end, &mut count, &mut tuple, &mut stream, &mut putter)
            }
        });
    let Ok(()) = sent;
    sink.end_record();
}
