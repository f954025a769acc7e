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
         of the port's width that has at least 8 bits. Both counters are reset to 0; the predictors are not.\n"
    );
    let records: [(_, &[&str]); 7] = [
        ("A direct conditional branch was mispredicted", &["sends_branch_count"]),
        (
            "An indirect branch was predicted taken, but was not taken",
            &["sends_branch_count", "sends_outcome"],
        ),
        (
            "An indirect branch was taken to another target than predicted, or was predicted not taken",
            &["sends_branch_count", "sends_outcome", "sends_target"],
        ),
        ("An exception", &["exception", "sends_instruction_count", "sends_target"]),
        ("Flush: the end of the trace, or of a part of it", &["flush", "sends_instruction_count"]),
        (
            "Branch count overflow: as many branches as the counter can count were predicted; clears both counters",
            &["branch_count_overflow"],
        ),
        (
            "Instruction count overflow: half of the counter's range was subtracted from it",
            &["instruction_count_overflow"],
        ),
    ];
    for (what, flags) in records {
        record(text, what, &format, flags);
    }
    let _ = write!(
        text,
        "\nCode 3 after the escape is reserved for records that are lost because a core cannot stall; a decoder of this\n\
         version refuses it.\n"
    );
}
