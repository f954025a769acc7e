//! A table in columns.

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Width, presets};

use super::words::{length, lines};
use super::{Kind, PADDING, Table};

/// The least width of a column of sentences.
pub(super) const LEAST_PROSE: usize = 20;

impl Table {
    /// The table in columns, if they fit.
    pub(super) fn fitted(&self, width: usize) -> Option<String> {
        let whole = self.grid(self.columns.iter().map(|(name, _)| name.clone()).collect());
        let broken = self.grid(self.broken_headers());
        [whole, broken].into_iter().find_map(|grid| self.fitted_grid(grid, width))
    }

    pub(super) fn fitted_grid(&self, mut grid: comfy_table::Table, width: usize) -> Option<String> {
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
    pub(super) fn grid(&self, header: Vec<String>) -> comfy_table::Table {
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
    pub(super) fn broken_headers(&self) -> Vec<String> {
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
}

/// The table without trailing blanks.
fn trimmed(grid: &comfy_table::Table) -> String {
    grid.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}
