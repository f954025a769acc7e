//! The limit: the length of an ideal adaptive code.
//!
//! It is the sum of -log2 of the probability that a large adaptive model gave each outcome and each target before it
//! saw it. The model has megabytes of tables and floating point, starts with nothing learned, and is no hardware. No
//! bits are made, so nothing decodes them; an arithmetic coder would make that many, and less than one more. It is what
//! this model achieves, so a better one may stay below it.

mod outcomes;
mod targets;

use tracewright_sim::event::{Event, Kind};
use tracewright_sim::field::{Field, Sink};

use crate::{Core, Encode, EncodeError};
use outcomes::Outcomes;
use targets::Targets;

const OUTCOMES: Field = Field { name: "outcomes", doc: "outcomes of conditional branches" };
const TARGETS: Field = Field { name: "targets", doc: "targets of indirect branches" };
const EXCEPTIONS: Field =
    Field { name: "exceptions", doc: "where exceptions are, and their handlers" };

/// Bits of an address that was never seen.
const NEW_ADDRESS_BITS: f64 = 20.0;

/// Whole bits out of fractions.
#[derive(Default)]
struct Length {
    bits: f64,
    sent: u64,
}

impl Length {
    fn add(&mut self, field: &Field, bits: f64, sink: &mut dyn Sink) {
        self.bits += bits;
        self.send(field, self.bits as u64, sink);
    }

    fn send(&mut self, field: &Field, whole: u64, sink: &mut dyn Sink) {
        while self.sent < whole {
            let count = (whole - self.sent).min(64);
            sink.put(field, 0, count as u32);
            self.sent += count;
        }
    }
}

struct Encoder {
    outcomes: Outcomes,
    targets: Targets,
    outcome_length: Length,
    target_length: Length,
    exception_length: Length,
    /// Instructions since the last exception.
    instructions: u64,
}

/// The limit at the start of a trace.
///
/// # Errors
/// Never.
pub fn encoder(_: &Core) -> Result<Box<dyn Encode>, EncodeError> {
    Ok(Box::new(Encoder {
        outcomes: Outcomes::new(),
        targets: Targets::default(),
        outcome_length: Length::default(),
        target_length: Length::default(),
        exception_length: Length::default(),
        instructions: 0,
    }))
}

impl Encode for Encoder {
    fn event(&mut self, event: &Event, sink: &mut dyn Sink) -> Result<(), EncodeError> {
        let Event { instructions, program_counter, target, kind, taken, .. } = *event;
        self.instructions += instructions;
        if kind == Kind::Exception {
            if taken {
                // A number without a bound takes about twice its logarithm.
                let place = 1.0 + 2.0 * (self.instructions as f64 + 1.0).log2();
                self.exception_length.add(&EXCEPTIONS, place + NEW_ADDRESS_BITS, sink);
                self.instructions = 0;
            }
            return Ok(());
        }
        if kind.is_conditional() {
            let bits = self.outcomes.code(program_counter, taken);
            self.outcome_length.add(&OUTCOMES, bits, sink);
        }
        if kind.is_indirect() && taken {
            let bits = self.targets.code(event);
            self.target_length.add(&TARGETS, bits, sink);
            self.outcomes.path(target);
        }
        self.targets.call(event);
        Ok(())
    }

    fn finish(&mut self, sink: &mut dyn Sink) -> Result<(), EncodeError> {
        for (length, field) in [
            (&mut self.outcome_length, OUTCOMES),
            (&mut self.target_length, TARGETS),
            (&mut self.exception_length, EXCEPTIONS),
        ] {
            let whole = length.bits.ceil() as u64;
            length.send(&field, whole, sink);
        }
        sink.end_record();
        Ok(())
    }
}
