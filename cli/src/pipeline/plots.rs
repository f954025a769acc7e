//! Plots in files of their own.

use std::io::Write;

use anyhow::Result;

use super::paths::OutputFolder;

/// Writes plots, each by name and text, as NAME.svg into a folder, which is made if it is not there.
///
/// # Errors
/// When the folder or a file cannot be written.
pub fn write(folder: &OutputFolder, plots: &[(String, String)]) -> Result<()> {
    folder.make()?;
    for (name, text) in plots {
        let mut output = folder.file(format!("{name}.svg"))?.create()?;
        output.write_all(text.as_bytes())?;
        output.commit()?;
    }
    Ok(())
}
