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

/// Writes the files of a module and their manifest into a folder of its name, in the place of those that were generated
/// there before, and prints where they are, and the outermost module.
///
/// # Errors
/// When the folder has a design or other files, or files that were changed, or cannot be written.
pub fn write(destination: &Destination, name: &str, top: &str, mut files: Files) -> Result<()> {
    let folder = destination.output.folder(name)?;
    let manifest = Manifest {
        top,
        files: files.keys().collect(),
        generator: digests::GENERATOR,
        digests: digests::of_all(files.iter()),
    };
    files.insert(MANIFEST.into(), digests::sealed(&manifest)?);
    folder::refuse_loss(&folder, &files, destination.force)?;
    folder::replace(&folder, &files)?;
    let written =
        Written { folder: folder.display().to_string(), top, files: files.keys().collect() };
    if destination.json {
        return print::json(&written);
    }
    print::text(format_args!("{}: {} files, top module {top}\n", written.folder, files.len()))
}
