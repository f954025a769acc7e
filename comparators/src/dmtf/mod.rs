//! DMTF, double move to front, which paper C compares with (its reference 12): eDMTF(192,4).
//!
//! The first history table has the 192 most recent streams in the order of their last use, and turns a stream into its
//! place there. The second has the 4 most recent of these places, and turns a place into its place there. A loop of
//! streams is a run of zeros after both. Paper C gives the sizes only. As the enhancement this model has what paper A
//! has: the upper bits of a start address are left out where they are the last ones, and runs of zeros are sent as
//! numbers by an adaptive counter. Records are a choice of this model:
//!
//! | record | bits |
//! |---|---|
//! | a run of zeros | `1`, then as many bits as the counter has |
//! | place 1 to 3 of the second table | `0`, 2 bits |
//! | a stream of the first table, its place not in the second | `0`, `00`, 8 bits |
//! | a stream in no table | `0`, `00`, 192, its start unless inferred, its length |
//! | what an exception or the end of the trace leaves of a stream | `0`, `00`, 193 or 194, start, length |

mod decoder;
mod encoder;
mod history;

use tracewright_sim::stream_cache::config::{Config, LastValueStartAddress};

use crate::Core;

pub use decoder::decode;
pub use encoder::encoder;

/// Streams of the first table.
const STREAMS: usize = 192;

/// Places of the second table.
const PLACES: usize = 4;

/// Bits of a place in the first table, of which the largest values are free.
const STREAM_PLACE_BITS: u32 = 8;

/// Bits of a place in the second table.
const PLACE_BITS: u32 = 2;

/// Instead of a place: a stream that is in no table.
const MISS: u64 = STREAMS as u64;

/// Instead of a place: an exception ended the stream.
const EXCEPTION: u64 = MISS + 1;

/// Instead of a place: the trace ends.
const END: u64 = MISS + 2;

/// Bits of a stream's length.
const LENGTH_BITS: u32 = 8;

/// Storage in bits, for ARM: 30 start address bits and 8 of the length, 8 of a place, and 14 last upper bits.
pub const STORAGE: &[(&str, u32)] = &[
    ("streams", STREAMS as u32 * (30 + LENGTH_BITS)),
    ("places", PLACES as u32 * STREAM_PLACE_BITS),
    ("upper_address", 14),
];

const _: () = assert!(STREAM_PLACE_BITS >= 8 && PLACES == 1 << PLACE_BITS && STREAMS < 253);

/// The fields of records.
mod fields {
    use tracewright_sim::field::Field;

    pub const FLAG: Field = Field { name: "flag", doc: "1: a run of zeros" };
    pub const RUN: Field = Field { name: "run", doc: "zeros, less 1" };
    pub const PLACE: Field = Field { name: "place", doc: "place in the second table, 0 for none" };
    pub const STREAM_PLACE: Field = Field { name: "stream_place", doc: "place in the first table" };
    pub const UPPER: Field = Field { name: "upper", doc: "1: the upper start address bits follow" };
    pub const START: Field = Field { name: "start", doc: "start address, or its lower bits" };
    pub const LENGTH: Field =
        Field { name: "length", doc: "instructions, 0 for a stream that was cut" };
}

/// The parameters of what this shares with paper A.
fn shared(core: &Core) -> Config {
    Config {
        processor: core.processor(),
        last_value_start_address: LastValueStartAddress::Misses,
        one_length_counter: true,
        ..Config::default()
    }
}

/// Bits of a start address: all, and those below the last upper ones.
fn start_bits(core: &Core) -> (u32, u32) {
    let all = core.processor().instruction_address_bits();
    (all, 18 - core.processor().alignment)
}
