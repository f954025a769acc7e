//! The values of `--encoder`: a word for the encoders of a vendor, files of parameters, and single parameters. Each takes
//! the place of what those before it say.

use std::convert::Infallible;
use std::ops::Range;
use std::str::FromStr;

use anyhow::{Result, anyhow};
use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::Table;

use super::failure::usage;
use super::paths::Input;

/// A value of `--encoder`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncoderArgument {
    /// A parameter and its value, as a line of a file.
    Parameter(String),
    /// A file, or a word for a vendor.
    Named(String),
}

impl FromStr for EncoderArgument {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let is_line = text.contains('=') && !text.contains('/');
        let kind = if is_line { EncoderArgument::Parameter } else { EncoderArgument::Named };
        Ok(kind(text.to_owned()))
    }
}

/// The arguments as they were given.
pub fn named(said: &[EncoderArgument]) -> String {
    let text = |argument: &EncoderArgument| match argument {
        EncoderArgument::Parameter(text) | EncoderArgument::Named(text) => text.clone(),
    };
    said.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// A word for the encoders of a vendor, and their parameters.
pub type Vendor<E> = (&'static str, fn() -> E);

/// What is known of the encoders of a standard.
pub struct Known<'a, E> {
    /// The names of all parameters.
    pub names: &'a [&'static str],
    /// The words for vendors, each with its parameters.
    pub vendors: &'a [Vendor<E>],
}

impl<E: Default + Serialize + DeserializeOwned> Known<'_, E> {
    /// The parameters that are said.
    ///
    /// # Errors
    /// When a file cannot be read, or there is a key that no parameter is called, or a value that it cannot have.
    pub fn read(&self, said: &[EncoderArgument]) -> Result<E> {
        let mut all = Table::new();
        for argument in said {
            match argument {
                EncoderArgument::Parameter(line) => all.extend(self.line(line)?),
                EncoderArgument::Named(name) => all.extend(self.named(name)?),
            }
        }
        all.try_into().map_err(|error: toml::de::Error| anyhow!("{}: {error}", named(said)))
    }

    fn named(&self, name: &str) -> Result<Table> {
        if let Some((_, parameters)) = self.vendors.iter().find(|(vendor, _)| *vendor == name) {
            return Ok(Table::try_from(parameters())?);
        }
        let file = Input::found(name)?;
        self.check(name, &file.text().map_err(|error| self.or_vendor(name, error))?)
    }

    /// The error of a file that is not there, which may be meant for a vendor.
    fn or_vendor(&self, name: &str, error: anyhow::Error) -> anyhow::Error {
        let vendors: Vec<_> = self.vendors.iter().map(|(vendor, _)| *vendor).collect();
        match name.contains(['.', '/']) || vendors.is_empty() {
            true => error,
            false => usage(format_args!(
                "--encoder {name}: expected a file, a parameter or {}",
                vendors.join(", ")
            )),
        }
    }

    fn line(&self, line: &str) -> Result<Table> {
        let name = format!("--encoder {line}");
        self.check(&name, line)
    }

    /// The parameters in a text, in which only the known names may be.
    fn check(&self, name: &str, text: &str) -> Result<Table> {
        let at_line = |span: Option<Range<usize>>, what: &str| {
            let at = span.map_or(0, |span| span.start);
            let line = 1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count();
            anyhow!("{name}, line {line}: {}", what.trim_end())
        };
        let table: Table = text
            .parse()
            .map_err(|error: toml::de::Error| at_line(error.span(), error.message()))?;
        if let Some(unknown) = table.keys().find(|key| !self.names.contains(&key.as_str())) {
            let likeness = |known: &&&str| strsim::damerau_levenshtein(known, unknown);
            let nearest = self.names.iter().min_by_key(likeness).unwrap_or(&"");
            return Err(anyhow!(
                "{name}: no parameter of an encoder is called {unknown}; the nearest is {nearest}"
            ));
        }
        let whole: Result<E, _> = toml::from_str(text);
        whole.map_err(|error| at_line(error.span(), error.message()))?;
        Ok(table)
    }
}
