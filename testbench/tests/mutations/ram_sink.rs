//! Faults in the RAM sink.

use tracewright_hdl::Part;
use tracewright_testbench::sinks::ram_sink::run_at_random;

use super::bench::Bench;
use crate::ram_sink::{design, sink_config};

/// Every fault of a sink of 16 words after a trace port of 8 bits.
pub fn bench() -> Bench<'static> {
    let config = sink_config(64, 8);
    let check = move |library: &_| {
        (1..3).find_map(|seed| {
            run_at_random(library, config, seed).err().map(|failure| failure.to_string())
        })
    };
    let design = design(8, "synchronous");
    Bench::new("ram-sink", Part::RamSink(&design, &config), Box::new(check))
}
