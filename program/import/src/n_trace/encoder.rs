//! The parameters of an encoder.

use serde::{Deserialize, Serialize};

use crate::e_trace::Problem;

/// The parameters of an encoder, by the names of the fields in RISC-V's Trace Control Interface where it has some.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Encoder {
    /// Bits of the source in a message, up to 12; 0: none is sent.
    #[serde(rename = "trTeSrcBits")]
    pub source_bits: u32,
    /// 1: the highest bit of an address that is sent stands for those above it.
    #[serde(rename = "trTeInstExtendAddrMSB")]
    pub extends_addresses: u32,
    /// 1: targets of jumps that follow from the instruction before are not sent.
    #[serde(rename = "trTeInstEnSequentialJump")]
    pub infers_jumps: u32,
    /// Bits of the time, after which it begins at 0 again; 0 stands for 64, which do not end.
    #[serde(rename = "trTsWidth")]
    pub time_bits: u32,
    /// Half-words that a branch or jump counts that is taken and is no call, and an instruction before an exception or the
    /// end; 0: as many as it has.
    pub taken_half_words: u32,
    /// Bits of an address, 32 or 64; 0 stands for those of the program.
    #[serde(skip)]
    pub address_bits: u32,
}

impl Encoder {
    /// The names of all parameters.
    pub const NAMES: [&'static str; 5] = [
        "trTeSrcBits",
        "trTeInstExtendAddrMSB",
        "trTeInstEnSequentialJump",
        "trTsWidth",
        "taken_half_words",
    ];

    /// Bits of the time that are kept.
    pub(super) fn time_mask_bits(&self) -> u32 {
        if self.time_bits == 0 { 64 } else { self.time_bits }
    }

    /// The same for a program with addresses of so many bits.
    #[must_use]
    pub fn for_addresses(mut self, bits: u8) -> Self {
        self.address_bits = bits.into();
        self
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// The first parameter that is out of its range.
    pub fn check(&self) -> Result<(), Problem> {
        let values = [
            self.source_bits,
            self.extends_addresses,
            self.infers_jumps,
            self.time_bits,
            self.taken_half_words,
        ];
        for ((name, value), most) in Self::NAMES.into_iter().zip(values).zip([12, 1, 1, 63, 2]) {
            if value > most {
                return Err(Problem::Parameter { name, least: 0, most, value });
            }
        }
        Ok(())
    }
}
