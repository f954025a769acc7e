//! The parameters of times.

use crate::config::{Protocol, require};
use crate::parameter::ParameterError;
use crate::{parameters, words};

/// The highest confidence of a symbol of a time.
pub const MOST_CONFIDENCE: u32 = 8;

words! {
    /// What the trace says of the time of events.
    pub enum TimeMode {
        /// Nothing.
        Off = "off",
        /// The cycle of every event.
        Exact = "exact",
    }
}

parameters! {
    /// The time of every conditional branch, taken indirect branch and exception in the trace (docs/time.md).
    pub struct Time {
        /// What the trace says of the time of events: nothing, or the cycle of every conditional branch, taken indirect branch
        /// and exception.
        time_mode: TimeMode = TimeMode::Off;
        /// Entries of each of the two tables of times; a power of two.
        time_entries: u32 = 64, in 8 ..= 4096;
        /// Cycles that the core takes for an instruction at best: 1 for a pipeline, 4 for PicoRV32. An event's time is compared
        /// with so many for each of its instructions.
        time_base: u32 = 1, in 0 ..= 15;
        /// Width of the counter of cycles between two events; more cycles than it holds are said as its highest value.
        cycle_bits: u32 = 20, in 9 ..= 32;
    }
}

/// Parameters that are stated only where they are not the default.
pub const STATED_WHEN_CHANGED: &[&str] = &["time_mode", "time_entries", "time_base", "cycle_bits"];

impl Time {
    /// Bits of a number of cycles for one instruction.
    pub fn bits_of_base(base: u32) -> u32 {
        u32::BITS - base.leading_zeros()
    }

    /// The constraints between these parameters, and with the rest of the design.
    pub(super) fn validate(
        &self,
        most_confidence: u32,
        is_asynchronous: bool,
        has_registers: bool,
        protocol: &Protocol,
    ) -> Result<(), ParameterError> {
        let entries = self.time_entries;
        require(entries.is_power_of_two(), "time_entries", entries, || {
            "it is a power of two".into()
        })?;
        let mode = self.time_mode;
        let needs = |holds, what: &str| {
            require(mode == TimeMode::Off || holds, "time_mode", mode, || what.to_owned())
        };
        needs(most_confidence >= MOST_CONFIDENCE, "with times most_confidence is at least 8")?;
        needs(is_asynchronous, "with times memory_style is asynchronous")?;
        needs(!has_registers, "with times encoder_registers is false")?;
        needs(
            protocol.resolved() == Protocol::default().resolved(),
            "with times there are no packets (framing = none), and none of the parameters of packets, of loss, of state, of \
             filters and of switching is set",
        )
    }
}
