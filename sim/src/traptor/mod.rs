//! T-raptor (paper C): a tracing branch predictor whose mispredictions are the trace.
//!
//! An [`encoder`] and a [`decoder`] keep equal [`predictors`]. Only where they are wrong does the
//! [`record_former`] make a record, and the [`layout`] says what it looks like.

pub mod arbitrary;
pub mod bound;
pub mod config;
pub mod decoder;
pub mod encoder;
pub mod formats;
pub mod gshare;
pub mod indirect_branch_target_buffer;
pub mod last_value_predictor;
pub mod layout;
pub mod predictors;
pub mod presets;
pub mod record_former;
pub mod record_reader;
pub mod return_address_stack;
pub mod room;
pub mod target_predictor;
