//! What is written of a register map beside its hardware: SystemRDL, CMSIS-SVD, a page for people, FuseSoC, IP-XACT,
//! and what drives it: a driver in C with its header, a script for OpenOCD, a fragment of a device tree.

use std::collections::BTreeMap;

use minijinja::value::merge_maps;
use minijinja::{Value, context};
use serde::Serialize;
use tracewright_hdl::control::Owner;
use tracewright_hdl::{Direction, Generated};
use tracewright_sim::control::table::{Access, Component, Field, Hardware, Map, PAGE};
use tracewright_sim::control::{Bus, encoder};
use tracewright_sim::pins::{module, sinks};
use tracewright_sim::scheme::Design;

use crate::Error;
use crate::render::render;

/// Endings of the files' names after that of the design or the funnel, and their templates.
const TEMPLATES: [(&str, &str); 5] = [
    (".rdl", include_str!("../../templates/NAME.rdl")),
    ("-registers.md", include_str!("../../templates/NAME-registers.md")),
    ("-control.core", include_str!("../../templates/NAME-control.core")),
    ("-control.xml", include_str!("../../templates/NAME-control.xml")),
    (".svd", include_str!("../../templates/NAME.svd")),
];

const REGISTERS_HEADER: &str = include_str!("../../templates/driver/tracewright_registers.h");

/// Of a design alone: the ending after its name.
const TREE: (&str, &str) = (".dtsi", include_str!("../../templates/NAME.dtsi"));

/// Names of files that are the same for every design, so that programs find them, and their templates.
const DRIVER: [(&str, &str); 4] = [
    ("driver/tracewright_registers.h", REGISTERS_HEADER),
    ("driver/tracewright.h", include_str!("../../templates/driver/tracewright.h")),
    ("driver/tracewright.c", include_str!("../../templates/driver/tracewright.c")),
    ("driver/openocd.tcl", include_str!("../../templates/driver/openocd.tcl")),
];

/// The same for a funnel. The header has a name of its own, because a program includes that of a trace unit too.
const TREE_OF_FUNNEL: (&str, &str) = (".dtsi", include_str!("../../templates/funnel.dtsi"));
const DRIVER_OF_FUNNEL: [(&str, &str); 2] = [
    ("driver/tracewright_funnel_registers.h", REGISTERS_HEADER),
    ("driver/tracewright_funnel.h", include_str!("../../templates/driver/tracewright_funnel.h")),
];

/// The same for a system.
const DRIVER_OF_SYSTEM: [(&str, &str); 4] = [
    ("driver/tracewright_system_registers.h", REGISTERS_HEADER),
    ("driver/tracewright_system.h", include_str!("../../templates/driver/tracewright_system.h")),
    ("driver/tracewright_system.c", include_str!("../../templates/driver/tracewright_system.c")),
    ("driver/openocd.tcl", include_str!("../../templates/driver/openocd_system.tcl")),
];

/// Name and logical name in IP-XACT of each signal of a bus, without clock and reset.
fn logical(bus: Bus) -> Vec<(&'static str, String)> {
    let logical = |name: &'static str| name.trim_start_matches("s_axi_").to_uppercase();
    bus.pins().iter().map(|pin| (pin.name, logical(pin.name))).collect()
}

#[derive(Serialize)]
struct RdlField<'a> {
    name: &'a str,
    low: u32,
    high: u32,
    width: u32,
    bits: String,
    reset: Option<u32>,
    /// Its bits in the register, and there its reset value.
    mask: u32,
    placed_reset: u32,
    doc: &'a str,
    /// Properties in SystemRDL.
    properties: &'static str,
    /// Access in IP-XACT.
    access: &'static str,
    /// Access for people.
    word: &'static str,
    /// The hardware changes it.
    volatile: bool,
    /// Writing a 1 clears it.
    clears: bool,
    /// A read changes the state of the hardware.
    modifies: bool,
}

