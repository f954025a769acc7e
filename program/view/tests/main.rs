//! Views of real and random programs.
//!
//! One program for all tests of this crate: each program would link everything again.

mod common;
mod mangling;
mod real_code;
mod walker;
