//! Results of searches, written and printed.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tracewright_exploration::{Exploration, Improvement, Objective, Row};
use tracewright_report::plot::Plot;
use tracewright_report::plot::search::{self, Point, Role};

use super::failure::usage;
use super::folder;
use super::left_out;
use super::memory;
use super::paths::OutputFolder;
use super::print::{self, grouped};
use super::synthesized::Synthesized;
use super::table::{self, Table};
use super::trace_names::TraceNames;

/// What is made of a result besides its files.
#[derive(Args, Clone, Debug)]
pub struct Shown {
    /// Write every design on the front into this folder, as a TOML file that `generate` takes
    #[arg(long, value_name = "DIR")]
    emit: Option<OutputFolder>,
    /// Count the gates of the designs on the front with Yosys, and say which of them no other beats by these
    #[arg(long)]
    synthesize: bool,
    /// Synthesize designs too that would be on the front with this many per cent fewer gates
    #[arg(long, value_name = "PERCENT", default_value_t = 0, requires = "synthesize",
          value_parser = clap::value_parser!(u8).range(0..=99))]
    margin: u8,
    /// Print JSON: for a search an object with search, shards, strategy, objectives, traces (trace, digest, class,
    /// is_left_out), baseline (design, gates, by_trace), configurations (design, preset, parameters,
    /// bits_per_instruction, gates, buffer_bits, worst_trace, worst_bits_per_instruction, is_on_front, by_trace
    /// (instructions, bits, buffer_bits), for a predictor without hardware basis, and with a baseline worst_ratio, worst_ratio_trace, worst_class_ratio,
    /// worst_class, ratio_bound, left_out_ratio, left_out_trace), improvement (preset, design, parameters (parameter, value,
    /// preset_value, bits_per_instruction_without, objective_without, gates_without), left_out (trace, design,
    /// bits_per_instruction, preset_bits_per_instruction)), without_class (class, front (design, gates,
    /// on_others, on_class, best_design, best_on_class), chosen), synthesized_gates and
    /// flip_flop_implementation_ge (by design), front_by_synthesis (designs), measured, known, invalid; for a regression what `regress` prints
    #[arg(long)]
    json: bool,
}

impl Shown {
    /// True if something is made of the designs on the front.
    pub fn makes_designs(&self) -> bool {
        self.emit.is_some() || self.synthesize
    }

    /// True if the result is printed as JSON.
    pub fn json(&self) -> bool {
        self.json
    }
}

/// The result as JSON.
#[derive(Serialize)]
struct Json<'a> {
    #[serde(flatten)]
    found: &'a Exploration,
    synthesized_gates: &'a BTreeMap<String, f64>,
    flip_flop_implementation_ge: &'a BTreeMap<String, f64>,
    front_by_synthesis: &'a [String],
    measured: u64,
    known: u64,
    invalid: u64,
}

/// Writes a result into its folder.
///
/// # Errors
/// When a file cannot be written.
pub fn save(found: &Exploration, folder: &OutputFolder) -> Result<()> {
    if let Some(plot) = plot(found) {
        let mut output = folder.file("front.svg")?.create()?;
        output.write_all(plot.standalone().as_bytes())?;
        output.commit()?;
    }
    memory::check();
    // A folder with this result is finished, so it is written last.
    Ok(found.save(folder)?)
}

/// The plot of a result; `None` if no design has gates and bits.
pub fn plot(found: &Exploration) -> Option<Plot> {
    let baseline = found.baseline.as_ref().map_or("the baseline", |one| &*one.design);
    let name = match found.main_objective() {
        Objective::WorstBitsPerInstruction => "bits per instruction of the worst trace".to_owned(),
        Objective::WorstRatio => format!("the worst trace's bits, divided by those of {baseline}"),
        Objective::WorstClassRatio => {
            format!("the worst class's bits, divided by those of {baseline}")
        }
        _ => "bits per instruction".to_owned(),
    };
    search::plot(&points(found), &name)
}

