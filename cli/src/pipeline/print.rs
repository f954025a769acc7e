//! Prints results on standard output, as text and as JSON.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, Write};

use anyhow::Context;
use serde::Serialize;
use tracewright_sim::cell;
use tracewright_sim::event::{Isa, Machine};

use super::{memory, table};

pub use tracewright_report::figures::grouped;

/// A text without the characters that change how a terminal shows what follows: names come from files.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' => plain.push(character),
            // They change the direction of what follows.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                plain.extend(character.escape_unicode());
            }
            control if control.is_control() => plain.extend(control.escape_unicode()),
            _ => plain.push(character),
        }
    }
    plain
}

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-=+,:@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Writes a remark to standard error.
pub fn remark(text: impl Display) {
    // Nothing can be reported if standard error is closed.
    let _ = io::stderr().write_all(plain(&text.to_string()).as_bytes());
}

/// Writes text to standard output.
///
/// # Errors
/// When writing fails; [`is_closed_pipe`](super::failure::is_closed_pipe) detects a closed pipe.
pub fn text(text: impl Display) -> anyhow::Result<()> {
    let text = plain(&text.to_string());
    memory::check();
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
        .context("cannot write to standard output")
}

/// Writes sentences to standard output, in lines of its width, which break between words.
///
/// # Errors
/// Those of [`text`].
pub fn sentences(sentences: &str) -> anyhow::Result<()> {
    text(table::sentences(sentences))
}

/// Writes a value as JSON to standard output.
///
/// # Errors
/// Those of [`text`].
pub fn json(value: &impl Serialize) -> anyhow::Result<()> {
    text(of_json(&serde_json::to_string_pretty(value)?) + "\n")
}

/// Writes a value as JSON on a line of its own, where a program may have ended in the middle of one.
///
/// # Errors
/// Those of [`text`].
pub fn json_line(value: &impl Serialize) -> anyhow::Result<()> {
    text(format_args!("\n{}\n", of_json(&serde_json::to_string(value)?)))
}

/// JSON in which the control characters are escaped that JSON allows in strings.
fn of_json(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '\u{7f}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                text += &format!("\\u{:04x}", u32::from(character));
            }
            _ => text.push(character),
        }
    }
    text
}

/// Rows as CSV, with a header of the fields' names.
///
/// # Errors
/// Never with rows of numbers and text.
pub fn csv(rows: &[impl Serialize]) -> anyhow::Result<String> {
    let mut plain = csv::Writer::from_writer(Vec::new());
    for row in rows {
        plain.serialize(row)?;
    }
    let mut table = csv::Writer::from_writer(Vec::new());
    for row in
        csv::ReaderBuilder::new().has_headers(false).from_reader(&*plain.into_inner()?).records()
    {
        let row = row?;
        let is_number = |cell: &str| cell.parse::<f64>().is_ok();
        let cells = row.iter().map(|cell| match is_number(cell) {
            true => cell.into(),
            false => cell::comma_separated(cell),
        });
        table.write_record(cells.map(Cow::into_owned))?;
    }
    Ok(String::from_utf8(table.into_inner()?)?)
}

/// Describes a processor in words.
pub fn machine(machine: Machine) -> String {
    let Machine { isa, alignment, address_bits } = machine;
    let article = if isa == Isa::RiscV { "a" } else { "an" };
    format!("{article} {isa} machine with alignment {alignment} and {address_bits} address bits")
}

/// `part` divided by `whole`, 0 if `whole` is 0.
pub fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A count of memory accesses followed by a comma, or nothing for none.
pub fn accesses(count: u64) -> String {
    match count {
        0 => String::new(),
        1 => "1 access, ".to_owned(),
        _ => format!("{} accesses, ", grouped(count)),
    }
}

/// A number of things, whose name gets an s unless it is one.
pub fn counted(count: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// Prints the counts of a trace that was written.
///
/// # Errors
/// When standard output cannot be written.
pub fn written(trace: &str, events: u64, accesses: u64, instructions: u64) -> anyhow::Result<()> {
    let (events, instructions) = (counted(events, "event"), counted(instructions, "instruction"));
    let accesses = self::accesses(accesses);
    text(format_args!("{trace}: {events}, {accesses}{instructions}\n"))
}
