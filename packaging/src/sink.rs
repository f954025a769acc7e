//! A design with its trace port made for what takes the trace: a module around it.

use minijinja::context;
use tracewright_hdl::{Generated, Port, Storage};
use tracewright_sim::pins::sinks::{self, Outlet};
use tracewright_sim::pins::{Group, Pin, is_clock, module};
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::Sink;

use crate::Error;
use crate::pins::{Pins, is_of};
use crate::render::render;
use crate::wires;

const TEMPLATE: &str = include_str!("../templates/TOP_sink.v");

/// What is connected to a port of a module with or without a sink, if it is its clock or its reset, in a module with ports
/// `clock` and `reset`, which is the name of that of the design.
pub(crate) fn clock_or_reset<'a>(port: &str, reset: &'a str) -> Option<&'a str> {
    let is_low = [sinks::ARESETN.name, sinks::ATRESETN.name].contains(&port);
    if is_clock(port) {
        Some(module::CLOCK.name)
    } else if is_low {
        Some(if reset == module::RESET.name { "!reset" } else { reset })
    } else {
        (port == reset).then_some(reset)
    }
}

/// True for a module with the Verilog parameter `HALF_PERIOD`.
pub(crate) fn has_half_period(module: &Generated) -> bool {
    module.ports.iter().any(|port| port.name == sinks::PIN_CLOCK.name)
}

/// What is connected to the ports of the sink and of the trace module before it.
struct Wiring {
    sink: Sink,
    /// The sink's own clock pins.
    clocks: Option<&'static [Pin<Outlet>]>,
    /// The reset of the trace module is active high, unlike that of a bus.
    is_high: bool,
}

impl Wiring {
    /// The clock, the reset or the clock enable of the whole, for a port of that group of one of the two modules.
    fn of_clock(&self, name: &str) -> String {
        let Some([clock, reset, enable]) = self.clocks.and_then(|pins| pins.get(..3)) else {
            return name.to_owned();
        };
        match name {
            _ if name == module::CLOCK.name => clock.name.into(),
            _ if name == module::CLOCK_ENABLE.name => enable.name.into(),
            _ if self.is_high => format!("!{}", reset.name),
            _ => reset.name.into(),
        }
    }

    /// The pin of a bus that is made low by a reset that takes effect at the next edge of the clock only.
    fn gated(&self) -> Option<&'static str> {
        let handshake = self.sink.handshake().filter(|_| self.is_high)?;
        Some(handshake.valid.name)
    }

    /// For a port of the sink.
    fn of_sink(&self, name: &str) -> String {
        match name {
            _ if is_of(name, Group::Clock) => self.of_clock(name),
            _ if self.gated() == Some(name) => "is_offered".into(),
            _ if name == sinks::HALF_PERIOD.name => "LAST[6:0]".into(),
            _ => name.to_owned(),
        }
    }

    /// For a port of the trace module.
    fn of_module(&self, name: &str) -> String {
        match name {
            _ if is_of(name, Group::Clock) => self.of_clock(name),
            _ if name == module::FLUSHED.name => sinks::TRACE_FLUSHED.name.into(),
            _ if self.sink != Sink::Atb => name.to_owned(),
            _ if name == module::FLUSH.name => sinks::TRACE_FLUSH.name.into(),
            _ if name == module::SYNC_REQUEST.name => sinks::SYNCREQ.name.into(),
            _ => name.to_owned(),
        }
    }
}

/// The module `TOP_axis`, `TOP_atb` or `TOP_pins` around `inner`, which is the Verilog of `design` with or without the adapters of its
/// cores, and the sink in it: the files that are added. Ports and storage are those of the whole.
///
/// # Errors
/// When the trace port has a width that the sink cannot take, or the hardware has other pins than docs/hardware.md.
pub fn sink_wrapper(design: &Design, inner: &Generated, sink: Sink) -> Result<Generated, Error> {
    let block = tracewright_hdl::generate_sink(design, sink)?;
    let pins = Pins::find(design, inner)?;
    let outlet = Outlet::of(&design.interface());
    let wiring = Wiring { sink, clocks: sink.clocks(), is_high: pins.reset_level == 1 };
    let is_passed = |port: &&Port| {
        let is_clock = wiring.clocks.is_some() && is_of(&port.name, Group::Clock);
        let is_on_bus = sink == Sink::Atb && port.name == module::SYNC_REQUEST.name;
        !is_of(&port.name, Group::Trace) && !is_clock && !is_on_bus
    };
    let mut ports = wiring.clocks.map_or(Vec::new(), |clocks| wires::pins(clocks, &outlet));
    ports.extend(inner.ports.iter().filter(is_passed).map(wires::passed));
    ports.extend(wires::pins(sink.pins(), &outlet));
    let is_wire = |port: &&Port| {
        let name = &port.name;
        wiring.of_sink(name) == *name && ports.iter().all(|other| other.name != *name)
    };
    let own_wires = block.ports.iter().filter(is_wire).map(wires::passed);
    let of_sink = block.ports.iter().map(|port| (&port.name, wiring.of_sink(&port.name)));
    let of_module = inner.ports.iter().map(|port| (&port.name, wiring.of_module(&port.name)));
    let top = format!("{}_{}", inner.top, sink.short());
    let text = render(
        sink.short(),
        TEMPLATE,
        context! {
            header => block.header, name => design.name, top => inner.top, sink => sink.short(), block => block.top, pins,
            bus_width => outlet.bus_bits(), gathers_bits => outlet.beats() > 1, gated => wiring.gated(),
            bus_reset => wiring.of_clock(pins.reset).trim_start_matches('!'),
            wires => own_wires.collect::<Vec<_>>(), of_sink => of_sink.collect::<Vec<_>>(),
            of_module => of_module.collect::<Vec<_>>(), ports,
        },
    )?;
    let own_storage = Storage { instance: sink.short().into(), bits: block.storage_bits };
    let mut files = block.files;
    files.push((format!("{top}.v"), text));
    Ok(Generated {
        files,
        ports: wires::ports(&[&ports]),
        storage: inner.storage.iter().cloned().chain([own_storage]).collect(),
        storage_bits: inner.storage_bits + block.storage_bits,
        memory_bits: inner.memory_bits,
        top,
        ..block
    })
}
