//! The golden encoder and decoder of N-tuple compression against each other, and both against bits
//! written down by hand.

use crate::common;
use crate::common::{MACHINE, event, learn, round_trip};
use crate::streams::{
    bits_of, branch, cut_traces_are_errors, damaged_traces_end, design, hard_places_come_back,
    presets_give_workloads_back, random_configurations_give_programs_back, start, synthetic,
};
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::ntuple::arbitrary;
use tracewright_sim::ntuple::config::{Config, TupleUpdate};
use tracewright_sim::ntuple::encoder::Encoder;
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_sim::stream_cache::config::StreamCacheShape;

#[test]
fn every_preset_gives_every_workload_back() {
    presets_give_workloads_back("ntuple-");
}

#[test]
fn random_configurations_give_synthetic_programs_back_with_flushes_anywhere() {
    random_configurations_give_programs_back(|random, alignment, bits| {
        Scheme::Ntuple(arbitrary::config(random, alignment, bits))
    });
}

/// 8 entries of 4 ways: 1 set bit, 2 way bits. Lengths of 3 bits, addresses of 30. Tuples of 2, of
/// which 3 are kept: ages of 2 bits, counts of 1.
fn small() -> Config {
    let mut config = Config {
        cache: StreamCacheShape {
            stream_cache_entries: 8,
            stream_length_bits: 3,
            ..StreamCacheShape::default()
        },
        tuple_length: 2,
        tuple_history_entries: 3,
        tuple_update: TupleUpdate::Every,
        ..Config::default()
    };
    config.processor.retire_count_bits = 2;
    config
}

fn tuples(config: Config) -> Design {
    design(Scheme::Ntuple(config))
}

/// The trace of the events, and a flush, is these records.
#[track_caller]
fn sends(config: &Config, events: &[Event], records: &[&str]) {
    common::sends(Encoder::new(config).unwrap(), events, records);
}

/// A loop: misses as they happen, the tuple of two misses as reset leaves it, new tuples, old ones.
#[test]
fn a_loop_bit_for_bit() {
    let mut events = vec![branch(2, 0x0, 0x20)];
    events.extend([branch(3, 0x20, 0x20); 6]);
    // (0, 2): set 0, its first free way 1. (0x20, 3): set (2 xor 3) & 1 = 1, way 0: index 4.
    let records = [
        &format!("10 {} 010", start(0)),
        &format!("10 {} 110", start(0x20)),
        "0 10",
        "0 00 001 001",
        "0 10",
        // The seventh stream waits for another, which does not come.
        &format!("11 01 1 001 {} 000", start(0x20)),
    ];
    sends(&small(), &events, &records);
    // Tuples of one: each stream by itself, and nothing ever waits.
    let alone = Config { tuple_length: 1, ..small() };
    let records = [
        &format!("10 {} 010", start(0)),
        "0 10",
        &format!("10 {} 110", start(0x20)),
        "0 10",
        "0 00 001",
        "0 10",
        "0 10",
        "0 10",
        "0 10",
        &format!("11 01 {} 000", start(0x20)),
    ];
    sends(&alone, &events, &records);
}

/// A direct jump ends a stream here, and an exception is sent before the tuple it is in.
#[test]
fn jumps_and_exceptions_bit_for_bit() {
    let events = [
        event(Kind::DirectJump, 1, 0x0, Some(0x1000)),
        event(Kind::Exception, 2, 0x1004, Some(0x8000_0000)),
        branch(1, 0x8000_0000, 0x40),
    ];
    let records = [
        &format!("10 {} 100", start(0)),
        &format!("11 10 1 {} 010", start(0x1000)),
        &format!("10 {} 100", start(0x8000_0000)),
        "0 10",
        &format!("11 01 0 {} 000", start(0x40)),
    ];
    sends(&small(), &events, &records);
}

