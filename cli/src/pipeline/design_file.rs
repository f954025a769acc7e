//! Reads designs, and what stands around them, from TOML files and from folders that `generate` wrote.
//!
//! ```toml
//! preset = "traptor-m4"     # or scheme = "traptor", to start from the scheme's defaults
//! name = "mine"             # optional; the default is the file's name
//! gshare_entries = 2048     # any parameter that `tracewright designs traptor-m4` lists
//!
//! [ingress]                 # the sections of `unit.rs`, all of them optional
//! port = "rvfi"
//! ```

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use anyhow::Result;
use serde::de::DeserializeOwned;
use toml::{Spanned, Value};
use tracewright_sim::parameter;
use tracewright_sim::scheme::Design;
use tracewright_verification::MANIFEST;

use super::failure::usage;
use super::paths::Input;
use super::unit::{Sections, Unit};

/// The keys of a file, and where their values stand in it.
type Table = BTreeMap<String, Spanned<Value>>;

/// Reads a TOML file.
///
/// # Errors
/// When it cannot be read, is not TOML, or does not describe a design.
pub fn load(path: &Path) -> Result<Unit> {
    let unit = of_text(&read(path)?, path)?;
    Ok(Unit { file: Some(path.to_path_buf()), ..unit })
}

/// The unit that a TOML text describes, which is said to be that of a file.
///
/// # Errors
/// When it is not TOML, or does not describe a design.
pub fn of_text(text: &str, path: &Path) -> Result<Unit> {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    let table = toml::from_str(text)
        .map_err(|error| Problem::new(error.span().map(|span| span.start), error.message()));
    let unit = table.and_then(|table| unit(table, &stem)).map_err(|problem| {
        // A section is read from a value, which does not know where its keys stand.
        problem.in_section(text)
    });
    unit.map_err(|Problem { at, what, .. }| match at {
        Some(at) => usage(format_args!("{}, line {}: {what}", path.display(), line_of(text, at).0)),
        None => usage(format_args!("{}: {what}", path.display())),
    })
}

/// The number of the line with this byte, from 1, and its text.
fn line_of(text: &str, at: usize) -> (usize, &str) {
    let number = text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count();
    (number + 1, text.lines().nth(number).unwrap_or_default())
}

/// Reads the folder that `generate` wrote: what its manifest says.
///
/// # Errors
/// Those of [`load_manifest`].
pub fn load_folder(folder: &Path) -> Result<Unit> {
    let manifest = folder.join(MANIFEST);
    if !manifest.exists() {
        return Err(usage(format_args!(
            "{} has no {MANIFEST}: expected the folder of a design that `tracewright generate` wrote",
            folder.display()
        )));
    }
    load_manifest(&manifest)
}

/// Reads the manifest of a design that `generate` wrote, which states every parameter as the design file beside it does.
///
/// # Errors
/// When it cannot be read, is not JSON, or does not describe a design.
pub fn load_manifest(path: &Path) -> Result<Unit> {
    let fail = |what: &dyn Display| usage(format_args!("{}: {what}", path.display()));
    let manifest: serde_json::Value =
        serde_json::from_str(&read(path)?).map_err(|error| fail(&error))?;
    let (Some(name), Some(scheme), Some(parameters)) = (
        manifest["design"].as_str(),
        manifest["scheme"].as_str(),
        manifest["parameters"].as_object(),
    ) else {
        return Err(fail(&"expected the manifest of a design, with design, scheme and parameters"));
    };
    let mut table = Table::new();
    let mut insert = |key: &str, value: &serde_json::Value| match Value::try_from(value) {
        Ok(value) => {
            table.insert(key.into(), Spanned::new(0..0, value));
            Ok(())
        }
        Err(error) => Err(fail(&format_args!("{key}: {error}"))),
    };
    insert("scheme", &scheme.into())?;
    for (key, value) in parameters {
        insert(key, value)?;
    }
    // The hardware has a value of every parameter. One that the manifest leaves out is at its default, and no section
    // sets it again.
    let left_out = Design::of_scheme("design", scheme).map(|design| design.values());
    for (key, value) in left_out.unwrap_or_default() {
        if !parameters.contains_key(key) {
            insert(key, &serde_json::to_value(value)?)?;
        }
    }
    for key in Sections::KEYS {
        if let Some(section) = manifest.get(key) {
            insert(key, section)?;
        }
    }
    let unit = unit(table, name).map_err(|problem| match problem.section {
        Some(section) => fail(&format_args!("[{section}]: {}", plain(&problem.what))),
        None => fail(&problem.what),
    })?;
    Ok(Unit { file: Some(path.to_path_buf()), ..unit })
}

