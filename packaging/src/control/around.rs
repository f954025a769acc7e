//! The module around a trace module with its registers.

use minijinja::context;
use serde::Serialize;
use tracewright_hdl::control::{ControlPart, generate_control_part};
use tracewright_hdl::{Generated, Port, Storage};
use tracewright_sim::config::TimeSource;
use tracewright_sim::control::filter::{SELECTION, enables};
use tracewright_sim::control::timestamp;
use tracewright_sim::control::trace_switch::Config;
use tracewright_sim::control::trigger::{ACTIONS, EVENTS};
use tracewright_sim::pins::{Group, control as pins, ingress, module, sinks};
use tracewright_sim::scheme::Design;

use super::Control;
use super::filter_pins::filter_pins;
use super::registers::{bus_ports, hardware_ports, header, register_file};
use super::table::Map;
use crate::Error;
use crate::pins::{is_of, is_of_filter, reset};
use crate::render::{range, render};
use crate::sink;
use crate::wires::{self, TemplatePort, port};

const TEMPLATE: &str = include_str!("../../templates/TOP_control.v");

/// Pins of the trace module that the registers drive or read.
const DRIVEN: [&str; 4] =
    [module::ENABLE.name, module::DISCARD.name, module::FLUSH.name, module::FLUSHED.name];

/// A module that is put beside a trace module, and what is connected to its ports.
#[derive(Serialize)]
struct Instance {
    module: String,
    connections: Vec<(String, String)>,
}

/// Names beside each other, as one word.
pub(super) fn beside(names: &[&str]) -> String {
    match names {
        [one] => (*one).to_owned(),
        _ => format!("{{{}}}", names.join(", ")),
    }
}

/// What is around a trace module.
struct Surroundings<'a> {
    design: &'a Design,
    inner: &'a Generated,
    control: &'a Control,
    reset: &'static str,
    /// The pin of `inner` without which no register in it changes.
    gate: Option<&'a str>,
}

impl<'a> Surroundings<'a> {
    fn new(design: &'a Design, inner: &'a Generated, control: &'a Control) -> Self {
        let gates = [module::CLOCK_ENABLE.name, sinks::ACLKEN.name, sinks::ATCLKEN.name];
        let gate = inner.ports.iter().map(|port| port.name.as_str());
        let gate = gate.clone().find(|name| gates.contains(name));
        Self { design, inner, control, reset: reset(design), gate }
    }

    /// The pins of the module around all beside the bus: those of `inner` that nothing in it drives, and those of triggers.
    fn kept_pins(&self) -> Vec<TemplatePort> {
        let is_driven = |port: &Port| {
            let name = port.name.as_str();
            let is_trace = is_of(name, Group::Trace) && self.control.has_memory();
            DRIVEN.contains(&name)
                || is_of_filter(name)
                || self.unit_bits() > 0 && is_of(name, Group::Time)
                || self.control.trace_bus && name == sinks::TRACE_ID.name
                || sink::clock_or_reset(name, self.reset).is_some()
                || is_trace
        };
        let kept = self.inner.ports.iter().filter(|port| !is_driven(port)).map(wires::passed);
        let memory = self.control.system_memory_sink(self.design);
        let memory = memory.map(|config| wires::pins(sinks::SYSTEM_MEMORY, &config));
        let triggers = wires::pins(pins::TRIGGERS, &self.control.triggers.counts());
        let shared = self.control.shared_sink.map(|of| wires::pins(pins::SHARED_SINK, &of));
        kept.chain(memory.into_iter().flatten())
            .chain(triggers)
            .chain(shared.into_iter().flatten())
            .collect()
    }

    /// Bits of the time that the timestamp unit counts; 0 without one.
    fn unit_bits(&self) -> u32 {
        let protocol = self.design.protocol();
        if protocol.time_source == TimeSource::Unit { protocol.time_bits } else { 0 }
    }

    /// The fields that read as the time, the highest one first; none without a timestamp unit.
    fn counter_fields(&self) -> Option<String> {
        let [low, high] = timestamp::COUNTER.map(|name| format!("{name}_value"));
        match self.unit_bits() {
            0 => None,
            1..=32 => Some(low),
            _ => Some(beside(&[&high, &low])),
        }
    }

