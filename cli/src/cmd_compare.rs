//! `tracewright compare`: bits per instruction of designs beside those of other encoders.

use anyhow::{Result, anyhow};
use clap::Args;
use tracewright_comparators as comparators;
use tracewright_comparators::predictor::Model;
use tracewright_sim::cell;
use tracewright_sim::scheme::Design;
use tracewright_synthesis::GateOptions;
use tracewright_verification::comparison::{self, Compared, Contender};

use crate::pipeline::addresses;
use crate::pipeline::design::{self, Changes};
use crate::pipeline::events;
use crate::pipeline::failure::usage;
use crate::pipeline::limits;
use crate::pipeline::paths::{self, Input};
use crate::pipeline::predictors::Predictors;
use crate::pipeline::print::{self, grouped, ratio};
use crate::pipeline::synthesis;
use crate::pipeline::table::{self, Table};
use crate::pipeline::trace_names::TraceNames;
use crate::pipeline::worst_ratios;

/// The designs that are compared unless others are named.
const MAIN_DESIGNS: [&str; 10] = [
    "traptor-s1",
    "traptor-m4",
    "traptor-b4",
    "talon-s",
    "talon-m",
    "stream-base-128",
    "stream-ebase-128",
    "stream-rbase-128",
    "ntuple-32x4",
    "nexs",
];

/// Compare designs with other encoders on the same traces
#[derive(Args)]
#[command(after_help = "\
The table has a row for every encoder and a column for every trace. A dash is a trace that the format
cannot carry; the reason is below the table. Basis says what the bits are: of a design of this project,
of a real encoder, of a model, or of a predictor without hardware (model only). Gates are those that a
paper states, estimated those of the papers' rule. GE are gate equivalents after synthesis with 1.5 for
a bit of memory, or with memories of flip-flops: compare figures of one column only, and take 5 % for
noise. docs/comparison.md says what the comparators are.

