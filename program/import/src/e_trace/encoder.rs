//! The parameters of an encoder.

use serde::{Deserialize, Serialize};

use super::decoder::PAYLOAD_BRANCHES;
use super::error::Problem;

/// An option of an encoder that a support payload may switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OptionName {
    /// Returns to the address that a call left are not sent.
    ImplicitReturn,
    /// Addresses of handlers that follow from the cause are not sent. Such a trace is refused.
    ImplicitException,
    /// Addresses are sent whole.
    FullAddress,
    /// Addresses are sent as differences, whatever the one before says.
    DeltaAddress,
    /// Targets that are in a table are sent as its index.
    JumpTargetCache,
    /// Branches that a table predicts are counted.
    BranchPrediction,
    /// Targets of jumps that follow from the instruction before are not sent.
    Sijump,
}

impl OptionName {
    /// The name as a file of parameters has it.
    pub fn name(self) -> &'static str {
        match self {
            OptionName::ImplicitReturn => "implicit_return",
            OptionName::ImplicitException => "implicit_exception",
            OptionName::FullAddress => "full_address",
            OptionName::DeltaAddress => "delta_address",
            OptionName::JumpTargetCache => "jump_target_cache",
            OptionName::BranchPrediction => "branch_prediction",
            OptionName::Sijump => "sijump",
        }
    }
}

/// The parameters of an encoder, by the names of the E-Trace specification where it has some. Widths are in bits.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Encoder {
    /// Width of an instruction address, 2 to 64; 0 stands for that of the program.
    pub iaddress_width_p: u32,
    /// Lowest bit of an address that is sent: 1 with compressed instructions, else 2.
    pub iaddress_lsb_p: u32,
    /// Width of a cause.
    pub ecause_width_p: u32,
    /// Width of a privilege level, up to 3.
    pub privilege_width_p: u32,
    /// Width of a context, up to 64.
    pub context_width_p: u32,
    /// 1: no context is sent.
    pub nocontext_p: u32,
    /// Width of a time, up to 64.
    pub time_width_p: u32,
    /// 1: no time is sent.
    pub notime_p: u32,
    /// Binary logarithm of the entries of the stack of return addresses; 0: none.
    pub return_stack_size_p: u32,
    /// Width of the counter of nested calls; 0: none.
    pub call_counter_size_p: u32,
    /// Binary logarithm of the entries of the branch predictor; 0: none.
    pub bpred_size_p: u32,
    /// Binary logarithm of the entries of the jump target cache; 0: none.
    pub cache_size_p: u32,
    /// Width of the subformat of format 0; without it, 1 for an encoder with branch predictor and jump target cache, else
    /// 0.
    pub f0s_width_p: Option<u32>,
    /// 1: targets of jumps that follow from the instruction before are not sent.
    pub sijump_p: u32,
    /// 1: addresses are sent whole until a support payload says otherwise.
    pub full_address: u32,
    /// Width of `encoder_mode` in a support payload, up to 8.
    pub encoder_mode_n: u32,
    /// What the bits of `ioptions` in a support payload are, the lowest first.
    pub ioptions: Vec<OptionName>,
    /// Width of the source of a payload, up to 16; 0: none is sent.
    pub source_id_width: u32,
    /// Width of the type of a payload, up to 2; 0: there are only payloads of instructions.
    pub type_width: u32,
    /// The type of payloads of instructions; the others are passed over.
    pub instruction_type: u32,
    /// Bytes of the time stamp after a header whose highest bit is set, up to 8.
    pub timestamp_bytes: u32,
    /// Bytes of a block in which a payload is, with its header in the last byte; 0: payloads follow each other.
    pub block_bytes: u32,
    /// 1: an address is as many whole bytes as it needs and one bit, and the fields after it come then; 0: it is whole, and
    /// the payload is shortened at its end.
    pub address_in_bytes: u32,
    /// 1: a start at the instruction that was reported last tells it once more; 0: it is the next one, or the same another
    /// time.
    pub start_repeats: u32,
    /// Branches that a payload may stand for.
    pub payload_branches: u64,
    /// Bytes of a payload's number after its header, up to 4; 0: payloads have none.
    pub number_bytes: u32,
    /// 1: the length counts the header, and what stands between it and the payload.
    pub whole_length: u32,
    /// 1: bits 5 and 6 of the header are the type of the payload.
    pub type_in_header: u32,
    /// 1: the time stamp comes before the source, which is of whole bytes.
    pub time_first: u32,
    /// 1: a trap is as in version 1 of the standard, without `thaddr` and always with `tvalepc`.
    pub trap_version: u32,
}

