//! Packages in folders of their own, and the tools that work on them.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tempfile::TempDir;
use tracewright_packaging::Layers;
use tracewright_sim::scheme::Design;

/// A folder with the package of a design, as `generate` writes it but for the manifest.
pub struct Folder {
    pub design: Design,
    pub top: String,
    directory: TempDir,
}

/// What a tool said.
#[derive(Debug)]
pub struct Done {
    pub success: bool,
    pub output: String,
}

impl Folder {
    pub fn of_preset(name: &str) -> Folder {
        Folder::new(Design::preset(name).expect("a preset"))
    }

    pub fn new(design: Design) -> Folder {
        Folder::with(design, false)
    }

    /// The package with or without the module that checks the pins.
    pub fn with(design: Design, assertions: bool) -> Folder {
        let generated = tracewright_hdl::generate(&design).expect("a good design");
        let sources = generated.sources();
        let names: Vec<&str> = sources.iter().map(|(name, _)| &**name).collect();
        let files =
            tracewright_packaging::package(&design, Layers::alone(&generated), &names, assertions);
        let files = files.expect("a package").into_iter();
        let directory = tempfile::tempdir().expect("a directory");
        for (name, text) in files.chain(sources) {
            let path = directory.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a directory");
            fs::write(path, text).expect("written");
        }
        Folder { design, top: generated.top, directory }
    }

    pub fn path(&self, file: &str) -> PathBuf {
        self.directory.path().join(file)
    }

    pub fn text(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).expect("a file")
    }

    /// Runs a command line in the folder or one in it.
    pub fn run(&self, within: &str, command: &str) -> Done {
        let mut words = command.split_whitespace();
        let tool = words.next().expect("a tool");
        run(Command::new(self.resolve(within, tool)).args(words).current_dir(self.path(within)))
    }

    /// A program in the folder by its path, any other by its name.
    fn resolve(&self, within: &str, tool: &str) -> PathBuf {
        if tool.contains('/') { self.path(within).join(tool) } else { tool.into() }
    }
}

/// Runs a command; a tool that is missing says how to get it.
pub fn run(command: &mut Command) -> Done {
    let tool = Path::new(command.get_program()).display().to_string();
    let output = command.output().unwrap_or_else(|error| match error.kind() {
        ErrorKind::NotFound => panic!(
            "{tool} is missing: run scripts/setup and have build/venv/bin on the path, as `make test` has"
        ),
        _ => panic!("{tool}: {error}"),
    });
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    Done { success: output.status.success(), output: text }
}

/// `make long-tests` runs every test at its full length, and so does `make mutations`, some of whose faults a short run
/// does not meet.
pub fn is_long() -> bool {
    ["LONG_TESTS", "ALL_FAULTS"].iter().any(|name| std::env::var_os(name).is_some())
}

/// All of some things; without `LONG_TESTS` those at these places, which have every kind of option between them.
pub fn chosen<T>(all: impl IntoIterator<Item = T>, places: &[usize]) -> Vec<T> {
    let all: Vec<T> = all.into_iter().collect();
    assert!(!places.is_empty() && places.iter().all(|place| *place < all.len()), "{places:?}");
    let is_chosen = |place: &usize| is_long() || places.contains(place);
    (0..).zip(all).filter(|(place, _)| is_chosen(place)).map(|(_, thing)| thing).collect()
}

/// Does something for each of some things on every processor, and fails with all that was wrong.
pub fn for_each<T: Sync>(things: &[T], check: impl Fn(&T) -> Result<(), String> + Sync) {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(thing) = things.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(what) = check(thing) {
                        wrong.lock().expect("no panic").push(what);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
