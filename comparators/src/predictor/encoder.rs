//! Events into symbols.

use tracewright_sim::event::{Event, Kind};
use tracewright_sim::field::{Field, Sink};

use super::code::{
    DirectTargets, END, EXCEPTION, MOST_COUNT_BITS, NOTHING_WRONG, SAME_HANDLER, TargetBits,
    WIDTH_BITS, is_silent,
};
use super::range_coder;
use super::{Branch, MOST_CONFIDENT, Prediction, Predictor, Tables};
use crate::{Core, Encode, EncodeError};

/// What the bits say.
pub const FIELDS: [Field; 4] = [
    Field { name: "outcome", doc: "conditional branches" },
    Field { name: "target", doc: "indirect branches" },
    Field { name: "exception", doc: "where exceptions are, and their handlers" },
    Field { name: "no_exception", doc: "that no exception comes before a branch, and the end" },
];

const OUTCOME: usize = 0;
const TARGET: usize = 1;
const OF_EXCEPTION: usize = 2;
const NO_EXCEPTION: usize = 3;

/// Bits of each of the [`FIELDS`], fractions of one where something is predicted.
pub type Costs = [f64; FIELDS.len()];

/// Bits of a symbol.
fn cost(wrong: bool, confidence: u32) -> f64 {
    if wrong { confidence.into() } else { -(1.0 - (-f64::from(confidence)).exp2()).log2() }
}

/// The bits of a code, and what they were spent for.
struct Output {
    coder: range_coder::Encoder,
    /// Bits that were spent for each field.
    spent: Costs,
    /// Bits of each field that were not yet counted in the sink.
    owed: Costs,
}

impl Output {
    /// The field that a byte of the code is counted for: the one with the most bits that are not yet counted.
    fn send(owed: &mut Costs, byte: u8, sink: &mut dyn Sink) {
        let most =
            (1..FIELDS.len()).fold(0, |most, one| if owed[one] > owed[most] { one } else { most });
        owed[most] -= 8.0;
        sink.put(&FIELDS[most], byte.into(), 8);
    }

    #[inline]
    fn spend(&mut self, field: usize, bits: f64) {
        self.spent[field] += bits;
        self.owed[field] += bits;
    }

    #[inline]
    fn symbol(&mut self, field: usize, wrong: bool, confidence: u32, sink: &mut dyn Sink) {
        self.spend(field, cost(wrong, confidence));
        let owed = &mut self.owed;
        self.coder.symbol(wrong, confidence, &mut |byte| Self::send(owed, byte, sink));
    }

    fn number(&mut self, field: usize, value: u64, bits: u32, sink: &mut dyn Sink) {
        self.spend(field, bits.into());
        let owed = &mut self.owed;
        self.coder.number(value, bits, &mut |byte| Self::send(owed, byte, sink));
    }
}

/// The encoder of a predictor.
pub struct ModelEncoder {
    predictor: Box<dyn Predictor>,
    tables: Tables,
    target_bits: TargetBits,
    direct: DirectTargets,
    handler: u64,
    output: Output,
    events: u64,
}

impl ModelEncoder {
    /// At the start of a trace.
    pub(super) fn new(core: &Core, predictor: Box<dyn Predictor>, tables: Tables) -> Self {
        let (spent, owed) = (Costs::default(), Costs::default());
        Self {
            predictor,
            tables,
            target_bits: TargetBits::of(core),
            direct: DirectTargets::default(),
            handler: 0,
            output: Output { coder: range_coder::Encoder::new(), spent, owed },
            events: 0,
        }
    }

    /// Bits of each field so far.
    pub fn spent(&self) -> Costs {
        self.output.spent
    }

    fn exception(&mut self, event: &Event, sink: &mut dyn Sink) {
        let Event { instructions, target, .. } = *event;
        let wrong = target != self.handler;
        let width = u64::BITS - instructions.leading_zeros();
        let (output, bits) = (&mut self.output, self.target_bits);
        output.symbol(OF_EXCEPTION, true, NOTHING_WRONG, sink);
        output.number(OF_EXCEPTION, EXCEPTION, 1, sink);
        output.number(OF_EXCEPTION, width.into(), WIDTH_BITS, sink);
        output.number(OF_EXCEPTION, instructions, width, sink);
        output.symbol(OF_EXCEPTION, wrong, SAME_HANDLER, sink);
        if wrong {
            output.number(OF_EXCEPTION, target >> bits.shift, bits.count, sink);
        }
        self.handler = target;
    }

    /// Sends what a branch did, as far as it is not as predicted.
    fn outcome(&mut self, event: &Event, prediction: Prediction, sink: &mut dyn Sink) {
        let Event { kind, taken, target, .. } = *event;
        let wrong = !prediction.is_right(kind, taken, target);
        let field = if kind == Kind::DirectConditional { OUTCOME } else { TARGET };
        let (output, bits) = (&mut self.output, self.target_bits);
        output.symbol(field, wrong, prediction.confidence, sink);
        if wrong && kind == Kind::IndirectConditional {
            output.number(field, taken.into(), 1, sink);
        }
        if wrong && taken && kind.is_indirect() {
            output.number(field, target >> bits.shift, bits.count, sink);
        }
    }
}

impl Encode for ModelEncoder {
    fn event(&mut self, event: &Event, sink: &mut dyn Sink) -> Result<(), EncodeError> {
        let Event { instructions, program_counter, target, kind, call, is_return, taken, .. } =
            *event;
        self.events += 1;
        if kind == Kind::Exception && taken {
            if instructions >> MOST_COUNT_BITS != 0 {
                return Err(EncodeError::TooLong { event: self.events - 1 });
            }
            self.exception(event, sink);
            return Ok(());
        }
        self.output.symbol(NO_EXCEPTION, false, NOTHING_WRONG, sink);
        let length = if call { event.length } else { 0 };
        let branch =
            Branch { program_counter, instructions, kind, call, is_return, length, target: None };
        let branch = self.direct.complete(branch);
        if !is_silent(kind) {
            let prediction = self.predictor.predict(&branch);
            check(prediction)?;
            self.outcome(event, prediction, sink);
        }
        self.predictor.learn(&branch, taken, target);
        self.direct.learn(&branch, taken, target);
        Ok(())
    }

    fn finish(&mut self, sink: &mut dyn Sink) -> Result<(), EncodeError> {
        self.predictor
            .check()
            .and_then(|()| self.tables.check())
            .map_err(EncodeError::Predictor)?;
        self.output.symbol(NO_EXCEPTION, true, NOTHING_WRONG, sink);
        self.output.number(NO_EXCEPTION, END, 1, sink);
        let Output { coder, owed, .. } = &mut self.output;
        coder.finish(&mut |byte| Output::send(owed, byte, sink));
        sink.end_record();
        Ok(())
    }
}

/// Checks the confidence of a prediction.
pub(super) fn check(prediction: Prediction) -> Result<(), EncodeError> {
    match prediction.confidence {
        1..=MOST_CONFIDENT => Ok(()),
        other => Err(EncodeError::Predictor(format!(
            "expected a confidence from 1 to {MOST_CONFIDENT}, found {other}"
        ))),
    }
}
