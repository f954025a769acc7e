//! Verilated models, co-simulation, and whether the tests notice faults.
//!
//! One program for all tests of this crate: each program would link everything again.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod adapters;
mod blocks;
mod branch_every_clock;
mod common;
mod control;
mod cosim;
mod counter_limits;
mod cva6_rvfi;
mod data_stride;
mod discard;
mod e_trace_switched;
mod funnel;
mod golden;
mod lint;
mod lint_designs;
mod macros;
mod message_funnel;
mod message_registers;
mod missing_tools;
mod model;
mod mutations;
mod packets;
mod proofs;
mod ram_sink;
mod rvfi;
mod several_cores;
mod sinks;
mod straight_runs;
mod stream_buffer;
mod system_memory_sink;
mod talon_data;
mod talon_time;
mod tip;
