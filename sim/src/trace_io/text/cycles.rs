//! The lines that say how many cycles there are before an event.

use super::{Problem, Words, decimal, unexpected};

/// The first word of such a line.
pub(super) const WORD: &str = "cycles";

/// Reads a line that begins with [`WORD`].
pub(super) fn parse(words: &mut Words<'_>) -> Result<u64, Problem> {
    words.take(WORD, |word| (word == WORD).then_some(()))?;
    let cycles = words.take("a number of cycles", decimal)?;
    match words.0.next() {
        None => Ok(cycles),
        extra => Err(unexpected("the end of the line", extra)),
    }
}

/// Appends the line of so many cycles.
pub(in crate::trace_io) fn put_cycles(cycles: u64, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(format!("{WORD} {cycles}\n").as_bytes());
}
