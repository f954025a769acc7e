//! Sinks: what hands the trace of a trace port on to something else.
//!
//! A sink here does one step per cycle: [`Source`] is what a trace module says to it, and
//! `outputs` of a sink says what it answers in the same cycle. The hardware is in `hdl/src/sinks`.

pub mod axi_stream;
pub mod chip_pins;
pub mod pin_receiver;
pub mod trace_bus;
pub mod uart_reader;

use crate::config::require;
use crate::parameter::ParameterError;
use crate::pins::sinks::Outlet;

/// What takes the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sink {
    /// An AXI4-Stream slave, with beats of whole bytes.
    AxiStream,
    /// A trace bus of AMBA (ATB), of 8 to 64 bits. A narrower trace port is gathered into bytes.
    Atb,
    /// Pins of a chip: as many as the trace port has, a clock that is taken at both edges, and a pin that is high where there is no
    /// trace.
    Pins,
}

/// Widths of trace ports for pins.
const PIN_WIDTHS: [usize; 5] = [1, 2, 4, 8, 16];

/// Widths of trace ports that fill whole bytes of a trace bus.
const ATB_WIDTHS: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

impl Sink {
    /// In names of modules and files.
    pub fn short(self) -> &'static str {
        match self {
            Sink::AxiStream => "axis",
            Sink::Atb => "atb",
            Sink::Pins => "pins",
        }
    }

    /// The widths that a trace port can have; none for any width.
    pub fn widths(self) -> Option<&'static [usize]> {
        match self {
            Sink::AxiStream => None,
            Sink::Atb => Some(&ATB_WIDTHS),
            Sink::Pins => Some(&PIN_WIDTHS),
        }
    }

    /// Checks that the sink can stand after a trace port.
    ///
    /// # Errors
    /// When the trace port has another width.
    pub fn validate_for(self, outlet: &Outlet) -> Result<(), ParameterError> {
        let width = outlet.trace_port_width;
        let fits = self.widths().is_none_or(|widths| widths.contains(&(width as usize)));
        require(fits, "trace_port_width", width, || {
            let widths = self.widths().unwrap_or_default();
            let widths: Vec<String> = widths.iter().map(ToString::to_string).collect();
            format!("a sink of kind {} needs one of {}", self.short(), widths.join(", "))
        })
    }
}

/// What a trace module says to a sink in a cycle, with what it is told itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The beat of the trace port, if it has one.
    pub beat: Option<u64>,
    /// All of the trace has left the module.
    pub is_flushed: bool,
    /// The trace is to end.
    pub flush: bool,
    /// Tracing is on, as it is where it cannot be switched.
    pub enable: bool,
    /// What is in the module is to be thrown away, if the trace ends.
    pub discard: bool,
}

impl Source {
    /// True if the trace is to end.
    pub fn ends(&self) -> bool {
        self.flush || !self.enable
    }
}
