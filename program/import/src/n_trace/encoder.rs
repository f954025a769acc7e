//! The parameters of an encoder.

use serde::{Deserialize, Serialize};

use tracewright_sim::config::mask;

use crate::e_trace::{PAYLOAD_BRANCHES, Problem};

/// The parameters of an encoder, by the names of the fields in RISC-V's Trace Control Interface where it has some.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
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
    /// Bits of an address that the encoder has, up to 64, the highest of which stands for those above it; 0: as many as the
    /// program has.
    pub address_width: u32,
    /// 1: a time that is not whole is the exclusive or with the time before; 0: the difference from it.
    pub timestamp_xor: u32,
    /// 1: PROCESS of Ownership is a number of the system's, which tells no privilege level and no context.
    pub plain_process: u32,
    /// Reasons of a synchronisation (SYNC) beside those of the standard, after which the execution goes on.
    pub sync_codes: Vec<u32>,
    /// Reasons of a ProgTraceSync that is a sample of the program counter, and of no execution.
    pub sample_codes: Vec<u32>,
    /// Kinds of messages (TCODE) beside those of the standard, which are of no execution and are passed over.
    pub passed_over: Vec<u32>,
    /// Branches that a message may stand for.
    pub payload_branches: u64,
    /// Bits of an address of the program, 32 or 64; 0: 64.
    #[serde(skip)]
    pub program_bits: u32,
}

impl Default for Encoder {
    fn default() -> Self {
        Encoder {
            source_bits: 0,
            extends_addresses: 0,
            infers_jumps: 0,
            time_bits: 0,
            taken_half_words: 0,
            address_width: 0,
            timestamp_xor: 0,
            plain_process: 0,
            sync_codes: Vec::new(),
            sample_codes: Vec::new(),
            passed_over: Vec::new(),
            payload_branches: PAYLOAD_BRANCHES,
            program_bits: 0,
        }
    }
}

impl Encoder {
    /// The names of all parameters.
    pub const NAMES: [&'static str; 12] = [
        "trTeSrcBits",
        "trTeInstExtendAddrMSB",
        "trTeInstEnSequentialJump",
        "trTsWidth",
        "taken_half_words",
        "address_width",
        "timestamp_xor",
        "plain_process",
        "sync_codes",
        "sample_codes",
        "passed_over",
        "payload_branches",
    ];

    /// SiFive's encoders of before the standard, which dqr reads.
    #[must_use]
    pub fn sifive() -> Self {
        // Messages that wait for each other, and samples.
        let (sync_codes, sample_codes) = (vec![11], vec![15]);
        Encoder {
            timestamp_xor: 1,
            plain_process: 1,
            sync_codes,
            sample_codes,
            ..Encoder::default()
        }
    }

    /// Bits of the time that are kept.
    pub(super) fn time_mask_bits(&self) -> u32 {
        if self.time_bits == 0 { 64 } else { self.time_bits }
    }

    /// The same for a program with addresses of so many bits.
    #[must_use]
    pub fn for_addresses(mut self, bits: u8) -> Self {
        self.program_bits = bits.into();
        self
    }

    /// True for a reason of a synchronisation that the standard does not have and this encoder sends.
    pub(super) fn has_sync_code(&self, code: u32) -> bool {
        self.sync_codes.contains(&code) || self.sample_codes.contains(&code)
    }

    /// Bits of an address of the program.
    pub(super) fn address_bits(&self) -> u32 {
        if self.program_bits == 0 { 64 } else { self.program_bits }
    }

    /// An address of the program by the bits of it that the encoder has.
    pub(super) fn extended(&self, address: u64) -> u64 {
        let all = self.address_bits();
        let width = if self.address_width == 0 { all } else { self.address_width.min(all) };
        let low = address & mask(width);
        let is_negative = low >> (width - 1) & 1 == 1;
        let upper = if is_negative { !mask(width) } else { 0 };
        (low | upper) & mask(all)
    }

    /// An address that was sent in so many bits, without its lowest one: whole, or what is different in it.
    pub(super) fn address(&self, sent: u64, bits: u32, is_whole: bool) -> u64 {
        let is_short = self.extends_addresses == 1 && (1..64).contains(&bits);
        let is_negative = is_short && sent >> (bits - 1) & 1 == 1;
        let address = (if is_negative { sent | !mask(bits) } else { sent }) << 1;
        if is_whole { self.extended(address) } else { address & mask(self.address_bits()) }
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// The first parameter that is out of its range.
    pub fn check(&self) -> Result<(), Problem> {
        let highest = |values: &[u32]| values.iter().copied().max().unwrap_or(0);
        for (name, value, most) in [
            ("trTeSrcBits", self.source_bits, 12),
            ("trTeInstExtendAddrMSB", self.extends_addresses, 1),
            ("trTeInstEnSequentialJump", self.infers_jumps, 1),
            ("trTsWidth", self.time_bits, 63),
            ("taken_half_words", self.taken_half_words, 2),
            ("address_width", self.address_width, 64),
            ("timestamp_xor", self.timestamp_xor, 1),
            ("plain_process", self.plain_process, 1),
            ("sync_codes", highest(&self.sync_codes), 15),
            ("sample_codes", highest(&self.sample_codes), 15),
            ("passed_over", highest(&self.passed_over), 62),
        ] {
            if value > most {
                return Err(Problem::Parameter { name, least: 0, most, value });
            }
        }
        Ok(())
    }
}
