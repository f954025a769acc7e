//! The machine of a table, as the text form of traces has it.

use tracewright_sim::event::Machine;
use tracewright_sim::trace_io::{Extensions, Format, Reader, Writer, WriterOptions};

use crate::error::Problem;

/// The line of a machine, with its end.
pub(crate) fn line(machine: Machine, extensions: Extensions) -> std::io::Result<String> {
    let options = WriterOptions { format: Format::Text, extensions, ..WriterOptions::default() };
    let text = Writer::new(Vec::new(), machine, options).and_then(Writer::finish);
    let text = text.map_err(std::io::Error::other)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// The names of extensions.
pub(crate) fn extension_names(extensions: Extensions) -> Vec<String> {
    let Extensions { lengths, data, threads, states, cycles } = extensions;
    let all = [
        (lengths, "lengths"),
        (data, "data"),
        (threads, "threads"),
        (states, "states"),
        (cycles, "cycles"),
    ];
    all.iter().filter(|(is_on, _)| *is_on).map(|(_, name)| (*name).to_owned()).collect()
}

/// The machine of a line.
pub(crate) fn parse(line: &str) -> Result<(Machine, Extensions), Problem> {
    let reader = Reader::new(std::io::Cursor::new(line.as_bytes().to_vec()))
        .map_err(|error| Problem::Table(error.problem().to_string()))?;
    Ok((reader.machine(), reader.extensions()))
}

/// The machine in a comment at the beginning of a table, if there is one.
pub(crate) fn of_comment(head: &[u8]) -> Option<(Machine, Extensions)> {
    let line = head.split(|byte| *byte == b'\n').next()?;
    let text = std::str::from_utf8(line.strip_prefix(b"#")?).ok()?;
    // A spreadsheet fills up the row with empty cells.
    let text = text.trim().trim_end_matches([',', ';', '\t']);
    text.starts_with("machine ").then(|| parse(text).ok())?
}
