//! Designs with a port that cores have themselves: good Verilog, with the pins that it is said to have.

use tracewright_hdl::unit::with_ingress;
use tracewright_sim::blocks;
use tracewright_sim::ingress::Queue;
use tracewright_sim::rvfi::{self, Xlen};
use tracewright_sim::scheme::Design;
use tracewright_sim::tip::{self, Retirement};
use tracewright_sim::unit::Ingress;
use tracewright_testbench::lint::lint;
use tracewright_testbench::{BuildOptions, design::source};

use crate::common::{chosen, is_long};

type Changes = &'static [(&'static str, &'static str)];

const COMPRESSED: (&str, &str) = ("alignment", "1");
const PACKETS: (&str, &str) = ("framing", "packets");
const ENABLE: (&str, &str) = ("enable_pin", "true");
const DROP: (&str, &str) = ("when_full", "drop");
const LOSES: Changes = &[PACKETS, DROP, ENABLE, ("loss_pins", "true")];

/// Adapters of every kind, in front of modules with all that adapters pass on.
fn designs() -> [(&'static str, Changes, Ingress); 18] {
    let rv32 = Ingress::Rvfi(rvfi::Config::new(Xlen::Rv32, 1));
    let rv64 = Ingress::Rvfi(rvfi::Config::new(Xlen::Rv64, 1));
    let single = tip::Config::default();
    let block = tip::Config { retirement: Retirement::Block, ..single };
    let several = tip::Config { queue: Queue::new(3), ..block };
    let wide = Ingress::Rvfi(rvfi::Config::new(Xlen::Rv64, 4));
    [
        ("talon-s", &[PACKETS, DROP, COMPRESSED], rv32),
        ("nexs", &[PACKETS, DROP, ENABLE], rv32),
        ("traptor-m4", &[COMPRESSED], rv32),
        ("stream-rbase-32", &[("reset", "asynchronous"), ("trace_port_width", "8")], rv32),
        ("nexs", &[("retire_count_bits", "1")], rv32),
        ("mctraptor-small-n2-timed", &[("address_width", "64"), COMPRESSED], rv64),
        (
            "talon-s",
            &[PACKETS, DROP, ("context_bits", "16"), ("privilege_bits", "2"), ("cause_bits", "6")],
            Ingress::Tip(single),
        ),
        (
            "traptor-m4",
            &[PACKETS, ENABLE, ("cause_bits", "1"), ("filter_window", "true")],
            Ingress::Tip(block),
        ),
        ("nexs", &[COMPRESSED], Ingress::Tip(tip::Config { itype_bits: 3, ..block })),
        ("mctraptor-small-n2-timed", &[COMPRESSED], Ingress::Tip(single)),
        ("traptor-m4", &[COMPRESSED, ("address_width", "64")], wide),
        (
            "traptor-m4",
            &[PACKETS, ENABLE, ("reset", "asynchronous"), ("cause_bits", "4")],
            Ingress::Tip(several),
        ),
        ("nexs", LOSES, Ingress::Rvfi(rvfi::Config::new(Xlen::Rv32, 2))),
        ("traptor-m4", LOSES, Ingress::Tip(several)),
        ("mctraptor-small-n2-timed", &[], Ingress::Blocks(blocks::Config::new(2))),
        ("nexs", &[], Ingress::Blocks(blocks::Config::new(4))),
        (
            "traptor-m4",
            &[PACKETS, ENABLE, ("clock_enable", "true"), ("memories", "wrappers")],
            Ingress::Blocks(blocks::Config::new(2)),
        ),
        (
            "traptor-m4",
            &[PACKETS, ("context_bits", "3"), ("filter_ranges", "2")],
            Ingress::Blocks(blocks::Config::new(3)),
        ),
    ]
}

#[test]
fn three_tools_are_silent_about_it() {
    // Each port with one lane and with several, with packets and without, losing blocks and not, in every style, and
    // two cores.
    for (preset, changes, ingress) in chosen(designs(), &[1, 3, 6, 9, 10, 11, 13, 14, 16, 17]) {
        let mut design = Design::preset(preset).expect("a preset");
        for (name, value) in changes {
            design.set(name, value).expect("a good value");
        }
        let generated = tracewright_hdl::generate(&design).expect("a good design");
        let traced = with_ingress(&design, generated, ingress);
        let source = source(&traced.expect("it traces control flow"));
        let findings = lint(&source.files, &source.top).expect("the tools are installed");
        assert!(findings.is_empty(), "{preset}: {}", findings[0]);
        // The ports of the Verilog are those described: numbered where there are several cores.
        let is_numbered = design.cores() > 1;
        if is_numbered || preset == "nexs" && is_long() {
            source.build(&BuildOptions::default()).expect("a model");
        }
    }
}
