//! The funnel in Verilator against its model, cycle by cycle, and its frames read back.

use std::collections::VecDeque;
use std::sync::Arc;

use tracewright_hdl::Generated;
use tracewright_sim::config::{Memories, ResetStyle, TracePort};
use tracewright_sim::funnel::{Config, Funnel};
use tracewright_testbench::design::source;
use tracewright_testbench::lint::lint;
use tracewright_testbench::sinks::funnel::run_at_random;
use tracewright_testbench::{BuildOptions, Library, VerilogFile};

/// The extremes of every parameter, every reset, and a design with a clock enable.
pub fn designs() -> Vec<(Config, TracePort)> {
    let style = |reset, memories| TracePort { reset, memories, ..TracePort::default() };
    let plain = TracePort::default();
    let other = style(ResetStyle::Asynchronous, Memories::Wrappers);
    [
        (Config::default(), plain.clone()),
        (Config { sources: 3, first_id: 1, turn_bytes: 1, sync_frames: 2 }, other.clone()),
        (Config { sources: 8, first_id: 104, turn_bytes: 255, sync_frames: 4096 }, plain),
        (Config { sources: 5, first_id: 16, turn_bytes: 7, sync_frames: 3 }, other),
    ]
    .into()
}

pub fn generated(config: &Config, style: &TracePort) -> Generated {
    tracewright_hdl::generate_funnel("trace_funnel", config, style).unwrap()
}

pub fn build(generated: &Generated, options: &BuildOptions) -> Arc<Library> {
    source(generated).build(options).unwrap()
}

#[test]
fn hardware_and_model_are_equal() {
    for (config, style) in designs() {
        let library = build(&generated(&config, &style), &BuildOptions::default());
        for seed in 0..3 {
            run_at_random(&library, &config, seed)
                .unwrap_or_else(|failure| panic!("{config:?}, seed {seed}: {failure}"));
        }
    }
}

#[test]
fn three_tools_are_silent_about_funnels() {
    for (config, style) in designs() {
        let style = TracePort { clock_enable: config.sources == 5, ..style };
        let generated = generated(&config, &style);
        let files = generated.files.iter().map(|(name, text)| VerilogFile::new(name, text));
        let findings = lint(&files.collect::<Vec<_>>(), &generated.top).unwrap();
        assert!(findings.is_empty(), "{findings:?}");
    }
}

/// A source that has a byte in every cycle takes the whole stream, but for one byte in 16.
#[test]
fn one_source_loses_one_byte_in_sixteen() {
    let mut funnel = Funnel::new(&Config { sync_frames: 4096, ..Config::default() }).unwrap();
    let mut bytes = VecDeque::from(vec![0xa5u8; 15_000]);
    let mut sent = 0;
    for _ in 0..16_020 {
        let offered = [bytes.front().copied(), None];
        if funnel.is_ready(0) {
            bytes.pop_front();
        }
        sent += usize::from(funnel.offered_byte().is_some());
        funnel.clock(&offered, false, true);
    }
    assert!(bytes.is_empty(), "{} bytes wait after {sent} were sent", bytes.len());
}