fn described(field: &Field) -> RdlField<'_> {
    let (properties, access, word) = match field.access {
        Access::Constant => ("sw = r; hw = na;", "read-only", "constant"),
        Access::Status => ("sw = r; hw = w;", "read-only", "read"),
        Access::Control { hardware, .. } => {
            let properties = match hardware {
                Hardware::Reads => "sw = rw; hw = r;",
                Hardware::Clears => "sw = rw; hw = r; hwclr;",
                Hardware::Switches => "sw = rw; hw = r; hwset; hwclr;",
            };
            (properties, "read-write", "read, write")
        }
        Access::Sticky { .. } => {
            ("sw = rw; hw = r; onwrite = woclr; hwset;", "read-write", "read, write 1 to clear")
        }
        Access::Pointer { .. } => ("sw = rw; hw = rw; we;", "read-write", "read, write"),
        Access::Data => ("sw = r; hw = w;", "read-only", "read, goes on"),
    };
    RdlField {
        name: field.name,
        low: field.low,
        high: field.low + field.width - 1,
        width: field.width,
        bits: field.bits(),
        // A field without storage has no reset value in SystemRDL.
        reset: field.reset,
        mask: field.mask(),
        placed_reset: field.reset.unwrap_or(0) << field.low,
        doc: field.doc,
        properties,
        access,
        word,
        volatile: !matches!(
            field.access,
            Access::Constant | Access::Control { hardware: Hardware::Reads, .. }
        ),
        clears: matches!(field.access, Access::Sticky { .. }),
        modifies: field.access == Access::Data,
    }
}

/// What a unit alone has, or a funnel: no others beside it.
const NO_PARTS: [&str; 0] = [];

/// Registers of a part of a system.
pub(crate) struct Part<'a> {
    /// What their names begin with, if they are not alone.
    pub prefix: &'a str,
    /// Where they are.
    pub base: u32,
    /// What they are.
    pub map: &'a Map,
}

/// The components with their registers and fields, as templates take them.
fn components(part: &Part<'_>) -> Vec<Value> {
    let Part { prefix, base, map } = *part;
    let named = |name: &str| match prefix {
        "" => name.to_owned(),
        _ => format!("{prefix}_{name}"),
    };
    let pages = (base..).step_by(PAGE as usize).zip(&map.components);
    let component = |(page, component): (u32, &Component)| {
        let registers = component.registers.iter().map(|register| {
            let fields: Vec<_> = register.fields.iter().map(described).collect();
            let volatile = fields.iter().any(|field| field.volatile);
            let reset = fields.iter().fold(0, |reset, field| reset | field.placed_reset);
            // Bits in no field read as 0.
            let unknown = fields.iter().filter(|field| field.reset.is_none());
            let reset_mask = !unknown.fold(0, |mask, field| mask | field.mask);
            let is_external = register.fields.iter().any(|field| field.access == Access::Data);
            context! {
                name => register.name, offset => format!("{:03x}", register.offset),
                address => format!("{:04x}", page + register.offset), doc => register.doc, fields, volatile, is_external,
                reset, reset_mask,
            }
        });
        let registers: Vec<_> = registers.collect();
        context! {
            name => named(component.name), macro => named("").to_uppercase(), is_first => base == 0 || prefix.is_empty(), doc => component.doc, page => format!("{page:04x}"), registers,
            active => component.active,
        }
    };
    pages.map(component).collect()
}

/// What the templates of any owner name.
fn common(
    owner: Owner<'_>,
    whole: &Generated,
    map: &Map,
    bus: Bus,
    (sources, added): (&[&str], &[&str]),
) -> Value {
    let has_reset_n = whole.ports.iter().any(|port| port.name == module::RESET_N.name);
    let ports = whole.ports.iter().map(|port| {
        let direction = if port.direction == Direction::Input { "in" } else { "out" };
        context! { name => port.name, direction, width => port.width }
    });
    // What it is in titles, and what its base address is that of.
    let (title, unit, guard) = match owner {
        Owner::Design(_) => ("Processor trace module", "trace unit", "TRACEWRIGHT_REGISTERS_H"),
        Owner::Funnel { .. } => ("Trace funnel", "trace funnel", "TRACEWRIGHT_FUNNEL_REGISTERS_H"),
    };
    context! {
        name => owner.name(), identifier => owner.module(), verb => owner.verb(), title, unit, guard, top => whole.top,
        components => components(&Part { prefix: "", base: 0, map }), bus, version => env!("CARGO_PKG_VERSION"), sources, added,
        ports => ports.collect::<Vec<_>>(), has_reset_n, signals => logical(bus),
    }
}

