//! `docs/formats.md`, printed from the layouts, with the forms of trace files.

use crate::packet::formats::describe;
use crate::scheme::{Design, Scheme};

const INTRODUCTION: &str = "\
# Formats

Printed by `tracewright designs --formats` from the layouts that the encoders interpret. Files of traces before they are
encoded, `.pet.zst` and text, are at the [end](#trace-files).

A trace is a string of bits; bit 0 of byte 0 is the first. A field's least significant bit goes first.
A *number in chunks* is cut into chunks, least significant first, each followed by a continuation bit that
is 1 when another chunk follows; only the shortest form is ever sent. With chunks of 3 bits `110 0`
is 3 and `110 1 010 0` is 19 (paper C, section 4).
";

/// The chapter of the files that hold traces.
const TRACE_FILES: &str = include_str!("trace_io/trace_files.md");

/// The whole document.
pub fn markdown() -> String {
    let mut text = String::from(INTRODUCTION);
    for scheme in Scheme::all() {
        scheme.describe_formats(&mut text);
    }
    packets(&mut text);
    text.push_str("\n## Trace files\n\n");
    text.push_str(TRACE_FILES);
    text
}

/// Appends the chapter of packets, with the numbers of one preset.
fn packets(text: &mut String) {
    const DOCUMENTED: &str = "traptor-m4";
    let Ok(mut design) = Design::preset(DOCUMENTED) else { return };
    let settings = [
        ("framing", "packets"),
        ("checksum_bits", "16"),
        ("sequence_bits", "8"),
        ("context_bits", "16"),
        ("privilege_bits", "2"),
        ("cause_bits", "8"),
        ("time_bits", "32"),
    ];
    if settings.iter().all(|(name, value)| design.set(name, value).is_ok())
        && let Some(framing) = design.framing()
    {
        let shown = settings[1..].iter().map(|(name, value)| format!("`{name}={value}`"));
        describe(&framing, DOCUMENTED, &shown.collect::<Vec<_>>().join(", "), text);
    }
}
