//! The records of a Nexus-like module, for docs/formats.md.

use std::fmt::Write;

use super::config::Config;
use super::layout::Layout;
use super::target_coder::CodedTarget;
use crate::config::mask;
use crate::record_table::record;
use crate::stream_detector::{End, Stream};

/// Appends the chapter of this module.
pub fn describe(config: &Config, preset: &str, text: &mut String) {
    let _ = write!(
        text,
        "\n## Nexus-like\n\n\
         The numbers are those of `{preset}`. Whether a target follows the length of a stream that ended with\n\
         a branch depends on that branch, which the decoder knows. Several cores: see above.\n"
    );
    let layout = Layout::new(config);
    let longest = mask(config.stream_length_bits);
    for (what, length, end, has_target) in [
        ("A stream that ended with a taken direct conditional branch", 1, End::Branch, false),
        ("A stream that ended with a taken indirect branch", 1, End::Branch, true),
        ("A stream that is cut at the longest length and goes on behind", longest, End::Cut, false),
        ("A stream that ended with a branch at the longest length", longest, End::Branch, true),
        ("An exception", 1, End::Exception, true),
        ("Flush: the end of the trace, or of a part of it", 1, End::Flush, false),
    ] {
        let mut target = CodedTarget { value: 1, below: false };
        record(text, what, |describer| {
            layout.head(&mut Ok(Stream { length, end }), describer)?;
            if has_target { layout.target(&mut target, describer) } else { Ok(()) }
        });
    }
    let _ = write!(text, "\nCode 3 is kept for records lost by a core that cannot stall.\n");
}
