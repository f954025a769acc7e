//! The file that was meant where an input is missing.

use std::path::{Path, PathBuf};

/// How like two names must be: at most three of ten characters differ.
const LEAST_LIKENESS: f64 = 0.7;

/// The file whose name is most like that of a missing one, in the same folder.
fn nearest(missing: &Path) -> Option<PathBuf> {
    let name = missing.file_name()?.to_string_lossy().into_owned();
    let folder = missing.parent().filter(|folder| !folder.as_os_str().is_empty());
    let likeness = |other: &String| strsim::normalized_damerau_levenshtein(&name, other);
    let entries = folder.unwrap_or(Path::new(".")).read_dir().ok()?.flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let best = names
        .filter(|other| likeness(other) >= LEAST_LIKENESS)
        .max_by(|one, other| likeness(one).total_cmp(&likeness(other)).then(other.cmp(one)))?;
    Some(missing.with_file_name(best))
}

/// An error with the name of the file that was meant, if one of these inputs is missing and the error says so.
pub fn named(sentence: String, inputs: &[PathBuf]) -> String {
    let is_meant = |path: &&PathBuf| sentence.contains(&*path.to_string_lossy()) && !path.exists();
    match inputs.iter().find(is_meant).and_then(|missing| nearest(missing)) {
        Some(nearest) => format!("{sentence}; did you mean {}?", nearest.display()),
        None => sentence,
    }
}
