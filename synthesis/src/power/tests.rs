use std::fs;

use super::*;

const LIBRARY: &str = include_str!("../../liberty/small_power.lib");

/// A flip-flop that changes in every cycle, by an inverter; one of a memory that keeps 1; and a gate of both.
const NETLIST: &str = r#"{ "modules": { "top": {
  "ports": {
    "clock": { "direction": "input", "bits": [2] },
    "out": { "direction": "output", "bits": [6] } },
  "cells": {
    "toggle": { "type": "DFF", "connections": { "CK": [2], "D": [4], "Q": [3] } },
    "keep": { "type": "DFF", "connections": { "CK": [2], "D": [5], "Q": [5] } },
    "not": { "type": "INV", "connections": { "A": [3], "Y": [4] } },
    "gate": { "type": "NAND2", "connections": { "A": [3], "B": [5], "Y": [6] } } },
  "netnames": { "mem[0]": { "hide_name": 0, "bits": [5] } } } } }"#;

const HEADER: &str = "$scope module TOP $end
$var wire 1 ! clock $end
$scope module top $end
$var wire 1 ! clock $end
$var wire 1 # net_3 $end
$var wire 1 $ net_4 $end
$var wire 1 % net_5 $end
$var wire 1 & out $end
$upscope $end
$upscope $end
$enddefinitions $end
";

/// Two cycles.
const CHANGES: &str =
    "#0\n0!\n0#\n1$\n1%\n1&\n#5\n1!\n1#\n0$\n0&\n#10\n0!\n#15\n1!\n0#\n1$\n1&\n#20\n0!\n";

fn gates(text: &str) -> Result<GateLevel> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("small.lib");
    fs::write(&path, text).expect("it is written");
    let library = Library::load(&[path], &LibraryOptions::default())?;
    let netlist = Netlist::read("design", NETLIST.as_bytes()).expect("a netlist");
    GateLevel::of(("design", "none"), ("top", "clock"), netlist, &library, Some(0.5))
}

fn measured(text: &str, waves: &str) -> Result<Power> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("waves.vcd");
    fs::write(&path, waves).expect("it is written");
    let (running, idle) = (path.as_path(), path.as_path());
    gates(text)?.measure(&Waves { scopes: &["TOP", "top"], running, idle, instructions: 2 })
}

/// Parts in femtojoules: the tree, clock pins of memories and registers, memories, registers, logic.
fn parts(energy: &Energy) -> [f64; 6] {
    let Energy { clock_tree_pj, memory_clocks_pj, register_clocks_pj, .. } = *energy;
    let Energy { memories_pj, registers_pj, logic_pj, .. } = *energy;
    [clock_tree_pj, memory_clocks_pj, register_clocks_pj, memories_pj, registers_pj, logic_pj]
        .map(|picojoules| (picojoules * 1e6).round() / 1e3)
}

