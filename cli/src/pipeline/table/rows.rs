//! A table that is too wide for columns.

use std::fmt::Write;

use super::grid::LEAST_PROSE;
use super::words::{length, lines};
use super::{FEW_ROWS, Kind, PADDING, Table};

/// The least width that is left beside numbers for the names of rows.
const LEAST_NAME: usize = 6;

/// One name in so many are many.
const MANY: usize = 3;

/// A blank at which a header is not broken.
const UNBROKEN: &str = "\u{a0}";

impl Table {
    /// The table with a line of its own for each name that is too long to stand beside the numbers.
    pub(super) fn under_names(&self, width: usize) -> Option<String> {
        let has_prose = self.columns.iter().any(|(_, kind)| *kind == Kind::Prose);
        if self.rows.len() <= FEW_ROWS || has_prose {
            return None;
        }
        let names = self.columns[..self.names].iter().map(|(name, _)| name.replace(' ', UNBROKEN));
        let mut columns = vec![(names.collect::<Vec<_>>().join(", "), Kind::Word)];
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
            spare: None,
        };
        let others = table.part(&(1..table.columns.len()).collect::<Vec<_>>(), None);
        let natural = others.grid(others.broken_headers()).column_max_content_widths();
        let needed: usize = natural.iter().skip(1).map(|wide| usize::from(*wide) + PADDING).sum();
        let room = width.checked_sub(needed + PADDING - 1).filter(|room| *room >= LEAST_NAME)?;
        let is_long = |row: &Vec<String>| length(&row[0]) > room;
        // Where many names of several columns are long, all of them have lines of their own.
        let long = table.rows.iter().filter(|row| is_long(row)).count();
        let is_any = self.names > 1 && long * MANY >= table.rows.len();
        let mut names = Vec::new();
        for row in &mut table.rows {
            names.push((is_any || is_long(row)).then(|| std::mem::take(&mut row[0])));
        }
        let header = &mut table.columns[0].0;
        if header.split(' ').any(|word| length(word) > room) {
            *header = header.replace(UNBROKEN, " ");
        }
        let text = table.fitted(width)?.replace(UNBROKEN, " ");
        let header = text.lines().count() - names.len();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for (line, name) in lines.iter_mut().skip(header).zip(names) {
            if let Some(name) = name {
                let words: Vec<&str> = name.split_inclusive([' ', '.', '_', '/']).collect();
                let name = self::lines(&words, width.saturating_sub(3)).join("\n   ");
                line.insert_str(0, &format!(" {name}\n"));
            }
        }
        Some(lines.join("\n") + "\n")
    }

    /// Each row as lines of key and value, under what names it.
    pub(super) fn as_pairs(&self, width: usize) -> String {
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
    pub(super) fn parts(&self, begin: usize, width: usize) -> String {
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
    pub(super) fn part(&self, columns: &[usize], more: Option<usize>) -> Table {
        let chosen: Vec<usize> =
            (0..self.names).chain(columns.iter().copied()).chain(more).collect();
        let rows = self.rows.iter();
        Table {
            columns: chosen.iter().map(|column| self.columns[*column].clone()).collect(),
            rows: rows.map(|row| chosen.iter().map(|at| row[*at].clone()).collect()).collect(),
            names: self.names,
            parts_from: None,
            spare: None,
        }
    }
}
