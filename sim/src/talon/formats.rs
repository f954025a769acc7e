//! What Talon sends, for docs/formats.md.

use std::fmt::Write;

use super::config::Config;
use crate::record_table::record;

/// Appends the chapter of this scheme.
pub fn describe(config: &Config, preset: &str, text: &mut String) {
    let format = config.format();
    let _ = write!(
        text,
        "\n## Talon\n\n\
         The numbers are those of `{preset}`; widths follow the parameters. A branch is one symbol of a range coder\n\
         ([talon.md](talon.md)), and most branches send no bit. What follows is all that one branch, exception or flush\n\
         can send. A symbol's code has bits that belong to the symbols before it too.\n\n\
         After a flush the trace is filled up with zeros to a whole trace word: the smallest multiple of the\n\
         port's width that has at least 8 bits. The coder restarts; the predictors do not.\n"
    );
    let records: [(_, &[&str]); 7] = [
        ("A branch whose symbol completes bits of the code", &["sends_code"]),
        (
            "The same, where the code could carry into bits that have been sent",
            &["sends_code", "sends_carry"],
        ),
        (
            "An indirect branch to a target that is not the candidate",
            &["sends_code", "sends_detour", "sends_address"],
        ),
        ("An exception to the target of the last one, soon after a symbol", &["sends_escape"]),
        ("Another exception", &["sends_escape", "sends_count", "sends_detour", "sends_address"]),
        (
            "Flush: the end of the trace, or of a part of it",
            &["flush", "sends_escape", "sends_count"],
        ),
        (
            "How often half of the instruction counter's range was subtracted from it",
            &["sends_escape", "sends_count"],
        ),
    ];
    for (what, flags) in records {
        record(text, what, &format, flags);
    }
    let _ = write!(
        text,
        "\nAn address is the difference (exclusive or) of the target from its reference: the last target of the branch's\n\
         entry in the target buffer, or the branch itself where there is none. Its lowest {} bits follow it as the first\n\
         bits of the code, which the coder holds back. Where an escape has no instruction count, these {} bits after it are\n\
         the count, with the highest bit first. After an overflow they are 0.\n\
         \n\
         Overflows of the instruction counter are counted, and a symbol clears the count. An exception or a flush after\n\
         at least one is sent as two escapes: the overflows, then itself. A number of 0 stands alone and says {}\n\
         overflows: the count has left its range.\n",
        config.guard_bits,
        config.guard_bits,
        1u64 << config.overflow_count_bits()
    );
}