Examples:
  tracewright compare run.pet.zst
  tracewright compare --only traptor-m4,gzip,tslz workloads/*.pet.zst
  tracewright compare --design traptor-m4,mine.toml run.pet.zst --json
  tracewright compare --worst-ratio-to traptor-m4,e-trace workloads/*.pet.zst")]
pub struct Arguments {
    /// Traces
    #[arg(value_name = "TRACE", required = true)]
    traces: Vec<Input>,
    /// Presets, TOML files, or predictors without hardware (FILE.py:CLASS with the package for Python); the default is
    /// traptor-s1, traptor-m4, traptor-b4, talon-s, talon-m, stream-base-128, stream-ebase-128, stream-rbase-128,
    /// ntuple-32x4 and nexs
    #[arg(long = "design", value_name = "DESIGN", value_delimiter = ',')]
    designs: Vec<String>,
    /// Compare only these designs and comparators
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// Set the bits of an address in the formats; the default is 32, or 64 if the addresses of a trace need them
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(32..=64))]
    address_width: Option<u32>,
    /// Print JSON: an array of objects with name, basis, trace, events, instructions, bits,
    /// bits_per_instruction, refused, stated_gates, estimated_gates, papers_bits, gate_equivalents,
    /// flip_flop_implementation_ge
    #[arg(long)]
    json: bool,
    /// Print CSV with the same fields
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print the table as Markdown, without encoders that cannot carry any of the traces and gates that none has
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    markdown: bool,
    /// Print each encoder's worst ratio to the bits of these, over the traces that both can carry
    #[arg(long, value_name = "NAME", value_delimiter = ',', conflicts_with_all = ["json", "csv", "synthesize"])]
    worst_ratio_to: Vec<String>,
    /// Synthesize the designs with Yosys, and print their gate equivalents too
    #[arg(long)]
    synthesize: bool,
}

/// Runs the command.
///
/// # Errors
/// When a name is unknown, or a trace or a design is bad.
pub fn run(arguments: &Arguments, predictors: &Predictors) -> Result<()> {
    let (contenders, width) = contenders(arguments, predictors)?;
    events::rereadable(&arguments.traces)?;
    events::not_all_empty(&arguments.traces)?;
    let progress = events::progress_of(&arguments.traces, 2);
    let traces = &paths::paths(&arguments.traces);
    let mut compared =
        comparison::compare(&contenders, traces, width, limits::events(), &progress)?;
    drop(progress);
    if compared.iter().all(|one| one.bits.is_none())
        && let Some(Compared { name, trace, refused: Some(reason), .. }) = compared.first()
    {
        return Err(anyhow!(
            "no encoder can carry any of the traces with addresses of {width} bits; {name} on {trace}: {reason}"
        ));
    }
    if arguments.synthesize {
        synthesize(&contenders, &mut compared)?;
    }
    if arguments.json {
        return print::json(&compared);
    }
    if arguments.csv {
        return print::text(print::csv(&compared)?);
    }
    let names = TraceNames::of(compared.iter().map(|one| one.trace.as_str()));
    if !arguments.worst_ratio_to.is_empty() {
        let shown = if arguments.markdown { worst_ratios::markdown } else { worst_ratios::table };
        return print::text(shown(&compared, traces.len(), &arguments.worst_ratio_to, &names));
    }
    let (rows, reasons) = rows(&compared, traces.len(), &names);
    if arguments.markdown {
        return print::text(markdown(&rows));
    }
    let reasons: String = reasons.iter().map(|reason| format!("{reason}\n")).collect();
    let reasons = table::sentences(&reasons);
    let between = if reasons.is_empty() { "" } else { "\n" };
    print::text(names.heading() + &table(&rows) + between + &reasons)
}

/// Adds the gate equivalents of the designs.
fn synthesize(contenders: &[Contender], compared: &mut [Compared]) -> Result<()> {
    let designs: Vec<Design> = contenders
        .iter()
        .filter_map(|one| match one {
            Contender::Design(design) => Some(Design::clone(design)),
            Contender::Comparator(_) | Contender::Model(_) => None,
        })
        .collect();
    for (gates, design) in synthesis::gates(&designs, GateOptions::default())?.iter().zip(&designs)
    {
        for one in compared.iter_mut().filter(|one| one.name == design.name) {
            one.gate_equivalents = Some(gates.total_ge.round() as u32);
            let flip_flops = gates.flip_flop_implementation_ge.round() as u32;
            one.flip_flop_implementation_ge = Some(flip_flops);
        }
    }
    Ok(())
}

/// The designs and comparators that are asked for, and the bits of an address in the formats of the comparators.
fn contenders(arguments: &Arguments, predictors: &Predictors) -> Result<(Vec<Contender>, u32)> {
    let set = arguments.address_width.map(|width| format!("address_width={width}"));
    let set = Vec::from_iter(set);
    let designs = match arguments.designs.is_empty() {
        true => MAIN_DESIGNS.map(str::to_owned).to_vec(),
        false => arguments.designs.clone(),
    };
    let (designs, mut models) = predictors.sorted(&designs, &Changes::default())?;
    let is_named = |model: &&Model| models.iter().any(|named| named.name() == model.name());
    let others: Vec<Model> =
        predictors.own().iter().filter(|one| !is_named(one)).cloned().collect();
    models.extend(others);
    let designs = design::load_all(&designs, &Changes { set })?;
    if let Some(design) = designs.iter().find(|design| design.traces_data()) {
        return Err(usage(format_args!(
            "--design {}: expected designs that trace control flow, found one that traces data addresses",
            design.name
        )));
    }
    let own = designs.iter().map(|design| design.name.as_str());
    let known = own.chain(models.iter().map(Model::name));
    let known: Vec<&str> = known.chain(comparators::ALL.iter().map(|one| one.name)).collect();
    check_names(arguments, &known)?;
    // The formats of the comparators have the width that designs need.
    let format = Design::preset("nexs")?;
    let mut takers = designs.clone();
    takers.extend(arguments.address_width.is_none().then(|| format.clone()));
    let addresses = addresses::of_all(&takers, &arguments.traces)?;
    let width = match arguments.address_width {
        Some(width) => width,
        None if addresses.widen(&format) => 64,
        None => 32,
    };
    let designs = designs.into_iter().map(|design| addresses.fit(design));
    let all = designs.map(|design| Contender::Design(Box::new(design)));
    let all = all.chain(models.into_iter().map(|model| Contender::Model(Box::new(model))));
    let mut all: Vec<Contender> =
        all.chain(comparators::ALL.iter().map(Contender::Comparator)).collect();
    if !arguments.only.is_empty() {
        let wanted = || arguments.only.iter().chain(&arguments.worst_ratio_to);
        all.retain(|one| wanted().any(|name| name == one.name()));
    }
    Ok((all, width))
}

/// Checks that arguments name encoders that are compared.
fn check_names(arguments: &Arguments, known: &[&str]) -> Result<()> {
    let ratios = arguments.worst_ratio_to.iter().map(|name| ("--worst-ratio-to", name));
    let mut named = arguments.only.iter().map(|name| ("--only", name)).chain(ratios);
    match named.find(|(_, name)| !known.contains(&name.as_str())) {
        Some((argument, name)) => {
            let known = known.join(", ");
            Err(usage(format_args!("{argument} {name}: expected one of {known}")))
        }
        None => Ok(()),
    }
}

/// The column of the first trace.
const FIRST_FIGURE: usize = 7;

/// A header, a row for every contender, and the reasons of dashes. There is a column for every trace and, for several
/// traces, one for all of them together.
fn rows(
    compared: &[Compared],
    traces: usize,
    trace_names: &TraceNames,
) -> (Vec<Vec<String>>, Vec<String>) {
    let by_contender: Vec<&[Compared]> = compared.chunks(traces.max(1)).collect();
    let words: [&str; FIRST_FIGURE] =
        ["encoder", "basis", "gates", "estimated", "GE", "GE as flip-flops", "papers' bits"];
    let mut header: Vec<String> = words.map(str::to_owned).to_vec();
    let names = by_contender.first().into_iter().flat_map(|of_first| of_first.iter());
    header.extend(names.map(|one| trace_names.name(&one.trace).to_owned()));
    header.extend((traces > 1).then(|| "total".to_owned()));
    let (mut rows, mut refused) = (vec![header], Vec::new());
    for of_contender in by_contender {
        let one = &of_contender[0];
        let or_dash = |number: Option<u32>| number.map_or("-".into(), |one| grouped(one.into()));
        let mut row = vec![
            one.name.clone(),
            one.basis.clone(),
            or_dash(one.stated_gates),
            or_dash(one.estimated_gates),
            or_dash(one.gate_equivalents),
            or_dash(one.flip_flop_implementation_ge),
            or_dash(one.papers_bits),
        ];
        row.extend(of_contender.iter().map(|one| figure(&[one])));
        row.extend((traces > 1).then(|| figure(&of_contender.iter().collect::<Vec<_>>())));
        rows.push(row);
        let all_say = one
            .refused
            .as_ref()
            .filter(|reason| of_contender.iter().all(|one| one.refused.as_ref() == Some(reason)));
        match all_say {
            Some(reason) => refused.push((String::new(), reason.clone(), one.name.clone())),
            None => refused.extend(of_contender.iter().filter_map(|one| {
                let on = format!(" on {}", trace_names.name(&one.trace));
                Some((on, one.refused.clone()?, one.name.clone()))
            })),
        }
    }
    (rows, reasons(&refused))
}

/// Sentences on dashes: the traces, the reason and all encoders that it is of.
fn reasons(refused: &[(String, String, String)]) -> Vec<String> {
    let mut grouped: Vec<(&str, &str, Vec<&str>)> = Vec::new();
    for (on, reason, name) in refused {
        match grouped.iter_mut().find(|(a, b, _)| (*a, *b) == (on.as_str(), reason.as_str())) {
            Some((_, _, names)) => names.push(name),
            None => grouped.push((on, reason, vec![name])),
        }
    }
    let sentence = |(on, reason, names): &(&str, &str, Vec<&str>)| {
        format!("{}{on}: {reason}", names.join(", "))
    };
    grouped.iter().map(sentence).collect()
}

fn table(rows: &[Vec<String>]) -> String {
    let Some((header, rows)) = rows.split_first() else { return String::new() };
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let mut table = Table::new(&header, 2).in_parts(FIRST_FIGURE);
    for row in rows {
        table.add_row(row);
    }
    table.to_text()
}

/// The table without the encoders that could not encode any trace, and without the columns of gates that are empty.
fn markdown(rows: &[Vec<String>]) -> String {
    let Some((header, rows)) = rows.split_first() else { return String::new() };
    let is_given = |cell: &String| cell != "-";
    let encoded: Vec<&Vec<String>> =
        rows.iter().filter(|row| row[FIRST_FIGURE..].iter().any(is_given)).collect();
    let columns = 0..header.len();
    let is_kept = |column: &usize| {
        *column >= FIRST_FIGURE || encoded.iter().any(|row| is_given(&row[*column]))
    };
    let columns: Vec<usize> = columns.filter(is_kept).collect();
    let line = |cells: &[String]| {
        let cells: Vec<String> =
            columns.iter().map(|column| cell::markdown(&cells[*column])).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = columns.iter().map(|column| if *column < 2 { "|---" } else { "|---:" });
    let rule: String = rule.collect();
    line(header) + &rule + "|\n" + &encoded.iter().map(|row| line(row)).collect::<String>()
}

/// Bits per instruction of several traces together; a dash unless all of them were encoded.
fn figure(compared: &[&Compared]) -> String {
    let bits: Option<u64> = compared.iter().map(|one| one.bits).sum();
    let instructions = compared.iter().map(|one| one.instructions).sum();
    bits.map_or("-".into(), |bits| format!("{:.4}", ratio(bits, instructions)))
}
