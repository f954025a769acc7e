//! A predictor without hardware that a program brings to the command: `cli/examples/predictor.rs`.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::common::{Folder, workload};

/// Runs the example, and gives what it prints on standard output and on standard error.
fn example(folder: &Folder, arguments: &str) -> (String, String) {
    let command = Path::new(env!("CARGO_BIN_EXE_tracewright"));
    let example = command.with_file_name("examples").join("predictor");
    let done =
        Command::new(example).args(arguments.split(' ')).current_dir(folder.path(".")).output();
    let done = done.expect("`cargo build --release -p tracewright --example predictor` builds it");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (text(done.stdout), text(done.stderr))
}

fn json(folder: &Folder, arguments: &str) -> Value {
    let (printed, said) = example(folder, arguments);
    serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{arguments}: {error}: {said}"))
}

#[test]
fn it_stands_beside_designs() {
    let (folder, trace) = (Folder::new(), workload("rv32imac-traps"));
    let measured = json(&folder, &format!("measure --design local-history,talon-s {trace} --json"));
    assert_eq!(measured[0]["design"], "talon-s");
    let own = &measured[1];
    assert_eq!((&own["basis"], &own["papers_bits"]), (&"model only".into(), &11_072.into()));
    let bits = own["bits"].as_u64().expect("bits");
    let fields = own["fields"].as_object().expect("fields");
    assert_eq!(fields.values().filter_map(Value::as_u64).sum::<u64>(), bits);
    let compared = json(&folder, &format!("compare --only local-history,gzip {trace} --json"));
    assert_eq!(
        (&compared[0]["name"], &compared[0]["bits"]),
        (&"local-history".into(), &own["bits"])
    );
    assert_eq!(compared[1]["name"], "gzip");
    let larger = format!("measure --design local-history {trace} --set outcomes=10 --json");
    assert!(json(&folder, &larger)[0]["bits"].as_u64() < Some(bits));
    let (printed, _) = example(&folder, &format!("measure --design local-history {trace}"));
    assert!(printed.contains("local-history") && printed.contains('-'), "{printed}");
    let report = format!("report local-history {trace} --csv out.csv --plot out.svg -o out.html");
    let (printed, said) = example(&folder, &report);
    assert!(printed.starts_with(" model only "), "{printed}{said}");
    assert!(
        folder.text("out.csv").contains(&format!("local-history,bits,rv32imac-traps,{bits},bits"))
    );
    assert!(
        folder.text("out.svg").contains("model only")
            && folder.text("out.html").contains("model only")
    );
}

/// Every combination of its parameters is measured beside the designs, by which the front is made.
#[test]
fn it_is_searched_beside_designs() {
    let (folder, trace) = (Folder::new(), workload("rv32imac-traps"));
    folder.write(
        "space.toml",
        "preset = [\"talon-s\", \"local-history\"]\nstrategy = \"random\"\n[space]\n\
         outcomes = [6, 8, 10]\nbranches = [64]\ngshare_entries = [128, 256]\n",
    );
    let explore = format!("explore space.toml {trace} -o found --json");
    let found = json(&folder, &format!("{explore} --emit designs"));
    let rows = found["configurations"].as_array().expect("configurations");
    let of = |basis: &str| {
        let of_basis = rows.iter().filter(|row| row["basis"].as_str().unwrap_or("design") == basis);
        of_basis.collect::<Vec<_>>()
    };
    let names = |rows: &[&Value]| {
        let names = rows.iter().map(|row| row["design"].as_str().expect("a name").to_owned());
        names.collect::<std::collections::BTreeSet<_>>()
    };
    // The predictor as it is has 256 branches.
    let (designs, predictors) = (of("design"), of("model only"));
    assert_eq!((designs.len(), predictors.len(), names(&predictors).len()), (2, 4, 4));
    for row in &predictors {
        let set = row["parameters"].as_object().expect("parameters").iter();
        let set: String = set.map(|(name, value)| format!(" --set {name}={value}")).collect();
        let measured =
            json(&folder, &format!("measure --design local-history {trace}{set} --json"));
        assert_eq!(row["by_trace"][0]["bits"], measured[0]["bits"], "{set}");
        assert_eq!(row["gates"], measured[0]["estimated_gates"], "{set}");
    }
    let emitted = fs::read_dir(folder.path("designs")).expect("designs").count();
    let on_front = |rows: &[&Value]| rows.iter().filter(|row| row["is_on_front"] == true).count();
    assert_eq!(emitted, on_front(&designs));
    assert_eq!(folder.text("found/all.csv").matches(",model only,").count(), 4);
    // Measurements of designs are kept, and those of predictors made again; two shards are the whole.
    let again = json(&folder, &explore);
    assert_eq!((&again["measured"], &again["known"]), (&4.into(), &2.into()));
    for shard in ["1", "2"] {
        let shard = format!("explore space.toml {trace} --shard {shard}/2 -o shard-{shard} --json");
        json(&folder, &shard);
    }
    let merged = json(&folder, "merge shard-1 shard-2 -o merged --json");
    assert_eq!(merged["configurations"], found["configurations"]);
}

