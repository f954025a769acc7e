//! The register file and the module around it and the trace module, in Verilog-2001.

use minijinja::context;
use serde::Serialize;
use tracewright_hdl::{Direction, Generated, Port};
use tracewright_sim::pins::{Group, Pin, control as pins, module, sinks};
use tracewright_sim::scheme::Design;

use super::table::{Access, Field, Hardware, Legal, Map, PAGE, Register};
use super::{Bus, Control, filter};
use crate::Error;
use crate::pins::{is_of, resets};
use crate::render::{range, render};
use crate::sink;
use crate::wires::{self, TemplatePort, port};

const REGISTERS: &str = include_str!("../../templates/TOP_registers.v");
const TOP: &str = include_str!("../../templates/TOP_control.v");

/// Pins of the trace module that the registers drive or read.
const DRIVEN: [&str; 4] =
    [module::ENABLE.name, module::DISCARD.name, module::FLUSH.name, module::FLUSHED.name];

#[derive(Serialize)]
struct TemplateField<'a> {
    name: &'a str,
    access: Access,
    is_written: bool,
    is_stored: bool,
    /// The expression of its value.
    value: String,
    reset_value: String,
    /// Bits that can be 1, with all below them.
    kept: u32,
    kept_range: String,
    slice: String,
    /// What makes a value legal, after it.
    legalised: String,
    /// It has one value other than 0.
    legal_value: bool,
    /// Its register's address in words.
    word: u32,
}

#[derive(Serialize)]
struct TemplateRegister<'a> {
    name: &'a str,
    active: &'a str,
    word: u32,
    fields: Vec<TemplateField<'a>>,
    is_written: bool,
    is_stored: bool,
    /// The expression of what it reads as.
    read: String,
}

/// Bits of a field that can be 1, with all below them.
fn kept(field: &Field) -> u32 {
    match field.access {
        Access::Control { legal: Legal::Bits(bits), .. }
        | Access::Pointer { legal: Legal::Bits(bits) } => 32 - bits.leading_zeros(),
        _ => field.width,
    }
}

impl Bus {
    /// Its signals, without clock and reset.
    fn signals(self) -> &'static [Pin<()>] {
        match self {
            Bus::Apb => pins::APB,
            Bus::AxiLite => pins::AXI_LITE,
        }
    }

    /// The names of its signals, without clock and reset.
    pub(crate) fn signal_names(self) -> impl Iterator<Item = &'static str> {
        self.signals().iter().map(|pin| pin.name)
    }

    /// Name and logical name in IP-XACT of each of its signals, without clock and reset.
    pub(super) fn logical(self) -> Vec<(&'static str, String)> {
        let logical = |name: &'static str| name.trim_start_matches("s_axi_").to_uppercase();
        self.signal_names().map(|name| (name, logical(name))).collect()
    }

    fn ports(self) -> Vec<TemplatePort> {
        wires::pins(self.signals(), &())
    }
}

/// The ports of the register file on the side of the hardware.
fn hardware_ports(map: &Map) -> Vec<TemplatePort> {
    use Direction::{Input, Output};
    let mut ports = Vec::new();
    for (_, field) in map.fields() {
        let (name, width) = (field.name, kept(field) as usize);
        let of = |suffix: &str, direction, width| port(format!("{name}{suffix}"), direction, width);
        match field.access {
            Access::Constant => {}
            Access::Status => ports.push(of("_value", Input, width)),
            Access::Control { hardware, .. } => {
                ports.push(wires::register(name, width));
                let (sets, clears) = (hardware == Hardware::Switches, hardware != Hardware::Reads);
                ports.extend(sets.then(|| of("_set", Input, 1)));
                ports.extend(clears.then(|| of("_clear", Input, 1)));
            }
            Access::Sticky { .. } => ports.push(of("_set", Input, 1)),
            Access::Pointer { .. } => ports.extend([
                of("_value", Input, width),
                of("_load", Output, 1),
                of("_loaded", Output, width),
            ]),
            Access::Data => ports.extend([
                of("_value", Input, width),
                of("_ready", Input, 1),
                of("_read", Output, 1),
            ]),
        }
    }
    ports
}

