//! The order of rows by the numbers that the port gives to instructions.

use tracewright_sim::ingress::Queue;

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

/// True if a number comes right after another; the pin of an adapter counts modulo 8.
pub(crate) fn follows(before: u64, number: u64) -> bool {
    number == before.wrapping_add(1) || (before, number) == (7, 0)
}

/// Puts the rows of a cycle, as many as an adapter takes, into the order of their numbers. The first one that was not in it,
/// before that.
pub(crate) fn sort_cycle<T>(rows: &mut [T], number: impl Fn(&T) -> Option<u64>) -> Option<usize> {
    let first = number(rows.first()?)?;
    if rows.len() > *Queue::LANES.end() as usize || rows.iter().any(|row| number(row).is_none()) {
        return None;
    }
    // Numbers of a cycle are less than four apart, and may be those of a pin of three bits.
    let place = |row: &T| number(row).unwrap_or(first).wrapping_sub(first).wrapping_add(4) & 7;
    let late = rows.windows(2).position(|pair| place(&pair[1]) < place(&pair[0]))?;
    rows.sort_by_key(place);
    Some(late + 1)
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
            // A pin of three bits begins anew.
            _ if follows(expected.wrapping_sub(1), number) => {
                self.give(row, Ordered::Next, take);
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
