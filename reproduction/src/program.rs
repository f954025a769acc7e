//! The programs whose traces are given, and their names in the papers.

use std::path::{Path, PathBuf};

use tracewright_report::papers;

/// A traced program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its name in tables.
    pub name: String,
    /// The papers' name of the program, if it is one of theirs.
    pub paper_name: Option<&'static str>,
    /// Its trace.
    pub trace: PathBuf,
}

/// The programs of these traces, with names that differ.
pub fn all(traces: &[PathBuf]) -> Vec<Program> {
    let name = |trace: &Path| match traces.iter().filter(|other| stem(other) == stem(trace)).count()
    {
        0 | 1 => stem(trace),
        _ => match trace.parent().and_then(Path::file_name) {
            Some(folder) => format!("{}/{}", folder.to_string_lossy(), stem(trace)),
            None => trace.display().to_string(),
        },
    };
    let program = |trace: &PathBuf| Program {
        name: name(trace),
        paper_name: papers::program_of(&stem(trace)),
        trace: trace.clone(),
    };
    traces.iter().map(program).collect()
}

/// The file name of a trace without its suffix.
fn stem(trace: &Path) -> String {
    let file = trace.file_name().unwrap_or(trace.as_os_str()).to_string_lossy();
    let stem = file.strip_suffix(".zst").unwrap_or(&file);
    let stem = [".pet", ".txt"].iter().find_map(|suffix| stem.strip_suffix(suffix)).unwrap_or(stem);
    stem.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let traces = ["a/sha.pet.zst", "b/sha.pet.zst", "arm-fft-head.pet.zst", "my.txt"];
        let programs = all(&traces.map(PathBuf::from));
        let names: Vec<_> =
            programs.iter().map(|one| (one.name.as_str(), one.paper_name)).collect();
        assert_eq!(
            names,
            [("a/sha", Some("sha")), ("b/sha", Some("sha")), ("arm-fft-head", None), ("my", None)]
        );
    }
}
