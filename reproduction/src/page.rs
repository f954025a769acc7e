//! Everything as one HTML page, and each table as a plot.

use minijinja::{Environment, Value, context};
use tracewright_report::html::page_style;
use tracewright_report::plot::STYLE;
use tracewright_report::plot::chart::{Chart, Series};

use crate::artefact::{Artefact, Cell, Drawing};
use crate::error::Result;

/// The plot of a table or figure, without a style sheet.
fn drawn(artefact: &Artefact) -> String {
    let series = artefact.rows.iter().map(|row| Series {
        name: row.label.clone(),
        is_total: row.is_total,
        here: row.cells.iter().map(|cell| cell.here).collect(),
        paper: row.cells.iter().map(|cell| cell.paper).collect(),
    });
    let chart = Chart {
        title: format!("{}: {}", artefact.place, artefact.title),
        across: artefact.across.into(),
        unit: artefact.unit.into(),
        columns: artefact.columns.clone(),
        series: series.collect(),
    };
    match artefact.drawing {
        Drawing::Bars => chart.panels(),
        Drawing::Lines => chart.lines(),
        Drawing::Points => chart.points(),
    }
}

/// The plot as a file of its own.
pub fn svg(artefact: &Artefact) -> String {
    let drawn = drawn(artefact);
    match drawn.split_once('\n') {
        Some((head, body)) => format!("{head}\n<style>{STYLE}</style>\n{body}\n"),
        None => drawn,
    }
}

/// A cell in words: the value here, then in parentheses that of the paper and the ratio.
pub fn cell(cell: &Cell, decimals: usize) -> String {
    let number = |value: f64| match value {
        // A small value keeps two digits that count.
        value if value != 0.0 && value.abs() < 0.5 * 0.1_f64.powi(decimals as i32 - 1) => {
            let digits = (1.0 - value.abs().log10().floor()).clamp(0.0, 12.0) as usize;
            format!("{value:.digits$}")
        }
        value => format!("{value:.decimals$}"),
    };
    match (cell.here, cell.paper, cell.ratio()) {
        (Some(here), Some(paper), Some(ratio)) => {
            format!("{} ({}, x{ratio:.2})", number(here), number(paper))
        }
        (Some(here), Some(paper), None) => format!("{} ({})", number(here), number(paper)),
        (Some(here), None, _) => number(here),
        (None, Some(paper), _) => format!("({})", number(paper)),
        (None, None, _) => String::new(),
    }
}

/// The HTML page. `made_by` says which command made it of which traces.
///
/// # Errors
/// When the page cannot be made.
pub fn html(artefacts: &[Artefact], made_by: &str) -> Result<String> {
    let mut environment = Environment::new();
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.add_template("page.html", include_str!("../templates/page.html"))?;
    let sections: Vec<Value> = artefacts
        .iter()
        .map(|artefact| {
            let rows: Vec<Value> = artefact
                .rows
                .iter()
                .map(|row| {
                    let cells = row.cells.iter().map(|one| cell(one, artefact.decimals));
                    context! {
                        label => row.label,
                        is_total => row.is_total,
                        cells => cells.collect::<Vec<_>>(),
                    }
                })
                .collect();
            context! {
                id => artefact.place.file_stem(),
                place => artefact.place.to_string(),
                artefact => artefact,
                rows,
                ratios => artefact.ratios(),
                svg => Value::from_safe_string(drawn(artefact)),
            }
        })
        .collect();
    let template = environment.get_template("page.html")?;
    Ok(template.render(context! {
        sections,
        made_by,
        style => Value::from_safe_string(page_style()),
    })?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells() {
        assert_eq!(cell(&Cell::new(0.12345, 0.1), 3), "0.123 (0.100, x1.23)");
        assert_eq!(cell(&Cell::new(0.00012, None), 3), "0.00012");
        assert_eq!(cell(&Cell::new(None, 2.0), 1), "(2.0)");
        assert_eq!(cell(&Cell::default(), 1), "");
    }
}
