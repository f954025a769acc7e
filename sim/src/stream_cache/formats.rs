//! The records of stream cache and last stream predictor, for docs/formats.md.

use std::fmt::Write;

use super::config::Config;
use crate::record_table::record;

/// Appends the chapter of this scheme.
pub fn describe(config: &Config, preset: &str, text: &mut String) {
    let _ = write!(
        text,
        "\n## Stream cache and last stream predictor\n\n\
         The numbers are those of `{preset}`. Without a one length counter `hit` is all there is of a stream\n\
         that was predicted; with one, the number of bits of `run` adapts, {} after reset. Without a\n\
         last value of the start address there is no `whole_start`, and all bits of the start are sent.\n\n\
         The start address is sent where the program does not tell it: behind an indirect branch and behind an\n\
         exception. It is not where the stream before ended with a direct branch, was cut or flushed, and at\n\
         the first stream; the tables take the start behind a cut to lie as many instruction units on as the\n\
         cut stream has instructions, behind a flush where it was, and 0 at first.\n",
        config.one_length_start_bits
    );
    let format = config.format();
    let records: [(_, &[&str]); 8] = [
        ("Streams that were predicted, one after the other", &["hit"]),
        ("A stream that was not predicted and is in the stream cache", &["sends_index"]),
        (
            "A stream that is not in the cache, from where the program tells",
            &["sends_index", "sends_length"],
        ),
        (
            "A stream that is not in the cache, upper address bits as before",
            &["sends_index", "sends_lower_start", "sends_length"],
        ),
        (
            "A stream that is not in the cache, with its whole start",
            &["sends_index", "sends_whole_start", "sends_length"],
        ),
        ("A cut stream that is not in the cache", &["sends_index", "sends_end"]),
        (
            "An exception; no table learns of the instructions before it",
            &["sends_index", "sends_end", "sends_partial"],
        ),
        (
            "Flush: the end of the trace, or of a part of it; no table learns of it",
            &["sends_index", "sends_end", "sends_partial"],
        ),
    ];
    for (what, flags) in records {
        record(text, what, &format, flags);
    }
    let _ = write!(
        text,
        "\nAfter a flush the trace is filled up with zeros to a whole trace word; the tables go on. Code 3 is\n\
         kept for records lost by a core that cannot stall.\n"
    );
}
