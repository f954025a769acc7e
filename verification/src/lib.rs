//! Designs on traces: co-simulation, measurement, coverage, and the regression's plan.
//!
//! The `tracewright` command prints what these functions give; tests call them directly.
//!
//! # One design on one workload
//!
//! A [`Source`] is a trace or a synthetic program. [`Source::learn`] reads it once and makes a [`Workload`], which any
//! number of designs run. [`cosimulate`] shows it to the generated hardware in Verilator, compares every bit with the
//! golden encoder's, and then decodes the bits and compares the result with the input.
//!
//! ```
//! use tracewright_sim::scheme::Design;
//! use tracewright_testbench::stimulus::{Ready, Stimulus};
//! use tracewright_verification::{Progress, Setup, Source, cosimulate};
//!
//! let preset = Design::preset("traptor-s1")?;
//! let program = Source::synthetic(7, Some(2_000), &[preset.clone()]);
//! let workload = program.learn(&Progress::silent())?;
//! let design = workload.design(&preset)?;
//!
//! let stimulus = Stimulus { seed: 7, ready: Ready::Random, ..Stimulus::default() };
//! let setup = Setup { stimulus, ..Setup::default() };
//! let done = cosimulate(&setup, &design, &workload, &Progress::silent())?;
//! assert_eq!(done.failure, None);
//! assert!(done.decoded_equal == Some(true) && done.bits > 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The modules
//!
//! * [`measurement::measure`] counts bits per instruction, field by field, with the golden encoders alone.
//! * [`comparison::compare`] counts bits per instruction of designs and of comparators beside each other.
//! * [`models::measure`] counts the bits of predictors without hardware.
//! * [`regression::plan`] lists the runs of the regression, [`regression::simulate`] co-simulates them, and
//!   [`regression::summarize`] adds up the results.
//! * [`coverage::measure`] co-simulates designs of every scheme with models that count, and
//!   [`coverage::Expected`] holds the result to a floor.
//! * [`live::run`] runs a program on a processor core in Verilator with a trace module on its retirement port, and
//!   compares the decoded trace with what the core reports.
//! * [`trace`] opens traces and learns their programs.
//!
//! A difference between hardware and model is a result; an [`Error`] means that it could not be looked for. Long
//! functions report to a [`Progress`].

mod by_thread;
pub mod comparison;
mod cosimulation;
pub mod coverage;
mod error;
mod filters;
mod golden_trace;
pub mod live;
pub mod measurement;
pub mod models;
mod packets;
mod progress;
pub mod regression;
mod shard;
mod source;
mod system;
pub mod threads;
pub mod trace;
mod unit;

pub use cosimulation::{Cosimulated, Gates, MANIFEST, Setup, cosimulate};
pub use error::{Error, Result};
pub use progress::{Counting, Progress};
pub use shard::{Shard, ShardError};
pub use source::{Items, Source, Workload, within_addresses};
pub use system::{
    SystemCosimulated, cosimulate_system, cosimulate_system_model, system_with_faults,
};
pub use unit::{Decoded, UnitCosimulated, cosimulate_unit};
