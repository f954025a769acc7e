//! What stands beside the units of a system, and how all of it is joined.

use tracewright_sim::control::Bus;
use tracewright_sim::control::table::{ADDRESS_BITS, Map};
use tracewright_sim::message_funnel;
use tracewright_sim::pins::{Group, control as pins, is_clock, module, sinks};
use tracewright_sim::scheme::Design;
use tracewright_sim::unit::{Hart, System, SystemSinkConfig};

use super::sink::{ALL_HAS_LEFT, SINK_FLUSH, SharedSink, joined_gate};
use crate::control::{ControlPart, generate_control_part};
use crate::unit::control;
use crate::unit::netlist::{Join, Netlist};
use crate::unit::pins::reset_of;
use crate::{Error, Generated, Port};

/// What stands beside the units.
pub(super) struct Parts {
    split: Generated,
    bridge: Option<Generated>,
    funnel: Generated,
    registers: Generated,
    sink: Generated,
    /// Between the sink and a trace bus.
    gate: Option<Generated>,
    config: SharedSink,
    reset: &'static str,
    counter: Option<Generated>,
}

/// Names of nets.
const SELECTS: &str = "unit_select";
const SHARED: &str = "shared";
const IS_EMPTY: &str = "is_empty";
const DISCARDS: &str = "discards";

/// The net of a port of the APB of a unit, or of funnel and sink.
fn of_bus(owner: &str, name: &str) -> String {
    format!("{owner}_{name}")
}

/// Joins a port of an APB: what the master says goes to all, and each is selected by its bit.
fn joined_bus(owner: &str, place: usize, name: &str) -> Option<Join> {
    let pin = pins::APB.iter().find(|pin| pin.name == name)?;
    Some(match name {
        _ if name == pins::PSEL.name => Join::Bit(SELECTS.to_owned(), place),
        _ if name == pins::PADDR.name => Join::Low(name.to_owned()),
        _ if pin.is_input() => Join::Net(name.to_owned()),
        _ => Join::Net(of_bus(owner, name)),
    })
}

impl Parts {
    pub(super) fn new(
        system: &System,
        (style, funnel, sink): (&Design, &message_funnel::Config, &SystemSinkConfig),
        shared_registers: &Map,
    ) -> Result<Parts, Error> {
        let count = system.harts.len() as u32;
        let name = format!("{}_funnel", system.name);
        let time_bits = style.protocol().time_bits;
        let counter = (time_bits > 0)
            .then(|| generate_control_part(style, ControlPart::TimestampUnit(time_bits)));
        let address_bits = system.address_bits();
        let bridge = (system.bus == Bus::AxiLite)
            .then(|| generate_control_part(style, ControlPart::AxiLiteToApb(address_bits)));
        Ok(Parts {
            split: generate_control_part(style, ControlPart::ApbSplit(count + 1))?,
            bridge: bridge.transpose()?,
            funnel: crate::generate_message_funnel(&name, funnel, style.port())?,
            registers: control::register_file_of(style, shared_registers)?,
            sink: SharedSink(*sink).generate(style)?,
            gate: SharedSink(*sink).gate(style)?,
            config: SharedSink(*sink),
            reset: reset_of(style.port()),
            counter: counter.transpose()?,
        })
    }

