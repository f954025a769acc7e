//! The stand-alone testbenches pass in Icarus Verilog and in Verilator, and notice every changed bit.

use std::fs;

use crate::common::{Done, Folder, chosen, for_each, is_long};
use tracewright_sim::preset;
use tracewright_sim::scheme::Design;

/// Of different schemes: one core, several, several with time stamps, data addresses.
const PRESETS: [&str; 4] =
    ["traptor-m4", "stream-rbase-32", "mctraptor-small-n2-timed", "stride-256x4"];

/// What makes a testbench, and what runs it.
type Simulator = (&'static str, &'static str);

/// Verilator and its compiler take ten times as long as all of the rest: without `LONG_TESTS` they make one testbench, and
/// optimise nothing.
const WITH_VERILATOR: [usize; 1] = [0];
const QUICK_VERILATOR: Simulator = (
    "verilator --binary -MAKEFLAGS OPT_FAST=-O0 -MAKEFLAGS OPT_GLOBAL=-O0 -Wall -v ../TOP.v \
     --top-module TOP_testbench TOP_testbench.v",
    VERILATOR.1,
);

const ICARUS: Simulator = (
    "iverilog -g2001 -Wall -y .. -s TOP_testbench -o testbench TOP_testbench.v",
    "vvp -N testbench",
);
const VERILATOR: Simulator = (
    "verilator --binary -Wall -v ../TOP.v --top-module TOP_testbench TOP_testbench.v",
    "./obj_dir/VTOP_testbench",
);

fn make(folder: &Folder, (make, _): Simulator) -> Result<(), String> {
    let done = folder.run("testbench", &make.replace("TOP", &folder.top));
    let clean = make.starts_with("verilator") || done.output.is_empty();
    if done.success && clean { Ok(()) } else { Err(format!("{}: {}", folder.top, done.output)) }
}

fn simulate(folder: &Folder, (_, run): Simulator) -> Done {
    folder.run("testbench", &run.replace("TOP", &folder.top))
}

fn passes(folder: &Folder, simulator: Simulator) -> Result<(), String> {
    make(folder, simulator)?;
    let done = simulate(folder, simulator);
    let passed = done.success && done.output.contains("PASS: ") && !done.output.contains("FAIL");
    if passed { Ok(()) } else { Err(format!("{}: {}", folder.top, done.output)) }
}

/// One bit of one digit of a file is turned round.
fn with_bit_changed(text: &str, digit: usize, bit: u32) -> String {
    let places = text.char_indices().filter(|(_, c)| c.is_ascii_hexdigit());
    let (place, old) = places.clone().nth(digit % places.count()).expect("a digit");
    let new = char::from_digit(old.to_digit(16).expect("a digit") ^ 1 << bit, 16).expect("a digit");
    format!("{}{new}{}", &text[..place], &text[place + 1..])
}

/// Changes bits all over both files, one at a time; the testbench is made already.
fn notices_changes(folder: &Folder, simulator: Simulator, step: usize) -> Result<(), String> {
    for file in ["testbench/vectors.hex", "testbench/expected.hex"] {
        let good = folder.text(file);
        for (at, digit) in (0..good.len()).step_by(step).enumerate() {
            let bad = with_bit_changed(&good, digit, at as u32 % 4);
            fs::write(folder.path(file), &bad).expect("written");
            let done = simulate(folder, simulator);
            if done.success || !done.output.contains("FAIL: ") || done.output.contains("PASS") {
                return Err(format!("{}: digit {digit} of {file}: {}", folder.top, done.output));
            }
        }
        fs::write(folder.path(file), good).expect("written");
    }
    Ok(())
}

#[test]
fn both_simulators_pass_and_notice_a_changed_bit() {
    let verilator = if is_long() { VERILATOR } else { QUICK_VERILATOR };
    let verilated = chosen(PRESETS, &WITH_VERILATOR).into_iter();
    let verilated = verilated.map(|preset| (preset, verilator, 499));
    let runs: Vec<(&str, Simulator, usize)> =
        verilated.chain(PRESETS.map(|preset| (preset, ICARUS, 1999))).collect();
    for_each(&runs, |(preset, simulator, step)| {
        let folder = Folder::of_preset(preset);
        passes(&folder, *simulator)?;
        notices_changes(&folder, *simulator, *step)
    });
}

#[test]
fn a_trace_of_another_length_fails() {
    let folder = Folder::of_preset("traptor-s1");
    passes(&folder, ICARUS).expect("passes");
    let file = "testbench/TOP_testbench.v".replace("TOP", &folder.top);
    let good = folder.text(&file);
    let words = good.split("WORDS       = ").nth(1).and_then(|rest| rest.split(';').next());
    let words: usize = words.and_then(|words| words.parse().ok()).expect("a number");
    for (wrong, expected) in
        [(words + 1, "FAIL: the trace ends at bit"), (words - 1, "FAIL: the trace has more than")]
    {
        let bad =
            good.replace(&format!("WORDS       = {words};"), &format!("WORDS       = {wrong};"));
        fs::write(folder.path(&file), bad).expect("written");
        let done = folder.run("testbench", &ICARUS.0.replace("TOP", &folder.top));
        assert!(done.success, "{}", done.output);
        let done = simulate(&folder, ICARUS);
        assert!(!done.success && done.output.contains(expected), "{}", done.output);
    }
}

