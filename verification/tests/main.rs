//! The library as `make check-quick` runs it: one design of each kind on a real and a synthetic program.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod coverage;
mod one_core;
mod regions;
mod regression;
mod shards;
mod system_joints;
mod unseen;
mod worst;

use std::path::{Path, PathBuf};

use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::scheme::Design;
use tracewright_testbench::stimulus::{Ready, Stimulus};
use tracewright_verification::measurement::measure;
use tracewright_verification::{Progress, Setup, Source, cosimulate};

const EVENTS: u64 = 20_000;

/// `make long-tests` runs every test at its full length.
fn is_long() -> bool {
    std::env::var_os("LONG_TESTS").is_some()
}

fn trace(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../workloads").join(name)
}

fn stalled(seed: u64) -> Setup<'static> {
    let stimulus = Stimulus { seed, ready: Ready::Random, ..Stimulus::default() };
    Setup { stimulus, ..Setup::default() }
}

#[test]
fn hardware_model_and_decoder_agree() {
    let preset = Design::preset("traptor-m4").expect("a preset");
    let sources = [
        Source::trace(trace("arm-stringsearch.pet.zst"), Some(EVENTS), EventLimit::default()),
        Source::synthetic(3, Some(EVENTS), std::slice::from_ref(&preset)),
    ];
    for (seed, source) in (0..).zip(sources) {
        let workload = source.learn(&Progress::silent()).expect("a program");
        let design = workload.design(&preset).expect("a design for its machine");
        let done = cosimulate(&stalled(seed), &design, &workload, &Progress::silent());
        let done = done.expect("the tools");
        assert_eq!(done.failure, None);
        assert!(done.decoded_equal == Some(true) && done.bits > 0, "{done:?}");
        assert_eq!(workload.learned().events, EVENTS);
    }
}

/// The hardware sends as many bits as `measure` counts.
#[test]
fn as_many_bits_as_measured() {
    let name = "rv32-synthetic-data.pet.zst";
    let preset = Design::preset("stride-32").expect("a preset");
    let workload = Source::trace(trace(name), None, EventLimit::default())
        .learn(&Progress::silent())
        .expect("a program");
    let design = workload.design(&preset).expect("a design for its machine");
    let done = cosimulate(&stalled(1), &design, &workload, &Progress::silent()).expect("the tools");
    assert!(done.failure.is_none() && done.decoded_equal == Some(true), "{done:?}");
    let measured = measure(&[design], &[trace(name)], EventLimit::default(), &Progress::silent())
        .expect("measurements");
    assert_eq!((measured.len(), measured[0].bits), (1, done.bits));
    assert!(measured[0].field("address").is_some_and(|bits| bits > 0));
}

/// Blocks are lost, and the rest decodes, with tables that are cleared after each loss, and in the right states.
#[test]
fn what_was_not_lost_decodes() {
    let all =
        [("stream-rbase-64", 1404), ("traptor-m4", 1404), ("talon-s", 1401), ("etrace-base", 1404)];
    // Without `LONG_TESTS` it is one with tables and one without.
    let step = if is_long() { 1 } else { 2 };
    for (name, seed) in all.into_iter().skip(step - 1).step_by(step) {
        let mut preset = Design::preset(name).expect("a preset");
        for (parameter, value) in [
            ("framing", "packets"),
            ("sync_interval", "1024"),
            ("when_full", "drop"),
            ("checksum_bits", "8"),
            ("context_bits", "16"),
            ("privilege_bits", "2"),
            ("cause_bits", "8"),
        ] {
            preset.set(parameter, value).expect("a parameter");
        }
        let source = Source::synthetic(seed, None, std::slice::from_ref(&preset));
        let workload = source.learn(&Progress::silent()).expect("a program");
        let design = workload.design(&preset).expect("a design for its machine");
        let done = cosimulate(&stalled(3), &design, &workload, &Progress::silent());
        let done = done.expect("the tools");
        assert_eq!(done.failure, None, "{name}");
        assert_eq!(done.decoded_equal, Some(true), "{name}: {done:?}");
        assert!(done.report.lost_instructions > 0, "{name}: {done:?}");
    }
}
