//! Readers of the formats that are logs: lines of text that say what executed.

pub(crate) mod cva6;
pub(crate) mod ibex;
pub(crate) mod pattern;
pub(crate) mod qemu;
pub(crate) mod spike;

use std::io::BufRead;

use crate::error::Problem;
use crate::follower::Follower;
use crate::lines::Lines;

/// Reads the lines of one format.
pub(crate) trait LogReader {
    /// Takes a line that is not empty; false if it is none of the format.
    fn line(&mut self, line: &[u8], follower: &mut Follower<'_>) -> Result<bool, Problem>;

    /// Takes what was held back until the next line.
    fn finish(&mut self, follower: &mut Follower<'_>) -> Result<(), Problem>;

    /// True if the log has marked exceptions and interrupts, where the format may also leave them out.
    fn marks_exceptions(&self) -> bool {
        false
    }
}

/// Reads a log to its end.
pub(crate) fn read(
    reader: &mut dyn LogReader,
    lines: &mut Lines<impl BufRead>,
    follower: &mut Follower<'_>,
) -> Result<(), Problem> {
    while let Some(line) = lines.next_line()? {
        if line.is_empty() {
            continue;
        }
        match reader.line(line, follower)? {
            true => follower.lines += 1,
            false => follower.other_lines += 1,
        }
    }
    follower.marks_exceptions = reader.marks_exceptions();
    reader.finish(follower)
}
