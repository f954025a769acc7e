//! `compare`: designs and other encoders on the same traces.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tracewright_comparators as comparators;

use crate::common::bad::Bad;
use crate::common::{Folder, is_long, workload};

const FIELDS: [&str; 13] = [
    "name",
    "basis",
    "trace",
    "events",
    "instructions",
    "bits",
    "bits_per_instruction",
    "refused",
    "stated_gates",
    "estimated_gates",
    "papers_bits",
    "gate_equivalents",
    "flip_flop_implementation_ge",
];

fn of<'a>(compared: &'a Value, name: &str) -> &'a Value {
    let all = compared.as_array().expect("an array");
    all.iter().find(|one| one["name"] == name).expect("a row")
}

#[test]
fn designs_have_the_bits_of_measure_and_comparators_all_fields() {
    let folder = Folder::new();
    let events = if is_long() { u64::MAX } else { 50_000 };
    folder.take_head("rv64-stringsearch", events, "run.pet.zst");
    let trace = "run.pet.zst";
    let compared = folder.json(&format!("compare {trace} --json"));
    for one in compared.as_array().expect("an array") {
        let keys: Vec<&String> = one.as_object().expect("an object").keys().collect();
        assert_eq!(keys, FIELDS, "{one}");
        let bits = one["bits"].as_u64().expect("bits") as f64;
        let per_instruction = bits / one["instructions"].as_u64().expect("instructions") as f64;
        let printed = one["bits_per_instruction"].as_f64().expect("a number");
        assert!((printed / per_instruction - 1.0).abs() < 1e-12, "{one}");
    }
    let measured = folder.json(&format!("measure --design traptor-m4,nexs {trace} --json"));
    for design in measured.as_array().expect("an array") {
        let name = design["design"].as_str().expect("a name");
        assert_eq!(of(&compared, name)["bits"], design["bits"], "{name}");
        assert_eq!(of(&compared, name)["basis"], "design");
    }
    for comparator in comparators::ALL {
        let one = of(&compared, comparator.name);
        assert_eq!(one["basis"], comparator.basis.to_string());
    }
    assert_eq!(of(&compared, "tslz")["stated_gates"], 51_678);
    assert_eq!(of(&compared, "dmtf")["stated_gates"], 24_600);
    assert_eq!(of(&compared, "traptor-m4")["estimated_gates"], 4_846);
    assert_eq!(of(&compared, "traptor-m4")["gate_equivalents"], Value::Null);
    // The one figure of another project has memories of flip-flops.
    assert_eq!(of(&compared, "e-trace")["gate_equivalents"], Value::Null);
    assert_eq!(of(&compared, "e-trace")["flip_flop_implementation_ge"], 16_415);
}

/// What a format cannot carry is a result, and the other formats are not affected.
#[test]
fn a_refusal_is_a_dash_with_its_reason() {
    let folder = Folder::new();
    let trace = workload("rv32imac-traps");
    let only = format!("compare --only traptor-m4,tslz,gzip {trace}");
    let text = folder.succeed(&only);
    let row = |name: &str| {
        let line = text.lines().find(|line| line.trim().starts_with(name)).expect("a row");
        line.split_whitespace().last().expect("a column").to_owned()
    };
    assert_eq!(row("tslz"), "-");
    assert!(row("gzip").starts_with("0."), "{text}");
    assert!(
        text.ends_with("\ntslz: event 0 is an exception, which this format does not have\n"),
        "{text}"
    );
    let json = folder.json(&format!("{only} --json"));
    assert_eq!(of(&json, "tslz")["bits"], Value::Null);
    let csv = folder.succeed(&format!("{only} --csv"));
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some(FIELDS.join(",").as_str()));
    assert_eq!(lines.clone().count(), 3);
    assert!(lines.all(|line| line.split(',').count() >= FIELDS.len()), "{csv}");
}

/// A total has the traces weighted by their instructions.
#[test]
fn the_total_is_that_of_all_instructions() {
    let folder = Folder::new();
    let traces = ["arm-stringsearch", "rv64-stringsearch"].map(workload).join(" ");
    let text = folder.succeed(&format!("compare --only traptor-m4 {traces}"));
    let json = folder.json(&format!("compare --only traptor-m4 {traces} --json"));
    let sum = |field: &str| -> u64 {
        json.as_array().expect("an array").iter().filter_map(|one| one[field].as_u64()).sum()
    };
    let total = format!("{:.4}", sum("bits") as f64 / sum("instructions") as f64);
    assert!(text.trim_end().ends_with(&total), "{text}");
}

/// The commands in the comments of a page, and the tables after them.
fn tables(page: &str) -> Vec<(&str, &str)> {
    let parts = page.split("<!-- tracewright ").skip(1);
    let table = |part| {
        let (command, rest) = str::split_once(part, " -->\n").expect("a command");
        (command, rest.split_once("<!-- end -->").expect("an end").0)
    };
    parts.map(table).collect()
}

