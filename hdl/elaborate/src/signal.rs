//! The fields of a block: wires, registers, memories, parameters, its clock and its name.

mod bundle;
mod kind;
mod labelled;
mod memory;
mod offer;
mod optional;
mod packed;
mod parameter;
mod register;
mod side;
mod wire;

pub use bundle::{Join, join, join_hdl, offer_bundle};
pub use kind::Kind;
pub use labelled::Labelled;
pub(crate) use memory::address_width;
pub use memory::{Memory, MultiReadMemory};
pub(crate) use offer::{Offer, Reads, received, received_label};
pub use optional::Opt;
pub use packed::{PackedState, Part};
pub use parameter::Param;
pub use register::Reg;
pub use side::{Count, Side, View};
pub use wire::Wire;
