//! Blocks against their twins, and the structure of the source.
//!
//! One program for all tests of this crate: each program would link everything again.

mod back_end;
mod data_stride;
mod multicore;
mod names;
mod records;
mod stream_detector;
mod streams;
mod structure;
mod sweep;
mod twins;
