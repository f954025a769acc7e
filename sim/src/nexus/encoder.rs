//! The golden encoder: events in, trace bits out.

use std::convert::Infallible;

use super::config::Config;
use super::layout::Word;
use super::target_coder::TargetCoder;
use crate::config::mask;
use crate::configuration::Configuration;
use crate::encode::record_sender::RecordSender;
use crate::event::Event;
use crate::field::Sink;
use crate::golden_encoder::{GoldenEncoder, no_accesses};
use crate::parameter::ParameterError;
use crate::stream_detector::{End, StreamDetector};

/// Turns events into a Nexus-like trace, bit for bit as the hardware does.
#[derive(Clone, Debug)]
pub struct Encoder {
    stream_detector: StreamDetector,
    target_coder: TargetCoder,
    records: RecordSender,
    longest: u64,
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
            records: RecordSender::new::<Word>(&config.format()),
            longest: mask(config.stream_length_bits),
            word_bits: config.port.word_bits(),
        })
    }
}

impl GoldenEncoder for Encoder {
    type Error = Infallible;

    #[inline]
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), Infallible> {
        let Self { stream_detector, target_coder, records, longest, .. } = self;
        stream_detector.event(event, |stream| {
            let has_target = match stream.end {
                End::Branch => event.kind.is_indirect(),
                End::Exception => true,
                End::Cut | End::Flush => false,
            };
            let target = has_target.then(|| target_coder.send(event.target));
            records.send(&Word::new(stream, target, *longest), sink);
        });
        Ok(())
    }

    no_accesses!();

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        let stream = self.stream_detector.flush();
        self.records.send(&Word::new(stream, None, self.longest), sink);
        sink.align(self.word_bits);
    }
}
