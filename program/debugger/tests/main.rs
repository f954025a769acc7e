//! Tests of the recording and of the stacks that are made of it.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]
