//! The commands of README.md and of the pages of docs/ that are no walk from the first line to the last: each is one that
//! the command has, and each that can be run for itself succeeds and prints what the page shows.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::error::ErrorKind;

use super::page::agrees;
use super::run::{is_asked_for, is_everything, shell};
use crate::common::Folder;
use crate::install::Installed;

/// What is not run for itself: how the command begins, and why.
const NOT_RUN: [(&str, &str); 23] = [
    ("tracewright trace info|dump", "five commands in one line"),
    ("tracewright generate designs/NAME.toml", "a name is to be put in"),
    ("tracewright decode run.bits --program gzip@", "addresses of one run on one machine"),
    (
        "tracewright wset replay run.wset --data -o run.pet.zst replay",
        "only one blank before its remark",
    ),
    ("tracewright decode run.bits --program kernel.elf", "needs an operating system's trace"),
    ("tracewright decode --raw --design my.toml", "needs the bits of hardware"),
    ("tracewright decode --ring --design my.toml", "needs a ring; cli/tests/packets.rs reads some"),
    (
        "tracewright decode --ring --design traptor-m4",
        "needs a ring; cli/tests/packets.rs reads some",
    ),
    ("tracewright decode --ram-sink 0x7c1", "needs a ring; docs/start_core.md reads one"),
    (
        "tracewright capture -o run.pet.zst -- ./prog",
        "replaces run.pet.zst; docs/start_firmware.md captures",
    ),
    ("tracewright capture --system", "needs a kernel; cli/tests/machine.rs captures some"),
    ("tracewright encode traptor-m4 boot.pet.zst", "is of a machine; cli/tests/machine.rs"),
    ("tracewright decode boot.bits", "is of a machine; cli/tests/machine.rs"),
    ("tracewright view boot.pet.zst", "is of a machine; cli/tests/machine.rs"),
    ("tracewright capture --data --sysroot ROOT", "needs Debian's programs: make debian-programs"),
    ("tracewright debug", "waits for GDB; docs/debug.md is run"),
    ("tracewright regress", "make test runs it"),
    ("tracewright coverage", "make test runs it"),
    ("tracewright explore", "hours; cli/tests/explore.rs searches small spaces"),
    ("tracewright fit-talon training", "minutes; cli/tests/fit_talon.rs fits one program"),
    (
        "tracewright live testbench/live/ram_sink.toml",
        "CVA6 takes a minute for each design: make live",
    ),
    ("tracewright measure --design stride-32", "needs the traces of make data"),
    ("tracewright power", "needs a library of cells; cli/tests/power.rs has one"),
];

/// What `make ring` does before the command that README.md shows.
const RING: &str = "mkdir -p build && tracewright live testbench/live/ring.toml \
                    testbench/live/programs/ibex-wild_pointer.elf --core ibex --ring 4096 --until-trap -o build/ring.bin";

/// Where a command stands.
struct Command {
    page: String,
    line: usize,
    /// The line on which its block begins.
    block: usize,
    text: String,
    /// What it prints, if the page shows that.
    output: Option<Vec<String>>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The commands of every page that is not run from its first line to its last.
fn commands() -> Vec<Command> {
    let docs = fs::read_dir(root().join("docs")).expect("the pages");
    let names =
        docs.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names
        .filter(|name| {
            let is_run = name.starts_with("start_")
                || matches!(
                    name.as_str(),
                    "debug.md" | "firmware.md" | "import.md" | "port_check.md" | "profile.md"
                );
            name.ends_with(".md") && !is_run
        })
        .map(|name| format!("docs/{name}"))
        .collect();
    names.push("README.md".into());
    names.sort();
    let mut commands = Vec::new();
    for page in names {
        let text = fs::read_to_string(root().join(&page)).expect("a page");
        let (mut in_block, mut block) = (false, 0);
        let mut lines = (1..).zip(text.lines());
        while let Some((line, text)) = lines.next() {
            if text.starts_with("```") {
                (in_block, block) = (!in_block, line);
            }
            let (is_transcript, text) =
                text.strip_prefix("$ ").map_or((false, text), |rest| (true, rest));
            if !in_block || !text.starts_with("tracewright ") {
                let last: Option<&mut Command> = commands.last_mut();
                let last =
                    last.filter(|last| in_block && (&last.page, last.block) == (&page, block));
                if let Some(output) = last.and_then(|last| last.output.as_mut()) {
                    output.push(text.to_owned());
                }
                continue;
            }
            let mut whole = text.to_owned();
            while let Some(begin) = whole.strip_suffix('\\') {
                let (_, next) = lines.next().expect("a line after a backslash");
                whole = format!("{begin}{}", next.trim());
            }
            // A remark stands after two blanks, and after a sign for the shell.
            let end = whole.find("  ").unwrap_or(whole.len());
            let text = whole[..end].split(" # ").next().unwrap_or_default().trim_end().to_owned();
            let output = is_transcript.then(Vec::new);
            commands.push(Command { page: page.clone(), line, block, text, output });
        }
    }
    commands
}

/// Why a command is not run for itself.
fn reason(command: &str) -> Option<&'static str> {
    NOT_RUN.iter().find(|(begin, _)| command.starts_with(begin)).map(|(_, reason)| *reason)
}

