//! Folders of generated files, which are made in memory and then compared or written as a whole.

use std::collections::BTreeMap;
use std::fs::{self, FileType};
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;
use serde_json::Value;
use similar::TextDiff;
use tempfile::TempDir;
use tracewright_interrupt::Temporary;
use tracewright_verification::MANIFEST;

use super::digests;
use super::memory;
use super::output::{self, cannot_write, folder_of};
use super::paths::OutputFolder;

/// Files that an error names.
const NAMED_FILES: usize = 8;

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
        // A link is not followed: it may lead anywhere, also back here.
        if is_kind(&path, FileType::is_dir) {
            files.extend(files_below(&path)?.into_iter().map(|file| format!("{name}/{file}")));
        } else {
            files.push(name);
        }
    }
    Ok(files)
}

/// True if the path itself, and not what a link points to, is of a kind.
fn is_kind(path: &Path, kind: impl Fn(&FileType) -> bool) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| kind(&metadata.file_type()))
}

/// A folder that is removed when it is dropped or the command is interrupted.
pub type TemporaryFolder = Temporary<TempDir>;

/// An empty folder for files that are needed only while the command runs.
///
/// # Errors
/// When it cannot be made.
pub fn temporary() -> Result<TemporaryFolder> {
    Temporary::folder().context("cannot make a temporary folder")
}

/// Replaces a folder by one with these files. The folder is complete at every moment, where the file system can
/// exchange two folders; elsewhere it is missing for a moment.
///
/// # Errors
/// When it cannot be written.
pub fn replace(folder: &OutputFolder, files: &Files) -> Result<()> {
    folder.can_be_replaced()?;
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
    let target = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    memory::check();
    // The old folder goes with the temporary one, so the exchange must be whole.
    tracewright_interrupt::uninterrupted(|| exchange(&new, &target, &temporary.path().join("old")))
        .map_err(fail)
}

/// Writes files into a folder, and removes those of its other files of which `is_stale` says so by their name and text.
///
/// # Errors
/// When a file cannot be read or written, and the errors of `is_stale`; then nothing is changed.
pub fn update(
    folder: &OutputFolder,
    files: &Files,
    is_stale: impl Fn(&str, &str) -> Result<bool>,
) -> Result<()> {
    folder.make()?;
    let mut stale = Vec::new();
    for name in names(folder)?.into_iter().filter(|name| !folder.join(name).is_dir()) {
        let text = fs::read(folder.join(&name));
        let text = text.with_context(|| format!("cannot read {}", folder.join(&name).display()))?;
        if is_stale(&name, &String::from_utf8_lossy(&text))? && !files.contains_key(&name) {
            stale.push(folder.join(&name));
        }
    }
    let mut outputs = Vec::with_capacity(files.len());
    for (name, text) in files {
        let mut output = folder.file(name)?.create()?;
        output.write_all(text.as_bytes())?;
        outputs.push(output);
    }
    output::commit_all(outputs)?;
    stale
        .iter()
        .try_for_each(|path| fs::remove_file(path).map_err(|error| cannot_write(path, &error)))
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

/// Fails if the folder has a file that was not generated, or one that was changed since, which would be lost when it
/// is replaced. With `force` those that were changed are not looked for.
///
/// # Errors
/// Names the file, and what to do.
pub fn refuse_loss(folder: &Path, files: &Files, force: bool) -> Result<()> {
    let there = files_below(folder)?;
    if there.is_empty() {
        return Ok(());
    }
    refuse_foreign(folder, files, &there)?;
    if force { Ok(()) } else { refuse_changed(folder, files, &there) }
}

/// Fails if a file was changed since it was generated, and is not what would be written now.
fn refuse_changed(folder: &Path, files: &Files, there: &[String]) -> Result<()> {
    let recorded = fs::read_to_string(folder.join(MANIFEST))
        .ok()
        .and_then(|manifest| digests::recorded(&manifest));
    let mut changed = Vec::new();
    for name in there {
        let path = folder.join(name);
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let is_new = files.get(name).is_some_and(|text| text.as_bytes() == bytes);
        let is_old = recorded
            .as_ref()
            .is_some_and(|digests| digests.get(name) == Some(&digests::of(&bytes)));
        if !is_new && !is_old {
            changed.push(name.as_str());
        }
    }
    let more = changed.len().saturating_sub(NAMED_FILES);
    changed.truncate(NAMED_FILES);
    let (folder, names) = (folder.display(), changed.join(", "));
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    match (changed.is_empty(), recorded) {
        (true, _) => Ok(()),
        (false, Some(_)) => Err(anyhow!(
            "cannot replace {folder}: changed since they were generated: {names}{more}; move them or overwrite them with --force"
        )),
        (false, None) => Err(anyhow!(
            "cannot replace {folder}: its {MANIFEST} has no digests, so files that were changed cannot be told from others: \
             {names}{more}; overwrite them with --force"
        )),
    }
}

/// Fails if the folder has a file that was not generated, or a design where the new files are none, or the reverse.
fn refuse_foreign(folder: &Path, files: &Files, there: &[String]) -> Result<()> {
    if let Some(link) = there.iter().find(|name| is_kind(&folder.join(name), FileType::is_symlink))
    {
        return Err(anyhow!(
            "cannot replace {}: it has the link {link}, which was not generated; move it or choose another folder",
            folder.display()
        ));
    }
    let parsed = |text: &[u8]| serde_json::from_slice::<Value>(text).unwrap_or_default();
    let is_design = |manifest: &Value| manifest["design"].is_string();
    let manifest = fs::read(folder.join(MANIFEST)).ok().map(|text| parsed(&text));
    let new = files.get(MANIFEST).is_some_and(|text| is_design(&parsed(text.as_bytes())));
    if manifest.as_ref().is_some_and(|manifest| is_design(manifest) != new) {
        let what = if new { "a module that is no design" } else { "a design" };
        return Err(anyhow!(
            "cannot replace {}: its {MANIFEST} is that of {what}; choose another name or folder",
            folder.display()
        ));
    }
    let generated_before = manifest.map(|manifest| {
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
