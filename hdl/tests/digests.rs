//! The Verilog of every preset is what it was: a digest of each stands in `digests.txt`, which `VERILOG_DIGESTS=write` in the
//! environment writes anew after a change that alters hardware.

use std::fmt::Write;

use sha2::{Digest, Sha256};
use tracewright_sim::preset;
use tracewright_sim::scheme::Design;

/// The list: a line for each preset, with a digest of all its files.
const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/digests.txt");

#[test]
fn the_verilog_of_every_preset_is_what_it_was() {
    let mut list = String::new();
    for preset in preset::all() {
        let design = Design::preset(preset.name).unwrap();
        let mut hash = Sha256::new();
        for (name, text) in tracewright_hdl::generate(&design).unwrap().files {
            hash.update(name);
            hash.update(text);
        }
        let digest: String =
            hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let _ = writeln!(list, "{digest} {}", preset.name);
    }
    if std::env::var("VERILOG_DIGESTS").is_ok_and(|what| what == "write") {
        std::fs::write(LIST, &list).unwrap();
    }
    let kept = std::fs::read_to_string(LIST).unwrap();
    let changed: Vec<_> =
        list.lines().filter(|line| !kept.lines().any(|one| one == *line)).collect();
    assert!(changed.is_empty(), "VERILOG_DIGESTS=write writes the list anew: {changed:#?}");
    assert_eq!(kept.lines().count(), list.lines().count(), "{LIST} has other presets");
}
