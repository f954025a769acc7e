//! `tracewright coverage`: how much of every module the co-simulations exercise.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use serde::{Deserialize, Serialize};
use tracewright_testbench::coverage::Share;

use crate::pipeline::coverage::{Measured, Side, measure};
use crate::pipeline::print;

/// The least coverage required, and the reasons for branches that are never taken.
const EXPECTED: &str = include_str!("coverage.toml");

/// Measure the coverage of the Verilog by co-simulation, for each kind of module
#[derive(Args)]
#[command(after_help = "\
Co-simulates designs of every scheme on synthetic programs, with models that record coverage.
Adds up by kind of module the lines that ran, the branches that were taken and the bits that
toggled. The second list has the branches that some design never took, with the reason. `make
coverage` writes docs/coverage.md.

Examples:
  tracewright coverage
  tracewright coverage --check")]
pub struct Arguments {
    /// Run every design on this many synthetic programs
    #[arg(long, value_name = "COUNT", default_value_t = 6, value_parser = clap::value_parser!(u64).range(1..))]
    programs: u64,
    /// Fail if a module is below the minimum, or a branch that is never taken has no reason
    #[arg(long)]
    check: bool,
    /// Print Markdown instead
    #[arg(long)]
    markdown: bool,
    /// Print JSON: an object with modules (module, and of lines, branches and toggles each covered and
    /// all) and untaken (module, code, side, copies, reason)
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
}

#[derive(Deserialize)]
struct Expected {
    floor: BTreeMap<String, f64>,
    #[serde(default)]
    untaken: Vec<Explained>,
}

#[derive(Deserialize)]
struct Explained {
    module: String,
    code: String,
    side: String,
    reason: String,
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
    let expected: Expected = toml::from_str(EXPECTED).context("coverage.toml")?;
    let measured = measure(arguments.programs)?;
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
        print::text(format_args!("{}{}", table(&measured), list(&untaken)))?;
    }
    if arguments.check { check(&expected, &measured, arguments.programs) } else { Ok(()) }
}

impl Expected {
    fn reason(&self, side: &Side) -> Option<&str> {
        let explains = |explained: &&Explained| {
            explained.module == side.module
                && explained.side == side.side
                && side.code.contains(&explained.code)
        };
        self.untaken.iter().find(explains).map(|explained| explained.reason.as_str())
    }
}

/// Fails with the first module or branch that is not as expected.
fn check(expected: &Expected, measured: &Measured, programs: u64) -> Result<()> {
    for (module, summary) in &measured.modules {
        let shares = [
            ("lines", summary.lines),
            ("branches", summary.branches),
            ("toggles", summary.toggles),
        ];
        for (what, share) in shares {
            let floor = expected.floor.get(what).copied().unwrap_or_default();
            if share.percent() < floor {
                let percent = share.percent();
                return Err(anyhow!(
                    "{module}: {percent:.1} % of {what} covered, expected {floor} %"
                ));
            }
        }
    }
    let unexplained = |side: &&Side| expected.reason(side).is_none();
    match measured.untaken.keys().find(unexplained) {
        None => Ok(()),
        Some(Side { module, code, side }) => Err(anyhow!(
            "{module}: {programs} programs never take the branch `{side}` of `{code}`; give the reason in cli/src/coverage.toml"
        )),
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
    let mut table = print::table(&["module", "lines", "", "branches", "", "toggles", ""], 1);
    for (module, summary) in &measured.modules {
        let shares = [summary.lines, summary.branches, summary.toggles].map(cells);
        table.add_row([module.clone()].into_iter().chain(shares.into_iter().flatten()));
    }
    print::trimmed(&table)
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
(`make coverage`). Thirteen designs, some of every scheme, with short counters that reach their limits,
run six synthetic programs each, with and without stalls, pauses and flushes. The table counts the lines
that ran, the branches that were taken and the bits that toggled, for every kind of module and all designs
together. The regression covers more. `make test` requires a minimum for every kind of module, and a reason
for every branch that is never taken (both are in `cli/src/coverage.toml`).

A bit that never toggles is an upper bit of a wide number that these programs do not reach. Models
that record coverage are Verilated without splitting blocks, because Verilator 5.006 otherwise counts some
branches by values that are assigned only after them.

| module | lines | | branches | | toggles | |
|---|---:|---:|---:|---:|---:|---:|
";
