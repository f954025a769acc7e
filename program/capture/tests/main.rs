//! Tests of the parts of a capture; programs are captured by the tests of the command.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod segments;