fn points(found: &Exploration) -> Vec<Point> {
    let point = |row: &Row| {
        let role = match row {
            _ if row.is_preset() => Role::Preset,
            _ if row.is_on_front => Role::Front,
            _ => Role::Dominated,
        };
        let improved = found.improvement.as_ref().is_some_and(|one| one.design == row.design);
        let name = name(row);
        let (gates, bits) = (grouped(row.gates.into()), row.bits_per_instruction);
        Point {
            label: (improved || role == Role::Preset).then(|| name.clone()),
            tip: format!("{name}: {gates} gates, {bits:.4} bits/instruction; {}", row.changes()),
            gates: row.gates.into(),
            figure: row.score(found.main_objective()),
            role,
        }
    };
    found.configurations.iter().map(point).collect()
}

/// The name of a design, or that of a predictor with what its bits are.
fn name(row: &Row) -> String {
    let basis = row.basis.as_deref().map_or(String::new(), |basis| format!(" ({basis})"));
    format!("{}{basis}", row.design)
}

/// How many combinations are no designs, and why the first of them is none.
fn refused(found: &Exploration) -> String {
    let invalid = found.counts.invalid;
    let are = if invalid == 1 { "combination is" } else { "combinations are" };
    let why = match &found.refused {
        Some(why) if invalid == 1 => format!(": {why}"),
        Some(why) if invalid > 1 => format!("; the first of them: {why}"),
        _ => String::new(),
    };
    format!("{} {are} not valid{why}", grouped(invalid))
}

/// Prints a result, and makes what was asked for.
///
/// # Errors
/// When a file cannot be written or Yosys fails.
pub fn print(found: &Exploration, shown: &Shown) -> Result<()> {
    if let Some(folder) = &shown.emit {
        emit(found, folder)?;
    }
    let synthesized = match shown.synthesize {
        true => Some(Synthesized::of(found, f64::from(shown.margin) / 100.0)?),
        false => None,
    };
    let counts = found.counts;
    if shown.json {
        let (measured, known, invalid) = (counts.measured, counts.known, counts.invalid);
        let synthesized = &synthesized.unwrap_or_default();
        return print::json(&Json {
            found,
            synthesized_gates: &synthesized.total_ge,
            flip_flop_implementation_ge: &synthesized.flip_flop_implementation_ge,
            front_by_synthesis: &synthesized.front,
            measured,
            known,
            invalid,
        });
    }
    print::text(front(found))?;
    print::text(table::sentences(&format!(
        "\n{} designs, {} on the front; {} measurements made, {} known from before; {}.\n",
        grouped(found.configurations.len() as u64),
        grouped(found.front().count() as u64),
        grouped(counts.measured),
        grouped(counts.known),
        refused(found)
    )))?;
    if let Some(synthesized) = &synthesized {
        print::text(synthesized.table(found))?;
    }
    if let Some(improvement) = &found.improvement {
        print::text(improved(found, improvement))?;
    }
    print::text(left_out::shown(found))
}

/// Writes the designs on the front as TOML files. Those that this search had on its front before are removed, and files
/// that no search has written stay.
fn emit(found: &Exploration, into: &OutputFolder) -> Result<()> {
    let designs = found.front().filter(|row| row.is_design());
    let designs = designs.map(|row| (format!("{}.toml", row.design), row.toml(&found.search)));
    folder::update(into, &designs.collect(), |name, text| match Row::search_of(text) {
        Some(search) if search == found.search => Ok(true),
        Some(_) => Err(usage(format_args!(
            "--emit: {} has {name} of another search; expected another folder",
            into.display()
        ))),
        None => Ok(false),
    })
}

/// The column of the trace that decides the worst ratio.
const ON: usize = 5;

/// A bound as it is printed; few traces have none.
fn bound(bound: Option<f64>) -> String {
    bound.map_or_else(|| "-".into(), |bound| format!("{bound:.3}"))
}

