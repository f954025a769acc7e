//! Faults in the sinks after a trace port.

use tracewright_hdl::Part;
use tracewright_sim::pins::sinks::Outlet;
use tracewright_sim::sinks::Sink;
use tracewright_testbench::sinks::port::run_at_random;

use super::bench::Bench;
use crate::sinks::design;

/// Every fault of a sink after a trace port of this width, whose trace can be discarded.
pub fn bench(name: &'static str, sink: Sink, width: u32) -> Bench<'static> {
    let design = design(width, sink != Sink::Pins, &[]);
    let outlet = Outlet::of(&design.interface());
    let check = move |library: &_| {
        (1..4).find_map(|seed| {
            run_at_random(library, sink, &outlet, seed).err().map(|failure| failure.to_string())
        })
    };
    Bench::new(name, Part::Sink(&design, sink), Box::new(check))
}
