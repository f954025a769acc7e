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
            .map(|stored| (stored.structure.replace('_', " "), f64::from(stored.bits)))
            .collect(),
        total: design.storage.iter().map(|stored| f64::from(stored.bits)).sum(),
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
        caption:
            "Every bit that a design stores between clocks: tables, queues and named registers. \
                  Registers are flip-flops, and count as logic in gates. Far larger designs are below, on a scale of their own."
                .into(),
        svg: bars.draw(),
    })
}
