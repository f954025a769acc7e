//! Every comparator against its own decoder, and against what is known of it from elsewhere.
//!
//! One program for all tests of this crate: each program would link everything again.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod common;
#[path = "../examples/decode_e_trace/decoder.rs"]
mod decoder;
mod e_trace;
mod e_trace_example;
mod e_trace_full;
mod e_trace_returns;
mod e_trace_scheme;
mod e_trace_sources;
mod e_trace_switched;
mod predictor;
mod reference;
mod refused;
mod round_trip;
mod small_programs;
#[path = "../examples/decode_e_trace/stack.rs"]
mod stack;
