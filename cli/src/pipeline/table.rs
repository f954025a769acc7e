//! Tables as text that fit the width of what shows them, and never break a number.
//!
//! A table that is too wide gets headers of several lines, then sentences of several lines. If it is still too wide,
//! long names get lines of their own, each row becomes lines of key and value, or the columns come in several parts,
//! one below the other.

use std::env;
use std::fmt::Write;

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Width, presets};

use super::print;

/// The width where nothing says another.
const WIDTH: usize = 100;

/// The least width of a column of sentences.
const LEAST_PROSE: usize = 24;

/// The least width that is left beside numbers for the names of rows.
const LEAST_NAME: usize = 8;

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
}

impl Table {
    /// A table whose first `words` columns are text and whose others are numbers.
    pub fn new(header: &[&str], words: usize) -> Table {
        let kind = |column| if column < words { Kind::Word } else { Kind::Number };
        let columns = header.iter().enumerate().map(|(at, name)| ((*name).to_owned(), kind(at)));
        Table { columns: columns.collect(), rows: Vec::new(), names: 1, parts_from: None }
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
        match self.parts_from {
            Some(column) => self.parts(column, width),
            None => self.under_names(width).unwrap_or_else(|| self.as_pairs(width)),
        }
    }

    /// The table in columns, if they fit.
    fn fitted(&self, width: usize) -> Option<String> {
        let whole = self.grid(self.columns.iter().map(|(name, _)| name.clone()).collect());
        let broken = self.grid(self.broken_headers());
        [whole, broken].into_iter().find_map(|grid| self.fitted_grid(grid, width))
    }

