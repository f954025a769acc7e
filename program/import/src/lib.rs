//! Traces from what other tools say of an execution: logs of simulators and of tracers in them, tables, waveforms.
//!
//! A log is a list of instructions, or of blocks of them. What each instruction does to the program counter is decided
//! by [`tracewright_image`], from its word in the log or from the program; so a log becomes the events of a trace. A
//! next instruction that the one before cannot lead to is a taken exception.
//!
//! ```
//! use tracewright_import::{Import, Options};
//!
//! let log = "\
//! core   0: 0x80000000 (0x00a00513) li      a0, 10
//! core   0: 0x80000004 (0xfff50513) addi    a0, a0, -1
//! core   0: 0x80000008 (0xfe051ee3) bnez    a0, pc - 4
//! core   0: 0x80000004 (0xfff50513) addi    a0, a0, -1
//! ";
//! let import = Import::new(Box::new(log.as_bytes()), "run.log", Options::default())?;
//! let mut events = Vec::new();
//! let summary = import.run(&mut |item| {
//!     events.push(*item);
//!     Ok(())
//! })?;
//! // The beginning, and the branch; the last instruction is in no event.
//! assert_eq!((events.len(), summary.instructions, summary.left_out), (2, 4, 1));
//! # Ok::<(), tracewright_import::Error>(())
//! ```
//!
//! [`e_trace`] and [`n_trace`] read dumps of trace encoders, which say where a program has gone. [`rows`] has the tables that a trace is written as and read from.

mod code;
pub mod e_trace;
mod error;
mod flow;
mod follow_rows;
mod follower;
mod format;
mod guess;
mod import;
mod lines;
mod logs;
pub mod n_trace;
pub mod port;
mod spans;
mod tables;
mod waveform;
mod words;

pub use error::{Error, Place, Problem};
pub use format::Format;
pub use import::{Import, Options, Summary};
pub use logs::pattern::Pattern;
pub use spans::{Misfit, Spans};
pub use tables::rows;
pub use waveform::Core;
