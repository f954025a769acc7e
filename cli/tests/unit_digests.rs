//! What `generate` writes for random units is what it wrote before: a list of digests, which a change that must not alter
//! hardware leaves as it is. `UNIT_DIGESTS=write` in the environment writes the list anew, after a change that alters it.
//! Every tenth unit is generated, and in `make long-tests` each.

use std::fmt::Write;
use std::fs;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::common::{Folder, is_long};

/// The list: a line for each unit, with its seed, a digest of its Verilog and one of all its files; for one that is refused,
/// a digest of the sentence.
const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/unit_digests.txt");

/// Six of ten can be generated.
const UNITS: u64 = 500;

/// Units in a run of `make test`: one in so many.
const STEP: usize = 10;

const PRESETS: [&str; 13] = [
    "traptor-s0",
    "traptor-m4",
    "talon-s",
    "talon-m",
    "stream-rbase-32",
    "ntuple-32x4",
    "nexs",
    "nexus-n2",
    "mctraptor-small-n2-timed",
    "stride-32",
    "etrace-base",
    "ntrace-htm",
    "ntrace-btm",
];

/// Parameters that change what stands around a design.
const SETTINGS: [(&str, &[&str]); 9] = [
    ("alignment", &["1", "2"]),
    ("address_width", &["32", "48", "64"]),
    ("trace_port_width", &["1", "4", "8", "16", "32"]),
    ("when_full", &["drop"]),
    ("reset", &["asynchronous"]),
    ("clock_enable", &["true"]),
    ("filter_ranges", &["1", "2"]),
    ("time_bits", &["16", "40"]),
    ("privilege_bits", &["2"]),
];

fn one(random: &mut ChaCha8Rng, of: &[&'static str]) -> &'static str {
    of.choose(random).expect("a word")
}

/// The command line that a seed draws.
fn drawn(seed: u64) -> String {
    let random = &mut ChaCha8Rng::seed_from_u64(seed);
    let mut line = format!("generate {} --set name=unit", one(random, &PRESETS));
    for (name, values) in SETTINGS {
        if random.random_range(0..4) == 0 {
            let _ = write!(line, " --set {name}={}", one(random, values));
        }
    }
    if random.random() {
        line += " --set framing=packets";
    }
    line += one(random, &["", " --split", " --assertions"]);
    line += match random.random_range(0..6) {
        0 => "",
        1 => " --ingress rvfi",
        2 => " --ingress rvfi --xlen 64 --compressed pin",
        3 => " --ingress retired --ingress-pins trap,interrupt,next",
        4 => " --ingress tip",
        _ => " --ingress tip --retirement block --itype-bits 3",
    };
    if let lanes @ 2.. = random.random_range(0..4) {
        let option = if line.contains("rvfi") || line.contains("retired") {
            "nret"
        } else {
            "blocks-per-cycle"
        };
        let _ = write!(line, " --{option} {lanes}");
    }
    line += one(random, &["", " --control apb", " --control axi-lite"]);
    let has_registers = line.contains("--control");
    match random.random_range(0..6) {
        0 if has_registers => line += " --ram-sink 1024",
        1 if has_registers => line += " --ram-sink 4096 --reader uart",
        2 if has_registers => line += " --system-memory --memory-data-bits 64",
        3 => line += one(random, &[" --sink axi-stream", " --sink atb", " --sink pins"]),
        _ => {}
    }
    if has_registers && random.random_range(0..4) == 0 {
        line += " --triggers-in 2 --triggers-out 1";
    }
    line
}

/// The beginning of a SHA-256.
fn digest(text: &str) -> String {
    Sha256::digest(text).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The line of a unit in the list.
fn line_of(folder: &Folder, seed: u64) -> String {
    let arguments = drawn(seed);
    let output = format!("{seed}");
    let done = folder.run(&format!("{arguments} -o {output}"));
    let digests = if done.status == 0 {
        let text = folder.text(&format!("{output}/unit/manifest.json"));
        fs::remove_dir_all(folder.path(&output)).expect("the folder");
        let manifest: Value = serde_json::from_str(&text).expect("JSON");
        let files = manifest["files"].as_array().expect("a list").iter();
        let of = |name: &Value| manifest["digests"][name.as_str().expect("a name")].to_string();
        let verilog: String = files.map(of).collect();
        format!("{} {}", digest(&verilog), digest(&(text + &done.stderr)))
    } else {
        format!("refused {}", digest(&done.stderr))
    };
    format!("{seed} {digests}")
}

#[test]
fn units_are_what_they_were() {
    let folder = Folder::new();
    if std::env::var("UNIT_DIGESTS").is_ok_and(|what| what == "write") {
        let lines: String = (0..UNITS).map(|seed| line_of(&folder, seed) + "\n").collect();
        fs::write(LIST, lines).expect("the list");
    }
    let list = fs::read_to_string(LIST).expect("the list");
    assert_eq!(list.lines().count() as u64, UNITS);
    let step = if is_long() { 1 } else { STEP };
    for (seed, expected) in (0..).zip(list.lines()).step_by(step) {
        let line = line_of(&folder, seed);
        assert_eq!(line, expected, "{}: UNIT_DIGESTS=write writes the list anew", drawn(seed));
    }
}
