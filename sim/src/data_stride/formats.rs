//! The packets of the data address compressor, for docs/formats.md.

use std::fmt::Write;

use super::config::Config;
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
    let format = config.format();
    let records: [(_, &[&str]); 3] = [
        ("The address of an access that missed", &["miss"]),
        ("A pattern of hits and misses is over", &["repetition"]),
        ("Flush: the end of the trace, or of a part of it", &["flush"]),
    ];
    for (what, flags) in records {
        record(text, what, &format, flags);
    }
    let _ = write!(
        text,
        "\nThe accesses of a flush, {} at most, say how many bits `partial_pattern` has.\n",
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
