//! The module that names conventions of a core's port: each once, and none of a port that is right.

use std::fs;

use tempfile::TempDir;
use tracewright_packaging::port_contract;
use tracewright_sim::pins::ingress::OfInstructions;
use tracewright_sim::rvfi::{Compressed, Config, Pins, Trapped, Xlen};
use tracewright_sim::scheme::Design;
use tracewright_sim::unit::Ingress;
use tracewright_testbench::VerilogFile;
use tracewright_testbench::lint::lint;

use crate::common::for_each;

/// Parameters of a design, and its core's port.
type Case = (&'static [(&'static str, &'static str)], Config);

/// Both ports with every pin and without, both widths, both resets, and several lanes.
fn designs() -> Vec<Case> {
    let retired =
        |xlen, lanes, pins, compressed| Config { pins, compressed, ..Config::retired(xlen, lanes) };
    let all = Pins { trap: true, interrupt: true, next: true, number: true };
    vec![
        (&[], Config::new(Xlen::Rv32, 1)),
        (&[("address_width", "64"), ("reset", "asynchronous")], Config::new(Xlen::Rv64, 2)),
        (&[("clock_enable", "true")], Config::new(Xlen::Rv32, 4)),
        (&[("address_width", "48")], Config::new(Xlen::Rv64, 3)),
        (&[], Config::retired(Xlen::Rv32, 1)),
        (&[], Config::retired(Xlen::Rv64, 2)),
        (&[], retired(Xlen::Rv32, 4, all, Compressed::Pin)),
        (&[], retired(Xlen::Rv32, 2, Pins { next: false, ..all }, Compressed::Expanded)),
        (&[], retired(Xlen::Rv32, 3, Pins { number: false, ..all }, Compressed::Raw)),
    ]
}

/// The module for a port, and its file.
fn contract(changes: &[(&str, &str)], config: Config) -> VerilogFile {
    let mut design = Design::preset("traptor-m4").expect("a preset");
    for (name, value) in [("alignment", "1")].iter().chain(changes) {
        design.set(name, value).expect("a good value");
    }
    let generated = tracewright_hdl::generate(&design).expect("a good design");
    let contract = port_contract(&design, &generated, Ingress::Rvfi(config)).expect("a contract");
    let (name, text) = contract.expect("a port that is checked");
    VerilogFile::new(name, text)
}

#[test]
fn three_tools_are_silent() {
    for_each(&designs(), |(changes, config)| {
        let file = contract(changes, *config);
        let top = file.name.trim_end_matches(".v").to_owned();
        let findings = lint(&[file], &top).map_err(|error| error.to_string())?;
        let all: Vec<String> = findings.iter().map(ToString::to_string).collect();
        if all.is_empty() {
            Ok(())
        } else {
            Err(format!("{changes:?}, {config:?}: {}", all.join("\n")))
        }
    });
}

/// An instruction at a port: word, address, next address, trap, interrupt.
type Row = (u32, u32, u32, bool, bool);

/// What Icarus Verilog prints of instructions, with as many in a cycle as there are lanes. Where lanes are numbered, the first
/// instruction of a cycle is in the last lane.
fn said(rows: &[Row], config: Config) -> String {
    let file = contract(&[], config);
    let lanes = config.queue.lanes as usize;
    let port =
        file.name.trim_end_matches("_contract.v").trim_start_matches("traptor_m4_").to_owned();
    let pins = OfInstructions::of(config.port);
    let mut pin = String::new();
    for (row, wire, is_there) in [
        (pins.valid, "valid", true),
        (pins.word, "insn", true),
        (pins.trap, "trap", config.pins.trap),
        (pins.interrupt, "intr", config.pins.interrupt),
        (pins.pc, "pc", true),
        (pins.next_pc, "next", config.pins.next),
        (pins.number, "number", config.pins.number),
    ] {
        if is_there {
            pin += &format!(".{}({wire}), ", row.name);
        }
    }
    let mut bench = format!(
        "module bench;\nreg clock = 0;\nreg reset = 1;\nreg [{}:0] valid = 0, trap = 0, intr = 0;\n\
         reg [{1}:0] insn = 0, pc = 0, next = 0;\nreg [{2}:0] number = 0;\nwire [4:0] found;\n\
         traptor_m4_{port}_contract contract (.clock(clock), .reset(reset), {pin}.found(found));\n\
         initial begin\n#1 clock = 1; #1 clock = 0; reset = 0;\n",
        lanes - 1,
        32 * lanes - 1,
        3 * lanes - 1,
    );
    for (cycle, rows) in rows.chunks(lanes).enumerate() {
        for (place, (word, at, next, trap, intr)) in rows.iter().enumerate() {
            let lane = if config.pins.number { lanes - 1 - place } else { place };
            bench += &format!(
                "valid[{lane}] = 1; trap[{lane}] = {}; intr[{lane}] = {}; insn[{}+:32] = 32'h{word:x}; \
                 pc[{2}+:32] = 32'h{at:x}; next[{2}+:32] = 32'h{next:x}; number[{}+:3] = {};\n",
                u8::from(*trap),
                u8::from(*intr),
                32 * lane,
                3 * lane,
                (cycle * lanes + place) % 8,
            );
        }
        bench += "#1 clock = 1; #1 clock = 0; valid = 0;\n";
    }
    bench += "$display(\"found %b\", found);\nend\nendmodule\n";
    let folder = TempDir::new().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("contract.v"), &file.text).expect("written");
    fs::write(path("bench.v"), bench).expect("written");
    let make = "iverilog -g2001 -Wall -s bench -o bench bench.v contract.v";
    let mut words = make.split(' ');
    let tool = words.next().expect("a tool");
    let made =
        crate::common::run(std::process::Command::new(tool).args(words).current_dir(folder.path()));
    assert!(made.success, "{}", made.output);
    let run =
        std::process::Command::new("vvp").args(["-N", "bench"]).current_dir(folder.path()).output();
    String::from_utf8(run.expect("vvp").stdout).expect("text")
}

