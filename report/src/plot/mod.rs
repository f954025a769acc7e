//! Plots as SVG, with classes for colours, so that one style sheet serves light screens, dark screens and paper.

pub mod advice;
mod axis;
mod bars;
mod canvas;
pub mod chart;
mod dynamics;
mod frequency;
mod gates;
mod labels;
pub mod power;
mod scatter;
pub mod search;
mod storage;
mod strokes;
mod traces;

pub use canvas::STYLE;
pub use dynamics::{Timed, plots as dynamics_plots};

use crate::data::Report;

/// A plot with its heading and caption.
#[derive(Clone, Debug)]
pub struct Plot {
    /// The identifier for links.
    pub id: &'static str,
    /// The heading of the plot.
    pub title: &'static str,
    /// The caption, in a sentence or two.
    pub caption: String,
    /// The drawing, without a style sheet.
    pub svg: String,
}

impl Plot {
    /// The drawing as a stand-alone file.
    pub fn standalone(&self) -> String {
        let style = format!("<style>{STYLE}</style>");
        match self.svg.split_once('\n') {
            Some((head, body)) => format!("{head}\n{style}\n{body}\n"),
            None => self.svg.clone(),
        }
    }
}

/// Every plot that the report has figures for.
pub fn all(report: &Report) -> Vec<Plot> {
    let plots = [
        scatter::plot(report),
        gates::plot(report),
        storage::plot(report),
        traces::plot(report),
        frequency::plot(report),
    ];
    plots.into_iter().flatten().chain(over_time(report)).collect()
}

/// Bursts, lengths of records, and bandwidth and buffer over time of the designs that trace control flow.
fn over_time(report: &Report) -> Vec<Plot> {
    let designs = report.designs.iter().filter(|design| !design.traces_data);
    let rows = designs.flat_map(|design| {
        let row = |one: &'_ crate::data::Bandwidth| Timed {
            design: design.design.clone(),
            trace: one.trace.clone(),
            dynamics: one.dynamics.clone(),
        };
        design.bandwidth.iter().map(row).collect::<Vec<_>>()
    });
    dynamics::plots(&rows.collect::<Vec<_>>())
}

/// The papers' Figure 10: gates against bits per instruction. `None` without a measured design.
pub fn gates_against_bits(report: &Report) -> Option<Plot> {
    scatter::plot(report)
}
