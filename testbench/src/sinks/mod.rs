//! What takes a trace, as hardware, held against its model cycle by cycle.

pub mod funnel;
pub mod memory;
pub mod message_funnel;
pub mod port;
pub mod ram_sink;
pub mod system_memory_sink;
pub mod uart;

use crate::error::Error;

/// Why a run of a sink ended before its end.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Hardware and model differ, or the hardware does not go on.
    #[error("cycle {cycle}: {what}")]
    Difference {
        /// The cycle after reset.
        cycle: u64,
        /// What differs.
        what: String,
    },
    /// The hardware cannot be simulated.
    #[error(transparent)]
    Simulation(#[from] Error),
}

/// A trace as a port of so many bits, 64 at most, has it; zeros fill the last beat up.
fn beats(trace: &[u8], port_bits: u32) -> Vec<u64> {
    let port_bits = port_bits as usize;
    let bit = |place: usize| trace.get(place / 8).map_or(0, |byte| byte >> (place % 8) & 1);
    let beat =
        |first: usize| (0..port_bits).map(|place| u64::from(bit(first + place)) << place).sum();
    (0..8 * trace.len()).step_by(port_bits).map(beat).collect()
}
