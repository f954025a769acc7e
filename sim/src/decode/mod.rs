//! What the decoders of all schemes share: following a program, and what they report.

pub mod error;
pub mod field_reader;
pub mod record_decoder;
pub mod replay;
pub mod stream_replay;
pub mod summary;
