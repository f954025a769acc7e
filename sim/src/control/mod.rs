//! The control registers of the RISC-V Trace Control Interface around a design or a funnel: what they are, and what the hardware
//! around it does with them.
//!
//! The registers and their fields are declared once, in [`encoder`], [`ram`], [`system_memory`], [`atb_bridge`] and [`funnel`]
//! and the files beside them, from what the design has. All else is written from that [`Map`](table::Map): the hardware, and
//! what `tracewright-packaging` writes for tools and drivers.

pub mod access;
pub mod apb;
pub mod apb_split;
pub mod atb_bridge;
pub mod axi_lite;
pub mod axi_lite_to_apb;
pub mod bridge_gate;
pub mod encoder;
pub mod filter;
pub mod funnel;
pub mod funnel_switch;
pub mod ram;
pub mod register_file;
pub mod system_memory;
pub mod table;
pub mod timestamp;
pub mod timestamp_unit;
pub mod trace_switch;
pub mod trigger;
pub mod trigger_inputs;
pub mod trigger_outputs;

use serde::{Deserialize, Serialize};

use crate::pins::{Pin, control as pins};

/// The bus by which the registers are read and written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bus {
    /// APB4.
    #[default]
    Apb,
    /// AXI4-Lite.
    AxiLite,
}

impl Bus {
    /// Its name in the field.
    pub fn title(self) -> &'static str {
        match self {
            Bus::Apb => "APB",
            Bus::AxiLite => "AXI4-Lite",
        }
    }

    /// Its signals, without clock and reset.
    pub fn pins(self) -> &'static [Pin<()>] {
        match self {
            Bus::Apb => pins::APB,
            Bus::AxiLite => pins::AXI_LITE,
        }
    }

    /// What its registers are called where the parts of a simulation are listed.
    pub fn registers(self) -> &'static str {
        match self {
            Bus::Apb => "apb registers",
            Bus::AxiLite => "axi-lite registers",
        }
    }
}