/// The front and the presets.
fn front(found: &Exploration) -> String {
    let mut header = vec!["design", "bits/instruction", "estimated gates", "buffer bits"];
    let at_worst = match found.baseline {
        Some(_) => "worst ratio",
        None => "at worst",
    };
    header.extend([at_worst, "on"]);
    header.extend(found.baseline.is_some().then_some("bound"));
    header.push("changed parameters");
    let last = header.len() - 1;
    let mut table = Table::new(&header, 1).word(ON).prose(last);
    let main = found.main_objective();
    let names = TraceNames::of(found.configurations.iter().map(|row| row.worst_at(main).1));
    for row in found.configurations.iter().filter(|row| row.is_on_front || row.is_preset()) {
        let mark = if row.is_on_front { "" } else { " (not on the front)" };
        let buffer = if row.is_design() { grouped(row.buffer_bits) } else { "-".into() };
        let mut cells = vec![
            format!("{}{mark}", name(row)),
            format!("{:.4}", row.bits_per_instruction),
            grouped(row.gates.into()),
            buffer,
        ];
        let (worst, of) = row.worst_at(main);
        cells.extend([format!("{worst:.4}"), names.name(of).into()]);
        cells.extend(row.ratios.as_ref().map(|ratios| bound(ratios.ratio_bound)));
        cells.push(row.changes());
        table.add_row(cells);
    }
    let ratios = match &found.baseline {
        Some(baseline) => table::sentences(&format!(
            "\nRatios are to the bits of {}, which has {} gates by the estimate. The worst ratio of as many other \
             programs of the same kinds stays below the bound with a probability of 95 %.\n",
            baseline.design,
            grouped(baseline.gates.into())
        )),
        None => String::new(),
    };
    names.heading() + &table.to_text() + &ratios
}

/// What the search brought, in words and tables.
fn improved(found: &Exploration, improvement: &Improvement) -> String {
    let row = |name: &str| found.configurations.iter().find(|row| row.design == name);
    let (Some(best), Some(preset)) = (row(&improvement.design), row(&improvement.preset)) else {
        return String::new();
    };
    let main = found.main_objective();
    let (what, figure) = match main.is_ratio() {
        true => ("smallest worst ratio is that", "ratio with the preset's"),
        false => ("fewest bits are those", "bits/instruction with the preset's"),
    };
    let mut text = table::sentences(&format!(
        "\nAt no more gates than {} the {what} of {}: {:.2} % {}, {} gates instead of {}.\n\n",
        preset.design,
        best.design,
        100.0 * (1.0 - best.score(main) / preset.score(main)),
        if main.is_ratio() { "less" } else { "fewer" },
        grouped(best.gates.into()),
        grouped(preset.gates.into())
    ));
    let header = ["parameter", "value", "preset's", figure, "more bits", "gates"];
    let mut table = Table::new(&header, 1);
    for one in &improvement.parameters {
        let bits = one.objective_without;
        let more = bits.map(|bits| 100.0 * (bits / best.score(main) - 1.0));
        table.add_row([
            one.parameter.clone(),
            one.value.clone(),
            one.preset_value.clone(),
            bits.map_or("not valid".into(), |bits| format!("{bits:.4}")),
            more.map_or(String::new(), |more| format!("{more:.2} %")),
            one.gates_without.map_or(String::new(), |gates| grouped(gates.into())),
        ]);
    }
    text += &table.to_text();
    if improvement.left_out.is_empty() {
        return text;
    }
    text += "\nChosen on the other traces:\n\n";
    let names = TraceNames::of(improvement.left_out.iter().map(|one| one.trace.as_str()));
    text += &names.heading();
    let header = ["trace left out", "design", "bits/instruction", "preset's", "fewer bits"];
    let mut table = Table::new(&header, 2);
    for one in &improvement.left_out {
        let fewer = 100.0 * (1.0 - one.bits_per_instruction / one.preset_bits_per_instruction);
        table.add_row([
            names.name(&one.trace).into(),
            one.design.clone(),
            format!("{:.4}", one.bits_per_instruction),
            format!("{:.4}", one.preset_bits_per_instruction),
            format!("{fewer:.2} %"),
        ]);
    }
    text + &table.to_text()
}
