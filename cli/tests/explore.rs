//! Searches: their results, what is left of one that is killed, shards, and bad input.

use std::collections::HashSet;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::Folder;
use crate::common::bad::Bad;

/// A space of 4 by 3 by 3 designs, a third of which is not valid: 48 entries in 4 ways are no power of two of sets.
pub const SMALL: &str = "\
preset = \"traptor-m4\"
[space]
gshare_entries = { from = 64, to = 512, times = 2 }
pc_shift = { from = 2, to = 4, step = 1 }
indirect_branch_target_buffer_entries = [16, 32, 48]
";

/// A space for many passes over a trace.
const LARGE: &str = "\
preset = \"traptor-m4\"
strategy = \"random\"
[space]
gshare_entries = { from = 64, to = 1024, times = 2 }
gshare_history_bits = [\"auto\", 2, 4]
pc_shift = { from = 1, to = 5, step = 1 }
indirect_branch_target_buffer_entries = { from = 8, to = 64, times = 2 }
indirect_branch_target_buffer_tag_bits = { from = 2, to = 9, step = 1 }
[budget]
configurations = 600
";

pub fn folder_with(search: &str, events: u64) -> Folder {
    let folder = Folder::new();
    folder.take_head("arm-stringsearch", events, "arm.pet.zst");
    folder.take_head("rv64-stringsearch", events, "riscv.pet.zst");
    folder.write("space.toml", search);
    folder
}

/// The designs of a result by name.
pub fn named<'a>(found: &'a Value, name: &str) -> &'a Value {
    let rows = found["configurations"].as_array().expect("rows");
    rows.iter().find(|row| row["design"] == name).unwrap_or_else(|| panic!("{name}: {found}"))
}

#[test]
fn a_small_space_is_measured_whole() {
    let folder = folder_with(SMALL, 20_000);
    let explore = "explore space.toml arm.pet.zst riscv.pet.zst -o results --emit designs --json";
    let found = folder.json(explore);
    // 24 designs and the preset, and the best of them with each of its parameters put back.
    let put_back = found["improvement"]["parameters"].as_array().expect("parameters").len() as u64;
    let made =
        found["measured"].as_u64().expect("measured") + found["known"].as_u64().expect("known");
    assert_eq!((made, &found["invalid"]), (2 * (25 + put_back), &12.into()), "{found}");
    let rows = found["configurations"].as_array().expect("rows");
    assert_eq!(rows.len(), 24 + 1, "{found}");

    // The figures are those of `measure`.
    let measured = folder.json("measure --design traptor-m4 arm.pet.zst riscv.pet.zst --json");
    let preset = named(&found, "traptor-m4");
    for (number, of_trace) in preset["by_trace"].as_array().expect("traces").iter().enumerate() {
        assert_eq!(of_trace["bits"], measured[number]["bits"]);
        assert_eq!(of_trace["buffer_bits"], measured[number]["fifo_needed_bits"]);
    }
    let sum =
        |key: &str| measured[0][key].as_f64().expect("a") + measured[1][key].as_f64().expect("b");
    let bits = sum("bits") / sum("instructions");
    assert!((preset["bits_per_instruction"].as_f64().expect("bits") - bits).abs() < 1e-12);

    // Nothing on the front is beaten, and everything else is.
    let score = |row: &Value| {
        (row["bits_per_instruction"].as_f64().expect("bits"), row["gates"].as_u64().expect("gates"))
    };
    for (number, row) in rows.iter().enumerate() {
        let (bits, gates) = score(row);
        let is_beaten = rows.iter().map(score).enumerate().any(|(place, other)| {
            let is_equal = other == (bits, gates);
            other.0 <= bits && other.1 <= gates && (!is_equal || place < number)
        });
        assert_eq!(row["is_on_front"], !is_beaten, "{row}");
    }
    for file in ["all.csv", "front.csv"] {
        let front = |row: &&Value| file == "all.csv" || row["is_on_front"] == true;
        let lines = folder.text(&format!("results/{file}")).lines().count();
        assert_eq!(lines, 1 + rows.iter().filter(front).count(), "{file}");
    }
    assert!(folder.text("results/front.svg").contains("traptor-m4"));
    folder.succeed("report traptor-s0 arm.pet.zst -o report.html --search results");
    assert!(folder.text("report.html").contains("Designs of the search"));

    // Which combinations are no designs, and why.
    let text = folder.succeed(&explore.replace(" --json", ""));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("; 12 combinations are not valid; the first of them: `"), "{text}");

    // Again, nothing is measured, and the result is the same.
    let before = folder.text("results/exploration.json");
    let again = folder.json(explore);
    assert_eq!(
        (&again["measured"], &again["configurations"]),
        (&0.into(), &found["configurations"])
    );
    assert_eq!(folder.text("results/exploration.json"), before);
}

