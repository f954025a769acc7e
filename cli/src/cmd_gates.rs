//! `tracewright gates`: gates, area and timing of designs.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tracewright_sim::cell;
use tracewright_sim::preset;
use tracewright_sim::scheme::Design;
use tracewright_synthesis::{GateOptions, Gates, LibraryOptions};

use crate::pipeline::design::Changes;
use crate::pipeline::layers::{self, Layer};
use crate::pipeline::paths::Input;
use crate::pipeline::print::{self, grouped};
use crate::pipeline::synthesis;
use crate::pipeline::table::{self, Table};
use crate::pipeline::unit;

/// Count the gates of designs with Yosys
#[derive(Args)]
#[command(after_help = "\
Logic is synthesized with the memories as black boxes and counted in gate equivalents (GE): a
two-input NAND gate is 1 GE. Memories are counted by their bits. Results are cached.

With --ingress, --sink, --control or --ram-sink, as in `generate`, or a design file that says so,
there is a row for the trace module alone, and one for each module around it with all that is
inside; the tables by module and memory are of the whole.

Examples:
  tracewright gates traptor-m4
  tracewright gates 'traptor-*' stream-rbase-128 --json
  tracewright gates traptor-m4 --set gshare_entries=2048 --storage-ge-per-bit 1
  tracewright gates traptor-m4 --liberty cells.lib --clock 500
  tracewright gates traptor-m4 --liberty tt.lib.gz --slow ss.lib.gz --fast ff.lib.gz --clock 200 \\
      --dont-use '*_lpflow_*' --driving-cell buf_2
  tracewright gates traptor-m4 --set framing=packets --set enable_pin=true --set alignment=1 \\
      --set trace_port_width=8 --ingress rvfi --control apb --ram-sink 4096")]
pub struct Arguments {
    /// Presets or TOML files; `traptor-*` is every preset whose name begins with traptor-
    #[arg(value_name = "DESIGN", required = true)]
    designs: Vec<String>,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    around: unit::Arguments,
    /// Map to the cells of this Liberty file, and report the area too. Repeatable: the files of a kit are one
    /// library. Files may be compressed by gzip
    #[arg(long, value_name = "FILE")]
    liberty: Vec<Input>,
    /// Take the cells of the slow corner from this file, for --clock. Repeatable
    #[arg(long, value_name = "FILE", requires_all = ["liberty", "clock"])]
    slow: Vec<Input>,
    /// Take the cells of the fast corner from this file, for the hold slack of --clock. Repeatable
    #[arg(long, value_name = "FILE", requires_all = ["liberty", "clock"])]
    fast: Vec<Input>,
    /// Leave out the cells with such a name; `*` is any text. Those with `dont_use` in the file are left out
    /// anyway. Repeatable
    #[arg(long, value_name = "CELL", requires = "liberty")]
    dont_use: Vec<String>,
    /// Set the cell that drives each input, for --clock; the default is the smallest buffer
    #[arg(long, value_name = "CELL", requires_all = ["liberty", "clock"])]
    driving_cell: Option<String>,
    /// Set the load at each output, for --clock; the default is four inputs of the smallest buffer
    #[arg(long, value_name = "FEMTOFARADS", requires_all = ["liberty", "clock"], value_parser = positive)]
    load: Option<f64>,
    /// Report the slack at this clock frequency, by OpenSTA
    #[arg(long, value_name = "MHZ", value_parser = frequency)]
    clock: Option<f64>,
    /// Count this many GE for each bit of memory
    #[arg(long, value_name = "GE", default_value_t = 1.5, value_parser = positive)]
    storage_ge_per_bit: f64,
    /// Run this Yosys
    #[arg(long, value_name = "PATH")]
    yosys: Option<Input>,
    /// Print JSON: an array of objects with design, around, yosys, library, storage_ge_per_bit, storage_bits,
    /// storage_ge, logic_ge, total_ge, paper_gates, estimated_gates, ratio_to_paper, ratio_to_estimate,
    /// flip_flop_ge, flip_flops, flip_flop_implementation_ge, gate_levels, modules (module, instances,
    /// logic_ge_each, logic_ge, flip_flops, storage_bits), across_modules_ge, structures (name, depth, width,
    /// bits, storage_ge, flip_flop_implementation_ge), area (logic_um2, storage_um2, nand_um2), timing
    /// (opensta, clock_mhz, slack_ns, hold_slack_ns, fmax_mhz)
    #[arg(long)]
    json: bool,
    /// Print the totals as a Markdown table
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
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
    /// The modules around the trace module, from the inside out.
    around: Vec<String>,
    #[serde(skip)]
    title: String,
    paper_gates: Option<u32>,
    estimated_gates: Option<u32>,
    ratio_to_paper: Option<f64>,
    ratio_to_estimate: Option<f64>,
}

fn paths(files: &[Input]) -> Vec<PathBuf> {
    files.iter().map(|file| file.to_path_buf()).collect()
}

