//! Files that appear whole or not at all.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Stdout, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use tempfile::{Builder, NamedTempFile};

/// What `-o` says for standard output.
pub const STDOUT: &str = "-";

/// Where a result goes: standard output, or a file that gets its name at the very end.
#[derive(Debug)]
pub enum Output {
    /// Standard output.
    Stdout(BufWriter<Stdout>),
    /// A device or pipe, which cannot be replaced.
    Device(BufWriter<File>),
    /// A file beside the one it will become.
    File(BufWriter<NamedTempFile>, PathBuf),
}

impl Output {
    /// Opens the output; a file under its name stays as it is until [`commit`](Output::commit).
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn create(path: &Path) -> anyhow::Result<Output> {
        if is_stdout(path) {
            return Ok(Output::Stdout(BufWriter::new(io::stdout())));
        }
        let fail = |error: io::Error| cannot_write(path, &error);
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                return Err(anyhow!("cannot write {}: it is a folder", path.display()));
            }
            Ok(metadata) if !metadata.is_file() => {
                let device = fs::OpenOptions::new().write(true).open(path).map_err(fail)?;
                return Ok(Output::Device(BufWriter::new(device)));
            }
            _ => {}
        }
        // Through a link the file it leads to is replaced, not the link.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.into());
        let temporary = Builder::new()
            .prefix(".tracewright-")
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder_of(&target));
        Ok(Output::File(BufWriter::new(temporary.map_err(fail)?), target))
    }

    /// What errors call the output.
    pub fn name(&self, path: &Path) -> String {
        match self {
            Output::Stdout(_) => "<stdout>".into(),
            _ => path.display().to_string(),
        }
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// When the last bytes cannot be written or the file cannot be renamed.
    pub fn commit(self) -> anyhow::Result<()> {
        match self {
            Output::Stdout(mut stdout) => Ok(stdout.flush()?),
            Output::Device(mut device) => Ok(device.flush()?),
            Output::File(writer, path) => {
                let temporary =
                    writer.into_inner().map_err(|error| cannot_write(&path, error.error()))?;
                temporary
                    .persist(&path)
                    .map(|_| ())
                    .map_err(|error| cannot_write(&path, &error.error))
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Stdout(stdout) => stdout.write(bytes),
            Output::Device(device) => device.write(bytes),
            Output::File(file, _) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Stdout(stdout) => stdout.flush(),
            Output::Device(device) => device.flush(),
            Output::File(file, _) => file.flush(),
        }
    }
}

/// True where the path stands for standard output (or input).
pub fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == STDOUT
}

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The error of a path that cannot be written.
pub fn cannot_write(path: &Path, error: &io::Error) -> anyhow::Error {
    let text = error.to_string();
    // The name of a temporary file, which follows, says nothing to anybody.
    let what = text.split(" at path ").next().unwrap_or_default();
    anyhow!("cannot write {}: {what}", path.display())
}