    /// What is connected to a port of the timestamp unit.
    fn of_timestamp_unit(&self, name: &str) -> String {
        match name {
            "active" => "trTeActive".to_owned(),
            "counts" => timestamp::COUNT.to_owned(),
            "resets" => timestamp::RESET.to_owned(),
            "prescale" => timestamp::PRESCALE.to_owned(),
            "reset_done" => format!("{}_clear", timestamp::RESET),
            _ => name.to_owned(),
        }
    }

    /// What is connected to a pin of a module that is the source of a trace bus, whose gate stands between it and the bus.
    fn of_source<'n>(&self, name: &'n str) -> &'n str {
        match name {
            _ if !self.control.trace_bus => name,
            _ if name == sinks::TRACE_ID.name => "trAtbBridgeID",
            _ if name == sinks::ATVALID.name => "beat_valid",
            _ if name == sinks::ATREADY.name => "beat_ready",
            _ if name == sinks::AFREADY.name => "all_has_left",
            _ => name,
        }
    }

    /// What is connected to a port of the gate of a trace bus.
    fn of_bridge_gate(&self, name: &str) -> String {
        let connection = match name {
            "is_empty" => "trTeEmpty_value",
            "bridge_is_empty" => "trAtbBridgeEmpty_value",
            _ => self.of_gate(name),
        };
        connection.to_owned()
    }

    /// The pins that say that the trace module has no room for what a core shows.
    fn answers(&self) -> Vec<&'a str> {
        // Packets are for one core, whose pins have a number in some schemes.
        let names = self.inner.ports.iter().map(|port| port.name.as_str());
        names.filter(|name| is_of(name, Group::Answer)).collect()
    }

    fn switch_config(&self) -> Config {
        let is_plain = |port: &Port| module::RETIRE_VALID.is_named(&port.name);
        Config {
            answers: self.answers().len() as u32,
            has_sink: self.control.has_memory()
                || self.control.trace_bus
                || self.control.shared_sink.is_some(),
            has_adapter: !self.inner.ports.iter().any(is_plain),
            filter_ranges: self.design.protocol().filter_ranges,
            filters: self.inner.ports.iter().any(|port| is_of_filter(&port.name)),
            is_gated: self.gate.is_some(),
        }
    }

    /// What is connected to a port of what switches the trace module.
    fn of_switch(&self, name: &str) -> String {
        let answers: Vec<_> = self.answers().into_iter().rev().collect();
        let ranges = self.design.protocol().filter_ranges;
        let connection = match name {
            "active" => "trTeActive",
            "tracing" => "trTeInstTracing",
            "mode" => "trTeInstMode",
            "sink_enable" if self.control.trace_bus => "trAtbBridgeEnable",
            "sink_enable" if self.control.shared_sink.is_some() => pins::SINK_ENABLE.name,
            "sink_enable" => "trRamEnable",
            "sync_mode" => "trTeInstSyncMode",
            "sync_max" => "trTeInstSyncMax",
            "filters" => SELECTION,
            "filter_enables" => return beside(&enables(ranges)),
            "answers" => return beside(&answers),
            "is_empty" => "trTeEmpty_value",
            "takes_blocks" => "twTakesBlocks_value",
            "lacks_room" => "trTeInstStallOrOverflow_set",
            _ if name == module::ENABLE.name => "trTeEnable",
            _ if name == ingress::MODULE_ENABLE.name => module::ENABLE.name,
            _ if name == ingress::MODULE_DISCARD.name => module::DISCARD.name,
            _ => self.of_gate(name),
        };
        connection.to_owned()
    }

    /// What is connected to a port of a module with triggers.
    fn of_triggers(&self, name: &str) -> String {
        let numbered = |names: &[&str], prefix| {
            let number: usize = name.strip_prefix(prefix)?.parse().ok()?;
            names.get(number).map(|name| (*name).to_owned())
        };
        if let Some(field) = numbered(&ACTIONS, "action_").or_else(|| numbered(&EVENTS, "event_")) {
            return field;
        }
        let connection = match name {
            "may_switch" => "trTeInstTrigEnable",
            "is_tracing" => module::ENABLE.name,
            "starts" => "trTeInstTracing_set",
            "stops" => "trTeInstTracing_clear",
            "notifies" => "trigger_notifies",
            "tracing" => "trTeInstTracing",
            "lacks_room" => "trTeInstStallOrOverflow_set",
            _ => self.of_gate(name),
        };
        connection.to_owned()
    }

    /// The gate where a port is one, otherwise what has the port's name.
    fn of_gate<'n>(&self, name: &'n str) -> &'n str
    where
        'a: 'n,
    {
        match self.gate {
            Some(gate) if name == "runs" || name == module::CLOCK_ENABLE.name => gate,
            _ => name,
        }
    }

    fn instance(
        &self,
        part: ControlPart<'_>,
        connection: impl Fn(&Self, &str) -> String,
    ) -> Result<(Instance, Generated), Error> {
        let block = generate_control_part(self.design, part)?;
        let connections = block.ports.iter();
        let connections =
            connections.map(|port| (port.name.clone(), connection(self, &port.name))).collect();
        Ok((Instance { module: block.top.clone(), connections }, block))
    }

    /// The ports of `inner`, clock and reset first, and what is connected to each.
    fn connections(&self) -> Vec<(String, String)> {
        let clock = |name: &str| sink::clock_or_reset(name, self.reset);
        let names = self.inner.ports.iter().map(|port| port.name.as_str());
        let (first, others): (Vec<_>, Vec<_>) = names.partition(|name| clock(name).is_some());
        let trigger = if self.control.triggers.inputs > 0 { " | trigger_notifies" } else { "" };
        let requests = [module::SYNC_REQUEST.name, sinks::SYNCREQ.name];
        let connection = |name: &str| match name {
            _ if name == module::FLUSH.name => match self.control.shared_sink {
                Some(sink) if sink.flushes => pins::SINK_FLUSH.name.to_owned(),
                _ => "1'b0".to_owned(),
            },
            _ if requests.contains(&name) => format!("{name} | sync_is_due{trigger}"),
            _ => clock(name).unwrap_or_else(|| self.of_source(name)).to_owned(),
        };
        let all = first.into_iter().chain(others);
        all.map(|name| (name.to_owned(), connection(name))).collect()
    }

    /// The sink with registers that takes the trace, if there is one.
    fn sink(&self) -> Result<Option<Generated>, Error> {
        if let Some(config) = self.control.sink(self.design) {
            return Ok(Some(tracewright_hdl::generate_ram_sink(self.design, &config)?));
        }
        let generate = |config| tracewright_hdl::generate_system_memory_sink(self.design, &config);
        Ok(self.control.system_memory_sink(self.design).map(generate).transpose()?)
    }
}

