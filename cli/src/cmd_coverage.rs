//! `tracewright coverage`: how much of every module the co-simulations exercise.

use std::fmt::Write;

use anyhow::{Result, anyhow};
use clap::Args;
use serde::Serialize;
use tracewright_testbench::coverage::Share;
use tracewright_verification::coverage::{self, Expected, Measured, Side};

use crate::pipeline::table::{self, Table};
use crate::pipeline::{count, print, progress};

/// Measure the coverage of the Verilog by co-simulation, for each kind of module
#[derive(Args)]
#[command(after_help = "\
Co-simulates designs of every scheme on synthetic programs, with models that record coverage.
Adds up by kind of module the lines that ran, the branches that were taken and the bits that
toggled. The second list has the branches that some design never took, with the reason. `make
coverage` writes docs/coverage.md.

Examples:
  tracewright coverage
  tracewright coverage --check --no-toggles")]
pub struct Arguments {
    /// Run every design of E-Trace on this many synthetic programs, and the others on half as many
    #[arg(long, value_name = "COUNT", default_value_t = 12, value_parser = count::at_least::<u64>(1))]
    programs: u64,
    /// Fail if a module is below the minimum, or a branch that is never taken has no reason
    #[arg(long)]
    check: bool,
    /// Count lines and branches only; toggles are most of the work
    #[arg(long)]
    no_toggles: bool,
    /// Print Markdown instead
    #[arg(long)]
    markdown: bool,
    /// Print JSON: an object with modules (module, and of lines, branches and toggles each covered and
    /// all) and untaken (module, code, side, copies, reason)
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
}

#[derive(Serialize)]
struct Shown<'a> {
    modules: Vec<ShownModule<'a>>,
    untaken: Vec<Untaken<'a>>,
}

#[derive(Serialize)]
struct ShownModule<'a> {
    module: &'a str,
    lines: ShownShare,
    branches: ShownShare,
    toggles: ShownShare,
}

#[derive(Serialize)]
struct ShownShare {
    covered: u64,
    all: u64,
}

#[derive(Serialize)]
struct Untaken<'a> {
    module: &'a str,
    code: &'a str,
    side: &'a str,
    copies: u64,
    reason: Option<&'a str>,
}

/// Runs the command.
///
/// # Errors
/// When a tool is missing, a run fails, or less is covered than expected.
pub fn run(arguments: &Arguments) -> Result<()> {
    let expected = Expected::load()?;
    let progress = progress::bar(arguments.programs * coverage::designs(), "runs");
    let measured = coverage::measure(arguments.programs, !arguments.no_toggles, &progress)?;
    drop(progress);
    let untaken: Vec<Untaken<'_>> = measured
        .untaken
        .iter()
        .map(|(side, copies)| {
            let Side { module, code, side: of } = side;
            let reason = expected.reason(side);
            Untaken { module, code, side: of, copies: *copies, reason }
        })
        .collect();
    if arguments.json {
        print::json(&Shown { modules: modules(&measured), untaken })?;
    } else if arguments.markdown {
        print::text(markdown(&measured, &untaken))?;
    } else {
        print::text(table(&measured) + &table::sentences(&list(&untaken)))?;
    }
    match expected.shortfall(&measured).filter(|_| arguments.check) {
        None => Ok(()),
        Some(shortfall) => Err(anyhow!("{} programs: {shortfall}", arguments.programs)),
    }
}

fn modules(measured: &Measured) -> Vec<ShownModule<'_>> {
    let share = |Share { covered, all }| ShownShare { covered, all };
    measured
        .modules
        .iter()
        .map(|(module, summary)| ShownModule {
            module,
            lines: share(summary.lines),
            branches: share(summary.branches),
            toggles: share(summary.toggles),
        })
        .collect()
}

/// A share as two cells.
fn cells(share: Share) -> [String; 2] {
    if share.all == 0 {
        return ["-".into(), String::new()];
    }
    [format!("{} of {}", share.covered, share.all), format!("{:.1} %", share.percent())]
}

fn table(measured: &Measured) -> String {
    let mut table = Table::new(&["module", "lines", "", "branches", "", "toggles", ""], 1);
    for (module, summary) in &measured.modules {
        let shares = [summary.lines, summary.branches, summary.toggles].map(cells);
        table.add_row([module.clone()].into_iter().chain(shares.into_iter().flatten()));
    }
    table.to_text()
}

fn list(untaken: &[Untaken<'_>]) -> String {
    let mut text = String::new();
    for Untaken { module, code, side, copies, reason } in untaken {
        let reason = reason.unwrap_or("no reason given");
        let _ = writeln!(text, "\n{module}, {copies} times, never {side}: {code}\n  {reason}");
    }
    text
}

fn markdown(measured: &Measured, untaken: &[Untaken<'_>]) -> String {
    let mut text = String::from(INTRODUCTION);
    for (module, summary) in &measured.modules {
        let _ = write!(text, "| `{module}` ");
        for share in [summary.lines, summary.branches, summary.toggles] {
            let [count, percent] = cells(share);
            let _ = write!(text, "| {count} | {percent} ");
        }
        text.push_str("|\n");
    }
    text.push_str("\n## Branches that are never taken\n\n");
    text.push_str("| module | decision | never | copies | reason |\n|---|---|---|---:|---|\n");
    for Untaken { module, code, side, copies, reason } in untaken {
        let (code, reason) = (code.replace('|', "\\|"), reason.unwrap_or("no reason given"));
        let _ = writeln!(text, "| `{module}` | `{code}` | {side} | {copies} | {reason} |");
    }
    text
}

const INTRODUCTION: &str = "\
# Coverage

This page has the coverage of the Verilog by co-simulation. `tracewright coverage --markdown` prints it
(`make coverage`). Designs of every scheme, with short counters that reach their limits,
run six synthetic programs each, those of E-Trace twelve, with and without stalls, pauses and flushes. The table counts the lines
that ran, the branches that were taken and the bits that toggled, for every kind of module and all designs
together. The regression covers more. For every kind of module `make test` requires a minimum of lines and
branches, and `make coverage` one of toggles too; every branch that is never taken needs a reason (all of it is in
`verification/src/coverage/expected.toml`).

A bit that never toggles is an upper bit of a wide number that these programs do not reach. Models
that record coverage are Verilated without splitting blocks, because Verilator 5.006 otherwise counts some
branches by values that are assigned only after them.

| module | lines | | branches | | toggles | |
|---|---:|---:|---:|---:|---:|---:|
";
