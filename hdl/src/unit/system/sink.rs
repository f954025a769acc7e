//! What takes the trace of all harts of a system: a ring of its own, one in the memory of the system, or what is outside.

use tracewright_sim::pins::{module, sinks};
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::Sink;
use tracewright_sim::unit::SystemSinkConfig;

use crate::control::{ControlPart, generate_control_part};
use crate::unit::control::sink_joints::{of_memory, of_ring};
use crate::unit::netlist::{Join, Netlist};
use crate::{Error, Generated, Port};

/// Nets around the sink: nothing is in the funnel or comes into it, the trace is to end, and between the source of a trace bus
/// and the gate of its bridge.
pub(super) const ALL_HAS_LEFT: &str = "all_has_left";
pub(super) const SINK_FLUSH: &str = "sink_flush";
const BEAT_VALID: &str = "beat_valid";
const BEAT_READY: &str = "beat_ready";
const BEAT_HAS_LEFT: &str = "beat_has_left";

/// What takes the trace of all harts, as a part of the whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct SharedSink(pub SystemSinkConfig);

impl SharedSink {
    /// What switches it on; tracing is off while it does not.
    pub(super) fn enable(&self) -> Join {
        match &self.0 {
            SystemSinkConfig::Ring(_) | SystemSinkConfig::Memory(_) => {
                Join::Net("trRamEnable".to_owned())
            }
            SystemSinkConfig::Port(Sink::Atb) => Join::Net("trAtbBridgeEnable".to_owned()),
            SystemSinkConfig::Port(_) => Join::Constant(1),
        }
    }

    /// The name of its instance.
    pub(super) fn instance(&self) -> &'static str {
        match &self.0 {
            SystemSinkConfig::Ring(_) => "ram_sink",
            SystemSinkConfig::Memory(_) => "system_memory_sink",
            SystemSinkConfig::Port(_) => "port_sink",
        }
    }

    /// Its hardware.
    pub(super) fn generate(&self, style: &Design) -> Result<Generated, Error> {
        Ok(match &self.0 {
            SystemSinkConfig::Ring(config) => crate::generate_ram_sink(style, config)?,
            SystemSinkConfig::Memory(config) => crate::generate_system_memory_sink(style, config)?,
            SystemSinkConfig::Port(sink) => crate::generate_shared_sink(style, *sink)?,
        })
    }

    /// Nets and pins of its bus.
    pub(super) fn nets(&self, netlist: &mut Netlist<'_>, port: impl Fn(&str) -> Option<Port>) {
        let names: Vec<&str> = match &self.0 {
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
        if self.0 == SystemSinkConfig::Port(Sink::Atb) {
            for net in [SINK_FLUSH, BEAT_VALID, BEAT_READY, BEAT_HAS_LEFT] {
                netlist.net(net, 1);
            }
        }
    }

    /// What is between it and the trace bus.
    pub(super) fn gate(&self, style: &Design) -> Result<Option<Generated>, Error> {
        let is_bus = self.0 == SystemSinkConfig::Port(Sink::Atb);
        let gate = is_bus.then(|| generate_control_part(style, ControlPart::BridgeGate));
        gate.transpose()
    }

    /// The net of a pin that a stream or a trace bus wants low from the first moment of a reset, which takes effect at the next edge of the clock only.
    pub(super) fn gated(&self, name: &str, is_high: bool) -> Option<String> {
        let gated = match &self.0 {
            SystemSinkConfig::Ring(_) | SystemSinkConfig::Memory(_) => Vec::new(),
            SystemSinkConfig::Port(sink) => {
                sink.handshake().map(|of| of.valid.name).into_iter().collect()
            }
        };
        (is_high && gated.contains(&name)).then(|| format!("sink_{name}"))
    }

    /// Joins a port to the field of the registers that it is of; `None` where it is of none. `reset` is the reset of all.
    pub(super) fn joined(
        &self,
        netlist: &mut Netlist<'_>,
        port: &Port,
        reset: &str,
    ) -> Option<Join> {
        let joined = match &self.0 {
            SystemSinkConfig::Ring(_) => of_ring(netlist.assembly(), port),
            SystemSinkConfig::Memory(_) => of_memory(netlist.assembly(), port, reset),
            SystemSinkConfig::Port(sink) => return joined_port(*sink, &port.name),
        };
        joined.map(Join::Made)
    }
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
