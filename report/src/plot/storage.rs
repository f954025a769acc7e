//! Plot of storage by structure.

use super::Plot;
use super::bars::{Bar, Bars};
use crate::data::Report;

/// The plot.
pub fn plot(report: &Report) -> Option<Plot> {
    let bars = report.designs.iter().map(|design| Bar {
        label: design.design.clone(),
        parts: design
            .storage
            .iter()
            .map(|stored| (part(&stored.structure), stored.bits as f64))
            .collect(),
        total: design.storage.iter().map(|stored| stored.bits as f64).sum(),
    });
    let bars = Bars {
        name: "Storage by structure, stacked bars",
        axis: "storage (bits)",
        unit: "bits",
        first: None,
        bars: bars.collect(),
    };
    Some(Plot {
        id: "storage",
        title: "Storage by structure",
        caption: format!(
            "Every bit that a design stores between clocks: tables, queues and registers. \
                  Registers are flip-flops, and count as logic in gates.{}",
            bars.sentence_on_longer()
        ),
        svg: bars.draw(),
    })
}

/// The last two names of an instance's path.
fn part(structure: &str) -> String {
    let names: Vec<&str> = structure.rsplitn(3, '.').take(2).collect();
    names.into_iter().rev().collect::<Vec<_>>().join(" ").replace('_', " ")
}
