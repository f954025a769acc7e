//! `tracewright designs`: the presets, and the parameters and storage of designs.

use anyhow::Result;
use clap::Args;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value};
use tracewright_hdl::Generated;
use tracewright_sim::parameter::Parameter;
use tracewright_sim::preset::{self, Preset};
use tracewright_sim::scheme::Design;

use crate::pipeline::design::{self, Changes};
use crate::pipeline::print::{self, grouped};
use crate::pipeline::table::{self, Table};

/// List the presets, or every parameter of some designs
#[derive(Args)]
#[command(after_help = "\
Examples:
  tracewright designs
  tracewright designs traptor-m4 --set gshare_entries=2048
  tracewright designs --storage
  tracewright designs --json")]
pub struct Arguments {
    /// Presets or TOML files to show with every parameter; by default all presets are listed
    #[arg(value_name = "DESIGN")]
    designs: Vec<String>,
    #[command(flatten)]
    changes: Changes,
    /// List the bits of registers and memories too, for which the hardware of every preset is made
    #[arg(long)]
    storage: bool,
    /// Print the record formats of all schemes in Markdown instead
    #[arg(long, conflicts_with_all = ["designs", "set", "json", "storage"])]
    formats: bool,
    /// Print JSON: an array of objects with name, scheme, source, paper_gates, estimated_gates, storage_bits,
    /// storage, fingerprint, parameters
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Shown {
    name: String,
    scheme: &'static str,
    source: Option<&'static str>,
    paper_gates: Option<u32>,
    estimated_gates: u32,
    storage_bits: usize,
    storage: Map<String, Value>,
    fingerprint: String,
    parameters: Map<String, Value>,
}

/// Runs the command.
///
/// # Errors
/// When a design does not exist or output fails.
pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.formats {
        return print::text(tracewright_sim::formats::markdown());
    }
    let in_full = !arguments.designs.is_empty();
    let names: Vec<String> = match in_full {
        true => arguments.designs.clone(),
        false => preset::all().map(|preset| preset.name.into()).collect(),
    };
    let designs = design::load_all(&names, &arguments.changes)?;
    if arguments.json {
        return print::json(&designs.par_iter().map(show).collect::<Result<Vec<_>>>()?);
    }
    if in_full {
        for (index, design) in designs.iter().enumerate() {
            print::text(format_args!("{}{}", if index > 0 { "\n" } else { "" }, full(design)?))?;
        }
        return Ok(());
    }
    let mut header = vec!["design", "scheme", "source", "estimated gates", "paper's gates"];
    let bits = |design| Ok(elaborated(design)?.storage_bits as u64);
    let storage: Vec<u64> = match arguments.storage {
        true => designs.par_iter().map(bits).collect::<Result<_>>()?,
        false => Vec::new(),
    };
    header.extend(arguments.storage.then_some("storage bits"));
    let mut table = Table::new(&header, 3).prose(2).spare(1);
    for (place, design) in designs.iter().enumerate() {
        let preset = preset_of(design);
        let gates = preset.and_then(|preset| preset.paper_gates);
        let row = [
            design.name.clone(),
            design.scheme.name().into(),
            preset.map_or("", |preset| preset.source).into(),
            grouped(design.estimated_gates().into()),
            gates.map_or("-".into(), |gates| grouped(gates.into())),
        ];
        table.add_row(row.into_iter().chain(storage.get(place).map(|bits| grouped(*bits))));
    }
    print::text(table.to_text() + "\n" + &table::sentences(NOTE))
}

const NOTE: &str = "\
Estimated gates: the papers' rule, 1.5 gates per bit of tables and buffer and 427 per core, without synthesis; \
docs/gate_figures.md has both figures. `tracewright designs NAME` lists the parameters, --storage the \
bits of registers and memories.";

fn preset_of(design: &Design) -> Option<Preset> {
    preset::all().find(|preset| preset.name == design.name)
}

fn show(design: &Design) -> Result<Shown> {
    let preset = preset_of(design);
    let Generated { storage, storage_bits, .. } = elaborated(design)?;
    let storage = storage.into_iter().map(|stored| (stored.instance, stored.bits.into()));
    Ok(Shown {
        name: design.name.clone(),
        scheme: design.scheme.name(),
        source: preset.map(|preset| preset.source),
        paper_gates: preset.and_then(|preset| preset.paper_gates),
        estimated_gates: design.estimated_gates(),
        storage_bits,
        storage: storage.collect(),
        fingerprint: design::fingerprint(design),
        parameters: design::parameters(&design.resolved())?,
    })
}

fn full(design: &Design) -> Result<String> {
    let mut parameters = Table::new(&["parameter", "value", "meaning"], 2).prose(2);
    let values = design.values().into_iter().zip(design.resolved().values());
    for (parameter, ((_, given), (_, resolved))) in design.table().into_iter().zip(values) {
        let value =
            if given == resolved { given.to_string() } else { format!("{given}: {resolved}") };
        let Parameter { name, doc, allowed, default } = parameter;
        let meaning = format!("{doc} Allowed: {allowed}. Default: {default}.");
        parameters.add_row([name.into(), value, meaning]);
    }
    let mut storage = Table::new(&["storage", "bits"], 1);
    let generated = elaborated(design)?;
    for stored in &generated.storage {
        storage.add_row([stored.instance.clone(), grouped(stored.bits as u64)]);
    }
    storage.add_row(["total".into(), grouped(generated.storage_bits as u64)]);
    let preset = preset_of(design);
    let source = preset.map_or(String::new(), |preset| format!(" ({})", preset.source));
    let paper = preset.and_then(|preset| preset.paper_gates);
    let paper =
        paper.map_or(String::new(), |gates| format!(", {} in the paper", grouped(gates.into())));
    Ok(format!(
        "{}: scheme {}{source}, fingerprint {}\n\n{}\n{}\nestimated gates: {}{paper}\n",
        design.name,
        design.scheme.name(),
        design::fingerprint(design),
        parameters.to_text(),
        storage.to_text(),
        grouped(design.estimated_gates().into())
    ))
}

/// The hardware, which knows its storage.
fn elaborated(design: &Design) -> Result<Generated> {
    Ok(tracewright_hdl::generate(design)?)
}
