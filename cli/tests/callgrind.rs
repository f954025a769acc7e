//! Instructions of each function, against valgrind's callgrind, which counts them by another way.
//!
//! The functions of a program itself have the same counts, to the instruction. Those of the C and C++ libraries that
//! are linked in may differ, because they depend on what the two emulators say of the processor, on the addresses of
//! heap and stack, and on the environment.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use crate::common::Folder;

fn output(folder: &Folder, words: &[&str]) -> String {
    let mut command = Command::new(words[0]);
    let done = command.args(&words[1..]).current_dir(folder.path(".")).output();
    let done = done.unwrap_or_else(|_| panic!("{} is missing: scripts/setup test", words[0]));
    assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("text")
}

/// Own instructions by the name of the function as linkers have it.
fn counted_by_callgrind(folder: &Folder) -> BTreeMap<String, u64> {
    let valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=counts"];
    // Stubs of the linkage table count for themselves, as they do here.
    let options = ["--skip-plt=no", "--demangle=no", "--compress-strings=no", "--compress-pos=no"];
    output(folder, &[&valgrind[..], &options, &["./program"]].concat());
    let mut counts = BTreeMap::new();
    let (mut function, mut is_called) = (String::new(), false);
    for line in folder.text("counts").lines() {
        if let Some(name) = line.strip_prefix("fn=") {
            // Recursion has a number, the unlikely part of a function a symbol of its own.
            let name = name.split('\'').next().unwrap_or(name);
            function = name.split(".cold").next().unwrap_or(name).to_owned();
        } else if line.starts_with("calls=") {
            is_called = true;
        } else if line.starts_with(|first: char| first.is_ascii_digit()) {
            let count = line.split(' ').nth(1).and_then(|count| count.parse::<u64>().ok());
            if !std::mem::take(&mut is_called) {
                *counts.entry(function.clone()).or_default() += count.expect("a count");
            }
        }
    }
    counts
}

/// Lines of `nm`: address, type, name.
fn symbols(text: &str) -> impl Iterator<Item = (u64, &str)> {
    text.lines().filter_map(|line| {
        let mut words = line.split(' ');
        let address = u64::from_str_radix(words.next()?, 16).ok()?;
        words.next().filter(|kind| "TtWw".contains(kind))?;
        Some((address, words.next()?))
    })
}

#[test]
fn functions_have_the_instructions_that_callgrind_counts() {
    for (name, least) in [("virtual", 8), ("containers", 10), ("throwing", 6)] {
        let folder = Folder::new();
        let source =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/programs/{name}.cpp"));
        let source = source.display().to_string();
        output(&folder, &["g++", "-O1", "-c", "-o", "program.o", &source]);
        output(&folder, &["g++", "-static", "-o", "program", "program.o"]);
        let expected = counted_by_callgrind(&folder);
        let of_source = output(&folder, &["nm", "--defined-only", "program.o"]);
        let of_source: BTreeSet<&str> = symbols(&of_source).map(|(_, name)| name).collect();
        let all = output(&folder, &["nm", "--defined-only", "program"]);
        folder.run("capture -o run.pet.zst --images run.images -- ./program");
        let shown = folder.json("view run.pet.zst --images run.images --json --top 100000");
        let mut found = BTreeMap::<u64, u64>::new();
        for function in shown["functions"].as_array().expect("an array") {
            let number = |key: &str| function[key].as_u64().expect("a number");
            *found.entry(number("address")).or_default() += number("instructions");
        }
        let mut equal = 0;
        for (address, symbol) in symbols(&all).filter(|(_, symbol)| of_source.contains(symbol)) {
            let Some(expected) = expected.get(symbol) else { continue };
            assert_eq!(found.get(&address), Some(expected), "{name}: {symbol}");
            equal += 1;
        }
        assert!(equal >= least, "{name}: only {equal} functions");
    }
}
