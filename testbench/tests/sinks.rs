//! The sinks after a trace port, and the switch after adapters, in Verilator against their models: every output in every
//! cycle, and every branch of their Verilog taken.

use std::sync::Arc;

use crate::common::sample;
use tracewright_hdl::{Generated, generate_sink, generate_switch, generate_uart_reader};
use tracewright_sim::ingress::switch::Config as SwitchConfig;
use tracewright_sim::pins::sinks::Outlet;
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::Sink;
use tracewright_testbench::coverage::{Coverage, Kind, Point};
use tracewright_testbench::lint::lint;
use tracewright_testbench::sinks::{Failure, port, uart};
use tracewright_testbench::{BuildOptions, Library, Model, adapter_switch, design::source};

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

/// A design that tells losses without packets.
pub fn telling_losses() -> Design {
    let mut design = Design::preset("etrace-base").unwrap();
    for (name, value) in [("enable_pin", "true"), ("when_full", "drop")] {
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

/// Three tools are silent about a sink, and runs take every branch of it.
pub fn check(generated: &Generated, run: impl Fn(&Arc<Library>, u64) -> Result<Model, Failure>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("coverage.dat");
    let findings = lint(&source(generated).files, &generated.top).unwrap();
    assert!(findings.is_empty(), "{}: {}", generated.top, findings[0]);
    let options = BuildOptions { coverage: true, ..BuildOptions::default() };
    let library = source(generated).build(&options).unwrap();
    let mut coverage = Coverage::default();
    for seed in 1..4 {
        let mut model = run(&library, seed)
            .unwrap_or_else(|what| panic!("{}, seed {seed}: {what}", generated.top));
        model.write_coverage(&path).unwrap();
        coverage.add(&path).unwrap();
    }
    let is_untaken = |(point, count): &(&Point, u64)| point.kind == Kind::Branch && *count == 0;
    assert_eq!(coverage.points().find(is_untaken), None, "{}", generated.top);
}

#[test]
fn sinks_do_what_their_models_do() {
    for (sink, width, switches, changes) in sample(2, CASES) {
        let design = design(width, switches, changes);
        let outlet = Outlet::of(&design.interface());
        check(&generate_sink(&design, sink).unwrap(), |library, seed| {
            port::run_at_random(library, sink, &outlet, seed)
        });
    }
}

#[test]
fn the_reader_of_a_ring_does_what_its_model_does() {
    for (bytes, reset) in [(64, "synchronous"), (128, "asynchronous")] {
        let design = design(8, true, &[("reset", reset)]);
        check(&generate_uart_reader(&design, bytes).unwrap(), |library, seed| {
            uart::run_at_random(library, bytes, seed)
        });
    }
}

#[test]
fn the_switch_after_adapters_does_what_its_model_does() {
    let drops = ("when_full", "drop");
    for design in [
        design(8, true, &[("reset", "asynchronous")]),
        design(8, true, &[drops]),
        design(8, true, &[drops, ("loss_pins", "true")]),
        telling_losses(),
    ] {
        let config = SwitchConfig::of(design.protocol());
        check(&generate_switch(&design).unwrap(), |library, seed| {
            adapter_switch::run_at_random(library, config, seed)
        });
    }
}

#[test]
fn a_width_that_a_sink_cannot_take_is_refused() {
    let refused = generate_sink(&design(3, false, &[]), Sink::Atb).unwrap_err();
    let expected = "`trace_port_width` = 3 does not fit: a sink of kind atb needs one of 1, 2, 4, 8, 16, 32, 64";
    assert_eq!(refused.to_string(), expected);
}
