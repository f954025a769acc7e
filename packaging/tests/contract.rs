//! The module that checks the pins: silent about what is allowed, and about nothing else; and in formal tools.

use std::fs;

use crate::common::{Done, Folder, for_each};
use tracewright_hdl::Direction;
use tracewright_sim::scheme::Design;
use tracewright_testbench::VerilogFile;
use tracewright_testbench::lint::lint;

fn folder(preset: &str, changes: &[(&str, &str)]) -> Folder {
    let mut design = Design::preset(preset).expect("a preset");
    for (name, value) in changes {
        design.set(name, value).expect("a good value");
    }
    Folder::with(design, true)
}

/// One core, several, data addresses; both resets; addresses of one byte and of 64 bits.
const DESIGNS: [(&str, &[(&str, &str)]); 7] = [
    ("traptor-m4", &[]),
    ("stream-rbase-32", &[("reset", "asynchronous"), ("trace_port_width", "8")]),
    ("stream-rbase-32", &[("clock_enable", "true"), ("memories", "wrappers")]),
    ("mctraptor-small-n2-timed", &[]),
    ("nexus-n4-timed", &[("alignment", "0"), ("address_width", "64")]),
    ("ntuple-32x4", &[("retire_count_bits", "1"), ("alignment", "1")]),
    ("stride-256x4", &[]),
];

#[test]
fn a_good_testbench_breaks_no_rule() {
    for_each(&DESIGNS, |(preset, changes)| {
        let folder = folder(preset, changes);
        let make = "iverilog -g2001 -Wall -y .. -s TOP_testbench -o testbench TOP_testbench.v";
        let made = folder.run("testbench", &make.replace("TOP", &folder.top));
        if !made.success || !made.output.is_empty() {
            return Err(made.output);
        }
        let Done { success, output } = folder.run("testbench", "vvp -N testbench");
        let is_silent = output.lines().filter(|line| !line.contains("$finish")).count() == 1;
        let passed = success && is_silent && output.starts_with("PASS: ");
        if passed { Ok(()) } else { Err(format!("{preset}: {output}")) }
    });
}

#[test]
fn the_generated_testbench_stops_at_a_violation() {
    let folder = folder("traptor-m4", &[]);
    let file = format!("testbench/{}_testbench.v", folder.top);
    // The last of the pins is retire_target, whose lowest bit is now always 1.
    let good = folder.text(&file);
    let wires = ".retire_target (shown[";
    let (before, after) = good.rsplit_once(wires).expect("the contract's pins");
    let after = after.split_once(')').expect("an end").1;
    fs::write(folder.path(&file), format!("{before}.retire_target (32'd1){after}"))
        .expect("written");
    let make = "iverilog -g2001 -y .. -s TOP_testbench -o testbench TOP_testbench.v";
    assert!(folder.run("testbench", &make.replace("TOP", &folder.top)).success);
    let done = folder.run("testbench", "vvp -N testbench");
    assert!(!done.success && done.output.contains("no instruction's address"), "{}", done.output);
}

#[test]
fn every_violation_raises_its_own_bit() {
    let folder = folder("traptor-m4", &[]);
    let testbench = include_str!("contract_testbench.v").replace("TOP", &folder.top);
    fs::write(folder.path("contract_testbench.v"), testbench).expect("written");
    let make = "iverilog -g2001 -Wall -y . -s contract_testbench -o contract contract_testbench.v";
    let made = folder.run("", make);
    assert!(made.success, "{}", made.output);
    let done = folder.run("", "vvp -N contract");
    assert!(done.output.contains("PASS") && !done.output.contains("FAIL"), "{}", done.output);
    for message in [
        "has been replaced",
        "retire_kind 6 is reserved",
        "a jump (retire_kind 1) is not taken",
        "retire_count is 0 for a block of kind 0",
        "retire_pc 00008002",
        "retire_pc is 00009004, but the last block led to 00009000",
        "flush has fallen before flushed rose",
        "a beat has changed before it was taken",
        "flushed is high without flush",
        "retire_valid is unknown",
    ] {
        assert!(done.output.contains(message), "{message}: {}", done.output);
    }
}

#[test]
fn three_tools_are_silent_about_the_checker() {
    for_each(&DESIGNS, |(preset, changes)| {
        let folder = folder(preset, changes);
        let checker = format!("{}_contract", folder.top);
        let name = format!("{checker}.v");
        let files = [VerilogFile::new(name.clone(), folder.text(&name))];
        let findings = lint(&files, &checker).map_err(|error| error.to_string())?;
        let all: Vec<String> = findings.iter().map(ToString::to_string).collect();
        if all.is_empty() { Ok(()) } else { Err(format!("{checker}: {}", all.join("\n"))) }
    });
}

/// Tables of few entries and a short buffer, so that the proof takes seconds.
const SMALL: &[(&str, &str)] = &[
    ("gshare_entries", "2"),
    ("return_address_stack_depth", "0"),
    ("indirect_branch_target_buffer_entries", "0"),
    ("fifo_bits", "16"),
    ("trace_port_width", "8"),
];

/// A design and the checker on the same wires, all inputs free.
fn wired_together(folder: &Folder) -> String {
    let generated = tracewright_hdl::generate(&folder.design).expect("a good design");
    let (mut ports, mut connections) = (Vec::new(), Vec::new());
    for port in &generated.ports {
        let direction = match port.direction {
            Direction::Input => "input",
            Direction::Output => "output",
        };
        ports.push(format!("{direction} [{}:0] {}", port.width - 1, port.name));
        connections.push(format!(".{0} ({0})", port.name));
    }
    let checked = connections.iter().filter(|connection| !connection.contains("buffered_words"));
    let checked: Vec<&str> = checked.map(String::as_str).collect();
    let top = &folder.top;
    format!(
        "module wired_together ({});\n{top} trace ({});\n{top}_contract contract ({});\nendmodule\n",
        ports.join(", "),
        connections.join(", "),
        checked.join(", "),
    )
}

/// In Yosys: what the checker assumes of the core and the sink, the module's first cycles answer with what it asserts.
#[test]
fn a_formal_tool_proves_the_assertions_under_the_assumptions() {
    let folder = folder("traptor-s0", SMALL);
    fs::write(folder.path("wired_together.v"), wired_together(&folder)).expect("written");
    let prove = || {
        let script = format!(
            "read_verilog -formal -DFORMAL {top}.v {top}_contract.v wired_together.v\n\
             hierarchy -top wired_together\nproc\nflatten\nmemory\nopt -full\n\
             select -assert-count 2 t:$assume\nselect -assert-count 2 t:$assert\n\
             sat -verify -prove-asserts -set-assumes -set-at 1 reset 1 -prove-skip 1 -seq 16\n",
            top = folder.top
        );
        fs::write(folder.path("proof.ys"), script).expect("written");
        folder.run("", "yosys -q -s proof.ys")
    };
    let done = prove();
    assert!(done.success, "{}", done.output);
    // A proof that cannot fail proves nothing: a port that forgets its beat.
    let file = format!("{}.v", folder.top);
    let (good, bad) =
        ("assign word_ready = word_valid & trace_ready;", "assign word_ready = word_valid;");
    let text = folder.text(&file);
    assert_eq!(text.matches(good).count(), 1, "{good}");
    fs::write(folder.path(&file), text.replace(good, bad)).expect("written");
    let done = prove();
    assert!(!done.success && done.output.contains("proof did fail"), "{}", done.output);
}
