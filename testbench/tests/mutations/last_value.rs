//! What finds faults in the predictor of the upper address bits of misses.

use super::streams::{both_ends, design, events};
use super::subject::Subject;

/// eBASE: upper address bits of the misses alone.
pub fn last_value_of_misses() -> Subject {
    let design = design(
        "stream-ebase-64",
        &[("stream_length_bits", "5"), ("miss_index", "allocated"), ("upper_address_bits", "14")],
    );
    let mut programs = [events(33, 95), events(34, 60)];
    programs[0].splice(0..0, both_ends());
    Subject { design, programs }
}
