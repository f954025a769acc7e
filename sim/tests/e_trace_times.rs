//! E-Trace without packets, with the time in starts and traps.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tracewright_sim::config::mask;
use tracewright_sim::decode::summary::TimeStamp;
use tracewright_sim::e_trace::arbitrary;
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Event, Machine};
use tracewright_sim::filter::{Mode, Range, Settings};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::parameter::Value;
use tracewright_sim::program::Program;
use tracewright_sim::scheme::{self, Design, Encoder, Scheme};
use tracewright_sim::session::{Detail, Session, Synchronisation, Turn};

use crate::common::learn;
use crate::streams::{design, synthetic};

/// A design whose payloads say the time.
fn timed(random: &mut ChaCha8Rng, machine: Machine) -> Design {
    let (alignment, bits) = (machine.alignment.into(), machine.address_bits.into());
    loop {
        let design = design(Scheme::ETrace(arbitrary::config(random, alignment, bits)));
        if design.protocol().told_time_bits() > 0 {
            return design;
        }
    }
}

/// The time stamps of a trace.
fn stamps(design: &Design, program: &Program, bytes: &[u8]) -> Vec<TimeStamp> {
    let (mut stamps, mut bits) = (Vec::new(), BitUnpacker::new(bytes));
    let emit = |_| Ok(());
    scheme::decode_timed(design, program, &mut bits, u64::MAX, emit, |stamp| {
        stamps.push(stamp);
        Ok::<(), Box<dyn std::error::Error>>(())
    })
    .unwrap();
    stamps
}

/// Each time is that of the event at the payload's address: the last one that the payload tells, or the one after it.
#[track_caller]
fn are_of_their_events(stamps: &[TimeStamp], times: &[u64], bits: u32, what: &str) {
    for TimeStamp { core, clock, events, .. } in stamps {
        let at = |place: u64| times.get(place as usize).map(|time| time & mask(bits));
        let known = [events.checked_sub(1).and_then(at), at(*events)];
        assert!(known.contains(&Some(*clock)), "{what}: {clock} after {events} events: {known:?}");
        assert_eq!(*core, 0, "{what}");
    }
}

/// Files of the design say that its payloads have the time, and how.
#[track_caller]
fn is_stated(design: &Design) {
    let (all, stated) = (design.values(), design.stated_values_in_files());
    for name in ["time_bits", "time_source"] {
        let value = all.iter().find(|(known, _)| *known == name).unwrap();
        let is_default = *value == ("time_source", Value::Word("counter"));
        assert!(stated.contains(value) || is_default, "{value:?} of {}", design.name);
    }
}

/// The caller says when each block retires; a Gray code at the pin is a number in the trace.
#[test]
fn starts_and_traps_say_the_time_of_their_block() {
    let mut count = 0;
    for seed in 0..300 {
        let (machine, mut events) = synthetic(seed, 300);
        let program = learn(machine, &mut events);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let design = timed(&mut random, machine);
        is_stated(&design);
        let (mut encoder, mut bits) = (Encoder::new(&design).unwrap(), BitPacker::new());
        assert_eq!(encoder.terms().protocol.told_time_bits(), design.protocol().time_bits);
        let times: Vec<u64> =
            (0..events.len() as u64).map(|n| n.wrapping_mul(0x0123_4567_89ab_cdef)).collect();
        for (number, event) in events.iter().enumerate() {
            if number % 23 == 5 {
                encoder.turn(Turn::Synchronise(Synchronisation::Periodic), &mut bits);
            }
            encoder.event(event, &mut bits).unwrap();
            encoder.detail(Detail::Time(times[number]), &mut bits).unwrap();
            if number % 61 == 60 {
                encoder.flush(&mut bits);
            }
        }
        encoder.flush(&mut bits);
        let stamps = stamps(&design, &program, &bits.finish());
        count += stamps.len();
        are_of_their_events(&stamps, &times, design.protocol().time_bits, &format!("{seed}"));
    }
    assert!(count > 5_000, "{count} times");
}

