//! Tables as text that fit the width of what shows them, and never break a number.
//!
//! A table that is too wide gets headers of several lines, then sentences of several lines. If it is still too wide,
//! long names get lines of their own, each row becomes lines of key and value, or the columns come in several parts,
//! one below the other.

mod grid;
mod rows;
mod words;

use std::env;

use super::print;

pub use words::sentences;

/// The width where nothing says another.
const WIDTH: usize = 100;

/// Rows that are printed as keys and values rather than in columns under their names.
const FEW_ROWS: usize = 2;

/// Blanks on both sides of a column.
const PADDING: usize = 2;

/// What a column has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Names, which are not broken.
    Word,
    Number,
    /// Sentences, which can be broken at blanks.
    Prose,
}

/// A table that is laid out when its width is known.
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<(String, Kind)>,
    rows: Vec<Vec<String>>,
    /// The columns at the beginning that say what a row is of.
    names: usize,
    /// The first column that does not belong beside those before it, if columns come in parts.
    parts_from: Option<usize>,
    /// The column that a narrow table does without.
    spare: Option<usize>,
}

impl Table {
    /// A table whose first `words` columns are text and whose others are numbers.
    pub fn new(header: &[&str], words: usize) -> Table {
        let kind = |column| if column < words { Kind::Word } else { Kind::Number };
        let columns = header.iter().enumerate().map(|(at, name)| ((*name).to_owned(), kind(at)));
        Table {
            columns: columns.collect(),
            rows: Vec::new(),
            names: 1,
            parts_from: None,
            spare: None,
        }
    }

    /// The table with text in this column, which is not broken.
    #[must_use]
    pub fn word(self, column: usize) -> Table {
        self.with(column, Kind::Word)
    }

    /// The table with sentences in this column, which are broken at blanks where they must be.
    #[must_use]
    pub fn prose(self, column: usize) -> Table {
        self.with(column, Kind::Prose)
    }

    /// The table, whose rows are named by this many columns and not by the first one alone.
    #[must_use]
    pub fn named_by(mut self, columns: usize) -> Table {
        self.names = columns;
        self
    }

    /// The table, whose columns come in several parts if they are too many, of which one begins with this column.
    #[must_use]
    pub fn in_parts(mut self, column: usize) -> Table {
        self.parts_from = Some(column);
        self
    }

    /// The table, which does without this column, whose contents others say too, rather than be too wide.
    #[must_use]
    pub fn spare(mut self, column: usize) -> Table {
        self.spare = Some(column);
        self
    }

    fn with(mut self, column: usize, kind: Kind) -> Table {
        self.columns[column].1 = kind;
        self
    }

    /// Adds a row; cells that are missing at its end are empty.
    pub fn add_row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        // A name from a file may have characters that would move what follows.
        let one_line = |cell: T| print::plain(&cell.into()).replace(['\n', '\t'], " ");
        let mut row: Vec<String> = cells.into_iter().map(one_line).collect();
        row.resize(self.columns.len(), String::new());
        self.rows.push(row);
    }

    /// True if it has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The lines of the table, for standard output.
    pub fn to_text(&self) -> String {
        self.at_width(width())
    }

    fn at_width(&self, width: usize) -> String {
        if let Some(text) = self.fitted(width) {
            return text;
        }
        if let Some(spare) = self.spare {
            let others = (self.names..self.columns.len()).filter(|column| *column != spare);
            return self.part(&others.collect::<Vec<_>>(), None).at_width(width);
        }
        match self.parts_from.filter(|_| self.rows.len() > FEW_ROWS) {
            Some(column) => self.parts(column, width),
            None => self.under_names(width).unwrap_or_else(|| self.as_pairs(width)),
        }
    }
}

/// The width of standard output: what COLUMNS says, a terminal's own, or 100.
pub fn width() -> usize {
    columns().unwrap_or(WIDTH)
}

/// The same; `None` for a pipe of which COLUMNS says nothing.
pub fn columns() -> Option<usize> {
    let said = env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let own = || comfy_table::Table::new().width().map(usize::from);
    said.filter(|columns| *columns > 0).or_else(own)
}

/// A heading, and below it keys and values, of which long ones go on in the next line.
pub fn pairs(heading: &str, pairs: &[(&str, String)]) -> String {
    let keys: Vec<&str> = std::iter::once("").chain(pairs.iter().map(|(key, _)| *key)).collect();
    let mut table = Table::new(&keys, keys.len());
    table.add_row(
        std::iter::once(heading.to_owned()).chain(pairs.iter().map(|(_, value)| value.clone())),
    );
    let text = table.as_pairs(width());
    text.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned() + "\n").collect()
}