fn read(path: &Path) -> Result<String> {
    Input::found(path)?.text().map_err(|error| usage(format_args!("{error:#}")))
}

/// An error in the file, its offset in bytes, and the section if it is in one.
struct Problem {
    at: Option<usize>,
    what: String,
    section: Option<&'static str>,
}

impl Problem {
    fn new(at: Option<usize>, what: impl Display) -> Self {
        Self { at, what: what.to_string(), section: None }
    }

    /// An error in a section of this text, with the line and the name of the key.
    fn in_section(self, text: &str) -> Self {
        let Some(section) = self.section else { return self };
        let found = toml::from_str::<Sections>(text).err();
        let found = found.filter(|found| found.message() == self.what);
        let at = found.and_then(|found| found.span()).map(|span| span.start).or(self.at);
        let key = at.and_then(|at| line_of(text, at).1.split_once('='));
        // An unknown key is in the sentence already.
        let is_new = |key: &&str| *key != section && !self.what.contains(&format!("`{key}`"));
        let key = key.map(|(key, _)| key.trim()).filter(is_new);
        let key = key.map_or(String::new(), |key| format!(" {key}"));
        Self { at, what: format!("[{section}]{key}: {}", plain(&self.what)), section: None }
    }
}

/// What is wrong with a value, without the names of types.
fn plain(message: &str) -> String {
    let (found, expected) = message.split_once(", expected u").unwrap_or((message, ""));
    match expected {
        "8" | "16" | "32" | "64" => format!("{found}, expected a whole number without quotes"),
        _ => message.to_owned(),
    }
}

/// The unit that a table describes; its name is `stem` if it does not say one.
fn unit(mut table: Table, stem: &str) -> Result<Unit, Problem> {
    if let Some(harts) = table.get("hart") {
        let what = "the file is that of a system, which `generate`, `cosim`, `gates` and `fpga` take: expected a design";
        return Err(Problem::new(Some(harts.span().start), what));
    }
    let sections = Sections {
        ingress: section(&mut table, "ingress")?,
        sink: section(&mut table, "sink")?,
        control: section(&mut table, "control")?,
        ram_sink: section(&mut table, "ram_sink")?,
        reader: section(&mut table, "reader")?,
    };
    let stated = table.keys().cloned().collect();
    Ok(Unit::of(design(table, stem)?, sections, stated))
}

/// Takes a section out of a table.
fn section<T: DeserializeOwned>(
    table: &mut Table,
    key: &'static str,
) -> Result<Option<T>, Problem> {
    let Some(value) = table.remove(key) else { return Ok(None) };
    let at = Some(value.span().start);
    let read = value.into_inner().try_into();
    read.map(Some)
        .map_err(|error| Problem { section: Some(key), ..Problem::new(at, error.message()) })
}

fn design(mut table: Table, stem: &str) -> Result<Design, Problem> {
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

/// A sentence about a section that does not exist.
fn no_section(name: &str) -> String {
    let likeness = |known: &&str| strsim::damerau_levenshtein(known, name);
    let nearest = Sections::KEYS.into_iter().min_by_key(likeness).unwrap_or_default();
    format!(
        "no section is called [{name}]; the nearest is [{nearest}]; expected [{}]",
        Sections::KEYS.join("], [")
    )
}

fn set(design: &mut Design, key: &str, value: &Value) -> Result<(), String> {
    if value.is_table() {
        return Err(no_section(key));
    }
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
