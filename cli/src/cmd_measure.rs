//! `tracewright measure`: bits per instruction, field by field.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::pipeline::design::{self, Changes};
use crate::pipeline::measure::{self, Measured};
use crate::pipeline::print::{self, grouped, ratio};

/// Measure bits per instruction of designs on traces
#[derive(Args)]
#[command(after_help = "\
Padding is not counted. The output FIFO is the design's, drained by its port at one instruction a
clock and core, in the order of the trace; needed are the bits it would hold if it had no limit and nothing stalled. Co-simulation tells
what the hardware really does.

Examples:
  tracewright measure --design traptor-m4 run.pet.zst
  tracewright measure --design traptor-s1,traptor-m4,traptor-b4 workloads/*.pet.zst --json")]
pub struct Arguments {
    /// Presets or TOML files
    #[arg(long = "design", value_name = "DESIGN", value_delimiter = ',', required = true)]
    designs: Vec<String>,
    /// Traces
    #[arg(value_name = "TRACE", required = true)]
    traces: Vec<PathBuf>,
    #[command(flatten)]
    changes: Changes,
    /// Print JSON: an array of objects with design, trace, events, accesses, instructions, bits,
    /// bits_per_instruction, records, fields, fifo_high_water_bits, fifo_needed_bits, stall_cycles
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// When a design or a trace is bad, or they do not fit.
pub fn run(arguments: &Arguments) -> Result<()> {
    let designs = design::load_all(&arguments.designs, &arguments.changes)?;
    let measured = measure::all(&designs, &arguments.traces)?;
    if arguments.json {
        return print::json(&measured);
    }
    print::text(table(&measured, arguments.traces.len()))
}

/// The measurements and, for several traces, the sum of every design, weighted by instructions.
fn table(measured: &[Measured], traces: usize) -> String {
    let mut fields: Vec<&str> = Vec::new();
    for name in measured.iter().flat_map(|one| one.fields.keys()) {
        if !fields.contains(&name.as_str()) {
            fields.push(name);
        }
    }
    let mut header = vec!["design", "trace", "instructions", "bits", "bits/instruction", "records"];
    header.extend(&fields);
    header.extend(["FIFO high water", "FIFO needed", "stall cycles"]);
    let mut table = print::table(&header, 2);
    for of_design in measured.chunks(traces.max(1)) {
        for one in of_design {
            table.add_row(row(&one.trace, &[one], &fields));
        }
        if of_design.len() > 1 {
            table.add_row(row("total", &of_design.iter().collect::<Vec<_>>(), &fields));
        }
    }
    print::trimmed(&table)
}

fn row(label: &str, measured: &[&Measured], fields: &[&str]) -> Vec<String> {
    let sum =
        |of: fn(&Measured) -> u64| measured.iter().map(|one| of(one)).fold(0, u64::saturating_add);
    let (instructions, bits) = (sum(|one| one.instructions), sum(|one| one.bits));
    let mut row = vec![
        measured.first().map_or(String::new(), |one| one.design.clone()),
        label.into(),
        grouped(instructions),
        grouped(bits),
        format!("{:.4}", ratio(bits, instructions)),
        grouped(sum(|one| one.records)),
    ];
    for field in fields {
        let of_field = measured.iter().filter_map(|one| one.fields.get(*field)?.as_u64());
        row.push(grouped(of_field.sum()));
    }
    let most = |of: fn(&Measured) -> u64| measured.iter().map(|one| of(one)).max().unwrap_or(0);
    row.push(grouped(most(|one| one.fifo_high_water_bits)));
    row.push(grouped(most(|one| one.fifo_needed_bits)));
    row.push(grouped(sum(|one| one.stall_cycles)));
    row
}
