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
use crate::session::alone::{Known, Payloads, Say};

/// Turns events into messages of N-Trace, bit for bit as the hardware does.
#[derive(Clone, Debug)]
pub struct Encoder {
    record_former: RecordFormer,
    records: RecordSender,
    config: Box<Config>,
    /// The state at reset, as messages say it.
    reset_state: u64,
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
            config: Box::new(config.clone()),
            reset_state: config.process(&config.protocol.reset_state()),
        })
    }

    #[inline]
    fn pass<S: Sink>(&mut self, event: &Event, after: u64, sink: &mut S) {
        let Self { record_former, records, .. } = self;
        record_former.event(event, after, &mut |word| send(records, &word, sink));
    }
}

impl GoldenEncoder for Encoder {
    type Error = Infallible;

    #[inline]
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), Infallible> {
        self.pass(event, self.reset_state, sink);
        Ok(())
    }

    no_accesses!();

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        let Self { record_former, records, config, .. } = self;
        record_former.flush(&mut |word| send(records, &word, sink));
        sink.align(config.port.word_bits());
    }
}

impl Payloads for Encoder {
    fn known_event<S: Sink>(&mut self, event: &Event, known: &Known, sink: &mut S) {
        self.record_former.retire_at(known.time);
        self.pass(event, self.config.process(&known.state), sink);
    }

    fn say<S: Sink>(&mut self, what: Say, sink: &mut S) {
        let Self { record_former, records, config, .. } = self;
        match what {
            // All messages come with their event.
            Say::Due => {}
            Say::Request => record_former.request(),
            // The configuration has no filters without packets: no message says where a part ends.
            Say::Enter(_) | Say::LeaveOff => {}
            Say::Loss => record_former.lose(&mut |word| send(records, &word, sink)),
            Say::Nothing => record_former.discard(),
            Say::State(state) => record_former.pass(config.process(&state)),
            Say::Time(time) => record_former.retire_at(time),
        }
    }
}

#[cold]
fn send<S: Sink>(records: &RecordSender, record: &Word, sink: &mut S) {
    records.send(record, sink);
}
