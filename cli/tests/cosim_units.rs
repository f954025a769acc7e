//! Co-simulation of whole units: what `generate` writes, from the core's port to what takes the trace.

use std::fs;

use crate::common::{Folder, is_long, without_columns};

/// Units of different ports, buses and sinks, and what is said of each.
const UNITS: [(&str, &str); 8] = [
    ("traptor-m4 --ingress rvfi", "rvfi x1 adapter, trace module"),
    (
        "traptor-s1 --set trace_port_width=8 --ingress rvfi --nret 2 --control apb --ram-sink 1024",
        "rvfi x2 adapter, trace module, apb registers, ring of 1024 bytes",
    ),
    (
        "etrace-base --ingress tip --blocks-per-cycle 2 --retirement block --control apb --ram-sink 16384",
        "tip x2 adapter, trace module, apb registers, ring of 16384 bytes",
    ),
    (
        "ntrace-htm --ingress retired --ingress-pins interrupt --control axi-lite --system-memory",
        "retired x1 adapter, trace module, axi-lite registers, ring in system memory",
    ),
    (
        "talon-s --blocks-per-cycle 2 --sink axi-stream",
        "blocks x2 adapter, trace module, axi-stream sink",
    ),
    (
        "stream-rbase-32 --set trace_port_width=4 --ingress rvfi --sink pins",
        "rvfi x1 adapter, trace module, pins sink",
    ),
    (
        "nexs --set when_full=drop --set trace_port_width=32 --set record_queue_depth=16 --set privilege_bits=2 --control apb --set time_bits=16",
        "trace module, apb registers",
    ),
    (
        "traptor-m4 --set when_full=drop --set record_queue_depth=8 --set trace_port_width=16 --ingress tip --control apb",
        "tip x1 adapter, trace module, apb registers",
    ),
];

#[test]
fn units_are_simulated_as_a_whole() {
    let folder = Folder::new();
    folder.take_head("arm-stringsearch", 3_000, "run.pet.zst");
    let step = if is_long() { 1 } else { 2 };
    for (unit, parts) in UNITS.iter().step_by(step) {
        for how in ["", "--stall bursts --bubbles 30 --flush-interval 700"] {
            let line = format!(
                "cosim {unit} --set alignment=2 run.pet.zst --synthetic 4 --limit 3000 {how} --json"
            );
            for row in folder.json(&line).as_array().expect("rows") {
                let simulated = row["simulated"].as_array().expect("parts").iter();
                let simulated: Vec<&str> = simulated.filter_map(|part| part.as_str()).collect();
                assert_eq!(simulated.join(", "), *parts);
                assert!(row["failure"].is_null(), "{line}: {row:#}");
                assert_eq!(row["decoded_equal"], true, "{line}: {row:#}");
            }
        }
    }
}

/// A core that cannot wait, and is switched off and on: what is lost is counted where there are packets, and what comes
/// before the first loss is decoded where there are none. After a reset the trace ends before anything has retired.
#[test]
fn units_that_lose_blocks_are_decoded_over_pauses() {
    let folder = Folder::new();
    let schemes = [
        "traptor-m4",
        "talon-s",
        "stream-rbase-32",
        "ntuple-32x4",
        "nexs",
        "etrace-base",
        "ntrace-htm",
        "ntrace-btm",
        "etrace-base --set framing=packets",
        "ntrace-htm --set framing=packets",
    ];
    let ports = [
        "",
        "--ingress tip",
        "--ingress rvfi",
        "--ingress tip --itype-bits 3",
        "--blocks-per-cycle 3",
    ];
    let pauses = [
        "--flush-interval 700",
        "--flush-interval 1",
        "--flush-interval 40 --stall bursts --bubbles 40",
    ];
    let step = if is_long() { 1 } else { 11 };
    let of_scheme = |scheme: &'static str| {
        let is_standard = scheme.contains("trace") && !scheme.contains("framing");
        let fits = move |port: &&str| {
            // Without packets nothing counts what an adapter loses, and three bits say no returns.
            !(is_standard && port.contains("cycle"))
                && !(port.contains("itype")
                    && (scheme.contains("traptor") || scheme.contains("talon")))
        };
        ports
            .into_iter()
            .filter(fits)
            .flat_map(move |port| pauses.map(|pause| (scheme, port, pause)))
    };
    let units = schemes.into_iter().flat_map(of_scheme).step_by(step);
    for (index, (scheme, port, pause)) in units.enumerate() {
        let full = ["--set when_full=drop --set record_queue_depth=8", ""];
        // Without `LONG_TESTS` one unit loses what does not fit, and the next one waits.
        let (first, step) = if is_long() { (0, 1) } else { (index % 2, 2) };
        for full in full.into_iter().skip(first).step_by(step) {
            let line = format!(
                "cosim {scheme} {full} --set trace_port_width=8 --control apb {port} --synthetic 7 --limit 2000 {pause} \
                 --json"
            );
            // What is lost for the most part is said in a remark.
            let done = folder.run(&line);
            assert_eq!(done.status, 0, "{line}: {}", done.stderr);
            let rows: serde_json::Value = serde_json::from_str(&done.stdout).expect("JSON");
            for row in rows.as_array().expect("rows") {
                assert_eq!(row["decoded_equal"], true, "{line}: {row:#}");
            }
        }
    }
}

