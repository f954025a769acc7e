//! Sizes that no parameter changes: states of each structure, each of which has a score, and chunks of an address.

/// States of a bimodal counter: a direction and a magnitude of 0 to 7.
pub const BIMODAL_STATES: usize = 16;
/// States of a gshare counter, a direction and a magnitude of 0 to 3, and one for "not asked".
pub const GSHARE_STATES: usize = 9;
/// Classes of match lengths.
pub const MATCH_CLASSES: usize = 8;
/// Values of a confidence counter.
pub const CONFIDENCE_STATES: usize = 8;
/// What the loop predictor can say: nothing, or one of three confidences for or against.
pub const LOOP_STATES: usize = 7;
/// Values of an entry's confidence in the target buffer.
pub const ENTRY_CONFIDENCES: usize = 4;
/// Bits of a number of chunks of an address.
pub const CHUNKS_BITS: u32 = 3;
/// Chunks of an address after the first at most.
pub const MOST_CHUNKS: u32 = (1 << CHUNKS_BITS) - 1;
