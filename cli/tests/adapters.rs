//! Adapters that `generate` refuses, what the others set, and options that prevail over the sections of a file.

use crate::common::Folder;
use crate::common::bad::refused;

#[test]
fn adapters_that_do_not_go_are_refused() {
    let folder = Folder::new();
    let rvfi = "generate traptor-m4 --ingress rvfi";
    let tip = "generate traptor-m4 --ingress tip";
    let values =
        "generate etrace-base --set enable_pin=true --set cause_bits=4 --set trap_values=true";
    let cases = [
        (format!("{rvfi} --ingress-slack 12"), 2, "must be at most 11: ingress_queue = 12 less the 1"),
        (format!("{rvfi} --nret 5"), 2, "--nret 5: must be 1 to 4"),
        (format!("{rvfi} --nret 4 --set retire_count_bits=3"), 1, "must count the 8 instructions"),
        (format!("{rvfi} --blocks-per-cycle 2"), 2, "expected --ingress blocks or tip"),
        (format!("{tip} --nret 2"), 2, "--nret: expected --ingress rvfi"),
        (format!("{tip} --blocks-per-cycle 3 --ingress-queue 32"), 2, "must be a multiple of the 3"),
        ("generate nexs --blocks-per-cycle 2 --ingress-slack 1".into(), 2, "rvfi, retired or tip"),
        (
            "generate nexs --blocks-per-cycle 2 --ingress-queue 2 --set framing=packets --set when_full=drop".into(),
            1,
            "must be at least 4, twice blocks_per_cycle",
        ),
        ("generate stride-64 --ingress rvfi".into(), 2, "the RVFI adapter shows control flow"),
        ("generate stride-64 --ingress tip".into(), 2, "the TIP adapter shows control flow"),
        (format!("{values} --ingress tip"), 1, "error: etrace-base traces the values"),
        (format!("{values} --ingress tip"), 1, "for which the TIP adapter has no input"),
        (format!("{values} --blocks-per-cycle 2"), 1, "for which the blocks adapter has no input"),
        (format!("{rvfi} --xlen 33"), 2, "possible values: 32, 64"),
        (format!("{rvfi} --itype-bits 4"), 2, "--itype-bits: expected --ingress tip"),
        (format!("{tip} --itype-bits 5"), 2, "--itype-bits 5: must be 3 or 4"),
        (format!("{tip} --itype-bits 3"), 1, "does not say which jumps are calls and returns"),
        ("generate nexs --ingress-queue 4".into(), 2, "expected --ingress rvfi, retired or tip"),
    ];
    refused(&folder, &cases);
}

/// An adapter for a core's own port knows how long instructions are, and N-Trace of compressed code says so unless somebody else
/// has.
#[test]
fn adapters_of_cores_have_exact_lengths_in_n_trace() {
    let folder = Folder::new();
    let section = "preset = \"ntrace-htm\"\n[ingress]\nport = \"tip\"\n";
    folder.write("ntrace-htm.toml", section);
    for (arguments, is_exact) in [
        ("ntrace-htm.toml", true),
        ("ntrace-htm.toml --set exact_lengths=false", false),
        ("ntrace-htm --set alignment=1 --ingress rvfi", true),
        ("ntrace-htm --set alignment=1 --ingress tip", true),
        ("ntrace-htm --set alignment=1 --ingress blocks", false),
        ("ntrace-htm --set alignment=1 --ingress rvfi --set exact_lengths=false", false),
        ("ntrace-htm --set alignment=2 --ingress rvfi", false),
    ] {
        folder.succeed(&format!("generate {arguments} -o out"));
        let design = folder.text("out/ntrace-htm/ntrace-htm.toml");
        assert!(design.contains(&format!("exact_lengths = {is_exact}\n")), "{arguments}");
    }
}

/// What a section sets follows the option that prevails over it; a parameter that is stated does not.
#[test]
fn options_prevail_over_sections_and_what_they_set() {
    let folder = Folder::new();
    let unit = "preset = \"traptor-m4\"\nname = \"unit\"\ntrace_port_width = 8\n[ingress]\nport = \"rvfi\"\n\
                lanes = 2\n[control]\nbus = \"axi-lite\"\n[ram_sink]\nbytes = 2048\n";
    folder.write("unit.toml", unit);
    folder.write(
        "drop.toml",
        unit.replace("[ingress]", "when_full = \"drop\"\nrecord_queue_depth = 8\n[ingress]"),
    );
    folder.write("all.toml", unit.replace("[ingress]", "loss_pins = false\n[ingress]"));
    for (options, states) in [
        ("unit.toml", "sync_bytes = 512"),
        ("unit.toml --ram-sink 1024", "sync_bytes = 256"),
        ("unit.toml --ram-sink 65536", "sync_bytes = 16384"),
        ("unit.toml --ram-sink 1024 --set sync_bytes=99", "sync_bytes = 99"),
        ("unit.toml --control none", "enable_pin = false"),
        ("unit.toml --control none --set framing=none", "framing = \"none\""),
        ("drop.toml", "loss_pins = true"),
        ("drop.toml --nret 1", "loss_pins = false"),
        ("all.toml", "loss_pins = false"),
    ] {
        folder.succeed(&format!("generate {options} --force -o out"));
        let text = folder.text("out/unit/unit.toml");
        assert!(text.lines().any(|line| line == states), "{options}: {states}: {text}");
    }
    let lossy = "all.toml --set when_full=drop";
    let refused = folder.run(&format!("generate {lossy} -o refused"));
    assert_eq!(refused.status, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("unit: loss_pins = false does not fit"), "{}", refused.stderr);
    folder.succeed("gates unit.toml --control none --set framing=none --sink axi-stream --json");
}
