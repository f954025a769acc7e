//! Traces of real programs.
//!
//! [`capture()`] runs a program in QEMU's user mode, or a machine in its system emulation, with a plugin (`plugin/`), which reports which
//! translated blocks ran. This side knows what the instructions of a block do
//! ([`tracewright_image`]), follows every thread from block to block, and writes one event for each
//! control-flow instruction that retired. docs/capture.md says how signals, system calls, several threads and
//! interrupted code are traced.
//!
//! ```no_run
//! use std::ffi::OsStr;
//! use std::fs::File;
//!
//! use tracewright_capture::{Options, Target, capture};
//! use tracewright_sim::trace_io::{Extensions, Writer, WriterOptions};
//!
//! let target = Target::find(OsStr::new("./prog"), None)?;
//! let extensions = Extensions::LENGTHS;
//! let options = WriterOptions { extensions, ..WriterOptions::default() };
//! let writer = Writer::new(File::create("run.pet.zst")?, target.machine, options)?;
//! let options = Options {
//!     arguments: Vec::new(),
//!     sysroot: None,
//!     extensions,
//!     skip: 0,
//!     limit: u64::MAX,
//!     stop: false,
//!     hart: None,
//!     output_to_error: false,
//! };
//! let (captured, writer) = capture(&target, &options, writer, |_| {})?;
//! println!("{} instructions on {} threads", writer.instructions(), captured.threads);
//! writer.finish()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod block;
mod changes;
mod contexts;
mod emulator;
mod error;
mod follow;
mod hart;
mod images;
mod retire;
mod segments;
mod session;

pub use contexts::ContextCode;
pub use emulator::{PLUGIN_VARIABLE, Target};
pub use error::{Error, instead_of_linux};
pub use images::{CodeRange, LoadedImage};
pub use segments::Segment;
pub use session::{Captured, Ending, Options, capture};
