//! A design with its trace port made for what takes the trace: a module around it.

use tracewright_sim::pins::sinks::{self, Outlet};
use tracewright_sim::pins::{Group, Pin, is_clock, module};
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::Sink;

use crate::unit::pins::{Pins, is_of};
use crate::unit::wires::{self, half_period, instance, made, storage};
use crate::{Assembly, Connection, Error, Generated, Port};

/// What is joined to a port of a module with or without a sink, if it is its clock or its reset, in a module with ports `clock` and
/// `reset`, which is the name of that of the design.
pub(crate) fn clock_or_reset(
    assembly: &mut Assembly,
    port: &str,
    reset: &str,
) -> Option<Connection> {
    let is_low = is_low_reset(port);
    if is_clock(port) {
        Some(assembly.net(module::CLOCK.name, 1).into())
    } else if is_low && reset == module::RESET.name {
        Some((!assembly.bit(reset)).into())
    } else {
        (is_low || port == reset).then(|| assembly.net(reset, 1).into())
    }
}

/// True for the clock of a module with or without a sink, and for its reset, which is `reset` where it is not that of a bus.
pub fn is_clock_or_reset(port: &str, reset: &str) -> bool {
    is_clock(port) || is_low_reset(port) || port == reset
}

/// True for the reset of a trace module or of a bus.
pub(crate) fn is_any_reset(port: &str) -> bool {
    is_low_reset(port) || [module::RESET.name, module::RESET_N.name].contains(&port)
}

/// True for the reset of a bus.
fn is_low_reset(port: &str) -> bool {
    [sinks::ARESETN.name, sinks::ATRESETN.name].contains(&port)
}

/// What is joined to the ports of the sink and of the trace module before it.
struct Wiring {
    sink: Sink,
    /// The sink's own clock pins.
    clocks: Option<&'static [Pin<Outlet>]>,
    /// The reset of the trace module is active high, unlike that of a bus.
    is_high: bool,
}

impl Wiring {
    /// The clock, the reset or the clock enable of the whole, for a port of that group of one of the two modules.
    fn of_clock(&self, assembly: &mut Assembly, port: &Port) -> Connection {
        let Some([clock, reset, enable]) = self.clocks.and_then(|pins| pins.get(..3)) else {
            return assembly.same(port);
        };
        let name = port.name.as_str();
        match name {
            _ if name == module::CLOCK.name => assembly.net(clock.name, 1).into(),
            _ if name == module::CLOCK_ENABLE.name => assembly.net(enable.name, 1).into(),
            _ if self.is_high => (!assembly.bit(reset.name)).into(),
            _ => assembly.net(reset.name, 1).into(),
        }
    }

    /// For a port of the sink.
    fn of_sink(&self, assembly: &mut Assembly, port: &Port) -> Connection {
        let gated = self.sink.handshake().filter(|_| self.is_high);
        match port.name.as_str() {
            name if is_of(name, Group::Clock) => self.of_clock(assembly, port),
            name if gated.is_some_and(|pins| pins.valid.name == name) => {
                let remark = "the bus wants valid low from the first moment of the reset";
                let offered = assembly.described("is_offered", 1, remark);
                let reset = self.clocks.and_then(|pins| pins.get(1)).map_or("", |pin| pin.name);
                let (valid, runs) = (assembly.net(name, 1), assembly.bit(reset));
                assembly.drive(valid, runs & offered.value());
                offered.into()
            }
            name if name == sinks::HALF_PERIOD.name => {
                half_period(assembly, 1).value().less_one().bits(0, port.width).into()
            }
            _ => assembly.same(port),
        }
    }

    /// For a port of the trace module.
    fn of_module(&self, assembly: &mut Assembly, port: &Port) -> Connection {
        let is_bus = self.sink == Sink::Atb;
        let other = match port.name.as_str() {
            name if is_of(name, Group::Clock) => return self.of_clock(assembly, port),
            name if name == module::FLUSHED.name => sinks::TRACE_FLUSHED.name,
            name if name == module::FLUSH.name && is_bus => sinks::TRACE_FLUSH.name,
            name if name == module::SYNC_REQUEST.name && is_bus => sinks::SYNCREQ.name,
            name => name,
        };
        assembly.net(other, port.width).into()
    }
}

