//! The module around a trace module with its registers.

mod joints;

use tracewright_sim::config::TimeSource;
use tracewright_sim::control::table::Map;
use tracewright_sim::control::trace_switch::Config;
use tracewright_sim::pins::{Group, control as pins, module, sinks};
use tracewright_sim::scheme::Design;
use tracewright_sim::unit::Control;

use super::registers::{bus_ports, header, register_file};
use crate::control::{ControlPart, generate_control_part};
use crate::unit::pins::{is_of, is_of_filter, reset};
use crate::unit::sink;
use crate::unit::wires::{self, clock_and_reset, made, storage};
use crate::{Error, Generated, Port, Storage};

/// Pins of the trace module that the registers drive or read.
const DRIVEN: [&str; 4] =
    [module::ENABLE.name, module::DISCARD.name, module::FLUSH.name, module::FLUSHED.name];

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
    fn kept_pins(&self) -> Vec<Port> {
        let is_driven = |port: &Port| {
            let name = port.name.as_str();
            let is_trace = is_of(name, Group::Trace) && self.control.has_memory();
            DRIVEN.contains(&name)
                || is_of_filter(name)
                || self.unit_bits() > 0 && is_of(name, Group::Time)
                || self.control.trace_bus && name == sinks::TRACE_ID.name
                || sink::is_clock_or_reset(name, self.reset)
                || is_trace
        };
        let kept = self.inner.ports.iter().filter(|port| !is_driven(port)).cloned();
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

    /// The sink with registers that takes the trace, if there is one.
    fn sink(&self) -> Result<Option<Generated>, Error> {
        if let Some(config) = self.control.sink(self.design) {
            return Ok(Some(crate::generate_ram_sink(self.design, &config)?));
        }
        let generate = |config| crate::generate_system_memory_sink(self.design, &config);
        self.control.system_memory_sink(self.design).map(generate).transpose()
    }
}

/// What is put beside a trace module.
struct Beside {
    registers: Generated,
    sink: Option<Generated>,
    switch: Generated,
    bridge_gate: Option<Generated>,
    timestamp_unit: Option<Generated>,
    trigger_inputs: Option<Generated>,
    trigger_outputs: Option<Generated>,
}

impl Beside {
    fn new(around: &Surroundings<'_>, map: &Map) -> Result<Self, Error> {
        let is_gated = around.gate.is_some();
        let triggers = around.control.triggers;
        let part = |is_there: bool, part| {
            is_there.then(|| generate_control_part(around.design, part)).transpose()
        };
        let switch = around.switch_config();
        let unit_bits = around.unit_bits();
        let inputs = ControlPart::TriggerInputs(triggers.inputs, is_gated);
        let outputs = ControlPart::TriggerOutputs(triggers.outputs, is_gated);
        Ok(Self {
            registers: register_file(around.design, map, around.control.bus)?,
            sink: around.sink()?,
            switch: generate_control_part(around.design, ControlPart::Switch(&switch))?,
            bridge_gate: part(around.control.trace_bus, ControlPart::BridgeGate)?,
            timestamp_unit: part(unit_bits > 0, ControlPart::TimestampUnit(unit_bits))?,
            trigger_inputs: part(triggers.inputs > 0, inputs)?,
            trigger_outputs: part(triggers.outputs > 0, outputs)?,
        })
    }

    /// What the module around all has beside registers and sink.
    fn own(&self) -> impl Iterator<Item = &Generated> {
        let triggers = self.trigger_inputs.iter().chain(&self.trigger_outputs);
        let others = self.bridge_gate.iter().chain(&self.timestamp_unit);
        std::iter::once(&self.switch).chain(others).chain(triggers)
    }

    /// Registers and sink.
    fn parts(&self) -> impl Iterator<Item = &Generated> {
        std::iter::once(&self.registers).chain(&self.sink)
    }

    /// Bits of registers and memories: those of `inner`, then what is beside it.
    fn storage(&self, inner: &Generated) -> Vec<Storage> {
        let mut all = inner.storage.clone();
        all.push(storage("control", self.own().map(|block| block.storage_bits).sum()));
        all.extend(self.parts().map(|part| {
            let name = part.top.trim_start_matches(&inner.top).trim_start_matches('_');
            storage(name, part.storage_bits)
        }));
        all
    }
}

/// What the module around all is.
fn title(around: &Surroundings<'_>) -> String {
    let name = &around.design.name;
    let of_ring = around.control.ram_sink.map(|bytes| {
        format!(
            "The trace goes into a ring of {bytes} bytes, which is read through the registers.\n"
        )
    });
    let memory = "The trace goes into a ring in the memory of the system, at the addresses that the registers say.\n";
    let bridge =
        "The trace leaves over a trace bus, which the registers of the ATB bridge switch on.\n";
    let of_gate = around.gate.map(|gate| {
        format!(
            "Registers and bus do not wait for {gate}; what they say has an effect on tracing in the next cycle in which it is high.\n"
        )
    });
    let has_memory = around.control.system_memory.is_some();
    format!(
        "{name} with the registers of the RISC-V Trace Control Interface, which drive its pins (docs/control.md).\n{}{}{}{}",
        of_ring.unwrap_or_default(),
        if has_memory { memory } else { "" },
        if around.control.trace_bus { bridge } else { "" },
        of_gate.unwrap_or_default(),
    )
}

/// What is added to `inner`, a trace module alone or with the adapters of its cores: the registers, the sink, and the
/// module around all, with or without faults in how it is joined. Ports and storage are those of the whole.
pub(super) fn control(
    design: &Design,
    inner: &Generated,
    map: &Map,
    control: &Control,
    faults: bool,
) -> Result<Generated, Error> {
    let around = Surroundings::new(design, inner, control);
    let beside = Beside::new(&around, map)?;
    let top = format!("{}_control", inner.top);
    let ports = clock_and_reset(around.reset).into_iter().chain(bus_ports(control.bus));
    let ports: Vec<_> = ports.chain(around.kept_pins()).collect();
    let mut assembly = wires::around(&top, &ports, faults);
    around.join(&mut assembly, &beside);
    let made = made(assembly, &header(design), &title(&around))?;
    let all: Vec<&Generated> = beside.parts().chain(beside.own()).collect();
    let mut files: Vec<_> = all.iter().flat_map(|part| part.files.iter().cloned()).collect();
    files.push(made.file);
    let memory_files = all.iter().flat_map(|part| part.memory_files.iter().cloned()).collect();
    let added = |of: fn(&Generated) -> usize| all.iter().map(|part| of(part)).sum::<usize>();
    Ok(Generated {
        header: header(design),
        top_header: header(design),
        files,
        memory_files,
        ports: made.ports,
        storage: beside.storage(inner),
        storage_bits: inner.storage_bits + added(|part| part.storage_bits),
        memory_bits: inner.memory_bits + added(|part| part.memory_bits),
        faults: made.faults,
        top,
    })
}
