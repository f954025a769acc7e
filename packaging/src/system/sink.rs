//! What takes the trace of all harts of a system: a ring of its own, one in the memory of the system, or what is outside.

use tracewright_hdl::control::{ControlPart, generate_control_part};
use tracewright_hdl::{Generated, Port};
use tracewright_sim::control::table::Component;
use tracewright_sim::control::{atb_bridge, ram, system_memory};
use tracewright_sim::pins::{Pin, module, sinks};
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::Sink;
use tracewright_sim::{ram_sink, system_memory_sink};

use crate::Error;
use crate::netlist::{Join, Netlist};

/// Width of the funnel's trace port.
const PORT_BITS: u32 = 8;

/// Nets around the sink: nothing is in the funnel or comes into it, the trace is to end, and between the source of a trace bus
/// and the gate of its bridge.
pub(super) const ALL_HAS_LEFT: &str = "all_has_left";
pub(super) const SINK_FLUSH: &str = "sink_flush";
const BEAT_VALID: &str = "beat_valid";
const BEAT_READY: &str = "beat_ready";
const BEAT_HAS_LEFT: &str = "beat_has_left";

/// What takes the trace of all harts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemSink {
    /// A ring of so many bytes.
    Ring(u32),
    /// A ring in the memory of the system, over this bus.
    Memory(system_memory_sink::Bus),
    /// What takes it outside.
    Port(Sink),
}

/// The same with its tail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemSinkConfig {
    /// The ring.
    Ring(ram_sink::Config),
    /// What writes to the memory of the system.
    Memory(system_memory_sink::Config),
    /// What hands it on.
    Port(Sink),
}

impl SystemSink {
    /// What it is, after an article.
    pub fn phrase(&self) -> String {
        match self {
            SystemSink::Ring(bytes) => format!("ring of {bytes} bytes"),
            SystemSink::Memory(_) => "ring in the memory of the system".to_owned(),
            SystemSink::Port(Sink::AxiStream) => "port of AXI4-Stream".to_owned(),
            SystemSink::Port(Sink::Atb) => "port of a trace bus (ATB)".to_owned(),
            SystemSink::Port(Sink::Pins) => "port of pins of the chip".to_owned(),
        }
    }

    /// It asks for the end of the trace.
    pub(super) fn flushes(&self) -> bool {
        *self == SystemSink::Port(Sink::Atb)
    }

    /// The sink after harts out of which so many bytes may come once tracing is switched off, a power of two.
    pub(super) fn after(self, tail_bytes: u32) -> Result<SystemSinkConfig, Error> {
        Ok(match self {
            SystemSink::Ring(bytes) => {
                let tail_words = (tail_bytes / 4).min(bytes / 8).max(1);
                let config = ram_sink::Config { bytes, port_bits: PORT_BITS, tail_words };
                config.validate()?;
                SystemSinkConfig::Ring(config)
            }
            SystemSink::Memory(bus) => {
                let config = system_memory_sink::Config::before(tail_bytes, bus, PORT_BITS);
                config.validate()?;
                SystemSinkConfig::Memory(config)
            }
            SystemSink::Port(sink) => SystemSinkConfig::Port(sink),
        })
    }
}

impl SystemSinkConfig {
    /// Its registers, if it has any.
    pub(super) fn component(&self) -> Option<Component> {
        match self {
            SystemSinkConfig::Ring(config) => Some(ram::component(config)),
            SystemSinkConfig::Memory(config) => Some(system_memory::component(&config.bus)),
            SystemSinkConfig::Port(Sink::Atb) => Some(atb_bridge::component()),
            SystemSinkConfig::Port(_) => None,
        }
    }

    /// What switches it on; tracing is off while it does not.
    pub(super) fn enable(&self) -> Join {
        match self {
            SystemSinkConfig::Ring(_) | SystemSinkConfig::Memory(_) => {
                Join::Net("trRamEnable".to_owned())
            }
            SystemSinkConfig::Port(Sink::Atb) => Join::Net("trAtbBridgeEnable".to_owned()),
            SystemSinkConfig::Port(_) => Join::Constant(1),
        }
    }

