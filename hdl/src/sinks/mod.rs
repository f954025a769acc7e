//! Sinks: what hands the trace of a trace port on to something else, and their Verilog.

pub mod axi_stream;
pub mod chip_pins;
pub mod trace_bus;

use tracewright_elaborate::{Options, elaborate};
use tracewright_sim::pins::sinks::Outlet;
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::Sink;

use crate::{Error, Generated, beside, collected, refused};

/// The Verilog of a sink after the trace port of `design`.
///
/// # Errors
/// When the design breaks a constraint, or the trace port has a width that the sink cannot take.
pub fn generate_sink(design: &Design, sink: Sink) -> Result<Generated, Error> {
    sink_module(design, sink, false)
}

pub(crate) fn sink_module(design: &Design, sink: Sink, faults: bool) -> Result<Generated, Error> {
    design.validate()?;
    let outlet = Outlet::of(&design.interface());
    sink.validate_for(&outlet)?;
    let (suffix, title) = match sink {
        Sink::AxiStream => ("axi_stream", "AXI4-Stream port"),
        Sink::Atb => ("trace_bus", "Trace bus"),
        Sink::Pins => ("chip_pins", "Pins of a chip"),
    };
    let options = Options { faults, ..beside(design, suffix, title) };
    let elaborated = match sink {
        Sink::AxiStream => elaborate(&axi_stream::AxiStream::new(&outlet), &options),
        Sink::Atb => elaborate(&trace_bus::TraceBus::new(&outlet), &options),
        Sink::Pins => elaborate(&chip_pins::ChipPins::new(&outlet), &options),
    };
    Ok(collected(elaborated.map_err(refused(design))?, &options))
}
