//! Profiles for compilers: what they make of them, counted by a trace of the program that comes out.

use std::collections::BTreeMap;
use std::path::Path;

use super::{COMPILERS, output, pairs, source};
use crate::common::{Folder, done};

const BOLT: &str = "/usr/lib/llvm-19/bin/llvm-bolt";
const PERF2BOLT: &str = "/usr/lib/llvm-19/bin/perf2bolt";
const PROFGEN: &str = "/usr/lib/llvm-19/bin/llvm-profgen";

/// The processors of the compilers.
const PROCESSORS: [&str; 2] = ["riscv64", "x86-64"];

/// The options of clang for two instruction sets.
const TARGETS: [&[&str]; 2] =
    [&["--target=riscv64-linux-gnu", "-march=rv64gc"], &["--target=x86_64-linux-gnu"]];

/// Compiles with clang, which must have nothing to say.
fn clang(folder: &Folder, target: &[&str], name: &str, options: &[&str]) {
    let of_debugging = ["-O2", "-g", "-fdebug-info-for-profiling", "-Wall"];
    let of_linking = ["-static", "-fuse-ld=lld"];
    let source = source(name);
    let words =
        [&["clang-19"][..], target, &of_debugging, &of_linking, options, &[&source]].concat();
    assert_eq!(output(folder, &words), "", "{words:?}");
}

/// The search path of programs that are counted: its length moves the stack, on which the string functions of x86-64 take
/// other branches.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Runs a program in an environment that is everywhere the same, and gives the branches it took and what it printed.
fn run(folder: &Folder, program: &str) -> (u64, String) {
    let words = format!("capture -o {program}.pet.zst --images {program}.images -- ./{program}");
    let mut command = folder.command(&words.split(' ').collect::<Vec<_>>());
    let done = done(command.env_clear().env("PATH", PATH).output().expect("the command"));
    assert_eq!(done.status, 0, "{}", done.stderr);
    let shown = folder.json(&format!("view {program}.pet.zst --images {program}.images --json"));
    let classes = shown["branches"]["classes"].as_array().expect("classes");
    let taken = classes.iter().map(|class| class["taken"].as_u64().expect("a number")).sum();
    (taken, done.stdout.lines().next().unwrap_or_default().to_owned())
}

/// The change in percent that docs/profile.md states for a program, a processor and one of its columns.
fn documented(name: &str, processor: &str, column: usize) -> f64 {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/profile.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let row = page.lines().find(|line| line.starts_with(&format!("| {name} | {processor} |")));
    let row = row.unwrap_or_else(|| panic!("{name}, {processor}"));
    let cell = row.split('|').nth(2 + column).expect("a column");
    cell.trim().trim_end_matches(" %").parse().expect("a number")
}

/// Compares branches taken before and after with what the page states.
fn compare(name: &str, processor: &str, column: usize, (before, after): (u64, u64)) {
    let change = 100.0 * (after as f64 / before as f64 - 1.0);
    let said = documented(name, processor, column);
    println!("{name}, {processor}, column {column}: {before} taken, then {after}, {change:+.1} %");
    let off = (change - said).abs();
    assert!(off < 3.0, "{name}, {processor}, column {column}: {change:+.1} %, the page has {said}");
}

/// The counts of every place of a text profile, without the totals of functions, which llvm-profgen counts by
/// instruction, and without its places on no line.
fn places(profile: &str) -> BTreeMap<Vec<String>, u64> {
    let mut path: Vec<String> = Vec::new();
    let mut places = BTreeMap::new();
    for line in profile.lines() {
        let depth = line.len() - line.trim_start().len();
        path.truncate(depth);
        let (position, rest) = line.trim_start().split_once(':').expect("a place");
        let counts = rest.trim_start();
        if depth == 0 || counts.split(' ').next().is_some_and(|first| first.contains(':')) {
            let callee = counts.split(':').next().unwrap_or_default();
            path.push(format!("{position} {callee}").trim_end().to_owned());
            if depth == 0 {
                path = vec![position.to_owned()];
            }
            continue;
        }
        let count = counts.split(' ').next().and_then(|count| count.parse().ok()).expect("a count");
        let is_line = position.split('.').next().and_then(|line| line.parse::<u32>().ok());
        if is_line.is_some_and(|line| line < 60_000) {
            let targets = counts.split(' ').skip(1).map(str::to_owned);
            let place = path.iter().cloned().chain([position.to_owned()]).chain(targets);
            places.insert(place.collect(), count);
        }
    }
    places
}

