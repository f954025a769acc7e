//! The packets of the data address compressor, for docs/formats.md.

use std::fmt::Write;

use super::config::Config;
use crate::record_table::record;

/// Appends the chapter of this scheme.
pub fn describe(config: &Config, preset: &str, text: &mut String) {
    let _ = write!(
        text,
        "\n## Data addresses\n\n\
         The numbers are those of `{preset}`. The trace has addresses only: the decoder knows from the\n\
         execution which instructions access memory, and when. Addresses belong to the zeros of the pattern that\n\
         follows them and of its repetitions, in order. After a flush the trace is filled up with zeros to a whole\n\
         trace word, and the next pattern begins; the cache is not reset.\n"
    );
    let format = config.format();
    let records: [(_, &[&str]); 3] = [
        ("The address of an access that missed", &["miss"]),
        ("A pattern of hits and misses has ended", &["repetition"]),
        ("Flush: the end of the trace, or of a part of it", &["flush"]),
    ];
    for (what, flags) in records {
        record(text, what, &format, flags);
    }
    let _ = write!(
        text,
        "\nThe number of accesses in a flush, {} at most, is the number of bits of `partial_pattern`.\n",
        config.pattern_bits - 1
    );
    let format = Config { data_repetitions: false, ..config.clone() }.format();
    let records: [(_, &[&str]); 4] = [
        ("Without `data_repetitions`: a hit", &["access"]),
        ("Without `data_repetitions`: a miss", &["access", "miss"]),
        (
            "Without `data_repetitions`: a miss at the address of all ones",
            &["access", "miss", "all_ones"],
        ),
        ("Without `data_repetitions`: flush, with the address of all ones", &["flush"]),
    ];
    for (what, flags) in records {
        record(text, what, &format, flags);
    }
}
