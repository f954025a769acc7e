//! Tables of records for docs/formats.md.

use std::convert::Infallible;
use std::fmt::Write;

use crate::field::Describer;

/// Appends a record's title and the table of its fields.
pub fn record(
    text: &mut String,
    what: &str,
    walk: impl FnOnce(&mut Describer) -> Result<(), Infallible>,
) {
    let mut describer = Describer::default();
    let Ok(()) = walk(&mut describer);
    let _ = write!(text, "\n### {what}\n\n| field | bits | says |\n|---|---|---|\n");
    for (name, coding, doc) in describer.fields {
        let _ = writeln!(text, "| `{name}` | {coding} | {doc} |");
    }
}
