//! `tracewright gates`: gates, area and timing of designs.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tracewright_sim::preset;
use tracewright_sim::scheme::Design;
use tracewright_synthesis::{GateOptions, Gates};

use crate::pipeline::design::{self, Changes};
use crate::pipeline::print::{self, grouped};
use crate::pipeline::synthesis;

/// Count the gates of designs with Yosys
#[derive(Args)]
#[command(after_help = "\
Logic is synthesized with the memories as black boxes and counted in gate equivalents (GE): a
two-input NAND gate is 1 GE. Memories are counted by their bits. Results are cached.

Examples:
  tracewright gates traptor-m4
  tracewright gates 'traptor-*' stream-rbase-128 --json
  tracewright gates traptor-m4 --set gshare_entries=2048 --storage-ge-per-bit 1
  tracewright gates traptor-m4 --liberty cells.lib --clock 500")]
pub struct Arguments {
    /// Presets or TOML files; `traptor-*` is every preset whose name begins with traptor-
    #[arg(value_name = "DESIGN", required = true)]
    designs: Vec<String>,
    #[command(flatten)]
    changes: Changes,
    /// Map to the cells of this Liberty file, and report the area too
    #[arg(long, value_name = "FILE")]
    liberty: Option<PathBuf>,
    /// Report the slack at this clock frequency, by OpenSTA
    #[arg(long, value_name = "MHZ", value_parser = frequency)]
    clock: Option<f64>,
    /// Count this many GE for each bit of memory
    #[arg(long, value_name = "GE", default_value_t = 1.5, value_parser = positive)]
    storage_ge_per_bit: f64,
    /// Run this Yosys
    #[arg(long, value_name = "PATH")]
    yosys: Option<PathBuf>,
    /// Print JSON: an array of objects with design, yosys, library, storage_ge_per_bit, storage_bits,
    /// storage_ge, logic_ge, total_ge, paper_gates, estimated_gates, ratio_to_paper, ratio_to_estimate,
    /// flip_flop_ge, flip_flops, flip_flop_implementation_ge, gate_levels, modules (module, instances,
    /// logic_ge_each, logic_ge, flip_flops, storage_bits), across_modules_ge, structures (name, depth, width,
    /// bits, storage_ge, flip_flop_implementation_ge), area (logic_um2, storage_um2, nand_um2), timing
    /// (opensta, clock_mhz, slack_ns, fmax_mhz)
    #[arg(long)]
    json: bool,
}

/// The frequencies whose period OpenSTA can take.
fn frequency(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().map_err(|error| error.to_string())?;
    match (1e-3..=1e6).contains(&number) {
        true => Ok(number),
        false => Err("expected a frequency from 0.001 to 1000000 MHz".into()),
    }
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().map_err(|error| error.to_string())?;
    if number > 0.0 && number <= 1e6 {
        Ok(number)
    } else {
        Err("expected a number above 0 and at most 1000000".into())
    }
}

#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    gates: Gates,
    paper_gates: Option<u32>,
    estimated_gates: u32,
    ratio_to_paper: Option<f64>,
    ratio_to_estimate: f64,
}

/// Runs the command.
///
/// # Errors
/// When a design does not exist, a tool is missing or fails, or the library is not valid.
pub fn run(arguments: &Arguments) -> Result<()> {
    let designs = design::load_all(&arguments.designs, &arguments.changes)?;
    let options = GateOptions {
        yosys: arguments.yosys.clone(),
        liberty: arguments.liberty.clone(),
        clock_mhz: arguments.clock,
        storage_ge_per_bit: arguments.storage_ge_per_bit,
    };
    let gates = synthesis::gates(&designs, options)?;
    let shown: Vec<Shown> =
        gates.into_iter().zip(&designs).map(|(gates, design)| show(gates, design)).collect();
    if arguments.json {
        return print::json(&shown);
    }
    print::text(summary(&shown))?;
    if let [one] = &shown[..] {
        print::text(format_args!("\n{}\n{}", modules(&one.gates), structures(&one.gates)))?;
    }
    print::text(note(&shown[0].gates))
}