    /// The name of its instance.
    pub(super) fn instance(&self) -> &'static str {
        match self {
            SystemSinkConfig::Ring(_) => "ram_sink",
            SystemSinkConfig::Memory(_) => "system_memory_sink",
            SystemSinkConfig::Port(_) => "port_sink",
        }
    }

    /// Its hardware.
    pub(super) fn generate(&self, style: &Design) -> Result<Generated, Error> {
        Ok(match self {
            SystemSinkConfig::Ring(config) => tracewright_hdl::generate_ram_sink(style, config)?,
            SystemSinkConfig::Memory(config) => {
                tracewright_hdl::generate_system_memory_sink(style, config)?
            }
            SystemSinkConfig::Port(sink) => tracewright_hdl::generate_shared_sink(style, *sink)?,
        })
    }

    /// Nets and pins of its bus.
    pub(super) fn nets(&self, netlist: &mut Netlist<'_>, port: impl Fn(&str) -> Option<Port>) {
        let names: Vec<&str> = match self {
            SystemSinkConfig::Ring(_) => Vec::new(),
            SystemSinkConfig::Memory(_) => {
                sinks::SYSTEM_MEMORY.iter().map(|pin| pin.name).collect()
            }
            SystemSinkConfig::Port(sink) => {
                let pins = sink.pins().iter().chain(sinks::CHIP_PERIOD).map(|pin| pin.name);
                pins.filter(|name| *name != sinks::TRACE_ID.name).collect()
            }
        };
        for port in names.into_iter().filter_map(port) {
            netlist.port(&port.name, port.direction, port.width);
        }
        if *self == SystemSinkConfig::Port(Sink::Atb) {
            for net in [SINK_FLUSH, BEAT_VALID, BEAT_READY, BEAT_HAS_LEFT] {
                netlist.net(net, 1);
            }
        }
    }

    /// What is between it and the trace bus.
    pub(super) fn gate(&self, style: &Design) -> Result<Option<Generated>, Error> {
        let is_bus = *self == SystemSinkConfig::Port(Sink::Atb);
        let gate = is_bus.then(|| generate_control_part(style, ControlPart::BridgeGate));
        Ok(gate.transpose()?)
    }

    /// A pin that a bus wants low from the first moment of a reset, which takes effect at the next edge of the clock only.
    pub(super) fn gated(&self, name: &str, is_high: bool) -> Option<String> {
        let gated = match self {
            SystemSinkConfig::Ring(_) => Vec::new(),
            SystemSinkConfig::Memory(_) => {
                vec![sinks::MEMORY_AWVALID.name, sinks::MEMORY_WVALID.name]
            }
            SystemSinkConfig::Port(sink) => {
                sink.handshake().map(|of| of.valid.name).into_iter().collect()
            }
        };
        (is_high && gated.contains(&name)).then(|| format!("sink_{name}"))
    }

    /// Joins a port to the field of the registers that it is of; `None` where it is of none.
    pub(super) fn joined(&self, name: &str) -> Option<Join> {
        let (clear, fields): (_, &[(&str, &str)]) = match self {
            SystemSinkConfig::Ring(_) => (&sinks::RAM_CLEAR.name, &RING),
            SystemSinkConfig::Memory(_) => (&sinks::MEMORY_CLEAR.name, &MEMORY),
            SystemSinkConfig::Port(sink) => return joined_port(*sink, name),
        };
        if name == *clear {
            return Some(Join::Not("trRamActive".to_owned()));
        }
        if let SystemSinkConfig::Memory(config) = self
            && config.bus.address_bits > 32
            && let Some(join) = joined_high(name)
        {
            return Some(join);
        }
        let field = fields.iter().find(|(pin, _)| *pin == name);
        field.map(|(_, field)| Join::Net((*field).to_owned()))
    }
}

const fn of<C>(pin: &Pin<C>, field: &'static str) -> (&'static str, &'static str) {
    (pin.name, field)
}

/// The ring's ports that are fields of its registers.
const RING: [(&str, &str); 17] = [
    of(&sinks::RAM_ENABLE, "trRamEnable"),
    of(&sinks::RAM_STOP_WHEN_FULL, "trRamStopOnWrap"),
    of(&sinks::RAM_LIMIT, "trRamLimitLow"),
    of(&sinks::RAM_STOPPED, "trRamEnable_clear"),
    of(&sinks::RAM_IS_EMPTY, "trRamEmpty_value"),
    of(&sinks::RAM_LOAD_WRITE_POINTER, "trRamWPLow_load"),
    of(&sinks::RAM_LOADED_WRITE_POINTER, "trRamWPLow_loaded"),
    of(&sinks::RAM_WRITE_POINTER, "trRamWPLow_value"),
    of(&sinks::RAM_LOAD_WRAPPED, "trRamWrap_load"),
    of(&sinks::RAM_LOADED_WRAPPED, "trRamWrap_loaded"),
    of(&sinks::RAM_WRAPPED, "trRamWrap_value"),
    of(&sinks::RAM_LOAD_READ_POINTER, "trRamRPLow_load"),
    of(&sinks::RAM_LOADED_READ_POINTER, "trRamRPLow_loaded"),
    of(&sinks::RAM_READ_POINTER, "trRamRPLow_value"),
    of(&sinks::RAM_READ, "trRamData_read"),
    of(&sinks::RAM_READ_WORD, "trRamData_value"),
    of(&sinks::RAM_READ_READY, "trRamData_ready"),
];