/// The rows of a table that are printed where not everything is. One table is printed whole.
fn few(command: &str) -> &'static str {
    match command {
        _ if is_long() || command.contains("--worst-ratio-to") => "",
        _ if command.contains("arm-") => " --only traptor-m4,tslz,dmtf",
        _ => " --only traptor-m4,e-trace,n-trace",
    }
}

/// The page has what the commands in its comments print; `make comparison` writes it. Gates take minutes of synthesis,
/// and are not checked here.
#[test]
fn the_page_is_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("docs/comparison.md")).expect("the page");
    let folder = Folder::new();
    let tables = tables(&page);
    assert_eq!(tables.len(), 4);
    for (command, table) in tables.iter().filter(|(command, _)| !command.starts_with("gates")) {
        let few = few(command);
        let command = format!("{command}{few}")
            .replace(" workloads/", &format!(" {}/workloads/", root.display()));
        let printed = folder.succeed(&command);
        if few.is_empty() {
            assert_eq!(*table, printed, "{command}: run `make comparison`");
            continue;
        }
        let rows: Vec<&str> = table.lines().collect();
        assert_eq!(printed.lines().count(), 5, "{command}: {printed}");
        for row in printed.lines() {
            assert!(rows.contains(&row), "{command}: {row}: run `make comparison`");
        }
    }
}

/// Pages of schemes have rows of the page's table.
#[test]
fn worst_ratios_are_the_same_on_every_page() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let read = |page: &str| fs::read_to_string(docs.join(page)).expect("a page");
    let comparison = read("comparison.md");
    for page in ["traptor.md", "stream_cache.md", "ntuple.md", "nexus.md", "e_trace.md"] {
        let page = read(page);
        let (command, table) = tables(&page)[0];
        assert!(command.starts_with("compare --markdown --worst-ratio-to"), "{command}");
        assert!(table.lines().count() > 2, "{command}: run `make comparison`");
        for row in table.lines() {
            assert!(comparison.contains(row), "{row}: run `make comparison`");
        }
    }
}

#[test]
fn worst_ratios_are_those_of_the_bits() {
    let folder = Folder::new();
    let traces = ["arm-stringsearch", "rv64-stringsearch"].map(workload).join(" ");
    let text = folder.succeed(&format!("compare --worst-ratio-to traptor-m4 --only nexs {traces}"));
    let json = folder.json(&format!("compare --only traptor-m4,nexs {traces} --json"));
    let bits = |name: &str| -> Vec<f64> {
        let all = json.as_array().expect("an array").iter();
        let own = all.filter(|one| one["name"] == name);
        own.map(|one| one["bits"].as_f64().expect("bits")).collect()
    };
    let ratios = bits("nexs").into_iter().zip(bits("traptor-m4")).map(|(one, other)| one / other);
    let worst = format!("{:.3}", ratios.fold(0.0, f64::max));
    let row = text.lines().find(|line| line.trim().starts_with("nexs")).expect("a row");
    assert!(row.contains(&worst), "{worst}: {text}");
    // RISC-V E-Trace cannot carry the other trace.
    let only = format!("compare --worst-ratio-to e-trace --only gzip --markdown {traces}");
    let table = folder.succeed(&only);
    assert!(table.contains("rv64") && !table.contains("arm"), "{table}");
}

#[test]
fn bad_input() {
    let folder = Folder::with_run();
    let machine = "machine riscv alignment=1 address_bits=64\n";
    folder.write("wide.txt", format!("{machine}5 direct-jump 0x100001000 taken 0x2000\n"));
    folder.write("low.txt", format!("{machine}5 direct-jump 0x1000 taken 0x2000\n"));
    let narrow = "compare --only traptor-m4,gzip low.txt wide.txt --address-width 32 --json";
    let wide = folder.json(narrow);
    for one in wide.as_array().expect("an array").iter().skip(1).step_by(2) {
        let refused = one["refused"].as_str().expect("a reason");
        assert!(refused.contains("0x100001000") && refused.contains("64"), "{refused}");
    }
    let wide = folder.json("compare --only traptor-m4,gzip wide.txt --address-width 64 --json");
    assert!(wide.as_array().expect("an array").iter().all(|one| one["bits"].is_u64()), "{wide}");
    let mut bad = Bad::new(folder);
    bad.fails(1, "compare --only traptor-m4,gzip wide.txt --address-width 32");
    bad.fails(2, "compare --only lz4 run.pet.zst");
    bad.fails(2, "compare --worst-ratio-to lz4 run.pet.zst");
    bad.fails(2, "compare --design stride-32 run.pet.zst");
    bad.fails(2, "compare --design traptor-m5 run.pet.zst");
    bad.fails(2, "compare -");
    insta::assert_snapshot!(bad.shown);
}
