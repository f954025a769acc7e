//! Profiles in callgrind's format, beside those of valgrind's callgrind itself.

use std::collections::BTreeMap;

use super::{output, source};
use crate::common::Folder;

/// What a profile says: instructions by line of source, and calls and their instructions by caller, callee and line.
#[derive(Debug, Default, PartialEq, Eq)]
struct Profile {
    lines: BTreeMap<(String, u64), u64>,
    calls: BTreeMap<(String, String, u64), (u64, u64)>,
}

impl Profile {
    /// Reads what the functions of one file of source did.
    fn read(text: &str, file: &str) -> Profile {
        let mut names: BTreeMap<(&str, String), String> = BTreeMap::new();
        let mut profile = Profile::default();
        let (mut current, mut function, mut callee) = (String::new(), String::new(), String::new());
        let mut calls = None;
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            if let Some((key, value)) = line.split_once('=').filter(|_| !line.starts_with('0')) {
                let kind = if key.ends_with("fn") { "fn" } else { "file" };
                let mut name = || match value.split_once(") ") {
                    Some((number, name)) => {
                        names.insert((kind, format!("{number})")), name.to_owned());
                        name.to_owned()
                    }
                    None => names.get(&(kind, value.to_owned())).map_or(value.into(), Clone::clone),
                };
                // Recursion has a number there.
                let plain = |name: String| name.split('\'').next().unwrap_or_default().to_owned();
                match key {
                    "fl" | "fi" | "fe" => current = name(),
                    "fn" => function = plain(name()),
                    "cfn" => callee = plain(name()),
                    "cfi" | "cfl" => drop(name()),
                    "calls" => {
                        let count = value.split(' ').next().expect("a count");
                        calls = Some(count.parse::<u64>().expect("a count"));
                    }
                    _ => {}
                }
            } else if let ([first, line, count], true) = (words.as_slice(), current.ends_with(file))
                && first.starts_with("0x")
            {
                let number = |word: &str| word.parse::<u64>().expect("a number");
                let (line, count) = (number(line), number(count));
                match calls.take() {
                    None => *profile.lines.entry((function.clone(), line)).or_default() += count,
                    Some(calls) => {
                        let key = (function.clone(), callee.clone(), line);
                        let sum = profile.calls.entry(key).or_default();
                        *sum = (sum.0 + calls, sum.1 + count);
                    }
                }
            } else if first_is_address(&words) {
                calls = None;
            }
        }
        profile
    }
}

fn first_is_address(words: &[&str]) -> bool {
    words.first().is_some_and(|first| first.starts_with("0x"))
}

#[test]
fn lines_and_calls_have_the_counts_of_valgrind() {
    for (name, options) in
        [("records", &[][..]), ("machine", &["-fno-inline"]), ("calls", &["-fno-inline"])]
    {
        let folder = super::captured(name, "gcc", options);
        folder.succeed("profile run.pet.zst --images run.images --format callgrind -o ours");
        let valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=theirs"];
        let more = ["--dump-instr=yes", "--compress-strings=no", "--compress-pos=no", "./prog"];
        output(&folder, &[&valgrind[..], &more].concat());
        let file = source(name);
        let file = file.rsplit('/').next().expect("a name");
        let ours = Profile::read(&folder.text("ours"), file);
        let theirs = Profile::read(&folder.text("theirs"), file);
        assert_eq!(ours.lines, theirs.lines, "{name}");
        assert!(ours.lines.len() > 10, "{name}");
        let inside = |profile: &Profile| -> BTreeMap<(String, String, u64), (u64, u64)> {
            let is_ours =
                |callee: &String| profile.lines.keys().any(|(function, _)| function == callee);
            let calls = profile.calls.iter().filter(|((_, callee, _), _)| is_ours(callee));
            calls.map(|(key, counts)| (key.clone(), *counts)).collect()
        };
        let (ours, theirs) = (inside(&ours), inside(&theirs));
        let only_counts = |calls: &BTreeMap<_, (u64, u64)>| -> Vec<u64> {
            calls.values().map(|(count, _)| *count).collect()
        };
        assert_eq!(ours.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>(), "{name}");
        assert_eq!(only_counts(&ours), only_counts(&theirs), "{name}");
        // Where functions call themselves, valgrind counts what they do once for each level.
        for ((caller, callee, line), counts) in &ours {
            let recursive = ["fib", "even", "odd", "sort"];
            let is_recursive = recursive.iter().any(|name| caller.starts_with(name));
            if !is_recursive {
                let key = (caller.clone(), callee.clone(), *line);
                assert_eq!(Some(counts), theirs.get(&key), "{name}: {key:?}");
            }
        }
        let said =
            output(&folder, &["callgrind_annotate", "--tree=both", "--inclusive=yes", "ours"]);
        assert!(said.contains("PROGRAM TOTALS") && said.contains(":main"), "{said}");
    }
}

/// A program without symbols has functions too.
#[test]
fn a_stripped_program_has_calls() {
    let folder = Folder::new();
    folder.write("text", "b\na\n");
    folder.run("capture -o run.pet.zst --images run.images -- sort text");
    folder.succeed("profile run.pet.zst --images run.images --format callgrind -o ours");
    let said = output(&folder, &["callgrind_annotate", "--tree=caller", "ours"]);
    assert!(said.contains("PROGRAM TOTALS") && said.contains("sort+0x"), "{said}");
}

/// `view --calls-of` has the same call graph.
#[test]
fn callers_are_found() {
    let folder = super::captured("calls", "gcc", &["-fno-inline", "-fno-ipa-sra"]);
    let view = "view run.pet.zst --images run.images";
    let shown = folder.json(&format!("{view} --calls-of leaf --calls-of fib --json"));
    let rows = shown["calls_of"].as_array().expect("rows");
    let of = |function: &str, caller: &str| -> (u64, u64) {
        let is_it =
            |row: &&serde_json::Value| row["function"] == function && row["caller"] == caller;
        let number = |row: &serde_json::Value, key: &str| row[key].as_u64().expect("a number");
        let counts = rows
            .iter()
            .filter(is_it)
            .map(|row| (number(row, "count"), number(row, "instructions")));
        counts.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    };
    // fib(n) is at its end as often as the next Fibonacci number says. Of its two calls of itself GCC makes one a loop.
    let numbers = [34, 55, 89, 144];
    assert_eq!(of("fib", "fib"), (numbers.iter().map(|number| number - 1).sum(), 0));
    assert_eq!(of("leaf", "fib").0, numbers.iter().sum::<u64>());
    assert_eq!(of("fib", "main").0, 4);
    assert_eq!(of("leaf", "by_pointer").0, 2);
    let functions = folder.json(&format!("{view} --json"))["functions"].clone();
    let functions = functions.as_array().expect("rows");
    let named = |name: &str| functions.iter().find(|one| one["function"] == name).expect(name);
    assert_eq!(named("fib")["total"].as_u64(), Some(of("fib", "main").1));
    let of_leaf = rows.iter().filter(|row| row["function"] == "leaf");
    let entered: u64 = of_leaf.map(|row| row["count"].as_u64().expect("a number")).sum();
    assert_eq!(named("leaf")["entered"].as_u64(), Some(entered));
    let way = |way: &str| rows.iter().filter(|row| row["way"] == way).count();
    assert!(way("call") >= 4 && way("jump") >= 1, "{rows:?}");
    let table = folder.succeed(&format!("{view} --calls-of fib"));
    assert!(table.contains("calls.c:") && !table.contains("own instructions"), "{table}");
    let refused = folder.run(&format!("{view} --calls-of nobody"));
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("--calls-of nobody: no function of this name was entered"));
}
