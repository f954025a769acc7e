//! What the coder sends of an access, stated once: code, a miss with its address, the escape that ends the trace.
//!
//! Most accesses send nothing. An access can send bits of its symbol's code, then ones where the code could otherwise
//! carry, and then, if it is not where it was predicted, the end of the code and the address. All bits of the code go
//! highest bit first, so that the words here have them in reverse.

use super::config::Config;
use crate::config::index_bits;
use crate::encode::record::RecordFormat;
use crate::record_word;
use crate::talon::range_coder::Code;

/// Fields of the trace.
pub mod fields {
    use crate::field::Field;

    /// A symbol.
    pub const ACCESS: Field =
        Field { name: "access", doc: "code of an access: as predicted or not" };
    /// Ones.
    pub const CARRY: Field = Field {
        name: "carry",
        doc: "ones: the coder gives up the part of its range above a carry",
    };
    /// The end of the code before an address.
    pub const MISS: Field =
        Field { name: "miss", doc: "end of the code, after which the address follows" };
    /// A data address.
    pub const ADDRESS: Field = Field {
        name: "address",
        doc: "address xor reference, from the lowest bit that the coder does not hold back",
    };
    /// The highest code.
    pub const ESCAPE: Field =
        Field { name: "escape", doc: "the highest code and ones: no symbol has this code" };
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
            /// The end of the code, and an address.
            sends_miss,
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
            /// End of the code, the first bit lowest.
            miss: u64,
            /// The difference of the address from its reference, but for the bits that the coder holds back.
            address: u64,
            /// The highest code, the first bit lowest, then ones.
            escape: u64,
        }
    }
}

impl Word {
    /// What a symbol sends.
    #[inline]
    pub fn code(code: Code) -> Self {
        let sent = crate::talon::layout::Word::code(code);
        Word {
            sends_code: sent.sends_code,
            code: sent.code,
            code_bits: sent.code_bits,
            sends_carry: sent.sends_carry,
            ones: sent.ones,
            carry_bits: sent.carry_bits,
            ..Word::default()
        }
    }
}

impl Config {
    /// Bits of the end of the code: those that the coder holds back, and two more.
    pub fn miss_bits(&self) -> u32 {
        self.guard_bits + 2
    }

    /// What the coder sends.
    pub fn format(&self) -> RecordFormat {
        let size = |most: u32| index_bits(most + 1);
        let (coder, chunks) = (self.coder(), self.chunks());
        RecordFormat::new(&["flush", "sends_code", "sends_carry", "sends_miss"])
            .value("code", coder.code_bits())
            .value("code_bits", size(coder.code_bits()))
            .value("ones", self.range_bits)
            .value("carry_bits", size(self.range_bits))
            .value("miss", self.miss_bits())
            .value("address", chunks.width)
            .value("escape", coder.escape_code_bits())
            .sized(fields::ACCESS, "sends_code", "code", "code_bits")
            .sized(fields::CARRY, "sends_carry", "ones", "carry_bits")
            .plain(fields::MISS, "sends_miss", "miss")
            .chunks(fields::ADDRESS, "sends_miss", "address", chunks)
            .plain(fields::ESCAPE, "flush", "escape")
    }
}