#[test]
fn every_command_is_one() {
    let commands = commands();
    assert!(commands.len() > 75, "{} commands", commands.len());
    let mut problems = Vec::new();
    for Command { page, line, text, .. } in &commands {
        let words = text.split(" > ").next().unwrap_or_default();
        if text.contains('|') || text.contains(" replay it ") {
            continue;
        }
        let Err(error) = tracewright::command().try_get_matches_from(words.split_whitespace())
        else {
            continue;
        };
        // Files of examples are not there.
        let is_missing = error.kind() == ErrorKind::ValueValidation && words.contains('.');
        if !is_missing {
            problems.push(format!("{page}, line {line}: {text}\n{error}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_exception_is_one() {
    let commands = commands();
    let unused: BTreeSet<&str> = NOT_RUN
        .iter()
        .map(|(begin, _)| *begin)
        .filter(|begin| !commands.iter().any(|command| command.text.starts_with(begin)))
        .collect();
    assert!(unused.is_empty(), "no page has these commands: {unused:?}");
}

/// A folder with what the examples take for granted: the repository's data, a program, its trace and its encoded trace.
fn folder(installed: &Installed) -> Folder {
    let folder = Folder::new();
    for name in ["workloads", "testbench", "workflow"] {
        symlink(root().join(name), folder.path(name)).expect("a link");
    }
    let program = root().join("workloads/rv32imac-crc.elf");
    fs::copy(program, folder.path("prog.elf")).expect("copied");
    folder.write("my.toml", "preset = \"traptor-m4\"\nframing = \"packets\"\n");
    folder.write("prog.c", "int main(void) { return 0; }\n");
    folder.write("mine.toml", "preset = \"traptor-s1\"\n");
    folder.write("run.images", "prog.elf@0x0\n");
    let prepared = "gcc -o prog prog.c && tracewright wset replay workloads/rv32imac-crc.wset -o run.pet.zst && \
                    tracewright encode traptor-m4 run.pet.zst --set alignment=1 -o run.bits";
    let (succeeded, printed) = shell(prepared, installed, &mut folder.path("."));
    assert!(succeeded, "{printed}");
    folder
}

/// Each block has a folder, so that what a command writes is there for the next one.
#[test]
fn every_command_succeeds() {
    if !is_everything() {
        return;
    }
    let installed = Installed::new();
    let (mut run, mut left) = (0, 0);
    let mut problems = Vec::new();
    let mut current: Option<((String, usize), Folder)> = None;
    for command in commands().into_iter().filter(|command| is_asked_for(&command.page)) {
        let Command { page, line, block, text, output } = command;
        if let Some(reason) = reason(&text) {
            println!("{page}, line {line}: not run ({reason}): {text}");
            left += 1;
            continue;
        }
        let place = (page.clone(), block);
        if current.as_ref().is_none_or(|(name, _)| *name != place) {
            current = Some((place, folder(&installed)));
        }
        let Some((_, folder)) = &current else { continue };
        if text.contains("build/ring.bin") {
            let (succeeded, printed) = shell(RING, &installed, &mut folder.path("."));
            assert!(succeeded, "{printed}");
        }
        let begin = Instant::now();
        let (succeeded, printed) = shell(&text, &installed, &mut folder.path("."));
        println!("{page}, line {line}: {:.1} s: {text}", begin.elapsed().as_secs_f64());
        run += 1;
        let lines: Vec<&str> = printed.lines().collect();
        if !succeeded || output.is_some_and(|output| !agrees(&output, &lines)) {
            problems.push(format!("{page}, line {line}: {text}\n{printed}"));
        }
    }
    println!("{run} commands run, {left} not");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
