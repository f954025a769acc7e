//! The format in which a trace is written, chosen by an option or by the file's name.

use std::path::Path;

use clap::ValueEnum;
use tracewright_import::rows;
use tracewright_sim::trace_io::Format;

use super::failure::usage;
use super::output::is_stdout;

/// The endings of the names of traces.
const ENDINGS: &str = ".pet.zst, .pet, .txt, .csv or .jsonl";

/// The form of a trace in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A format that every command reads.
    Trace(Format),
    /// A table, which `trace import` reads.
    Table(rows::Form),
}

/// The forms of a trace, tables among them, as values of the option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormName {
    /// PET1 in a zstd frame (.pet.zst)
    #[value(name = "pet.zst")]
    Pet1Zstd,
    /// PET1 (.pet)
    #[value(name = "pet")]
    Pet1,
    /// Text (.txt)
    #[value(name = "txt")]
    Text,
    /// Comma-separated values, for `trace import` and other tools (.csv)
    Csv,
    /// Lines of JSON, for `trace import` and other tools (.jsonl)
    Jsonl,
}

impl From<FormName> for Form {
    fn from(name: FormName) -> Form {
        match name {
            FormName::Pet1Zstd => Form::Trace(Format::Pet1Zstd),
            FormName::Pet1 => Form::Trace(Format::Pet1),
            FormName::Text => Form::Trace(Format::Text),
            FormName::Csv => Form::Table(rows::Form::Csv),
            FormName::Jsonl => Form::Table(rows::Form::JsonLines),
        }
    }
}

/// The formats of a trace, as values of the option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    /// PET1 in a zstd frame (.pet.zst)
    #[value(name = "pet.zst")]
    Pet1Zstd,
    /// PET1 (.pet)
    #[value(name = "pet")]
    Pet1,
    /// Text (.txt)
    #[value(name = "txt")]
    Text,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Format {
        match name {
            FormatName::Pet1Zstd => Format::Pet1Zstd,
            FormatName::Pet1 => Format::Pet1,
            FormatName::Text => Format::Text,
        }
    }
}

/// The form of an output: the requested one, else that of the ending of its name; standard output is text.
///
/// # Errors
/// When no form is requested and the name has none of the endings.
pub fn form_of_output(path: &Path, asked: Option<FormName>) -> anyhow::Result<Form> {
    if let Some(name) = asked {
        return Ok(name.into());
    }
    form_by_name(path).ok_or_else(|| unknown_ending(path, ENDINGS))
}

/// The form that the ending of a name says; standard output is text.
pub fn form_by_name(path: &Path) -> Option<Form> {
    let tables = [(".csv", rows::Form::Csv), (".jsonl", rows::Form::JsonLines)];
    let name = path.to_string_lossy();
    let table = tables.into_iter().find(|(end, _)| name.ends_with(end));
    table.map(|(_, form)| Form::Table(form)).or(by_name(path).map(Form::Trace))
}

/// The form with this name.
pub fn form_named(name: &str) -> Option<Form> {
    FormName::from_str(name, false).ok().map(Form::from)
}

/// The format of an output: the requested one, else that of the ending of its name; standard output is text.
///
/// # Errors
/// When no format is requested and the name has none of the endings.
pub fn of_output(path: &Path, asked: Option<FormatName>) -> anyhow::Result<Format> {
    let format = asked.map(Format::from).or_else(|| by_name(path));
    format.ok_or_else(|| unknown_ending(path, ".pet.zst, .pet or .txt"))
}

/// The format that the ending of a name says.
fn by_name(path: &Path) -> Option<Format> {
    if is_stdout(path) {
        return Some(Format::Text);
    }
    let name = path.to_string_lossy();
    let known = [(".zst", Format::Pet1Zstd), (".pet", Format::Pet1), (".txt", Format::Text)];
    known.into_iter().find(|(end, _)| name.ends_with(end)).map(|(_, format)| format)
}

fn unknown_ending(path: &Path, endings: &str) -> anyhow::Error {
    usage(format_args!(
        "--output: expected a name that ends with {endings}, found {}",
        path.to_string_lossy()
    ))
}
