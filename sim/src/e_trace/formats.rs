//! The records of E-Trace, for docs/formats.md.

use std::fmt::Write;

use super::config::Config;
use crate::record_table::record;

/// Appends the chapter of this scheme.
pub fn describe(config: &Config, preset: &str, text: &mut String) {
    let (format, most_passes) = (config.format(), config.most_passes());
    let _ = write!(
        text,
        "\n## E-Trace\n\n\
         The numbers are those of `{preset}`. A record is a payload of E-Trace after a header of one byte, the\n\
         encapsulation of RISC-V, sent lowest bit first. A payload has whole bytes; last bytes that only repeat the\n\
         highest bit before them are left out. [e_trace.md](e_trace.md) says when each is sent.\n\n\
         An idle byte, a header with length 0, says more of the payload after it in its upper bits. Before a format 1 or\n\
         2 it is the number of direct jumps, 1 to {most_passes}, since the last branch or address; a format 1 or 2\n\
         with `notify` comes after {most_passes} of them, at the next. Before a trap it is 1 if one instruction has\n\
         retired since the last address. Before the first start it is 1 if that is at the end of the first run.\n"
    );
    let records: [(_, &[&str]); 6] = [
        (
            "A start (format 3, subformat 0): the first address after reset, or after a flush",
            &["idle", "sends_payload", "start", "synchronises", "sends_address", "sends_rest"],
        ),
        (
            "A trap (format 3, subformat 1): an exception or an interrupt",
            &["idle", "sends_payload", "trap", "synchronises", "sends_address", "sends_rest"],
        ),
        (
            "Branches and an address (format 1)",
            &["idle", "sends_payload", "branches", "mapped", "sends_address", "sends_rest"],
        ),
        ("31 branches (format 1)", &["sends_payload", "branches", "full", "sends_rest"]),
        (
            "An address (format 2)",
            &["idle", "sends_payload", "plain", "sends_address", "sends_rest"],
        ),
        (
            "Support (format 3, subformat 3), after the payload of the last address: the end of the trace, or of a part of it",
            &["flush"],
        ),
    ];
    for (what, flags) in records {
        record(text, what, &format, flags);
    }
    describe_extensions(config, text);
    let _ = write!(
        text,
        "\nAfter the support payload the trace is filled up with zeros to a whole trace word, and goes on with a start or a\n\
         trap.\n"
    );
}

/// The payloads of format 0, which `etrace-full` has.
fn describe_extensions(config: &Config, text: &mut String) {
    let full =
        Config { jump_target_cache_entries: 64, branch_predictor_entries: 64, ..config.clone() };
    let format = full.format();
    let records: [(_, &[&str]); 4] = [
        (
            "Predicted branches, and one that was not (format 0, subformat 0), of `etrace-full`",
            &["sends_payload", "count_alone", "sends_rest"],
        ),
        (
            "Predicted branches and an address (format 0, subformat 0), of `etrace-full`",
            &["idle", "sends_payload", "counted", "sends_address", "sends_rest"],
        ),
        (
            "A place of the jump target cache (format 0, subformat 1), of `etrace-full`",
            &["sends_payload", "index_alone", "sends_rest"],
        ),
        (
            "Branches and a place of the jump target cache (format 0, subformat 1), of `etrace-full`",
            &["sends_payload", "index_map", "sends_rest"],
        ),
    ];
    for (what, flags) in records {
        record(text, what, &format, flags);
    }
}
