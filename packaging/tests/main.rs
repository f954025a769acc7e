//! Packages, used as their users use them.
//!
//! One program for all tests of this crate: each program would link everything again.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod axis;
mod by_lane;
mod combined;
mod common;
mod constraints;
mod contract;
mod control;
mod cxxrtl;
mod discards;
mod execution;
mod fusesoc;
mod held_blocks;
mod ingress;
mod integration_guide;
mod ip_xact;
mod lanes;
mod lint;
mod lossy;
mod port_contract;
mod rvfi;
mod sinks;
mod switched;
mod systems;
mod testbench;
mod tip;
mod wander;
