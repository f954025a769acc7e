//! The golden encoder: events in, trace bits out.

use std::convert::Infallible;

use super::config::Config;
use super::layout::Word;
use super::record_former::{After, RecordFormer};
use crate::config::mask;
use crate::configuration::Configuration;
use crate::encode::record_sender::RecordSender;
use crate::event::Event;
use crate::field::Sink;
use crate::golden_encoder::{GoldenEncoder, no_accesses};
use crate::packet::header::Next;
use crate::parameter::ParameterError;
use crate::session::alone::{Known, Payloads, Say};

/// Turns events into payloads of E-Trace, bit for bit as the hardware does.
#[derive(Clone, Debug)]
pub struct Encoder {
    record_former: RecordFormer,
    records: RecordSender,
    config: Box<Config>,
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
        })
    }

    #[inline]
    fn pass<S: Sink>(&mut self, event: &Event, after: After, sink: &mut S) {
        let Self { record_former, records, .. } = self;
        record_former.event(event, after, &mut |word| send(records, &word, sink));
    }
}

impl GoldenEncoder for Encoder {
    type Error = Infallible;

    #[inline]
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), Infallible> {
        self.pass(event, After::default(), sink);
        Ok(())
    }

    no_accesses!();

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        let Self { record_former, records, config } = self;
        record_former.flush(&mut |word| send(records, &word, sink));
        sink.align(config.port.word_bits());
    }
}

impl Payloads for Encoder {
    fn known_event<S: Sink>(&mut self, event: &Event, known: &Known, sink: &mut S) {
        let Self { config, .. } = self;
        let after = After {
            state: config.state(&known.state),
            cause: known.state.cause.map_or(0, |cause| config.cause(cause)),
            trap_value: known.trap_value & mask(config.trap_value_bits()),
            time: known.time & mask(config.time_bits()),
        };
        self.pass(event, after, sink);
    }

    fn say<S: Sink>(&mut self, what: Say, sink: &mut S) {
        let Self { record_former, records, config } = self;
        let record = &mut |word| send(records, &word, sink);
        match what {
            Say::Due => record_former.settle(record),
            Say::Request => record_former.request(),
            Say::Enter(Next::At(address)) => record_former.enter(address),
            // The pins do not say how long a branch is that is not taken.
            Say::Enter(Next::After(_)) => {}
            Say::LeaveOff => record_former.leave_off(record),
            Say::Loss => record_former.lose(record),
            Say::Nothing => record_former.discard(),
            Say::State(state) => record_former.pass(config.state(&state)),
            // Payloads have the time of their event.
            Say::Time(_) => {}
        }
    }
}

#[cold]
fn send<S: Sink>(records: &RecordSender, record: &Word, sink: &mut S) {
    records.send(record, sink);
}
