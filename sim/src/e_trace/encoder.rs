//! The golden encoder: events in, trace bits out.

use std::convert::Infallible;

use super::config::Config;
use super::layout::Word;
use super::record_former::{After, RecordFormer};
use crate::config::{Protocol, mask};
use crate::configuration::Configuration;
use crate::encode::record_sender::RecordSender;
use crate::event::{Event, ExecutionState};
use crate::field::Sink;
use crate::golden_encoder::{GoldenEncoder, Synchronisation};
use crate::packet::header::Next;
use crate::parameter::ParameterError;

/// Turns events into payloads of E-Trace, bit for bit as the hardware does.
#[derive(Clone, Debug)]
pub struct Encoder {
    record_former: RecordFormer,
    records: RecordSender,
    word_bits: u32,
    /// The configuration, if the trace says privilege level, context, cause or time.
    telling: Option<Box<Config>>,
    /// The last event, whose state and time come after it.
    held: Option<(Event, After)>,
    /// Privilege level and context in which the execution goes on.
    state: u64,
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
            telling: (config.tells_state() || config.tells_cause() || config.tells_time())
                .then(|| Box::new(config.clone())),
            held: None,
            state: config.reset_state(),
        })
    }

    /// Encodes the last event, of which all is known.
    fn encode_held<S: Sink>(&mut self, sink: &mut S) {
        if let Some((event, after)) = self.held.take() {
            self.pass(&event, after, sink);
        }
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
        if self.telling.is_none() {
            self.pass(event, After::default(), sink);
            return Ok(());
        }
        self.encode_held(sink);
        self.held = Some((*event, After { state: self.state, ..After::default() }));
        Ok(())
    }

    fn state(&mut self, state: &ExecutionState) -> Result<(), Infallible> {
        let Some(config) = &self.telling else { return Ok(()) };
        self.state = config.state(state);
        match &mut self.held {
            Some((_, after)) => {
                let cause = state.cause.map_or(0, |cause| config.cause(cause));
                *after = After { state: self.state, cause, ..*after };
            }
            None => self.record_former.pass(self.state),
        }
        Ok(())
    }

    fn trap_value(&mut self, value: u64) {
        if let (Some(config), Some((_, after))) = (&self.telling, &mut self.held) {
            after.trap_value = value & mask(config.trap_value_bits());
        }
    }

    fn time(&mut self, time: u64) {
        if let (Some(config), Some((_, after))) = (&self.telling, &mut self.held) {
            after.time = time & mask(config.time_bits());
        }
    }

    fn follow_time(&mut self) -> Protocol {
        let timed = self.telling.as_ref().filter(|config| config.tells_time());
        timed.map_or_else(Protocol::default, |config| config.protocol.clone())
    }

    fn settle<S: Sink>(&mut self, sink: &mut S) {
        self.encode_held(sink);
        let Self { record_former, records, .. } = self;
        record_former.settle(&mut |word| send(records, &word, sink));
    }

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        self.encode_held(sink);
        let Self { record_former, records, .. } = self;
        record_former.flush(&mut |word| send(records, &word, sink));
        sink.align(self.word_bits);
    }

    fn leave_off<S: Sink>(&mut self, sink: &mut S) {
        self.encode_held(sink);
        let Self { record_former, records, .. } = self;
        record_former.leave_off(&mut |word| send(records, &word, sink));
    }

    fn synchronise<S: Sink>(&mut self, what: Synchronisation, sink: &mut S) {
        self.encode_held(sink);
        match what {
            Synchronisation::AfterLoss { next: Next::At(address), .. } => {
                self.record_former.enter(address);
            }
            // The pins do not say how long a branch is that is not taken.
            Synchronisation::AfterLoss { .. } => {}
            _ => self.record_former.request(),
        }
    }

    /// Blocks are lost from here on.
    fn end_packet<S: Sink>(&mut self, sink: &mut S) {
        self.encode_held(sink);
        let Self { record_former, records, .. } = self;
        record_former.lose(&mut |word| send(records, &word, sink));
    }

    fn discard(&mut self) {
        self.record_former.discard();
    }
}

#[cold]
fn send<S: Sink>(records: &RecordSender, record: &Word, sink: &mut S) {
    records.send(record, sink);
}
