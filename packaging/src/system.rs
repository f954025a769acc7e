//! What is written of a system beside its Verilog: where everything is, its registers, and what drives them.

use std::collections::BTreeMap;

use minijinja::{Value, context};
use tracewright_hdl::unit::SystemAssembly;
use tracewright_sim::control::table::PAGE;
use tracewright_sim::message_funnel::Messages;
use tracewright_sim::unit::{Hart, Ingress, System, SystemSink, UnitError, register_base};

use crate::Error;
use crate::control::{Part, files_of_system};
use crate::render::render;

/// Endings of the files' names after that of the system, and their templates.
const TEMPLATES: [(&str, &str); 2] = [
    (".dtsi", include_str!("../templates/system.dtsi")),
    (".md", include_str!("../templates/system.md")),
];

/// The files of a system beside its Verilog, by their names: a page and a device tree of the whole, all registers in SystemRDL,
/// CMSIS-SVD and as a page, and drivers.
///
/// # Errors
/// When a hart can have no registers.
pub fn package_of_system(
    system: &System,
    assembly: &SystemAssembly,
) -> Result<BTreeMap<String, String>, Error> {
    let context = context(system, assembly);
    let mut files = BTreeMap::new();
    if let Some(style) = system.style() {
        let maps = system.harts.iter().map(Hart::registers).collect::<Result<Vec<_>, UnitError>>();
        let maps = maps.map_err(tracewright_hdl::Error::from)?;
        let of_harts = system.harts.iter().zip(&maps).enumerate();
        let of_harts = of_harts.map(|(place, (hart, map))| Part {
            prefix: &hart.name,
            base: register_base(place),
            map,
        });
        let base = register_base(system.harts.len());
        let shared = Part { prefix: "", base, map: &assembly.shared_registers };
        let parts: Vec<Part<'_>> = of_harts.chain([shared]).collect();
        files.extend(files_of_system(&style, &assembly.whole, &parts, &context)?);
    }
    for (ending, template) in TEMPLATES {
        let name = format!("{}{ending}", system.name);
        let text = render(&name, template, &context)?;
        files.insert(name, text);
    }
    Ok(files)
}

/// What the templates know.
fn context(system: &System, assembly: &SystemAssembly) -> Value {
    let identifier = &system.name;
    let of_hart = |(place, hart): (usize, &Hart)| {
        context! {
            name => hart.name, base => register_base(place), source => hart.design.protocol().source_id,
            design => hart.design.scheme.name(), port => hart.ingress.map_or("blocks", Ingress::name),
            macro => hart.name.to_uppercase(), what => format!("Hart {}: its encoder, and its source in the trace.", hart.name),
            fingerprint => hart.design.fingerprint(),
        }
    };
    let harts: Vec<Value> = system.harts.iter().enumerate().map(of_hart).collect();
    let count = system.harts.len();
    let base = register_base(count);
    let funnel = context! { macro => "FUNNEL", base, what => "The funnel." };
    let has_sink = assembly.shared_registers.components.len() > 1;
    let sink = context! { macro => "SINK", base => base + PAGE, what => "The sink." };
    let parts = harts.iter().cloned().chain([funnel]).chain(has_sink.then_some(sink));
    let protocol = system.harts.first().map(|hart| hart.design.protocol());
    let standard = if assembly.funnel.messages == Messages::NTrace { "ntrace" } else { "etrace" };
    context! {
        name => system.name, identifier, parts => parts.collect::<Vec<_>>(), harts, funnel_base => base,
        sink_base => has_sink.then_some(base + PAGE), size => register_base(count + 1), sink => system.sink.phrase(),
        has_bytes => matches!(system.sink, SystemSink::Ring(_)), is_port => matches!(system.sink, SystemSink::Port(_)),
        bus => system.bus.title(), source_bits => protocol.map_or(0, |protocol| protocol.source_bits),
        address_bits => system.address_bits(), standard,
    }
}