/// Every figure is one that was worked out by hand: a change of a net takes 2 V * 2 V / 2 for each farad at it, and what
/// is in the library at half a nanosecond.
#[test]
fn energies_that_were_worked_out_by_hand() {
    let power = measured(LIBRARY, &format!("{HEADER}{CHANGES}")).expect("a power");
    // A clock pin: 2 fF that change four times, in two cycles. The one that keeps its bit takes 3.5 and 4.5 for an edge,
    // the other one 0 and 6.5.
    let (keeps, toggles) = ((16.0 + 2.0 * 8.0) / 2.0, (16.0 + 2.0 * 6.5) / 2.0);
    // Its output drives 2 fF: it takes 12 when it rises and 22 when it falls.
    let register = (12.0 + 22.0 + 2.0 * 2.0 * 2.0) / 2.0;
    // The inverter drives 1 fF, the gate nothing, and its other input is 1.
    let logic = (2.0 * (1.6 + 2.0) + 2.0 * 1.5) / 2.0;
    // A buffer before four of its inputs takes 1.9 an edge and has an input of 1 fF.
    let buffer = 2.0 * 1.9 + 4.0;
    assert_eq!(parts(&power.running), [buffer, keeps, toggles, 0.0, register, logic]);
    // With a gate at the memory, which never opens, there are 5 fF in front of which are 2 buffers, and one before them.
    let gate = 2.0 * 2.5 + 3.0 * 4.0;
    assert_eq!(parts(&power.gated), [3.0 * buffer + gate, 0.0, toggles, 0.0, register, logic]);
    assert_eq!((power.idle, power.idle_gated), (power.running, power.gated));
    assert_eq!((power.cycles, power.instructions, power.clock_buffers), (2, 2, [1, 3]));
    assert_eq!((power.cells, power.flip_flops, power.memory_flip_flops), (4, 2, 1));
    assert!((power.changes_per_cycle - 3.0).abs() < 1e-9);
    // Of 1 for the inverter, 5 for each flip-flop and 3 for the gate when both inputs are 1, and then the tree.
    let leaks = [power.leakage_uw, power.gated_leakage_uw].map(|leaks| (leaks * 1e6).round());
    assert_eq!(leaks, [15e3, 23e3]);
    assert_eq!((power.missing.len(), power.blocks.len()), (0, 1));
}

#[test]
fn what_a_library_does_not_say_is_told() {
    let without = LIBRARY.replace("internal_power", "power_of_another_kind");
    let without = without.replace("cell_leakage_power", "leakage_of_another_kind");
    let without = without.replace("clock_gating_integrated_cell", "clock_gate_of_another_kind");
    let power = measured(&without, &format!("{HEADER}{CHANGES}")).expect("a power");
    assert_eq!(
        power.missing,
        [
            "internal power of INV, NAND2, DFF",
            "leakage of INV, NAND2, DFF",
            "a clock gate (clock_gating_integrated_cell)"
        ]
    );
    for (from, to, reason) in [
        ("nom_voltage : 2", "nom_voltage : 0", "expected a nom_voltage above 0"),
        ("capacitive_load_unit (1, ff)", "capacitive_load_unit (1, ohm)", "(1, pf), found 1 ohm"),
        (
            "(\"1, 2\", \"2, 3\")",
            "(\"1, 2\", \"2\")",
            "cell INV: pin Y: rise_power (driven): expected 4 values",
        ),
        ("(\"3, 4\")", "(\"3, many\")", "cell DFF: pin CK: rise_power (hidden): expected numbers"),
        (
            "function : \"IQ\"",
            "function : \"IX\"",
            "cell DFF: pin Q: the function `IX`: it has no pin IX",
        ),
        ("index_1 (\"0, 1\"); }", "}", "expected an index_1 in it or in hidden"),
        ("clocked_on : \"CK\"; ", "", "cell DFF: expected a clocked_on in its ff"),
    ] {
        let error = gates(&LIBRARY.replacen(from, to, 1)).expect_err(reason).to_string();
        assert!(error.contains(reason) && error.contains("small.lib"), "{reason}: {error}");
    }
}

#[test]
fn waves_of_something_else() {
    for (waves, reason) in [
        (format!("{HEADER}#0\n0!\n"), "no cycle of the clock"),
        ("$enddefinitions $end\n#0\n".into(), "waves of nets in TOP.top"),
    ] {
        let error = measured(LIBRARY, &waves).expect_err(reason);
        let source = std::error::Error::source(&error).map(ToString::to_string);
        let text = format!("{error} {}", source.unwrap_or_default());
        assert!(text.contains(reason), "{reason}: {text}");
    }
}

#[test]
fn verilog_without_cells() {
    let simulated = gates(LIBRARY).expect("a netlist").simulated();
    let (name, text) = &simulated[0];
    assert_eq!(name, "top.v");
    for line in [
        "    input wire clock,",
        "    assign out = net_6;",
        "    assign net_6 = ~(net_3 & net_5);",
        "    always @(posedge clock) kept_3 <= net_4;",
        "    assign net_3 = kept_3;",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}: {text}");
    }
}
