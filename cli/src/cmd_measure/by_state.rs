//! `tracewright measure --by`: bits of each privilege level or context.

use anyhow::Result;
use tracewright_sim::scheme::Design;
use tracewright_verification::measurement::{self, OfState};

use super::{Arguments, By};
use crate::pipeline::print::{self, grouped, ratio};
use crate::pipeline::table::Table;
use crate::pipeline::{addresses, events, limits};

/// Measures and prints.
///
/// # Errors
/// When a trace is bad, has no states, or a design cannot trace it.
pub fn run(designs: &[Design], arguments: &Arguments, by: By) -> Result<()> {
    let traces = &arguments.traces;
    events::rereadable(traces)?;
    let progress = events::progress_of(traces, 2);
    let mut measured = Vec::new();
    for trace in traces {
        let by = match by {
            By::Privilege => measurement::By::Privilege,
            By::Context => measurement::By::Context,
        };
        let (states, seen) =
            measurement::by_state(designs, trace, by, limits::events(), &progress)?;
        addresses::note(trace, "measured with", designs, &seen);
        measured.extend(states);
    }
    if arguments.json {
        return print::json(&measured);
    }
    print::text(table(&measured, by))
}

/// A table of each design on each trace: the states with most bits first, and their sum.
fn table(measured: &[OfState], by: By) -> String {
    let name = match by {
        By::Privilege => "privilege",
        By::Context => "context",
    };
    let mut table = Table::new(
        &[
            "design",
            "trace",
            name,
            "instructions",
            "share",
            "bits",
            "share",
            "bits/instruction",
            "apart",
        ],
        3,
    )
    .named_by(3);
    let of_run =
        |one: &OfState, other: &OfState| (&one.design, &one.trace) == (&other.design, &other.trace);
    for run in measured.chunk_by(of_run) {
        let sum = |of: fn(&OfState) -> u64| run.iter().map(of).fold(0, u64::saturating_add);
        let (instructions, bits) = (sum(|one| one.instructions), sum(|one| one.bits));
        let share = |part: u64, of: u64| format!("{:.1} %", 100.0 * ratio(part, of));
        let mut row = |label: String, of: [u64; 3]| {
            table.add_row([
                run[0].design.clone(),
                run[0].trace.clone(),
                label,
                grouped(of[0]),
                share(of[0], instructions),
                grouped(of[1]),
                share(of[1], bits),
                format!("{:.4}", ratio(of[1], of[0])),
                format!("{:.4}", ratio(of[2], of[0])),
            ]);
        };
        let mut by_bits: Vec<&OfState> = run.iter().collect();
        by_bits.sort_by_key(|one| std::cmp::Reverse(one.bits));
        for one in by_bits {
            let label = match (one.state, by) {
                (None, _) => "-".to_owned(),
                (Some(state), By::Privilege) => state.to_string(),
                (Some(state), By::Context) => format!("{state:#x}"),
            };
            row(label, [one.instructions, one.bits, one.bits_apart]);
        }
        row("all".to_owned(), [instructions, bits, sum(|one| one.bits_apart)]);
    }
    table.to_text()
}
