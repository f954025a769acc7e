//! The papers' gate estimate: 1.5 gates per bit of storage, and a constant for everything else.
//!
//! No paper prints the rule. Paper C's Figure 10 gives it: B4 has 1,024 bits more than M4 in its gshare
//! predictor and costs 1,536 gates more. What is left of S0, M4 and B4 is then 427 gates for each, if the
//! stack's pointer and one recency bit a set count as storage; and paper E's three modules come to their
//! printed hundreds with the same constant. It stands for the history registers, the counters, the
//! encoder and the control.

/// Gates of two bits of storage, which is a whole number.
const GATES_OF_TWO_BITS: u32 = 3;

/// Gates of one core's module that are not storage.
pub const CONSTANT_GATES: u32 = 427;

/// The estimate for `storage` in bits, with the trace modules of `cores` cores.
pub fn gates(storage: &[(&str, u32)], cores: u32) -> u32 {
    GATES_OF_TWO_BITS * bits(storage) / 2 + CONSTANT_GATES * cores
}

/// All bits of a list of storage.
pub fn bits(storage: &[(&str, u32)]) -> u32 {
    storage.iter().map(|(_, bits)| bits).sum()
}
