//! Efficient Trace for RISC-V (E-Trace, version 2) as a scheme: branch maps and address differences.
//!
//! The outcomes of branches are collected in a map of up to 31; the address after a jump whose target the program does
//! not tell is sent as the difference from the last one. The [`record_former`] decides what is sent, and the [`layout`]
//! says what it looks like: payloads of whole bytes after a header of one byte, as decoders of the standard read them.

pub mod arbitrary;
pub mod bound;
pub mod branch_count;
pub mod branch_predictor;
pub mod calls;
pub mod config;
pub mod decoder;
pub mod encoder;
pub mod extensions;
pub mod fields;
pub mod formats;
pub mod jump_target_cache;
pub mod layout;
pub mod loss;
pub mod payload;
pub mod presets;
pub mod record_former;
pub mod record_reader;
pub mod resync;
pub mod return_stack;
pub mod room;
pub mod slots;
