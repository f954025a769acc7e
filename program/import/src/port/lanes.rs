//! The order of the lanes of a cycle where the port does not number instructions.

use tracewright_image::InstructionSet;

use super::row::Row;
use super::word::{Leads, Word};

/// Rows of a cycle that are looked at together.
const LANES_MAX: usize = 64;

/// The rows of one cycle, until the next cycle comes.
#[derive(Clone, Debug, Default)]
pub(super) struct Lanes {
    rows: Vec<Row>,
}

impl Lanes {
    /// Takes a row; gives those of the cycle before if it is of another one.
    pub(super) fn push(&mut self, row: Row) -> Vec<Row> {
        let is_same = row.cycle.is_some()
            && self.rows.len() < LANES_MAX
            && self.rows.last().is_some_and(|last| last.cycle == row.cycle);
        let before = if is_same { Vec::new() } else { self.finish() };
        self.rows.push(row);
        before
    }

    /// Gives the rows of the last cycle.
    pub(super) fn finish(&mut self) -> Vec<Row> {
        std::mem::take(&mut self.rows)
    }
}

/// True if rows of a cycle without numbers follow each other from the last to the first, and not the other way.
pub(super) fn are_reversed(set: InstructionSet, rows: &[Row]) -> bool {
    let follows = |row: &Row, next: &Row| leads(set, row, next.program_counter) == Some(true);
    let is_left = |row: &Row, next: &Row| leads(set, row, next.program_counter) == Some(false);
    rows.iter().all(|row| row.number.is_none())
        && rows.windows(2).any(|pair| is_left(&pair[0], &pair[1]))
        && rows.windows(2).all(|pair| follows(&pair[1], &pair[0]))
}

/// True if the word of a row leads to an address; `None` if it can lead anywhere.
fn leads(set: InstructionSet, row: &Row, to: u64) -> Option<bool> {
    let at = row.program_counter;
    let word = Word::of(set, at, row.word?);
    let is_following = to == word.following(at) || to == at.wrapping_add(2);
    match word.leads {
        Leads::On => Some(is_following),
        Leads::To(target) => Some(to == target),
        Leads::Either(target) => Some(to == target || is_following),
        Leads::Jump | Leads::Return => None,
    }
}
