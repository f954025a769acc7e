//! What the coder sends of a block, stated once: code, a detour, an address, an escape.
//!
//! Most blocks send nothing. A block can send bits of its symbol's code, then ones where the code could otherwise
//! carry, and then a *detour* if the target is not the candidate: another candidate, or an address. An *escape* is a
//! code that no symbol has, for what is not a branch. All bits of the code go highest bit first, so that the words here
//! have them in reverse.

use super::config::Config;
use super::config::sizes::CHUNKS_BITS;
use super::range_coder::{Code, reversed};
use crate::config::{index_bits, mask};
use crate::encode::record::RecordFormat;
use crate::field::Sink;
use crate::record_word;

/// Fields of the trace.
pub mod fields {
    use crate::field::Field;

    /// A conditional branch.
    pub const OUTCOME: Field =
        Field { name: "outcome", doc: "code of a conditional branch: as predicted or not" };
    /// A return.
    pub const RETURN: Field =
        Field { name: "return", doc: "code of a return: to the address on the stack or not" };
    /// Another indirect branch.
    pub const INDIRECT: Field =
        Field { name: "indirect", doc: "code of another indirect branch: to its candidate or not" };
    /// The time of an event.
    pub const TIME: Field = Field { name: "time", doc: "code of the cycles between two events" };
    /// Ones.
    pub const CARRY: Field = Field {
        name: "carry",
        doc: "ones: the coder gives up the part of its range above a carry",
    };
    /// The end of the code before a detour.
    pub const DETOUR: Field = Field {
        name: "detour",
        doc: "end of the code; 1 for the other candidate, if there is one, or 0; then the chunks of an address after the first, in 3 bits; of an exception only these",
    };
    /// The highest code.
    pub const ESCAPE: Field =
        Field { name: "escape", doc: "the highest code and ones: no symbol has this code" };
    /// What an escape is.
    pub const ESCAPE_KIND: Field = Field {
        name: "escape_kind",
        doc: "0 flush, 1 exception, 2 instruction count overflow, 3 exception to the predicted target",
    };
    /// Instructions since the last symbol.
    pub const INSTRUCTION_COUNT: Field = Field {
        name: "instruction_count",
        doc: "instructions since the last symbol, or overflows",
    };
    /// A target.
    pub const ADDRESS: Field = Field {
        name: "address",
        doc: "target xor reference, from the lowest bit that the coder does not send itself",
    };
}

/// Bits that say whether the target is the other candidate.
pub const OTHER_BITS: u32 = 1;
/// Bits of an escape's kind.
pub const ESCAPE_KIND_BITS: u32 = 2;

/// What an escape says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Escape {
    /// All instructions up to the flush were sent; the trace is padded to a trace word.
    Flush = 0,
    /// An exception, whose target follows.
    Exception = 1,
    /// How often half of the instruction counter's range was taken off the counter since the last symbol: said before
    /// another escape, or as 0 where the count of it leaves its range.
    InstructionCountOverflow = 2,
    /// An exception to the predicted target, so few instructions after the last symbol that the coder holds their number
    /// back.
    PredictedException = 3,
}

impl Escape {
    /// The escape with the code of these lowest bits.
    pub fn from_code(code: u64) -> Self {
        match code & mask(ESCAPE_KIND_BITS) {
            0 => Escape::Flush,
            1 => Escape::Exception,
            2 => Escape::InstructionCountOverflow,
            _ => Escape::PredictedException,
        }
    }
}

record_word! {
    /// What one step of the coder sends.
    pub struct Word {
        flags {
            /// The trace is filled up after this.
            flush,
            /// Bits of a symbol's code.
            sends_code,
            /// Ones after them.
            sends_carry,
            /// A detour.
            sends_detour,
            /// An escape.
            sends_escape,
            /// The number of an escape, where the coder does not hold it back.
            sends_count,
            /// A target.
            sends_address,
        }
        values {
            /// Bits of a symbol's code, the first one lowest.
            code: u64,
            /// How many they are.
            code_bits: u64,
            /// Ones.
            ones: u64,
            /// How many they are.
            carry_bits: u64,
            /// End of the code and the detour's value, the first bit lowest; the chunks of an exception's target.
            detour: u64,
            /// How many bits they are.
            detour_bits: u64,
            /// The highest code, the first bit lowest, then ones and what the escape says.
            escape: u64,
            /// Instructions since the last symbol, or overflows.
            count: u64,
            /// The target's bits but those that the coder still sends.
            address: u64,
            /// How many they are.
            address_bits: u64,
        }
    }
}

impl Word {
    /// What a symbol sends.
    #[inline]
    pub fn code(code: Code) -> Self {
        Word {
            sends_code: code.count > 0,
            code: reversed(code.bits, code.count),
            code_bits: code.count.into(),
            sends_carry: code.ones > 0,
            ones: mask(code.ones),
            carry_bits: code.ones.into(),
            ..Word::default()
        }
    }
}

impl Code {
    /// Sends the code of an outcome as a whole record: what a [`Word::code`] is packed for and taken apart again, but nine
    /// records in ten are this one.
    #[inline(never)]
    pub fn send<S: Sink>(self, sink: &mut S) {
        sink.put(&fields::OUTCOME, reversed(self.bits, self.count), self.count);
        if self.ones > 0 {
            sink.put(&fields::CARRY, mask(self.ones), self.ones);
        }
        sink.end_record();
    }
}

impl Config {
    /// Bits of a symbol's code at most.
    pub fn code_bits(&self) -> u32 {
        self.most_confidence + 1
    }

    /// Bits of a detour at most: those that the coder holds back, two to end the code, and its value.
    pub fn detour_bits(&self) -> u32 {
        self.guard_bits + 2 + OTHER_BITS + CHUNKS_BITS
    }

    /// Bits of the highest code and the ones after it.
    pub fn escape_code_bits(&self) -> u32 {
        self.low_bits() + self.escape_ones
    }

    /// Bits of a target at most that are sent before the coder restarts.
    pub fn sent_address_bits(&self) -> u32 {
        self.processor.instruction_address_bits() - self.guard_bits
    }

    /// What the coder sends.
    pub fn format(&self) -> RecordFormat {
        let size = |most: u32| index_bits(most + 1);
        RecordFormat::new(&[
            "flush",
            "sends_code",
            "sends_carry",
            "sends_escape",
            "sends_count",
            "sends_detour",
            "sends_address",
        ])
        .value("code", self.code_bits())
        .value("code_bits", size(self.code_bits()))
        .value("ones", self.range_bits)
        .value("carry_bits", size(self.range_bits))
        .value("escape", self.escape_code_bits() + ESCAPE_KIND_BITS)
        .value("count", self.instruction_count_bits)
        .value("detour", self.detour_bits())
        .value("detour_bits", size(self.detour_bits()))
        .value("address", self.sent_address_bits())
        .value("address_bits", size(self.sent_address_bits()))
        .sized(fields::OUTCOME, "sends_code", "code", "code_bits")
        .sized(fields::CARRY, "sends_carry", "ones", "carry_bits")
        .plain(
            [
                fields::ESCAPE.low(self.escape_code_bits()),
                fields::ESCAPE_KIND.low(ESCAPE_KIND_BITS),
            ],
            "sends_escape",
            "escape",
        )
        .plain(fields::INSTRUCTION_COUNT, "sends_count", "count")
        .sized(fields::DETOUR, "sends_detour", "detour", "detour_bits")
        .sized(fields::ADDRESS, "sends_address", "address", "address_bits")
    }
}
