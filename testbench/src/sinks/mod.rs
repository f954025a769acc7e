//! What takes a trace, as hardware, held against its model cycle by cycle.

pub mod funnel;
pub mod port;
pub mod ram_sink;
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
