//! The golden encoder: events in, trace bits out.

use std::convert::Infallible;

use super::config::Config;
use super::layout::Layout;
use super::target_coder::{CodedTarget, TargetCoder};
use crate::configuration::Configuration;
use crate::event::Event;
use crate::field::{Putter, Sink};
use crate::golden_encoder::GoldenEncoder;
use crate::parameter::ParameterError;
use crate::stream_detector::{End, Stream, StreamDetector};

/// Turns events into a Nexus-like trace, bit for bit as the hardware does.
#[derive(Clone, Debug)]
pub struct Encoder {
    stream_detector: StreamDetector,
    target_coder: TargetCoder,
    layout: Layout,
    word_bits: u32,
}

impl Encoder {
    /// An encoder as reset leaves the hardware.
    ///
    /// # Errors
    /// When the configuration breaks a constraint.
    pub fn new(config: &Config) -> Result<Self, ParameterError> {
        config.validate()?;
        Ok(Self {
            stream_detector: StreamDetector::new(config.stream_length_bits, false),
            target_coder: TargetCoder::new(config),
            layout: Layout::new(config),
            word_bits: config.port.word_bits(),
        })
    }
}

impl GoldenEncoder for Encoder {
    #[inline]
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) {
        let Self { stream_detector, target_coder, layout, .. } = self;
        stream_detector.event(event, |stream| {
            let has_target = match stream.end {
                End::Branch => event.kind.is_indirect(),
                End::Exception => true,
                End::Cut | End::Flush => false,
            };
            put(layout, stream, has_target.then(|| target_coder.send(event.target)), sink);
        });
    }

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        put(&self.layout, self.stream_detector.flush(), None, sink);
        sink.align(self.word_bits);
    }
}

#[inline]
fn put<S: Sink>(layout: &Layout, stream: Stream, target: Option<CodedTarget>, sink: &mut S) {
    let mut putter = Putter(sink);
    let sent: Result<(), Infallible> = layout.head(&mut Ok(stream), &mut putter);
    let Ok(()) = sent;
    if let Some(mut target) = target {
        let sent: Result<(), Infallible> = layout.target(&mut target, &mut putter);
        let Ok(()) = sent;
    }
    sink.end_record();
}
