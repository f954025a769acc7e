//! The format in which a trace is written, chosen by an option or by the file's name.

use std::path::Path;

use clap::ValueEnum;
use tracewright_sim::trace_io::Format;

use super::failure::usage;
use super::output::is_stdout;

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
