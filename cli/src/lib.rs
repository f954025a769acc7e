//! The `tracewright` command: one file for each subcommand, over one `pipeline`.

mod cmd_adversary;
mod cmd_advise;
mod cmd_capture;
mod cmd_combine;
mod cmd_compare;
mod cmd_cosim;
mod cmd_coverage;
mod cmd_debug;
mod cmd_decode;
mod cmd_designs;
mod cmd_encode;
mod cmd_explore;
mod cmd_fit_talon;
mod cmd_fpga;
mod cmd_funnel;
mod cmd_gates;
mod cmd_generate;
mod cmd_live;
mod cmd_manual;
mod cmd_measure;
mod cmd_merge;
mod cmd_port_check;
mod cmd_power;
mod cmd_profile;
mod cmd_regress;
mod cmd_report;
mod cmd_reproduce;
mod cmd_trace;
mod cmd_view;
mod cmd_wset;
mod pipeline;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use pipeline::failure;
use pipeline::help;
use pipeline::limits::Limits;
use pipeline::memory;
use pipeline::nearest;
use pipeline::paths;

pub use pipeline::memory::Counted;
pub use pipeline::paths::{Input, OutputFile, OutputFolder};
pub use pipeline::predictors::Predictors;

/// Predictors without hardware: what a program of one's own brings to the command.
pub use tracewright_comparators::predictor;

/// What the Python package has of the command: designs and programs as arguments name them, how traces
/// are written, and the sentences of errors.
pub mod library {
    pub use crate::pipeline::core_signals::load as load_core_signals;
    pub use crate::pipeline::design::{Changes, load as load_design};
    pub use crate::pipeline::failure::sentence;
    pub use crate::pipeline::format::{Form, form_by_name, form_named};
    pub use crate::pipeline::output::Output;
    pub use crate::pipeline::paths::Input;
    pub use crate::pipeline::program_files::{CodeArguments, image_of, image_of_list};
    pub use crate::pipeline::trace_output::TraceOutput;
}

/// Generate, simulate and measure hardware that traces a processor; encode and decode its traces
#[derive(Parser)]
#[command(name = "tracewright", version, max_term_width = 100, after_help = EXIT_STATUS)]
struct Arguments {
    #[command(flatten)]
    limits: Limits,
    #[command(subcommand)]
    command: Command,
}

const EXIT_STATUS: &str = "\
Exit status: 0 for success; 1 if a check failed, if a file is missing, damaged or does not match, or if a limit is
reached; 2 for bad arguments; 3 if a trace was decoded but has gaps; 130 after an interrupt (Ctrl-C) and 143 after
SIGTERM, which leave nothing behind.";

#[derive(Subcommand)]
enum Command {
    Advise(Box<cmd_advise::Arguments>),
    Designs(cmd_designs::Arguments),
    Generate(cmd_generate::Arguments),
    Capture(cmd_capture::Arguments),
    Encode(cmd_encode::Arguments),
    Decode(cmd_decode::Arguments),
    Measure(cmd_measure::Arguments),
    Compare(cmd_compare::Arguments),
    Cosim(Box<cmd_cosim::Arguments>),
    Live(cmd_live::Arguments),
    Funnel(cmd_funnel::Arguments),
    #[command(subcommand)]
    Combine(cmd_combine::Command),
    Gates(cmd_gates::Arguments),
    Fpga(cmd_fpga::Arguments),
    Explore(cmd_explore::Arguments),
    FitTalon(cmd_fit_talon::Arguments),
    Adversary(cmd_adversary::Arguments),
    Merge(cmd_merge::Arguments),
    Regress(cmd_regress::Arguments),
    Report(cmd_report::Arguments),
    Reproduce(cmd_reproduce::Arguments),
    Coverage(cmd_coverage::Arguments),
    View(Box<cmd_view::Arguments>),
    Profile(Box<cmd_profile::Arguments>),
    Debug(Box<cmd_debug::Arguments>),
    #[command(subcommand)]
    Trace(cmd_trace::Command),
    PortCheck(cmd_port_check::Arguments),
    Power(cmd_power::Arguments),
    #[command(subcommand)]
    Wset(cmd_wset::Command),
    Manual(cmd_manual::Arguments),
}

/// All commands with their options.
pub fn command() -> clap::Command {
    help::reflowed(Arguments::command())
}

/// Runs the command that the arguments of the process name.
pub fn main() -> ExitCode {
    main_with(Vec::new())
}

