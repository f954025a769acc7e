//! Tables as comma-separated values, one value per line.

use std::io::Write;

use tracewright_sim::cell;

use crate::artefact::Artefact;
use crate::error::Result;

/// Writes the values of every table and figure: paper, place, row, column, value here, value of the paper, ratio, unit.
///
/// # Errors
/// When `into` cannot be written.
pub fn write(artefacts: &[Artefact], into: impl Write) -> Result<()> {
    let mut table = csv::Writer::from_writer(into);
    table.write_record(["place", "row", "column", "here", "paper", "ratio", "unit"])?;
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    for artefact in artefacts {
        let place = artefact.place.to_string();
        for row in &artefact.rows {
            for (column, cell) in artefact.columns.iter().zip(&row.cells) {
                if cell.here.is_none() && cell.paper.is_none() {
                    continue;
                }
                table.write_record([
                    &place,
                    &*cell::comma_separated(&row.label),
                    column,
                    &number(cell.here),
                    &number(cell.paper),
                    &number(cell.ratio()),
                    artefact.unit,
                ])?;
            }
        }
    }
    Ok(table.flush().map_err(csv::Error::from)?)
}
