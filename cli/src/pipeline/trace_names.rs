//! The names of traces in tables: those of their files, and their folder once above.

use std::collections::HashSet;

/// What traces are called beside each other.
#[derive(Clone, Debug)]
pub struct TraceNames {
    /// The folder that all of them are in, with its last `/`; empty for the current one.
    folder: String,
    /// False if two traces differ in the ends of their names only.
    is_short: bool,
}

impl TraceNames {
    /// The names of these traces.
    pub fn of<'a>(traces: impl IntoIterator<Item = &'a str>) -> TraceNames {
        let traces: HashSet<&str> = traces.into_iter().collect();
        let folder = |trace: &str| trace.rfind('/').map_or(0, |end| end + 1);
        let mut folders = traces.iter().map(|trace| &trace[..folder(trace)]);
        let first = folders.next().unwrap_or_default();
        let folder = folders.fold(first, |all, one| {
            let is_in = |end: &usize| one.starts_with(&all[..*end]);
            let ends = all.match_indices('/').map(|(at, _)| at + 1);
            &all[..ends.rev().find(is_in).unwrap_or(0)]
        });
        let short: HashSet<&str> = traces.iter().map(|trace| without_ending(trace)).collect();
        TraceNames { folder: folder.to_owned(), is_short: short.len() == traces.len() }
    }

    /// The name of one of them.
    pub fn name<'a>(&self, trace: &'a str) -> &'a str {
        let name = trace.strip_prefix(&self.folder).unwrap_or(trace);
        if self.is_short { without_ending(name) } else { name }
    }

    /// A line with the folder, for above the table; empty for the current folder.
    pub fn heading(&self) -> String {
        match self.folder.as_str() {
            "" => String::new(),
            folder => format!("Traces in {folder}\n\n"),
        }
    }
}

/// The name of a trace without the endings that say its format.
fn without_ending(name: &str) -> &str {
    let name = name.strip_suffix(".zst").unwrap_or(name);
    name.strip_suffix(".pet").unwrap_or(name)
}
