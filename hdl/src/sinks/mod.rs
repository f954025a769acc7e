//! Sinks: what hands the trace of a trace port on to something else, and their Verilog.

pub mod axi_stream;
pub mod chip_pins;
pub mod pin_receiver;
pub mod trace_bus;
pub mod uart_reader;

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

/// The Verilog of a reader of a ring of so many bytes, which the RAM sink of `design` has.
///
/// # Errors
/// When the design breaks a constraint.
pub fn generate_uart_reader(design: &Design, ring_bytes: u32) -> Result<Generated, Error> {
    reader_module(design, ring_bytes, false)
}

pub(crate) fn reader_module(
    design: &Design,
    ring_bytes: u32,
    faults: bool,
) -> Result<Generated, Error> {
    design.validate()?;
    let options = Options { faults, ..beside(design, "uart_reader", "Reader of the ring") };
    let reader = uart_reader::UartReader::new(ring_bytes);
    Ok(collected(elaborate(&reader, &options).map_err(refused(design))?, &options))
}

/// The Verilog of what takes the trace of `design` from pins ([`Sink::Pins`]), for simulation.
///
/// # Errors
/// When the design breaks a constraint.
pub fn generate_pin_receiver(design: &Design) -> Result<Generated, Error> {
    design.validate()?;
    let options = beside(design, "pin_receiver", "Receiver at the pins");
    let receiver = pin_receiver::PinReceiver::new(&Outlet::of(&design.interface()));
    Ok(collected(elaborate(&receiver, &options).map_err(refused(design))?, &options))
}
