//! Faults in the funnel of several traces.

use tracewright_hdl::Part;
use tracewright_testbench::sinks::funnel::run_at_random;

use super::bench::Bench;
use crate::funnel::designs;

/// Every fault of a funnel of five sources with short turns and intervals.
pub fn bench() -> Bench<'static> {
    let (config, style) = designs().swap_remove(3);
    let part = config;
    let check = move |library: &_| {
        (1..4).find_map(|seed| {
            run_at_random(library, &config, seed).err().map(|failure| failure.to_string())
        })
    };
    Bench::new("funnel", Part::Funnel("trace_funnel", &part, &style), Box::new(check))
}
