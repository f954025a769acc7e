//! Program images and the classifiers of instructions.
//!
//! One program for all tests of this crate: each program would link everything again.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod changes;
mod classifiers;
mod files;
mod fuzz_corpus;
mod linkage_table;
mod rvfi;
mod zcmp;
