//! The papers' cycle claims of streams, measured: the stream cache takes a stream a clock, hit or miss,
//! and a stream buffer of two entries never makes a processor wait.

use std::sync::Arc;

use crate::common::{is_long, sample};
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_testbench::cosim::{self, Report};
use tracewright_testbench::design::library;
use tracewright_testbench::stimulus::{Pace, Stimulus};
use tracewright_testbench::{BuildOptions, Library};

const STREAMS: u64 = 20_000;

/// A stream of one instruction every cycle, in rings of so many.
fn ring(streams: u64) -> Vec<Event> {
    (0..STREAMS).map(|at| event(1, 0x10 * (at % streams), 0x10 * ((at + 1) % streams))).collect()
}

fn event(instructions: u64, start: u64, target: u64) -> Event {
    Event {
        instructions,
        program_counter: start + 4 * (instructions - 1),
        target,
        kind: Kind::DirectConditional,
        call: false,
        is_return: false,
        taken: true,
        length: 4,
        thread: 0,
    }
}

fn design(preset: &str, depth: u32) -> Design {
    let mut design = Design::preset(preset).unwrap();
    for (name, value) in [
        ("stream_buffer_depth", depth),
        ("trace_port_width", 64),
        ("fifo_bits", 512),
        ("stream_length_bits", 5),
        ("retire_count_bits", 4),
    ] {
        design.set(name, &value.to_string()).unwrap();
    }
    design
}

fn run(library: &Arc<Library>, design: &Design, events: &[Event]) -> Report {
    let stimulus = Stimulus { pace: Pace::Dense, ..Stimulus::default() };
    let options = cosim::Options { stimulus, ..cosim::Options::default() };
    let events = events.iter().copied().map(Ok::<_, std::convert::Infallible>);
    let report = cosim::run(library, Encoder::new(design).unwrap(), events, &options).unwrap();
    assert_eq!(report.failure, None);
    report
}

/// Paper B lets the stream cache take one clock for a hit and two for a miss; here both take one. One
/// entry of the stream buffer is free only every other clock; two are enough, as the paper says.
#[test]
fn two_entries_are_enough_and_one_is_not() {
    let designs = [
        ("stream-ebase-32", "asynchronous"),
        ("ntuple-32x4", "asynchronous"),
        ("stream-ebase-32", "synchronous"),
        ("ntuple-32x4", "synchronous"),
    ];
    for (preset, style) in sample(3, designs) {
        let depths = [(1, false), (2, true), (4, true)];
        for (depth, enough) in depths.into_iter().take(if is_long() { 3 } else { 2 }) {
            let mut design = design(preset, depth);
            design.set("memory_style", style).unwrap();
            let library = library(&design, &BuildOptions::default()).unwrap();
            // All found after a round; none ever found.
            for streams in [3, 1000] {
                let report = run(&library, &design, &ring(streams));
                println!(
                    "{preset}, {style}, {depth} entries, {streams} streams: {} stalls",
                    report.stall_cycles
                );
                assert_eq!(report.blocks, STREAMS);
                if enough {
                    assert_eq!(report.stall_cycles, 0);
                } else {
                    assert!(report.stall_cycles.abs_diff(STREAMS) < 10, "{}", report.stall_cycles);
                }
            }
        }
    }
}

/// Blocks that end two streams, a cut one and another, between blocks that end one.
#[test]
fn two_streams_of_a_block_are_no_more_than_two_entries_hold() {
    let designs = [
        ("stream-rbase-128", "asynchronous"),
        ("ntuple-32x4", "asynchronous"),
        ("stream-rbase-128", "synchronous"),
    ];
    for (preset, style) in sample(2, designs) {
        let mut design = design(preset, 2);
        design.set("memory_style", style).unwrap();
        let library = library(&design, &BuildOptions::default()).unwrap();
        let mut events = Vec::new();
        for round in 0..500u64 {
            // 31 instructions are the longest: in blocks of 15 the third one cuts and ends.
            let start = 0x1000 * (round % 7);
            events.push(event(31 + round % 14 + 1, start, start + 0x800));
            events.extend((0..round % 5).map(|_| event(1, start + 0x800, start + 0x800)));
            events.push(event(1, start + 0x800, 0x1000 * ((round + 1) % 7)));
        }
        let report = run(&library, &design, &events);
        assert_eq!(report.stall_cycles, 0, "{preset}");
    }
}
