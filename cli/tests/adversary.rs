//! The search for bad programs: it follows from the seed, goes on where it was, and its programs are traces.

use serde_json::Value;

use crate::common::Folder;

const SEARCH: &str = "adversary talon-s --events 300 --json";

fn found(folder: &Folder, arguments: &str) -> Vec<Value> {
    serde_json::from_str(&folder.succeed(&format!("{SEARCH} {arguments}"))).expect("JSON")
}

#[test]
fn a_search_goes_on_where_it_was() {
    let folder = Folder::new();
    let whole = found(&folder, "-o whole --programs 448");
    assert!(!found(&folder, "-o parts --programs 200 --jobs 1").is_empty());
    assert_eq!(found(&folder, "-o parts --programs 448"), whole);
    assert_eq!(found(&folder, "-o parts --programs 448"), whole);
    assert_ne!(found(&folder, "-o shard --programs 448 --shard 2/2"), whole);
    assert_ne!(found(&folder, "-o bits --programs 448 --goal bits-per-instruction"), whole);
    for (goal, figure) in [("stalls", "stall_cycles"), ("buffer", "fifo_needed_bits")] {
        let most = |found: &[Value]| found.iter().filter_map(|one| one[figure].as_u64()).max();
        let found = found(&folder, &format!("-o {goal} --programs 448 --goal {goal}"));
        assert_eq!(most(&found), found[0][figure].as_u64(), "{goal}");
        assert!(most(&found) > most(&whole), "{goal}");
    }
    let other = folder.run(&format!("{SEARCH} -o parts --programs 500 --seed 1"));
    assert_eq!(other.status, 1, "{}", other.stderr);
    assert!(other.stderr.contains("the same designs, goal, events, seed and shard"));
    folder.write("parts/adversary.json", "{");
    assert_eq!(folder.run(&format!("{SEARCH} -o parts")).status, 1);
}

#[test]
fn bad_programs_are_traces() {
    let folder = Folder::new();
    let worst = found(&folder, "-o worst --programs 64");
    assert!(worst.len() > 3);
    for one in worst {
        let kind = one["kind"].as_str().expect("a name");
        folder.succeed(&format!("trace script worst/{kind}.txt --events 300 -o {kind}.pet.zst"));
        // A note on standard error says what the designs take from its addresses.
        let done =
            folder.run(&format!("measure --design talon-s,traptor-m4 --json {kind}.pet.zst"));
        assert_eq!(done.status, 0, "{}", done.stderr);
        let measured: Value = serde_json::from_str(&done.stdout).expect("JSON");
        assert_eq!(measured[0]["bits"], one["bits"], "{kind}");
        assert_eq!(measured[1]["bits"], one["baseline_bits"], "{kind}");
        assert_eq!(measured[0]["instructions"], one["instructions"], "{kind}");
        for load in ["fifo_needed_bits", "stall_cycles"] {
            assert_eq!(measured[0][load], one[load], "{kind}");
        }
    }
    folder.write("bad.txt", "function 0\nloop\nend\nend\n");
    let bad = folder.run("trace script bad.txt");
    assert_eq!(bad.status, 1);
    assert!(bad.stderr.contains("bad.txt: line 2: expected"), "{}", bad.stderr);
    assert_eq!(folder.run("adversary talon-s bad.txt -o worst").status, 1);
}
