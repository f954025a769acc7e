//! Faults in the sink that writes to the memory of the system.

use tracewright_hdl::Part;
use tracewright_testbench::sinks::system_memory_sink::run_at_random;

use super::bench::Bench;
use crate::ram_sink::design;
use crate::system_memory_sink::memory_config;

/// Every fault of a sink with bursts of four beats after a trace port of 8 bits.
pub fn bench() -> Bench<'static> {
    let config = memory_config(32, 32, 4, 8);
    let check = move |library: &_| {
        (1..4).find_map(|seed| {
            run_at_random(library, config, seed).err().map(|failure| failure.to_string())
        })
    };
    let design = design(8, "synchronous");
    let part = Part::SystemMemorySink(&design, &config);
    Bench::new("system-memory-sink", part, Box::new(check))
}
