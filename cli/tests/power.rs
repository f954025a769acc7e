//! `power` with a library of made-up cells, held against a program that shares no code with it. About ten seconds.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::common::Folder;

const LIBRARY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../synthesis/liberty/small_power.lib");

fn number(value: &Value, name: &str) -> f64 {
    value[name].as_f64().expect(name)
}

#[test]
fn energies_are_those_of_another_program() {
    let folder = Folder::new();
    folder.take_head("arm-stringsearch", 600, "run.pet.zst");
    let line = format!("power nexs run.pet.zst --liberty {LIBRARY} --warm-up 500 --cycles 400");
    let power = folder.json(&format!("{line} -o netlist --svg plots --json"));
    let parts =
        ["clock_tree", "memory_clocks", "register_clocks", "memories", "registers", "logic"];
    for column in ["running", "gated", "idle", "idle_gated"] {
        let energy = &power[column];
        let sum: f64 = parts.iter().map(|part| number(energy, &format!("{part}_pj"))).sum();
        assert!((sum - number(energy, "total_pj")).abs() < 1e-9, "{energy}");
    }
    let total = |column: &str| number(&power[column], "total_pj");
    assert!(total("idle") < total("running") && total("idle_gated") < total("gated"), "{power}");
    // With nothing to trace, no bit of a memory changes, and a gate's output stays as it is.
    assert_eq!(number(&power["idle_gated"], "memory_clocks_pj"), 0.0);
    assert_eq!((number(&power, "cycles"), &power["missing"]), (400.0, &Value::Array(Vec::new())));
    let blocks = power["blocks"].as_array().expect("blocks");
    let of_blocks: f64 = blocks.iter().map(|block| number(&block["running"], "total_pj")).sum();
    let tree = number(&power["running"], "clock_tree_pj");
    assert!((of_blocks + tree - total("running")).abs() < 1e-9, "{power}");
    let plot = fs::read_to_string(folder.path("plots/power.svg")).expect("a plot");
    assert!(plot.contains("clock pins of registers"), "{plot}");

    let check = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/power-check");
    let mut command = Command::new(check);
    let checked = command.arg(folder.path("netlist")).args(["--within", "0.1"]).output();
    let checked = checked.expect("Python");
    let said = [checked.stdout, checked.stderr].concat();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&said));

    // What would fill the disk, and what the trace has not, is refused before anything is simulated.
    for (cycles, says) in
        [("000000", "expected 1 to 100000 cycles"), ("00", "expected at least 40500")]
    {
        let done = folder.run(&format!("{line}{cycles}"));
        assert!(done.status == 2 && done.stderr.contains(says), "{}", done.stderr);
    }
}
