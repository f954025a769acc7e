//! Faults in the predictor of the upper address bits of misses.

use super::streams::{design, events};
use super::subject::Subject;
use super::texts::{Fault, fault};

/// eBASE: upper address bits of the misses alone.
pub fn last_value_of_misses() -> Subject {
    let design = design(
        "stream-ebase-64",
        &[("stream_length_bits", "5"), ("miss_index", "allocated"), ("upper_address_bits", "14")],
    );
    Subject { design, programs: [events(33, 95), events(34, 60)] }
}

/// Faults of eBASE alone.
pub const LAST_VALUE_OF_MISSES: &[Fault] = &[
    fault(
        "the last value follows every stream",
        "_start_address_predictor",
        "if (update && sent) begin",
        "if (update) begin",
    ),
    fault(
        "the last value is of one bit less",
        "_start_address_predictor",
        "= start_upper == upper",
        "= start_upper[13:1] == upper[13:1]",
    ),
    fault(
        "the lower bits suffice when they do not",
        "_record_former",
        "sends_start & !start_addresses_matching",
        "sends_start & start_addresses_matching",
    ),
    fault(
        "a stream that exceptions break off goes through the cache",
        "_record_former",
        "whole_hit = is_whole & cache_found",
        "whole_hit = cache_found",
    ),
];
