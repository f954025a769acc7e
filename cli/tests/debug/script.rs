//! Scripts for GDB: lines that begin with `(gdb) ` are commands, and the others are what GDB prints after them.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::Folder;

/// The beginning of a command.
const PROMPT: &str = "(gdb) ";

/// A script, by its name.
pub fn script(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/debug/scripts").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Puts the programs that are debugged into a folder.
pub fn take_programs(folder: &Folder) {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/debug/programs");
    for entry in std::fs::read_dir(programs).expect("the programs") {
        let path = entry.expect("an entry").path();
        std::fs::copy(&path, folder.path(path.file_name().expect("a name"))).expect("copied");
    }
}

/// Runs a compiler, given with its arguments in one line.
pub fn compile(folder: &Folder, line: &str) {
    let mut words = line.split_whitespace();
    let mut compiler = Command::new(words.next().expect("a compiler"));
    let output = compiler.args(words).current_dir(folder.path(".")).output().expect("a compiler");
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
}

/// What GDB prints after the commands of a script, over `tracewright debug` with these arguments.
pub fn gdb(folder: &Folder, program: &str, run: &str, commands: &[String]) -> String {
    gdb_with(folder, program, run, &["set print frame-arguments none"], commands)
}

/// The same with other settings.
pub fn gdb_with(
    folder: &Folder,
    program: &str,
    run: &str,
    settings: &[&str],
    commands: &[String],
) -> String {
    let server = env!("CARGO_BIN_EXE_tracewright");
    let connect = format!("target remote | {server} debug {run} --stdio");
    let fixed = ["set width 0", "set confirm off", "set print address off", "set sysroot /"];
    // Errors are printed where they belong between the other lines.
    let mut command = Command::new("sh");
    command.args(["-c", "exec \"$@\" 2>&1", "sh", "gdb-multiarch", "-nx", "-batch"]);
    command.current_dir(folder.path(".")).stdin(Stdio::null());
    for setting in fixed.iter().chain(settings) {
        command.args(["-ex", setting]);
    }
    command.args(["-ex", &connect]);
    for line in commands {
        command.args(["-ex", &format!("echo {PROMPT}{line}\\n"), "-ex", line]);
    }
    command.args(["-ex", "detach", program]);
    let output = command.output().expect("gdb-multiarch, which scripts/setup installs");
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    let begin = text.find(PROMPT);
    text.drain(..begin.unwrap_or_else(|| panic!("{text}")));
    said(&text)
}

/// What is compared: without the lines of other threads that come and go.
fn said(text: &str) -> String {
    let is_noise = |line: &&str| {
        let noise = ["[New Thread", "[Inferior 1", "[Switching", "[Thread"];
        line.is_empty() || noise.iter().any(|begin| line.starts_with(begin))
    };
    let lines = text.lines().filter(|line| !is_noise(line));
    lines.map(|line| format!("{}\n", line.replace("Thread 1 hit ", ""))).collect()
}

/// Runs a script and compares each line; `replaced` are words of it and what they stand for here.
pub fn run(folder: &Folder, program: &str, run: &str, name: &str, replaced: &[(&str, &str)]) {
    let mut script = script(name);
    for (word, value) in replaced {
        script = script.replace(word, value);
    }
    let commands = script.lines().filter_map(|line| line.strip_prefix(PROMPT));
    let commands: Vec<String> = commands.map(str::to_owned).collect();
    let printed = gdb(folder, program, run, &commands);
    let (mut printed_lines, mut lines) = (printed.lines(), script.lines());
    loop {
        let (found, expected) = (printed_lines.next(), lines.next());
        if found.is_none() && expected.is_none() {
            return;
        }
        let is_same = match (found, expected) {
            (Some(found), Some(expected)) => matches(found, expected),
            _ => false,
        };
        assert!(is_same, "{name}: expected {expected:?}, found {found:?} in\n{printed}");
    }
}

/// True if a line is as expected, where `...` stands for any text.
fn matches(found: &str, expected: &str) -> bool {
    let mut rest = found;
    for (place, part) in expected.split("...").enumerate() {
        let at = if place == 0 { rest.starts_with(part).then_some(0) } else { rest.find(part) };
        let Some(at) = at else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty() || expected.ends_with("...")
}