/// The same with predictors without hardware, which `measure`, `compare` and `report` know by their names.
pub fn main_with(predictors: Vec<predictor::Model>) -> ExitCode {
    ExitCode::from(run(std::env::args_os().collect(), &predictors.into()))
}

/// Runs the command that the arguments name, the first of which is the program, and gives the exit status.
pub fn run(arguments: Vec<OsString>, predictors: &Predictors) -> u8 {
    let mut command = command();
    let parsed = command.try_get_matches_from_mut(&arguments).and_then(|matches| {
        let parsed = Arguments::from_arg_matches(&matches);
        Ok((parsed.map_err(|error| error.format(&mut command))?, matches))
    });
    let (parsed, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) if error.kind() == ErrorKind::InvalidUtf8 => {
            let _ = writeln!(std::io::stderr(), "error: {}", not_text(&arguments));
            return failure::USAGE;
        }
        Err(error) => {
            // Nothing can be reported if the reader of the help has closed the pipe.
            let _ = error.print();
            return if error.use_stderr() { failure::USAGE } else { 0 };
        }
    };
    let done = tracewright_interrupt::handle(memory::report)
        .context("cannot handle signals")
        .and_then(|()| paths::declare(&command, &matches))
        .and_then(|()| run_parsed(parsed, predictors));
    // A command that is being interrupted has nothing to report, and waits here for its end.
    memory::finish();
    tracewright_interrupt::finish();
    match done {
        Ok(()) => 0,
        Err(error) if failure::is_closed_pipe(&error) => 0,
        Err(error) => {
            let _ = writeln!(
                std::io::stderr(),
                "{}: {}",
                failure::heading(&error),
                nearest::named(failure::sentence(&error), &paths::inputs())
            );
            failure::exit_status(&error)
        }
    }
}

/// Names the argument that should be text and is none.
fn not_text(arguments: &[OsString]) -> String {
    let found = arguments.iter().enumerate().find(|(_, word)| word.to_str().is_none());
    let (place, word) = found.map_or((0, OsString::new()), |(place, word)| (place, word.clone()));
    format!(
        "argument {place}, {word:?}: expected text in UTF-8; only names of files can have other bytes"
    )
}

fn run_parsed(arguments: Arguments, predictors: &Predictors) -> Result<()> {
    arguments.limits.enforce();
    match arguments.command {
        Command::Advise(arguments) => cmd_advise::run(&arguments),
        Command::Designs(arguments) => cmd_designs::run(&arguments),
        Command::Generate(arguments) => cmd_generate::run(&arguments),
        Command::Capture(arguments) => {
            cmd_capture::run(&arguments).map_err(cmd_wset::board::of_capture)
        }
        Command::Encode(arguments) => cmd_encode::run(&arguments),
        Command::Decode(arguments) => cmd_decode::run(&arguments),
        Command::Measure(arguments) => cmd_measure::run(&arguments, predictors),
        Command::Combine(command) => cmd_combine::run(&command),
        Command::Compare(arguments) => cmd_compare::run(&arguments, predictors),
        Command::Cosim(arguments) => cmd_cosim::run(&arguments),
        Command::Live(arguments) => cmd_live::run(&arguments),
        Command::Fpga(arguments) => cmd_fpga::run(&arguments),
        Command::Funnel(arguments) => cmd_funnel::run(&arguments),
        Command::Gates(arguments) => cmd_gates::run(&arguments),
        Command::Explore(arguments) => cmd_explore::run(&arguments, predictors),
        Command::FitTalon(arguments) => cmd_fit_talon::run(&arguments),
        Command::Adversary(arguments) => cmd_adversary::run(&arguments),
        Command::Merge(arguments) => cmd_merge::run(&arguments),
        Command::Regress(arguments) => cmd_regress::run(&arguments),
        Command::Report(arguments) => cmd_report::run(&arguments, predictors),
        Command::Reproduce(arguments) => cmd_reproduce::run(&arguments),
        Command::Coverage(arguments) => cmd_coverage::run(&arguments),
        Command::View(arguments) => cmd_view::run(&arguments),
        Command::Profile(arguments) => cmd_profile::run(&arguments),
        Command::Debug(arguments) => cmd_debug::run(&arguments),
        Command::Trace(command) => cmd_trace::run(&command),
        Command::Power(arguments) => cmd_power::run(&arguments),
        Command::PortCheck(arguments) => cmd_port_check::run(&arguments),
        Command::Wset(command) => cmd_wset::run(&command),
        Command::Manual(manual) => cmd_manual::run(&manual, command()),
    }
}
