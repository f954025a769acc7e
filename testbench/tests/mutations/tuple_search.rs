//! What finds faults in N-tuple with its tuples in memories: in the search, and in what waits for it.

use super::streams::{both_ends, design, events};
use super::subject::Subject;

/// Few short tuples in two memories, one place of which is beyond the history.
pub fn subject() -> Subject {
    let design = design(
        "ntuple-32x4-memory",
        &[
            ("stream_cache_entries", "16"),
            ("stream_length_bits", "5"),
            ("tuple_length", "3"),
            ("tuple_history_entries", "5"),
            ("tuples_per_cycle", "2"),
        ],
    );
    let mut programs = [events(37, 95), events(38, 80)];
    programs[0].splice(0..0, both_ends());
    Subject { design, programs }
}