    /// The nets between units and parts.
    pub(super) fn nets(&self, netlist: &mut Netlist<'_>, harts: &[Hart]) {
        let owners = harts.iter().map(|hart| hart.name.as_str()).chain([SHARED]);
        for owner in owners {
            for pin in pins::APB.iter().filter(|pin| !pin.is_input()) {
                netlist.net(&of_bus(owner, pin.name), pin.bits(&()) as usize);
            }
        }
        netlist.net(SELECTS, harts.len() + 1);
        if let Some(bridge) = &self.bridge {
            let is_apb = |port: &&Port| pins::APB.iter().any(|pin| pin.name == port.name);
            for port in bridge.ports.iter().filter(is_apb) {
                netlist.net(&port.name, port.width);
            }
            // Nothing reads it.
            netlist.net(pins::PPROT.name, pins::PPROT.bits(&()) as usize);
            netlist.assign(pins::PPROT.name, Join::Constant(0));
        }
        for hart in harts {
            for (pin, width) in
                [(module::TRACE_DATA, 8), (module::TRACE_VALID, 1), (module::TRACE_READY, 1)]
            {
                netlist.net(&hart.pin(pin.name), width);
            }
            netlist.net(&hart.pin(IS_EMPTY), 1);
            netlist.net(&hart.pin(DISCARDS), 1);
        }
        netlist.net(ALL_HAS_LEFT, 1);
        for (pin, width) in
            [(module::TRACE_DATA, 8), (module::TRACE_VALID, 1), (module::TRACE_READY, 1)]
        {
            netlist.net(pin.name, width);
        }
        let is_field = |port: &&Port| {
            let name = port.name.as_str();
            let is_clock = is_clock(name) || name == self.reset;
            !is_clock && pins::APB.iter().all(|pin| pin.name != name)
        };
        for port in self.registers.ports.iter().filter(is_field) {
            netlist.net(&port.name, port.width);
        }
        self.config
            .nets(netlist, |name| self.sink.ports.iter().find(|port| port.name == name).cloned());
        for port in &self.sink.ports {
            if let Some(net) = self.gated(&port.name) {
                netlist.net(&net, port.width);
                netlist.assign(&port.name, Join::Without(net, self.reset.to_owned()));
            }
        }
        if let Some(counter) = &self.counter {
            let timestamp = counter.ports.iter().find(|port| port.name == module::TIMESTAMP.name);
            netlist.net(module::TIMESTAMP.name, timestamp.map_or(1, |port| port.width));
        }
    }

