//! The regression in shards.

use std::fs;

use serde_json::Value;

use crate::common::bad::Bad;
use crate::common::{Folder, is_long};

/// Every preset, random designs and sinks: some hundred models.
const PLAN: &str = "regress --quick --workloads traces --synthetic 1 --random 1 --json";

/// Runs of three of these designs: two presets, one of them with packets too.
const FEW: &str = "traptor-m4";

/// The plan, with what is run of it.
fn regress(folder: &Folder, more: &str) -> Value {
    let words = PLAN.split(' ').chain(more.split(' '));
    let few: &[&str] = if is_long() { &[] } else { &["--run", FEW] };
    let words: Vec<&str> = words.chain(few.iter().copied()).collect();
    let done = folder.run_words(&words);
    assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{words:?}");
    serde_json::from_str(&done.stdout).expect("JSON")
}

#[test]
fn a_unit_runs_alone_as_it_is() {
    let folder = Folder::new();
    fs::create_dir(folder.path("traces")).expect("a folder");
    folder.take_head("arm-stringsearch", 1_000, "traces/arm.pet.zst");
    folder.write(
        "unit.toml",
        "preset = \"traptor-s1\"\nname = \"my_unit\"\nalignment = 1\n[ingress]\nport = \"rvfi\"\n[control]\nbus = \"apb\"\n",
    );
    // Its hardware has no lowest bit of addresses, which a trace of x86 needs; synthetic programs are for its machine.
    folder.succeed("trace generate --isa x86 --seed 1 --events 1000 -o traces/x86.pet.zst");
    let groups = folder.json("regress unit.toml nexs --workloads traces --synthetic 9 --json");
    let groups: Vec<(&str, u64)> = groups
        .as_array()
        .expect("groups")
        .iter()
        .map(|one| (one["design"].as_str().expect("a name"), one["runs"].as_u64().expect("runs")))
        .collect();
    assert_eq!(groups, [("my_unit", 10), ("nexs", 11)]);
    // What a failed run says of itself is its name, with `on`; test cases of JUnit XML have a comma.
    let kept = |more: &[&str]| -> Vec<String> {
        let plan = "regress nexs --workloads traces --synthetic 3 -o kept";
        let words: Vec<&str> = plan.split(' ').chain(more.iter().copied()).collect();
        assert_eq!(folder.run_words(&words).status, 0, "{words:?}");
        let kept: Value = serde_json::from_str(&folder.text("kept/regression.json")).expect("JSON");
        let outcomes = kept["outcomes"].as_array().expect("outcomes").iter();
        outcomes.map(|one| one["name"].as_str().expect("a name").to_owned()).collect()
    };
    let all = kept(&[]);
    for name in [all[1].clone(), all[1].replacen(", ", " on ", 1)] {
        assert_eq!(kept(&["--run", &name]), all[1..2], "{all:?}");
    }
    let mut bad = Bad::new(folder);
    bad.fails(2, "regress nexs --workloads traces --run nothing");
    bad.fails(2, "regress --set framing=packets");
    bad.fails(2, "regress nowhere.toml");
    insta::assert_snapshot!(bad.shown);
}

#[test]
fn merged_shards_are_the_whole_regression() {
    let folder = Folder::new();
    fs::create_dir(folder.path("traces")).expect("a folder");
    folder.take_head("arm-stringsearch", 1_000, "traces/arm.pet.zst");
    let whole = regress(&folder, "-o whole");
    let mut runs = 0;
    for shard in ["1/2", "2/2"] {
        let part = regress(&folder, &format!("--shard {shard} -o part{}", &shard[..1]));
        let groups = part.as_array().expect("groups");
        assert!(!groups.is_empty(), "{shard}: {part}");
        runs += groups.iter().filter_map(|one| one["runs"].as_u64()).sum::<u64>();
    }
    let merged = folder.json("merge part2 part1 -o merged --json");
    assert_eq!(merged, whole);
    let of = |groups: &Value| -> u64 {
        groups.as_array().expect("groups").iter().filter_map(|one| one["runs"].as_u64()).sum()
    };
    assert_eq!((of(&whole), of(&merged)), (runs, runs));
    assert!(folder.text("merged/junit.xml").contains("traptor-m4"));
    // All but the times is what the whole regression has kept.
    let kept = |name: &str| {
        let mut part: Value = serde_json::from_str(&folder.text(name)).expect("JSON");
        for outcome in part["outcomes"].as_array_mut().expect("outcomes") {
            outcome["elapsed"] = Value::Null;
        }
        part
    };
    assert_eq!(kept("merged/regression.json"), kept("whole/regression.json"));

    fs::create_dir(folder.path("old")).expect("a folder");
    let old = folder.text("part1/regression.json").replace("\"0.1.0\"", "\"0.0.9\"");
    folder.write("old/regression.json", old);
    fs::create_dir(folder.path("other")).expect("a folder");
    let text = folder.text("part2/regression.json");
    let at = text.find("\"plan\":\"").expect("a plan") + 8;
    folder.write("other/regression.json", format!("{}0123{}", &text[..at], &text[at + 4..]));
    let mut bad = Bad::new(folder);
    bad.fails(1, "merge part1 -o out");
    bad.fails(1, "merge part1 other -o out");
    bad.fails(1, "merge part1 old -o out");
    bad.fails(1, "merge part1 traces -o out");
    bad.fails(2, "merge part1 part2 -o out --emit designs");
    insta::assert_snapshot!(bad.shown);
}