/// The module `TOP_axis`, `TOP_atb` or `TOP_pins` around `inner`, which is the Verilog of `design` with or without the adapters of its
/// cores, and the sink in it: the files that are added. Ports and storage are those of the whole.
///
/// # Errors
/// When the trace port has a width that the sink cannot take, or the hardware has other pins than docs/hardware.md.
pub fn sink_wrapper(design: &Design, inner: &Generated, sink: Sink) -> Result<Generated, Error> {
    sink_module(design, inner, sink, false)
}

/// The same, with or without faults in how it is joined.
pub(crate) fn sink_module(
    design: &Design,
    inner: &Generated,
    sink: Sink,
    faults: bool,
) -> Result<Generated, Error> {
    let block = crate::generate_sink(design, sink)?;
    let pins = Pins::find(design, inner)?;
    let outlet = Outlet::of(&design.interface());
    let wiring = Wiring { sink, clocks: sink.clocks(), is_high: pins.reset_level == 1 };
    let is_passed = |port: &&Port| {
        let is_clock = wiring.clocks.is_some() && is_of(&port.name, Group::Clock);
        let is_on_bus = sink == Sink::Atb && port.name == module::SYNC_REQUEST.name;
        !is_of(&port.name, Group::Trace) && !is_clock && !is_on_bus
    };
    let mut ports = wiring.clocks.map_or(Vec::new(), |clocks| wires::pins(clocks, &outlet));
    ports.extend(inner.ports.iter().filter(is_passed).cloned());
    ports.extend(wires::pins(sink.pins(), &outlet));
    let top = format!("{}_{}", inner.top, sink.short());
    let mut assembly = wires::around(&top, &ports, faults);
    instance(&mut assembly, "sink", &block, |assembly, port| wiring.of_sink(assembly, port));
    instance(&mut assembly, "trace_module", inner, |assembly, port| {
        wiring.of_module(assembly, port)
    });
    let made = made(assembly, &block.header, &title(design, sink, &pins, &outlet))?;
    let mut files = block.files;
    files.push(made.file);
    let own = storage(sink.short(), block.storage_bits);
    Ok(Generated {
        files,
        ports: made.ports,
        storage: inner.storage.iter().cloned().chain([own]).collect(),
        storage_bits: inner.storage_bits + block.storage_bits,
        memory_bits: inner.memory_bits,
        faults: made.faults,
        top,
        ..block
    })
}

/// What the module is.
fn title(design: &Design, sink: Sink, pins: &Pins, outlet: &Outlet) -> String {
    let (name, bits, bus_bits) = (&design.name, pins.trace_width, outlet.bus_bits());
    let discards = |what: &str| if pins.switches { what.to_owned() } else { String::new() };
    match sink {
        Sink::AxiStream => {
            format!(
                "{name} with its trace port as an AXI4-Stream master, and AXI4-Stream clock and reset. A beat of\n\
             trace_data is the lowest {bits} of the {bus_bits} bits of m_axis_tdata; the bits above are 0. The last beat of\n\
             a flush has m_axis_tlast, for which a beat waits until the next one follows or the flush ends; then flushed rises.\n"
            ) + &discards(
                "A discard ends the trace without what is in the module, and flushed waits for no beat then. The beat that waits has m_axis_tlast; if\n\
             it is on offer without, it stays so, and a beat of zeros with m_axis_tlast follows, unless tracing has gone on before.\n",
            )
        }
        Sink::Atb => {
            let gathers =
                if outlet.beats() > 1 { "; bits that fill no byte are dropped" } else { "" };
            format!(
                "{name} as a source of trace on an AMBA trace bus (ATB), with the clock and the reset of that. trace_id, 1 to 111, does\n\
                 not change while the module traces. AFVALID ends the trace as `flush` does, and afready says that all of it has been taken; after that\n\
                 tracing goes on.\n"
            ) + &discards(&format!(
                "A discard ends the trace without what is in the module. A byte or a wider beat that is on offer stays until it is taken, for which\n\
                 flushed does not wait{gathers}.\n"
            ))
        }
        Sink::Pins => format!(
            "{name} with its trace port at the pins of a chip, {bits} of data and a clock. A probe takes pin_data at both edges of\n\
             pin_clock, which lie in the middle of a value; pin_idle says that the value is no trace. A value takes 2 * HALF_PERIOD cycles of\n\
             `clock`, so pin_clock has a quarter of its frequency with the default, and less with more.\n"
        ),
    }
}
