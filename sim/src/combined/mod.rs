//! Instructions and data addresses of one core in one trace.
//!
//! Two designs trace the same execution, one its control flow and one its data addresses. Their bytes leave through one
//! port, in the frames of a [`funnel`] that say whose they are. The trace keeps the order within each of
//! the two; the order between them follows from the program, which says which instructions access memory.

pub mod access_sites;
mod decoder;
mod encoder;

pub use decoder::decode;
pub use encoder::{Encoder, Totals};

use crate::config::{Protocol, TracePort};
use crate::event::Machine;
use crate::funnel;
use crate::parameter::ParameterError;
use crate::scheme::{Design, DesignError};

/// The width of each design's trace port: the funnel takes bytes.
const PORT_BITS: &str = "8";

/// A design for control flow, one for data addresses, and the funnel after them.
#[derive(Clone, Debug)]
pub struct Combined {
    flow: Design,
    data: Design,
    funnel: funnel::Config,
}

/// Why two designs cannot share a port.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CombinedError {
    /// A design cannot be used.
    #[error(transparent)]
    Design(#[from] DesignError),
    /// The funnel breaks a constraint.
    #[error(transparent)]
    Funnel(#[from] ParameterError),
    /// A design traces what the other one should.
    #[error("`{name}` traces {found}, expected a design that traces {expected}")]
    Traces {
        /// The design.
        name: String,
        /// What it traces.
        found: &'static str,
        /// What it should trace.
        expected: &'static str,
    },
    /// A design that cannot stand beside another one.
    #[error("`{name}` {what}: a combined trace is of one core that stalls, without packets")]
    Unfit {
        /// The design.
        name: String,
        /// What is in the way.
        what: &'static str,
    },
    /// The designs differ in clock or reset.
    #[error("`{flow}` and `{data}` differ in {what}")]
    Style {
        /// The design for control flow.
        flow: String,
        /// The design for data addresses.
        data: String,
        /// In what they differ.
        what: &'static str,
    },
}

impl Combined {
    /// Puts two designs before one port, and sets the width of theirs to a byte.
    ///
    /// # Errors
    /// When one of them does not trace what it should, has packets or several cores, or breaks a constraint.
    pub fn new(mut flow: Design, mut data: Design) -> Result<Self, CombinedError> {
        let funnel = funnel::Config::default();
        for design in [&mut flow, &mut data] {
            design.set("trace_port_width", PORT_BITS)?;
            design.validate()?;
        }
        for (design, is_data) in [(&flow, false), (&data, true)] {
            let [found, expected] = [design.traces_data(), is_data]
                .map(|data| if data { "data addresses" } else { "control flow" });
            if design.traces_data() != is_data {
                let name = design.name.clone();
                return Err(CombinedError::Traces { name, found, expected });
            }
            let unfit = if design.cores() > 1 {
                Some("traces several cores")
            } else if *design.protocol() != Protocol::default() {
                Some("has packets or a filter")
            } else if design.has_event_times() {
                Some("has the time of events (time_mode)")
            } else {
                None
            };
            if let Some(what) = unfit {
                return Err(CombinedError::Unfit { name: design.name.clone(), what });
            }
        }
        let style = |port: &TracePort| (port.reset, port.clock_enable);
        if style(flow.port()) != style(data.port()) {
            let what = "reset or clock_enable";
            return Err(CombinedError::Style { flow: flow.name, data: data.name, what });
        }
        funnel.validate()?;
        Ok(Self { flow, data, funnel })
    }

    /// The same for a machine.
    ///
    /// # Errors
    /// When a design was set to an alignment that loses address bits.
    pub fn for_machine(&self, machine: Machine) -> Result<Self, CombinedError> {
        Ok(Self {
            flow: self.flow.for_machine(machine)?,
            data: self.data.for_machine(machine)?,
            funnel: self.funnel,
        })
    }

    /// The designs: that for control flow, whose frames have the funnel's first number, and that for data addresses.
    pub fn designs(&self) -> [&Design; 2] {
        [&self.flow, &self.data]
    }

    /// The funnel.
    pub fn funnel(&self) -> &funnel::Config {
        &self.funnel
    }
}
