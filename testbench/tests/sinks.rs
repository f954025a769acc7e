//! The sinks after a trace port in Verilator against their models: every output in every cycle, and every branch of
//! their Verilog taken.

use tracewright_hdl::generate_sink;
use tracewright_sim::pins::sinks::Outlet;
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::Sink;
use tracewright_testbench::coverage::{Coverage, Kind};
use tracewright_testbench::lint::lint;
use tracewright_testbench::sinks::port::run_at_random;
use tracewright_testbench::{BuildOptions, design::source};

/// A design whose trace port has this width, and whose trace can be switched off and discarded or not.
pub fn design(width: u32, switches: bool, changes: &[(&str, &str)]) -> Design {
    let mut design = Design::preset("nexs").unwrap();
    design.set("trace_port_width", &width.to_string()).unwrap();
    let framing = [("framing", "packets"), ("enable_pin", "true")];
    for (name, value) in framing.iter().filter(|_| switches).chain(changes) {
        design.set(name, value).unwrap();
    }
    design
}

/// A sink, the width of the trace port, whether it is switched, and other changes of the design.
type Case = (Sink, u32, bool, &'static [(&'static str, &'static str)]);

const CASES: [Case; 9] = [
    (Sink::AxiStream, 5, false, &[]),
    (Sink::AxiStream, 8, true, &[("reset", "asynchronous")]),
    (Sink::AxiStream, 64, true, &[]),
    (Sink::Atb, 2, false, &[("reset", "asynchronous")]),
    (Sink::Atb, 1, true, &[]),
    (Sink::Atb, 8, false, &[]),
    (Sink::Atb, 32, true, &[]),
    (Sink::Pins, 4, false, &[]),
    (Sink::Pins, 16, false, &[("reset", "asynchronous")]),
];

#[test]
fn sinks_do_what_their_models_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("coverage.dat");
    for (sink, width, switches, changes) in CASES {
        let design = design(width, switches, changes);
        let generated = generate_sink(&design, sink).unwrap();
        let findings = lint(&source(&generated).files, &generated.top).unwrap();
        assert!(findings.is_empty(), "{sink:?}, {width}: {}", findings[0]);
        let options = BuildOptions { coverage: true, ..BuildOptions::default() };
        let library = source(&generated).build(&options).unwrap();
        let mut coverage = Coverage::default();
        for seed in 1..4 {
            let mut model = run_at_random(&library, sink, &Outlet::of(&design.interface()), seed)
                .unwrap_or_else(|what| panic!("{sink:?}, {width}, seed {seed}: {what}"));
            model.write_coverage(&path).unwrap();
            coverage.add(&path).unwrap();
        }
        let untaken =
            coverage.points().find(|(point, count)| point.kind == Kind::Branch && *count == 0);
        assert_eq!(untaken, None, "{sink:?}, {width}");
    }
}

#[test]
fn a_width_that_a_sink_cannot_take_is_refused() {
    let refused = generate_sink(&design(3, false, &[]), Sink::Atb).unwrap_err();
    let expected = "`trace_port_width` = 3 does not fit: a sink of kind atb needs one of 1, 2, 4, 8, 16, 32, 64";
    assert_eq!(refused.to_string(), expected);
}