/// Templates filled in; those of a list of endings after the name.
fn filled(
    name: &str,
    endings: &[(&str, &str)],
    others: &[(&str, &str)],
    context: &Value,
) -> Result<BTreeMap<String, String>, Error> {
    let of_name = endings.iter().map(|(ending, text)| (format!("{name}{ending}"), *text));
    let others = others.iter().map(|(name, text)| ((*name).to_owned(), *text));
    let files = of_name.chain(others).map(|(name, template)| {
        let text = render(&name, template, context)?;
        Ok((name, text))
    });
    files.collect()
}

/// Every file of a design by its name.
pub(super) fn files(
    design: &Design,
    whole: &Generated,
    map: &Map,
    bus: Bus,
    names: (&[&str], &[&str]),
) -> Result<BTreeMap<String, String>, Error> {
    let has_component = |name| map.components.iter().any(|component| component.name == name);
    let (has_sink, has_bridge) = (has_component("trRam"), has_component("trAtbBridge"));
    let has_register = |name| map.registers().any(|(_, _, register)| register.name == name);
    // The ring is read through the registers, or in the memory of the system.
    let (has_own_memory, has_high) = (has_register("trRamData"), has_register("trRamStartHigh"));
    let start = map.fields().find(|(_, field)| field.name == "trRamStartLow");
    let is_in_system = has_sink && !has_own_memory;
    let memory = sinks::SYSTEM_MEMORY.iter().filter(|_| is_in_system);
    let logical = |name: &'static str| (name, name.trim_start_matches("m_axi_").to_uppercase());
    let memory_signals: Vec<_> = memory.map(|pin| logical(pin.name)).collect();
    let word_bytes = start.map(|(_, field)| 1_u32 << field.low);
    let context = context! {
        parts => NO_PARTS, has_sink, has_bridge, has_own_memory, has_high, word_bytes, memory_signals, format => encoder::format(design),
        is_standard => encoder::format(design) < encoder::VENDOR, ..common(design.into(), whole, map, bus, names)
    };
    let endings: Vec<_> = TEMPLATES.into_iter().chain([TREE]).collect();
    filled(&design.name, &endings, &DRIVER, &context)
}

/// The registers of all parts of a system, in the style of a design with its name, in SystemRDL, CMSIS-SVD and as a page, and
/// what drives them. `own` is what else the templates know of it.
pub(crate) fn files_of_system(
    design: &Design,
    whole: &Generated,
    parts: &[Part<'_>],
    own: &Value,
) -> Result<BTreeMap<String, String>, Error> {
    let all: Vec<Value> = parts.iter().flat_map(components).collect();
    let has = |name| parts.iter().flat_map(|part| part.map.fields()).any(|(of, _)| of.name == name);
    let start = parts.iter().flat_map(|part| part.map.fields());
    let start = start.map(|(_, field)| field).find(|field| field.name == "trRamStartLow");
    let empty = Map { components: Vec::new() };
    let context = context! {
        components => all, unit => "trace system", guard => "TRACEWRIGHT_SYSTEM_REGISTERS_H",
        has_sink => has("trRamControl"), has_own_memory => has("trRamData"), has_high => has("trRamStartHigh"),
        has_bridge => has("trAtbBridgeControl"), word_bytes => start.map(|field| 1_u32 << field.low),
        ..merge_maps([own.clone(), common(design.into(), whole, &empty, Bus::Apb, (&[], &[]))])
    };
    let is_of_registers = |(ending, _): &&(&str, &str)| !ending.starts_with("-control");
    let endings: Vec<_> = TEMPLATES.iter().filter(is_of_registers).copied().collect();
    filled(&design.name, &endings, &DRIVER_OF_SYSTEM, &context)
}

/// Every file of a funnel of so many sources by its name.
pub(super) fn files_of_funnel(
    owner: Owner<'_>,
    whole: &Generated,
    map: &Map,
    bus: Bus,
    names: (&[&str], &[&str]),
    inputs: u32,
) -> Result<BTreeMap<String, String>, Error> {
    let memory_signals: [(&str, &str); 0] = [];
    let inputs: Vec<u32> = (0..inputs).collect();
    let context = context! { parts => NO_PARTS, inputs, memory_signals, ..common(owner, whole, map, bus, names) };
    let endings: Vec<_> = TEMPLATES.into_iter().chain([TREE_OF_FUNNEL]).collect();
    filled(owner.name(), &endings, &DRIVER_OF_FUNNEL, &context)
}
