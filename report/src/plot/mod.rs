//! Plots as SVG: classes for colours, so that one style sheet serves light, dark and paper.

mod axis;
mod bars;
mod canvas;
mod frequency;
mod gates;
mod labels;
mod scatter;
mod storage;
mod traces;

pub use canvas::STYLE;

use crate::data::Report;

/// A plot with what a page says around it.
#[derive(Clone, Debug)]
pub struct Plot {
    /// Its name in links.
    pub id: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What it shows, in a sentence or two.
    pub caption: String,
    /// The drawing, without style.
    pub svg: String,
}

impl Plot {
    /// The drawing as a file of its own.
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
    plots.into_iter().flatten().collect()
}

/// The papers' Figure 10: gates against bits an instruction. None without a measured design.
pub fn gates_against_bits(report: &Report) -> Option<Plot> {
    scatter::plot(report)
}