/// Streams of exactly the longest length, and cut ones, which are sent with length 0.
#[test]
fn streams_at_the_longest_length_bit_for_bit() {
    let alone = Config { tuple_length: 1, ..small() };
    let flush = format!("11 01 {} 000", start(0x40));
    let records = [&format!("10 {} 111", start(0)), "0 10", &flush];
    sends(&alone, &[branch(7, 0, 0x40)], &records);
    // From 0 the cut stream is as reset leaves the cache: (0 xor 7) & 1 is set 1, index 4.
    let records = ["0 00 001", &format!("10 {} 100", start(28)), "0 01", &flush];
    sends(&alone, &[branch(8, 0, 0x40)], &records);
    let away = event(Kind::DirectJump, 1, 0x0, Some(0x40));
    let records = [
        &format!("10 {} 100", start(0)),
        "0 10",
        &format!("10 {} 000", start(0x40)),
        "0 10",
        &format!("10 {} 100", start(0x5c)),
        "0 10",
        &format!("11 01 {} 000", start(0x80)),
    ];
    sends(&alone, &[away, branch(8, 0x40, 0x80)], &records);
}

/// So many streams of one instruction in a ring, `apart` bytes, around and around.
fn ring(streams: u64, apart: u64, events: u64) -> Vec<Event> {
    (0..events).map(|at| branch(1, apart * (at % streams), apart * ((at + 1) % streams))).collect()
}

/// A ring of as many tuples as the buffer has is found at its last entry for ever; one more never is.
#[test]
fn a_tuple_is_found_at_the_last_entry_and_not_behind_it() {
    let config = Config {
        cache: StreamCacheShape { stream_cache_entries: 4096, ..StreamCacheShape::default() },
        tuple_length: 4,
        tuple_history_entries: 255,
        ..Config::default()
    };
    for (entries, update) in
        [(255, TupleUpdate::Every), (31, TupleUpdate::Misses), (1, TupleUpdate::Every)]
    {
        let config =
            Config { tuple_history_entries: entries, tuple_update: update, ..config.clone() };
        for (tuples_in_ring, found) in [(u64::from(entries), true), (u64::from(entries) + 1, false)]
        {
            let mut events = ring(4 * tuples_in_ring, 0x10, 20 * 4 * tuples_in_ring);
            let program = learn(MACHINE, &mut events);
            let account = round_trip(&tuples(config.clone()), &program, &events, events.len(), "");
            let written =
                bits_of(&account, "stream_index") / u64::from(4 * config.cache.index_bits());
            // The first round is all misses, which is one tuple as reset leaves it; the second writes
            // every tuple; after that all or none are found.
            let expected = if found { tuples_in_ring } else { 19 * tuples_in_ring };
            assert_eq!(written, expected, "{entries} entries, {tuples_in_ring} tuples");
        }
    }
}

/// More streams than a set has ways miss for ever; one less is found for ever.
#[test]
fn a_full_set_misses_and_one_stream_less_does_not() {
    // Starts 0x40 apart and one length share a set, which with length 1 is set 1 of 2.
    for (streams, found) in [(4, true), (5, false)] {
        let mut events = ring(streams, 0x40, 500);
        let program = learn(MACHINE, &mut events);
        let account = round_trip(&tuples(small()), &program, &events, events.len(), "");
        let misses = bits_of(&account, "stream_length") / 3;
        assert_eq!(misses, if found { streams } else { 500 });
    }
}

/// Stream caches, tuples and buffers at the ends of what is legal, on a program that has everything.
#[test]
fn the_ends_of_every_parameter_give_everything_back() {
    let (machine, mut events) = synthetic(3, 20_000);
    let program = learn(machine, &mut events);
    for (entries, ways) in [(1, 1), (2, 1), (3, 3), (4096, 8)] {
        for tuple_length in [1, 2, 16] {
            for tuple_history_entries in [1, 1023] {
                let mut config =
                    Config { tuple_length, tuple_history_entries, ..Config::default() };
                config.cache.stream_cache_entries = entries;
                config.cache.stream_cache_ways = ways;
                config.processor.address_width = machine.address_bits.into();
                config.processor.alignment = machine.alignment.into();
                let what = format!("{config:?}");
                round_trip(&tuples(config), &program, &events, 1_000, &what);
            }
        }
    }
}

/// Exceptions right at the start of a stream, after each other, after a cut, and at a system call.
#[test]
fn exceptions_and_flushes_at_every_place() {
    hard_places_come_back(
        [1, 2, 3, 16].map(|tuple_length| tuples(Config { tuple_length, ..small() })),
    );
}

#[test]
fn a_cut_trace_is_an_error() {
    cut_traces_are_errors("ntuple-32x4");
}

#[test]
fn a_damaged_trace_ends() {
    damaged_traces_end("ntuple-32x4");
}
