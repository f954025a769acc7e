//! `tracewright coverage`: what of every module the co-simulations exercise.

use anyhow::Result;
use clap::Args;
use tracewright_testbench::coverage::Share;

use crate::pipeline::coverage::{Measured, measure};
use crate::pipeline::print;

/// Measure what of the Verilog is exercised, by module
#[derive(Args)]
pub struct Arguments {
    /// Synthetic programs for every design
    #[arg(long, value_name = "COUNT", default_value_t = 12)]
    programs: u64,
}

/// Runs the command.
///
/// # Errors
/// When a tool is missing or a run fails.
pub fn run(arguments: &Arguments) -> Result<()> {
    let measured = measure(arguments.programs)?;
    print::text(table(&measured))?;
    for (side, count) in &measured.untaken {
        print::text(format_args!("{} | {} | {} | {count}\n", side.module, side.code, side.side))?;
    }
    Ok(())
}

fn table(measured: &Measured) -> String {
    let mut table = print::table(&["module", "lines", "", "branches", "", "toggles", ""], 1);
    let cells = |share: Share| {
        [format!("{}/{}", share.covered, share.all), format!("{:.1} %", share.percent())]
    };
    for (module, summary) in &measured.modules {
        let shares = [summary.lines, summary.branches, summary.toggles].map(cells);
        table.add_row([module.clone()].into_iter().chain(shares.into_iter().flatten()));
    }
    print::trimmed(&table)
}