/// What is put beside a trace module.
struct Beside {
    registers: Generated,
    sink: Option<Generated>,
    switch: (Instance, Generated),
    bridge_gate: Option<(Instance, Generated)>,
    timestamp_unit: Option<(Instance, Generated)>,
    trigger_inputs: Option<(Instance, Generated)>,
    trigger_outputs: Option<(Instance, Generated)>,
}

impl Beside {
    fn new(around: &Surroundings<'_>, map: &Map) -> Result<Self, Error> {
        let is_gated = around.gate.is_some();
        let triggers = around.control.triggers;
        let of_triggers = |count: u32, part| {
            let instance = || around.instance(part, Surroundings::of_triggers);
            (count > 0).then(instance).transpose()
        };
        let switch = ControlPart::Switch(&around.switch_config());
        let unit_bits = around.unit_bits();
        let bridge_gate = || around.instance(ControlPart::BridgeGate, Surroundings::of_bridge_gate);
        let timestamp_unit = || {
            around.instance(ControlPart::TimestampUnit(unit_bits), Surroundings::of_timestamp_unit)
        };
        Ok(Self {
            registers: register_file(around.design, map, around.control.bus)?,
            sink: around.sink()?,
            switch: around.instance(switch, Surroundings::of_switch)?,
            bridge_gate: around.control.trace_bus.then(bridge_gate).transpose()?,
            timestamp_unit: (unit_bits > 0).then(timestamp_unit).transpose()?,
            trigger_inputs: of_triggers(
                triggers.inputs,
                ControlPart::TriggerInputs(triggers.inputs, is_gated),
            )?,
            trigger_outputs: of_triggers(
                triggers.outputs,
                ControlPart::TriggerOutputs(triggers.outputs, is_gated),
            )?,
        })
    }

