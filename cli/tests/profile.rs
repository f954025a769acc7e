//! Profiles of executions, read by the tools that they are for: BOLT, compilers, callgrind_annotate, genhtml.
//!
//! Three programs of our own on riscv64 and x86-64, and programs of this machine.

mod bolt;
mod callgrind;
mod compilers;
mod coverage;
mod runs;

use std::path::Path;
use std::process::Command;

use crate::common::{Folder, is_long};

/// The programs below `profile/programs`.
const PROGRAMS: [&str; 3] = ["words", "records", "machine"];

/// The compilers of two instruction sets.
const COMPILERS: [&str; 2] = ["riscv64-linux-gnu-gcc", "gcc"];

/// Every program with the place of every instruction set, or with one of them.
fn pairs() -> Vec<(&'static str, usize)> {
    let names = PROGRAMS.iter().enumerate();
    let all = names.flat_map(|(place, name)| [0, 1].map(|of| (place, *name, of)));
    let some = all.filter(|(place, _, of)| is_long() || place % 2 == *of);
    some.map(|(_, name, of)| (name, of)).collect()
}

/// The source of a program of ours.
fn source(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/profile/programs");
    path.join(format!("{name}.c")).display().to_string()
}

/// Runs a command in a folder, which has to succeed; what it printed on both streams.
fn output(folder: &Folder, words: &[&str]) -> String {
    let mut command = Command::new(words[0]);
    let done = command.args(&words[1..]).current_dir(folder.path(".")).output();
    let done = done.unwrap_or_else(|_| panic!("{} is missing: scripts/setup test", words[0]));
    let both = [done.stdout, done.stderr].concat();
    let both = String::from_utf8_lossy(&both).into_owned();
    assert!(done.status.success(), "{words:?}: {both}");
    both
}

/// A folder with a program, `prog`, and a run of it, `run.pet.zst` and `run.images`.
fn captured(name: &str, compiler: &str, options: &[&str]) -> Folder {
    let folder = Folder::new();
    let source = source(name);
    let words = [compiler, "-O2", "-g", "-static", "-o", "prog", &source];
    output(&folder, &[&words[..], options].concat());
    folder.run("capture -o run.pet.zst --images run.images -- ./prog");
    folder
}
