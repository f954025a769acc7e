//! The golden encoder: events in, trace bits out.

use std::convert::Infallible;

use super::config::Config;
use super::layout::Word;
use super::record_former::RecordFormer;
use crate::configuration::Configuration;
use crate::encode::record_sender::RecordSender;
use crate::event::Event;
use crate::field::Sink;
use crate::golden_encoder::GoldenEncoder;
use crate::parameter::ParameterError;

/// Turns events into messages of N-Trace, bit for bit as the hardware does.
#[derive(Clone, Debug)]
pub struct Encoder {
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
        let Self { record_former, records, .. } = self;
        record_former.event(event, &mut |word| send(records, &word, sink));
        Ok(())
    }

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        let Self { record_former, records, .. } = self;
        record_former.flush(&mut |word| send(records, &word, sink));
        sink.align(self.word_bits);
    }
}

#[cold]
fn send<S: Sink>(records: &RecordSender, record: &Word, sink: &mut S) {
    records.send(record, sink);
}