/// Runs the command.
///
/// # Errors
/// When a design does not exist, a tool is missing or fails, or the library is not valid.
pub fn run(arguments: &Arguments) -> Result<()> {
    let layers = layers::load_all(&arguments.designs, &arguments.changes, &arguments.around)?;
    let options = GateOptions {
        yosys: arguments.yosys.as_deref().map(Path::to_path_buf),
        liberty: paths(&arguments.liberty),
        slow: paths(&arguments.slow),
        fast: paths(&arguments.fast),
        library: LibraryOptions {
            dont_use: arguments.dont_use.clone(),
            driving_cell: arguments.driving_cell.clone(),
            load_ff: arguments.load,
        },
        clock_mhz: arguments.clock,
        storage_ge_per_bit: arguments.storage_ge_per_bit,
    };
    let gates = synthesis::gates_of(&layers, options)?;
    let shown: Vec<Shown> =
        gates.into_iter().zip(&layers).map(|(gates, layer)| show(gates, layer)).collect();
    if arguments.json {
        return print::json(&shown);
    }
    if arguments.markdown {
        return print::text(markdown(&shown));
    }
    print::text(summary(&shown))?;
    let is_one = layers.iter().all(|layer| layer.design.name == layers[0].design.name);
    if let Some((whole, layer)) = shown.last().zip(layers.last()).filter(|_| is_one) {
        let prefix = format!("{}_", tracewright_hdl::module_name(&layer.design));
        let modules = modules(&whole.gates, &prefix);
        print::text(format_args!("\n{modules}\n{}", structures(&whole.gates)))?;
    }
    print::text(note(&shown[0].gates))
}

fn show(gates: Gates, layer: &Layer) -> Shown {
    let Layer { design, around, .. } = layer;
    // The paper's figure is not for a changed preset, and neither figure is for what is around a design.
    let preset = preset::all().find(|preset| preset.name == design.name);
    let is_preset =
        around.is_empty() && Design::preset(&design.name).is_ok_and(|preset| preset == *design);
    let paper_gates = preset.filter(|_| is_preset).and_then(|preset| preset.paper_gates);
    let ratio = |to: u32| (gates.total_ge / f64::from(to) * 1000.0).round() / 1000.0;
    let estimated_gates = around.is_empty().then(|| design.estimated_gates());
    Shown {
        around: around.clone(),
        title: layer.title(),
        paper_gates,
        estimated_gates,
        ratio_to_paper: paper_gates.map(ratio),
        ratio_to_estimate: estimated_gates.map(ratio),
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
        header.extend(["slack ns", "hold slack ns", "fmax MHz"]);
    }
    let mut table = Table::new(&header, 1).in_parts(9);
    for one in shown {
        let Shown { gates, paper_gates, estimated_gates, .. } = one;
        let ratio = |ratio: Option<f64>| ratio.map(|ratio| format!("{ratio:.2}"));
        let or_dash = |text: Option<String>| text.unwrap_or("-".into());
        let mut row = vec![
            one.title.clone(),
            grouped(gates.storage_bits),
            whole(gates.storage_ge),
            whole(gates.logic_ge),
            whole(gates.total_ge),
            or_dash(estimated_gates.map(|gates| grouped(gates.into()))),
            or_dash(ratio(one.ratio_to_estimate)),
            or_dash(paper_gates.map(|gates| grouped(gates.into()))),
            or_dash(ratio(one.ratio_to_paper)),
            grouped(gates.flip_flops),
            grouped(gates.gate_levels),
            whole(gates.flip_flop_implementation_ge),
        ];
        if let Some(area) = &gates.area {
            row.extend([whole(area.logic_um2), whole(area.logic_um2 + area.storage_um2)]);
        }
        if let Some(timing) = &gates.timing {
            let hold_slack_ns = timing.hold_slack_ns.map(|slack| format!("{slack:.3}"));
            row.extend([format!("{:.3}", timing.slack_ns), or_dash(hold_slack_ns)]);
            row.push(format!("{:.1}", timing.fmax_mhz));
        }
        table.add_row(row);
    }
    table.to_text()
}

/// The totals in both units.
fn markdown(shown: &[Shown]) -> String {
    let mut text = String::from(
        "| design | storage bits | logic GE | total GE | GE as flip-flops | estimated |\n\
         |---|---:|---:|---:|---:|---:|\n",
    );
    for Shown { gates, title, estimated_gates, .. } in shown {
        let cells = [
            cell::markdown(title),
            grouped(gates.storage_bits),
            whole(gates.logic_ge),
            whole(gates.total_ge),
            whole(gates.flip_flop_implementation_ge),
            estimated_gates.map_or("-".into(), |gates| grouped(gates.into())),
        ];
        text += &format!("| {} |\n", cells.join(" | "));
    }
    text
}

/// The modules, without the design's name in front of theirs.
fn modules(gates: &Gates, prefix: &str) -> String {
    let header = ["module", "instances", "GE each", "logic GE", "flip-flops", "storage bits"];
    let mut table = Table::new(&header, 1);
    for module in &gates.modules {
        table.add_row([
            module.module.strip_prefix(prefix).unwrap_or(&module.module).to_owned(),
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
    table.to_text()
}

fn structures(gates: &Gates) -> String {
    let header = ["memory", "words", "bits", "total bits", "GE", "GE as flip-flops"];
    let mut table = Table::new(&header, 1);
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
    table.to_text()
}

fn note(gates: &Gates) -> String {
    table::sentences(&format!(
        "\n{}; cells of {}; {} GE per bit of memory. Differences below 5 % are noise of the flow. docs/gates.md says what is counted.",
        gates.yosys, gates.library, gates.storage_ge_per_bit
    ))
}

/// A figure rounded to a whole number.
fn whole(value: f64) -> String {
    let digits = grouped(value.abs().round() as u64);
    if value <= -0.5 { format!("-{digits}") } else { digits }
}
