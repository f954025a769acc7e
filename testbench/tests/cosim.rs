//! Co-simulation passes a module that is right, and finds what is wrong with one that is not.

use crate::common;
use std::convert::Infallible;
use std::fs;

use crate::common::{RECORD, Toy, ToyGolden, events, source};
use tracewright_sim::event::{Access, Event, Kind};
use tracewright_sim::field::Sink;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::session::raw::Raw;
use tracewright_testbench::cosim::{AnyError, Failure, Options, Report, run, run_with_waves};
use tracewright_testbench::stimulus::{Pace, Ready, Stimulus};
use tracewright_testbench::{Error, Port};

fn cosimulate(toy: &Toy, events: &[Event], stimulus: Stimulus) -> Report {
    let options = Options { stimulus, watchdog_cycles: 2_000, ..Options::default() };
    run(&toy.library(false), toy.golden(), source(events), &options).expect("a report")
}

/// The failure of a faulty module, with the sink ready at random.
fn failure(fault: &'static str) -> Failure {
    let toy = Toy { fault: Some(fault), ..Toy::default() };
    let stimulus = Stimulus { ready: Ready::Random, ..Stimulus::default() };
    cosimulate(&toy, &events(1, 5_000, 32), stimulus).failure.expect("a failure")
}

fn rule(failure: &Failure) -> &'static str {
    match failure {
        Failure::Protocol { rule, .. } => rule,
        other => panic!("{other}"),
    }
}

#[test]
fn a_right_module_passes_whatever_it_is_shown() {
    let toy = Toy::default();
    let events = events(1, 3_000, 32);
    let instructions: u64 = events.iter().map(|event| event.instructions).sum();
    for (seed, ready) in [Ready::Always, Ready::Random, Ready::Bursts, Ready::NeverFor(4_000)]
        .into_iter()
        .enumerate()
    {
        for pace in [Pace::Dense, Pace::OneInstructionPerCycle] {
            for bubble_percent in [0, 40, 95] {
                let stimulus = Stimulus {
                    seed: seed as u64,
                    ready,
                    pace,
                    bubble_percent,
                    ..Stimulus::default()
                };
                let report = cosimulate(&toy, &events, stimulus.clone());
                assert_eq!(report.failure, None, "{stimulus:?}");
                assert_eq!(report.events, 3_000);
                assert_eq!(report.instructions, instructions);
                assert_eq!(report.reset_cycles, 64);
                assert_eq!(report.bits % 8, 0);
                assert!(report.fifo_high_water_bits <= 152, "{report:?}");
                if pace == Pace::OneInstructionPerCycle {
                    assert!(report.blocks >= instructions && report.cycles > instructions);
                }
            }
        }
    }
}

#[test]
fn every_shape_of_module_passes() {
    let widths = [(1, 32, 4), (3, 64, 1), (8, 32, 8), (16, 64, 4), (33, 32, 3), (64, 64, 16)];
    for (index, (port_width, address_width, count_width)) in widths.into_iter().enumerate() {
        let asynchronous = index % 2 == 1;
        let toy = Toy { port_width, address_width, count_width, asynchronous, fault: None };
        let stimulus = Stimulus {
            seed: 7,
            ready: Ready::Bursts,
            bubble_percent: 20,
            flush_interval: Some(77),
            ..Stimulus::default()
        };
        let report = cosimulate(&toy, &events(2, 2_000, address_width), stimulus);
        assert_eq!(report.failure, None, "{toy:?}");
        assert!(report.bits > 13 * 1_500, "{report:?}");
    }
}

#[test]
fn counts_are_what_they_say() {
    let toy = Toy { port_width: 13, ..Toy::default() };
    let jump = Event {
        instructions: 20,
        program_counter: 0x100,
        target: 0x200,
        kind: Kind::DirectJump,
        call: false,
        is_return: false,
        taken: true,
        length: 4,
        thread: 0,
    };
    let report = cosimulate(&toy, &[jump; 4], Stimulus::default());
    assert_eq!(report.failure, None);
    assert_eq!((report.events, report.instructions, report.blocks), (4, 80, 8));
    assert_eq!(report.bits, 13 * 5, "four records and the flush record, one word each");
    assert_eq!((report.reset_cycles, report.stall_cycles), (64, 0));
    assert_eq!(report.fifo_high_water_bits, 13);
    assert!(report.cycles >= 64 + 8 && report.cycles < 64 + 8 + 10, "{report:?}");

    let held_up = Stimulus { ready: Ready::NeverFor(500), ..Stimulus::default() };
    let report = cosimulate(&toy, &[jump; 40], held_up);
    assert_eq!(report.failure, None);
    assert!(report.stall_cycles > 300 && report.cycles > 500, "{report:?}");
    assert_eq!(report.fifo_high_water_bits, 130);
}

