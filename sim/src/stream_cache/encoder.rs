//! The golden encoder: events in, trace bits out.

use std::convert::Infallible;

use super::config::Config;
use super::layout::Word;
use super::record_former::RecordFormer;
use crate::configuration::Configuration;
use crate::encode::record_sender::RecordSender;
use crate::event::Event;
use crate::field::Sink;
use crate::golden_encoder::{GoldenEncoder, no_accesses};
use crate::parameter::ParameterError;
use crate::stream_source::StreamSource;

/// Turns events into the trace of streams, bit for bit as the hardware does.
#[derive(Clone, Debug)]
pub struct Encoder {
    source: StreamSource,
    record_former: RecordFormer,
    records: RecordSender,
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
            source: StreamSource::new(&config.processor, config.cache.stream_length_bits, true),
            record_former: RecordFormer::new(config),
            records: RecordSender::new::<Word>(&config.format()),
            word_bits: config.port.word_bits(),
        })
    }
}

impl GoldenEncoder for Encoder {
    type Error = Infallible;

    #[inline]
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), Infallible> {
        let Self { source, record_former, records, .. } = self;
        source.event(event, |stream| {
            record_former.stream(stream, &mut |record| records.send(&Word::new(&record), sink));
        });
        Ok(())
    }

    no_accesses!();

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        let Self { source, record_former, records, .. } = self;
        record_former.stream(source.flush(), &mut |record| records.send(&Word::new(&record), sink));
        sink.align(self.word_bits);
    }
}
