//! What a design costs: gates by Yosys, slack by OpenSTA, FPGA resources by nextpnr.
//!
//! [`GateCounter`] counts the gates of generated Verilog. Results are cached in a directory under a hash
//! of everything they depend on. docs/gates.md says what is counted and how.

mod error;
mod fpga;
mod gates;
mod levels;
mod liberty;
mod memory;
mod netlist;
mod power;
mod results;
mod store;
mod timing;
mod tool;
mod verilog;
mod wrapper;
mod yosys;

pub use error::{Error, Result};
pub use fpga::{Family, FpgaFlow, FpgaOptions};
pub use gates::{GateCounter, GateOptions};
pub use liberty::LibraryOptions;
pub use power::{Block, Energy, GateLevel, Power, PowerMeter, PowerOptions, Waves};
pub use results::{Area, Fpga, Gates, ModuleGates, Structure, Timing, Totals};
pub use verilog::{VerilogGates, count_verilog};
