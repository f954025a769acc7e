//! The lines of states.

use super::{Problem, Words, address, number, unexpected};
use crate::event::ExecutionState;

/// The first word of such a line.
pub(super) const WORD: &str = "state";

/// Reads a line that begins with [`WORD`].
pub(super) fn parse(words: &mut Words<'_>) -> Result<ExecutionState, Problem> {
    words.take(WORD, |word| (word == WORD).then_some(()))?;
    let context =
        words.take("a context, such as context=0x3", |word| prefixed(word, "context="))?;
    let privilege =
        words.take("a privilege level, such as privilege=1", |word| number(word, "privilege="))?;
    let cause = match words.0.next() {
        None => None,
        Some(word) => Some(prefixed(word, "cause=").ok_or_else(|| {
            unexpected("a cause, such as cause=0x8, or the end of the line", Some(word))
        })?),
    };
    match words.0.next() {
        None => Ok(ExecutionState { context, privilege, cause }),
        extra => Err(unexpected("the end of the line", extra)),
    }
}

fn prefixed(word: &str, prefix: &str) -> Option<u64> {
    address(word.strip_prefix(prefix)?)
}

/// Appends the line of a state.
pub(in crate::trace_io) fn put_state(state: &ExecutionState, bytes: &mut Vec<u8>) {
    let ExecutionState { context, privilege, cause } = state;
    let cause = cause.map_or_else(String::new, |cause| format!(" cause={cause:#x}"));
    let line = format!("{WORD} context={context:#x} privilege={privilege}{cause}\n");
    bytes.extend_from_slice(line.as_bytes());
}