    /// What the module around all has beside registers and sink.
    fn own(&self) -> impl Iterator<Item = &Generated> {
        let triggers = self.trigger_inputs.iter().chain(&self.trigger_outputs);
        let others = self.bridge_gate.iter().chain(&self.timestamp_unit);
        std::iter::once(&self.switch).chain(others).chain(triggers).map(|(_, block)| block)
    }

    /// Registers and sink.
    fn parts(&self) -> impl Iterator<Item = &Generated> {
        std::iter::once(&self.registers).chain(&self.sink)
    }

    /// The Verilog of the module around all.
    fn text(
        &self,
        around: &Surroundings<'_>,
        map: &Map,
        kept: &[TemplatePort],
    ) -> Result<String, Error> {
        let Surroundings { design, inner, control, reset, gate } = around;
        let ram = control.ram_sink.zip(self.sink.as_ref());
        let ram = ram.map(|(bytes, sink)| context! { bytes, module => sink.top });
        let memory = control.system_memory.zip(self.sink.as_ref()).map(|(bus, sink)| {
            let pins: Vec<_> = sinks::SYSTEM_MEMORY.iter().map(|pin| pin.name).collect();
            context! { module => sink.top, has_high => bus.address_bits > 32, pins }
        });
        let instance = |of: &Option<(Instance, Generated)>| {
            of.as_ref().map(|(instance, _)| minijinja::Value::from_serialize(instance))
        };
        render(
            "control",
            TEMPLATE,
            context! {
                header => header(*design), name => design.name, top => inner.top, bus_ports => bus_ports(control.bus),
                register_ports => hardware_ports(map), kept, connections => around.connections(),
                has_half_period => sink::has_half_period(inner), ram, memory, bridge_gate => instance(&self.bridge_gate),
                trace_range => range(design.port().trace_port_width as usize), filter => filter_pins(inner), reset, gate,
                shared_sink => control.shared_sink.is_some(), registers_module => self.registers.top, has_time => design.protocol().time_bits > 0,
                timestamp_range => range(around.unit_bits() as usize), counter_fields => around.counter_fields(),
                timestamp_unit => instance(&self.timestamp_unit),
                trace_switch => self.switch.0, trigger_inputs => instance(&self.trigger_inputs),
                trigger_outputs => instance(&self.trigger_outputs),
            },
        )
    }

    /// Bits of registers and memories: those of `inner`, then what is beside it.
    fn storage(&self, inner: &Generated) -> Vec<Storage> {
        let mut storage = inner.storage.clone();
        let bits = self.own().map(|block| block.storage_bits).sum();
        storage.push(Storage { instance: "control".into(), bits });
        storage.extend(self.parts().map(|part| Storage {
            instance: part.top.trim_start_matches(&inner.top).trim_start_matches('_').to_owned(),
            bits: part.storage_bits,
        }));
        storage
    }
}

/// What is added to `inner`, a trace module alone or with the adapters of its cores: the registers, the sink, and the
/// module around all. Ports and storage are those of the whole.
pub(super) fn control(
    design: &Design,
    inner: &Generated,
    map: &Map,
    control: &Control,
) -> Result<Generated, Error> {
    let around = Surroundings::new(design, inner, control);
    let beside = Beside::new(&around, map)?;
    let kept = around.kept_pins();
    let top = format!("{}_control", inner.top);
    let all: Vec<&Generated> = beside.parts().chain(beside.own()).collect();
    let mut files: Vec<_> = all.iter().flat_map(|part| part.files.iter().cloned()).collect();
    files.push((format!("{top}.v"), beside.text(&around, map, &kept)?));
    let memory_files = all.iter().flat_map(|part| part.memory_files.iter().cloned()).collect();
    let clocks = [module::CLOCK.name, around.reset]
        .map(|name| port(name, tracewright_hdl::Direction::Input, 1));
    let added = |of: fn(&Generated) -> usize| all.iter().map(|part| of(part)).sum::<usize>();
    Ok(Generated {
        header: header(design),
        top_header: header(design),
        files,
        memory_files,
        ports: wires::ports(&[&clocks, &bus_ports(control.bus), &kept]),
        storage: beside.storage(inner),
        storage_bits: inner.storage_bits + added(|part| part.storage_bits),
        memory_bits: inner.memory_bits + added(|part| part.memory_bits),
        faults: Vec::new(),
        top,
    })
}
