//! Lists of a program's files: text, one `FILE@ADDRESS` on each line, the program first.
//!
//! A line may end in a space and the [`Identity`] of the file, by which a file that was built again since is
//! recognised. A line that begins with a number and `=`, as in `3=user.elf@0x0`, is of the program of that context, and
//! the lines without one are of the program of all contexts that have no line. A relative name is that of a file in the
//! folder of the list, or else one in the working directory.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::Error;
use crate::identity::Identity;

/// A file and its load address, which is added to the addresses in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The file.
    pub path: PathBuf,
    /// The load address, 0 if none was given.
    pub load_address: u64,
    /// The build that is meant, if it is known.
    pub identity: Option<Identity>,
}

impl Placed {
    /// The file of a line.
    fn of_line(line: &str) -> Result<Placed, String> {
        let identity = line.rsplit_once(' ').map(|(file, last)| (file, last.parse::<Identity>()));
        match identity {
            Some((file, Ok(identity))) => {
                Ok(Placed { identity: Some(identity), ..file.trim().parse()? })
            }
            _ => line.parse(),
        }
    }

    /// Checks that a file with these contents is the build that is meant.
    ///
    /// # Errors
    /// When it is another one.
    pub fn check(&self, data: &[u8]) -> Result<(), Error> {
        let Some(expected) = &self.identity else { return Ok(()) };
        let found = Identity::of(data);
        if found == *expected {
            return Ok(());
        }
        Err(Error::Rebuilt { path: self.path.clone(), expected: expected.clone(), found })
    }
}

impl FromStr for Placed {
    type Err = String;

    /// `FILE` or `FILE@ADDRESS`, the address in hexadecimal with `0x`, or decimal.
    fn from_str(text: &str) -> Result<Placed, String> {
        let Some((path, address)) = text.rsplit_once('@') else {
            return Ok(Placed { path: text.into(), load_address: 0, identity: None });
        };
        match address_of(address) {
            Ok(load_address) => Ok(Placed { path: path.into(), load_address, identity: None }),
            // A file name can contain an @.
            Err(_) if Path::new(text).exists() => {
                Ok(Placed { path: text.into(), load_address: 0, identity: None })
            }
            Err(error) => Err(error),
        }
    }
}

impl fmt::Display for Placed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{:#x}", self.path.display(), self.load_address)?;
        self.identity.as_ref().map_or(Ok(()), |identity| write!(f, " {identity}"))
    }
}

/// An address in hexadecimal with `0x`, or decimal.
///
/// # Errors
/// One sentence, when it is neither.
pub fn address_of(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| format!("expected an address such as 0x40000000, found {text:?}"))
}

/// The context, decimal or hexadecimal with `0x`, that stands before a `=`, and the rest; what is no number is a part of
/// a file's name.
pub fn context_of(text: &str) -> (Option<u64>, &str) {
    let parts = text.split_once('=');
    let parts = parts.and_then(|(number, rest)| Some((address_of(number).ok()?, rest)));
    parts.map_or((None, text), |(context, rest)| (Some(context), rest))
}

/// The files of a list for the contexts that have none of their own; `path` is the file that the text is from.
///
/// # Errors
/// When a line is not valid, or there is none.
pub fn read(text: &str, path: &Path) -> Result<Vec<Placed>, Error> {
    let files = read_contexts(text, path)?;
    let other = files.into_iter().filter(|(context, _)| context.is_none());
    let files: Vec<Placed> = other.map(|(_, placed)| placed).collect();
    match files.is_empty() {
        true => Err(Error::EmptyList { path: path.into() }),
        false => Ok(files),
    }
}

/// All files of a list with the context of each line that has one; `path` is the file that the text is from.
///
/// # Errors
/// When a line is not valid.
pub fn read_contexts(text: &str, path: &Path) -> Result<Vec<(Option<u64>, Placed)>, Error> {
    let lines = text.lines().map(str::trim).enumerate().filter(|(_, text)| !text.is_empty());
    lines
        .map(|(line, text)| {
            let (context, text) = context_of(text);
            let wrong = |what| Error::List { path: path.into(), line: line as u64 + 1, what };
            let placed = Placed::of_line(text).map_err(wrong)?;
            // Where no such file is in the list's folder, the name is that of one in the working directory.
            let beside = path.parent().unwrap_or(Path::new("")).join(&placed.path);
            let path = if beside.exists() { beside } else { placed.path };
            Ok((context, Placed { path, ..placed }))
        })
        .collect()
}