fn template_field(field: &Field, word: u32) -> TemplateField<'_> {
    let kept = kept(field);
    let (high, low) = (field.low + kept - 1, field.low);
    let all = u32::MAX >> (32 - kept);
    let and = |value: u32| (value & all != all).then(|| format!(" & {kept}'d{value}"));
    let (legalised, legal_value) = match field.access {
        Access::Control { legal, .. } | Access::Pointer { legal } => match legal {
            Legal::Any => (None, false),
            Legal::Bits(bits) => (and(bits), false),
            Legal::ZeroOr(value) => (and(value), true),
            Legal::OneOf(values) => {
                let is = |value: &u32| format!("(merged_{} == {kept}'d{value})", field.name);
                let is_legal: Vec<_> = values.iter().filter(|value| **value > 0).map(is).collect();
                (Some(format!(" & {{{kept}{{{}}}}}", is_legal.join(" | "))), false)
            }
        },
        _ => (None, false),
    };
    let value = match field.access {
        Access::Constant => format!("{kept}'d{}", field.reset.unwrap_or(0)),
        Access::Control { .. } | Access::Sticky { .. } => field.name.to_owned(),
        Access::Status | Access::Pointer { .. } | Access::Data => format!("{}_value", field.name),
    };
    TemplateField {
        name: field.name,
        access: field.access,
        is_written: field.is_written(),
        is_stored: field.is_stored(),
        value,
        reset_value: format!("{kept}'d{}", field.reset.unwrap_or(0)),
        kept,
        kept_range: range(kept as usize),
        slice: if high == low { format!("[{low}]") } else { format!("[{high}:{low}]") },
        legalised: legalised.unwrap_or_default(),
        legal_value,
        word,
    }
}

fn template_register<'a>(
    address: u32,
    active: &'a str,
    register: &'a Register,
) -> TemplateRegister<'a> {
    let word = address / 4;
    let fields: Vec<_> = register.fields.iter().map(|field| template_field(field, word)).collect();
    let (mut parts, mut next) = (Vec::new(), 0);
    let zeros = |count: u32| (count > 0).then(|| format!("{count}'d0"));
    for (field, template) in register.fields.iter().zip(&fields) {
        parts.extend(zeros(field.low - next));
        parts.push(template.value.clone());
        next = field.low + template.kept;
    }
    parts.extend(zeros(32 - next));
    parts.reverse();
    TemplateRegister {
        name: register.name,
        active,
        word,
        is_written: fields.iter().any(|field| field.is_written),
        is_stored: fields.iter().any(|field| field.is_stored),
        read: if let [part] = parts.as_slice() {
            part.clone()
        } else {
            format!("{{{}}}", parts.join(", "))
        },
        fields,
    }
}

/// A port of one bit for the clock or the reset.
fn bit(name: &str) -> TemplatePort {
    port(name, Direction::Input, 1)
}

/// The name of the register file's module.
fn registers_module(design: &Design) -> String {
    format!("{}_registers", tracewright_hdl::module_name(design))
}

fn header(design: &Design) -> String {
    format!(
        "// Control registers for {} of Tracewright, made by `tracewright generate`.\n",
        design.name
    )
}

