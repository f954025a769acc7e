//! Sinks: what hands the trace of a trace port on to something else.
//!
//! A sink here does one step per cycle: [`Source`] is what a trace module says to it, and
//! `outputs` of a sink says what it answers in the same cycle. The hardware is in `hdl/src/sinks`.
//!
//! [`Sink`] says once what the command, the modules around a sink, benches and tests know of each of them.

pub mod axi_stream;
pub mod chip_pins;
pub mod pin_receiver;
pub mod trace_bus;
pub mod uart_reader;

use crate::config::require;
use crate::parameter::ParameterError;
use crate::pins::Pin;
use crate::pins::sinks::{self as rows, Outlet};

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

/// The pins of a sink through which beats go that wait until they are taken.
#[derive(Clone, Copy, Debug)]
pub struct Handshake {
    /// The bits of a beat.
    pub data: &'static Pin<Outlet>,
    /// There is a beat. A bus wants it low from the first moment of the reset.
    pub valid: &'static Pin<Outlet>,
    /// The beat is taken.
    pub ready: &'static Pin<Outlet>,
}

/// What is known of a sink.
struct Row {
    name: &'static str,
    short: &'static str,
    block: &'static str,
    title: &'static str,
    widths: Option<&'static [usize]>,
    least_beat_bits: u32,
    clocks: Option<&'static [Pin<Outlet>]>,
    pins: &'static [Pin<Outlet>],
    handshake: Option<Handshake>,
}

const AXI_STREAM: Row = Row {
    name: "axi-stream",
    short: "axis",
    block: "axi_stream",
    title: "AXI4-Stream port",
    widths: None,
    least_beat_bits: 1,
    clocks: Some(rows::AXI_STREAM_CLOCKS),
    pins: rows::AXI_STREAM,
    handshake: Some(Handshake {
        data: &rows::AXIS_TDATA,
        valid: &rows::AXIS_TVALID,
        ready: &rows::AXIS_TREADY,
    }),
};

const ATB: Row = Row {
    name: "atb",
    short: "atb",
    block: "trace_bus",
    title: "Trace bus",
    widths: Some(&[1, 2, 4, 8, 16, 32, 64]),
    least_beat_bits: 8,
    clocks: Some(rows::ATB_CLOCKS),
    pins: rows::ATB,
    handshake: Some(Handshake {
        data: &rows::ATDATA,
        valid: &rows::ATVALID,
        ready: &rows::ATREADY,
    }),
};

const PINS: Row = Row {
    name: "pins",
    short: "pins",
    block: "chip_pins",
    title: "Pins of a chip",
    widths: Some(&[1, 2, 4, 8, 16]),
    least_beat_bits: 1,
    clocks: None,
    pins: rows::CHIP_PINS,
    handshake: None,
};

impl Sink {
    /// Every sink.
    pub const ALL: [Sink; 3] = [Sink::AxiStream, Sink::Atb, Sink::Pins];

    fn row(self) -> &'static Row {
        match self {
            Sink::AxiStream => &AXI_STREAM,
            Sink::Atb => &ATB,
            Sink::Pins => &PINS,
        }
    }

    /// Its name on the command line and in design files.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The sink of this name.
    pub fn named(name: &str) -> Option<Sink> {
        Sink::ALL.into_iter().find(|sink| sink.name() == name)
    }

    /// In names of modules and files: that of the module around the trace module.
    pub fn short(self) -> &'static str {
        self.row().short
    }

    /// In the name of the block, which is a module beside the trace module and has another name than the one around both.
    pub fn block(self) -> &'static str {
        self.row().block
    }

    /// What it is, in headers of files.
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// The widths that a trace port can have; none for any width.
    pub fn widths(self) -> Option<&'static [usize]> {
        self.row().widths
    }

    /// Bits of a beat after a trace port of this width: a bus of whole bytes gathers bits of a narrower one.
    pub fn beat_bits(self, trace_port_width: u32) -> u32 {
        trace_port_width.max(self.row().least_beat_bits)
    }

    /// Clock, reset and clock enable of its own; `None` where it has those of the module.
    pub fn clocks(self) -> Option<&'static [Pin<Outlet>]> {
        self.row().clocks
    }

    /// The pins on the side of what takes the trace.
    pub fn pins(self) -> &'static [Pin<Outlet>] {
        self.row().pins
    }

    /// The pins through which beats go; `None` where nothing waits.
    pub fn handshake(self) -> Option<Handshake> {
        self.row().handshake
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
