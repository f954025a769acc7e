//! How many bits a map has.

use tracewright_elaborate::prelude::*;

/// The map of 2^n branches or more has 2^(n+1) - 1 bits.
#[piece]
pub(crate) fn counts_map() {
    whole_map = branches
        | (branches >> one)
        | (branches >> two)
        | ((branches >> one) >> two)
        | (branches >> four);
}
