//! The order of rows by the numbers that the port gives to instructions.

use super::row::Row;

/// Rows that wait at most for one with a lower number.
const WAITING_MAX: usize = 16;

/// Puts rows into the order of their numbers, as far as lanes or a testbench have mixed up a few.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// The number of the next row.
    next: Option<u64>,
    /// Rows with higher numbers.
    waiting: Vec<Row>,
}

/// A row in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ordered {
    /// The row after the last one.
    Next(Row),
    /// The same, but the log had it after one with a higher number.
    Late(Row),
    /// Rows are missing before this one.
    AfterGap(Row),
    /// A row with a number that has been before.
    Again(Row),
}

impl Order {
    /// Takes a row of the log, and gives `take` the rows whose turn it is.
    pub(super) fn push(&mut self, row: Row, take: &mut dyn FnMut(Ordered)) {
        let Some(number) = row.number else { return take(Ordered::Next(row)) };
        let expected = *self.next.get_or_insert(number);
        match number.wrapping_sub(expected) {
            0 => {
                let late = !self.waiting.is_empty();
                self.give(row, if late { Ordered::Late } else { Ordered::Next }, take);
            }
            ahead if ahead <= WAITING_MAX as u64 => {
                self.waiting.push(row);
                if self.waiting.len() >= WAITING_MAX {
                    self.skip(take);
                }
            }
            // A much higher number follows a gap, and 0 begins anew.
            ahead if ahead < u64::MAX / 2 || number == 0 => {
                self.finish(take);
                self.give(row, Ordered::AfterGap, take);
            }
            _ => take(Ordered::Again(row)),
        }
    }

    /// The log has ended: gives the rows that still wait.
    pub(super) fn finish(&mut self, take: &mut dyn FnMut(Ordered)) {
        while !self.waiting.is_empty() {
            self.skip(take);
        }
    }

    /// Gives a row, and those that waited for it alone.
    fn give(&mut self, row: Row, how: fn(Row) -> Ordered, take: &mut dyn FnMut(Ordered)) {
        self.next = row.number.map(|number| number.wrapping_add(1));
        take(how(row));
        while let Some(place) = self.waiting.iter().position(|row| row.number == self.next) {
            let row = self.waiting.swap_remove(place);
            self.next = row.number.map(|number| number.wrapping_add(1));
            take(Ordered::Next(row));
        }
    }

    /// Goes on after a gap at the lowest number that waits.
    fn skip(&mut self, take: &mut dyn FnMut(Ordered)) {
        let next = self.next.unwrap_or(0);
        let distance = |row: &Row| row.number.unwrap_or(0).wrapping_sub(next);
        if let Some(place) = (0..self.waiting.len()).min_by_key(|at| distance(&self.waiting[*at])) {
            let row = self.waiting.swap_remove(place);
            self.give(row, Ordered::AfterGap, take);
        }
    }
}
