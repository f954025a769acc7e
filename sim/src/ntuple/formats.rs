//! The packets of N-tuple compression, for docs/formats.md.

use std::fmt::Write;

use super::config::Config;
use super::layout::{Head, Layout};
use crate::record_table::record;
use crate::stream_cache::stream_cache::Descriptor;
use crate::stream_detector::End;

/// Appends the chapter of this scheme.
pub fn describe(config: &Config, preset: &str, text: &mut String) {
    let _ = write!(
        text,
        "\n## N-tuple\n\n\
         The numbers are those of `{preset}`. A stream that is not in the cache is sent as it happens; where\n\
         it belongs says a 0 among the indices of the tuple that comes later. An exception says how many\n\
         streams of that tuple came before it. A flush ends the tuple with the indices there are.\n"
    );
    let layout = Layout::new(config);
    let mut tuple = Default::default();
    for (what, mut age) in
        [("A tuple that is in the history buffer", 1), ("A tuple that is not", 0)]
    {
        record(text, what, |describer| {
            layout.head(&mut Head::Tuple, describer)?;
            layout.tuple(&mut age, &mut tuple, describer)
        });
    }
    let mut stream = Descriptor::default();
    record(text, "A stream that is not in the stream cache", |describer| {
        layout.head(&mut Head::Miss, describer)?;
        layout.miss(&mut stream, describer)
    });
    for (what, end) in [
        ("An exception", End::Exception),
        ("Flush, here with one stream since the last full tuple", End::Flush),
    ] {
        record(text, what, |describer| {
            layout.head(&mut Head::Broken(Ok(end)), describer)?;
            layout.broken(end, &mut 1, &mut tuple, &mut stream, describer)
        });
    }
    let _ = write!(
        text,
        "\nAfter a flush the trace is filled up with zeros to a whole trace word; the tables go on. Code 3 is\n\
         kept for records lost by a core that cannot stall.\n"
    );
}
