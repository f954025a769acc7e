//! `tracewright port-check`: the conventions of a core's retirement port, and the unit that fits.

use std::io::Write;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use clap::{Args, ValueEnum};
use serde::Serialize;
use tracewright_image::list::Placed;
use tracewright_image::{Image, InstructionSet};
use tracewright_import::Options;
use tracewright_import::port::{Checked, Evidence, Kind, Sentence, Settings, check_log};

use crate::pipeline::core_signals;
use crate::pipeline::events;
use crate::pipeline::paths::{Input, OutputFile};
use crate::pipeline::print::{self, counted, grouped};
use crate::pipeline::program_files::{self, CodeArguments};
use crate::pipeline::table::{self, Table};

/// The name of the unit in the file.
const UNIT: &str = "unit";

/// Find the conventions of a core's retirement port, and the settings of the adapter for it
#[derive(Args)]
#[command(after_help = "\
LOG is a table or a waveform of the RISC-V formal interface or of the port retired, or a table of
program counters and words (docs/port_check.md). Some thousand rows around interrupts and traps are
enough. The whole log is read, and each convention is shown with the first rows that it is seen in.
Exit status 1 says that something cannot be traced, even with the settings.

Examples:
  tracewright port-check rvfi.csv --program prog.elf -o unit.toml
  tracewright port-check run.fst --core core.toml -o unit.toml
  tracewright generate unit.toml -o build")]
pub struct Arguments {
    /// The log; - is standard input
    #[arg(value_name = "LOG")]
    log: Input,
    /// Write the unit with the settings here; without it, its text is printed
    #[arg(short, long, value_name = "FILE.toml")]
    output: Option<OutputFile>,
    /// Compare the words with those of this ELF file, with its load address if it is position-independent
    #[arg(long, value_name = "FILE[@ADDRESS]")]
    program: Option<Placed>,
    /// Add a shared library of the program, or bytes of code (FILE.bin), at its address; can be repeated
    #[arg(long, value_name = "FILE@ADDRESS", requires = "program")]
    image: Vec<Placed>,
    #[command(flatten)]
    code: CodeArguments,
    /// Set the width of the core's registers, where the digits of the addresses do not say it
    #[arg(long, value_name = "NAME")]
    isa: Option<IsaName>,
    /// Take the names of the core's signals from this file; a waveform (VCD, FST) needs it
    #[arg(long, value_name = "FILE.toml")]
    core: Option<Input>,
    /// Take the rows of this hart; without it, those of the first one in the log
    #[arg(long, value_name = "NUMBER")]
    hart: Option<u32>,
    /// Print JSON: an object with log, format, hart, rows, traceable, conventions (name, topic, text, rows, first: lines,
    /// or times of a waveform), settings (alignment, address_width, port, lanes, xlen, slack, compressed, trap, pins),
    /// advice and obstacles (convention, text), output, toml
    #[arg(long)]
    json: bool,
}

/// The instruction sets, as values of the option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum IsaName {
    Rv32,
    Rv64,
}

impl From<IsaName> for InstructionSet {
    fn from(name: IsaName) -> InstructionSet {
        match name {
            IsaName::Rv32 => InstructionSet::RV32,
            IsaName::Rv64 => InstructionSet::RV64,
        }
    }
}

#[derive(Serialize)]
struct Done {
    log: String,
    format: &'static str,
    hart: u32,
    rows: u64,
    traceable: bool,
    conventions: Vec<Shown>,
    settings: SettingsShown,
    advice: Vec<SentenceShown>,
    obstacles: Vec<SentenceShown>,
    output: Option<String>,
    toml: String,
}

#[derive(Serialize)]
struct Shown {
    name: &'static str,
    topic: &'static str,
    text: &'static str,
    rows: u64,
    first: Vec<u64>,
}

#[derive(Serialize)]
struct SettingsShown {
    alignment: u8,
    address_width: u32,
    port: &'static str,
    lanes: u32,
    xlen: u32,
    slack: Option<u32>,
    compressed: String,
    trap: String,
    pins: Vec<&'static str>,
}

#[derive(Serialize)]
struct SentenceShown {
    convention: Option<&'static str>,
    text: String,
}

/// Runs the command.
///
/// # Errors
/// When the log or the program is bad, the file cannot be written, or the port cannot be traced.
pub fn run(arguments: &Arguments) -> Result<()> {
    let checked = check(arguments)?;
    let toml = checked.report.settings.to_toml(UNIT);
    if let Some(output) = &arguments.output {
        let mut sink = output.create()?;
        sink.write_all(toml.as_bytes())?;
        sink.commit()?;
    }
    match arguments.json {
        true => print::json(&done(arguments, &checked, toml))?,
        false => show(arguments, &checked, &toml)?,
    }
    let obstacles: Vec<String> =
        checked.report.obstacles.iter().map(|obstacle| with_rows(&checked, obstacle)).collect();
    match obstacles.is_empty() {
        true => Ok(()),
        false => Err(anyhow!("{}: {}", arguments.log.display(), obstacles.join("; "))),
    }
}

