//! `gates` on a real design, and what it says when it cannot. About ten seconds.

use std::process::Command;

use crate::common::{Folder, is_long};
use serde_json::Value;

/// What `gates` says, with a cache of its own or what other tests have synthesized.
fn gates(folder: &Folder, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracewright"));
    if is_long() {
        command.env("TRACEWRIGHT_CACHE", folder.path("cache"));
    }
    let output = command.arg("gates").args(arguments).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// The fields of a design in `gates --json`, in their order.
const NAMES: [&str; 22] = [
    "design",
    "yosys",
    "library",
    "storage_ge_per_bit",
    "storage_bits",
    "storage_ge",
    "logic_ge",
    "total_ge",
    "flip_flop_ge",
    "flip_flops",
    "flip_flop_implementation_ge",
    "gate_levels",
    "modules",
    "across_modules_ge",
    "structures",
    "area",
    "timing",
    "around",
    "paper_gates",
    "estimated_gates",
    "ratio_to_paper",
    "ratio_to_estimate",
];

#[test]
fn a_preset_and_a_changed_one() {
    let folder = Folder::new();
    let json = gates(&folder, &["traptor-s0", "--json"]);
    let shown: Value = serde_json::from_str(&json).expect("JSON");
    let one = &shown[0];
    let names: Vec<&str> = one.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(names, NAMES);
    let number = |name: &str| one[name].as_f64().expect(name);
    assert_eq!(one["design"], "traptor-s0");
    assert_eq!(one["paper_gates"], 1771);
    // Storage is exact: every structure by its words and bits.
    let structures = one["structures"].as_array().expect("structures");
    let of = |name: &str, structure: &Value| structure[name].as_u64().expect("a number");
    for structure in structures {
        assert_eq!(of("depth", structure) * of("width", structure), of("bits", structure));
    }
    let bits: u64 = structures.iter().map(|structure| of("bits", structure)).sum();
    assert_eq!(number("storage_bits"), bits as f64);
    assert_eq!(number("storage_ge"), bits as f64 * 1.5);
    let gshare =
        structures.iter().find(|it| it["name"] == "encoder.gshare.counters.memory.entries_cells");
    assert_eq!(gshare.map(|gshare| &gshare["bits"]), Some(&Value::from(512)));
    // Logic depends on the version of Yosys.
    assert!((1000.0..3000.0).contains(&number("logic_ge")), "{one}");
    assert!((number("total_ge") - number("logic_ge") - number("storage_ge")).abs() < 0.011);
    assert!((80.0..200.0).contains(&number("flip_flops")), "{one}");
    assert!((10.0..100.0).contains(&number("gate_levels")), "{one}");
    assert!(number("flip_flop_implementation_ge") > 3.0 * number("total_ge"), "{one}");
    let modules = one["modules"].as_array().expect("modules");
    let by_itself: f64 = modules.iter().filter_map(|module| module["logic_ge"].as_f64()).sum();
    assert!((by_itself + number("across_modules_ge") - number("logic_ge")).abs() < 0.1);

    assert_eq!(gates(&folder, &["traptor-s0", "--json"]), json, "the same from the cache");
    let table = gates(&folder, &["traptor-s0"]);
    for word in [
        "traptor-s0",
        "record_former",
        "encoder.gshare.counters.memory.entries_cells",
        "1,771",
        "Yosys",
    ] {
        assert!(table.contains(word), "{word} is not in\n{table}");
    }

    // With a sink there is a row for the module alone and one for both; the papers know no sinks.
    let with_sink = gates(&folder, &["traptor-s0", "--sink", "pins", "--json"]);
    let with_sink: Value = serde_json::from_str(&with_sink).expect("JSON");
    assert_eq!(with_sink[0], shown[0]);
    let whole = &with_sink[1];
    assert_eq!(whole["around"], serde_json::json!(["pins"]));
    assert_eq!((&whole["paper_gates"], &whole["ratio_to_estimate"]), (&Value::Null, &Value::Null));
    let added = whole["logic_ge"].as_f64().expect("a number") - number("logic_ge");
    assert!((30.0..300.0).contains(&added), "{whole}");
    let table = gates(&folder, &["traptor-s0", "--sink", "pins"]);
    assert!(table.contains("traptor-s0 + pins"), "{table}");
}

#[test]
fn what_cannot_be_counted() {
    let folder = Folder::new();
    folder.write("no.lib", "module no; endmodule");
    for (arguments, status, said) in [
        (
            "gates traptor-s0 --yosys ./yosys",
            1,
            "`./yosys` is not installed; on Debian: apt install yosys",
        ),
        (
            "gates traptor-s0 --liberty no.lib",
            1,
            "no.lib: not a usable Liberty library: expected `library (NAME)` at",
        ),
        ("gates traptor-s0 --liberty none.lib", 1, "none.lib: No such file"),
        ("gates traptor-s0 --sink atb,pins", 2, "--sink or [sink]: expected one"),
        ("gates traptor-s0 --control apb --set enable_pin=false", 2, "enable_pin"),
        ("gates traptor-x9", 2, "no design is called `traptor-x9`"),
        ("gates traptorx*", 2, "no preset matches `traptorx*`"),
        ("gates traptor-s0 --clock 0", 2, "expected a frequency from 0.001"),
        ("gates traptor-s0 --clock 1e-300", 2, "expected a frequency from 0.001"),
        ("gates traptor-s0 --storage-ge-per-bit nan", 2, "expected a number above 0"),
        ("fpga traptor-s0 --yosys ./yosys", 1, "`./yosys` is not installed"),
        ("fpga traptor-s0 --family virtex", 2, "invalid value 'virtex'"),
    ] {
        let done = folder.run(arguments);
        assert_eq!((done.status, done.stdout.as_str()), (status, ""), "{arguments}");
        assert!(done.stderr.contains(said), "{arguments}: {}", done.stderr);
    }
}
