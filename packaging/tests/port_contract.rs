//! The module that names conventions of a core's port: each once, and none of a port that is right.

use std::fs;

use tempfile::TempDir;
use tracewright_packaging::{Ingress, port_contract};
use tracewright_sim::rvfi::{Config, Xlen};
use tracewright_sim::scheme::Design;
use tracewright_testbench::VerilogFile;
use tracewright_testbench::lint::lint;

use crate::common::for_each;

/// Parameters of a design, and the width and the lanes of its core.
type Case = (&'static [(&'static str, &'static str)], Xlen, u32);

/// Both widths, both resets, and several lanes.
const DESIGNS: [Case; 4] = [
    (&[], Xlen::Rv32, 1),
    (&[("address_width", "64"), ("reset", "asynchronous")], Xlen::Rv64, 2),
    (&[("clock_enable", "true")], Xlen::Rv32, 4),
    (&[("address_width", "48")], Xlen::Rv64, 3),
];

/// The name of the module, and its file.
fn contract(changes: &[(&str, &str)], xlen: Xlen, lanes: u32) -> VerilogFile {
    let mut design = Design::preset("traptor-m4").expect("a preset");
    for (name, value) in [("alignment", "1")].iter().chain(changes) {
        design.set(name, value).expect("a good value");
    }
    let generated = tracewright_hdl::generate(&design).expect("a good design");
    let ingress = Ingress::Rvfi(Config::new(xlen, lanes));
    let contract = port_contract(&design, &generated, ingress).expect("a contract");
    let (name, text) = contract.expect("a port that is checked");
    VerilogFile::new(name, text)
}

#[test]
fn three_tools_are_silent() {
    for_each(&DESIGNS, |(changes, xlen, lanes)| {
        let file = contract(changes, *xlen, *lanes);
        let findings =
            lint(&[file], "traptor_m4_rvfi_contract").map_err(|error| error.to_string())?;
        let all: Vec<String> = findings.iter().map(ToString::to_string).collect();
        if all.is_empty() { Ok(()) } else { Err(format!("{changes:?}: {}", all.join("\n"))) }
    });
}

/// An instruction at a port: word, address, next address, trap, interrupt.
type Row = (u32, u32, u32, bool, bool);

/// What Icarus Verilog prints of instructions, with so many of them in a cycle.
fn said(rows: &[Row], lanes: u32, parameters: &str) -> String {
    let file = contract(&[], Xlen::Rv32, lanes);
    let mut bench = format!(
        "module bench;\nreg clock = 0;\nreg reset = 1;\nreg [{}:0] valid = 0, trap = 0, intr = 0;\n\
         reg [{1}:0] insn = 0, pc = 0, next = 0;\nwire [4:0] found;\n\
         traptor_m4_rvfi_contract #({parameters}) contract (.clock(clock), .reset(reset), .rvfi_valid(valid), \
         .rvfi_insn(insn), .rvfi_trap(trap), .rvfi_intr(intr), .rvfi_pc_rdata(pc), .rvfi_pc_wdata(next), \
         .found(found));\ninitial begin\n#1 clock = 1; #1 clock = 0; reset = 0;\n",
        lanes - 1,
        32 * lanes - 1,
    );
    for cycle in rows.chunks(lanes as usize) {
        for (lane, (word, at, next, trap, intr)) in cycle.iter().enumerate() {
            bench += &format!(
                "valid[{lane}] = 1; trap[{lane}] = {}; intr[{lane}] = {}; insn[{}+:32] = 32'h{word:x}; \
                 pc[{2}+:32] = 32'h{at:x}; next[{2}+:32] = 32'h{next:x};\n",
                u8::from(*trap),
                u8::from(*intr),
                32 * lane,
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

#[test]
fn each_convention_is_named_once() {
    // A branch back by 4 that is taken, `c.j` on by 8, `mret` after which Ibex has the following address, an interrupt.
    let right: &[Row] = &[
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
    let cases: [(&str, &[Row], &str); 4] = [
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
    assert_eq!(said(right, 1, ""), "found 00000\n");
    assert_eq!(said(right, 2, ""), "found 00000\n");
    for (name, rows, found) in cases {
        let said = self::said(rows, 1, "");
        assert_eq!(said.matches(&format!(": {name}: ")).count(), 1, "{said}");
        assert!(said.ends_with(&format!("found {found}\n")), "{name}: {said}");
    }
    // With the settings there is nothing to say.
    for place in [0, 3] {
        let settings = ".EXPANDED(1), .TRAP_CHECKED(1)";
        assert_eq!(said(cases[place].1, 1, settings), "found 00000\n");
    }
    let swapped = [
        (ADD, 0x104, 0x108, false, false),
        (ADD, 0x100, 0x104, false, false),
        (ADD, 0x10c, 0x110, false, false),
        (ADD, 0x108, 0x10c, false, false),
    ];
    let said = said(&swapped, 2, "");
    assert!(said.contains(": lanes-mixed: ") && said.ends_with("found 10000\n"), "{said}");
}