#[test]
fn the_best_design_is_generated_linted_and_co_simulated() {
    let folder = folder_with(SMALL, 5_000);
    let found = folder.json("explore space.toml arm.pet.zst -o results --emit designs --json");
    let best = found["improvement"]["design"].as_str().expect("a better design");
    let preset = named(&found, "traptor-m4");
    assert!(named(&found, best)["gates"].as_u64() <= preset["gates"].as_u64(), "{found}");
    let file = format!("designs/{best}.toml");
    folder.succeed(&format!("generate {file} -o {best}"));
    let module = best.replace('-', "_");
    let verilog = folder.path(format!("{best}/{best}/{module}.v"));
    // A design is one file with all of its modules.
    let mut lint = Command::new("verilator");
    lint.args(["--lint-only", "-Wall", "-Wno-DECLFILENAME", "--top-module", &module]);
    let lint = lint.arg(&verilog).output();
    let lint = lint.expect("verilator");
    assert!(lint.status.success() && lint.stderr.is_empty(), "{lint:?}");
    let simulated = folder.json(&format!("cosim {file} arm.pet.zst --stall random --json"));
    assert_eq!(simulated[0]["mismatches"], 0, "{simulated}");
    assert_eq!(simulated[0]["bits"], named(&found, best)["by_trace"][0]["bits"]);
}

/// What stands around a design stands around those that are found from it.
#[test]
fn a_unit_is_found_with_its_sections() {
    let folder = folder_with("preset = \"unit.toml\"\n[space]\ngshare_entries = [128]\n", 500);
    let sections = "[control]\nbus = \"apb\"\n\n[ram_sink]\nbytes = 8192\n";
    folder.write("unit.toml", format!("preset = \"traptor-m4\"\nname = \"unit\"\n{sections}"));
    let found = folder.json("explore space.toml arm.pet.zst -o results --emit designs --json");
    let one = &found["configurations"].as_array().expect("designs")[0]["design"];
    let name = one.as_str().expect("a name");
    let file = folder.text(&format!("designs/{name}.toml"));
    assert!(file.ends_with(&format!("\n{sections}")), "{file}");
    let made = folder.succeed(&format!("generate designs/{name}.toml -o build"));
    let module = name.replace('-', "_");
    assert!(folder.path(format!("build/{name}/{module}_control.v")).exists(), "{made}");
}

#[test]
fn the_smallest_buffer_never_stalls() {
    let search = format!("{SMALL}fifo_bits = \"smallest\"\n");
    let folder = folder_with(&search, 20_000);
    let found = folder.json("explore space.toml arm.pet.zst -o results --emit designs --json");
    for row in found["configurations"].as_array().expect("rows") {
        let (name, file) = (&row["design"], &row["parameters"]["fifo_bits"]);
        assert!(name == "traptor-m4" || *file == row["buffer_bits"], "{row}");
        if row["is_on_front"] == true && name != "traptor-m4" {
            let file = format!("designs/{}.toml", name.as_str().expect("a name"));
            let at = |set: u64| {
                let set = format!("--set fifo_bits={set}");
                folder.json(&format!("measure --design {file} {set} arm.pet.zst --json"))
            };
            let smallest = row["buffer_bits"].as_u64().expect("bits");
            assert_eq!(at(smallest)[0]["stall_cycles"], 0);
            assert_ne!(at(smallest - 1)[0]["stall_cycles"], 0);
        }
    }
}

fn start(folder: &Folder, arguments: &str) -> Child {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let mut command = folder.command(&words);
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the command")
}

