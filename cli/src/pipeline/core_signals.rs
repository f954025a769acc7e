//! Files that say what a waveform calls the signals of a core.

use anyhow::{Result, anyhow};
use tracewright_import::Core;

use super::paths::Input;

/// Reads the names of a core's signals.
///
/// # Errors
/// When the file cannot be read, or its contents are not what docs/import.md says; with the line.
pub fn load(file: &Input) -> Result<Core> {
    let text = file.text()?;
    toml::from_str(&text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let line = 1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count();
        anyhow!("{}, line {line}: {}", file.display(), error.message())
    })
}

/// The file in which a simulator keeps the signals of an FST until it ends it, if there is one.
///
/// # Errors
/// When it cannot be read.
pub fn hierarchy(log: &Input) -> Result<Option<Vec<u8>>> {
    let Some(name) = log.file_name() else { return Ok(None) };
    let mut name = name.to_owned();
    name.push(".hier");
    let path = log.with_file_name(name);
    if log.is_stdin() || !path.is_file() {
        return Ok(None);
    }
    Input::found(path)?.bytes().map(Some)
}
