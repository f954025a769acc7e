//! Designs behind the RISC-V formal interface: good Verilog, with the pins that it is said to have.

use tracewright_sim::rvfi::{Config, Xlen};
use tracewright_sim::scheme::Design;
use tracewright_testbench::lint::lint;
use tracewright_testbench::{BuildOptions, design::source};

type Changes = &'static [(&'static str, &'static str)];

#[test]
fn three_tools_are_silent_about_it() {
    let designs: [(&str, Changes, Xlen); 6] = [
        (
            "talon-s",
            &[("framing", "packets"), ("when_full", "drop"), ("alignment", "1")],
            Xlen::Rv32,
        ),
        ("nexs", &[("framing", "packets"), ("when_full", "drop")], Xlen::Rv32),
        ("traptor-m4", &[("alignment", "1")], Xlen::Rv32),
        ("stream-rbase-32", &[("reset", "asynchronous"), ("trace_port_width", "8")], Xlen::Rv32),
        ("nexs", &[("retire_count_bits", "1")], Xlen::Rv32),
        ("mctraptor-small-n2-timed", &[("address_width", "64"), ("alignment", "1")], Xlen::Rv64),
    ];
    for (preset, changes, xlen) in designs {
        let mut design = Design::preset(preset).expect("a preset");
        for (name, value) in changes {
            design.set(name, value).expect("a good value");
        }
        let generated = tracewright_hdl::generate(&design).expect("a good design");
        let config = Config::new(xlen);
        let traced = tracewright_packaging::with_rvfi(&design, generated, &config);
        let source = source(&traced.expect("it traces control flow"));
        let findings = lint(&source.files, &source.top).expect("the tools are installed");
        assert!(findings.is_empty(), "{preset}: {}", findings[0]);
        // The ports of the Verilog are those described: numbered where there are several cores.
        if design.cores() > 1 || preset == "nexs" {
            source.build(&BuildOptions::default()).expect("a model");
        }
    }
}
