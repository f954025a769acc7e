//! The fields of a block: wires, registers, memories, parameters, its clock and its name.

mod domain;
mod kind;
mod macros;
mod memory;
mod offer;
mod optional;
mod parameter;
mod register;
mod wire;

pub use domain::{Domain, Tick};
pub use kind::Kind;
pub use memory::{Memory, MultiReadMemory, address_width};
pub(crate) use offer::{Offer, Reads, received};
pub use optional::Opt;
pub use parameter::Param;
pub use register::Reg;
pub use wire::Wire;
