//! Runs generated Verilog and holds it against the golden model, bit for bit.
//!
//! Verilog goes through Verilator and a C++ compiler into a shared library, which is kept in a cache
//! and loaded into this process. A [`Model`] made from it is clocked millions of times a second.
//!
//! # A model
//!
//! ```
//! use tracewright_testbench::{BuildOptions, Model, ModelSource, Port, VerilogFile};
//!
//! let text = "
//! module counter (input clock, input reset, input enable, output reg [7:0] count);
//!     always @(posedge clock)
//!         if (reset) count <= 8'd0;
//!         else if (enable) count <= count + 8'd1;
//! endmodule";
//! let source = ModelSource {
//!     files: vec![VerilogFile::new("counter.v", text)],
//!     top: "counter".into(),
//!     clock: Some("clock".into()),
//!     ports: vec![
//!         Port::input("clock", 1),
//!         Port::input("reset", 1),
//!         Port::input("enable", 1),
//!         Port::output("count", 8),
//!     ],
//! };
//! let library = source.build(&BuildOptions::default())?;
//! let (enable, count) = (library.input("enable", 1)?, library.output("count", 8)?);
//!
//! let mut model = Model::new(&library, 42)?; // registers start with random bits of this seed
//! model.reset(2)?;
//! model.set(enable, 1);
//! for _ in 0..11 {
//!     model.cycle()?;
//! }
//! assert_eq!(model.get(count), 10); // as it was before the last rising edge
//! # Ok::<(), tracewright_testbench::Error>(())
//! ```
//!
//! # The rooms
//!
//! * [`cosim::run`] shows a trace to a trace module (its pins are those of `docs/hardware.md`) and
//!   compares every bit with a golden encoder's as it comes;
//!   [`cosim::run_with_waves`] runs again after a failure and writes the cycles before it.
//! * [`design`] makes models of designs, and finds the record and field of a difference.
//! * [`stimulus`] describes the inputs of the module: how instructions become blocks, gaps between them, a
//!   sink that is not always ready. One seed decides everything random, initial memory included.
//! * [`coverage`] adds up what of the Verilog was exercised, by models built to count it.
//! * [`live::run`] runs a program on a processor core with a trace module on its retirement port.
//! * [`bus`] accesses control registers, and [`debugger`] traces by them.
//! * [`unit::run`] runs a trace through a whole unit: adapter, trace module, registers, sinks.
//! * [`sinks`] holds what takes traces, a RAM sink or a funnel, against its model.
//! * [`lint::lint`] runs the three tools that must accept a file of Verilog without a message.
//!
//! # The cache
//!
//! Compiled models are in `$TRACEWRIGHT_CACHE`, `$XDG_CACHE_HOME/tracewright` or
//! `~/.cache/tracewright`, each under the hash of everything it was made from: the Verilog, the
//! ports, the harness, the versions of Verilator and of the compiler. Any number of processes share
//! it, and it may be deleted at any time.

pub mod adapter_switch;
mod bit_queue;
pub mod bus;
pub mod combined;
mod compare;
pub mod control;
pub mod cosim;
pub mod coverage;
pub mod debugger;
pub mod design;
mod driver;
mod error;
mod filter_pins;
mod glue;
mod input;
mod library;
pub mod lint;
pub mod live;
mod model;
mod model_build;
mod model_compile;
mod pins;
mod port;
mod recording;
mod report;
pub mod sinks;
pub mod stimulus;
mod toolchain;
pub mod unit;

pub use bit_queue::BitQueue;
pub use error::{Error, Result};
pub use library::{InputPort, Library, OutputPort, ResetPort};
pub use model::Model;
pub use model_build::{BuildOptions, ModelSource, VerilogFile};
pub use port::{Direction, Port};
pub use tracewright_cache::Cache;