/// The register file alone.
pub(super) fn register_file(design: &Design, map: &Map, bus: Bus) -> Result<Generated, Error> {
    let module = registers_module(design);
    let registers: Vec<_> = map
        .registers()
        .map(|(address, component, register)| {
            template_register(address, component.active, register)
        })
        .collect();
    let data: Vec<_> = registers
        .iter()
        .flat_map(|register| &register.fields)
        .filter(|field| field.access == Access::Data)
        .collect();
    let [reset, edge, in_reset] = resets(design);
    let (bus_ports, ports) = (bus.ports(), hardware_ports(map));
    let text = render(
        "registers",
        REGISTERS,
        context! {
            header => header(design), module, bus, bus_ports, ports, registers, data, edge, in_reset,
            reset, words => map.components.len() as u32 * PAGE / 4,
        },
    )?;
    let stored = map.fields().filter(|(_, field)| field.is_stored()).map(|(_, field)| kept(field));
    let bus_bits = if bus == Bus::AxiLite { 3 + 2 * 14 + 2 * 32 + 4 + 4 } else { 0 };
    let bits = stored.sum::<u32>() as usize + bus_bits;
    Ok(Generated {
        ports: wires::ports(&[&[bit(module::CLOCK.name), bit(reset)], &bus_ports, &ports]),
        files: vec![(format!("{module}.v"), text)],
        memory_files: Vec::new(),
        header: header(design),
        top_header: header(design),
        storage: vec![tracewright_hdl::Storage { instance: "registers".into(), bits }],
        storage_bits: bits,
        memory_bits: 0,
        faults: Vec::new(),
        top: module,
    })
}

/// The pins of the filter, and what they are of the registers.
fn filter_pins(design: &Design, inner: &Generated) -> Vec<minijinja::Value> {
    let ranges = design.protocol().filter_ranges;
    let pins = inner.ports.iter().filter_map(|port| {
        let value = filter::value(port, ranges)?;
        Some(context! { name => port.name, range => range(port.width), value })
    });
    pins.collect()
}

/// The pins of the module around all beside the bus: those of `inner` that nothing in it drives, and those of triggers.
fn kept_pins(
    design: &Design,
    inner: &Generated,
    control: &Control,
    reset: &str,
) -> Vec<TemplatePort> {
    let ranges = design.protocol().filter_ranges;
    let is_driven = |port: &Port| {
        let name = port.name.as_str();
        let is_trace = is_of(name, Group::Trace) && control.has_sink();
        DRIVEN.contains(&name)
            || filter::value(port, ranges).is_some()
            || sink::clock_or_reset(name, reset).is_some()
            || is_trace
    };
    let kept = inner.ports.iter().filter(|port| !is_driven(port)).map(wires::passed);
    let memory = control.system_memory_sink(design);
    let memory = memory.map(|config| wires::pins(sinks::SYSTEM_MEMORY, &config));
    let triggers = wires::pins(pins::TRIGGERS, &control.triggers.counts());
    kept.chain(memory.into_iter().flatten()).chain(triggers).collect()
}

/// The pin of `inner` without which no register in it changes.
fn gate(inner: &Generated) -> Option<&str> {
    let gates = [module::CLOCK_ENABLE.name, sinks::ACLKEN.name, sinks::ATCLKEN.name];
    let is_gate = |name: &&str| gates.contains(name);
    inner.ports.iter().map(|port| port.name.as_str()).find(is_gate)
}

/// The ports of `inner`, clock and reset first, and what is connected to each.
fn connections(inner: &Generated, control: &Control, reset: &str) -> Vec<(String, String)> {
    let clock = |name: &str| sink::clock_or_reset(name, reset);
    let (first, others): (Vec<_>, Vec<_>) =
        inner.ports.iter().map(|port| port.name.as_str()).partition(|name| clock(name).is_some());
    let trigger = match (control.triggers.inputs > 0, gate(inner)) {
        (false, _) => "",
        (true, None) => " | trigger_notifies",
        (true, Some(_)) => " | trigger_notifies | notify_waits",
    };
    let requests = [module::SYNC_REQUEST.name, sinks::SYNCREQ.name];
    let connection = |name: &str| match name {
        _ if name == module::FLUSH.name => "1'b0".to_owned(),
        _ if requests.contains(&name) => format!("{name} | sync_is_due{trigger}"),
        _ => clock(name).unwrap_or(name).to_owned(),
    };
    let all = first.into_iter().chain(others);
    all.map(|name| (name.to_owned(), connection(name))).collect()
}

