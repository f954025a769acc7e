//! RustHDL blocks whose widths are chosen at run time, and a writer that turns them into Verilog-2001.
//!
//! RustHDL fixes every width at compile time. Tracewright's designs are configurations, read from a file or
//! swept over by the hundred, so here a signal's width is a number. A block is declared by [`block!`], which makes
//! a RustHDL block, and its behaviour is a [`kernel`], which names the block's signals as a model does. Records are declared by
//! [`packed!`], and ports that belong together by [`bundle!`].
//!
//! ```
//! use tracewright_elaborate::prelude::*;
//! use tracewright_elaborate::{Options, elaborate};
//!
//! packed! {
//!     /// The outcome of a branch.
//!     pub Outcome of (target_bits: usize);
//!     taken: 1;
//!     target: target_bits;
//! }
//!
//! bundle! {
//!     /// Words with a handshake.
//!     pub Stream of (bits: usize);
//!     forward valid: 1;
//!     forward word: bits;
//!     backward ready: 1;
//! }
//!
//! block! {
//!     /// Keeps the target of the last taken branch until it is sent.
//!     pub LastTarget("last_target") of (target_bits: usize);
//!     parameters { target_bits }
//!
//!     /// a branch retires
//!     in retire: 1;
//!     in outcome: Outcome(target_bits);
//!     out sent: Stream(target_bits);
//!     reg waiting: 1;
//!     reg target: target_bits;
//! }
//!
//! #[kernel]
//! impl Logic for LastTarget {
//!     fn update(&mut self) {
//!         if sent.ready {
//!             waiting.d = 0;
//!         }
//!         if retire && outcome.taken {
//!             waiting.d = 1;
//!             target.d = outcome.target;
//!         }
//!         sent.valid = waiting.q;
//!         sent.word = target.q;
//!     }
//! }
//!
//! block! {
//!     /// Has one pin for each part of the outcome.
//!     pub Pins("pins") of (target_bits: usize);
//!     parameters { target_bits }
//!
//!     in retire: 1;
//!     in taken: 1;
//!     in target: target_bits;
//!     out sent: Stream(target_bits);
//!     local outcome: Outcome(target_bits);
//!     block last_target: LastTarget(target_bits);
//! }
//!
//! #[kernel]
//! impl Logic for Pins {
//!     fn update(&mut self) {
//!         outcome = Outcome { taken, target };
//!         last_target = LastTarget { retire, outcome };
//!         join(last_target.sent, sent);
//!     }
//! }
//!
//! let mut simulator = Simulator::new(Pins::new(8))?;
//! simulator.poke(|pins| {
//!     (pins.retire.next, pins.taken.next, pins.target.next) = (1.into(), 1.into(), 40.into());
//! });
//! simulator.clock();
//! assert_eq!(simulator.peek(|pins| (pins.sent.valid.val(), pins.sent.word.val())), (1.into(), 40.into()));
//!
//! let verilog = elaborate(&Pins::new(8), &Options::new("demo"))?;
//! assert_eq!(verilog.modules[0].text, "\
//! // Keeps the target of the last taken branch until it is sent
//! module demo_last_target (
//!     input  wire       clock,
//!     input  wire       reset,
//!     input  wire       retire, // a branch retires
//!     input  wire [8:0] outcome,
//!     output wire       sent_valid,
//!     output wire [7:0] sent,
//!     input  wire       sent_ready
//! );
//!
//!     reg        waiting;
//!     reg  [7:0] target;
//!
//!     wire       outcome_taken = outcome[0];
//!     wire [7:0] outcome_target = outcome[8:1];
//!
//!     assign sent_valid = waiting;
//!     assign sent = target;
//!
//!     always @(posedge clock) begin
//!         if (reset) begin
//!             waiting <= 1'b0;
//!             target <= 8'd0;
//!         end else begin
//!             if (sent_ready) begin
//!                 waiting <= 1'b0;
//!             end
//!             if (retire && outcome_taken) begin
//!                 waiting <= 1'b1;
//!                 target <= outcome_target;
//!             end
//!         end
//!     end
//!
//! endmodule
//! ");
//! # Ok::<(), tracewright_elaborate::Error>(())
//! ```
//!
//! What the declarations stand for, in the [`prelude`]:
//!
//! | declaration | type of the field |
//! |---|---|
//! | the block's name and parameters | [`Kind`] |
//! | `in`, `out`, `local` | [`Wire`], or a type made by [`packed!`] or [`bundle!`] |
//! | `reg` | [`Reg`]: the kernel writes `d` and reads `q`; a register keeps its value unless its `d` is written |
//! | `stage` | [`Reg`]; where the configuration has none, what is written to `d` is what `q` reads |
//! | `memory` | [`Memory`], with `reads` [`MultiReadMemory`] |
//! | `param`, `constant` | [`Param`] |
//! | `block` | the sub-block |
//! | .. `if` | [`Opt`] of the type |
//! | .. `for` | `Vec` of the type |
//! | `#[label]` on a sub-block | [`Labelled`] |
//!
//! The way from a block to its text, a file a station:
//!
//! 1. `signal`: each field tells RustHDL's probe its name, and an `Offer` what it is.
//! 2. `collect`: the probe's visit becomes a tree of blocks, each with the syntax tree of its kernel.
//! 3. `table`: the signals of one block, by the names of kernels and of Verilog.
//! 4. `lower`: the kernel with its loops unrolled, its parameters folded and every width checked.
//! 5. `flow`: no latch, no read before a write, nothing undriven, no combinational loop.
//! 6. `process`: the kernel cut into one process a signal.
//! 7. `fault`, only if the options ask for it: what can go wrong, which an input switches on.
//! 8. `write`: the text of a module.
//! 9. `elaborate`: modules shared, named and put into files.
//!
//! # Widths
//!
//! Both operands of an operator have equal widths, and so has the result; a sum wraps. An assignment wants its
//! target's width. An integer takes the width it meets and must fit in it. `resized` changes a width; in a loop
//! over signals `fitted` does. A signal without bits reads as 0 and is not in the Verilog.
//!
//! # RustHDL
//!
//! A [`kernel`] becomes one of RustHDL, under its attribute `#[hdl_gen]`, and the macro's page has what each form turns
//! into. Kernels in RustHDL's own form work beside it: `self.sent.valid.next = self.waiting.q.val();`, with `bits_to`,
//! `unsigned_cast_to_fit` and `match`. Keep `..=` loops out of those: RustHDL silently loses the last turn, which
//! `kernel` refuses. [`Simulator`] runs either in Rust.

mod assembly;
mod collect;
mod elaborate;
mod error;
mod expression;
mod fault;
mod flow;
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

pub use assembly::{Assembled, Assembly, AssemblyError, Connection, Instantiated, Net, Value};
pub use elaborate::{check_top, elaborate};
pub use error::Error;
pub use fault::{FAULT_SELECT, Fault, FaultKind};
pub use options::{
    Direction, Instance, Memories, MemoryShape, Module, Options, Port, RegisterShape, Reset,
    Verilog,
};
pub use signal::{
    Count, Join, Kind, Labelled, Memory, MultiReadMemory, Opt, PackedState, Param, Part, Reg, Side,
    View, Wire, offer_bundle,
};
pub use simulate::Simulator;
pub use tracewright_elaborate_macros::{block, bundle, kernel, packed, piece, with_piece};

/// What kernels call to connect bundles: `connect::join(&mut from, &mut to)`.
pub mod connect {
    pub use crate::signal::{join, join_hdl};
}

pub use word::{Word, bits_to, unsigned_cast_to_fit};