#[test]
fn an_empty_trace_is_a_flush_record() {
    let report = cosimulate(&Toy::default(), &[], Stimulus::default());
    assert_eq!(report.failure, None);
    assert_eq!((report.events, report.blocks, report.bits), (0, 0, 16));
}

#[test]
fn the_same_seed_does_the_same_and_another_does_not() {
    let toy = Toy::default();
    let events = events(3, 500, 32);
    let stimulus =
        |seed| Stimulus { seed, ready: Ready::Random, bubble_percent: 30, ..Stimulus::default() };
    let first = cosimulate(&toy, &events, stimulus(1));
    assert!(first.passed() && first.same_as(&cosimulate(&toy, &events, stimulus(1))));
    assert!(!first.same_as(&cosimulate(&toy, &events, stimulus(2))));
    assert!(first.cycles_per_second() > 0.0);
}

#[test]
fn a_wrong_bit_is_told_with_its_place() {
    let toy = Toy { fault: Some("FAULT_RARE"), ..Toy::default() };
    let mut events = events(4, 4_000, 32);
    // The fault inverts `taken` in the record of a jump at this address.
    for (index, event) in events.iter_mut().enumerate() {
        event.program_counter &= !4;
        if index == 1_234 {
            let kind = Kind::DirectJump;
            *event =
                Event { program_counter: 0x555 << 2, taken: true, kind, instructions: 2, ..*event };
        }
    }
    let records = events[..1_234].iter().filter(|e| e.kind != Kind::Exception || e.taken).count();
    let report = cosimulate(&toy, &events, Stimulus::default());
    let Some(Failure::Mismatch(mismatch)) = &report.failure else { panic!("{report:?}") };
    assert_eq!(mismatch.event, Some(1_234));
    assert_eq!(mismatch.bit, 13 * records as u64 + 7);
    assert_eq!(report.bits, mismatch.bit);
    assert_eq!(mismatch.actual.count, 64);
    assert!(mismatch.expected.count >= 6);
    let difference = mismatch.expected.bits ^ mismatch.actual.bits;
    let common = u64::MAX >> (64 - mismatch.expected.count);
    assert_eq!(difference & common, 1, "{mismatch:?}");
    assert!(mismatch.event_at_input >= 1_234 && mismatch.event_at_input < 1_260);
    let text = report.failure.as_ref().map(Failure::to_string).unwrap_or_default();
    assert!(text.contains(&format!("trace bit {}: expected 1", mismatch.bit)), "{text}");
    assert!(text.contains("(record of event 1234,"), "{text}");
}

#[test]
fn memory_that_is_not_cleared_is_found() {
    assert!(matches!(failure("FAULT_NO_SWEEP"), Failure::Mismatch(_)));
}

#[test]
fn a_pin_that_says_nothing_must_not_be_read() {
    // The target of an event that is not taken is 0 in the trace, and noise on the pins.
    assert!(matches!(failure("FAULT_UNTAKEN_TARGET"), Failure::Mismatch(_)));
    assert!(matches!(failure("FAULT_EXCEPTION_CALLS"), Failure::Mismatch(_)));
}

#[test]
fn a_flush_in_the_clock_of_a_block_loses_nothing() {
    let stimulus = Stimulus { flush_interval: Some(10), ..Stimulus::default() };
    let drops = Toy { fault: Some("FAULT_FLUSH_DROPS_BLOCK"), port_width: 64, ..Toy::default() };
    let report = cosimulate(&drops, &events(1, 1_000, 32), stimulus.clone());
    assert!(matches!(report.failure, Some(Failure::Mismatch(_))), "{report:?}");

    let never = Stimulus { flush_interval: Some(0), ..stimulus };
    assert!(cosimulate(&Toy::default(), &events(1, 100, 32), never).passed());
}

#[test]
fn broken_rules_of_the_pins_are_found() {
    assert!(rule(&failure("FAULT_DATA_MOVES")).starts_with("`trace_data` changed"));
    assert!(rule(&failure("FAULT_STALL_FOLLOWS_VALID")).starts_with("`stall` follows"));
}

#[test]
fn a_flush_that_is_never_done_or_too_early_is_found() {
    let Failure::Hang { waiting_for, .. } = failure("FAULT_NEVER_FLUSHED") else { panic!() };
    assert_eq!(waiting_for, "`flushed`");
    let Failure::Hang { waiting_for, cycle, .. } = failure("FAULT_NEVER_STARTS") else { panic!() };
    assert_eq!((waiting_for, cycle), ("`stall` to fall after reset", 2_000));
}

