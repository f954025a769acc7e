//! RustHDL's simulation of a block against the Verilog written for it, cycle by cycle.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod arithmetic;
mod banks;
mod bundles;
mod casts;
mod clock_enable;
mod conditions;
mod corners;
mod forms;
mod harness;
mod intermediate;
mod memories;
mod packed;
mod restart;
mod state;
mod sweep;

/// `make long-tests` runs every test at its full length.
fn is_long() -> bool {
    std::env::var_os("LONG_TESTS").is_some()
}