/// A module that never is ready again is told from one that is slow.
#[test]
fn a_module_that_hangs_fails() {
    let folder = Folder::of_preset("traptor-s1");
    let file = format!("{}.v", folder.top);
    let stuck = folder.text(&file).replace("assign stall = ", "assign stall = 1'b1 | ");
    fs::write(folder.path(&file), stuck).expect("written");
    make(&folder, ICARUS).expect("made");
    let done = simulate(&folder, ICARUS);
    assert!(!done.success && done.output.contains("FAIL: no activity"), "{done:?}");
}

#[test]
fn other_parameters_make_good_testbenches() {
    let designs: [(&str, &[(&str, &str)]); 13] = [
        (
            "traptor-m4",
            &[("framing", "packets"), ("sync_interval", "1024"), ("context_bits", "33")],
        ),
        (
            "stream-rbase-128",
            &[
                ("framing", "packets"),
                ("when_full", "drop"),
                ("privilege_bits", "2"),
                ("cause_bits", "8"),
            ],
        ),
        ("traptor-m4", &[("framing", "packets"), ("context_bits", "2"), ("time_bits", "24")]),
        ("talon-m", &[("framing", "packets"), ("sync_bytes", "40"), ("trace_port_width", "5")]),
        ("traptor-m4", &[("framing", "packets"), ("sync_bytes", "99"), ("time_bits", "8")]),
        (
            "talon-s",
            &[
                ("framing", "packets"),
                ("cause_bits", "8"),
                ("time_bits", "40"),
                ("time_source", "gray"),
            ],
        ),
        ("traptor-m4", &[("reset", "asynchronous"), ("trace_port_width", "3")]),
        ("talon-s", &[("clock_enable", "true"), ("memories", "wrappers")]),
        ("traptor-s2", &[("address_width", "64"), ("alignment", "0"), ("trace_port_width", "64")]),
        ("stream-base-32", &[("address_width", "48"), ("alignment", "1"), ("encoder", "parallel")]),
        ("ntuple-32x4", &[("retire_count_bits", "1"), ("trace_port_width", "8")]),
        ("nexus-n2-timed", &[("cores", "3"), ("trace_port_width", "7")]),
        ("mctraptor-small-n1-timed", &[("time_stamp_bits", "8"), ("fifo_bits", "8")]),
    ];
    // Packets, times, losses, privilege, resets, enables, memories, widths and several cores.
    all_pass(&chosen(designs, &[0, 1, 5, 6, 7, 9, 11]));
}

fn all_pass(designs: &[(&str, &[(&str, &str)])]) {
    for_each(designs, |(preset, changes)| {
        let mut design = Design::preset(preset).expect("a preset");
        for (name, value) in *changes {
            design.set(name, value).expect("a good value");
        }
        passes(&Folder::new(design), ICARUS)
    });
}

/// Cycles that payloads say are known as long as no block is stalled.
#[test]
fn payloads_with_times_make_good_testbenches() {
    all_pass(&[
        ("etrace-base", &[("enable_pin", "true"), ("time_bits", "32"), ("resync_max", "3")]),
        (
            "etrace-base",
            &[
                ("enable_pin", "true"),
                ("when_full", "drop"),
                ("trace_port_width", "32"),
                ("fifo_bits", "512"),
                ("privilege_bits", "2"),
                ("context_bits", "9"),
                ("cause_bits", "4"),
                ("time_bits", "64"),
            ],
        ),
        (
            "etrace-base",
            &[
                ("enable_pin", "true"),
                ("trace_port_width", "8"),
                ("cause_bits", "7"),
                ("time_bits", "33"),
                ("time_source", "gray"),
            ],
        ),
    ]);
}

/// A minute; `make packages` runs it.
#[test]
#[ignore = "a minute: make packages"]
fn every_preset_passes_in_icarus_verilog() {
    let presets: Vec<_> = preset::all().collect();
    for_each(&presets, |preset| passes(&Folder::of_preset(preset.name), ICARUS));
}

/// The vectors say in which cycle each block is shown.
#[test]
fn the_testbench_of_a_design_with_times_passes() {
    let mut design = Design::preset("talon-m").expect("a preset");
    for (name, value) in [("time_mode", "exact"), ("cycle_bits", "9"), ("trace_port_width", "8")] {
        design.set(name, value).expect("a good value");
    }
    let folder = Folder::new(design);
    passes(&folder, ICARUS).unwrap();
    notices_changes(&folder, ICARUS, 2_999).unwrap();
}
