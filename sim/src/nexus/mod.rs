//! Nexus-like tracing (paper C, section 6: NEXS; paper E, section 2: NX_b): what users have today, and
//! what the papers compare with.
//!
//! Every stream of instructions makes a record: its length, and the target of the branch that ended
//! it where the program does not have it. This room is the trace module of one core;
//! [`multicore`](crate::multicore) makes the scheme of it.

pub mod arbitrary;
pub mod bound;
pub mod config;
pub mod decoder;
pub mod encoder;
pub mod formats;
pub mod layout;
pub mod record_reader;
pub mod target_coder;
