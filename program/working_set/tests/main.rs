//! Working sets: captured, written, read and replayed.
//!
//! One program for all tests of this crate: each program would link everything again.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod boards;
mod common;
mod file;
mod float;
mod machine;
mod rerun;
mod workloads;
