//! The packets of the data address compressor, for docs/formats.md.

use std::fmt::Write;

use super::config::Config;
use super::layout::{Layout, Packet};
use crate::config::mask;
use crate::record_table::record;

/// Appends the chapter of this scheme.
pub fn describe(config: &Config, preset: &str, text: &mut String) {
    let _ = write!(
        text,
        "\n## Data addresses\n\n\
         The numbers are those of `{preset}`. The trace has addresses only: which instruction accesses memory,\n\
         and when, the decoder knows from the execution. An address belongs to the next 0 in a pattern that has\n\
         none yet; it comes before its pattern does. After a flush the trace is filled up with zeros to a whole\n\
         trace word, and the next pattern begins; the cache goes on.\n"
    );
    let address = 1;
    let layout = Layout::new(config);
    for (what, mut packet) in [
        ("The address of an access that missed", Packet::Miss { address }),
        ("A pattern of hits and misses is over", Packet::Repetition { pattern: 0, count: 1 }),
        (
            "Flush: the end of the trace, or of a part of it",
            Packet::Flush { pattern: 0, accesses: (config.pattern_bits - 1).into() },
        ),
    ] {
        record(text, what, |describer| layout.packet(&mut packet, describer));
    }
    let _ = write!(
        text,
        "\nThe accesses of a flush, {} at most, say how many bits `partial_pattern` has.\n",
        config.pattern_bits - 1
    );
    let layout = Layout::new(&Config { data_repetitions: false, ..config.clone() });
    let all_ones = mask(config.processor.address_width);
    for (what, mut packet) in [
        ("Without `data_repetitions`: a hit", Packet::Hit),
        ("Without `data_repetitions`: a miss", Packet::Miss { address }),
        (
            "Without `data_repetitions`: a miss at the address of all ones",
            Packet::Miss { address: all_ones },
        ),
        (
            "Without `data_repetitions`: flush, with the address of all ones",
            Packet::Flush { pattern: 0, accesses: 0 },
        ),
    ] {
        record(text, what, |describer| layout.packet(&mut packet, describer));
    }
}
