//! Folders of a module that is no design, with a manifest by which files that were changed are seen.

use std::collections::BTreeMap;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tracewright_verification::MANIFEST;

use super::digests;
use super::folder::{self, Files};
use super::paths::OutputFolder;
use super::print;

/// Where a module is written, and what is printed of it.
#[derive(Args)]
pub struct Destination {
    /// Write the folder into this folder
    #[arg(short, long, value_name = "DIR", default_value = "generated_verilog")]
    output: OutputFolder,
    /// Overwrite generated files that were changed since
    #[arg(long)]
    force: bool,
    /// Print JSON: an object with folder, top, files
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Manifest<'a> {
    top: &'a str,
    files: Vec<&'a String>,
    generator: &'a str,
    /// SHA-256 of every file.
    digests: BTreeMap<String, String>,
}

/// What was written, as `--json` prints it.
#[derive(Serialize)]
struct Written<'a> {
    folder: String,
    top: &'a str,
    files: Vec<&'a String>,
}

/// The name of the Verilog module that a folder of this name has, as those of designs have it.
pub fn verilog_name(name: &str) -> String {
    name.replace('-', "_")
}

/// Adds the manifest of the files of a module.
///
/// # Errors
/// Never with such files.
pub fn with_manifest(top: &str, mut files: Files) -> Result<Files> {
    let manifest = Manifest {
        top,
        files: files.keys().collect(),
        generator: digests::GENERATOR,
        digests: digests::of_all(files.iter()),
    };
    files.insert(MANIFEST.into(), digests::sealed(&manifest)?);
    Ok(files)
}

/// Writes the files of a module and their manifest into a folder of its name, in the place of those that were generated
/// there before, and prints where they are, and the outermost module.
///
/// # Errors
/// When the folder has a design or other files, or files that were changed, or cannot be written.
pub fn write(destination: &Destination, name: &str, top: &str, files: Files) -> Result<()> {
    let Destination { output, force, json } = destination;
    write_into(output, (*force, *json), name, (top, files))
}

/// The same into a folder of this one, over files that were changed with `force`; with `json` as JSON.
///
/// # Errors
/// Those of [`write`].
pub fn write_into(
    output: &OutputFolder,
    (force, json): (bool, bool),
    name: &str,
    (top, files): (&str, Files),
) -> Result<()> {
    let folder = output.folder(name)?;
    let files = with_manifest(top, files)?;
    folder::refuse_loss(&folder, &files, force)?;
    folder::replace(&folder, &files)?;
    let written =
        Written { folder: folder.display().to_string(), top, files: files.keys().collect() };
    if json {
        return print::json(&written);
    }
    print::text(format_args!("{}: {} files, top module {top}\n", written.folder, files.len()))
}
