//! N-Trace for RISC-V (version 1.0) as a scheme: messages of Nexus with branch histories, or one for each taken branch.
//!
//! The length of the code since the last message, and the outcomes of its branches, say where the next one comes. The
//! [`record_former`] decides what is sent, and the [`layout`] says what it looks like: messages of bytes with two control
//! bits and six of data, as decoders of the standard read them.

pub mod arbitrary;
pub mod bound;
pub mod config;
pub mod decoder;
pub mod encoder;
pub mod fields;
pub mod formats;
pub mod layout;
pub mod presets;
pub mod record_former;
pub mod record_reader;
pub mod repeats;
pub mod room;
