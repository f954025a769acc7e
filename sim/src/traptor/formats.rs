//! The records of T-raptor, for docs/formats.md.

use std::fmt::Write;

use super::config::Config;
use super::layout::record_format;
use crate::record_table::record;

/// Appends the chapter of this scheme.
pub fn describe(config: &Config, preset: &str, text: &mut String) {
    let format = record_format(config, false);
    let _ = write!(
        text,
        "\n## T-raptor\n\n\
         The numbers are those of `{preset}`; chunk sizes and widths follow the parameters. Which fields\n\
         follow a branch count depends on the instruction it leads to, which the decoder knows.\n\n\
         After a flush record the trace is filled up with zeros to a whole trace word: the smallest multiple\n\
         of the port's width that has at least 8 bits. Both counters start again at 0, the predictors go on.\n"
    );
    let records: [(_, &[&str]); 7] = [
        ("A direct conditional branch went the other way", &["sends_branch_count"]),
        (
            "An indirect branch was predicted taken, and was not",
            &["sends_branch_count", "sends_outcome"],
        ),
        (
            "An indirect branch went to another target, or was taken after all",
            &["sends_branch_count", "sends_outcome", "sends_target"],
        ),
        ("An exception", &["exception", "sends_instruction_count", "sends_target"]),
        ("Flush: the end of the trace, or of a part of it", &["flush", "sends_instruction_count"]),
        (
            "Branch count overflow: as many branches as the counter can count were predicted; clears both counters",
            &["branch_count_overflow"],
        ),
        (
            "Instruction count overflow: half the counter's range was taken off it",
            &["instruction_count_overflow"],
        ),
    ];
    for (what, flags) in records {
        record(text, what, &format, flags);
    }
    let _ = write!(
        text,
        "\nCode 3 behind the escape is kept for records lost by a core that cannot stall; a decoder of this version\n\
         refuses it.\n"
    );
}
