//! All files and folders of a command: the one place that knows what it reads and what it writes.
//!
//! A command opens an input only as an [`Input`] and creates an output only as an [`OutputFile`] or in an
//! [`OutputFolder`]. Those that are values of arguments are known before the command runs ([`declare`]); others, such
//! as the files of a list of images or the files in a folder, when they are made. Each new one is compared with all
//! others, by device and inode and by its canonical path, so no output can replace an input or another output.

use std::ffi::OsStr;
use std::fs::{self, File, FileType, Metadata};
use std::io::{self, Read};
use std::ops::Deref;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};
use clap::builder::{MapValueParser, PathBufValueParser, TypedValueParser, ValueParserFactory};
use clap::{ArgMatches, Command};

use super::failure::usage;
use super::memory;

/// The name of standard input or output as a file.
const DASH: &str = "-";

/// Other names of standard output, which must not be replaced by a file.
const STDOUT: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// A file or folder that the command reads; `-` is standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input(PathBuf);

/// A file that the command writes; `-` is standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile(PathBuf);

/// A folder in which the command writes files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFolder(PathBuf);

impl Input {
    /// A file that no argument of the type [`Input`] names, such as one in a list.
    ///
    /// # Errors
    /// When the command writes it.
    pub fn found(path: impl Into<PathBuf>) -> Result<Input> {
        let path = path.into();
        add(Use::new(Purpose::Input, &path, None))?;
        Ok(Input(path))
    }

    /// True for standard input.
    pub fn is_stdin(&self) -> bool {
        is_stdin(&self.0)
    }

    /// Opens the file.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(&self) -> Result<File> {
        memory::reading(&self.0);
        File::open(&self.0).with_context(|| format!("cannot open {}", self.0.display()))
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn bytes(&self) -> Result<Vec<u8>> {
        memory::reading(&self.0);
        fs::read(&self.0).with_context(|| format!("cannot read {}", self.0.display()))
    }

    /// The text of the file.
    ///
    /// # Errors
    /// When it cannot be read or is no text.
    pub fn text(&self) -> Result<String> {
        fs::read_to_string(&self.0).with_context(|| format!("cannot read {}", self.0.display()))
    }

    /// True if the file begins with these bytes; false for one that cannot be read, which its reader reports.
    pub fn begins_with(&self, magic: &[u8]) -> bool {
        let mut first = Vec::new();
        let read = File::open(&self.0)
            .and_then(|file| file.take(magic.len() as u64).read_to_end(&mut first));
        read.is_ok() && first == magic
    }
}

/// The paths of inputs, for functions that know no arguments.
pub fn paths(inputs: &[Input]) -> Vec<PathBuf> {
    inputs.iter().map(|input| input.0.clone()).collect()
}

impl OutputFile {
    /// A file that no argument of the type [`OutputFile`] names, such as one in a folder.
    ///
    /// # Errors
    /// When the command reads it, or an argument names it as another output.
    pub fn new(path: impl Into<PathBuf>) -> Result<OutputFile> {
        let path = path.into();
        add(Use::new(Purpose::File, &path, None))?;
        Ok(OutputFile(path))
    }

    /// Another file in the folder of this one, with this name.
    ///
    /// # Errors
    /// Those of [`OutputFile::new`].
    pub fn beside(&self, name: impl AsRef<OsStr>) -> Result<OutputFile> {
        OutputFile::new(self.0.with_file_name(name.as_ref()))
    }

    /// True for standard output, under any name.
    pub fn is_stdout(&self) -> bool {
        is_stdout(&self.0)
    }
}

impl OutputFolder {
    /// A folder that no argument of the type [`OutputFolder`] names.
    ///
    /// # Errors
    /// When the command reads it.
    pub fn new(path: impl Into<PathBuf>) -> Result<OutputFolder> {
        let path = path.into();
        add(Use::new(Purpose::Folder, &path, None))?;
        Ok(OutputFolder(path))
    }