    fn fitted_grid(&self, mut grid: comfy_table::Table, width: usize) -> Option<String> {
        let natural: Vec<usize> =
            grid.column_max_content_widths().into_iter().map(usize::from).collect();
        // The blank after the last column is not printed.
        let around = PADDING * natural.len() - 1;
        let mut room = width.checked_sub(around)?;
        if natural.iter().sum::<usize>() <= room {
            return Some(trimmed(&grid));
        }
        let is_prose = |column: usize| self.columns[column].1 == Kind::Prose;
        let fixed = (0..natural.len()).filter(|column| !is_prose(*column));
        room = room.checked_sub(fixed.map(|column| natural[column]).sum())?;
        let mut prose: Vec<usize> = (0..natural.len()).filter(|column| is_prose(*column)).collect();
        // Each gets its share of what is left, and what it does not need is left for those that need more.
        prose.sort_by_key(|column| natural[*column]);
        let mut widths = natural.clone();
        for (done, column) in prose.iter().enumerate() {
            widths[*column] = natural[*column].min(room / (prose.len() - done));
            room -= widths[*column];
        }
        let longest = |column: usize| {
            let cells = self.rows.iter().flat_map(|row| row[column].split_whitespace());
            cells.map(length).max().unwrap_or(0)
        };
        let is_enough = |column: &usize| {
            let least = LEAST_PROSE.max(longest(*column));
            widths[*column] >= least.min(natural[*column])
        };
        if prose.is_empty() || !prose.iter().all(is_enough) {
            return None;
        }
        grid.set_content_arrangement(ContentArrangement::Dynamic);
        grid.set_width(u16::try_from(width + 1).unwrap_or(u16::MAX));
        for (column, wide) in grid.column_iter_mut().zip(&widths) {
            let wide = u16::try_from(wide + PADDING).unwrap_or(u16::MAX);
            column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(wide)));
        }
        Some(trimmed(&grid))
    }

    /// The rows under a header.
    fn grid(&self, header: Vec<String>) -> comfy_table::Table {
        let mut grid = comfy_table::Table::new();
        grid.load_preset(presets::NOTHING)
            .set_content_arrangement(ContentArrangement::Disabled)
            .set_header(header)
            .add_rows(&self.rows);
        for (column, (_, kind)) in grid.column_iter_mut().zip(&self.columns) {
            if *kind == Kind::Number {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        grid
    }

    /// The header of each column in as few lines as do not widen it, all of which end in the same line.
    fn broken_headers(&self) -> Vec<String> {
        let lines: Vec<Vec<String>> = self
            .columns
            .iter()
            .enumerate()
            .map(|(column, (name, _))| {
                let widest = self.rows.iter().map(|row| length(&row[column])).max().unwrap_or(0);
                let words: Vec<&str> =
                    name.split_inclusive('/').flat_map(|part| part.split_inclusive(' ')).collect();
                let longest = words.iter().map(|word| length(word.trim_end())).max().unwrap_or(0);
                lines(&words, widest.max(longest))
            })
            .collect();
        let most = lines.iter().map(Vec::len).max().unwrap_or(0);
        let header =
            lines.into_iter().map(|of_one| "\n".repeat(most - of_one.len()) + &of_one.join("\n"));
        header.collect()
    }

    /// The table with a line of its own for each name that is too long to stand beside the numbers.
    fn under_names(&self, width: usize) -> Option<String> {
        let has_prose = self.columns.iter().any(|(_, kind)| *kind == Kind::Prose);
        if self.rows.len() <= FEW_ROWS || has_prose {
            return None;
        }
        let names: Vec<&str> =
            self.columns[..self.names].iter().map(|(name, _)| name.as_str()).collect();
        let mut columns = vec![(names.join(", "), Kind::Word)];
        columns.extend_from_slice(&self.columns[self.names..]);
        let row = |row: &Vec<String>| {
            let name = row[..self.names].join("  ");
            std::iter::once(name).chain(row[self.names..].iter().cloned()).collect()
        };
        let mut table = Table {
            columns,
            rows: self.rows.iter().map(row).collect(),
            names: 1,
            parts_from: None,
        };
        let others = table.part(&(1..table.columns.len()).collect::<Vec<_>>(), None);
        let natural = others.grid(others.broken_headers()).column_max_content_widths();
        let needed: usize = natural.iter().skip(1).map(|wide| usize::from(*wide) + PADDING).sum();
        let room = width.checked_sub(needed + PADDING - 1).filter(|room| *room >= LEAST_NAME)?;
        let mut names = Vec::new();
        for row in &mut table.rows {
            let is_long = length(&row[0]) > room;
            names.push(is_long.then(|| std::mem::take(&mut row[0])));
        }
        let text = table.fitted(width)?;
        let header = text.lines().count() - names.len();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for (line, name) in lines.iter_mut().skip(header).zip(names) {
            if let Some(name) = name {
                line.insert_str(0, &format!(" {name}\n"));
            }
        }
        Some(lines.join("\n") + "\n")
    }

    /// Each row as lines of key and value, under what names it.
    fn as_pairs(&self, width: usize) -> String {
        let keys =
            self.columns.iter().skip(self.names).map(|(name, _)| length(name)).max().unwrap_or(0);
        let numbers = self
            .columns
            .iter()
            .enumerate()
            .skip(self.names)
            .filter(|(_, (_, kind))| *kind == Kind::Number);
        let cells =
            numbers.flat_map(|(column, _)| self.rows.iter().map(move |row| length(&row[column])));
        let widest = cells.max().unwrap_or(0);
        let mut text = String::new();
        for (number, row) in self.rows.iter().enumerate() {
            let between = if number > 0 { "\n" } else { "" };
            let _ = writeln!(text, "{between} {}", row[..self.names].join("  "));
            for (cell, (name, kind)) in row.iter().zip(&self.columns).skip(self.names) {
                let room = width.saturating_sub(keys + 5).max(LEAST_PROSE);
                match kind {
                    _ if cell.is_empty() => {}
                    Kind::Number => {
                        let _ = writeln!(text, "   {name:<keys$}  {cell:>widest$}");
                    }
                    Kind::Word | Kind::Prose => {
                        let words: Vec<&str> = cell.split_inclusive(' ').collect();
                        for (line, part) in lines(&words, room).iter().enumerate() {
                            let name = if line == 0 { name } else { "" };
                            let _ = writeln!(text, "   {name:<keys$}  {part}");
                        }
                    }
                }
            }
        }
        text
    }

    /// As many columns beside the names as fit, and the others below.
    fn parts(&self, begin: usize, width: usize) -> String {
        let mut parts: Vec<Vec<usize>> = Vec::new();
        for column in self.names..self.columns.len() {
            let fits = |part: &&mut Vec<usize>| {
                column != begin && self.part(part, Some(column)).fitted(width).is_some()
            };
            match parts.last_mut().filter(fits) {
                Some(part) => part.push(column),
                None => parts.push(vec![column]),
            }
        }
        let texts = parts.iter().map(|part| {
            let part = self.part(part, None);
            part.fitted(width).unwrap_or_else(|| part.as_pairs(width))
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    /// The names and some other columns.
    fn part(&self, columns: &[usize], more: Option<usize>) -> Table {
        let chosen: Vec<usize> =
            (0..self.names).chain(columns.iter().copied()).chain(more).collect();
        let rows = self.rows.iter();
        Table {
            columns: chosen.iter().map(|column| self.columns[*column].clone()).collect(),
            rows: rows.map(|row| chosen.iter().map(|at| row[*at].clone()).collect()).collect(),
            names: self.names,
            parts_from: None,
        }
    }
}

/// The width of standard output: what COLUMNS says, a terminal's own, or 100.
pub fn width() -> usize {
    let said = env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let own = || comfy_table::Table::new().width().map(usize::from);
    said.filter(|columns| *columns > 0).or_else(own).unwrap_or(WIDTH)
}

/// Sentences in lines of the width of standard output, each line of the text for itself.
pub fn sentences(text: &str) -> String {
    let width = width();
    let wrapped = text.lines().flat_map(|line| {
        let words: Vec<&str> = line.split_inclusive(' ').collect();
        if words.is_empty() { vec![String::new()] } else { lines(&words, width) }
    });
    wrapped.map(|line| line + "\n").collect()
}

/// The characters of a text.
fn length(text: &str) -> usize {
    text.chars().count()
}

/// Words with what separates them, in lines of at most this length; a longer word has a line of its own.
fn lines(words: &[&str], most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if length(line) + length(word.trim_end()) <= most => line.push_str(word),
            _ => lines.push((*word).to_owned()),
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// The table without trailing blanks.
fn trimmed(grid: &comfy_table::Table) -> String {
    grid.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}
