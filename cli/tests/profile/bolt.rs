//! Profiles for BOLT, and what its reader of profiles says about them.

use super::{COMPILERS, captured, output, pairs};
use crate::common::Folder;

/// Called by this name it finds llvm-bolt beside it.
const PERF2BOLT: &str = "/usr/lib/llvm-19/bin/perf2bolt";

/// What perf2bolt says of a profile of a program: branches and ranges it read, ranges that mismatch the code, and
/// ranges out of its functions.
fn read_by_bolt(folder: &Folder, program: &str, options: &[&str]) -> (u64, u64, u64) {
    let words = [PERF2BOLT, "-pa", "-p", "run.preagg", "-o", "run.fdata", program];
    let said = output(folder, &[&words[..], options].concat());
    let number = |after: &str| -> u64 {
        let (_, rest) = said.split_once(after).unwrap_or_else(|| panic!("{after}: {said}"));
        rest.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a number")
    };
    (
        number("PERF2BOLT: read "),
        number("mismatching disassembled function contents: "),
        number("involving unknown regions: "),
    )
}

/// The counts of the lines that begin with a letter.
fn sum(profile: &str, letter: char) -> u64 {
    let of_kind = profile.lines().filter(|line| line.starts_with(letter));
    let counts = of_kind.map(|line| line.split(' ').nth(3).expect("a count"));
    counts.map(|count| count.parse::<u64>().expect("a number")).sum()
}

/// The addresses that did not run as often as the ranges over them, with both counts.
fn wrong_counts(folder: &Folder, profile: &str) -> Vec<(u64, u64, u64)> {
    folder.succeed("profile run.pet.zst --images run.images --format callgrind -o counts");
    let address = |word: &str| u64::from_str_radix(word, 16).expect("an address");
    let lines = profile.lines().filter_map(|line| line.strip_prefix("F "));
    let ranges: Vec<(u64, u64, u64)> = lines
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            (address(words[0]), address(words[1]), words[2].parse().expect("a count"))
        })
        .collect();
    let (mut wrong, mut is_called) = (Vec::new(), false);
    for line in folder.text("counts").lines() {
        if std::mem::replace(&mut is_called, line.starts_with("calls=")) {
            continue;
        }
        let Some(line) = line.strip_prefix("0x") else { continue };
        let words: Vec<&str> = line.split(' ').collect();
        let (at, count) = (address(words[0]), words[2].parse::<u64>().expect("a count"));
        let over = ranges.iter().filter(|(first, last, _)| (*first..=*last).contains(&at));
        let sum = over.map(|(_, _, count)| count).sum();
        // Stubs of the linkage table have no ranges.
        if sum != count && sum > 0 {
            wrong.push((at, count, sum));
        }
    }
    wrong
}

#[test]
fn every_range_is_straight_code_for_bolt() {
    for (name, of) in pairs() {
        let compiler = COMPILERS[of];
        let folder = captured(name, compiler, &["-Wl,--emit-relocs"]);
        folder.succeed("profile run.pet.zst --images run.images --format bolt -o run.preagg");
        let (read, mismatches, outside) = read_by_bolt(&folder, "prog", &[]);
        assert!(read > 500, "{name}, {compiler}: {read}");
        assert_eq!((mismatches, outside), (0, 0), "{name}, {compiler}");
        // The whole program is in one file, so that every branch is in the profile.
        let profile = folder.text("run.preagg");
        let shown = folder.json("view run.pet.zst --images run.images --json");
        let classes = shown["branches"]["classes"].as_array().expect("classes");
        let taken = classes.iter().filter(|class| class["class"] != "system call");
        let taken: u64 = taken.map(|class| class["taken"].as_u64().expect("a number")).sum();
        assert_eq!(sum(&profile, 'B'), taken, "{name}, {compiler}");
        assert_eq!(wrong_counts(&folder, &profile), [], "{name}, {compiler}");
        let said =
            folder.json("profile run.pet.zst --images run.images --format bolt -o again --json");
        assert_eq!(said["taken"].as_u64(), Some(taken), "{name}, {compiler}");
        assert_eq!(said["instructions"], shown["instructions"], "{name}, {compiler}");
    }
}

/// Programs of Debian, which are stripped, position-independent and have libraries. BOLT does not make all of a
/// stripped program's functions out: their ranges are what it calls mismatching.
#[test]
fn programs_of_debian_are_read() {
    for (name, arguments, most) in [("sort", "-r text", 100), ("gzip", "-k text", 100)] {
        let folder = Folder::new();
        let text: String = (0..2000u64).map(|line| format!("{}\n", line * 7919 % 2003)).collect();
        folder.write("text", text);
        folder.run(&format!("capture -o run.pet.zst --images run.images -- {name} {arguments}"));
        let said = folder
            .succeed("profile run.pet.zst --images run.images --format bolt -o run.preagg --json");
        let said: serde_json::Value = serde_json::from_str(&said).expect("JSON");
        let program = said["file"].as_str().expect("a path");
        let (read, mismatches, _) = read_by_bolt(&folder, program, &["--allow-stripped"]);
        assert!(read > 500, "{name}: {read}");
        let ranges = sum(&folder.text("run.preagg"), 'F');
        assert!(ranges > 20_000 && mismatches < most, "{name}: {mismatches} of {ranges}");
    }
}

/// The profile of one of the program's other files.
#[test]
fn a_library_has_a_profile_of_its_own() {
    let folder = Folder::new();
    folder.write("text", "b\na\n");
    folder.run("capture -o run.pet.zst --images run.images -- sort text");
    folder
        .succeed("profile run.pet.zst --images run.images --format bolt -o of_libc --of libc.so.6");
    assert!(sum(&folder.text("of_libc"), 'F') > 1000);
    let refused =
        folder.run("profile run.pet.zst --images run.images --format bolt -o x --of other");
    assert_eq!(refused.status, 2);
    assert!(
        refused.stderr.starts_with("error: --of: the program has no file other: expected one of ")
    );
}