fn base(machine: Machine, changes: &[(&str, &str)]) -> Design {
    let mut design = Design::preset("etrace-base").unwrap();
    let bits = machine.address_bits.to_string();
    let always = [("enable_pin", "true"), ("address_width", &bits)];
    always.iter().chain(changes).for_each(|(name, value)| design.set(name, value).unwrap());
    design.for_machine(machine).unwrap()
}

/// The instructions up to and with each event.
fn retired(events: &[Event]) -> Vec<u64> {
    let mut sum = 0;
    let add = |event: &Event| {
        sum += event.instructions;
        sum
    };
    events.iter().map(add).collect()
}

/// An encoder that is told no times takes one instruction for a cycle. The payload has as many bits as its header can say
/// bytes with the widest of all fields.
#[test]
fn instructions_are_the_time_of_an_encoder_that_is_told_none() {
    let widest: &[(&str, &str)] = &[
        ("time_bits", "64"),
        ("privilege_bits", "2"),
        ("context_bits", "16"),
        ("trap_cause_bits", "16"),
        ("cause_bits", "17"),
        ("resync_max", "2"),
    ];
    for (seed, changes) in (40..).zip([widest, &[("time_bits", "9"), ("resync_max", "1")]]) {
        let (machine, mut events) = synthetic(seed, 2_000);
        let program = learn(machine, &mut events);
        let design = base(machine, changes);
        let (mut encoder, mut bits) = (Encoder::new(&design).unwrap(), BitPacker::new());
        events.iter().for_each(|event| encoder.event(event, &mut bits).unwrap());
        encoder.flush(&mut bits);
        let stamps = stamps(&design, &program, &bits.finish());
        assert!(stamps.len() > 100, "{} times", stamps.len());
        let bits = design.protocol().time_bits;
        are_of_their_events(&stamps, &retired(&events), bits, &format!("{seed}"));
    }
}

/// Instructions that do not pass a filter take their time, too.
#[test]
fn what_does_not_pass_a_filter_takes_time() {
    let (machine, events) = synthetic(7, 4_000);
    let design = base(machine, &[("time_bits", "40"), ("filter_ranges", "1")]);
    let low = events.iter().find(|event| event.taken).unwrap().target;
    let range = Range { low, high: low + 400, mode: Mode::Include };
    let settings = Settings { ranges: vec![range], ..Settings::default() };
    let times = |settings: Settings| {
        let encoder = Encoder::new(&design).unwrap().filtered(&design, settings).unwrap();
        let mut sinks = (encoder, Times { known: retired(&events), ..Times::default() });
        events.iter().for_each(|event| sinks.0.event(event, &mut sinks.1).unwrap());
        sinks.0.flush(&mut sinks.1);
        sinks.1.found
    };
    let (filtered, all) = (times(settings), times(Settings::default()));
    assert!(filtered.len() > 10, "{} times", filtered.len());
    assert!(all.len() > 1 && filtered.last() > all.first(), "{filtered:?} {all:?}");
}

/// The times that go into a trace, all of which are known.
#[derive(Default)]
struct Times {
    known: Vec<u64>,
    low: u64,
    count: u32,
    found: Vec<u64>,
}

impl tracewright_sim::field::Sink for Times {
    fn put(&mut self, field: &tracewright_sim::field::Field, bits: u64, count: u32) {
        if field.name != "time" {
            return;
        }
        self.low |= bits << self.count;
        self.count += count;
        if self.count == 40 {
            assert!(self.known.contains(&self.low), "{}", self.low);
            assert!(self.found.last().is_none_or(|last| *last <= self.low));
            self.found.push(std::mem::take(&mut self.low));
            self.count = 0;
        }
    }

    fn align(&mut self, _: u32) {}
}

#[test]
fn a_time_needs_payloads_that_say_where_the_trace_begins() {
    let needs = "it needs enable_pin = true, or framing = packets";
    for (preset, constraint) in
        [("etrace-base", needs), ("traptor-m4", "it needs framing = packets")]
    {
        let mut design = Design::preset(preset).unwrap();
        design.set("time_bits", "32").unwrap();
        let error = design.validate().unwrap_err().to_string();
        assert!(error.contains("`time_bits`") && error.ends_with(constraint), "{error}");
    }
}
