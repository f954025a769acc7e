//! Tables: comma-separated values with a header of names, and lines of JSON.

pub(crate) mod machine;
pub(crate) mod ports;
pub mod rows;

use std::io::BufRead;

use crate::error::Problem;

/// A table of comma-separated values whose columns have names.
pub(crate) struct Table<R> {
    reader: csv::Reader<R>,
    record: csv::ByteRecord,
    /// In small letters.
    names: Vec<String>,
}

/// The first row of a table that begins with these bytes, after its comments.
pub(crate) fn row_of_names(head: &[u8]) -> &[u8] {
    let mut rows = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    rows.find(|row| !row.is_empty() && !row.starts_with(b"#")).unwrap_or_default()
}

/// What is between the cells of a table with this row of names: a comma, or a semicolon or a tab where there is none.
pub(crate) fn separator(names: &[u8]) -> u8 {
    [b',', b';', b'\t'].into_iter().find(|sign| names.contains(sign)).unwrap_or(b',')
}

/// The cells of a row, without blanks and quotes around them.
pub(crate) fn cells(row: &[u8], separator: u8) -> impl Iterator<Item = &[u8]> {
    row.split(move |byte| *byte == separator).map(|cell| {
        let cell = cell.trim_ascii();
        let inner = cell.strip_prefix(b"\"").and_then(|cell| cell.strip_suffix(b"\""));
        inner.unwrap_or(cell)
    })
}

impl<R: BufRead> Table<R> {
    /// Reads the names of the columns.
    pub(crate) fn new(mut source: R) -> Result<Self, Problem> {
        let separator = separator(row_of_names(source.fill_buf()?));
        let mut reader = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .delimiter(separator)
            .trim(csv::Trim::All)
            .from_reader(source);
        let names = reader.headers().map_err(problem)?;
        let names: Vec<String> = names.iter().map(str::to_ascii_lowercase).collect();
        let is_again =
            |place: usize| !names[place].is_empty() && names[..place].contains(&names[place]);
        if let Some(place) = (0..names.len()).find(|place| is_again(*place)) {
            return Err(Problem::TwoColumns(names[place].clone()));
        }
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