#[test]
fn clang_takes_both_forms() {
    for (name, of) in pairs() {
        let (processor, target) = (PROCESSORS[of], TARGETS[of]);
        let folder = Folder::new();
        clang(&folder, target, name, &["-o", "prog"]);
        let (before, printed) = run(&folder, "prog");
        let profile = "profile prog.pet.zst --images prog.images --format";
        folder.succeed(&format!("{profile} llvm-sample -o ours"));
        folder.succeed(&format!("{profile} llvm-unsymbolized -o ranges"));
        let words =
            ["--format=text", "--unsymbolized-profile=ranges", "--binary=prog", "-o", "theirs"];
        output(&folder, &[&[PROFGEN][..], &words].concat());
        let (ours, theirs) = (places(&folder.text("ours")), places(&folder.text("theirs")));
        assert_eq!(ours, theirs, "{name}, {target:?}");
        assert!(ours.len() > 30, "{name}, {target:?}");
        clang(&folder, target, name, &["-fprofile-sample-use=ours", "-o", "faster"]);
        let (after, again) = run(&folder, "faster");
        assert_eq!(printed, again, "{name}, {target:?}");
        compare(name, processor, 2, (before, after));
    }
}

#[test]
fn gcc_takes_its_form() {
    for (name, of) in pairs() {
        let (processor, compiler) = (PROCESSORS[of], COMPILERS[of]);
        let folder = super::captured(name, compiler, &[]);
        let (before, printed) = run(&folder, "prog");
        folder.succeed("profile prog.pet.zst --images prog.images --format gcc-auto -o run.afdo");
        let source = source(name);
        let options = ["-O2", "-g", "-static", "-Wall", "-fauto-profile=run.afdo", "-o", "faster"];
        let words = [&[compiler][..], &options, &["-fdump-ipa-afdo", &source]].concat();
        assert_eq!(output(&folder, &words), "", "{name}, {compiler}");
        let (after, again) = run(&folder, "faster");
        assert_eq!(printed, again, "{name}, {compiler}");
        compare(name, processor, 1, (before, after));
    }
}

#[test]
fn bolt_reorders() {
    for (name, of) in pairs() {
        let (processor, compiler) = (PROCESSORS[of], COMPILERS[of]);
        let folder = super::captured(name, compiler, &["-Wl,--emit-relocs"]);
        let (before, printed) = run(&folder, "prog");
        folder.succeed("profile prog.pet.zst --images prog.images --format bolt -o run.preagg");
        output(&folder, &[PERF2BOLT, "-pa", "-p", "run.preagg", "-o", "run.fdata", "prog"]);
        let options = ["-reorder-blocks=ext-tsp", "-reorder-functions=hfsort", "-split-functions"];
        let words = [BOLT, "prog", "-o", "faster", "-data", "run.fdata"];
        output(&folder, &[&words[..], &options].concat());
        let (after, again) = run(&folder, "faster");
        assert_eq!(printed, again, "{name}, {compiler}");
        compare(name, processor, 3, (before, after));
    }
}

/// Without lines of source there is no such profile, and the message says what to do.
#[test]
fn a_program_without_lines_has_no_sample_profile() {
    let folder = Folder::new();
    folder.write("text", "b\na\n");
    folder.run("capture -o run.pet.zst --images run.images -- sort text");
    for format in ["llvm-sample", "gcc-auto"] {
        let refused =
            folder.run(&format!("profile run.pet.zst --images run.images --format {format} -o x"));
        assert_eq!(refused.status, 1, "{}", refused.stderr);
        assert!(refused.stderr.contains("expected a program with debugging information (-g)"));
        assert!(!folder.path("x").exists());
    }
}
