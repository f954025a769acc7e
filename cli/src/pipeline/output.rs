//! Output files that are complete or absent.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, Stdout, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use tempfile::NamedTempFile;
use tracewright_interrupt::Temporary;

use super::memory;
pub use super::paths::is_stdout;
use super::paths::{OutputFile, OutputFolder};

/// The permissions in a file's mode: those of a file that is replaced stay.
const PERMISSIONS: u32 = 0o7777;

/// The destination of a result: standard output, or a file that gets its name at the end.
#[derive(Debug)]
pub enum Output {
    /// Standard output.
    Stdout(BufWriter<Stdout>),
    /// A device or pipe, which is written directly.
    Device(BufWriter<File>, PathBuf),
    /// A temporary file in the folder of the final one.
    File(BufWriter<Temporary<NamedTempFile>>, PathBuf),
    /// A temporary file without a name, whose bytes standard output, a device or a pipe gets at the end.
    Held(BufWriter<File>, Box<Output>),
}

impl Output {
    /// Opens the output, which may be any file: a command names its files as [`OutputFile`].
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn open(path: &Path) -> anyhow::Result<Output> {
        if is_stdout(path) {
            return Ok(Output::Stdout(BufWriter::new(io::stdout())));
        }
        let fail = |error: io::Error| cannot_write(path, &error);
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                return Err(anyhow!("cannot write {}: it is a folder", path.display()));
            }
            Ok(metadata) if !metadata.is_file() || is_open(path) => {
                let device = fs::OpenOptions::new().append(true).open(path).map_err(fail)?;
                return Ok(Output::Device(BufWriter::new(device), path.into()));
            }
            _ => {}
        }
        // For a link, the file that it points to is replaced, not the link.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.into());
        let mode = fs::metadata(&target).ok().map(|metadata| metadata.mode() & PERMISSIONS);
        let temporary = Temporary::file_in(folder_of(&target), ".tracewright-", mode);
        Ok(Output::File(BufWriter::new(temporary.map_err(fail)?), target))
    }

    /// The name of the output for error messages.
    pub fn name(&self, path: &Path) -> String {
        match self {
            Output::Stdout(_) => "<stdout>".into(),
            Output::Held(_, into) => into.name(path),
            _ => path.display().to_string(),
        }
    }

    /// The same output with another name of a file in the same folder.
    ///
    /// # Errors
    /// When it is not a file.
    pub fn renamed(self, path: &OutputFile) -> anyhow::Result<Output> {
        match self {
            Output::File(writer, _) => Ok(Output::File(writer, path.to_path_buf())),
            Output::Stdout(_) | Output::Device(..) | Output::Held(..) => {
                Err(anyhow!("cannot write {}: expected a file", path.display()))
            }
        }
    }

    /// The output with all bytes in it that were held.
    ///
    /// # Errors
    /// When they cannot be written.
    fn delivered(self) -> anyhow::Result<Output> {
        let Output::Held(writer, mut into) = self else { return Ok(self) };
        let mut held = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        held.rewind()?;
        io::copy(&mut held, &mut into)?;
        into.flush()?;
        Ok(*into)
    }

    /// Gives the file its final name.
    ///
    /// # Errors
    /// When the last bytes cannot be written or the file cannot be renamed.
    pub fn commit(self) -> anyhow::Result<()> {
        memory::check();
        match self {
            Output::Stdout(mut stdout) => Ok(stdout.flush()?),
            Output::Device(mut device, path) => {
                device.flush().map_err(|error| cannot_write(&path, &error))
            }
            Output::Held(..) => self.delivered()?.commit(),
            Output::File(writer, path) => {
                let temporary =
                    writer.into_inner().map_err(|error| cannot_write(&path, error.error()))?;
                temporary.persist(&path).map(|_| ()).map_err(|error| cannot_write(&path, &error))
            }
        }
    }
}

impl OutputFile {
    /// Opens the output. An existing file of that name is unchanged until `commit`.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn create(&self) -> anyhow::Result<Output> {
        Output::open(self)
    }

    /// Opens the output, of which standard output, a device or a pipe gets nothing until `commit`
    /// either.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn create_held(&self) -> anyhow::Result<Output> {
        match self.create()? {
            output @ (Output::Stdout(_) | Output::Device(..)) => {
                let file = tempfile::tempfile().map_err(|error| cannot_write(self, &error))?;
                Ok(Output::Held(BufWriter::new(file), Box::new(output)))
            }
            output => Ok(output),
        }
    }

    /// True for what gets bytes and has no name that can change: standard output, a device or a pipe.
    pub fn is_stream(&self) -> bool {
        let is_other = |found: fs::Metadata| !found.is_file() && !found.is_dir();
        self.is_stdout() || is_open(self) || fs::metadata(self).is_ok_and(is_other)
    }
}

impl OutputFolder {
    /// Makes the folder if it is not there.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn make(&self) -> anyhow::Result<()> {
        fs::create_dir_all(self).map_err(|error| cannot_write(self, &error))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Stdout(stdout) => stdout.write(bytes),
            Output::Device(device, path) => device.write(bytes).map_err(named(path)),
            Output::Held(held, _) => held.write(bytes),
            Output::File(file, path) => file.write(bytes).map_err(named(path)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Stdout(stdout) => stdout.flush(),
            Output::Device(device, path) => device.flush().map_err(named(path)),
            Output::Held(held, _) => held.flush(),
            Output::File(file, path) => file.flush().map_err(named(path)),
        }
    }
}

/// Gives several files their names. If one cannot be written, as on a full device, none gets its name.
///
/// # Errors
/// The first of [`Output::commit`].
pub fn commit_all(outputs: impl IntoIterator<Item = Output>) -> anyhow::Result<()> {
    let mut outputs: Vec<Output> =
        outputs.into_iter().map(Output::delivered).collect::<anyhow::Result<_>>()?;
    outputs.iter_mut().try_for_each(Output::flush)?;
    outputs.into_iter().try_for_each(Output::commit)
}

/// The error of a write, which says what cannot be written.
#[derive(Debug)]
pub struct Unwritable(String);

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unwritable {}

/// Adds the name of the file to the error of a write.
fn named(path: &Path) -> impl Fn(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), Unwritable(cannot_write(path, &error).to_string()))
}

/// True for the name of a file that the process has open, which is written and not replaced.
fn is_open(path: &Path) -> bool {
    path.starts_with("/dev/fd") || path.starts_with("/proc") || path == Path::new("/dev/stderr")
}

/// The folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The error of a path that cannot be written.
pub fn cannot_write(path: &Path, error: &io::Error) -> anyhow::Error {
    // It stays what it is, which is no error: the reader of standard output has read enough.
    if error.kind() == io::ErrorKind::BrokenPipe && is_stdout(path) {
        return io::Error::from(io::ErrorKind::BrokenPipe).into();
    }
    let is_named = error.get_ref().is_some_and(|inner| inner.is::<Unwritable>());
    let text = error.to_string();
    if is_named {
        return anyhow!(text);
    }
    // The name of the temporary file follows; it would not help the user.
    let what = text.split(" at path ").next().unwrap_or_default();
    anyhow!("cannot write {}: {what}", path.display())
}
