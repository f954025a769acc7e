//! The model against the papers, an independent measurement, and its own inverse.
//!
//! One program for all tests of this crate: each program would link everything again.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod bits_file;
mod bounds;
mod code;
mod common;
mod conventions;
mod crashes;
mod data_stride;
mod e_trace;
mod e_trace_extensions;
mod e_trace_switched;
mod e_trace_times;
mod e_trace_values;
mod formats;
mod fuzz_corpus;
mod import_circles;
mod multicore;
mod multicore_presets;
mod n_trace;
mod n_trace_standard;
mod n_trace_switched;
mod nexus;
mod ntuple;
mod packets;
mod pins;
mod reference;
mod scripts;
mod sources;
mod stream_cache;
mod streams;
mod synthetic;
mod synthetic_options;
mod system_memory_sink;
mod talon;
mod talon_data;
mod trace_io;
mod traptor;
