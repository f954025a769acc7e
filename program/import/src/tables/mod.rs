//! Tables: comma-separated values with a header of names, and lines of JSON.

pub(crate) mod machine;
pub(crate) mod program_counters;
pub mod rows;
pub(crate) mod rvfi;

use std::io::Read;

use crate::error::Problem;

/// A table of comma-separated values whose columns have names.
pub(crate) struct Table<R> {
    reader: csv::Reader<R>,
    record: csv::ByteRecord,
    names: csv::StringRecord,
}

impl<R: Read> Table<R> {
    /// Reads the names of the columns.
    pub(crate) fn new(source: R) -> Result<Self, Problem> {
        let mut reader =
            csv::ReaderBuilder::new().comment(Some(b'#')).trim(csv::Trim::All).from_reader(source);
        let names = reader.headers().map_err(problem)?.clone();
        Ok(Table { reader, record: csv::ByteRecord::new(), names })
    }

    /// The place of a column.
    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|other| other == name)
    }

    /// The place of a column that has to be there.
    pub(crate) fn required(&self, name: &'static str) -> Result<usize, Problem> {
        self.column(name).ok_or(Problem::NoColumn(name))
    }

    /// Reads the next row; false at the end.
    pub(crate) fn next_row(&mut self) -> Result<bool, Problem> {
        self.reader.read_byte_record(&mut self.record).map_err(problem)
    }

    /// The number of the line of the last row, from 1.
    pub(crate) fn line(&self) -> u64 {
        self.record.position().map_or(self.reader.position().line(), csv::Position::line)
    }

    /// A cell of the row; an empty one for a column that is not there.
    pub(crate) fn cell(&self, column: Option<usize>) -> &[u8] {
        column.and_then(|column| self.record.get(column)).unwrap_or_default()
    }

    /// A cell as `parse` reads it.
    pub(crate) fn parsed<T>(
        &self,
        column: usize,
        expected: &'static str,
        parse: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Result<T, Problem> {
        let cell = self.cell(Some(column));
        parse(cell).ok_or_else(|| unexpected(expected, cell))
    }

    /// A cell as `parse` reads it, or nothing for an empty one.
    pub(crate) fn optional<T>(
        &self,
        column: Option<usize>,
        expected: &'static str,
        parse: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Result<Option<T>, Problem> {
        match self.cell(column) {
            [] => Ok(None),
            cell => parse(cell).map(Some).ok_or_else(|| unexpected(expected, cell)),
        }
    }
}

/// A cell that is not what its column has.
#[cold]
fn unexpected(expected: &'static str, cell: &[u8]) -> Problem {
    let found = if cell.is_empty() { "nothing".into() } else { crate::error::quoted(cell) };
    Problem::Expected { expected, found }
}

/// A row that is not like the others.
#[cold]
fn problem(error: csv::Error) -> Problem {
    let text = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!(
                "expected {expected_len} cells, as many as the names in the first row, found {len}"
            )
        }
        csv::ErrorKind::Utf8 { .. } => "expected text in the first row".into(),
        _ => error.to_string(),
    };
    match error.into_kind() {
        csv::ErrorKind::Io(error) => Problem::Read(error),
        _ => Problem::Table(text),
    }
}

/// 0 or 1, `false` or `true`.
pub(crate) fn truth(cell: &[u8]) -> Option<bool> {
    match cell {
        b"0" | b"false" | b"False" => Some(false),
        b"1" | b"true" | b"True" => Some(true),
        _ => None,
    }
}
