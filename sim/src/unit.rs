//! A whole unit as a value: a design and the modules around it; and a system of several.
//!
//! The hardware of both is `tracewright_hdl::unit`, which joins the modules.
//!
//! ```
//! use tracewright_sim::control::Bus;
//! use tracewright_sim::scheme::Design;
//! use tracewright_sim::unit::{Control, Unit};
//!
//! let mut design = Design::preset("traptor-m4")?;
//! design.set("framing", "packets")?;
//! design.set("enable_pin", "true")?;
//! let control = Control { ram_sink: Some(4096), ..Control::new(Bus::Apb) };
//! let map = control.map(&design)?;
//! assert!(map.fields().any(|(_, field)| field.name == "trRamEnable"));
//! let unit = Unit { control: Some(control), ..Unit::bare(design) };
//! assert!(unit.ingress.is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod control;
mod ingress;
mod system;

pub use control::Control;
pub use ingress::Ingress;
pub use system::{Hart, System, SystemError, SystemSink, SystemSinkConfig, register_base};

use crate::parameter::ParameterError;
use crate::scheme::Design;
use crate::sinks::Sink;

/// A design and what stands around it.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The design, with the pins that the modules around it need.
    pub design: Design,
    /// The port of the core, if it has an adapter.
    pub ingress: Option<Ingress>,
    /// What takes the trace; several are there to choose from, and nothing is around them.
    pub sinks: Vec<Sink>,
    /// The control registers.
    pub control: Option<Control>,
    /// The ring of the RAM sink is read by a serial line.
    pub has_reader: bool,
}

impl Unit {
    /// A design around which nothing stands.
    pub fn bare(design: Design) -> Unit {
        Unit { design, ingress: None, sinks: Vec::new(), control: None, has_reader: false }
    }
}

/// Why something cannot stand around a design.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    /// Control registers for a module that has no pins to switch it.
    #[error(
        "{design} cannot be switched off and on by registers, because without packets a trace cannot go on where tracing was \
         switched on: set framing=packets and enable_pin=true"
    )]
    NoSwitch {
        /// The design.
        design: String,
    },
    /// The same where the pin alone is missing.
    #[error(
        "{design} cannot be switched off and on by registers without its pin: set enable_pin=true"
    )]
    NoEnablePin {
        /// The design.
        design: String,
    },
    /// Two sinks for one trace.
    #[error(
        "{design} can have one sink: a RAM sink with a memory of its own, one with that of the system, or a trace bus"
    )]
    TwoSinks {
        /// The design.
        design: String,
    },
    /// A reader of a ring that is not there, or not on its bus.
    #[error("{design} can have a reader of its ring only with registers on APB and a RAM sink")]
    Reader {
        /// The design.
        design: String,
    },
    /// More triggers than a register has fields for.
    #[error("{design} can have 8 trigger inputs and 8 trigger outputs at most, not {count}")]
    Triggers {
        /// The design.
        design: String,
        /// What was asked for.
        count: u32,
    },
    /// The sink's parameters break a constraint.
    #[error(transparent)]
    Sink(#[from] ParameterError),
    /// Harts that cannot be a system.
    #[error(transparent)]
    System(#[from] SystemError),
}
