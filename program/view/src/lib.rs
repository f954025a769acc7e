//! Views of an execution: its instructions, and the tables and graphs derived from them.
//!
//! A [`Walker`] takes the events of a trace, follows them through the program's code and gives the instructions of
//! each event. All views are made of these steps, in one pass. The memory needed depends on the size of the code, not
//! on the length of the trace:
//!
//! * [`listing`]: the instructions in the order in which they retired;
//! * [`profile`]: counts of instructions and branches, and from them [`functions`], [`loops`], [`branches`],
//!   [`exceptions`], [`annotate`] and [`coverage`];
//! * [`questions`]: when a place ran, how long it takes from one to another, what led to a moment;
//! * [`calls`]: the stack of open calls, and from it [`tree`] (folded stacks, flame graph),
//!   [`call_graph`] ([`callers`]) and [`timeline`] (Perfetto).
//!
//! [`Views`] makes any of them at once. Where a trace says in which context the execution goes on, each context has a
//! stack as a thread has, and may have a program of its own. [`difference`] compares two executions.

pub mod address_lines;
pub mod annotate;
pub mod blocks;
pub mod branches;
pub mod call_graph;
pub mod callers;
pub mod calls;
mod checkpoints;
mod contexts;
pub mod coverage;
mod declared;
pub mod difference;
pub mod disassembly;
mod error;
pub mod exceptions;
mod follower;
pub mod functions;
pub mod lines;
pub mod listing;
pub mod loops;
pub mod mangling;
pub mod names;
mod observers;
pub mod profile;
pub mod questions;
pub mod timeline;
pub mod tree;
mod versions;
mod views;
mod walker;

pub use contexts::ContextCount;
pub use error::{Contradiction, Error, Impossible};
pub use follower::{Follower, Wanted};
pub use views::{OfContext, Seen, Views};
pub use walker::{Step, Walker};
