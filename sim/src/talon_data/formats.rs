//! What the coder of data addresses sends, for docs/formats.md.

use std::fmt::Write;

use super::config::Config;
use crate::record_table::record;

/// Appends the chapter of this scheme.
pub fn describe(config: &Config, preset: &str, text: &mut String) {
    let format = config.format();
    let _ = write!(
        text,
        "\n## Data addresses with coded confidence\n\n\
         The numbers are those of `{preset}`; widths follow the parameters. An access is one symbol of Talon's range coder\n\
         ([talon_data.md](talon_data.md)), and most accesses send no bit. The trace has addresses only: the decoder knows\n\
         from the execution which instructions access memory, and when. After a flush the trace is filled up with zeros to\n\
         a whole trace word. The coder restarts; the table does not.\n"
    );
    let records: [(_, &[&str]); 4] = [
        ("An access whose symbol completes bits of the code", &["sends_code"]),
        (
            "The same, where the code could carry into bits that have been sent",
            &["sends_code", "sends_carry"],
        ),
        ("An access that is not where it was predicted", &["sends_code", "sends_miss"]),
        ("Flush: the end of the trace, or of a part of it", &["flush"]),
    ];
    for (what, flags) in records {
        record(text, what, &format, flags);
    }
    let _ = write!(
        text,
        "\nAn address is the difference (exclusive or) of the data address from its reference. The lowest {} bits of the\n\
         difference follow it as the first bits of the code, which the coder holds back, with the highest bit first, and\n\
         after them the choice of the reference: 0 the last address of the table's entry, 1 the address of the access\n\
         before, which is chosen only if the difference then is the smaller number.\n",
        config.held_back_bits()
    );
}