fn show(gates: Gates, design: &Design) -> Shown {
    // The paper's figure is not for a changed preset.
    let preset = preset::all().find(|preset| preset.name == design.name);
    let is_preset = Design::preset(&design.name).is_ok_and(|preset| preset == *design);
    let paper_gates = preset.filter(|_| is_preset).and_then(|preset| preset.paper_gates);
    let ratio = |to: u32| (gates.total_ge / f64::from(to) * 1000.0).round() / 1000.0;
    Shown {
        paper_gates,
        estimated_gates: design.estimated_gates(),
        ratio_to_paper: paper_gates.map(ratio),
        ratio_to_estimate: ratio(design.estimated_gates()),
        gates,
    }
}

fn summary(shown: &[Shown]) -> String {
    let mut header = vec![
        "design",
        "storage bits",
        "storage GE",
        "logic GE",
        "total GE",
        "estimated",
        "ratio",
        "paper's",
        "ratio",
        "flip-flops",
        "levels",
        "GE as flip-flops",
    ];
    let first = &shown[0].gates;
    if first.area.is_some() {
        header.extend(["logic um2", "total um2"]);
    }
    if first.timing.is_some() {
        header.extend(["slack ns", "fmax MHz"]);
    }
    let mut table = print::table(&header, 1);
    for Shown { gates, paper_gates, estimated_gates, ratio_to_paper, ratio_to_estimate } in shown {
        let or_dash = |text: Option<String>| text.unwrap_or("-".into());
        let mut row = vec![
            gates.design.clone(),
            grouped(gates.storage_bits),
            whole(gates.storage_ge),
            whole(gates.logic_ge),
            whole(gates.total_ge),
            grouped((*estimated_gates).into()),
            format!("{ratio_to_estimate:.2}"),
            or_dash(paper_gates.map(|gates| grouped(gates.into()))),
            or_dash(ratio_to_paper.map(|ratio| format!("{ratio:.2}"))),
            grouped(gates.flip_flops),
            grouped(gates.gate_levels),
            whole(gates.flip_flop_implementation_ge),
        ];
        if let Some(area) = &gates.area {
            row.extend([whole(area.logic_um2), whole(area.logic_um2 + area.storage_um2)]);
        }
        if let Some(timing) = &gates.timing {
            row.extend([format!("{:.3}", timing.slack_ns), format!("{:.1}", timing.fmax_mhz)]);
        }
        table.add_row(row);
    }
    print::trimmed(&table)
}

fn modules(gates: &Gates) -> String {
    let header = ["module", "instances", "GE each", "logic GE", "flip-flops", "storage bits"];
    let mut table = print::table(&header, 1);
    for module in &gates.modules {
        table.add_row([
            module.module.clone(),
            grouped(module.instances),
            whole(module.logic_ge_each),
            whole(module.logic_ge),
            grouped(module.flip_flops),
            grouped(module.storage_bits),
        ]);
    }
    let across =
        ["across modules".into(), String::new(), String::new(), whole(gates.across_modules_ge)];
    table.add_row(across);
    print::trimmed(&table)
}

fn structures(gates: &Gates) -> String {
    let header = ["memory", "words", "bits", "total bits", "GE", "GE as flip-flops"];
    let mut table = print::table(&header, 1);
    for structure in &gates.structures {
        table.add_row([
            structure.name.clone(),
            grouped(structure.depth),
            grouped(structure.width),
            grouped(structure.bits),
            whole(structure.storage_ge),
            whole(structure.flip_flop_implementation_ge),
        ]);
    }
    print::trimmed(&table)
}

fn note(gates: &Gates) -> String {
    format!(
        "\n{}; cells of {}; {} GE per bit of memory. docs/gates.md says what is counted.\n",
        gates.yosys, gates.library, gates.storage_ge_per_bit
    )
}

/// A figure rounded to a whole number.
fn whole(value: f64) -> String {
    let digits = grouped(value.abs().round() as u64);
    if value <= -0.5 { format!("-{digits}") } else { digits }
}
