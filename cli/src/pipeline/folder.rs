//! Folders of generated files, which are made in memory and then compared or written as a whole.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;
use similar::TextDiff;
use tracewright_interrupt::Temporary;
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

/// Replaces a folder by one with these files. The folder is complete at every moment, where the file system can exchange
/// two folders; elsewhere it is missing for a moment.
///
/// # Errors
/// When the folder has a file that was not generated, or cannot be written.
pub fn replace(folder: &Path, files: &Files) -> Result<()> {
    refuse_foreign(folder, files)?;
    let fail = |error: io::Error| cannot_write(folder, &error);
    let parent = folder_of(folder);
    fs::create_dir_all(parent).map_err(fail)?;
    let temporary = Temporary::folder_in(parent, ".tracewright-").map_err(fail)?;
    let new = temporary.path().join("new");
    fs::create_dir(&new).map_err(fail)?;
    for (name, text) in files {
        let path = new.join(name);
        create_folders(&new, Path::new(name)).map_err(fail)?;
        fs::write(path, text).map_err(fail)?;
    }
    // For a link, the folder that it points to is replaced, not the link.
    let target = fs::canonicalize(folder).unwrap_or_else(|_| folder.into());
    // The old folder goes with the temporary one, so the exchange must be whole.
    tracewright_interrupt::uninterrupted(|| exchange(&new, &target, &temporary.path().join("old")))
        .map_err(fail)
}

/// Makes the folders in `folder` that the file `name` is in. Unlike `create_dir_all` it does not make `folder` again if
/// an interrupt has removed it.
fn create_folders(folder: &Path, name: &Path) -> io::Result<()> {
    let Some(parent) = name.parent().filter(|parent| !parent.as_os_str().is_empty()) else {
        return Ok(());
    };
    create_folders(folder, parent)?;
    match fs::create_dir(folder.join(parent)) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

/// Puts the folder `new` in the place of `folder`, which may exist. `old` is a free name in the same file system.
fn exchange(new: &Path, folder: &Path, old: &Path) -> io::Result<()> {
    // Another process may make or remove the folder meanwhile.
    loop {
        match renameat_with(CWD, new, CWD, folder, RenameFlags::EXCHANGE) {
            Err(Errno::NOENT) => {}
            Err(Errno::INVAL | Errno::NOSYS) => break,
            done => return done.map_err(io::Error::from),
        }
        match renameat_with(CWD, new, CWD, folder, RenameFlags::NOREPLACE) {
            Err(Errno::EXIST) => {}
            Err(Errno::INVAL | Errno::NOSYS) => break,
            done => return done.map_err(io::Error::from),
        }
    }
    let replaced = folder.exists();
    if replaced {
        fs::rename(folder, old)?;
    }
    fs::rename(new, folder).or_else(|error| {
        if replaced {
            fs::rename(old, folder)?;
        }
        Err(error)
    })
}

/// Fails if the folder has a file that would be lost when it is replaced.
fn refuse_foreign(folder: &Path, files: &Files) -> Result<()> {
    let there = files_below(folder)?;
    if there.is_empty() {
        return Ok(());
    }
    let generated_before = fs::read(folder.join(MANIFEST)).map(|text| {
        let manifest: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
        let lists = ["files", "package"].map(|list| manifest[list].as_array().cloned());
        let names = lists.into_iter().flatten().flatten();
        names.filter_map(|name| name.as_str().map(str::to_owned)).collect::<Vec<_>>()
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
