//! What a design costs: gates by Yosys, slack by OpenSTA, FPGA resources by nextpnr.
//!
//! [`GateCounter`] counts the gates of generated Verilog. Results are kept in a directory under the hash
//! of all they follow from, so that the same question is answered at once the second time. docs/gates.md
//! says what is counted and how.

mod error;
mod fpga;
mod gates;
mod levels;
mod liberty;
mod memory;
mod netlist;
mod results;
mod store;
mod timing;
mod tool;
mod wrapper;
mod yosys;

pub use error::{Error, Result};
pub use fpga::{Family, FpgaFlow, FpgaOptions};
pub use gates::{GateCounter, GateOptions};
pub use results::{Area, Fpga, Gates, ModuleGates, Structure, Timing};
