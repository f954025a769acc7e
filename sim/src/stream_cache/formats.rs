//! The records of stream cache and last stream predictor, for docs/formats.md.

use std::fmt::Write;

use super::config::Config;
use super::layout::{Layout, Miss};
use crate::config::mask;
use crate::record_table::record;
use crate::stream_detector::End;

/// Appends the chapter of this scheme.
pub fn describe(config: &Config, preset: &str, text: &mut String) {
    let _ = write!(
        text,
        "\n## Stream cache and last stream predictor\n\n\
         The numbers are those of `{preset}`. Without a one length counter `hit` is all there is of a stream\n\
         that was predicted; with one, the number of bits of `run` adapts (here as reset leaves it). Without a\n\
         last value of the start address there is no `whole_start`, and all bits of the start are sent.\n\n\
         The start address is sent where the program does not tell it: behind an indirect branch and behind an\n\
         exception. It is not where the stream before ended with a direct branch, was cut or flushed, and at\n\
         the first stream; the tables take the start behind a cut to lie as many instruction units on as the\n\
         cut stream has instructions, behind a flush where it was, and 0 at first.\n"
    );
    let layout = Layout::new(config);
    let longest = mask(config.cache.stream_length_bits);
    record(text, "Streams that were predicted, one after the other", |describer| {
        layout.head(&mut true, describer)?;
        if config.one_length_counter {
            layout.run(config.one_length_start_bits, &mut 1, describer)?;
        }
        Ok(())
    });
    record(text, "A stream that was not predicted and is in the stream cache", |describer| {
        layout.head(&mut false, describer)?;
        layout.index(&mut 1, describer)
    });
    for (what, inferred, whole, length, end) in [
        (
            "A stream that is not in the cache, from where the program tells",
            true,
            false,
            1,
            End::Branch,
        ),
        (
            "A stream that is not in the cache, upper address bits as before",
            false,
            false,
            1,
            End::Branch,
        ),
        ("A stream that is not in the cache, with its whole start", false, true, 1, End::Branch),
        ("A cut stream that is not in the cache", true, false, longest, End::Cut),
        (
            "An exception; no table learns of the instructions before it",
            true,
            false,
            1,
            End::Exception,
        ),
        (
            "Flush: the end of the trace, or of a part of it; no table learns of it",
            true,
            false,
            1,
            End::Flush,
        ),
    ] {
        let mut miss = Miss { start: 1, whole, length, end: Ok(end) };
        record(text, what, |describer| {
            layout.head(&mut false, describer)?;
            layout.index(&mut 0, describer)?;
            layout.miss(inferred, &mut miss, describer)
        });
    }
    let _ = write!(
        text,
        "\nAfter a flush the trace is filled up with zeros to a whole trace word; the tables go on. Code 3 is\n\
         kept for records lost by a core that cannot stall.\n"
    );
}
