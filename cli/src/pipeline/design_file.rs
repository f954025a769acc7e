//! Reads designs from TOML files.
//!
//! ```toml
//! preset = "traptor-m4"     # or scheme = "traptor", to start from the scheme's defaults
//! name = "mine"             # optional; the default is the file's name
//! gshare_entries = 2048     # any parameter that `tracewright designs traptor-m4` lists
//! ```

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::path::Path;

use anyhow::Result;
use toml::{Spanned, Value};
use tracewright_sim::parameter;
use tracewright_sim::scheme::Design;

use super::failure::usage;

/// Reads a design from a file.
///
/// # Errors
/// When it cannot be read, is not TOML, or does not describe a design.
pub fn load(path: &Path) -> Result<Design> {
    let text = fs::read_to_string(path)
        .map_err(|error| usage(format_args!("cannot read {}: {error}", path.display())))?;
    let stem = path.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    parse(&text, &stem).map_err(|Problem { at, what }| match at {
        Some(at) => {
            let line = 1 + text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count();
            usage(format_args!("{}, line {line}: {what}", path.display()))
        }
        None => usage(format_args!("{}: {what}", path.display())),
    })
}

/// An error in the file, and its offset in bytes.
struct Problem {
    at: Option<usize>,
    what: String,
}

impl Problem {
    fn new(at: Option<usize>, what: impl Display) -> Self {
        Self { at, what: what.to_string() }
    }
}

fn parse(text: &str, stem: &str) -> Result<Design, Problem> {
    let mut table: BTreeMap<String, Spanned<Value>> = toml::from_str(text)
        .map_err(|error| Problem::new(error.span().map(|span| span.start), error.message()))?;
    let mut word = |key: &str| match table.remove(key) {
        None => Ok(None),
        Some(value) => match value.get_ref() {
            Value::String(word) => Ok(Some((word.clone(), value.span().start))),
            other => {
                let what = format!("expected {key} to be a string in quotes, found {other}");
                Err(Problem::new(Some(value.span().start), what))
            }
        },
    };
    let (name, preset, scheme) = (word("name")?, word("preset")?, word("scheme")?);
    let mut design = match (preset, scheme) {
        (Some((preset, at)), None) => {
            Design::preset(&preset).map_err(|error| Problem::new(Some(at), error))?
        }
        (None, Some((scheme, at))) => {
            Design::of_scheme("design", &scheme).map_err(|error| Problem::new(Some(at), error))?
        }
        (Some((_, at)), Some(_)) => {
            return Err(Problem::new(Some(at), "expected either preset or scheme, found both"));
        }
        (None, None) => {
            let what = "expected a line preset = \"NAME\" or scheme = \"NAME\", found none";
            return Err(Problem::new(None, what));
        }
    };
    design = match name {
        Some((name, at)) => {
            Design::new(&name, design.scheme).map_err(|error| Problem::new(Some(at), error))?
        }
        None => Design::new(stem, design.scheme).map_err(|error| Problem::new(None, error))?,
    };
    for (key, value) in &table {
        set(&mut design, key, value.get_ref())
            .map_err(|what| Problem::new(Some(value.span().start), what))?;
    }
    Ok(design)
}

fn set(design: &mut Design, key: &str, value: &Value) -> Result<(), String> {
    let text = match value {
        Value::Integer(number) => number.to_string(),
        Value::Boolean(flag) => flag.to_string(),
        Value::String(word) => word.clone(),
        // No parameter has a value of these types.
        other => other.to_string(),
    };
    design.set(key, &text).map_err(|error| error.to_string())?;
    let taken = design.values().into_iter().find(|(name, _)| *name == key).map(|(_, taken)| taken);
    match (taken, value) {
        (Some(parameter::Value::Number(_)), Value::String(_)) => {
            Err(format!("expected {key} to be a number without quotes, found {value}"))
        }
        (Some(parameter::Value::Flag(_)), Value::String(_)) => {
            Err(format!("expected {key} to be true or false without quotes, found {value}"))
        }
        _ => Ok(()),
    }
}
