//! Plots in files of their own.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::Result;

use super::output::{self, Output};

/// Writes plots, each by name and text, as NAME.svg into a folder, which is made if it is not there.
///
/// # Errors
/// When the folder or a file cannot be written.
pub fn write(folder: &Path, plots: &[(String, String)]) -> Result<()> {
    fs::create_dir_all(folder).map_err(|error| output::cannot_write(folder, &error))?;
    for (name, text) in plots {
        let mut output = Output::create(&folder.join(format!("{name}.svg")))?;
        output.write_all(text.as_bytes())?;
        output.commit()?;
    }
    Ok(())
}
