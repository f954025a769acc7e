//! Times in headers.

use tracewright_sim::config::mask;
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::Event;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::packet::part::Part;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::session::{Detail, Session};

use super::{Workload, encode, load, packets, presets};
use crate::common::packet_damage::decode_from;

/// The times of a trace, each with the instructions of the events before it.
fn times_of(parts: &[Part]) -> Vec<(u64, u64)> {
    let (mut instructions, mut times) = (0, Vec::new());
    for part in parts {
        match part {
            Part::Event(event) => instructions += event.instructions,
            Part::Time(time) => times.push((*time, instructions)),
            Part::State(_) | Part::Unverified | Part::Gap(_) => panic!("{part:?}"),
        }
    }
    times
}

/// An encoder that is given no times takes one instruction for a cycle.
#[test]
fn times_come_back() {
    let workload = load("rv32imac-traps", 20_000);
    let sources = [("40", "counter"), ("9", "gray"), ("64", "binary"), ("64", "gray")];
    for (number, preset) in presets().iter().enumerate() {
        let (bits, source) = sources[number % sources.len()];
        let settings = [("time_bits", bits), ("time_source", source), ("checksum_bits", "8")];
        let design = packets(preset, workload.machine, &settings);
        let (bytes, _) = encode(&design, &workload.events);
        let (parts, _) = decode_from(&design, &workload.program, &bytes, 0);
        let times = times_of(&parts);
        assert!(times.len() > 10, "{preset}: {} times", times.len());
        for (time, instructions) in times {
            assert_eq!(time, instructions & mask(design.protocol().time_bits), "{preset}");
        }
    }
}

/// The time of a header is that of the last block, as the caller says it.
#[test]
fn an_encoder_is_told_the_time() {
    let Workload { machine, events, program } = load("arm-stringsearch", 3_000);
    let settings = [("time_bits", "48"), ("time_source", "gray")];
    let design = packets("traptor-m4", machine, &settings);
    let mut encoder = Encoder::new(&design).unwrap();
    let time_of = |number: usize| 1_000_000_007 * number as u64;
    let mut trace = BitPacker::new();
    for (number, event) in events.iter().enumerate() {
        encoder.event(event, &mut trace).unwrap();
        encoder.detail(Detail::Time(time_of(number)), &mut trace).unwrap();
    }
    encoder.flush(&mut trace);
    let (parts, _) = decode_from(&design, &program, &trace.finish(), 0);
    let mut told = 0;
    let mut before: Option<usize> = None;
    for part in &parts {
        match part {
            Part::Event(_) => before = Some(before.map_or(0, |before| before + 1)),
            Part::Time(time) => {
                assert_eq!(*time, time_of(before.unwrap()) & mask(48));
                told += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(told > 3, "{told} times");
}

/// A time costs its bits in each header, and nothing else changes.
#[test]
fn times_cost_their_bits() {
    let Workload { machine, events, .. } = load("rv64-djpeg", 20_000);
    let bits = |settings: &[(&str, &str)], events: &[Event]| {
        let (_, account) = encode(&packets("talon-s", machine, settings), events);
        let stuffed = |(field, _): &&(&str, u64)| *field == "stuffing";
        let stuffing = account.fields.iter().find(stuffed).map_or(0, |(_, bits)| *bits);
        let time = account.fields.iter().find(|(field, _)| *field == "time");
        (account.bits - stuffing, time.map_or(0, |(_, bits)| *bits))
    };
    let (without, none) = bits(&[], &events);
    let (with, time) = bits(&[("time_bits", "32")], &events);
    assert_eq!((none, time % 32), (0, 0));
    assert!(time > 10 * 32, "{time}");
    assert_eq!(with, without + time);
}

#[test]
fn a_source_of_no_time_is_refused() {
    let mut design = Design::preset("traptor-m4").unwrap();
    design.set("framing", "packets").unwrap();
    design.set("time_source", "gray").unwrap();
    let error = design.validate().unwrap_err().to_string();
    assert!(error.contains("`time_source`"), "{error}");
    assert!(error.ends_with("it needs time_bits of at least 1"), "{error}");
}
