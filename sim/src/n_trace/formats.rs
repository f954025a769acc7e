//! The messages of N-Trace, for docs/formats.md.

use std::fmt::Write;

use super::config::{Config, PRIVILEGE_BITS};
use crate::config::{Protocol, WhenFull};
use crate::record_table::record;

/// Of the design that has the messages of what comes again.
const REPEAT_BITS: u32 = 8;

/// Of the design that tells a context.
const CONTEXT_BITS: u32 = 8;

/// Of the design that says the time.
const TIME_BITS: u32 = 40;

/// Appends the chapter of this scheme.
pub fn describe(config: &Config, preset: &str, text: &mut String) {
    let _ = write!(
        text,
        "\n## N-Trace\n\n\
         The numbers are those of `{preset}`. A record is a message of N-Trace, of bytes with two control bits (MSEO) and\n\
         then six of data (MDO), lowest bit first. The control bits are 1 in the last byte of a field of variable length, 3\n\
         in the last byte of a message, and else 0. [ntrace.md](ntrace.md) says when each is sent.\n"
    );
    let records: [(_, &[&str]); 5] = [
        (
            "ProgTraceSync: the trace begins where an exception leads to",
            &["starts", "synchronises"],
        ),
        ("ProgTraceSync: the trace begins at an instruction", &["resumes", "synchronises"]),
        ("IndirectBranchHist: an indirect branch, or an exception", &["indirect", "sends_history"]),
        ("ResourceFull: the history is full", &["full"]),
        ("ResourceFull: the counter of code is full", &["overflows"]),
    ];
    let format = config.format();
    for (what, flags) in records {
        record(text, what, &format, flags);
    }
    options(config, text);
    let end = "ProgTraceCorrelation: the end of the trace, or of a part of it";
    record(text, end, &format, &["flush", "sends_history"]);
    let branches = Config { branch_history: false, ..config.clone() }.format();
    let records: [(_, &[&str]); 2] = [
        ("DirectBranch, of `ntrace-btm`: a branch is taken", &["direct"]),
        ("IndirectBranch, of `ntrace-btm`", &["indirect"]),
    ];
    for (what, flags) in records {
        record(text, what, &branches, flags);
    }
    let _ = write!(
        text,
        "\nAfter ProgTraceCorrelation the trace is filled up with zeros to a whole trace word, and goes on with ProgTraceSync.\n\
         In `ntrace-btm` it has no history, and a `cdf` of 0.\n"
    );
}

/// Appends what only designs with options have.
fn options(config: &Config, text: &mut String) {
    let repeating = Config { repeat_bits: REPEAT_BITS, ..config.clone() }.format();
    let records: [(_, &[&str]); 3] = [
        ("ResourceFull, with `repeat_bits`: a history of before", &["earlier_once"]),
        ("ResourceFull, with `repeat_bits`: a history that comes again", &["earlier_again"]),
        ("RepeatBranch, with `repeat_bits`", &["branch_again"]),
    ];
    for (what, flags) in records {
        record(text, what, &repeating, flags);
    }
    let protocol = Protocol {
        enable_pin: true,
        when_full: WhenFull::Drop,
        privilege_bits: PRIVILEGE_BITS,
        context_bits: CONTEXT_BITS,
        ..config.protocol.clone()
    };
    let switched = Config { protocol, ..config.clone() }.format();
    let records: [(_, &[&str]); 4] = [
        (
            "IndirectBranchHistSync, with `enable_pin` and without packets: a request is answered",
            &["indirect", "requested", "sends_history"],
        ),
        ("ProgTraceSync, with `when_full=drop` too: after a loss", &["overruns", "synchronises"]),
        (
            "ProgTraceCorrelation and Error, with `when_full=drop` too: blocks are lost",
            &["ends", "sends_history", "error"],
        ),
        ("Ownership, with `privilege_bits` and `context_bits`", &["owns"]),
    ];
    for (what, flags) in records {
        record(text, what, &switched, flags);
    }
    let requested = "DirectBranchSync, of `ntrace-btm` with `enable_pin` and without packets";
    let branches =
        Config { branch_history: false, protocol: switched_on(config), ..config.clone() };
    record(text, requested, &branches.format(), &["requested_direct", "indirect"]);
    let protocol = Protocol { time_bits: TIME_BITS, ..switched_on(config) };
    let timed = Config { protocol, ..config.clone() }.format();
    let records: [(_, &[&str]); 2] = [
        ("ProgTraceSync, with `time_bits`", &["starts", "synchronises"]),
        ("IndirectBranchHist, with `time_bits`", &["indirect", "plain", "sends_history", "stamps"]),
    ];
    for (what, flags) in records {
        record(text, what, &timed, flags);
    }
}

/// The protocol of a design that is switched without packets.
fn switched_on(config: &Config) -> Protocol {
    Protocol { enable_pin: true, ..config.protocol.clone() }
}
