//! Cell libraries: the files of a kit as one library, and the areas of its cells.

mod cell;
mod join;
pub(crate) mod syntax;

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

use crate::error::{Error, Result};

/// The library of gate equivalents.
const GENERIC: &str = include_str!("../../liberty/generic_ge.lib");

/// What the first two bytes of a file are that `gzip` has written.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The cells of a library that may be used, from one file or several.
#[derive(Clone, Debug)]
pub(crate) struct Library {
    /// The name of the first file's library.
    pub(crate) name: String,
    /// One Liberty file with these cells and no others.
    pub(crate) text: String,
    /// The area of every cell.
    pub(crate) areas: BTreeMap<String, f64>,
    /// What drives inputs, and the load at outputs; nothing if the library has no buffer.
    pub(crate) around: Option<Surroundings>,
    /// The path of the first file, unless it is the generic library.
    pub(crate) path: Option<PathBuf>,
}

/// What drives each input of a design, and what its outputs drive.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Surroundings {
    /// The cell in front of an input.
    pub(crate) driving_cell: String,
    /// The load at an output, in femtofarads.
    pub(crate) load_ff: f64,
}

/// What is taken of the files of a library.
#[derive(Clone, Debug, Default)]
pub struct LibraryOptions {
    /// Cells that are not used, besides those that the library forbids: names in which `*` is any text and `?` any
    /// character.
    pub dont_use: Vec<String>,
    /// The cell in front of the design's inputs; the smallest buffer if not given.
    pub driving_cell: Option<String>,
    /// The load at the design's outputs, in femtofarads; four inputs of the smallest buffer if not given.
    pub load_ff: Option<f64>,
}

impl Library {
    /// The library of equivalents of gates.
    pub(crate) fn generic() -> Result<Library> {
        join::join(&[(None, GENERIC.to_owned())], &LibraryOptions::default())
    }

    /// The library in one or several files, each plain or compressed by gzip; the generic one if there is none.
    pub(crate) fn load(paths: &[PathBuf], options: &LibraryOptions) -> Result<Library> {
        if paths.is_empty() {
            return join::join(&[(None, GENERIC.to_owned())], options);
        }
        let read = |path: &PathBuf| Ok((Some(path.clone()), read(path)?));
        join::join(&paths.iter().map(read).collect::<Result<Vec<_>>>()?, options)
    }

    /// An error of this library.
    pub(crate) fn error(&self, reason: impl Into<String>) -> Error {
        error(self.path.as_deref(), reason.into())
    }
}

/// The text of a file; bytes that are no UTF-8, which comments of kits have, are replaced.
fn read(path: &Path) -> Result<String> {
    let mut bytes = fs::read(path).map_err(Error::file(path))?;
    if bytes.starts_with(&GZIP) {
        let mut plain = Vec::new();
        MultiGzDecoder::new(&bytes[..]).read_to_end(&mut plain).map_err(Error::file(path))?;
        bytes = plain;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn error(path: Option<&Path>, reason: String) -> Error {
    Error::Liberty { path: path.unwrap_or(Path::new("generic_ge.lib")).to_path_buf(), reason }
}

#[cfg(test)]
mod tests;
