//! What an execution looks like: every instruction of it, and what can be told from them.
//!
//! A [`Walker`] takes the events of a trace, follows them through the program's code and says which instructions each
//! of them stands for. What is shown is made of these steps, in one pass and in memory that the code bounds, not
//! the length of the trace:
//!
//! * [`listing`]: the instructions as they were retired;
//! * [`profile`]: how often everything ran, and from that [`functions`], [`loops`], [`branches`], [`annotate`] and
//!   [`coverage`];
//! * [`calls`]: who called whom, and from that [`tree`] (folded stacks, flame graph) and [`timeline`] (Perfetto).
//!
//! [`Views`] makes any of them at once.

pub mod annotate;
pub mod blocks;
pub mod branches;
pub mod calls;
pub mod coverage;
pub mod disassembly;
mod error;
pub mod functions;
pub mod lines;
pub mod listing;
pub mod loops;
pub mod names;
pub mod profile;
pub mod timeline;
pub mod tree;
mod views;
mod walker;

pub use error::{Contradiction, Error, Impossible};
pub use views::{Seen, Views};
pub use walker::{Step, Walker};
