//! What must hold whatever the input is: shared by the fuzz targets and `sim/tests/fuzz_corpus.rs`.
//!
//! A check panics where the library does wrong; what the library refuses is no finding.

pub mod bits_file;
pub mod decode_trace;
pub mod packets;
pub mod round_trip;
pub mod seeds;
pub mod subject;
pub mod trace_file;
