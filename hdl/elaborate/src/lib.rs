//! RustHDL blocks whose widths are chosen at run time, and a writer that turns them into Verilog-2001.
//!
//! RustHDL fixes every width at compile time. Tracewright's designs are configurations, read from a file or
//! swept over by the hundred, so here a signal's width is a number. A block is still a `#[derive(LogicBlock)]`
//! struct with an `#[hdl_gen]` kernel; its fields are of the types of the [`prelude`]:
//!
//! | field | what it is |
//! |---|---|
//! | [`Kind`] | the module's name and parameters; every block has one |
//! | [`Wire`] | a port or a local signal |
//! | [`Reg`] | a register with a reset value |
//! | [`Memory`], [`MultiReadMemory`] | an array of words without reset |
//! | [`Param`] | a constant of the configuration |
//! | [`Opt`], `Vec` | a sub-block that may be absent, a list of any of these |
//!
//! ```
//! use tracewright_elaborate::prelude::*;
//! use tracewright_elaborate::{Options, elaborate};
//!
//! block! {
//!     /// Remembers the last outcomes, the newest in bit 0.
//!     pub History("history") of (length: usize);
//!     parameters { length }
//!
//!     /// a branch retires
//!     in update: 1;
//!     in taken: 1;
//!     out outcomes: length;
//!     reg past: length;
//! }
//!
//! impl Logic for History {
//!     #[hdl_gen]
//!     fn update(&mut self) {
//!         if self.update.val().any() {
//!             self.past.d.next = (self.past.q.val() << 1) | bits_to(self.taken.val(), self.past.width());
//!         }
//!         self.outcomes.next = self.past.q.val();
//!     }
//! }
//!
//! let mut simulator = Simulator::new(History::new(4))?;
//! simulator.poke(|block| (block.update.next, block.taken.next) = (true.into(), true.into()));
//! simulator.clock();
//! simulator.clock();
//! assert_eq!(simulator.peek(|block| block.outcomes.val()), 0b11);
//!
//! let verilog = elaborate(&History::new(4), &Options::new("demo"))?;
//! assert_eq!(verilog.modules[0].text, "\
//! // history: length = 4
//!
//! module demo (
//!     input  wire       clock,
//!     input  wire       reset,
//!     input  wire       update, // a branch retires
//!     input  wire       taken,
//!     output wire [3:0] outcomes
//! );
//!
//!     reg  [3:0] past;
//!
//!     assign outcomes = past;
//!
//!     always @(posedge clock) begin
//!         if (reset) begin
//!             past <= 4'd0;
//!         end else begin
//!             if (update) begin
//!                 past <= {past[2:0], taken};
//!             end
//!         end
//!     end
//!
//! endmodule
//! ");
//! # Ok::<(), tracewright_elaborate::Error>(())
//! ```
//!
//! The way from a block to its text, a file a station:
//!
//! 1. `signal`: each field tells RustHDL's probe its name, and an `Offer` what it is.
//! 2. `collect`: the probe's visit becomes a tree of blocks, each with the syntax tree of its kernel.
//! 3. `table`: the signals of one block, by the names of kernels and of Verilog.
//! 4. `lower`: the kernel with its loops unrolled, its parameters folded and every width checked.
//! 5. `flow`: no latch, no read before a write, nothing undriven, no combinational loop.
//! 6. `process`: the kernel cut into one process a signal.
//! 7. `write`: the text of a module.
//! 8. `elaborate`: modules shared, named and put into files.
//!
//! # Widths
//!
//! Both operands of an operator have equal widths, and so has the result; a sum wraps. An assignment wants its
//! target's width. An integer takes the width it meets and must fit in it. `bits_to` changes a width; in a loop
//! over signals `unsigned_cast_to_fit` does. A signal without bits reads as 0 and is not in the Verilog.
//!
//! # Simulation and hardware
//!
//! [`Simulator`] runs the same kernels in Rust. Kernels are RustHDL's, so `..=` loops must be kept out of them:
//! [`check_kernel_source`] says where one is.

mod collect;
mod elaborate;
mod error;
mod expression;
mod flow;
mod kernel_source;
mod lower;
mod names;
mod options;
pub mod prelude;
mod process;
mod signal;
mod simulate;
mod table;
mod word;
mod write;

pub use elaborate::elaborate;
pub use error::Error;
pub use kernel_source::check_kernel_source;
pub use options::{
    Direction, Instance, MemoryShape, Module, Options, Port, RegisterShape, Reset, Verilog,
};
pub use signal::{
    Count, Join, Kind, Memory, MultiReadMemory, Opt, PackedState, Param, Part, Reg, Side, View,
    Wire, address_width, offer_bundle,
};
pub use simulate::Simulator;
pub use tracewright_elaborate_macros::{block, bundle, packed};

/// What kernels call to connect bundles: `connect::join(&mut from, &mut to)`.
pub mod connect {
    pub use crate::signal::{join, join_hdl};
}

pub use word::{Word, bits_to, unsigned_cast_to_fit};
