//! A folder to run the command in, and what came of it.

pub mod bad;
pub mod trace_port;
pub mod tree;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// The real traces of the repository.
pub const WORKLOADS: [&str; 6] = [
    "arm-adpcm_c",
    "arm-fft-head",
    "arm-stringsearch",
    "arm-tiff2bw",
    "rv64-djpeg",
    "rv64-stringsearch",
];

/// The file of a real trace.
pub fn workload(name: &str) -> String {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../workloads").join(format!("{name}.pet.zst"));
    path.display().to_string()
}

/// `make long-tests` runs every test at its full length.
pub fn is_long() -> bool {
    std::env::var_os("LONG_TESTS").is_some()
}

/// A folder in which commands run, so that messages name files without their folder.
pub struct Folder(TempDir);

/// What a command did.
pub struct Done {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a temporary folder"))
    }

    /// A folder with the first events of a real trace, `run.pet.zst`, and `run.bits`, what traptor-m4 makes of it.
    pub fn with_run() -> Folder {
        let folder = Folder::new();
        folder.take_head("arm-stringsearch", 20_000, "run.pet.zst");
        folder.succeed("encode traptor-m4 run.pet.zst -o run.bits");
        folder
    }

    /// Puts the first events of a real trace into the folder.
    pub fn take_head(&self, name: &str, events: u64, file: &str) {
        let limit = events.to_string();
        let done =
            self.run_words(&["trace", "convert", &workload(name), "-o", file, "--limit", &limit]);
        assert_eq!((done.status, done.stderr.as_str()), (0, ""));
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).expect("text")
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    /// Every file and folder in it, in order.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("the folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into())
            .collect();
        names.sort();
        names
    }

    /// Runs the command with arguments that have no blanks in them.
    pub fn run(&self, arguments: &str) -> Done {
        self.run_words(&arguments.split_whitespace().collect::<Vec<_>>())
    }

    pub fn run_words(&self, arguments: &[&str]) -> Done {
        done(self.command(arguments).output().expect("the command starts"))
    }

    /// Runs the command with environment variables; what it writes may be anything.
    pub fn run_with(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Done {
        let mut command = self.command(arguments);
        let output = command.envs(variables.iter().copied()).output().expect("the command starts");
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        done(Output { stdout: stdout.into(), ..output })
    }

    pub fn run_with_input(&self, arguments: &str, input: &[u8]) -> Done {
        self.write("input", input);
        let input = fs::File::open(self.path("input")).expect("the input");
        let words: Vec<&str> = arguments.split_whitespace().collect();
        done(self.command(&words).stdin(input).output().expect("the command starts"))
    }

    /// Runs the command, which has to succeed without a word on standard error.
    pub fn succeed(&self, arguments: &str) -> String {
        let done = self.run(arguments);
        assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{arguments}");
        done.stdout
    }

    pub fn json(&self, arguments: &str) -> serde_json::Value {
        serde_json::from_str(&self.succeed(arguments))
            .unwrap_or_else(|error| panic!("{arguments}: {error}"))
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tracewright"));
        command.args(arguments).current_dir(self.0.path()).stdin(Stdio::null());
        command.env_remove("COLUMNS").env_remove("RUST_BACKTRACE").env("PATH", with_tools());
        command
    }
}

/// The path on which programs are looked for, with the tools and cores that scripts/setup installs, as the Makefile
/// has it.
pub fn with_tools() -> OsString {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../build/venv/bin");
    let others = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(tools).chain(std::env::split_paths(&others));
    std::env::join_paths(paths).expect("paths without colons")
}

pub fn done(output: Output) -> Done {
    Done {
        status: output.status.code().expect("no signal"),
        stdout: String::from_utf8(output.stdout).expect("text"),
        stderr: String::from_utf8(output.stderr).expect("text"),
    }
}

/// A text in which one space stands for several, but at the beginning of a line: Verilog without its columns.
pub fn without_columns(text: &str) -> String {
    let squeezed = |line: &str| {
        let indent = line.len() - line.trim_start().len();
        let words: Vec<_> = line.split_whitespace().collect();
        format!("{}{}\n", &line[..indent], words.join(" "))
    };
    text.lines().map(squeezed).collect()
}