/// A fault in the Verilog of a part: what it changes, into what, and where it is found.
const FAULTS: [(&str, &str, &str, &str, &str); 7] = [
    (
        RING,
        "a register less that has return addresses",
        "assign links = (destination == 5'd1) | (destination == 5'd5);",
        "assign links = destination == 5'd5;",
        "adapter",
    ),
    (
        RING,
        "another wire at a pin of the trace module",
        ".retire_call (retire_call),\n        .retire_return (retire_return),\n        .retire_taken (retire_taken),\n        \
         .retire_target (retire_target),\n        .stall",
        ".retire_call (retire_return),\n        .retire_return (retire_return),\n        .retire_taken (retire_taken),\n        \
         .retire_target (retire_target),\n        .stall",
        "adapter",
    ),
    (
        RING,
        "another value of trTeImpl",
        "14'd1: access_read = 32'h100101;",
        "14'd1: access_read = 32'h100100;",
        "registers",
    ),
    (
        RING,
        "words of the ring are passed over",
        "writes_at <= writes_at + 8'd1;",
        "writes_at <= writes_at + 8'd2;",
        "ring",
    ),
    (
        "nexs --ingress tip --sink axi-stream --set trace_port_width=8",
        "bits of a beat change places",
        "held <= trace_data;",
        "held <= {trace_data[0], trace_data[7:1]};",
        "sink",
    ),
    (
        "nexs --ingress tip --sink axi-stream --set trace_port_width=8",
        "the last beat of a trace does not say so",
        "m_axis_tlast = is_last;",
        "m_axis_tlast = held_last;",
        "sink",
    ),
    (
        "nexs --ingress rvfi --control apb --sink axi-stream --set trace_port_width=8",
        "every beat says that it is the last one",
        "m_axis_tlast = is_last;",
        "m_axis_tlast = 1'd1;",
        "sink",
    ),
];

/// A unit with a ring.
const RING: &str =
    "traptor-m4 --ingress rvfi --control apb --ram-sink 1024 --set trace_port_width=8";

/// A fault put into the folder of a unit is found, and the part is named.
#[test]
fn a_fault_is_found_in_its_part() {
    let folder = Folder::new();
    for (unit, what, from, to, place) in FAULTS {
        folder
            .succeed(&format!("generate {unit} --set name=unit --set alignment=2 --force -o out"));
        let manifest = folder.text("out/unit/manifest.json");
        let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("JSON");
        let files = manifest["files"].as_array().expect("a list").iter();
        let paths =
            files.map(|name| folder.path(format!("out/unit/{}", name.as_str().expect("a name"))));
        let read = |path: &std::path::PathBuf| fs::read_to_string(path).expect("Verilog");
        let mut texts = paths.map(|path| (without_columns(&read(&path)), path));
        let (text, path) = texts.find(|(text, _)| text.contains(from)).expect(what);
        fs::write(path, text.replacen(from, to, 1)).expect("a file");
        let designs =
            [format!("{unit} --set name=unit --set alignment=2 --verilog out"), "out/unit".into()];
        for design in designs {
            let done =
                folder.run(&format!("cosim {design} --synthetic 4 --limit 2000 --stall random"));
            let said = format!("unit, synthetic-4: {place}, cycle ");
            assert!(
                done.status == 1 && done.stderr.contains(&said),
                "{what}: {}{}",
                done.stdout,
                done.stderr
            );
        }
    }
    // With an option the last one is another unit, which is generated.
    let rows = folder.json("cosim out/unit --set fifo_bits=160 --synthetic 4 --limit 200 --json");
    assert!(rows[0]["verilog"].is_null() && rows[0]["failure"].is_null(), "{rows:#}");
}

/// A ring without packets is decoded as long as its beginning is there.
#[test]
fn a_ring_without_packets_is_decoded_from_its_beginning() {
    let folder = Folder::new();
    for (bytes, is_decoded) in [(65536, true), (1024, false)] {
        let line = format!(
            "cosim etrace-base --ingress tip --control apb --ram-sink {bytes} --synthetic 4 --limit 3000 --json"
        );
        let rows = folder.json(&line);
        let row = &rows[0];
        assert!(row["failure"].is_null(), "{row:#}");
        assert_eq!(row["decoded_equal"] == true, is_decoded, "{row:#}");
        let says = row["not_decoded"].as_str().unwrap_or_default();
        assert_eq!(says.contains("lost the beginning"), !is_decoded, "{row:#}");
    }
}

/// Random units of the regression; `make regress` runs all of them.
#[test]
fn random_units_are_simulated() {
    let folder = Folder::new();
    let workloads = concat!(env!("CARGO_MANIFEST_DIR"), "/../workloads");
    let line = format!(
        "regress --quick --units 2 --random 0 --synthetic 0 --run random-unit --workloads {workloads} --json"
    );
    let summaries = folder.json(&line);
    assert_eq!(summaries[0]["runs"], 4, "{summaries:#}");
    assert_eq!(summaries[0]["failures"].as_array().map(Vec::len), Some(0), "{summaries:#}");
}

#[test]
fn what_is_not_simulated_is_refused() {
    let folder = Folder::new();
    for (arguments, says) in [
        ("traptor-m4 --control apb --ram-sink 1024 --reader uart", "has a reader by a serial line"),
        ("nexs --sink atb,pins", "has several sinks to choose from"),
        ("nexus-n2 --ingress rvfi", "traces several cores"),
        ("nexs --ingress rvfi --waves failure.vcd", "--waves: a unit is simulated without"),
        ("nexs --ingress tip --discards", "--discards: a unit is simulated without"),
    ] {
        let done = folder.run(&format!("cosim {arguments} --synthetic 4 --limit 100"));
        assert!(done.status > 0 && done.stderr.contains(says), "{arguments}: {}", done.stderr);
    }
}