/// The ports of what writes to the memory of the system that are fields of its registers, with addresses of 32 bits.
const MEMORY: [(&str, &str); 13] = [
    of(&sinks::MEMORY_ENABLE, "trRamEnable"),
    of(&sinks::MEMORY_STOP_WHEN_FULL, "trRamStopOnWrap"),
    of(&sinks::MEMORY_START, "trRamStartLow"),
    of(&sinks::MEMORY_LIMIT, "trRamLimitLow"),
    of(&sinks::MEMORY_STOPPED, "trRamEnable_clear"),
    of(&sinks::MEMORY_IS_EMPTY, "trRamEmpty_value"),
    of(&sinks::MEMORY_LOAD_WRITE_POINTER, "trRamWPLow_load"),
    of(&sinks::MEMORY_LOADED_WRITE_POINTER, "trRamWPLow_loaded"),
    of(&sinks::MEMORY_WRITE_POINTER, "trRamWPLow_value"),
    of(&sinks::MEMORY_LOAD_WRAPPED, "trRamWrap_load"),
    of(&sinks::MEMORY_LOADED_WRAPPED, "trRamWrap_loaded"),
    of(&sinks::MEMORY_WRAPPED, "trRamWrap_value"),
    of(&sinks::MEMORY_ERROR_RESPONSE, "twRamResponse_value"),
];

/// Joins a port whose value is in two registers.
fn joined_high(name: &str) -> Option<Join> {
    let net = |net: &str| Join::Net(net.to_owned());
    // What is not written stays as it is.
    let loaded = |of: &str| {
        Join::Choice([format!("{of}_load"), format!("{of}_loaded"), format!("{of}_value")])
    };
    Some(match name {
        _ if name == sinks::MEMORY_START.name => {
            Join::Beside(vec![net("trRamStartLow"), net("trRamStartHigh")])
        }
        _ if name == sinks::MEMORY_LIMIT.name => {
            Join::Beside(vec![net("trRamLimitLow"), net("trRamLimitHigh")])
        }
        _ if name == sinks::MEMORY_LOAD_WRITE_POINTER.name => {
            Join::Any(vec!["trRamWPLow_load".to_owned(), "trRamWPHigh_load".to_owned()])
        }
        _ if name == sinks::MEMORY_LOADED_WRITE_POINTER.name => {
            Join::Beside(vec![loaded("trRamWPLow"), loaded("trRamWPHigh")])
        }
        _ if name == sinks::MEMORY_WRITE_POINTER.name => {
            Join::Beside(vec![net("trRamWPLow_value"), net("trRamWPHigh_value")])
        }
        _ => return None,
    })
}

/// Joins a port of what hands the trace on; `None` where it is joined to the net of its name.
fn joined_port(sink: Sink, name: &str) -> Option<Join> {
    let net = |net: &str| Some(Join::Net(net.to_owned()));
    let is_bus = sink == Sink::Atb;
    match name {
        _ if name == sinks::TRACE_FLUSHED.name => net(ALL_HAS_LEFT),
        _ if name == module::FLUSH.name => Some(Join::Constant(0)),
        _ if name == module::FLUSHED.name => Some(Join::Open),
        _ if is_bus && name == sinks::TRACE_FLUSH.name => net(SINK_FLUSH),
        _ if is_bus && name == sinks::TRACE_ID.name => net("trAtbBridgeID"),
        _ if is_bus && name == sinks::ATVALID.name => net(BEAT_VALID),
        _ if is_bus && name == sinks::ATREADY.name => net(BEAT_READY),
        _ if is_bus && name == sinks::AFREADY.name => net(BEAT_HAS_LEFT),
        _ => None,
    }
}

/// Joins a port of the gate of a trace bus.
pub(super) fn joined_gate(name: &str) -> Join {
    let enable = "trAtbBridgeEnable".to_owned();
    let net = |net: &str| Join::Net(net.to_owned());
    match name {
        "is_empty" => Join::Without(ALL_HAS_LEFT.to_owned(), enable),
        "bridge_is_empty" => net("trAtbBridgeEmpty_value"),
        "all_has_left" => net(BEAT_HAS_LEFT),
        _ => net(name),
    }
}
