//! mcfTRaptor (paper E): the trace modules of several cores and one trace.
//!
//! Every core has a [`module`] of its own. Their records go into one trace in the order in which they
//! were made: cycle by cycle, and within a cycle by the index of the core, with which every record begins.
//! With [`time_stamps`] a record also has the time at which it was made.

pub mod arbitrary;
pub mod config;
pub mod decoder;
pub mod encoder;
pub mod formats;
pub mod layout;
pub mod module;
pub mod presets;
pub mod room;
pub mod schedule;
pub mod sharing;
pub mod time_stamps;
