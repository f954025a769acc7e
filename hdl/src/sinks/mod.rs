//! Sinks: what hands the trace of a trace port on to something else, and their Verilog.

pub mod axi_stream;
pub mod chip_pins;
pub mod pin_receiver;
pub mod trace_bus;
pub mod uart_reader;

use tracewright_elaborate::{Options, elaborate};
use tracewright_sim::pins::sinks::Outlet;
use tracewright_sim::ram_sink::Config as RamConfig;
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::Sink;
use tracewright_sim::system_memory_sink::Config as MemoryConfig;

use crate::ram_sink::RamSink;
use crate::system_memory_sink::SystemMemorySink;
use crate::{Error, Generated, beside, collected, refused};

/// The Verilog of a sink after the trace port of `design`.
///
/// # Errors
/// When the design breaks a constraint, or the trace port has a width that the sink cannot take.
pub fn generate_sink(design: &Design, sink: Sink) -> Result<Generated, Error> {
    sink_module(design, sink, false)
}

/// The Verilog of a sink after a funnel of whole messages, in the style of `design`.
///
/// # Errors
/// When the design breaks a constraint.
pub fn generate_shared_sink(design: &Design, sink: Sink) -> Result<Generated, Error> {
    sink_after(design, &Outlet::of_message_funnel(), sink, false)
}

pub(crate) fn sink_module(design: &Design, sink: Sink, faults: bool) -> Result<Generated, Error> {
    sink_after(design, &Outlet::of(&design.interface()), sink, faults)
}

fn sink_after(
    design: &Design,
    outlet: &Outlet,
    sink: Sink,
    faults: bool,
) -> Result<Generated, Error> {
    design.validate()?;
    sink.validate_for(outlet)?;
    let options = Options { faults, ..beside(design, sink.block(), sink.title()) };
    let elaborated = match sink {
        Sink::AxiStream => elaborate(&axi_stream::AxiStream::new(outlet), &options),
        Sink::Atb => elaborate(&trace_bus::TraceBus::new(outlet), &options),
        Sink::Pins => elaborate(&chip_pins::ChipPins::new(outlet), &options),
    };
    Ok(collected(elaborated.map_err(refused(&design.name))?, &options))
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
    Ok(collected(elaborate(&reader, &options).map_err(refused(&design.name))?, &options))
}

/// The Verilog of what takes the trace of `design` from pins ([`Sink::Pins`]), for simulation.
///
/// # Errors
/// When the design breaks a constraint.
pub fn generate_pin_receiver(design: &Design) -> Result<Generated, Error> {
    design.validate()?;
    let options = beside(design, "pin_receiver", "Receiver at the pins");
    let receiver = pin_receiver::PinReceiver::new(&Outlet::of(&design.interface()));
    Ok(collected(elaborate(&receiver, &options).map_err(refused(&design.name))?, &options))
}

/// The Verilog of a sink with a memory of its own, after the trace port of `design`.
///
/// # Errors
/// When the design or the sink breaks a constraint.
pub fn generate_ram_sink(design: &Design, config: &RamConfig) -> Result<Generated, Error> {
    ram_sink_module(design, config, false)
}

pub(crate) fn ram_sink_module(
    design: &Design,
    config: &RamConfig,
    faults: bool,
) -> Result<Generated, Error> {
    design.validate()?;
    config.validate()?;
    let options = Options { faults, ..beside(design, "ram_sink", "RAM sink") };
    let elaborated = elaborate(&RamSink::new(config, design.port().encoder_registers), &options);
    Ok(collected(elaborated.map_err(refused(&design.name))?, &options))
}

/// The Verilog of a sink that writes to the memory of the system, after the trace port of `design`.
///
/// # Errors
/// When the design or the sink breaks a constraint.
pub fn generate_system_memory_sink(
    design: &Design,
    config: &MemoryConfig,
) -> Result<Generated, Error> {
    memory_sink(design, config, false)
}

pub(crate) fn memory_sink(
    design: &Design,
    config: &MemoryConfig,
    faults: bool,
) -> Result<Generated, Error> {
    design.validate()?;
    config.validate()?;
    let options = Options { faults, ..beside(design, "system_memory_sink", "RAM sink") };
    let elaborated = elaborate(&SystemMemorySink::new(config), &options);
    Ok(collected(elaborated.map_err(refused(&design.name))?, &options))
}
