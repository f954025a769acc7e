//! Faults in the sinks after a trace port, and in the switch after adapters.

use tracewright_hdl::Part;
use tracewright_sim::ingress::switch::Config as SwitchConfig;
use tracewright_sim::pins::sinks::Outlet;
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::Sink;
use tracewright_testbench::adapter_switch;
use tracewright_testbench::sinks::{port, uart};

use super::bench::Bench;
use crate::sinks::{design, telling_losses};

/// Every fault of a sink after a trace port of this width, whose trace can be discarded.
pub fn bench(name: &'static str, sink: Sink, width: u32) -> Bench<'static> {
    let design = design(width, sink != Sink::Pins, &[]);
    let outlet = Outlet::of(&design.interface());
    let check = move |library: &_| {
        (1..4).find_map(|seed| {
            port::run_at_random(library, sink, &outlet, seed)
                .err()
                .map(|failure| failure.to_string())
        })
    };
    Bench::new(name, Part::Sink(&design, sink), Box::new(check))
}

/// Every fault of the reader of a ring of 16 words.
pub fn reader() -> Bench<'static> {
    let check = |library: &_| {
        (1..4).find_map(|seed| {
            uart::run_at_random(library, 64, seed).err().map(|failure| failure.to_string())
        })
    };
    Bench::new("uart-reader", Part::UartReader(&design(8, true, &[]), 64), Box::new(check))
}

/// Every fault of the switch after adapters, in front of a module of packets.
pub fn switch(name: &'static str, when_full: &str) -> Bench<'static> {
    switch_of(name, &design(8, true, &[("when_full", when_full)]))
}

/// The same in front of a module that tells losses without packets, whose adapter may hold a block.
pub fn switch_that_holds(name: &'static str) -> Bench<'static> {
    switch_of(name, &telling_losses())
}

fn switch_of(name: &'static str, design: &Design) -> Bench<'static> {
    let config = SwitchConfig::of(design.protocol());
    let check = move |library: &_| {
        (1..4).find_map(|seed| {
            let run = adapter_switch::run_at_random(library, config, seed);
            run.err().map(|failure| failure.to_string())
        })
    };
    Bench::new(name, Part::Switch(design), Box::new(check))
}