    pub(super) fn instances<'a>(&'a self, netlist: &mut Netlist<'a>, harts: &[Hart]) {
        if let Some(bridge) = &self.bridge {
            netlist.instance("axi_lite_to_apb", bridge, |_, port| Join::Net(port.name.clone()));
        }
        netlist.instance("apb_split", &self.split, |_, port| self.joined_split(harts, port));
        netlist.instance("funnel", &self.funnel, |_, port| joined_funnel(harts, port));
        netlist.instance("registers", &self.registers, |_, port| {
            let bus = joined_bus(SHARED, harts.len(), &port.name);
            bus.unwrap_or_else(|| Join::Net(port.name.clone()))
        });
        netlist.instance(self.config.instance(), &self.sink, |netlist, port| {
            self.joined_sink(netlist, port)
        });
        if let Some(gate) = &self.gate {
            netlist.instance("bridge_gate", gate, |_, port| {
                let gated = self.gated(&port.name).map(Join::Net);
                gated.unwrap_or_else(|| joined_gate(&port.name))
            });
        }
        if let Some(counter) = &self.counter {
            netlist.instance("timestamp_unit", counter, |_, port| joined_counter(port));
        }
    }

    /// The net of a pin that is low in reset.
    fn gated(&self, name: &str) -> Option<String> {
        self.config.gated(name, self.reset == module::RESET.name)
    }

    /// Joins a port of the sink to the field of the registers that it is of.
    fn joined_sink(&self, netlist: &mut Netlist<'_>, port: &Port) -> Join {
        let name = port.name.as_str();
        if name == sinks::RAM_SOURCE_IS_EMPTY.name {
            return Join::Net(ALL_HAS_LEFT.to_owned());
        }
        let joined = self.config.joined(netlist, port, self.reset);
        let joined = joined.or_else(|| self.gated(name).map(Join::Net));
        joined.unwrap_or_else(|| Join::Net(name.to_owned()))
    }

    /// Joins a port of the unit of a hart.
    pub(super) fn joined_unit(
        &self,
        netlist: &mut Netlist<'_>,
        (place, hart): (usize, &Hart),
        port: &Port,
    ) -> Join {
        let name = port.name.as_str();
        let is_of = |group| module::find(name).is_some_and(|pin| pin.group == group);
        if let Some(join) = joined_bus(&hart.name, place, name) {
            return join;
        }
        let shared = [module::RESET.name, module::RESET_N.name, module::TIMESTAMP.name];
        if is_clock(name) || shared.contains(&name) {
            return Join::Net(name.to_owned());
        }
        let own = |name: &str| Join::Net(hart.pin(name));
        match name {
            _ if name == pins::SINK_ENABLE.name => self.config.enable(),
            _ if name == pins::SINK_FLUSH.name => Join::Net(SINK_FLUSH.to_owned()),
            _ if name == pins::SOURCE_DISCARDS.name => own(DISCARDS),
            _ if name == pins::SOURCE_IS_EMPTY.name => own(IS_EMPTY),
            _ if is_of(Group::Trace) => own(name),
            _ => {
                netlist.port(&hart.pin(name), port.direction, port.width);
                own(name)
            }
        }
    }

    fn joined_split(&self, harts: &[Hart], port: &Port) -> Join {
        let owners: Vec<&str> =
            harts.iter().map(|hart| hart.name.as_str()).chain([SHARED]).collect();
        let of_all =
            |pin: &str| Join::Bits(owners.iter().map(|owner| of_bus(owner, pin)).collect());
        let name = port.name.as_str();
        match name {
            "unit_select" => Join::Net(SELECTS.to_owned()),
            "unit_ready" => of_all(pins::PREADY.name),
            "unit_error" => of_all(pins::PSLVERR.name),
            "address_high" => Join::From(pins::PADDR.name.to_owned(), ADDRESS_BITS as usize),
            _ => match name.strip_prefix("unit_read_").and_then(|at| at.parse::<usize>().ok()) {
                Some(at) => {
                    let owner = owners.get(at).copied().unwrap_or(SHARED);
                    Join::Net(of_bus(owner, pins::PRDATA.name))
                }
                None => Join::Net(name.to_owned()),
            },
        }
    }
}

fn joined_funnel(harts: &[Hart], port: &Port) -> Join {
    let name = port.name.as_str();
    let of_harts = |pin: &str| Join::Bits(harts.iter().map(|hart| hart.pin(pin)).collect());
    let own = |net: &str| Join::Net(net.to_owned());
    match name {
        _ if name == sinks::FUNNEL_DISCARDS.name => return of_harts(DISCARDS),
        _ if name == sinks::FUNNEL_SOURCE_IS_EMPTY.name => return of_harts(IS_EMPTY),
        _ if name == sinks::FUNNEL_IS_EMPTY.name => return own("trFunnelEmpty_value"),
        _ if name == sinks::FUNNEL_ENABLE.name => return own("trFunnelEnable"),
        _ if name == sinks::FUNNEL_DISABLED.name => return own("trFunnelDisInput"),
        _ => {}
    }
    let of_sources = [
        (&sinks::SOURCE_DATA, module::TRACE_DATA.name),
        (&sinks::SOURCE_VALID, module::TRACE_VALID.name),
        (&sinks::SOURCE_READY, module::TRACE_READY.name),
    ];
    for (at, hart) in harts.iter().enumerate() {
        if let Some((_, net)) = of_sources.iter().find(|(pin, _)| pin.numbered(at) == name) {
            return Join::Net(hart.pin(net));
        }
    }
    Join::Net(name.to_owned())
}

/// The counter goes on in every cycle.
fn joined_counter(port: &Port) -> Join {
    match port.name.as_str() {
        "active" | "counts" => Join::Constant(1),
        "resets" | "prescale" => Join::Constant(0),
        "reset_done" => Join::Open,
        name => Join::Net(name.to_owned()),
    }
}
