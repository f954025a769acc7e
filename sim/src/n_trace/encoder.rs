//! The golden encoder: events in, trace bits out.

use std::convert::Infallible;

use super::config::Config;
use super::layout::Word;
use super::record_former::RecordFormer;
use crate::config::Protocol;
use crate::configuration::Configuration;
use crate::encode::record_sender::RecordSender;
use crate::event::{Event, ExecutionState};
use crate::field::Sink;
use crate::golden_encoder::{GoldenEncoder, Synchronisation};
use crate::parameter::ParameterError;

/// Turns events into messages of N-Trace, bit for bit as the hardware does.
#[derive(Clone, Debug)]
pub struct Encoder {
    record_former: RecordFormer,
    records: RecordSender,
    word_bits: u32,
    /// The configuration, if the trace says privilege level or context.
    telling: Option<Box<Config>>,
    /// The parameters that say what the time is, if the trace says it.
    timing: Option<Box<Protocol>>,
    /// The last event, whose state and time come after it.
    held: Option<Event>,
    /// In what the execution goes on.
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
            telling: config.tells_state().then(|| Box::new(config.clone())),
            timing: config.stamps().then(|| Box::new(config.protocol.clone())),
            held: None,
            state: config.process(&config.protocol.reset_state()),
        })
    }

    /// Encodes the last event, of which all is known.
    fn encode_held<S: Sink>(&mut self, sink: &mut S) {
        if let Some(event) = self.held.take() {
            self.pass(&event, sink);
        }
    }

    #[inline]
    fn pass<S: Sink>(&mut self, event: &Event, sink: &mut S) {
        let Self { record_former, records, state, .. } = self;
        record_former.event(event, *state, &mut |word| send(records, &word, sink));
    }
}

impl GoldenEncoder for Encoder {
    type Error = Infallible;

    #[inline]
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), Infallible> {
        if self.telling.is_none() && self.timing.is_none() {
            self.pass(event, sink);
            return Ok(());
        }
        self.encode_held(sink);
        self.held = Some(*event);
        Ok(())
    }

    fn state(&mut self, state: &ExecutionState) -> Result<(), Infallible> {
        let Some(config) = &self.telling else { return Ok(()) };
        self.state = config.process(state);
        if self.held.is_none() {
            self.record_former.pass(self.state);
        }
        Ok(())
    }

    fn time(&mut self, time: u64) {
        self.record_former.retire_at(time);
    }

    fn follow_time(&mut self) -> Protocol {
        self.timing.as_deref().cloned().unwrap_or_default()
    }

    fn settle<S: Sink>(&mut self, sink: &mut S) {
        self.encode_held(sink);
    }

    fn synchronise<S: Sink>(&mut self, _what: Synchronisation, sink: &mut S) {
        self.encode_held(sink);
        self.record_former.request();
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

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        self.encode_held(sink);
        let Self { record_former, records, .. } = self;
        record_former.flush(&mut |word| send(records, &word, sink));
        sink.align(self.word_bits);
    }
}

#[cold]
fn send<S: Sink>(records: &RecordSender, record: &Word, sink: &mut S) {
    records.send(record, sink);
}
