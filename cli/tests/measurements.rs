//! What a results folder keeps: measurements that survive damage, and designs of one search.

use std::fs;

use crate::common::Folder;
use crate::explore::{SMALL, folder_with};

/// A power failure may leave a block of zeros, and a disk a wrong bit.
#[test]
fn damaged_measurements_are_made_again() {
    let folder = folder_with(SMALL, 2_000);
    let explore = "explore space.toml arm.pet.zst -o results --json";
    let first = folder.json(explore);
    let log = folder.text("results/measured.jsonl");
    let mut lines: Vec<String> = log.lines().map(str::to_owned).collect();
    lines[2] = "\0".repeat(100);
    lines[4] = lines[4].replacen("\"bits\":", "\"bits\":1", 1);
    folder.write("results/measured.jsonl", lines.join("\n") + "\n");
    let again = folder.json(explore);
    assert_eq!(again["measured"], 2, "{again}");
    assert_eq!(again["configurations"], first["configurations"]);
    assert_eq!(folder.json(explore)["measured"], 0);
}

/// What a search has found is not mixed with another search, and nothing is left of a merge that fails.
#[test]
fn searches_are_not_mixed() {
    let folder = folder_with(SMALL, 2_000);
    folder.succeed("explore space.toml arm.pet.zst -o one --emit designs");
    let names = |folder: &Folder| -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder.path("designs"))
            .expect("designs")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into())
            .collect();
        names.sort();
        names
    };
    let first = names(&folder);
    folder.write("designs/mine.toml", "preset = \"traptor-s0\"\n");
    let one = first.first().expect("a design").clone();
    // One that was on the front of this search before, and is not any more.
    folder.write("designs/old.toml", folder.text(&format!("designs/{one}")));
    folder.succeed("explore space.toml arm.pet.zst -o one --emit designs");
    let mut expected = first;
    expected.push("mine.toml".into());
    expected.sort();
    assert_eq!(names(&folder), expected);
    let refused = folder.run("explore space.toml riscv.pet.zst -o two --emit designs");
    assert_eq!(refused.status, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("of another search"), "{}", refused.stderr);
    assert_eq!(names(&folder), expected);
    // A shard without its measurements.
    fs::remove_file(folder.path("two/measured.jsonl")).expect("removed");
    let before = folder.names();
    let failed = folder.run("merge two -o merged");
    assert_eq!(failed.status, 1, "{}", failed.stderr);
    assert_eq!(folder.names(), before);
}
