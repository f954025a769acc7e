//! The records of a Nexus-like module, for docs/formats.md.

use std::fmt::Write;

use super::config::Config;
use crate::record_table::record;

/// Appends the chapter of this module.
pub fn describe(config: &Config, preset: &str, text: &mut String) {
    let _ = write!(
        text,
        "\n## Nexus-like\n\n\
         The numbers are those of `{preset}`. Whether a target follows the length of a stream that ended with\n\
         a branch depends on that branch, which the decoder knows. The section above describes several cores.\n"
    );
    let format = config.format();
    let records: [(_, &[&str]); 6] = [
        ("A stream that ended with a taken direct conditional branch", &["has_length"]),
        ("A stream that ended with a taken indirect branch", &["has_length", "has_target"]),
        ("A stream that is cut at the longest length and continues", &["cut"]),
        ("A stream that ended with a branch at the longest length", &["coded", "has_target"]),
        ("An exception", &["coded", "has_length", "has_target"]),
        ("Flush: the end of the trace, or of a part of it", &["coded", "has_length"]),
    ];
    for (what, flags) in records {
        record(text, what, &format, flags);
    }
    let _ = write!(
        text,
        "\nCode 3 is reserved for records that are lost because a core cannot stall.\n"
    );
}