    /// A file in the folder.
    ///
    /// # Errors
    /// Those of [`OutputFile::new`].
    pub fn file(&self, name: impl AsRef<Path>) -> Result<OutputFile> {
        OutputFile::new(self.0.join(name))
    }

    /// A folder in the folder.
    ///
    /// # Errors
    /// Those of [`OutputFolder::new`].
    pub fn folder(&self, name: impl AsRef<Path>) -> Result<OutputFolder> {
        OutputFolder::new(self.0.join(name))
    }

    /// Says which files the command will write in the folder by other means than [`OutputFolder::file`].
    ///
    /// # Errors
    /// Those of [`OutputFile::new`].
    pub fn claim(&self, names: &[&str]) -> Result<()> {
        names.iter().try_for_each(|name| self.file(name).map(drop))
    }

    /// Fails if an input is in the folder, which is about to be replaced as a whole.
    ///
    /// # Errors
    /// When there is one.
    pub fn can_be_replaced(&self) -> Result<()> {
        let folder = resolved(&self.0);
        let uses = lock();
        let inputs = uses.iter().filter(|one| one.purpose == Purpose::Input);
        match inputs.into_iter().find(|input| input.resolved.starts_with(&folder)) {
            None => Ok(()),
            Some(input) => Err(usage(format_args!(
                "{} would be replaced with the input {} in it: expected another folder",
                self.0.display(),
                input.path.display()
            ))),
        }
    }
}

/// True if the path, which is that of an input, stands for standard input.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == DASH
}

/// True if the path stands for standard output.
pub fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == DASH || STDOUT.iter().any(|name| path == Path::new(name))
}

/// Types of paths.
trait Named: Clone + Send + Sync + 'static {
    const PURPOSE: Purpose;

    fn of(path: PathBuf) -> Self;

    fn path(&self) -> &Path;
}

macro_rules! named {
    ($($name:ident: $purpose:ident;)*) => {$(
        impl Named for $name {
            const PURPOSE: Purpose = Purpose::$purpose;

            fn of(path: PathBuf) -> Self {
                $name(path)
            }

            fn path(&self) -> &Path {
                &self.0
            }
        }

        impl Deref for $name {
            type Target = Path;

            fn deref(&self) -> &Path {
                &self.0
            }
        }

        impl AsRef<Path> for $name {
            fn as_ref(&self) -> &Path {
                &self.0
            }
        }

        impl ValueParserFactory for $name {
            type Parser = MapValueParser<PathBufValueParser, fn(PathBuf) -> $name>;

            fn value_parser() -> Self::Parser {
                PathBufValueParser::new().map(<$name as Named>::of)
            }
        }
    )*};
}

named! {
    Input: Input;
    OutputFile: File;
    OutputFolder: Folder;
}

/// What a path is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Input,
    File,
    Folder,
}

/// A path that the command uses.
#[derive(Debug)]
struct Use {
    purpose: Purpose,
    path: PathBuf,
    /// The argument that names it, if one does.
    argument: Option<String>,
    /// Device and inode of a file or folder.
    inode: Option<(u64, u64)>,
    /// True for what a write does not destroy.
    is_device: bool,
    /// Where it is, whether it exists or not.
    resolved: PathBuf,
}

static USES: Mutex<Vec<Use>> = Mutex::new(Vec::new());

fn lock() -> MutexGuard<'static, Vec<Use>> {
    USES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes all paths that are values of arguments, before the command runs.
///
/// # Errors
/// When an output is an input or another output.
pub fn declare(mut command: &Command, mut matches: &ArgMatches) -> Result<()> {
    loop {
        declare_all::<Input>(command, matches)?;
        declare_all::<OutputFile>(command, matches)?;
        declare_all::<OutputFolder>(command, matches)?;
        let Some((name, below)) = matches.subcommand() else { return Ok(()) };
        let Some(found) = command.find_subcommand(name) else { return Ok(()) };
        (command, matches) = (found, below);
    }
}

