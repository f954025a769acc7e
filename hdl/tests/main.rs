//! Blocks against their twins, and the structure of the source.
//!
//! One program for all tests of this crate: each program would link everything again.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod back_end;
mod data_stride;
mod digests;
mod e_trace;
mod filter;
mod lane_queue;
mod multicore;
mod names;
mod packets;
mod pins;
mod read_through_registers;
mod records;
mod rvfi_classifier;
mod stream_detector;
mod streams;
mod structure;
mod sweep;
mod talon;
mod tuple_search;
mod twins;

/// `make long-tests` runs every test at its full length.
fn is_long() -> bool {
    std::env::var_os("LONG_TESTS").is_some()
}

/// So many steps in a long run, and a part of them in any other.
fn steps(all: usize, part: usize) -> usize {
    if is_long() { all } else { all / part }
}