fn check(arguments: &Arguments) -> Result<Checked> {
    let log = &arguments.log;
    let progress = events::progress_of([log], 1);
    let options = Options {
        program: program(arguments)?,
        instruction_set: arguments.isa.map(InstructionSet::from),
        hart: arguments.hart,
        core: arguments.core.as_ref().map(core_signals::load).transpose()?,
        hierarchy: core_signals::hierarchy(log)?,
        ..Options::default()
    };
    let checked = match log.is_stdin() {
        true => check_log(Box::new(progress.reader(std::io::stdin())), "<stdin>", &options),
        false => {
            let file = progress.reader(log.open()?);
            check_log(Box::new(file), &log.display().to_string(), &options)
        }
    };
    Ok(checked?)
}

/// The program that ran, if there is one.
fn program(arguments: &Arguments) -> Result<Option<Arc<Image>>> {
    let files: Vec<Placed> = arguments.program.iter().chain(&arguments.image).cloned().collect();
    match files.is_empty() {
        true => Ok(None),
        false => Ok(Some(Arc::new(program_files::image_of(files, arguments.code)?))),
    }
}

/// A sentence with the first row that shows it.
fn with_rows(checked: &Checked, sentence: &Sentence) -> String {
    let rows = sentence.convention.and_then(|convention| checked.report.found(convention));
    match rows.and_then(|rows| Some((rows.count, rows.first.first()?))) {
        Some((1, first)) => format!("{} ({} {first})", sentence.text, checked.places()),
        Some((rows, first)) => format!(
            "{} ({} rows, the first at {} {first})",
            sentence.text,
            grouped(rows),
            checked.places()
        ),
        None => sentence.text.clone(),
    }
}

fn port_name(settings: &Settings) -> &'static str {
    match settings.port {
        Kind::Rvfi => "rvfi",
        Kind::Retired => "retired",
    }
}

fn done(arguments: &Arguments, checked: &Checked, toml: String) -> Done {
    let report = &checked.report;
    let settings = &report.settings;
    let sentences = |all: &[Sentence]| {
        let shown = all.iter().map(|sentence| SentenceShown {
            convention: sentence.convention.map(|convention| convention.name()),
            text: sentence.text.clone(),
        });
        shown.collect()
    };
    let conventions =
        report.conventions.iter().map(|(convention, Evidence { count, first })| Shown {
            name: convention.name(),
            topic: convention.topic(),
            text: convention.text(),
            rows: *count,
            first: first.clone(),
        });
    Done {
        log: arguments.log.display().to_string(),
        format: checked.format.name(),
        hart: checked.hart,
        rows: report.rows,
        traceable: report.is_traceable(),
        conventions: conventions.collect(),
        settings: SettingsShown {
            alignment: settings.alignment,
            address_width: settings.address_width,
            port: port_name(settings),
            lanes: settings.lanes,
            xlen: settings.xlen,
            slack: settings.slack,
            compressed: settings.compressed.to_string(),
            trap: settings.trap.to_string(),
            pins: settings.pins.clone(),
        },
        advice: sentences(&report.advice),
        obstacles: sentences(&report.obstacles),
        output: arguments.output.as_ref().map(|output| output.display().to_string()),
        toml,
    }
}

fn show(arguments: &Arguments, checked: &Checked, toml: &str) -> Result<()> {
    let report = &checked.report;
    let first = format!("first {}s", checked.places());
    let mut conventions = Table::new(&["", "what the port shows", "rows", &first], 2).prose(1);
    for (convention, Evidence { count, first }) in &report.conventions {
        let first: Vec<String> = first.iter().map(u64::to_string).collect();
        let cells = [convention.topic(), convention.text()].map(str::to_owned);
        conventions.add_row(cells.into_iter().chain([grouped(*count), first.join(" ")]));
    }
    print::text(conventions.to_text())?;
    let mut sentences = format!(
        "{}: {} of {}",
        arguments.log.display(),
        counted(report.rows, "row"),
        checked.format
    );
    if checked.other_harts > 0 {
        sentences += &format!(
            ", of hart {}, without {} of other harts",
            checked.hart,
            counted(checked.other_harts, "row")
        );
    }
    sentences.push('\n');
    for advice in &report.advice {
        sentences += &format!("{}\n", with_rows(checked, advice));
    }
    if report.is_traceable() {
        sentences += match report.advice.is_empty() {
            true => "the port is as the adapter expects it\n",
            false => "with these settings the port can be traced\n",
        };
    }
    if let Some(line) = checked.cut_line {
        sentences += &format!("the waveform ends in the middle of a change, in line {line}\n");
    }
    print::text(table::sentences(&sentences))?;
    match &arguments.output {
        Some(output) => print::text(format_args!("{}: the unit\n", output.display())),
        None => print::text(format_args!("\n{toml}")),
    }
}
