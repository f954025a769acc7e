//! The parameters that every scheme has: the processor that is traced and the trace port.

mod call_length;
mod protocol;

use crate::parameter::ParameterError;
use crate::{parameters, words};

pub use call_length::CallLength;
pub(crate) use protocol::SWITCHED_ALONE;
pub use protocol::{LEAST_SYNC_BYTES, Payloads, Protocol};

/// Bits of a word of the memory of a RAM sink.
pub const RAM_WORD_BITS: u32 = 32;

/// Bits of the widest word that a RAM sink writes: one of system memory.
pub const MOST_RAM_WORD_BITS: u32 = 64;

words! {
    /// How every register is reset.
    pub enum ResetStyle {
        /// A port `reset`, active high, seen at the rising clock edge.
        Synchronous = "synchronous",
        /// A port `reset_n`, active low, seen at once.
        Asynchronous = "asynchronous",
    }
}

words! {
    /// Where the cells of memories are.
    pub enum Memories {
        /// In the modules that use them, from which a synthesis tool infers what it has.
        Inferred = "inferred",
        /// In modules of their own, to put a macro in their place.
        Wrappers = "wrappers",
    }
}

words! {
    /// How a record becomes bits.
    pub enum EncoderStyle {
        /// One field chunk per cycle: small, suits narrow ports.
        Serial = "serial",
        /// One whole record per cycle: never the bottleneck, for wide ports.
        Parallel = "parallel",
        /// Parallel from a 16-bit port on, else serial.
        Auto = "auto",
    }
}

words! {
    /// How tables are read.
    pub enum MemoryStyle {
        /// In the cycle of the address: registers, latches, distributed RAM.
        Asynchronous = "asynchronous",
        /// In the cycle after that of the address: block RAM, SRAM macros.
        Synchronous = "synchronous",
    }
}

words! {
    /// How a reader finds its place in a trace.
    pub enum FramingStyle {
        /// It does not: a trace is read from its first bit.
        None = "none",
        /// By markers between packets, from any bit on.
        Packets = "packets",
    }
}

words! {
    /// What the module does with a block for which there is no room.
    pub enum WhenFull {
        /// It stalls the core.
        Stall = "stall",
        /// It drops blocks, counts their instructions and says so in the trace.
        Drop = "drop",
    }
}

words! {
    /// Where the time in the trace comes from.
    pub enum TimeSource {
        /// A counter of clock cycles in the module, which begins at 0 after reset.
        Counter = "counter",
        /// The pin `timestamp`, a binary number of the same clock domain.
        Binary = "binary",
        /// The pin `timestamp`, a Gray code of any clock domain, which the module synchronises to its own clock.
        Gray = "gray",
        /// The pin `timestamp` as with binary, which the timestamp unit of the control registers drives.
        Unit = "unit",
    }
}

parameters! {
    /// The processor that is traced.
    pub struct Processor {
        /// Bits of an address, such as 32, 39, 48 or 64.
        address_width: u32 = 32, in 32 ..= 64;
        /// Instructions begin at multiples of 2^alignment bytes: 2 for ARM A32, 1 with compressed instructions, 0 for x86.
        alignment: u32 = 2, in 0 ..= 2;
        /// Width of `retire_count`, the instructions of one block; 1 makes a single-retire port.
        retire_count_bits: u32 = 4, in 1 ..= 16;
        /// `retire_length` is the length of the last instruction of every block, so that N-Trace counts code of instructions
        /// of several lengths exactly; false: of calls alone.
        exact_lengths: bool = false;
        /// The core's port shows compressed instructions expanded to 32 bits, which does not say how long a call is. Return
        /// addresses are predicted as if indirect calls and near direct ones had two bytes.
        expanded_words: bool = false;
    }
}

parameters! {
    /// The output: buffers, trace port, reset.
    pub struct TracePort {
        /// Data pins of the trace port.
        trace_port_width: u32 = 1, in 1 ..= 64;
        /// Capacity of the output FIFO in bits; rounded up to whole trace words.
        fifo_bits: u32 = 79, in 8 ..= 65536;
        /// Records that wait for the encoder.
        record_queue_depth: u32 = 2, in 1 ..= 16;
        /// How a record becomes bits.
        encoder: EncoderStyle = EncoderStyle::Auto;
        /// Registers before and after the encoder: more gates, higher clock rates.
        encoder_registers: bool = false;
        /// How every register is reset.
        reset: ResetStyle = ResetStyle::Synchronous;
        /// A pin `clock_enable`: registers and memories change only in cycles in which it is high.
        clock_enable: bool = false;
        /// Where the cells of memories are: in the modules that use them, or in modules of their own for macros.
        memories: Memories = Memories::Inferred;
    }
}

/// What is stated only where it is not the default.
pub(crate) const STATED_WHEN_CHANGED: [&str; 13] = [
    "exact_lengths",
    "expanded_words",
    "clock_enable",
    "memories",
    "sync_bytes",
    "loss_pins",
    "trap_values",
    "source_bits",
    "source_id",
    "filter_ranges",
    "filter_privilege",
    "filter_context",
    "filter_window",
];

impl Processor {
    /// Width of `retire_lost_count`: as many instructions as four blocks can have.
    pub fn lost_count_bits(&self) -> u32 {
        self.retire_count_bits + 2
    }

    /// True if `retire_length` tells more than the alignment: not where all instructions have four bytes.
    pub fn tells_lengths(&self) -> bool {
        self.exact_lengths && self.alignment < 2
    }

    /// Bits of an instruction's address: those above the alignment.
    pub fn instruction_address_bits(&self) -> u32 {
        self.address_width - self.alignment
    }
}

impl TracePort {
    /// Bits of a trace word, the unit of the buffer and of padding: the smallest multiple of the
    /// port's width that has at least 8 bits.
    pub fn word_bits(&self) -> u32 {
        self.trace_port_width * 8u32.div_ceil(self.trace_port_width)
    }

    /// Words the output FIFO holds.
    pub fn fifo_words(&self) -> u32 {
        self.fifo_bits.div_ceil(self.word_bits())
    }

    /// Width of `buffered_words`, the number of words in the output FIFO.
    pub fn level_bits(&self) -> u32 {
        index_bits(self.fifo_words() + 1)
    }

    /// The same parameters with every `auto` replaced by the value that it stands for.
    pub fn resolved(&self) -> Self {
        let parallel = self.is_parallel();
        let encoder = if parallel { EncoderStyle::Parallel } else { EncoderStyle::Serial };
        Self { encoder, ..self.clone() }
    }

    /// True if a whole record is encoded in one cycle.
    pub fn is_parallel(&self) -> bool {
        match self.encoder {
            EncoderStyle::Serial => false,
            EncoderStyle::Parallel => true,
            EncoderStyle::Auto => self.trace_port_width >= 16,
        }
    }
}

/// Fails with the named constraint unless it holds.
pub(crate) fn require(
    holds: bool,
    name: &'static str,
    given: impl ToString,
    constraint: impl FnOnce() -> String,
) -> Result<(), ParameterError> {
    if holds {
        Ok(())
    } else {
        Err(ParameterError::Constraint { name, given: given.to_string(), constraint: constraint() })
    }
}

/// Bits needed to number `count` things: 0 for one thing.
pub fn index_bits(count: u32) -> u32 {
    count.max(1).next_power_of_two().trailing_zeros()
}

/// The lowest `bits` bits set, 0 to 64 of them.
#[inline]
pub fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}
