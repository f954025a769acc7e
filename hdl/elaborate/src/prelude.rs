//! Everything a file of kernels uses: `use tracewright_elaborate::prelude::*;`.

// The code that RustHDL's derive and `hdl_gen` produce names these four modules.
pub use rust_hdl::core::{ast, block, logic, probe};

pub use crate::connect;
pub use crate::signal::{Count, Kind, Memory, MultiReadMemory, Opt, Param, Reg, View, Wire};
pub use crate::simulate::Simulator;
pub use crate::word::{Word, bits_to, unsigned_cast_to_fit};
pub use crate::{block, bundle, kernel, packed, piece};
pub use rust_hdl::core::prelude::{Block, In, Local, Logic, LogicBlock, Out, hdl_gen};
