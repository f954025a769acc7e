//! Efficient Trace for RISC-V (E-Trace), version 2, by its fields.
//!
//! The outcomes of branches are collected in a map of up to 31; the address after a jump whose target the program does
//! not tell is sent as the difference from the last one. Every payload is cut to whole bytes where its upper bits only
//! repeat its sign, and has a header of one byte (RISC-V encapsulation). The base equals what the crate `riscv-etrace`
//! makes, byte for byte; a test compares them. The optional extensions are:
//!
//! * implicit return: a return to the address that a stack of return addresses predicts is not reported;
//! * branch prediction: a table of 2-bit counters; while it is right, branches are only counted;
//! * jump target cache: an index instead of an address.
//!
//! This model has no traps: an exception that is not the reset at the start of a trace is refused.

mod decoder;
mod encoder;
mod payload;

pub use decoder::decode;
pub use encoder::encoder;

/// Which optional extensions are on, by the binary logarithm of their entries; 0 is off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Entries of the stack of return addresses.
    pub return_stack_bits: u32,
    /// Entries of the branch predictor.
    pub prediction_bits: u32,
    /// Entries of the jump target cache.
    pub cache_bits: u32,
}

/// Branches of a full map.
const FULL_MAP: u32 = 31;

/// Bits of the map of this many branches: the smallest of 1, 3, 7, 15 and 31 that holds them.
fn map_bits(branches: u32) -> u32 {
    (branches + 1).next_power_of_two() - 1
}

/// The fields of payloads.
mod fields {
    use tracewright_sim::field::Field;

    pub const HEADER: Field = Field { name: "header", doc: "bytes of the payload" };
    pub const FORMAT: Field = Field { name: "format", doc: "the kind of payload" };
    pub const SUBFORMAT: Field = Field { name: "subformat", doc: "the kind within the format" };
    pub const BRANCH: Field =
        Field { name: "branch", doc: "0: the first instruction is a taken branch" };
    pub const PRIVILEGE: Field =
        Field { name: "privilege", doc: "privilege level, always user here" };
    pub const ADDRESS: Field =
        Field { name: "address", doc: "an address, or its difference from the last" };
    pub const NOTIFY: Field = Field { name: "notify", doc: "never set here; sent as a difference" };
    pub const UPDISCON: Field =
        Field { name: "updiscon", doc: "the trace ends after the jump; sent as a difference" };
    pub const IRREPORT: Field =
        Field { name: "irreport", doc: "a return was not predicted; sent as a difference" };
    pub const IRDEPTH: Field =
        Field { name: "irdepth", doc: "depth of the stack of return addresses" };
    pub const BRANCHES: Field = Field { name: "branches", doc: "branches in the map, 0 for 31" };
    pub const BRANCH_MAP: Field =
        Field { name: "branch_map", doc: "1 for each branch that is not taken" };
    pub const BRANCH_COUNT: Field =
        Field { name: "branch_count", doc: "branches that were predicted, less 31" };
    pub const BRANCH_FORMAT: Field = Field { name: "branch_format", doc: "what follows the count" };
    pub const INDEX: Field = Field { name: "index", doc: "index in the jump target cache" };
    pub const PADDING: Field = Field { name: "padding", doc: "the sign, up to a whole byte" };
}
