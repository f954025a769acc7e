//! Places in recordings, compared with a walk over all events.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod places;
