//! `tracewright report --papers`: prints `docs/gate_figures.md`, and checks that it is up to date.

use anyhow::{Result, anyhow};
use similar::TextDiff;
use tracewright_report::gate_figures::{self, Own, Synthesized};
use tracewright_synthesis::GateOptions;

use crate::pipeline::paths::Input;
use crate::pipeline::print;
use crate::pipeline::synthesis;

/// The page of the papers' figures.
pub struct Page {
    /// The text in Markdown.
    pub text: String,
    /// The version of Yosys whose figures are on the page.
    yosys: String,
}

/// Makes the page.
///
/// # Errors
/// When synthesis fails.
pub fn page() -> Result<Page> {
    let (printed, own) = (gate_figures::printed()?, gate_figures::own()?);
    let (printed, own) = rayon::join(
        || synthesis::totals(&printed),
        || synthesis::gates(&own, GateOptions::default()),
    );
    let (printed, own) = (printed?, own?);
    let yosys = printed.first().map_or(String::new(), |totals| totals.yosys.clone());
    let printed: Vec<Synthesized> = printed
        .iter()
        .map(|totals| Synthesized { logic_ge: totals.logic_ge, storage_ge: totals.storage_ge })
        .collect();
    let own: Vec<Own> = own
        .iter()
        .map(|gates| Own {
            total_ge: gates.total_ge,
            flip_flop_implementation_ge: gates.flip_flop_implementation_ge,
        })
        .collect();
    Ok(Page { text: gate_figures::page(&yosys, &printed, &own)?, yosys })
}

/// Compares the page with a file.
///
/// # Errors
/// When they differ, or the file cannot be read.
pub fn check(path: &Input) -> Result<()> {
    let name = path.display();
    let mut found = path.text()?;
    let Page { text: mut wanted, yosys } = page()?;
    // Another Yosys gives other gate counts for the same Verilog, so only the rest can be compared.
    if gate_figures::yosys_of(&found) != Some(&yosys) {
        found = gate_figures::without_synthesis(&found);
        wanted = gate_figures::without_synthesis(&wanted);
    }
    if found == wanted {
        return Ok(());
    }
    let diff = TextDiff::from_lines(&found, &wanted);
    print::text(diff.unified_diff().header(&name.to_string(), "printed now"))?;
    Err(anyhow!("{name} differs from what `tracewright report --papers` prints"))
}