#[test]
fn bits_that_are_not_flushed_are_missed() {
    let toy = Toy { fault: Some("FAULT_FLUSHED_EARLY"), port_width: 64, ..Toy::default() };
    let report = cosimulate(&toy, &[], Stimulus::default());
    let Some(Failure::Mismatch(mismatch)) = report.failure else { panic!("{report:?}") };
    assert_eq!((mismatch.bit, mismatch.expected.count, mismatch.actual.count), (0, 64, 0));

    // A golden encoder that owes more than the module has.
    struct More(Raw<ToyGolden>);
    impl GoldenEncoder for More {
        type Error = Infallible;

        fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), Infallible> {
            self.0.event(event, sink)
        }

        fn access<S: Sink>(&mut self, _: &Access, _: &mut S) -> Result<(), Infallible> {
            Ok(())
        }

        fn flush<S: Sink>(&mut self, sink: &mut S) {
            self.0.flush(sink);
            sink.put(&RECORD, 0b101, 3);
        }
    }
    let toy = Toy::default();
    let options = Options::default();
    let report =
        run(&toy.library(false), Raw(More(toy.golden())), source(&[]), &options).expect("a report");
    let Some(Failure::Mismatch(mismatch)) = report.failure else { panic!("{report:?}") };
    assert_eq!((mismatch.bit, mismatch.event), (16, None));
    assert_eq!((mismatch.expected.to_string().as_str(), mismatch.actual.count), ("101", 0));
}

#[test]
fn a_failure_leaves_waves_of_the_clocks_before_it() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("failure.vcd");
    let toy = Toy { fault: Some("FAULT_RARE"), ..Toy::default() };
    let events = events(5, 20_000, 32);
    let stimulus = Stimulus { ready: Ready::Random, bubble_percent: 10, ..Stimulus::default() };
    let options = Options { stimulus, ..Options::default() };
    let library = toy.library(true);
    let make = || Ok((toy.golden(), source(&events)));
    let report = run_with_waves(&library, make, &options, path.clone(), 50).expect("a report");
    let cycle = report.failure.as_ref().expect("a failure").cycle();
    assert!(cycle > 100, "{cycle}");
    let text = fs::read_to_string(&path).expect("a file of waves");
    let times = text.lines().filter_map(|line| line.strip_prefix('#')?.parse::<u64>().ok());
    let times: Vec<u64> = times.collect();
    // Four clocks of reset come before clock 0.
    assert_eq!(times.first(), Some(&((cycle - 50 + 4) * 10)));
    assert!(times.last() >= Some(&((cycle + 4) * 10 + 5)));
    assert!(times.len() < 2 * (50 + 4096 + 2), "{}", times.len());

    let right = Toy::default();
    let path = directory.path().join("none.vcd");
    let make = || Ok((right.golden(), source(&events)));
    let report =
        run_with_waves(&right.library(true), make, &options, path.clone(), 50).expect("a report");
    assert!(report.passed() && !path.exists());
}

#[test]
fn trouble_with_the_trace_is_an_error() {
    let toy = Toy::default();
    let (library, options) = (toy.library(false), Options::default());
    let broken: [Result<Event, AnyError>; 1] = [Err(AnyError::from("the file ends"))];
    let error = run(&library, toy.golden(), broken, &options).expect_err("no events");
    assert_eq!(error.to_string(), "the events: the file ends");

    let far = Event { program_counter: 1 << 40, ..events(1, 1, 32)[0] };
    let error = run(&library, toy.golden(), source(&[far]), &options).expect_err("far away");
    assert!(matches!(error, Error::Unpresentable { index: 0, .. }), "{error}");
}

#[test]
fn a_module_without_the_pins_is_an_error() {
    let counter = common::counter();
    let library = counter.build(&Default::default()).expect("a model");
    let toy = Toy::default();
    let error =
        run(&library, toy.golden(), source(&[]), &Options::default()).expect_err("a counter");
    assert!(matches!(error, Error::NoPort { .. }), "{error}");

    let mut other = toy.source();
    let text =
        other.files[0].text.replace("input [3:0] retire_length", "input [4:0] retire_length");
    other.files[0].text = text;
    other.ports[5] = Port::input("retire_length", 5);
    let library = other.build(&Default::default()).expect("a model");
    let error = run(&library, toy.golden(), source(&[]), &Options::default()).expect_err("5 bits");
    assert_eq!(error.to_string(), "`toy_trace` has no input `retire_length` of 4 bits");
}
