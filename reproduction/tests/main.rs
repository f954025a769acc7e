//! Tests of the reproduced tables and figures, as one program.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod reproduction;
