//! Profiles of an execution in the formats of other tools: optimisers, viewers of profiles and of coverage.
//!
//! A trace has every branch, so a profile of it has counts and no samples. [`flow::Recorder`] follows the steps of
//! [`tracewright_view::Views`] and gives the [`flow::Flow`]: how often each branch was taken from where to where, and
//! each straight range of code ran between two of them. What processors with branch records sample is a part of it.
//!
//! * [`bolt`]: for `perf2bolt -pa`;
//! * [`unsymbolized`]: for `llvm-profgen --unsymbolized-profile`;
//! * [`callgrind`]: for callgrind_annotate and KCachegrind, from the counts and the call graph of the views;
//! * [`samples`]: counts by function and line, and from them [`llvm_sample`] for clang and [`gcc_auto`] for GCC;
//! * [`speedscope`]: the call tree of the views for speedscope;
//! * coverage for lcov and folded stacks are views themselves.

pub mod bolt;
pub mod callgrind;
mod error;
pub mod flow;
pub mod gcc_auto;
pub mod llvm_sample;
pub mod part;
pub mod samples;
pub mod source;
pub mod speedscope;
pub mod unsymbolized;

pub use error::Error;
