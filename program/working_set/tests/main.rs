//! Working sets: captured, written, read and replayed.
//!
//! One program for all tests of this crate: each program would link everything again.

mod common;
mod file;
mod machine;
mod workloads;
