//! A design with its trace port made for what takes the trace: a module around it.

use minijinja::context;
use tracewright_hdl::{Generated, Storage};
use tracewright_sim::pins::sinks::{self, Outlet};
use tracewright_sim::pins::{Group, Pin, is_clock, module};
use tracewright_sim::scheme::Design;

use crate::Error;
use crate::pins::{Pins, is_of};
use crate::render::{range, render};
use crate::wires::{self, TemplatePort, registered};

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
    fn short(self) -> &'static str {
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

    fn template(self) -> &'static str {
        match self {
            Sink::AxiStream => include_str!("../templates/TOP_axis.v"),
            Sink::Atb => include_str!("../templates/TOP_atb.v"),
            Sink::Pins => include_str!("../templates/TOP_pins.v"),
        }
    }

    /// Clock, reset and clock enable of its own; `None` where it has those of the module.
    fn clocks(self) -> Option<&'static [Pin<Outlet>]> {
        match self {
            Sink::AxiStream => Some(sinks::AXI_STREAM_CLOCKS),
            Sink::Atb => Some(sinks::ATB_CLOCKS),
            Sink::Pins => None,
        }
    }

    /// The ports on the side of what takes the trace.
    fn ports(self, outlet: &Outlet) -> Vec<TemplatePort> {
        match self {
            Sink::AxiStream => wires::pins(sinks::AXI_STREAM, outlet),
            Sink::Atb => wires::pins(sinks::ATB, outlet),
            Sink::Pins => {
                wires::pins(sinks::CHIP_PINS, outlet).into_iter().map(registered).collect()
            }
        }
    }

    /// Bits of the wrapper's registers.
    fn storage_bits(self, pins: &Pins, count_bits: usize) -> usize {
        let width = pins.trace_width;
        match self {
            Sink::AxiStream => width + 2 + if pins.switches { 2 } else { 0 },
            Sink::Atb if pins.switches => 2 + width.max(8) + count_bits,
            Sink::Atb if width < 8 => 1 + 8 + count_bits,
            Sink::Atb => 1,
            Sink::Pins => 8 + width + 2,
        }
    }
}

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

/// The module `TOP_axis`, `TOP_atb` or `TOP_pins` around `inner`, which is the Verilog of `design` with or without the adapters of its
/// cores: the file that is added. Ports and storage are those of the whole.
///
/// # Errors
/// When the trace port has a width that the sink cannot take, or the hardware has other pins than docs/hardware.md.
pub fn sink_wrapper(design: &Design, inner: &Generated, sink: Sink) -> Result<Generated, Error> {
    let pins = Pins::find(design, inner)?;
    let width = pins.trace_width;
    if let Some(widths) = sink.widths().filter(|widths| !widths.contains(&width)) {
        let widths: Vec<String> = widths.iter().map(ToString::to_string).collect();
        return Err(Error::SinkWidth {
            design: design.name.clone(),
            sink: sink.short(),
            expected: widths.join(", "),
            width,
        });
    }
    let outlet = Outlet {
        trace_port_width: width as u32,
        has_packets: pins.has_packets,
        clock_enable: pins.clock_enable,
    };
    let bus_width = outlet.bus_bits();
    let parts = 8usize.div_ceil(width).max(1);
    let count_bits = parts.ilog2() as usize + 1;
    let first = sink.clocks().map_or(Vec::new(), |clocks| wires::pins(clocks, &outlet));
    let is_own = |port: &str| {
        is_of(port, Group::Trace)
            || sink.clocks().is_some() && is_of(port, Group::Clock)
            || sink == Sink::Atb && port == module::SYNC_REQUEST.name
    };
    let passed: Vec<_> =
        inner.ports.iter().filter(|port| !is_own(&port.name)).map(wires::passed).collect();
    let last = sink.ports(&outlet);
    let text = render(
        sink.short(),
        sink.template(),
        context! {
            name => design.name, top => inner.top, trace_range => range(width), pins, first, passed, last, bus_width, parts,
            bytes_bits => outlet.bytes_bits(),
            count_bits, count_range => range(count_bits), sync_request => sinks::SYNCREQ.name,
        },
    )?;
    let top = format!("{}_{}", inner.top, sink.short());
    let storage_bits = sink.storage_bits(&pins, count_bits);
    let own_storage = Storage { instance: sink.short().into(), bits: storage_bits };
    Ok(Generated {
        files: vec![(format!("{top}.v"), text)],
        memory_files: Vec::new(),
        header: String::new(),
        top_header: String::new(),
        ports: wires::ports(&[&first, &passed, &last]),
        storage: inner.storage.iter().cloned().chain([own_storage]).collect(),
        storage_bits: inner.storage_bits + storage_bits,
        memory_bits: inner.memory_bits,
        faults: Vec::new(),
        top,
    })
}
