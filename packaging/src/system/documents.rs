//! What is written of a system beside its Verilog: where everything is, and the documents of each unit's registers.

use std::collections::BTreeMap;

use minijinja::{Value, context};
use tracewright_sim::message_funnel::Messages;

use super::{Hart, System, SystemAssembly, SystemSink, address_bits, register_base};
use crate::control::documents;
use crate::render::render;
use crate::{Error, Ingress};

/// Endings of the files' names after that of the system, and their templates.
const TEMPLATES: [(&str, &str); 3] = [
    (".dtsi", include_str!("../../templates/system.dtsi")),
    (".h", include_str!("../../templates/system.h")),
    (".md", include_str!("../../templates/system.md")),
];

/// The folder of the documents of the ring.
const SINK: &str = "sink";

impl System {
    /// The files beside the Verilog, by their names: a page, a device tree and a header of the whole, and in a folder for each
    /// hart, and one for the ring, the registers in SystemRDL, CMSIS-SVD and as a page, and a driver.
    ///
    /// # Errors
    /// When a hart can have no registers.
    pub fn package(&self, assembly: &SystemAssembly) -> Result<BTreeMap<String, String>, Error> {
        let mut files = BTreeMap::new();
        for (hart, unit) in self.harts.iter().zip(&assembly.units) {
            let of_hart = documents(&hart.design, unit.controlled(), &hart.registers()?)?;
            files.extend(in_folder(&hart.name, of_hart));
        }
        if let Some(style) = self.style() {
            let of_sink = documents(&style, &assembly.whole, &assembly.sink_registers)?;
            files.extend(in_folder(SINK, of_sink));
        }
        let context = self.context(assembly);
        for (ending, template) in TEMPLATES {
            let name = format!("{}{ending}", self.name);
            let text = render(&name, template, &context)?;
            files.insert(name, text);
        }
        Ok(files)
    }

    fn context(&self, assembly: &SystemAssembly) -> Value {
        let macro_of = |name: &str| name.to_uppercase();
        let identifier = &self.name;
        let of_hart = |(place, hart): (usize, &Hart)| {
            context! {
                name => hart.name, base => register_base(place), source => hart.design.protocol().source_id,
                design => hart.design.scheme.name(), port => hart.ingress.map_or("blocks", Ingress::name),
                macro => format!("{}_{}", macro_of(identifier), macro_of(&hart.name)),
            }
        };
        let harts: Vec<Value> = self.harts.iter().enumerate().map(of_hart).collect();
        let count = self.harts.len();
        let protocol = self.harts.first().map(|hart| hart.design.protocol());
        let standard =
            if assembly.funnel.messages == Messages::NTrace { "ntrace" } else { "etrace" };
        context! {
            name => self.name, identifier, macro => macro_of(identifier), guard => format!("{}_H", macro_of(identifier)),
            harts, sink_base => register_base(count), size => register_base(count + 1), sink => self.sink.phrase(), has_bytes => matches!(self.sink, SystemSink::Ring(_)),
            ring_bytes => if let SystemSink::Ring(bytes) = self.sink { bytes } else { 0 }, bus => self.bus.title(),
            source_bits => protocol.map_or(0, |protocol| protocol.source_bits), address_bits => address_bits(count),
            standard,
        }
    }
}

/// The same files in a folder.
fn in_folder(
    folder: &str,
    files: BTreeMap<String, String>,
) -> impl Iterator<Item = (String, String)> {
    files.into_iter().map(move |(name, text)| (format!("{folder}/{name}"), text))
}
