//! `docs/gate_figures.md`: the papers' figures beside the papers' own rule and beside synthesis.

use std::fmt::Write;

use tracewright_sim::estimate;
use tracewright_sim::scheme::{Design, DesignError};

use crate::figures::{grouped, ratio};
use crate::papers::{self, Memories, PrintedGates, PrintedStorage, Setting};

const INTRODUCTION: &str = include_str!("../templates/gate_figures.md");

/// The beginning of the line that names the Yosys version.
const MADE_BY: &str = "Synthesized by ";

/// Number of cells at the end of a row that depend on synthesis.
const SYNTHESIZED_CELLS: usize = 4;

/// The logic and the storage of a design, in gate equivalents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Synthesized {
    /// GE of the logic, registers included.
    pub logic_ge: f64,
    /// GE of the memories.
    pub storage_ge: f64,
}

/// What is shown beside other modules, in gate equivalents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Own {
    /// GE of the logic and of the memories.
    pub total_ge: f64,
    /// GE of the logic and of memories made of flip-flops.
    pub flip_flop_implementation_ge: f64,
}

/// Designs that are shown beside other modules.
const OWN: [&str; 2] = ["traptor-m4", "traptor-lean"];

/// The designs with printed gates, in the order of [`papers::GATES`].
///
/// # Errors
/// Never with the existing presets.
pub fn printed() -> Result<Vec<Design>, DesignError> {
    papers::GATES.iter().map(|printed| design(printed.design, printed.settings)).collect()
}

/// The designs that are shown beside other modules.
///
/// # Errors
/// Never with the existing presets.
pub fn own() -> Result<Vec<Design>, DesignError> {
    OWN.iter().map(|name| design(name, &[])).collect()
}

/// The page, with the figures of synthesis by `yosys` for [`printed`] and [`own`].
///
/// # Errors
/// Never with the existing presets.
pub fn page(yosys: &str, synthesized: &[Synthesized], own: &[Own]) -> Result<String, DesignError> {
    let mut text = String::from(INTRODUCTION);
    let _ = write!(
        text,
        "\n## Gates\n\n{MADE_BY}{yosys}. Logic is in gate equivalents (a two-input NAND is 1), registers\n\
         included; a bit of memory counts as 1.5. Ratios are to the printed figure.\n\n\
         | paper | place | design | here | printed | estimate | ratio | logic | memories | total | ratio |\n\
         |---|---|---|---|--:|--:|--:|--:|--:|--:|--:|\n"
    );
    for (printed, synthesized) in papers::GATES.iter().zip(synthesized) {
        gates(&mut text, printed, *synthesized)?;
    }
    text += "\n## Storage\n\n\
             *Estimate* is what the rule counts, in bits. What a design here stores, instance by instance, is listed by\n\
             `tracewright designs NAME`.\n";
    for table in &papers::STORAGE {
        storage(&mut text, table)?;
    }
    others(&mut text, own);
    text += "\n## Printed bandwidth\n\n\
             The figures are averages over benchmarks, weighted by instructions: MiBench on ARM (papers A, B, C), Splash2 on\n\
             IA-32 (paper E). `tracewright report` measures the designs here and plots them beside these.\n\n\
             | paper | place | design | here | bits/instruction |\n|---|---|---|---|--:|\n";
    for printed in &papers::BANDWIDTH {
        let here = printed.design.map_or("-".into(), |design| format!("`{design}`"));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {here} | {} |",
            printed.paper, printed.place, printed.name, printed.bits_per_instruction
        );
    }
    Ok(text)
}

/// Modules of others beside our own, each with its memories counted in one way or both.
fn others(text: &mut String, own: &[Own]) {
    *text += "\n## Other modules\n\n\
              Gates with memories at 1.5 per bit and gates with memories made of flip-flops are different units: only figures\n\
              of one column can be compared. A figure that was neither measured nor printed is `-`.\n\n\
              | module | memories at 1.5 per bit | memories of flip-flops | bits/instruction | source |\n\
              |---|--:|--:|--:|---|\n";
    let gates = |gates: f64| grouped(gates.round() as u64);
    for (name, own) in OWN.iter().zip(own) {
        let dense = gates(own.total_ge);
        let flip_flops = gates(own.flip_flop_implementation_ge);
        let _ = writeln!(
            text,
            "| `{name}` | {dense} | {flip_flops} | - | measured: `tracewright gates {name}` |"
        );
    }
    for peer in &papers::PEERS {
        let bits = peer.bits_per_instruction.map_or("-".into(), |bits| bits.to_string());
        let found = gates(peer.gates.into());
        let (dense, flip_flops) = match peer.memories {
            Memories::Dense => (found, String::from("-")),
            Memories::FlipFlops => (String::from("-"), found),
        };
        let (name, source) = (peer.name, peer.source);
        let _ = writeln!(text, "| {name} | {dense} | {flip_flops} | {bits} | {source} |");
    }
}

/// The version of Yosys that a page names.
pub fn yosys_of(page: &str) -> Option<&str> {
    let line = page.lines().find_map(|line| line.strip_prefix(MADE_BY))?;
    line.split_once(". ").map(|(yosys, _)| yosys)
}

/// The page without the parts that depend on the version of Yosys.
pub fn without_synthesis(page: &str) -> String {
    let mut text = String::new();
    let mut in_gates = false;
    for line in page.lines() {
        in_gates = if line.starts_with("## ") { line == "## Gates" } else { in_gates };
        if in_gates && line.starts_with('|') {
            let cells: Vec<_> = line.trim_end_matches('|').split('|').collect();
            text += &cells[..cells.len().saturating_sub(SYNTHESIZED_CELLS)].join("|");
        } else if let Some(own) = OWN.iter().find(|own| line.starts_with(&format!("| `{own}` | ")))
        {
            text += own;
        } else if !line.starts_with(MADE_BY) {
            text += line;
        }
        text += "\n";
    }
    text
}

