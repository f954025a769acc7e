//! The packets of N-tuple compression, for docs/formats.md.

use std::fmt::Write;

use super::config::Config;
use crate::record_table::record;

/// Appends the chapter of this scheme.
pub fn describe(config: &Config, preset: &str, text: &mut String) {
    let _ = write!(
        text,
        "\n## N-tuple\n\n\
         The numbers are those of `{preset}`. A stream that is not in the cache is sent at once; an index\n\
         of 0 in the tuple that is sent later marks its position. The packet of an exception has the number of\n\
         streams of that tuple before it. A flush ends the tuple with the indices that it has.\n"
    );
    let format = config.format();
    let records: [(_, &[&str]); 5] = [
        ("A tuple that is in the history buffer", &["sends_age"]),
        ("A tuple that is not in the history buffer", &["sends_age", "sends_tuple"]),
        ("A stream that is not in the stream cache", &["sends_miss"]),
        ("An exception", &["exception", "broken"]),
        ("Flush, with the indices since the last full tuple", &["flush", "broken"]),
    ];
    for (what, flags) in records {
        record(text, what, &format, flags);
    }
    let _ = write!(
        text,
        "\nAfter a flush the trace is filled up with zeros to a whole trace word; the tables are not\n\
         reset. Code 3 is reserved for records that are lost because a core cannot stall.\n"
    );
}
