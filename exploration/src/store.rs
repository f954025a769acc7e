//! The results folder: every measurement as soon as it is made, so that a search that is killed goes on from there.
//!
//! A measurement is a line of `measured.jsonl`, under a hash of everything that it follows from: the version, the trace
//! and the design's parameters. A line ends with a check of its own: one that was being written when the process or the
//! machine stopped, or is damaged, is left out, and its measurement is made again.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tracewright_cache::Hash;
use tracewright_interrupt::Temporary;
use tracewright_sim::scheme::Design;

use crate::error::{Error, Result};
use crate::input::Input;
use crate::space::identity;

/// The name of the file that says which version wrote a folder.
pub(crate) const VERSION: &str = "version.json";

/// The name of the file of measurements.
pub(crate) const LOG: &str = "measured.jsonl";

/// The beginning of the names of temporary files.
const TEMPORARY: &str = ".tracewright-";

/// Changes with what a measurement means or a results file has.
const FORMAT: u32 = 1;

/// The version of results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Version {
    /// Version of the command.
    tracewright: String,
    /// Number of the format.
    format: u32,
}

impl Version {
    fn current() -> Self {
        Self { tracewright: env!("CARGO_PKG_VERSION").into(), format: FORMAT }
    }

    fn text(&self) -> String {
        format!("tracewright {}, format {}", self.tracewright, self.format)
    }
}

/// A design measured on a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// Instructions in the trace.
    pub instructions: u64,
    /// Bits of the encoded trace, without padding.
    pub bits: u64,
    /// Bits of the smallest output FIFO that never stalls, with the design's port.
    pub buffer_bits: u64,
}

#[derive(Serialize, Deserialize)]
struct Line {
    key: String,
    #[serde(flatten)]
    figures: Figures,
    check: String,
}

impl Line {
    fn new(key: String, figures: Figures) -> Self {
        let check = Self::check(&key, figures);
        Self { key, figures, check }
    }

    /// The beginning of a hash of the line.
    fn check(key: &str, Figures { instructions, bits, buffer_bits }: Figures) -> String {
        let mut hash = Hash::default();
        hash.add(key);
        hash.add(format!("{instructions} {bits} {buffer_bits}"));
        hash.finish().chars().take(8).collect()
    }

    fn is_sound(&self) -> bool {
        self.check == Self::check(&self.key, self.figures)
    }
}

/// A results folder that this process writes to.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    log: File,
    known: HashMap<String, Figures>,
}

impl Store {
    /// Opens a results folder, or makes it.
    ///
    /// # Errors
    /// When it has other files or results of another version, is damaged, or another process writes to it.
    pub fn open(folder: &Path) -> Result<Self> {
        fs::create_dir_all(folder).map_err(Error::write(folder))?;
        claim(folder)?;
        let path = folder.join(LOG);
        let mut log = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(&path)
            .map_err(Error::write(&path))?;
        match log.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(Error::Busy(folder.into())),
            // On a file system without locks it is up to the user that one process writes.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        let mut bytes = Vec::new();
        log.read_to_end(&mut bytes).map_err(Error::read(&path))?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        log.set_len(whole as u64).map_err(Error::write(&path))?;
        log.seek(SeekFrom::End(0)).map_err(Error::write(&path))?;
        let known = parse(&bytes[..whole]);
        Ok(Self { path, log, known })
    }

    /// The figures kept under a key.
    pub fn get(&self, key: &str) -> Option<Figures> {
        self.known.get(key).copied()
    }

    /// Keeps measurements, which are on disk when this returns.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep(&mut self, measured: impl IntoIterator<Item = (String, Figures)>) -> Result<()> {
        let mut lines = String::new();
        for (key, figures) in measured {
            if self.known.insert(key.clone(), figures).is_none() {
                lines += &to_json(&Line::new(key, figures))?;
                lines.push('\n');
            }
        }
        let written = self.log.write_all(lines.as_bytes()).and_then(|()| self.log.sync_data());
        written.map_err(Error::write(&self.path))
    }
}

/// The measurements of a results folder, in the order of their keys.
///
/// # Errors
/// When they cannot be read.
pub fn measured(folder: &Path) -> Result<Vec<(String, Figures)>> {
    let path = folder.join(LOG);
    let bytes = fs::read(&path).map_err(Error::read(&path))?;
    let mut measured: Vec<_> = parse(&bytes).into_iter().collect();
    measured.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(measured)
}

/// The key of a design on a trace, whose machine the design is for.
pub fn key(design: &Design, input: &Input) -> String {
    let mut hash = Hash::default();
    hash.add(Version::current().text());
    hash.add(&input.digest);
    hash.add(identity(&design.resolved()));
    hash.finish()
}

/// Makes an empty folder one of results of this version.
///
/// # Errors
/// When it is of another version or has other files.
pub fn claim(folder: &Path) -> Result<()> {
    if is_claimed(folder) {
        return check_version(folder);
    }
    let path = folder.join(VERSION);
    let mut entries = folder.read_dir().map_err(Error::read(folder))?;
    // A process that was killed here may have left a temporary file.
    let is_temporary = |name: &OsStr| name.to_string_lossy().starts_with(TEMPORARY);
    if entries.any(|entry| entry.is_ok_and(|entry| !is_temporary(&entry.file_name()))) {
        return Err(Error::NotResults(folder.into()));
    }
    write(&path, &to_json(&Version::current())?)
}

/// Whether a folder has results, of whichever version.
pub fn is_claimed(folder: &Path) -> bool {
    folder.join(VERSION).exists()
}

/// Checks that a folder has results of this version.
///
/// # Errors
/// When it has not.
pub fn check_version(folder: &Path) -> Result<()> {
    if !is_claimed(folder) {
        let what = format!("expected the results of a search, found no {VERSION}");
        return Err(Error::Merge { path: folder.into(), what });
    }
    let found: Version = read_json(&folder.join(VERSION))?;
    let expected = Version::current();
    match found == expected {
        true => Ok(()),
        false => Err(Error::Version {
            path: folder.into(),
            found: found.text(),
            expected: expected.text(),
        }),
    }
}

/// Reads a JSON file.
///
/// # Errors
/// When it cannot be read or is not what is expected.
pub fn read_json<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<T> {
    let text = fs::read(path).map_err(Error::read(path))?;
    let damaged = |error: serde_json::Error| Error::Damaged {
        path: path.into(),
        line: None,
        what: error.to_string(),
    };
    serde_json::from_slice(&text).map_err(damaged)
}

/// Writes a file, which has its name only when it is complete.
///
/// # Errors
/// When it cannot be written.
pub fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = Temporary::file_in(folder, TEMPORARY, None).map_err(Error::write(path))?;
    file.write_all(text.as_bytes()).map_err(Error::write(path))?;
    file.persist(path).map_err(Error::write(path))?;
    Ok(())
}

/// A value as JSON in one line.
///
/// # Errors
/// Never with the types of this crate.
pub fn to_json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::Text(error.to_string()))
}

/// The measurements in whole and sound lines.
fn parse(bytes: &[u8]) -> HashMap<String, Figures> {
    let lines = bytes.split(|byte| *byte == b'\n');
    let lines = lines.filter_map(|line| serde_json::from_slice::<Line>(line).ok());
    lines.filter(Line::is_sound).map(|line| (line.key, line.figures)).collect()
}
