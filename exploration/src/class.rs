//! Classes of traces: named groups, such as hosted programs or programs with exceptions, that a design is to suit.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The endings of the traces that are taken from a folder.
const ENDINGS: [&str; 2] = [".pet.zst", ".pet"];

/// A named group of traces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// Its traces.
    pub traces: Vec<PathBuf>,
}

/// A trace, and the class that it was given; a trace without one is a class of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The trace.
    pub path: PathBuf,
    /// The name of its class.
    pub class: Option<String>,
}

impl Member {
    /// The name of its class: its own if it was given none.
    pub fn class(&self) -> String {
        self.class.clone().unwrap_or_else(|| self.path.display().to_string())
    }
}

impl Class {
    /// All traces: those without a class, then those of the classes.
    ///
    /// # Errors
    /// When a trace is in two classes.
    pub fn members(loose: &[PathBuf], classes: &[Class]) -> Result<Vec<Member>> {
        let mut known: BTreeMap<PathBuf, &str> = BTreeMap::new();
        let without = |path: &PathBuf| Member { path: path.clone(), class: None };
        let mut members: Vec<Member> = loose.iter().map(without).collect();
        for Class { name, traces } in classes {
            for path in traces {
                let real = fs::canonicalize(path).unwrap_or_else(|_| path.clone());
                match known.insert(real, name) {
                    Some(other) if other == name => {}
                    Some(other) => {
                        let what = format!("the trace is in the classes {other} and {name}");
                        return Err(Error::Class { path: path.clone(), what });
                    }
                    None => {
                        members.push(Member { path: path.clone(), class: Some(name.clone()) });
                    }
                }
            }
        }
        Ok(members)
    }
}

/// The traces that a path stands for: a file, all traces in a folder, or all files of a folder whose names have the form
/// of the path's last part, in which `*` stands for any characters. They are in the order of their names.
///
/// # Errors
/// When there are none.
pub fn traces_of(path: &Path) -> Result<Vec<PathBuf>> {
    let none = |what: &str| Error::Class { path: path.to_owned(), what: what.to_owned() };
    let form = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let form = form.filter(|form| form.contains('*') && !path.exists());
    let found = match &form {
        Some(form) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            files(folder.unwrap_or(Path::new(".")), folder.is_some(), |name| matches(form, name))?
        }
        None if path.is_dir() => {
            files(path, true, |name| ENDINGS.iter().any(|ending| name.ends_with(ending)))?
        }
        None => return Ok(vec![path.to_owned()]),
    };
    match (found.is_empty(), form) {
        (false, _) => Ok(found),
        (true, Some(_)) => Err(none("no file has a name of this form")),
        (true, None) => Err(none("expected a trace or a folder of traces, found a folder without")),
    }
}

/// The files of a folder whose names are wanted, sorted; with the folder in front unless it is the current one.
fn files(folder: &Path, named: bool, is_wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in folder.read_dir().map_err(Error::read(folder))? {
        let entry = entry.map_err(Error::read(folder))?;
        let name = entry.file_name();
        if is_wanted(&name.to_string_lossy()) && entry.path().is_file() {
            found.push(if named { folder.join(&name) } else { PathBuf::from(&name) });
        }
    }
    found.sort();
    Ok(found)
}

/// Whether a name has a form in which `*` stands for any characters.
fn matches(form: &str, name: &str) -> bool {
    match form.split_once('*') {
        None => form == name,
        Some((before, after)) => name.strip_prefix(before).is_some_and(|rest| {
            let ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
            ends.into_iter().any(|at| matches(after, &rest[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_characters() {
        for (form, name, expected) in [
            ("*", "a.pet.zst", true),
            ("arm-*.zst", "arm-fft.pet.zst", true),
            ("arm-*.zst", "arm-fft.pet", false),
            ("*a*b", "xaxbxb", true),
            ("a", "ab", false),
        ] {
            assert_eq!(matches(form, name), expected, "{form} {name}");
        }
    }
}
