//! The golden encoder: events in, trace bits out.

use std::convert::Infallible;

use super::config::Config;
use super::layout::{Word, record_format};
use super::predictors::{Prediction, Predictors};
use super::record_former::RecordFormer;
use super::target_predictor::TargetPrediction;
use crate::configuration::Configuration;
use crate::encode::record_sender::RecordSender;
use crate::event::{Event, Kind};
use crate::field::Sink;
use crate::golden_encoder::{GoldenEncoder, no_accesses};
use crate::parameter::ParameterError;

/// Turns events into T-raptor's trace, bit for bit as the hardware does.
#[derive(Clone, Debug)]
pub struct Encoder {
    predictors: Predictors,
    record_former: RecordFormer,
    records: RecordSender,
    outcome_bit_for_jumps: bool,
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
            predictors: Predictors::new(config),
            record_former: RecordFormer::new(config),
            records: RecordSender::new::<Word>(&record_format(config, false)),
            outcome_bit_for_jumps: config.outcome_bit_for_jumps,
            word_bits: config.port.word_bits(),
        })
    }
}

impl GoldenEncoder for Encoder {
    type Error = Infallible;

    #[inline]
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), Infallible> {
        let Self { predictors, record_former, .. } = self;
        if predictors.foresee(event) && record_former.pass(event) {
            let target = TargetPrediction::default();
            predictors.update(event, &Prediction { taken: event.taken, target });
            return Ok(());
        }
        self.other_event(event, sink);
        Ok(())
    }

    no_accesses!();

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        let Self { record_former, records, .. } = self;
        record_former.flush(|head, body| {
            send(records, &Word::new(head, Kind::Exception, body, false), sink);
        });
        sink.align(self.word_bits);
    }
}

impl Encoder {
    /// Any event: one of which a record may come, or that has a target to learn.
    #[inline(never)]
    fn other_event<S: Sink>(&mut self, event: &Event, sink: &mut S) {
        let Self { predictors, record_former, records, outcome_bit_for_jumps, .. } = self;
        let mut record = |head, body| {
            send(records, &Word::new(head, event.kind, body, *outcome_bit_for_jumps), sink);
        };
        if event.kind == Kind::Exception && !event.taken {
            return record_former.sequential(event.instructions, record);
        }
        let prediction = predictors.predict(event.program_counter, event.kind, event.is_return);
        record_former.control_flow(event, &prediction, &mut record);
        predictors.update(event, &prediction);
    }
}

#[cold]
fn send<S: Sink>(records: &RecordSender, record: &Word, sink: &mut S) {
    records.send(record, sink);
}
