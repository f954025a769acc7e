//! Logs, as the tools write them and cut or mixed up.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod bad;
mod common;
mod cva6;
mod e_trace;
mod e_trace_dumps;
mod e_trace_others;
mod e_trace_payloads;
mod e_trace_switched;
mod ibex;
mod lines;
mod n_trace;
mod n_trace_messages;
mod n_trace_rings;
mod n_trace_switched;
mod n_trace_vendors;
mod port;
mod qemu;
mod rows;
mod rvfi;
mod sources;
mod spike;
mod unknown_messages;
mod waveforms;
mod zcmp;
