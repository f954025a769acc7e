//! Folders of generated files, which are made in memory and then compared or written as a whole.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use similar::TextDiff;
use tempfile::Builder;
use tracewright_verification::MANIFEST;

use super::output::{cannot_write, folder_of};

/// Texts by file name, with `/` after the name of a subfolder.
pub type Files = BTreeMap<String, String>;

/// The differences between the files in `folder` and `files`, a diff or a line for each file; empty if there are none.
///
/// # Errors
/// When the folder cannot be read.
pub fn differences(folder: &Path, files: &Files) -> Result<String> {
    let there = files_below(folder)?;
    let mut report = String::new();
    for (name, wanted) in files {
        report += &difference(&folder.join(name), wanted)?;
    }
    for name in there.iter().filter(|name| !files.contains_key(*name)) {
        report += &format!("extra: {}\n", folder.join(name).display());
    }
    Ok(report)
}

/// The differences between the file and `wanted`, a diff or a line; empty if there are none.
///
/// # Errors
/// When the file cannot be read.
pub fn difference(path: &Path, wanted: &str) -> Result<String> {
    let found = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(format!("missing: {}\n", path.display()));
        }
        found => found.with_context(|| format!("cannot read {}", path.display()))?,
    };
    let found = String::from_utf8_lossy(&found);
    if found == wanted {
        return Ok(String::new());
    }
    let diff = TextDiff::from_lines(found.as_ref(), wanted);
    let shown = path.display().to_string();
    Ok(diff.unified_diff().header(&shown, "generated now").to_string())
}

/// The names in a folder, sorted; none if the folder does not exist.
///
/// # Errors
/// When the folder cannot be read.
pub fn names(folder: &Path) -> Result<Vec<String>> {
    let read = || -> io::Result<Vec<String>> {
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut names = Vec::new();
        for entry in entries {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        Ok(names)
    };
    read().with_context(|| format!("cannot read {}", folder.display()))
}

/// The names of the files in a folder and its subfolders, as in [`Files`], sorted; none if the folder does
/// not exist.
fn files_below(folder: &Path) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for name in names(folder)? {
        let path = folder.join(&name);
        if path.is_dir() {
            files.extend(files_below(&path)?.into_iter().map(|file| format!("{name}/{file}")));
        } else {
            files.push(name);
        }
    }
    Ok(files)
}

/// Replaces a folder by one with these files. The folder is complete at every moment.
///
/// # Errors
/// When the folder has a file that was not generated, or cannot be written.
pub fn replace(folder: &Path, files: &Files) -> Result<()> {
    refuse_foreign(folder, files)?;
    let fail = |error: io::Error| cannot_write(folder, &error);
    let parent = folder_of(folder);
    fs::create_dir_all(parent).map_err(fail)?;
    let temporary = Builder::new().prefix(".tracewright-").tempdir_in(parent).map_err(fail)?;
    let (new, old) = (temporary.path().join("new"), temporary.path().join("old"));
    fs::create_dir(&new).map_err(fail)?;
    for (name, text) in files {
        let path = new.join(name);
        fs::create_dir_all(folder_of(&path)).map_err(fail)?;
        fs::write(path, text).map_err(fail)?;
    }
    let replaced = folder.exists();
    if replaced {
        fs::rename(folder, &old).map_err(fail)?;
    }
    if let Err(error) = fs::rename(&new, folder) {
        if replaced {
            fs::rename(&old, folder).map_err(fail)?;
        }
        return Err(fail(error));
    }
    Ok(())
}

/// Fails if the folder has a file that would be lost when it is replaced.
fn refuse_foreign(folder: &Path, files: &Files) -> Result<()> {
    let there = files_below(folder)?;
    if there.is_empty() {
        return Ok(());
    }
    let generated_before = fs::read(folder.join(MANIFEST)).map(|text| {
        let manifest: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
        let names = manifest["files"].as_array().cloned().unwrap_or_default();
        names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect::<Vec<_>>()
    });
    let generated_before = generated_before.unwrap_or_default();
    match there.iter().find(|name| !files.contains_key(*name) && !generated_before.contains(name)) {
        None => Ok(()),
        Some(name) => Err(anyhow!(
            "cannot replace {}: it has {name}, which was not generated; move that file or choose another folder",
            folder.display()
        )),
    }
}
