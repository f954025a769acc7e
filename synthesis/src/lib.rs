//! What a design costs: gates by Yosys, slack by OpenSTA, FPGA resources by nextpnr.

mod results;

pub use results::{Area, Fpga, Gates, ModuleGates, Structure, Timing};