fn declare_all<T: Named>(command: &Command, matches: &ArgMatches) -> Result<()> {
    for argument in command.get_arguments() {
        let id = argument.get_id().as_str();
        // Values of another type are no paths of this purpose.
        let Ok(Some(values)) = matches.try_get_many::<T>(id) else { continue };
        let said = argument.get_long().map_or_else(
            || argument.get_value_names().unwrap_or_default().join(" "),
            |long| format!("--{long}"),
        );
        for value in values {
            add(Use::new(T::PURPOSE, value.path(), Some(said.clone())))?;
        }
    }
    Ok(())
}

/// The inputs that the command knows, except standard input.
pub fn inputs() -> Vec<PathBuf> {
    let uses = lock();
    let inputs = uses.iter().filter(|one| one.purpose == Purpose::Input && !is_stdin(&one.path));
    inputs.map(|one| one.path.clone()).collect()
}

/// Notes a path.
///
/// # Errors
/// When an output is an input or another output.
fn add(new: Use) -> Result<()> {
    let mut uses = lock();
    let is_known = |old: &Use| {
        new.argument.is_none()
            && (old.purpose, &old.path) == (new.purpose, &new.path)
            && (old.argument.is_none() || new.purpose == Purpose::Input)
    };
    if uses.iter().any(is_known) {
        return Ok(());
    }
    if let Some(old) = uses.iter().find(|old| new.is_harmed_by(old)) {
        return Err(usage(new.harm(old)));
    }
    uses.push(new);
    Ok(())
}

impl Use {
    fn new(purpose: Purpose, path: &Path, argument: Option<String>) -> Use {
        let (found, resolved) = match purpose {
            Purpose::Input if path.as_os_str() == DASH => {
                (metadata_of(io::stdin()), "<stdin>".into())
            }
            Purpose::File if is_stdout(path) => (metadata_of(io::stdout()), "<stdout>".into()),
            _ => (path.metadata().ok(), resolved(path)),
        };
        let is_file = |kind: FileType| kind.is_file() || kind.is_dir();
        let is_device = found.as_ref().is_some_and(|found| !is_file(found.file_type()));
        let inode = found.filter(|_| !is_device).map(|found| (found.dev(), found.ino()));
        Use { purpose, path: path.into(), argument, inode, is_device, resolved }
    }

    fn is_harmed_by(&self, other: &Use) -> bool {
        if self.purpose == other.purpose && self.purpose != Purpose::File {
            return false;
        }
        // Nothing is lost where a device or a terminal is written twice, but a pipe takes one output.
        let is_device = self.is_device && !is_stdout(&self.path);
        self.inode.is_some() && self.inode == other.inode
            || self.resolved == other.resolved && !is_device
    }

    fn harm(&self, other: &Use) -> String {
        let (output, other) = match self.purpose {
            Purpose::Input => (other, self),
            Purpose::File | Purpose::Folder => (self, other),
        };
        let (output, found) = (output.said(), other.said());
        match other.purpose {
            Purpose::Input => {
                format!("{output} is also the input {found}: expected another output")
            }
            Purpose::File | Purpose::Folder => {
                format!("{output} is also the output {found}: expected two different ones")
            }
        }
    }

    fn said(&self) -> String {
        let path = self.path.display();
        self.argument.as_ref().map_or_else(|| path.to_string(), |name| format!("{name} {path}"))
    }
}

/// What standard input or output is.
fn metadata_of(stream: impl AsFd) -> Option<Metadata> {
    File::from(stream.as_fd().try_clone_to_owned().ok()?).metadata().ok()
}

/// The path without links and `..`, as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.into());
    let components: Vec<Component<'_>> = absolute.components().collect();
    for length in (0..=components.len()).rev() {
        let beginning: PathBuf = components[..length].iter().collect();
        let Ok(mut found) = beginning.canonicalize() else { continue };
        for component in &components[length..] {
            match component {
                Component::ParentDir => drop(found.pop()),
                other => found.push(other),
            }
        }
        return found;
    }
    absolute
}