impl Default for Encoder {
    fn default() -> Self {
        use OptionName::{
            BranchPrediction, FullAddress, ImplicitException, ImplicitReturn, JumpTargetCache,
        };
        Encoder {
            iaddress_width_p: 0,
            iaddress_lsb_p: 1,
            ecause_width_p: 6,
            privilege_width_p: 2,
            context_width_p: 1,
            nocontext_p: 1,
            time_width_p: 1,
            notime_p: 1,
            return_stack_size_p: 0,
            call_counter_size_p: 0,
            bpred_size_p: 0,
            cache_size_p: 0,
            f0s_width_p: None,
            sijump_p: 0,
            full_address: 0,
            encoder_mode_n: 1,
            // The order of the specification's reference flow.
            ioptions: vec![
                ImplicitReturn,
                ImplicitException,
                FullAddress,
                JumpTargetCache,
                BranchPrediction,
            ],
            source_id_width: 0,
            type_width: 0,
            instruction_type: 0,
            timestamp_bytes: 0,
            block_bytes: 0,
            address_in_bytes: 0,
            start_repeats: 0,
            payload_branches: PAYLOAD_BRANCHES,
            number_bytes: 0,
            whole_length: 0,
            type_in_header: 0,
            time_first: 0,
            trap_version: 2,
        }
    }
}

impl Encoder {
    /// The names of all parameters.
    pub const NAMES: [&'static str; 30] = [
        "iaddress_width_p",
        "iaddress_lsb_p",
        "ecause_width_p",
        "privilege_width_p",
        "context_width_p",
        "nocontext_p",
        "time_width_p",
        "notime_p",
        "return_stack_size_p",
        "call_counter_size_p",
        "bpred_size_p",
        "cache_size_p",
        "f0s_width_p",
        "sijump_p",
        "full_address",
        "encoder_mode_n",
        "ioptions",
        "source_id_width",
        "type_width",
        "instruction_type",
        "timestamp_bytes",
        "block_bytes",
        "address_in_bytes",
        "start_repeats",
        "payload_branches",
        "number_bytes",
        "whole_length",
        "type_in_header",
        "time_first",
        "trap_version",
    ];

    /// rv_tracer, which traces the CVA6 of the PULP platform.
    #[must_use]
    pub fn rv_tracer() -> Self {
        use OptionName::{
            BranchPrediction, DeltaAddress, FullAddress, ImplicitException, ImplicitReturn,
            JumpTargetCache, Sijump,
        };
        Encoder {
            iaddress_lsb_p: 0,
            ecause_width_p: 64,
            ioptions: vec![
                JumpTargetCache,
                BranchPrediction,
                ImplicitReturn,
                Sijump,
                ImplicitException,
                FullAddress,
                DeltaAddress,
            ],
            timestamp_bytes: 8,
            block_bytes: 40,
            address_in_bytes: 1,
            start_repeats: 1,
            ..Encoder::default()
        }
    }

    /// The trace unit of the ESP32-C6, the ESP32-H2 and their like.
    #[must_use]
    pub fn esp32() -> Self {
        Encoder {
            iaddress_width_p: 32,
            ecause_width_p: 5,
            privilege_width_p: 1,
            full_address: 1,
            encoder_mode_n: 0,
            ioptions: Vec::new(),
            number_bytes: 2,
            whole_length: 1,
            trap_version: 1,
            ..Encoder::default()
        }
    }

    /// Payloads in messages of Siemens' infrastructure, of which types 2 and 3 are of instructions and of data.
    #[must_use]
    pub fn siemens() -> Self {
        Encoder {
            instruction_type: 2,
            timestamp_bytes: 2,
            type_in_header: 1,
            time_first: 1,
            ..Encoder::default()
        }
    }