const ADD: u32 = 0x0042_8293;

/// A branch back by 4 that is taken, `c.j` on by 8, `mret` after which Ibex has the following address, an interrupt.
const RIGHT: &[Row] = &[
    (ADD, 0x100, 0x104, false, false),
    (0xfe05_1ee3, 0x104, 0x100, false, false),
    (ADD, 0x100, 0x104, false, false),
    (0xfe05_1ee3, 0x104, 0x108, false, false),
    (0xa021, 0x108, 0x110, false, false),
    (ADD, 0x110, 0x114, false, false),
    (0x3020_0073, 0x200, 0x204, false, true),
    (0x0291, 0x114, 0x116, false, false),
    (0x73, 0x116, 0x200, true, false),
    (ADD, 0x200, 0x204, false, false),
];

/// Each convention with instructions that show it, and its bit of `found`.
const CASES: [(&str, &[Row], &str); 4] = [
    (
        "compressed-expanded",
        &[
            (ADD, 0x100, 0x102, false, false),
            (ADD, 0x102, 0x104, false, false),
            (ADD, 0x104, 0x108, false, false),
        ],
        "00001",
    ),
    (
        "next-handler",
        &[(0xfe05_1ee3, 0x104, 0x200, false, false), (ADD, 0x200, 0x204, false, false)],
        "00010",
    ),
    (
        "next-fall-through",
        &[(0xfe05_1ee3, 0x104, 0x108, false, false), (ADD, 0x100, 0x104, false, false)],
        "00100",
    ),
    (
        "trap-retired",
        &[(ADD, 0x104, 0x108, true, false), (0x7b20_0073, 0x800, 0x108, false, false)],
        "01000",
    ),
];

const PINS: Pins = Pins { trap: true, interrupt: true, next: true, number: false };

fn rvfi(lanes: u32) -> Config {
    Config::new(Xlen::Rv32, lanes)
}

fn retired(lanes: u32, pins: Pins) -> Config {
    Config { pins, ..Config::retired(Xlen::Rv32, lanes) }
}

#[test]
fn a_right_port_has_nothing_to_name() {
    let ports = [
        rvfi(1),
        rvfi(2),
        retired(1, PINS),
        retired(2, PINS),
        retired(2, Pins { number: true, ..PINS }),
        retired(1, Pins { next: false, interrupt: false, ..PINS }),
    ];
    for port in ports {
        assert_eq!(said(RIGHT, port), "found 00000\n", "{port:?}");
    }
}

#[test]
fn each_convention_is_named_once() {
    for (name, rows, found) in CASES {
        for port in [rvfi(1), retired(1, PINS), retired(2, Pins { number: true, ..PINS })] {
            let said = self::said(rows, port);
            assert_eq!(said.matches(&format!(": {name}: ")).count(), 1, "{said}");
            assert!(said.ends_with(&format!("found {found}\n")), "{name}: {said}");
        }
        // A port without the next address can only show the first one.
        let said = self::said(rows, Config::retired(Xlen::Rv32, 1));
        let found = if name == "compressed-expanded" { found } else { "00000" };
        assert!(said.ends_with(&format!("found {found}\n")), "{name}: {said}");
    }
    // With the settings there is nothing to say.
    for place in [0, 3] {
        let port = Config { compressed: Compressed::Expanded, trap: Trapped::Checked, ..rvfi(1) };
        assert_eq!(said(CASES[place].1, port), "found 00000\n");
    }
}

#[test]
fn lanes_in_the_wrong_order_are_named() {
    let swapped = [
        (ADD, 0x104, 0x108, false, false),
        (ADD, 0x100, 0x104, false, false),
        (ADD, 0x10c, 0x110, false, false),
        (ADD, 0x108, 0x10c, false, false),
    ];
    let said = said(&swapped, rvfi(2));
    assert!(said.contains(": lanes-mixed: ") && said.ends_with("found 10000\n"), "{said}");
}