fn design(name: &str, settings: &[Setting]) -> Result<Design, DesignError> {
    let mut design = Design::preset(name)?;
    for (key, value) in settings {
        design.set(key, value)?;
    }
    design.validate()?;
    Ok(design)
}

/// A design's name with its settings.
fn named(name: &str, settings: &[Setting]) -> String {
    let set = settings.iter().map(|(key, value)| format!(" `{key}={value}`"));
    format!("`{name}`{}", set.collect::<String>())
}

fn gates(
    text: &mut String,
    printed: &PrintedGates,
    synthesized: Synthesized,
) -> Result<(), DesignError> {
    let estimate = design(printed.design, printed.settings)?.estimated_gates();
    let Synthesized { logic_ge, storage_ge } = synthesized;
    let total = logic_ge + storage_ge;
    let paper = f64::from(printed.gates);
    let about = if printed.rounded_to > 1 { "~" } else { "" };
    let _ = writeln!(
        text,
        "| {} | {} | {} | {} | {about}{} | {} | {} | {} | {} | {} | {} |",
        printed.paper,
        printed.place,
        printed.name,
        named(printed.design, printed.settings),
        grouped(printed.gates.into()),
        grouped(estimate.into()),
        ratio(f64::from(estimate) / paper),
        grouped(logic_ge.round() as u64),
        grouped(storage_ge.round() as u64),
        grouped(total.round() as u64),
        ratio(total / paper),
    );
    Ok(())
}

fn storage(text: &mut String, table: &PrintedStorage) -> Result<(), DesignError> {
    let _ = write!(
        text,
        "\n### Paper {}, {}: {}\n\n\
         | component | counted | here | printed bytes | estimate bytes | estimate |\n\
         |---|---|---|--:|--:|--:|\n",
        table.paper, table.place, table.title
    );
    let mut total = 0;
    for line in table.lines {
        let design = design(line.design, line.settings)?;
        let storage = design.estimated_storage();
        let counted = storage.iter().find(|(name, _)| *name == line.structure);
        let bits = counted.map_or(0, |(_, bits)| *bits);
        total += bits;
        let _ = writeln!(
            text,
            "| {} | {} | `{}` {} | {} | {} | {} |",
            line.name,
            line.complexity,
            line.design,
            line.structure,
            line.bytes.map_or("-".into(), |bytes| grouped(bytes.into())),
            bytes(bits),
            grouped(bits.into()),
        );
    }
    let _ = writeln!(
        text,
        "| **total** | | | **{}** | **{}** | {} |\n\nAt 1.5 gates per bit: {}.",
        grouped(table.bytes.into()),
        bytes(total),
        grouped(total.into()),
        grouped(estimate::gates(&[("", total)], 0).into()),
    );
    Ok(())
}

/// A number of bits in bytes, with one decimal if it is not a whole number of bytes.
fn bytes(bits: u32) -> String {
    match bits % 8 {
        0 => grouped((bits / 8).into()),
        _ => format!("{:.1}", f64::from(bits) / 8.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made_by(yosys: &str, logic_ge: f64) -> String {
        let one = Synthesized { logic_ge, storage_ge: 1.0 };
        let own = Own { total_ge: logic_ge + 1.0, flip_flop_implementation_ge: 5.0 * logic_ge };
        page(yosys, &[one; papers::GATES.len()], &[own; OWN.len()]).unwrap()
    }

    #[test]
    fn the_rule_gives_what_is_printed() {
        for (printed, design) in papers::GATES.iter().zip(printed().unwrap()) {
            let rounded = |gates: u32| (gates + printed.rounded_to / 2) / printed.rounded_to;
            let is_same = rounded(design.estimated_gates()) == rounded(printed.gates);
            // The printed figure is less than the rule gives for the two tables alone: docs/gate_figures.md.
            assert_eq!(is_same, printed.design != "stream-rbase-128", "{}", printed.design);
        }
    }

    #[test]
    fn the_storage_is_what_is_printed() {
        for table in &papers::STORAGE {
            let mut total = 0;
            for line in table.lines {
                let design = design(line.design, line.settings).unwrap();
                let storage = design.estimated_storage();
                let (_, bits) = storage.iter().find(|(name, _)| *name == line.structure).unwrap();
                assert!(line.bytes.is_none_or(|bytes| 8 * bytes == *bits), "{}", line.name);
                total += bits;
            }
            assert_eq!((total + 4) / 8, table.bytes, "{}", table.title);
        }
    }

    #[test]
    fn another_yosys_changes_nothing_else() {
        let (one, other) = (made_by("Yosys 1", 1000.0), made_by("Yosys 2 (git)", 1234.0));
        assert_eq!((yosys_of(&one), yosys_of(&other)), (Some("Yosys 1"), Some("Yosys 2 (git)")));
        assert_ne!(one, other);
        assert_eq!(without_synthesis(&one), without_synthesis(&other));
        assert!(without_synthesis(&one).contains("| 4,846 | 4,846 | 1.00"));
        // Both units of our own modules, and one of each of the others.
        assert!(one.contains("| `traptor-m4` | 1,001 | 5,000 | - | measured"));
        assert!(one.contains("| rv_tracer RV32 (E-Trace, no FIFO) | - | 16,415 | - |"));
        assert!(one.contains("| eDMTF(192,4) | 24,600 | - | 0.118 |"));
    }
}
