//! Commands that have to fail.

use super::Folder;

/// Runs commands that have to fail and shows what they say.
pub struct Bad {
    /// Where they run.
    pub folder: Folder,
    /// What is in it, before and after.
    pub names: Vec<String>,
    /// Commands and errors, for a snapshot.
    pub shown: String,
}

impl Bad {
    /// Commands in this folder.
    pub fn new(folder: Folder) -> Bad {
        Bad { names: folder.names(), folder, shown: String::new() }
    }

    /// Runs one that has to end with this status, one sentence, and nothing left behind.
    pub fn fails(&mut self, status: i32, arguments: &str) {
        let done = self.folder.run(arguments);
        assert_eq!(done.status, status, "{arguments}: {}", done.stderr);
        assert_eq!(done.stdout, "", "{arguments}");
        assert!(
            done.stderr.starts_with("error: ") && done.stderr.lines().count() == 1,
            "{arguments}: {}",
            done.stderr
        );
        assert_eq!(self.folder.names(), self.names, "{arguments} left something behind");
        self.shown += &format!("$ tracewright {arguments}\n{status} {}\n", done.stderr);
    }
}