/// The sink with registers that takes the trace, if there is one.
fn generated_sink(design: &Design, control: &Control) -> Result<Option<Generated>, Error> {
    if let Some(config) = control.sink(design) {
        return Ok(Some(tracewright_hdl::generate_ram_sink(design, &config)?));
    }
    let generate = |config| tracewright_hdl::generate_system_memory_sink(design, &config);
    Ok(control.system_memory_sink(design).map(generate).transpose()?)
}

/// What is added to `inner`, a trace module alone or with the adapters of its cores: the register file, the sink, and the
/// module around all. Ports and storage are those of the whole.
pub(super) fn control(
    design: &Design,
    inner: &Generated,
    map: &Map,
    control: &Control,
) -> Result<Generated, Error> {
    /// Bits of the registers of the module around all.
    const OWN_BITS: usize = 22;
    let waits = usize::from(gate(inner).is_some() && control.triggers.inputs > 0);
    let own_bits = OWN_BITS + control.triggers.bits() + waits;
    let [reset, edge, in_reset] = resets(design);
    let registers = register_file(design, map, control.bus)?;
    let sink = generated_sink(design, control)?;
    let kept = kept_pins(design, inner, control, reset);
    let connections = connections(inner, control, reset);
    // Packets are for one core, whose pins have a number in some schemes.
    let is_lossy = |name: &&str| is_of(name, Group::Answer);
    let lossy: Vec<_> = kept.iter().map(|port| port.name.as_str()).filter(is_lossy).collect();
    let ram = control.ram_sink.zip(sink.as_ref());
    let ram = ram.map(|(bytes, sink)| context! { bytes, module => sink.top });
    let memory = control.system_memory.zip(sink.as_ref()).map(|(bus, sink)| {
        let pins = sinks::SYSTEM_MEMORY.iter().map(|pin| pin.name);
        context! { module => sink.top, has_high => bus.address_bits > 32, pins => pins.collect::<Vec<_>>() }
    });
    let trace_range = range(design.port().trace_port_width as usize);
    let (bus_ports, register_ports) = (control.bus.ports(), hardware_ports(map));
    let is_plain = |port: &Port| module::RETIRE_VALID.is_named(&port.name);
    let has_adapter = !inner.ports.iter().any(is_plain);
    let text = render(
        "control",
        TOP,
        context! {
            header => header(design), name => design.name, top => inner.top, bus_ports, register_ports, kept, connections,
            has_half_period => sink::has_half_period(inner), lossy, ram, memory, trace_range, filter => filter_pins(design, inner), triggers => control.triggers.expressions(), edge, in_reset, reset,
            registers_module => registers.top, has_time => design.protocol().time_bits > 0,
            has_adapter, gate => gate(inner),
        },
    )?;
    let top = format!("{}_control", inner.top);
    let parts: Vec<&Generated> = [Some(&registers), sink.as_ref()].into_iter().flatten().collect();
    let mut files: Vec<_> = parts.iter().flat_map(|part| part.files.iter().cloned()).collect();
    files.push((format!("{top}.v"), text));
    let memory_files = parts.iter().flat_map(|part| part.memory_files.iter().cloned()).collect();
    let mut storage = inner.storage.clone();
    storage.push(tracewright_hdl::Storage { instance: "control".into(), bits: own_bits });
    for part in &parts {
        storage.push(tracewright_hdl::Storage {
            instance: part.top.trim_start_matches(&inner.top).trim_start_matches('_').to_owned(),
            bits: part.storage_bits,
        });
    }
    let added = |of: fn(&Generated) -> usize| parts.iter().map(|part| of(part)).sum::<usize>();
    Ok(Generated {
        top,
        header: header(design),
        top_header: header(design),
        files,
        memory_files,
        ports: wires::ports(&[&[bit(module::CLOCK.name), bit(reset)], &bus_ports, &kept]),
        storage_bits: inner.storage_bits + own_bits + added(|part| part.storage_bits),
        storage,
        memory_bits: inner.memory_bits + added(|part| part.memory_bits),
        faults: Vec::new(),
    })
}
