//! The papers' tables and figures: what each needs, how it is made, and what the paper prints.

mod paper_a;
mod paper_b;
mod paper_c;
mod paper_e;

use crate::artefact::{Artefact, Cell, Row};
use crate::error::Result;
use crate::place::{Paper, Place};
use crate::run::{Needs, Results};

/// A table or figure that can be reproduced.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The table or figure.
    pub place: Place,
    /// Asks for what is measured.
    pub needs: fn(&mut Needs) -> Result<()>,
    /// Makes it of what was measured.
    pub make: fn(&Results) -> Result<Artefact>,
}

/// Every table and figure, paper by paper.
pub fn catalogue() -> impl Iterator<Item = Entry> {
    let papers: [&[Entry]; 4] =
        [&paper_a::ENTRIES, &paper_b::ENTRIES, &paper_c::ENTRIES, &paper_e::ENTRIES];
    papers.into_iter().flatten().copied()
}

/// What a paper prints of a program: its name and a value for each column.
type Printed<const COLUMNS: usize> = (&'static str, [f64; COLUMNS]);

/// The value that a paper prints of a program.
fn printed<const COLUMNS: usize>(
    table: &[Printed<COLUMNS>],
    program: Option<&str>,
    column: usize,
) -> Option<f64> {
    let (_, values) = table.iter().find(|(name, _)| Some(*name) == program)?;
    values.get(column).copied()
}

/// How the values of programs become one value for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Together {
    /// Bits per instruction: the mean.
    Mean,
    /// Compression ratios: the harmonic mean.
    HarmonicMean,
}

impl Together {
    /// The mean of values with weights; `None` without any.
    fn of(self, values: &[(f64, f64)]) -> Option<f64> {
        let weight: f64 = values.iter().map(|(_, weight)| weight).sum();
        let sum = |value: fn(f64) -> f64| -> f64 {
            values.iter().map(|(one, weight)| value(*one) * weight).sum()
        };
        (weight > 0.0).then(|| match self {
            Together::Mean => sum(|value| value) / weight,
            Together::HarmonicMean => weight / sum(|value| 1.0 / value),
        })
    }
}

/// The rows of all programs, and those that sum them up: programs of the paper alone, and all together.
///
/// `cells` gives the values of a program with its weight, and `paper_total` what the paper prints for all its programs.
fn program_rows(
    results: &Results,
    together: Together,
    cells: impl Fn(usize) -> Option<(Vec<Cell>, f64)>,
    paper_total: &[f64],
) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut weights = Vec::new();
    for (index, program) in results.programs.iter().enumerate() {
        if let Some((cells, weight)) = cells(index) {
            rows.push(Row::new(&program.name, cells));
            weights.push(weight);
        }
    }
    let columns = rows.first().map_or(paper_total.len(), |row| row.cells.len());
    let of = |column: usize, value: &dyn Fn(&Cell) -> Option<f64>| {
        let weighted = rows.iter().zip(&weights).filter_map(|(row, weight)| {
            value(row.cells.get(column)?).map(|value| (value, *weight))
        });
        together.of(&weighted.collect::<Vec<_>>())
    };
    let in_both = |cell: &Cell, value: Option<f64>| value.filter(|_| cell.ratio().is_some());
    let same = (0..columns).map(|column| {
        let here = of(column, &|cell| in_both(cell, cell.here));
        Cell::new(here, of(column, &|cell| in_both(cell, cell.paper)))
    });
    let same: Vec<Cell> = same.collect();
    let all = (0..columns)
        .map(|column| Cell::new(of(column, &|cell| cell.here), paper_total.get(column).copied()));
    let all: Vec<Cell> = all.collect();
    let programs = rows.iter().filter(|row| row.cells.iter().any(|cell| cell.ratio().is_some()));
    if programs.count() > 1 {
        rows.push(Row::total("programs of the paper", same));
    }
    rows.push(Row::total("all programs", all));
    rows
}

/// Bits per instruction of designs and comparators, program by program.
fn bandwidth_rows<const COLUMNS: usize>(
    results: &Results,
    names: &[String],
    paper: &[Printed<COLUMNS>],
    paper_total: &[f64],
) -> Vec<Row> {
    let cells = |program: usize| {
        let paper_name = results.programs[program].paper_name;
        let cells = names.iter().enumerate().map(|(column, name)| {
            let here = results.bits_per_instruction(name, program);
            Cell::new(here, printed(paper, paper_name, column))
        });
        Some((cells.collect(), results.instructions(program)? as f64))
    };
    program_rows(results, Together::Mean, cells, paper_total)
}

/// Bits per instruction of a design or comparator on all programs together that it can trace.
fn total_bandwidth(results: &Results, name: &str) -> Option<f64> {
    let weighted = (0..results.programs.len()).filter_map(|program| {
        let bits = results.bits_per_instruction(name, program)?;
        Some((bits, results.instructions(program)? as f64))
    });
    Together::Mean.of(&weighted.collect::<Vec<_>>())
}

/// What a paper prints as the average of a design.
fn printed_average(paper: Paper, design: &str) -> Option<f64> {
    let printed = tracewright_report::papers::BANDWIDTH.iter();
    let mut of_paper = printed.filter(|one| one.paper == paper.0 && one.design == Some(design));
    of_paper.next().map(|one| one.bits_per_instruction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means() {
        assert_eq!(Together::Mean.of(&[(1.0, 1.0), (4.0, 2.0)]), Some(3.0));
        assert_eq!(Together::HarmonicMean.of(&[(1.0, 1.0), (2.0, 1.0)]), Some(4.0 / 3.0));
        assert_eq!(Together::Mean.of(&[]), None);
    }

    #[test]
    fn every_place_is_there_once() {
        let mut places: Vec<_> = catalogue().map(|entry| entry.place).collect();
        assert_eq!(places.len(), 28);
        places.dedup();
        assert_eq!(places.len(), 28);
    }
}
