//! Traces of two designs through a funnel, and each of them decoded from its frames.

use std::collections::VecDeque;

use crate::common::trace_port::trace_port;
use crate::common::{Folder, without_columns, workload};
use tracewright_sim::funnel::{Config, Funnel};

/// What the funnel sends when both sources always have a byte, until they have none.
fn frames(traces: [Vec<u8>; 2]) -> Vec<u8> {
    let mut funnel = Funnel::new(&Config { first_id: 7, ..Config::default() }).unwrap();
    let mut left = traces.map(VecDeque::from);
    let mut stream = Vec::new();
    let all_taken = |left: &[VecDeque<u8>; 2]| left.iter().all(VecDeque::is_empty);
    while !(all_taken(&left) && funnel.is_empty()) {
        let offered = [0, 1].map(|source| left[source].front().copied());
        let flush = all_taken(&left);
        stream.extend(funnel.offered_byte());
        for (source, bytes) in left.iter_mut().enumerate() {
            if funnel.is_ready(source) {
                bytes.pop_front();
            }
        }
        funnel.clock(&offered, flush, true);
    }
    stream
}

#[test]
fn each_source_is_decoded_from_the_frames() {
    let folder = Folder::new();
    for (name, workload_name) in
        [("one.pet.zst", "arm-stringsearch"), ("two.pet.zst", "arm-tiff2bw")]
    {
        std::fs::copy(workload(workload_name), folder.path(name)).unwrap();
    }
    let packets = ["framing=packets", "trace_port_width=8"];
    let traces = [
        trace_port(&folder.path("one.pet.zst"), "traptor-m4", &packets[1..]).0,
        trace_port(&folder.path("two.pet.zst"), "talon-s", &packets).0,
    ];
    std::fs::write(folder.path("funnel.bin"), frames(traces)).unwrap();
    let decode = "decode --set trace_port_width=8";
    folder.succeed(&format!(
        "{decode} --source 7 --design traptor-m4 funnel.bin --program one.pet.zst -o one.txt"
    ));
    folder.succeed(&format!(
        "{decode} --set framing=packets --source 8 --design talon-s funnel.bin --program two.pet.zst -o two.txt"
    ));
    for (run, decoded) in [("one.pet.zst", "one.txt"), ("two.pet.zst", "two.txt")] {
        let events = |file: &str| {
            let text = folder.succeed(&format!("trace dump {file}"));
            text.lines().filter(|line| !line.starts_with("machine")).map(str::to_owned).collect()
        };
        let (run, decoded): (Vec<String>, Vec<String>) = (events(run), events(decoded));
        assert!(run.len() > 1000 && run == decoded, "{} {}", run.len(), decoded.len());
    }
}

#[test]
fn what_is_no_stream_of_frames_is_refused() {
    let folder = Folder::new();
    std::fs::copy(workload("arm-stringsearch"), folder.path("one.pet.zst")).unwrap();
    let arguments = "decode --design traptor-m4 --program one.pet.zst -o one.txt";
    std::fs::write(folder.path("noise.bin"), [0u8; 500]).unwrap();
    let done = folder.run(&format!("{arguments} --source 7 noise.bin"));
    assert_eq!(done.status, 1);
    assert!(done.stderr.contains("no synchronisation word 0x7fffffff"), "{}", done.stderr);
    let done = folder.run(&format!("{arguments} --source 7 --raw noise.bin"));
    assert_eq!(done.status, 2, "{}", done.stderr);
    let done = folder.run(&format!("{arguments} --source 112 noise.bin"));
    assert!(done.status == 2 && done.stderr.contains("112"), "{}", done.stderr);
}

