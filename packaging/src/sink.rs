//! A design with its trace port made for what takes the trace: a module around it.

use minijinja::context;
use tracewright_hdl::{Direction, Generated, Storage};
use tracewright_sim::scheme::Design;

use crate::Error;
use crate::pins::Pins;
use crate::render::{range, render};
use crate::wires::{self, TemplatePort, port, register};

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

/// The pin by which a trace bus asks for a packet.
pub(crate) const SYNC_REQUEST: &str = "syncreq";

/// The port of the trace, which a sink takes.
const TRACE_PORT: [&str; 3] = ["trace_data", "trace_valid", "trace_ready"];

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

    /// The names of clock, reset and clock enable; those of the module where a sink has none of its own.
    fn clock(self) -> Option<[&'static str; 3]> {
        match self {
            Sink::AxiStream => Some(["aclk", "aresetn", "aclken"]),
            Sink::Atb => Some(["atclk", "atresetn", "atclken"]),
            Sink::Pins => None,
        }
    }

    /// The ports on the side of what takes the trace.
    fn ports(self, pins: &Pins, bus_width: usize) -> Vec<TemplatePort> {
        use Direction::{Input, Output};
        let mut ports = match self {
            Sink::AxiStream => vec![
                port("m_axis_tdata", Output, bus_width),
                port("m_axis_tvalid", Output, 1),
                port("m_axis_tlast", Output, 1),
                port("m_axis_tready", Input, 1),
            ],
            Sink::Atb => vec![
                port("trace_id", Input, 7),
                port("atid", Output, 7),
                port("atdata", Output, bus_width),
                port("atvalid", Output, 1),
                port("atready", Input, 1),
                port("afvalid", Input, 1),
                port("afready", Output, 1),
            ],
            Sink::Pins => vec![
                register("pin_clock", 1),
                register("pin_data", pins.trace_width),
                register("pin_idle", 1),
            ],
        };
        if self == Sink::Atb && pins.has_packets {
            ports.insert(5, port(SYNC_REQUEST, Input, 1));
        }
        if self == Sink::Atb && bus_width > 8 {
            ports.insert(3, port("atbytes", Output, bytes_bits(bus_width)));
        }
        ports
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

/// Width of the number of bytes of a beat.
fn bytes_bits(bus_width: usize) -> usize {
    (bus_width / 8).ilog2() as usize
}

/// What is connected to a port of a module with or without a sink, if it is its clock or its reset, in a module with ports
/// `clock` and `reset`, which is the name of that of the design.
pub(crate) fn clock_or_reset<'a>(port: &str, reset: &'a str) -> Option<&'a str> {
    match port {
        "clock" | "aclk" | "atclk" => Some("clock"),
        "aresetn" | "atresetn" if reset == "reset" => Some("!reset"),
        "aresetn" | "atresetn" => Some(reset),
        _ => (port == reset).then_some(reset),
    }
}

/// True for a module with the Verilog parameter `HALF_PERIOD`.
pub(crate) fn has_half_period(module: &Generated) -> bool {
    module.ports.iter().any(|port| port.name == "pin_clock")
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
    let bus_width = width.next_multiple_of(8);
    let parts = 8usize.div_ceil(width).max(1);
    let count_bits = parts.ilog2() as usize + 1;
    let mut own = TRACE_PORT.to_vec();
    let mut first = Vec::new();
    if let Some([clock, reset, enable]) = sink.clock() {
        own.extend(["clock", pins.reset, "clock_enable"]);
        let is_there = [true, true, pins.clock_enable];
        let clocks = [clock, reset, enable].into_iter().zip(is_there);
        first.extend(clocks.filter(|(_, is)| *is).map(|(name, _)| port(name, Direction::Input, 1)));
    }
    if sink == Sink::Atb {
        own.push("sync_request");
    }
    let passed = inner.ports.iter().filter(|port| !own.contains(&port.name.as_str()));
    let passed: Vec<_> = passed.map(wires::passed).collect();
    let last = sink.ports(&pins, bus_width);
    let text = render(
        sink.short(),
        sink.template(),
        context! {
            name => design.name, top => inner.top, trace_range => range(width), pins, first, passed, last, bus_width, parts,
            bytes_bits => bytes_bits(bus_width),
            count_bits, count_range => range(count_bits), sync_request => SYNC_REQUEST,
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