    /// The same for a program with addresses of so many bits, where the width of an address is not given.
    #[must_use]
    pub fn for_addresses(mut self, bits: u8) -> Self {
        if self.iaddress_width_p == 0 {
            self.iaddress_width_p = bits.into();
        }
        self
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// The first parameter that is out of its range.
    pub fn check(&self) -> Result<(), Problem> {
        let address_least = if self.iaddress_width_p == 0 { 0 } else { self.iaddress_lsb_p + 1 };
        let type_bits = if self.type_in_header == 1 { 2 } else { self.type_width.min(2) };
        let type_most = (1 << type_bits) - 1;
        for (name, value, least, most) in [
            ("iaddress_lsb_p", self.iaddress_lsb_p, 0, 2),
            ("iaddress_width_p", self.iaddress_width_p, address_least, 64),
            ("ecause_width_p", self.ecause_width_p, 1, 64),
            ("privilege_width_p", self.privilege_width_p, 0, 3),
            ("context_width_p", self.context_width_p, 0, 64),
            ("nocontext_p", self.nocontext_p, 0, 1),
            ("time_width_p", self.time_width_p, 0, 64),
            ("notime_p", self.notime_p, 0, 1),
            ("return_stack_size_p", self.return_stack_size_p, 0, 16),
            ("call_counter_size_p", self.call_counter_size_p, 0, 16),
            ("bpred_size_p", self.bpred_size_p, 0, 20),
            ("cache_size_p", self.cache_size_p, 0, 20),
            ("f0s_width_p", self.f0s_width_p.unwrap_or(0), 0, 8),
            ("sijump_p", self.sijump_p, 0, 1),
            ("full_address", self.full_address, 0, 1),
            ("encoder_mode_n", self.encoder_mode_n, 0, 8),
            ("source_id_width", self.source_id_width, 0, 16),
            ("type_width", self.type_width, 0, 2),
            ("instruction_type", self.instruction_type, 0, type_most),
            ("timestamp_bytes", self.timestamp_bytes, 0, 8),
            ("block_bytes", self.block_bytes, 0, 1 << 10),
            ("address_in_bytes", self.address_in_bytes, 0, 1),
            ("start_repeats", self.start_repeats, 0, 1),
            ("number_bytes", self.number_bytes, 0, 4),
            ("whole_length", self.whole_length, 0, 1),
            ("type_in_header", self.type_in_header, 0, 1),
            ("time_first", self.time_first, 0, 1),
            ("trap_version", self.trap_version, 1, 2),
        ] {
            if !(least..=most).contains(&value) {
                return Err(Problem::Parameter { name, least, most, value });
            }
        }
        Ok(())
    }

    /// The support payload with which the trace of a source begins, after header and source: tracing is on, with the options that
    /// the encoder has.
    pub fn support_payload(&self, source: u32) -> Vec<u8> {
        // One without a number is none of its dump.
        if self.number_bytes > 0 {
            return Vec::new();
        }
        let is_on = |option: &OptionName| match option {
            OptionName::ImplicitReturn => self.has_returns(),
            OptionName::ImplicitException => false,
            OptionName::FullAddress => self.full_address == 1,
            OptionName::DeltaAddress => self.full_address == 0,
            OptionName::JumpTargetCache => self.cache_size_p > 0,
            OptionName::BranchPrediction => self.bpred_size_p > 0,
            OptionName::Sijump => self.sijump_p == 1,
        };
        // Format 3, subformat 3, ienable; encoder_mode and qual_status are 0.
        let before = 5 + self.encoder_mode_n as usize + 2;
        let fields = self.ioptions.iter().enumerate();
        let options = fields.map(|(place, option)| u64::from(is_on(option)) << (before + place));
        let payload = options.fold(0b1_1111, |payload, option| payload | option);
        // The highest bit of the last byte is 0, because it stands for all above it.
        let length = (before + self.ioptions.len()) / 8 + 1;
        let bytes = payload.to_le_bytes().into_iter().take(length);
        let source = source.to_le_bytes().into_iter().take((self.source_id_width / 8) as usize);
        std::iter::once(length as u8).chain(source).chain(bytes).collect()
    }

    /// True if returns to the address that a call left are not sent.
    pub(super) fn has_returns(&self) -> bool {
        self.return_stack_size_p + self.call_counter_size_p > 0
    }

    /// Bits of the context that are sent.
    pub(super) fn context_bits(&self) -> u32 {
        if self.nocontext_p == 1 { 0 } else { self.context_width_p }
    }

    /// Bits of the time that are sent.
    pub(super) fn time_bits(&self) -> u32 {
        if self.notime_p == 1 { 0 } else { self.time_width_p }
    }

    /// Bits of an address that are sent.
    pub(super) fn address_bits(&self) -> u32 {
        self.iaddress_width_p.saturating_sub(self.iaddress_lsb_p)
    }

    /// Bits of the depth of the stack of return addresses.
    pub(super) fn depth_bits(&self) -> u32 {
        let stack = self.return_stack_size_p;
        stack + u32::from(stack > 0) + self.call_counter_size_p
    }

    /// Bits of the subformat of format 0.
    pub(super) fn subformat_bits(&self) -> u32 {
        let has_both = self.bpred_size_p > 0 && self.cache_size_p > 0;
        self.f0s_width_p.unwrap_or(u32::from(has_both))
    }

    /// A cause with the bit above it that says whether it is that of an interrupt.
    pub(super) fn cause(&self, cause: u64, is_interrupt: bool) -> u64 {
        // One of 64 bits has no bit above it.
        cause | u64::from(is_interrupt) << self.ecause_width_p.min(63)
    }
}