/// What another form of the funnel wrote is replaced, in both directions.
#[test]
fn registers_are_written_around_a_funnel() {
    let folder = Folder::new();
    let plain = "funnel --sources 3 --name merge -o out";
    folder.succeed(plain);
    let funnel = std::fs::read_to_string(folder.path("out/merge/merge.v")).unwrap();
    for (bus, pin) in [("apb", "input wire psel"), ("axi-lite", "input wire s_axi_arvalid")] {
        let said = folder.succeed(&format!("{plain} --control {bus} --json"));
        let said: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert_eq!(said["top"], "merge_control");
        let files: Vec<_> = said["files"].as_array().unwrap().iter().collect();
        let expected = [
            "driver/tracewright_funnel.h",
            "driver/tracewright_funnel_registers.h",
            "manifest.json",
            "merge-control.core",
            "merge-control.xml",
            "merge-registers.md",
            "merge.core",
            "merge.dtsi",
            "merge.rdl",
            "merge.svd",
            "merge.v",
            "merge_control.v",
        ];
        assert_eq!(files, expected);
        let text =
            |file: &str| std::fs::read_to_string(folder.path("out/merge").join(file)).unwrap();
        assert_eq!(text("merge.v"), funnel);
        assert!(without_columns(&text("merge_control.v")).contains(pin));
        let header = text("driver/tracewright_funnel_registers.h");
        assert!(header.contains("#define TW_trFunnelDisInput 0x0008u"), "{header}");
        assert!(header.starts_with("/* Registers of merge, written by `tracewright funnel`"));
    }
    let options = "--reset asynchronous --clock-enable --memories wrappers --control apb";
    let said = folder.succeed(&format!("{plain} {options}"));
    assert_eq!(said.trim(), "out/merge: 13 files, top module merge_control");
    let said = folder.succeed(plain);
    assert_eq!(said.trim(), "out/merge: 3 files, top module merge");
}

#[test]
fn a_funnel_that_was_changed_is_kept() {
    let folder = Folder::new();
    let plain = "funnel -o out";
    folder.succeed(plain);
    let path = folder.path("out/trace_funnel/trace_funnel.v");
    let funnel = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{funnel}// An edit.\n")).unwrap();
    let done = folder.run("funnel --control apb -o out");
    let expected = "changed since they were generated: trace_funnel.v; move them or overwrite them with --force";
    assert!(done.status == 1 && done.stderr.contains(expected), "{}", done.stderr);
    assert!(std::fs::read_to_string(&path).unwrap().ends_with("// An edit.\n"));
    folder.succeed("funnel --control apb --force -o out");
    // Without changes, what other options wrote is replaced whole.
    folder.succeed(plain);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), funnel);
    assert!(!folder.path("out/trace_funnel/driver").exists());
    std::fs::write(folder.path("out/trace_funnel/notes.txt"), "mine").unwrap();
    let done = folder.run(&format!("{plain} --force"));
    assert!(done.status == 1 && done.stderr.contains("it has notes.txt"), "{}", done.stderr);
}

#[test]
fn a_design_and_a_funnel_do_not_replace_each_other() {
    let folder = Folder::new();
    let (design, funnel) = ("generate nexs -o", "funnel --name nexs -o");
    for (first, second, found) in
        [(design, funnel, "a design"), (funnel, design, "a module that is no design")]
    {
        let out = if first == design { "one" } else { "two" };
        folder.succeed(&format!("{first} {out}"));
        let done = folder.run(&format!("{second} {out} --force"));
        let expected = format!("cannot replace {out}/nexs: its manifest.json is that of {found};");
        assert!(done.status == 1 && done.stderr.contains(&expected), "{}", done.stderr);
        folder.succeed(&format!("{first} {out}"));
    }
}

#[test]
fn funnels_are_written_or_refused() {
    let folder = Folder::new();
    let said = folder.succeed("funnel --sources 3 --memories wrappers -o out");
    assert_eq!(said.trim(), "out/trace_funnel: 4 files, top module trace_funnel");
    let core = std::fs::read_to_string(folder.path("out/trace_funnel/trace_funnel.core")).unwrap();
    assert!(core.contains("      - trace_funnel_memory_3x8.v\n      - trace_funnel.v\n"), "{core}");
    // As the folder of a design, one may have a name that is none in Verilog.
    let said = folder.succeed("funnel --name core-traces --control apb -o named");
    assert!(
        said.ends_with("named/core-traces: 12 files, top module core_traces_control\n"),
        "{said}"
    );
    for (arguments, expected) in [
        ("--sources 9", "`sources` = 9 does not fit: must be 2 to 8"),
        ("--first-id 111", "`first_id` = 111 does not fit: must be 1 to 110 for 2 sources"),
        ("--turn-bytes 0", "`turn_bytes` = 0 does not fit: must be 1 to 255"),
        ("--sync-frames 1", "`sync_frames` = 1 does not fit: must be 2 to 4096"),
        ("--name module", "not a legal name in Verilog"),
        ("--memories macros", "must be one of inferred, wrappers"),
        ("--reset none", "must be one of synchronous, asynchronous"),
        ("--control ahb", "[possible values: none, apb, axi-lite]"),
        ("--control apb --sources 1", "`sources` = 1 does not fit: must be 2 to 8"),
    ] {
        let done = folder.run(&format!("funnel {arguments} -o other"));
        assert!(done.status == 2 && done.stderr.contains(expected), "{}", done.stderr);
        assert!(!folder.path("other").exists());
    }
}