#[test]
fn searches_that_it_cannot_be_in_are_refused() {
    let (folder, trace) = (Folder::new(), workload("rv32-synthetic-data"));
    for (preset, space, expected) in [
        ("\"local-history\"", "outcome = [6]", "line 3: local-history has no parameter `outcome`"),
        ("\"local-history\"", "outcomes = [true]", "outcomes=true: expected a whole number"),
        (
            "[\"local-history\", \"stride-32\"]",
            "",
            "stride-32 traces data addresses and local-history",
        ),
        (
            "\"local-history\"",
            "outcomes = [6]\n[objectives]\nminimize = [\"buffer_bits\"]",
            "local-history is a predictor without hardware, which has no buffer_bits",
        ),
        (
            "\"local-history\"",
            "outcomes = [6, 7]\n[budget]\nconfigurations = 1",
            "the space has 2 of them, more than configurations = 1",
        ),
        (
            "\"mine.py:LocalHistory\"",
            "outcomes = [6]",
            "needs the command of the package for Python",
        ),
    ] {
        folder.write("space.toml", format!("preset = {preset}\n[space]\n{space}\n"));
        let (_, said) = example(&folder, &format!("explore space.toml {trace} -o found"));
        assert!(said.replace('\n', " ").contains(expected), "{said}");
    }
    let alone = folder.run(&format!("explore space.toml {trace} -o found"));
    assert_eq!(alone.status, 2);
}

#[test]
fn what_it_cannot_do_is_said() {
    let (folder, trace) = (Folder::new(), workload("arm-adpcm_c"));
    for (arguments, expected) in [
        ("--set outcome=4", "local-history has no parameter `outcome`; it has branches, outcomes"),
        ("--set outcomes=many", "expected a whole number, for a predictor"),
        ("--set outcomes=40", "counters has 1099511627776 entries: expected at most 67108864"),
    ] {
        let (_, said) =
            example(&folder, &format!("measure --design local-history {trace} {arguments}"));
        assert!(said.replace('\n', " ").contains(expected), "{said}");
    }
    let done = folder.run(&format!("measure --design mine.py:LocalHistory {trace}"));
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("needs the command of the package for Python"), "{}", done.stderr);
}

/// The page of predictors shows the example as it is.
#[test]
fn the_page_has_the_example() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = |name: &str| fs::read_to_string(root.join(name)).expect("a file");
    let (page, example) = (text("../docs/start_predictor.md"), text("examples/predictor.rs"));
    let code = example.split_once("\n\n").expect("a heading").1;
    assert!(
        page.contains(code),
        "docs/start_predictor.md has another text than cli/examples/predictor.rs"
    );
}
