//! The report on a terminal: a table with bars.

use tracewright_report::data::Report;
use tracewright_report::figures::{grouped, longest_of_scale, ratio};

use crate::pipeline::table::{self, Table};

/// Characters of the longest bar.
const BAR: f64 = 12.0;

const NOTE: &str = "\
GE: gate equivalents, a two-input NAND is 1, memories {per_bit} per bit{bars}. Estimate: the papers' rule.
* no other design has both fewer gates and fewer bits per instruction.";

/// What the parts of the bars are, where there are bars.
const BARS: &str = "; █ memories, ░ logic, » far larger";

/// The table.
pub fn table(report: &Report) -> String {
    let header = [
        "design",
        "gates",
        "total GE",
        "logic GE",
        "memory bits",
        "estimate",
        "printed",
        "total/printed",
        "bits/instruction",
    ];
    let mut table = Table::new(&header, 2).spare(1);
    let totals: Vec<f64> = report.designs.iter().map(|design| design.gates.total_ge).collect();
    let most = longest_of_scale(&totals).max(1.0);
    for design in &report.designs {
        let gates = &design.gates;
        let printed = design.paper_gates.map(f64::from);
        let number = |value: f64| grouped(value.round() as u64);
        table.add_row([
            format!("{}{}", design.design, if design.is_on_front { " *" } else { "" }),
            bar(gates.storage_ge / most, gates.total_ge / most),
            number(gates.total_ge),
            number(gates.logic_ge),
            grouped(gates.storage_bits),
            grouped(design.estimated_gates.into()),
            printed.map_or("-".into(), number),
            printed.map_or("-".into(), |printed| ratio(gates.total_ge / printed)),
            design.bits_per_instruction.map_or("-".into(), |bits| format!("{bits:.4}")),
        ]);
    }
    let routed = models(report) + &fpga(report);
    if report.designs.is_empty() {
        return routed.trim_start_matches('\n').to_owned();
    }
    let per_bit = report.designs.first().map_or(0.0, |design| design.gates.storage_ge_per_bit);
    let text = table.to_text();
    let bars = if text.contains(['█', '░']) { BARS } else { "" };
    let note = NOTE.replace("{per_bit}", &per_bit.to_string()).replace("{bars}", bars);
    format!("{text}\n{}{routed}", table::sentences(&note))
}

/// The table of predictors without hardware; empty if there are none.
fn models(report: &Report) -> String {
    let header = ["model only", "memory bits", "estimate", "bits/instruction"];
    let mut table = Table::new(&header, 1);
    for model in &report.models {
        table.add_row([
            model.name.clone(),
            grouped(model.storage_bits),
            model.estimated_gates.map_or("-".into(), |gates| grouped(gates.into())),
            model.bits_per_instruction.map_or("-".into(), |bits| format!("{bits:.4}")),
        ]);
    }
    match table.is_empty() {
        true => String::new(),
        false => format!("\n{}", table.to_text()),
    }
}

/// The table of FPGA results; empty if there are none.
fn fpga(report: &Report) -> String {
    let header = ["design", "family", "LUTs", "flip-flops", "block RAMs", "highest clock, MHz"];
    let mut table = Table::new(&header, 2);
    for fpga in report.designs.iter().flat_map(|design| &design.fpga) {
        table.add_row([
            fpga.design.clone(),
            fpga.family.clone(),
            grouped(fpga.luts),
            grouped(fpga.flip_flops),
            grouped(fpga.block_rams),
            fpga.fmax_mhz.map_or("does not fit".into(), |fmax| format!("{fmax:.1}")),
        ]);
    }
    match table.is_empty() {
        true => String::new(),
        false => format!("\n{}", table.to_text()),
    }
}

/// A bar of two parts, from the lengths of the first and of both relative to the longest; cut off if longer.
fn bar(first: f64, both: f64) -> String {
    let characters = |part: f64| (part.min(1.0) * BAR).round() as usize;
    let (first, both, cut) = (characters(first), characters(both), both > 1.0);
    let rest = "░".repeat(both - first);
    format!("{}{rest}{}", "█".repeat(first), if cut { "»" } else { "" })
}
