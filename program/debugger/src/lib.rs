//! A GDB server over a recorded execution, forwards and backwards.
//!
//! * [`recording`] keeps an execution so that any instruction of it is found in milliseconds.
//! * [`stack`] makes a stack of the open calls: where a debugger finds the return address of each frame.
//! * [`debuggee`] answers what GDB asks: registers, memory, breakpoints, steps in both directions.
//! * [`serve`] speaks GDB's remote protocol, by the crate `gdbstub`, and LLDB's.
//!
//! A trace has the program counter alone. Registers that are not known are sent as such, and memory is that of the
//! program's files. A working set has all registers and all memory: [`memory`] has both kinds.

pub mod debuggee;
mod error;
pub mod memory;
pub mod recording;
mod server;
pub mod stack;
mod wire;

pub use debuggee::{Awaited, Debuggee};
pub use error::Error;
pub use gdbstub::conn::{Connection, ConnectionExt};
pub use server::{Client, Ended, serve};
