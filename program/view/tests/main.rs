//! Views of real and random programs.
//!
//! One program for all tests of this crate: each program would link everything again.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod address_lines;
mod common;
mod disassembly;
mod mangling;
mod real_code;
mod walker;
