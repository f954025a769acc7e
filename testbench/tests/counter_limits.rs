//! Straight runs of every length around the limits of small counters: the same bits however a core
//! cuts them into blocks.

use crate::common::{is_long, sample};
use crate::straight_runs::{runs_around, straight_runs};
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_testbench::design::library;
use tracewright_testbench::stimulus::{Pace, Stimulus};
use tracewright_testbench::{BuildOptions, cosim};

/// Instructions of the longest run: more than four times what the widest counter here counts.
const LONGEST: u64 = 530;

/// Runs straight runs of up to `longest` instructions at both paces.
fn run(preset: &str, changes: &[(&str, &str)], longest: u64) {
    run_events(preset, changes, &straight_runs(longest));
}

/// Runs events at both paces.
fn run_events(preset: &str, changes: &[(&str, &str)], events: &[Event]) {
    let mut design = Design::preset(preset).unwrap();
    changes.iter().for_each(|(name, value)| design.set(name, value).unwrap());
    let library = library(&design, &BuildOptions::default()).unwrap();
    for pace in [Pace::Dense, Pace::OneInstructionPerCycle] {
        let stimulus = Stimulus { seed: 9, pace, ..Stimulus::default() };
        let options = cosim::Options { stimulus, ..cosim::Options::default() };
        let events = events.iter().copied().map(Ok::<_, std::convert::Infallible>);
        let report =
            cosim::run(&library, Encoder::new(&design).unwrap(), events, &options).unwrap();
        assert_eq!(report.failure, None, "{preset}, {changes:?}, {pace:?}");
    }
}

/// How blocks are cut and records sent.
const BLOCKS: [[(&str, &str); 3]; 4] = {
    const fn entry(
        encoder: &'static str,
        retire_count_bits: &'static str,
        port: &'static str,
    ) -> [(&'static str, &'static str); 3] {
        [("encoder", encoder), ("retire_count_bits", retire_count_bits), ("trace_port_width", port)]
    }
    [
        entry("serial", "1", "1"),
        entry("serial", "7", "1"),
        entry("parallel", "4", "16"),
        entry("parallel", "7", "3"),
    ]
};

/// Changes of parameters.
type Changes<'a> = &'a [(&'a str, &'a str)];

/// Runs each of these designs with one way to cut blocks, from the first to the last one, and in `make long-tests` with
/// every way.
fn run_each(designs: &[(&str, Changes<'_>, Changes<'_>)]) {
    let step = (BLOCKS.len() - 1) / (designs.len() - 1);
    for (way, blocks) in BLOCKS.iter().enumerate() {
        for (at, (preset, changes, more)) in designs.iter().enumerate() {
            if is_long() || way == at * step {
                run(preset, &[&blocks[..], changes, more].concat(), LONGEST);
            }
        }
    }
}

#[test]
fn every_length_around_the_limits() {
    let counters = [("instruction_count_bits", "8"), ("branch_count_bits", "3")];
    let registers = [("memory_style", "synchronous"), ("encoder_registers", "true")];
    let clocks = [("time_stamp_bits", "5")];
    let clocks_and_registers = [&clocks[..], &registers].concat();
    run_each(&[
        ("traptor-m4", &counters, &[]),
        ("mctraptor-small-n1-timed", &counters, &clocks),
        ("mctraptor-small-n1-timed", &counters, &clocks_and_registers),
        ("traptor-m4", &counters, &registers),
    ]);
}

#[test]
fn every_length_around_the_limits_of_talon() {
    let counters = [("instruction_count_bits", "8")];
    let registers = [("memory_style", "synchronous"), ("encoder_registers", "true")];
    run_each(&[("talon-s", &counters, &[]), ("talon-xl", &counters, &registers)]);
}

/// Runs without a branch in which the count of overflows comes to its own limit.
#[test]
fn every_length_around_the_limits_of_talons_overflows() {
    let events = runs_around(&[8192 - 128, 8192, 8192 + 128]);
    let jump = Event { target: 0x8000, taken: true, ..Event::straight_run(100, 0x8000) };
    let jump = Event { kind: Kind::DirectJump, length: 4, ..jump };
    let exception = Event::exception(3, 0x8004, 0x1000);
    let jumps = (60..90).flat_map(|jumps| std::iter::repeat_n(jump, jumps).chain([exception]));
    let events: Vec<Event> = events.into_iter().chain(jumps).collect();
    let changes = [("instruction_count_bits", "8"), ("retire_count_bits", "7")];
    run_events("talon-s", &changes, &events);
    let registers = [("memory_style", "synchronous"), ("encoder_registers", "true")];
    run_events("talon-g", &[&changes[..], &registers].concat(), &events);
}

#[test]
fn every_length_around_the_longest_stream() {
    let lengths = [("stream_length_bits", "7")];
    run_each(&[("nexs", &lengths, &[]), ("nexus-n1-timed", &lengths, &[])]);
}

/// The same where streams are looked up in a cache.
#[test]
fn every_length_around_the_longest_cached_stream() {
    let designs = [
        ("stream-base-32", "7", "6", "1"),
        ("stream-ebase-128", "2", "1", "64"),
        ("stream-rbase-64", "5", "4", "5"),
        ("ntuple-32x4", "6", "5", "64"),
        ("ntuple-32x4", "3", "2", "1"),
    ];
    for (preset, stream_length_bits, retire_count_bits, port) in sample(2, designs) {
        let changes = [
            ("stream_length_bits", stream_length_bits),
            ("retire_count_bits", retire_count_bits),
            ("trace_port_width", port),
        ];
        run(preset, &changes, LONGEST);
    }
}
