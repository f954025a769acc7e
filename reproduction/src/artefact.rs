//! A reproduced table or figure.

use serde::Serialize;

use crate::place::Place;

/// A value of a table, here and in the paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Cell {
    /// The value on the given traces; `None` where they have none.
    pub here: Option<f64>,
    /// The value that the paper prints; `None` where it prints none, or only draws it.
    pub paper: Option<f64>,
}

impl Cell {
    /// A value that only the traces have.
    pub fn here(value: f64) -> Self {
        Self { here: Some(value), paper: None }
    }

    /// Both values.
    pub fn new(here: impl Into<Option<f64>>, paper: impl Into<Option<f64>>) -> Self {
        Self { here: here.into(), paper: paper.into() }
    }

    /// The value here divided by that of the paper; `None` without both, or if the paper's is 0.
    pub fn ratio(&self) -> Option<f64> {
        match (self.here, self.paper) {
            (Some(here), Some(paper)) if paper != 0.0 => Some(here / paper),
            _ => None,
        }
    }
}

/// A row of a table: a program, a design, or all programs together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// What the row is of.
    pub label: String,
    /// True where it sums up the others.
    pub is_total: bool,
    /// The values, one for each column.
    pub cells: Vec<Cell>,
}

impl Row {
    /// A row of one program or design.
    pub fn new(label: impl Into<String>, cells: Vec<Cell>) -> Self {
        Self { label: label.into(), is_total: false, cells }
    }

    /// A row that sums up the others.
    pub fn total(label: impl Into<String>, cells: Vec<Cell>) -> Self {
        Self { label: label.into(), is_total: true, cells }
    }
}

/// How a table is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Drawing {
    /// A group of bars for each row, with a bar for each column.
    Bars,
    /// A line for each row over the columns.
    Lines,
    /// A point for each row: the first column across, the second one up.
    Points,
}

/// A table or figure with its values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Artefact {
    /// The table or figure of the paper.
    pub place: Place,
    /// Its subject.
    pub title: &'static str,
    /// The unit of its values.
    pub unit: &'static str,
    /// What its rows are.
    pub of: &'static str,
    /// What its columns are.
    pub across: &'static str,
    /// Decimals that are worth printing.
    pub decimals: usize,
    /// The columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
    /// How it is drawn.
    pub drawing: Drawing,
    /// What a reader has to know, in whole sentences.
    pub notes: Vec<String>,
}

impl Artefact {
    /// The same with a cell for every column in every row: no program may have what the table is about, such as
    /// accesses.
    pub(crate) fn rectangular(mut self) -> Self {
        let columns = self.columns.len();
        self.rows.iter_mut().for_each(|row| row.cells.resize(columns, Cell::default()));
        self
    }

    /// The lowest, the geometric mean and the highest ratio of values here to values of the paper; `None` without any.
    pub fn ratios(&self) -> Option<Ratios> {
        let cells = self.rows.iter().flat_map(|row| &row.cells);
        let ratios: Vec<f64> = cells.filter_map(Cell::ratio).filter(|ratio| *ratio > 0.0).collect();
        let logarithms: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
        let lowest = ratios.iter().copied().reduce(f64::min)?;
        Some(Ratios {
            values: ratios.len(),
            lowest,
            mean: (logarithms / ratios.len() as f64).exp(),
            highest: ratios.iter().copied().fold(lowest, f64::max),
        })
    }
}

/// Ratios of the values here to those of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ratios {
    /// The number of values with a ratio.
    pub values: usize,
    /// The lowest.
    pub lowest: f64,
    /// The geometric mean.
    pub mean: f64,
    /// The highest.
    pub highest: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_need_both_values() {
        assert_eq!(Cell::new(3.0, 2.0).ratio(), Some(1.5));
        assert_eq!(Cell::new(3.0, None).ratio(), None);
        assert_eq!(Cell::new(3.0, 0.0).ratio(), None);
    }
}
