//! Filters at the command line: what is left out is told, and is no failure.

use std::collections::BTreeMap;

use crate::common::Folder;

const SETTINGS: &str = "--set framing=packets --set checksum_bits=8 --set filter_ranges=2";

/// The address to which the run in the folder jumps most often.
fn busiest(folder: &Folder) -> String {
    let text = folder.succeed("trace dump run.pet.zst");
    let mut counts = BTreeMap::new();
    for target in text.lines().filter_map(|line| line.split_once(" taken ")) {
        *counts.entry(target.1.to_owned()).or_insert(0) += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).unwrap().0
}

#[test]
fn what_is_left_out_is_told_and_is_no_failure() {
    let folder = Folder::with_run();
    let address = busiest(&folder);
    let run = folder.json("trace info run.pet.zst --json");
    let filter = format!("--filter-in {address}:{address}");
    folder.succeed(&format!("encode traptor-m4 run.pet.zst -o run.bits {SETTINGS} {filter}"));
    let done = folder.json("decode run.bits --program run.pet.zst -o back.pet.zst --json");
    let number = |name: &str| done[name].as_u64().unwrap();
    let (left, filtered) = (number("instructions"), number("filtered_instructions"));
    assert_eq!((&done["complete"], number("lost_instructions")), (&true.into(), 0));
    assert!(left > 0 && filtered > 0, "{done:#}");
    let gaps = done["gaps"].as_array().unwrap();
    assert!(gaps.iter().all(|gap| gap["reason"] == "filtered"), "{gaps:?}");
    // Each gap counts up to 65535.
    if gaps.iter().all(|gap| gap["lost_instructions"] != 65535) {
        assert_eq!(run[0]["instructions"], left + filtered);
    }
    let told = folder.succeed("decode run.bits --program run.pet.zst -o back.pet.zst");
    assert!(told.contains("instructions were left out because they did not pass the filter"));
    let settings = format!("{SETTINGS} {filter} --limit 3000 --json");
    let simulated = folder.json(&format!("cosim traptor-m4 run.pet.zst {settings}"));
    assert_eq!(
        (&simulated[0]["failure"], &simulated[0]["decoded_equal"]),
        (&().into(), &true.into())
    );
    assert_eq!(simulated[0]["lost_instructions"], 0);
    assert!(simulated[0]["filtered_instructions"].as_u64().unwrap() > 0, "{simulated:#}");
}

#[test]
fn filters_that_a_design_does_not_have_are_refused() {
    let folder = Folder::with_run();
    for (arguments, says) in [
        (
            "--filter-in 1:2 --filter-out 4:8 --filter-out 9:9",
            "3 ranges are given, and the design has filter_ranges = 2",
        ),
        ("--filter-in 0x200:0x100", "the range 0x200:0x100 ends before it begins"),
        ("--filter-in 0x200", "expected two addresses with a colon between them"),
        ("--filter-context 0x1g", "`0x1g` is no number"),
        ("--filter-privilege 3", "set filter_privilege=true"),
        ("--filter-window 0:0", "set filter_window=true"),
    ] {
        for command in ["encode traptor-m4 run.pet.zst -o run.bits", "cosim traptor-m4 run.pet.zst"]
        {
            let done = folder.run(&format!("{command} {SETTINGS} {arguments}"));
            assert!(done.status != 0 && done.stderr.contains(says), "{command}: {}", done.stderr);
        }
    }
}
