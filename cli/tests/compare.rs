//! `compare`: designs and other encoders on the same traces.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tracewright_comparators as comparators;

use crate::common::bad::Bad;
use crate::common::{Folder, workload};

const FIELDS: [&str; 12] = [
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
];

fn of<'a>(compared: &'a Value, name: &str) -> &'a Value {
    let all = compared.as_array().expect("an array");
    all.iter().find(|one| one["name"] == name).expect("a row")
}

#[test]
fn designs_have_the_bits_of_measure_and_comparators_all_fields() {
    let folder = Folder::new();
    let trace = workload("rv64-stringsearch");
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

/// The page has what the commands in its comments print; `make comparison` writes it.
#[test]
fn the_page_is_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("docs/comparison.md")).expect("the page");
    let folder = Folder::new();
    let mut tables = 0;
    for part in page.split("<!-- tracewright ").skip(1) {
        let (command, rest) = part.split_once(" -->\n").expect("a command");
        let (table, _) = rest.split_once("<!-- end -->").expect("an end");
        let command = command.replace(" workloads/", &format!(" {}/workloads/", root.display()));
        assert_eq!(table, folder.succeed(&command), "{command}: run `make comparison`");
        tables += 1;
    }
    assert_eq!(tables, 2);
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
    bad.fails(2, "compare --design stride-32 run.pet.zst");
    bad.fails(2, "compare --design traptor-m5 run.pet.zst");
    bad.fails(2, "compare -");
    insta::assert_snapshot!(bad.shown);
}