/// Waits until a search has this many measurements.
fn wait_for(folder: &Folder, log: &str, lines: usize) {
    let begin = Instant::now();
    let count = || fs::read(folder.path(log)).map_or(0, |text| text.split(|b| *b == b'\n').count());
    while count() <= lines {
        assert!(begin.elapsed() < Duration::from_secs(60), "no measurements");
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_killed_search_goes_on() {
    let folder = folder_with(LARGE, 60_000);
    let explore = "explore space.toml arm.pet.zst riscv.pet.zst --json -o";
    let whole = folder.json(&format!("{explore} whole"));
    for (kills, lines) in [(1, 60), (2, 300)] {
        let mut child = start(&folder, &format!("{explore} results"));
        wait_for(&folder, "results/measured.jsonl", lines);
        child.kill().expect("SIGKILL");
        let status = child.wait().expect("an end");
        assert_eq!(status.code(), None, "kill {kills} came after the end");
        assert!(!folder.path("results/exploration.json").exists());
    }
    // What a kill in the middle of a write leaves.
    let mut log = folder.text("results/measured.jsonl");
    log += "{\"key\":\"0123\",\"instr";
    folder.write("results/measured.jsonl", &log);
    let resumed = folder.json(&format!("{explore} results"));
    let known = resumed["known"].as_u64().expect("known");
    assert!(known >= 300, "{known}");
    let made = |found: &Value| found["measured"].as_u64().expect("measured");
    // Some are asked for twice in the whole search too: parameters that are put back.
    assert_eq!(made(&resumed) + known, made(&whole) + whole["known"].as_u64().expect("known"));
    for file in ["exploration.json", "all.csv", "front.csv", "front.svg"] {
        let (one, other) =
            (folder.text(&format!("whole/{file}")), folder.text(&format!("results/{file}")));
        assert!(one == other, "{file}");
    }
    // No measurement was made twice.
    let log = folder.text("results/measured.jsonl");
    let keys: Vec<&str> = log.lines().map(|line| &line[..41]).collect();
    assert_eq!(keys.iter().collect::<HashSet<_>>().len(), keys.len());
    assert_eq!(keys.len() as u64, made(&whole));
}

#[test]
fn the_evolutionary_search_follows_its_seed() {
    let search = LARGE.replace("random", "evolutionary").replace("600", "120");
    let folder = folder_with(&search, 10_000);
    let explore = |output: &str| {
        folder.json(&format!("explore space.toml arm.pet.zst riscv.pet.zst --json -o {output}"))
    };
    let found = explore("one");
    assert_eq!(found["configurations"].as_array().expect("rows").len(), 121);
    explore("two");
    assert_eq!(folder.text("one/all.csv"), folder.text("two/all.csv"));
    // It finds a better front than as many random designs: fewer bits at no more gates than the preset.
    folder.write("space.toml", LARGE.replace("600", "120"));
    let random = explore("random");
    let best = |found: &Value| {
        let name = found["improvement"]["design"].as_str().expect("a better design").to_owned();
        named(found, &name)["bits_per_instruction"].as_f64().expect("bits")
    };
    assert!(best(&found) < best(&random), "{} {}", best(&found), best(&random));
    let left_out = found["improvement"]["left_out"].as_array().expect("traces");
    assert_eq!(left_out.len(), 2);
}

#[test]
fn merged_shards_are_the_whole_search() {
    for (search, every) in [(SMALL, "all"), (LARGE, "random")] {
        let search = search.replace("600", "100");
        let folder = folder_with(&search, 5_000);
        let explore = "explore space.toml arm.pet.zst riscv.pet.zst --json";
        let whole = folder.json(&format!("{explore} -o whole"));
        let mut measured = 0;
        for shard in 1..=3 {
            let part = folder.json(&format!("{explore} -o part{shard} --shard {shard}/3"));
            measured += part["measured"].as_u64().expect("measured");
        }
        folder.succeed("merge part3 part1 part2 -o merged --emit designs");
        assert_eq!(folder.text("merged/all.csv"), folder.text("whole/all.csv"), "{every}");
        assert!(folder.text("merged/front.svg").contains("Pareto front"));
        // The presets are measured in every shard, everything else in one.
        let presets = 2 * 2;
        assert_eq!(
            measured,
            whole["configurations"].as_array().expect("rows").len() as u64 * 2 + presets
        );
        // The merged folder is complete: only parameters put back are measured, as they were in the whole search.
        let again = folder.json(&format!("{explore} -o merged"));
        assert_eq!(again["configurations"], whole["configurations"], "{every}");
        assert_eq!(again["improvement"], whole["improvement"], "{every}");
    }
}

#[test]
fn several_schemes_are_searched_together() {
    let search = "\
preset = [\"traptor-s*\", \"stream-rbase-32\", \"ntuple-32x4\", \"nexs\", \"mctraptor-small-n1\"]
[space]
gshare_entries = [256, 512]
trace_port_width = [1, 4]
";
    let folder = folder_with(search, 2_000);
    let found = folder.json("explore space.toml arm.pet.zst -o results --json");
    let rows = found["configurations"].as_array().expect("rows");
    let of = |preset: &str| rows.iter().filter(|row| row["preset"] == preset).count();
    // The presets have a port of one bit; one parameter applies to T-raptor alone.
    assert_eq!((of("traptor-s1"), of("mctraptor-small-n1")), (4, 4), "{found}");
    assert_eq!((of("stream-rbase-32"), of("ntuple-32x4"), of("nexs")), (2, 2, 2), "{found}");
    // A wider port needs a smaller buffer.
    let buffer = |design: &str| named(&found, design)["buffer_bits"].as_u64().expect("bits");
    let wide = rows
        .iter()
        .find(|row| row["preset"] == "nexs" && row["parameters"]["trace_port_width"] == 4);
    let wide = wide.expect("a wide port")["design"].as_str().expect("a name").to_owned();
    assert!(buffer(&wide) < buffer("nexs"), "{found}");
}

#[test]
fn a_trace_that_changes_ends_the_search() {
    let folder = folder_with(LARGE, 60_000);
    let child = start(&folder, "explore space.toml arm.pet.zst riscv.pet.zst -o results");
    wait_for(&folder, "results/measured.jsonl", 1);
    folder.take_head("arm-stringsearch", 100, "arm.pet.zst");
    let done = child.wait_with_output().expect("an end");
    let said = String::from_utf8(done.stderr).expect("text");
    // Between two looks at the file, or while it was read.
    assert!(said.starts_with("error: arm.pet.zst changed while "), "{said}");
    assert_eq!(done.status.code(), Some(1));
}

#[test]
fn a_trace_that_disappears_ends_the_search() {
    let folder = folder_with(LARGE, 60_000);
    let child = start(&folder, "explore space.toml arm.pet.zst riscv.pet.zst -o results");
    wait_for(&folder, "results/measured.jsonl", 1);
    fs::remove_file(folder.path("arm.pet.zst")).expect("removed");
    let done = child.wait_with_output().expect("an end");
    let said = String::from_utf8(done.stderr).expect("text");
    // Between two passes, or between the two readings of one.
    let sentences = ["error: cannot read arm.pet.zst: ", "error: arm.pet.zst: cannot open: "];
    assert!(sentences.iter().any(|sentence| said.starts_with(sentence)), "{said}");
    assert!(said.ends_with("No such file or directory (os error 2)\n"), "{said}");
    assert_eq!(done.status.code(), Some(1));
}

/// Search files that are wrong, by name.
fn bad_searches() -> Vec<(&'static str, String)> {
    let space = |values: &str| format!("preset = \"traptor-m4\"\n[space]\n{values}\n");
    let many = "fifo_bits = { from = 8, to = 60000, step = 1 }\npc_shift = [1, 2, 3]";
    let objective = "pc_shift = [3]\n[objectives]\nminimize = [\"beauty\"]";
    vec![
        ("empty", "preset = \"traptor-m4\"\n".into()),
        ("no-values", space("pc_shift = []")),
        ("large", space(many)),
        ("unknown", space("gshare_entrys = [256]")),
        ("value", space("pc_shift = [3, 9]")),
        ("range", space("pc_shift = { from = 3, to = 1, step = 1 }")),
        ("preset", "preset = \"traptor-m5\"\n[space]\n".into()),
        ("kinds", "preset = [\"traptor-m4\", \"stride-32\"]\n".into()),
        ("strategy", format!("strategy = \"luck\"\n{}", space("pc_shift = [3]"))),
        ("objective", space(objective)),
        ("key", format!("budget = 3\n{}", space("pc_shift = [3]"))),
        ("toml", "preset = \n".into()),
    ]
}

#[test]
fn bad_input_is_said_in_a_sentence() {
    let folder = folder_with(SMALL, 2_000);
    folder.succeed("explore space.toml arm.pet.zst -o results");
    folder.succeed("explore space.toml arm.pet.zst -o part1 --shard 1/2");
    folder.succeed("explore space.toml riscv.pet.zst -o part2 --shard 2/2");
    for name in ["old", "foreign", "damaged"] {
        fs::create_dir(folder.path(name)).expect("a folder");
    }
    folder.write("old/version.json", "{\"tracewright\":\"0.0.9\",\"format\":1}");
    folder.write("foreign/thesis.tex", "");
    folder.write("damaged/version.json", folder.text("results/version.json"));
    folder.write("damaged/measured.jsonl", "{}\n");
    for (name, text) in bad_searches() {
        folder.write(&format!("{name}.toml"), text);
    }
    folder.write("data.toml", "preset = [\"stride-64\", \"stride-32\"]\n");
    let mut bad = Bad::new(folder);
    for (name, _) in bad_searches() {
        bad.fails(2, &format!("explore {name}.toml arm.pet.zst -o out"));
    }
    bad.fails(1, "explore data.toml arm.pet.zst -o out");
    bad.fails(2, "explore missing.toml arm.pet.zst -o out");
    bad.fails(1, "explore space.toml gone.pet.zst -o out");
    bad.fails(2, "explore space.toml - -o out");
    bad.fails(1, "explore space.toml arm.pet.zst -o old");
    bad.fails(2, "explore space.toml arm.pet.zst -o foreign");
    bad.fails(1, "merge old -o out");
    bad.fails(1, "merge foreign -o out");
    bad.fails(1, "merge damaged -o out");
    bad.fails(1, "merge part1 -o out");
    bad.fails(1, "merge part1 part2 -o out");
    let invalid =
        "preset = \"traptor-m4\"\n[space]\nindirect_branch_target_buffer_entries = [48]\n";
    bad.folder.write("space.toml", invalid);
    bad.fails(2, "explore space.toml arm.pet.zst -o results");
    insta::assert_snapshot!(bad.shown);
}
