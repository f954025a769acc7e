//! Runs of bare-metal RISC-V programs kept as their working set, and replayed.
//!
//! A program is run once ([`capture`]). What is kept of the run is the registers that it began with, every
//! line of memory as it was when it was first touched, and what came from outside: a [`WorkingSet`],
//! which is a small file ([`file`](mod@file)). From that, [`replay`] regenerates every instruction, load and store.
//!
//! Instructions are carried out by an [`Emulator`](emulator::Emulator), which is a
//! [`CkbEmulator`](ckb::CkbEmulator); the [`Machine`](machine::Machine) around it adds exceptions and
//! interrupts, the [`Board`](board::Board) memory and devices. docs/working_set.md describes them.
//!
//! ```no_run
//! use tracewright_working_set::{CaptureOptions, Program, capture, file, replay};
//!
//! let program = Program::of_elf(&std::fs::read("prog.elf")?)?;
//! let captured = capture(&program, &CaptureOptions::default(), &mut (), |_| {})?;
//! std::fs::write("run.wset", file::write(&captured.working_set)?)?;
//!
//! let working_set = file::read(&std::fs::read("run.wset")?)?;
//! replay(&working_set, &mut (), |_| {})?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod board;
pub mod boards;
mod capture;
pub mod ckb;
mod devices;
pub mod emulator;
mod error;
pub mod file;
pub mod host;
mod host_files;
mod inputs;
pub mod layout;
pub mod lines;
pub mod machine;
mod outside;
mod program;
mod progress;
mod receiver;
mod registers;
mod replay;
mod rerun;
mod trap_unit;
mod working_set;

pub use boards::BoardDescription;
pub use capture::{CaptureOptions, Captured, capture};
pub use error::Error;
pub use inputs::{Input, What};
pub use layout::Layout;
pub use machine::Sink;
pub use program::Program;
pub use progress::Stuck;
pub use registers::Registers;
pub use replay::replay;
pub use rerun::Rerun;
pub use trap_unit::Cause;
pub use working_set::{Line, Totals, WorkingSet};
