//! The format in which a trace is written, chosen by an option or by the file's name.

use std::path::Path;

use clap::ValueEnum;
use tracewright_import::rows;
use tracewright_sim::trace_io::Format;

use super::failure::usage;
use super::output::is_stdout;

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
    let name = path.to_string_lossy();
    let tables = [(".csv", rows::Form::Csv), (".jsonl", rows::Form::JsonLines)];
    let table = tables.into_iter().find(|(end, _)| name.ends_with(end));
    match (asked, table) {
        (Some(name), _) => Ok(name.into()),
        (None, Some((_, form))) => Ok(Form::Table(form)),
        (None, None) => of_output(path, None).map(Form::Trace),
    }
}

/// The format of an output: the requested one, else that of the ending of its name; standard output is text.
///
/// # Errors
/// When no format is requested and the name has none of the endings.
pub fn of_output(path: &Path, asked: Option<FormatName>) -> anyhow::Result<Format> {
    if let Some(name) = asked {
        return Ok(name.into());
    }
    if is_stdout(path) {
        return Ok(Format::Text);
    }
    let name = path.to_string_lossy();
    let known = [(".zst", Format::Pet1Zstd), (".pet", Format::Pet1), (".txt", Format::Text)];
    let found = known.into_iter().find(|(end, _)| name.ends_with(end));
    found.map(|(_, format)| format).ok_or_else(|| {
        usage(format_args!(
            "--output: expected a name that ends with .pet.zst, .pet or .txt, found {name}"
        ))
    })
}
