//! Faults in the funnel of whole messages.

use tracewright_hdl::Part;
use tracewright_testbench::sinks::message_funnel::run_at_random;

use super::bench::Bench;
use crate::message_funnel::designs;

/// Every fault of a funnel of so many sources, of the one standard or the other.
fn bench_of(name: &'static str, number: usize) -> Bench<'static> {
    let (config, style) = designs().swap_remove(number);
    let part = config;
    let check = move |library: &_| {
        (1..4).find_map(|seed| {
            run_at_random(library, &config, seed).err().map(|failure| failure.to_string())
        })
    };
    Bench::new(name, Part::MessageFunnel("message_funnel", &part, &style), Box::new(check))
}

/// Of messages of N-Trace.
pub fn of_n_trace() -> Bench<'static> {
    bench_of("message-funnel-ntrace", 0)
}

/// Of payloads of E-Trace.
pub fn of_e_trace() -> Bench<'static> {
    bench_of("message-funnel-etrace", 1)
}
