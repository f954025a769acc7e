//! The records of stream cache and last stream predictor, for docs/formats.md.

use std::fmt::Write;

use super::config::Config;
use crate::record_table::record;

/// Appends the chapter of this scheme.
pub fn describe(config: &Config, preset: &str, text: &mut String) {
    let _ = write!(
        text,
        "\n## Stream cache and last stream predictor\n\n\
         The numbers are those of `{preset}`. Without a one length counter, `hit` is the whole record of a\n\
         predicted stream; with one, the number of bits of `run` adapts, and is {} after reset. Without a\n\
         last value of the start address there is no `whole_start`, and all bits of the start are sent.\n\n\
         The start address is sent where it does not follow from the program: after an indirect branch and after\n\
         an exception. It is not sent after a stream that ended with a direct branch, was cut or flushed, nor for\n\
         the first stream. For the tables, the start after a cut is that of the cut stream plus one instruction\n\
         unit per instruction; a flush does not change the start; and the first start is 0.\n",
        config.one_length_start_bits
    );
    let format = config.format();
    let records: [(_, &[&str]); 8] = [
        ("Streams that were predicted, one after the other", &["hit"]),
        ("A stream that was not predicted and is in the stream cache", &["sends_index"]),
        (
            "A stream that is not in the cache, whose start follows from the program",
            &["sends_index", "sends_length"],
        ),
        (
            "A stream that is not in the cache, with the upper address bits of the last value",
            &["sends_index", "sends_lower_start", "sends_length"],
        ),
        (
            "A stream that is not in the cache, with its whole start",
            &["sends_index", "sends_whole_start", "sends_length"],
        ),
        ("A cut stream that is not in the cache", &["sends_index", "sends_end"]),
        (
            "An exception; no table is updated by the instructions before it",
            &["sends_index", "sends_end", "sends_partial"],
        ),
        (
            "Flush: the end of the trace, or of a part of it; no table is updated by it",
            &["sends_index", "sends_end", "sends_partial"],
        ),
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
