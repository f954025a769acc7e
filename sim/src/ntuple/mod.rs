//! N-tuple compression of stream cache indices (paper B): nothing is known of branches.
//!
//! A stream ends where the next instruction is not the following one, whatever the reason. The stream
//! cache of [`stream_cache`](crate::stream_cache) gives it an index; N indices make a tuple, for which
//! its place in the [`tuple_history_buffer`] is sent. The [`trace_output_controller`] puts the logical
//! traces that come of it into packets.
//!
//! The paper finds a new stream by comparing program counters: `PC != previous PC + 4`. That supposes
//! instructions of 4 bytes, and takes a branch to the next instruction for no branch. What a processor
//! says of itself when it retires an instruction is the same without both faults: the flow was
//! *taken* and did not continue at the following instruction, and to where.

pub mod arbitrary;
pub mod bound;
pub mod config;
pub mod decoder;
pub mod encoder;
pub mod formats;
pub mod layout;
pub mod presets;
pub mod record_reader;
pub mod room;
pub mod trace_output_controller;
pub mod tuple_history_buffer;
