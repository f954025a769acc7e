//! The golden encoder and decoder of stream cache and last stream predictor against each other, and
//! both against bits written down by hand.

use crate::common;
use crate::common::{MACHINE, event, learn, round_trip};
use crate::streams::{
    bits_of, branch, cut_traces_are_errors, damaged_traces_end, design, hard_places_come_back,
    presets_give_workloads_back, random_configurations_give_programs_back, start, synthetic,
};
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_sim::stream_cache::arbitrary;
use tracewright_sim::stream_cache::config::{
    Config, LastValueStartAddress, MissIndex, StreamCacheShape,
};
use tracewright_sim::stream_cache::encoder::Encoder;

#[test]
fn every_preset_gives_every_workload_back() {
    presets_give_workloads_back("stream-");
}

#[test]
fn random_configurations_give_synthetic_programs_back_with_flushes_anywhere() {
    random_configurations_give_programs_back(|random, alignment, bits| {
        Scheme::StreamCache(arbitrary::config(random, alignment, bits))
    });
}

/// 8 entries of 4 ways: 1 set bit, 2 way bits. Lengths of 3 bits, addresses of 30.
fn small() -> Config {
    Config {
        cache: StreamCacheShape {
            stream_cache_entries: 8,
            stream_length_bits: 3,
            ..StreamCacheShape::default()
        },
        processor: tracewright_sim::config::Processor {
            retire_count_bits: 2,
            ..Default::default()
        },
        ..Config::default()
    }
}

fn stream(config: Config) -> Design {
    design(Scheme::StreamCache(config))
}

/// The flush record where the start can be inferred, of no instructions.
const FLUSH: &str = "0 000  000 01 000";

/// The trace of the events, and a flush, is these records.
#[track_caller]
fn sends(config: &Config, events: &[Event], records: &[&str]) {
    common::sends(Encoder::new(config).unwrap(), events, records);
}

/// A loop of one stream: a miss at the way in, a miss at the loop's head, one wrong prediction, hits.
#[test]
fn a_loop_bit_for_bit() {
    let mut events = vec![branch(2, 0x10, 0x20)];
    events.extend([branch(3, 0x20, 0x20); 5]);
    // (0, 2): set 0, its first free way 1, index 1. (0x20, 3): set (2 xor 3) & 1 = 1, way 0: index
    // 4, sent lowest bit first. Misses leave the previous index at 0: the first repetition is found
    // in the cache, the second is predicted by none, the third by the second.
    let records = ["0 000 010", "0 000 110", "0 001", "0 001", "1", "1", FLUSH];
    sends(&small(), &events, &records);
    // With the allocated index the predictor learns one stream earlier.
    let allocated = Config { miss_index: MissIndex::Allocated, ..small() };
    let records = ["0 000 010", "0 000 110", "0 001", "1", "1", "1", FLUSH];
    sends(&allocated, &events, &records);
}

/// Start addresses are sent after indirect branches and exceptions.
#[test]
fn starts_that_cannot_be_inferred_bit_for_bit() {
    let jump = event(Kind::IndirectJump, 1, 0x0, Some(0x1000));
    let exception = event(Kind::Exception, 2, 0x1004, Some(0x8000_0000));
    let events = [jump, exception, branch(1, 0x8000_0000, 0x40)];
    let (first, second) = (start(0x1000), start(0x8000_0000));
    let records =
        ["0 000 100", &format!("0 000 {first} 000 10 010"), &format!("0 000 {second} 100"), FLUSH];
    sends(&small(), &events, &records);
    // A flush after an indirect branch says where it went.
    sends(&small(), &[jump], &["0 000 100", &format!("0 000 {first} 000 01 000")]);
}

/// The last value of the start address: 14 upper bits, and 16 lower ones above the alignment.
#[test]
fn upper_address_bits_that_stay_are_not_sent() {
    let jump = |at, target| event(Kind::IndirectJump, 1, at, Some(target));
    let events = [jump(0, 0x1000), jump(0x1000, 0x4_2000), jump(0x4_2000, 0x4_3000)];
    let misses = Config { last_value_start_address: LastValueStartAddress::Misses, ..small() };
    let (first, second, third) = (start(0x1000), start(0x4_2000), start(0x4_3000));
    let lower = |start: &String| format!("0 {}", &start[..16]);
    let whole = |start: &String| format!("1 {start}");
    let records = [
        "0 000 100",
        &format!("0 000 {} 100", lower(&first)),
        &format!("0 000 {} 100", whole(&second)),
        &format!("0 000 {} 000 01 000", lower(&third)),
    ];
    sends(&misses, &events, &records);
    // rBASE leaves 12 upper bits to the last value, so all these are the same there.
    let every = Config { last_value_start_address: LastValueStartAddress::Every, ..misses };
    let lower = |start: &String| format!("0 {}", &start[..18]);
    let records = [
        "0 000 100",
        &format!("0 000 {} 100", lower(&first)),
        &format!("0 000 {} 100", lower(&second)),
        &format!("0 000 {} 000 01 000", lower(&third)),
    ];
    sends(&every, &events, &records);
}

/// Under rBASE two streams whose addresses differ in upper bits alone share an entry, and a change of
/// the upper bits is a miss although the lower bits are found.
#[test]
fn a_change_of_upper_bits_is_a_miss() {
    let jump = |at, target| event(Kind::IndirectJump, 1, at, Some(target));
    let (low, high) = (0x1000, 0x10_1000);
    let events = [jump(0, low), jump(low, high), jump(high, high), jump(high, low)];
    let config = Config { last_value_start_address: LastValueStartAddress::Every, ..small() };
    let (low, high) = (start(low), start(high));
    let records = [
        "0 000 100",
        &format!("0 000 0 {} 100", &low[..18]),
        &format!("0 000 1 {high} 100"),
        // (0x1000, 1) is in set 1, way 1, after (0, 1) in way 0.
        "0 101",
        &format!("0 000 1 {low} 000 01 000"),
    ];
    sends(&config, &events, &records);
}

/// Streams of exactly the longest length, cut streams, and a cut right before a branch and a flush.
#[test]
fn streams_at_the_longest_length_bit_for_bit() {
    let not_taken = |n| event(Kind::DirectConditional, n, 4 * (n - 1), None);
    sends(&small(), &[branch(7, 0, 0x40)], &["0 000 111", FLUSH]);
    // Reset leaves cut streams at 0 in the cache: this one is in set (0 xor 7) & 1, way 0, index 4.
    sends(&small(), &[not_taken(7)], &["0 001", FLUSH]);
    // Elsewhere a cut stream is a miss of length 0 with its code.
    let away = branch(1, 0, 0x40);
    let records = ["0 000 100", "0 000 000 00", FLUSH];
    sends(&small(), &[away, not_taken(7)], &records);
    let records = ["0 000 100", "0 000 000 00", "0 000 100", FLUSH];
    sends(&small(), &[away, branch(8, 0x40, 0x80)], &records);
    // Two cuts start 28 bytes apart, and are not one stream.
    let records = ["0 000 100", "0 000 000 00", "0 000 000 00", "0 000  000 01 110"];
    sends(&small(), &[away, not_taken(17)], &records);
    // The same cut stream comes again from the same start.
    let events = [branch(8, 0x1000, 0x1000), branch(8, 0x1000, 0x1000), branch(8, 0x1000, 0x1000)];
    let mut events = events.to_vec();
    let program = learn(MACHINE, &mut events);
    let account = round_trip(&stream(small()), &program, &events, events.len(), "");
    let misses = bits_of(&account, "stream_length") / 3;
    // For the tables the first cut is at 0, as reset leaves it, the others at 0x1000; and the flush.
    assert_eq!(misses, 1 + 2 + 1);
}

fn counting(start: u32, least: u32, most: u32) -> Config {
    Config {
        miss_index: MissIndex::Allocated,
        one_length_counter: true,
        one_length_start_bits: start,
        one_length_least_bits: least,
        one_length_most_bits: most,
        ..small()
    }
}

/// Runs of right predictions: 1 and the run less 1, right before the record that ends it.
#[test]
fn runs_bit_for_bit() {
    let mut events = vec![branch(2, 0x10, 0x20)];
    events.extend([branch(3, 0x20, 0x20); 5]);
    // Three right predictions are the number 2, lowest bit first.
    let records = ["0 000 010", "0 000 110", "0 001", "1 01", FLUSH];
    sends(&counting(2, 0, 20), &events, &records);
    // Five of them fill a counter of 2 bits; the fifth begins another run.
    events.extend([branch(3, 0x20, 0x20); 2]);
    let records = ["0 000 010", "0 000 110", "0 001", "1 11", "1 00", FLUSH];
    sends(&counting(2, 0, 20), &events, &records);
    // A counter of no bits counts one.
    let records = ["0 000 010", "0 000 110", "0 001", "1", "1", "1", "1", "1", FLUSH];
    sends(&counting(0, 0, 0), &events, &records);
}

/// The sizes that the runs of a trace were sent with.
fn run_bits(config: &Config, events: &[Event]) -> Vec<u32> {
    use tracewright_sim::stream_cache::record_former::{Record, RecordFormer};
    use tracewright_sim::stream_source::StreamSource;
    let mut former = RecordFormer::new(config);
    let mut source = StreamSource::new(&config.processor, config.cache.stream_length_bits, true);
    let mut sizes = Vec::new();
    for event in events {
        source.event(event, |stream| {
            former.stream(stream, &mut |record| {
                if let Record::Run { bits, .. } = record {
                    sizes.push(bits);
                }
            });
        });
    }
    sizes
}

/// A long run of hits grows the counter to its upper bound, three full runs a bit.
#[test]
fn the_one_length_counter_grows_to_its_upper_bound() {
    let mut events = vec![branch(3, 0x20, 0x20); 200];
    let config = counting(0, 0, 4);
    let sizes = run_bits(&config, &events);
    let expected: Vec<u32> = [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3].into();
    assert_eq!(sizes[..12], expected);
    assert!(sizes[12..].iter().all(|bits| *bits == 4) && sizes.len() > 18);
    let program = learn(MACHINE, &mut events);
    round_trip(&stream(config), &program, &events, events.len(), "");
}

/// Misses and hits by turns: every run is one long, and shrinks the counter to its lower bound.
#[test]
fn the_one_length_counter_shrinks_to_its_lower_bound() {
    let mut events = vec![branch(1, 0x0, 0x20)];
    for round in 0..60u64 {
        // From a loop's head to one of many tails, which comes straight back.
        let tail = 0x1000 + round % 2 * 0x100;
        events.push(event(Kind::IndirectJump, 2, 0x24, Some(tail)));
        events.push(branch(3, tail, 0x20));
    }
    let config = Config {
        cache: StreamCacheShape { stream_cache_entries: 32, ..small().cache },
        ..counting(6, 2, 20)
    };
    let sizes = run_bits(&config, &events);
    let count = |wanted| sizes.iter().filter(|bits| **bits == wanted).count();
    assert_eq!((count(6), count(5), count(4), count(3)), (8, 8, 8, 8), "{sizes:?}");
    assert!(count(2) > 10 && count(1) + count(0) == 0, "{sizes:?}");
    let program = learn(MACHINE, &mut events);
    round_trip(&stream(config), &program, &events, events.len(), "");
}

/// A loop through more streams than its set has ways misses for ever; one less is found for ever.
#[test]
fn a_full_set_misses_and_one_stream_less_does_not() {
    // 2 sets of 4 ways; starts 0x20 apart and one length share a set, which with length 3 is set 1.
    for (streams, found) in [(4, true), (5, false)] {
        let mut events = Vec::new();
        for at in 0..500u64 {
            let (start, next) = (0x20 * (at % streams), 0x20 * ((at + 1) % streams));
            events.push(branch(3, start, next));
        }
        let program = learn(MACHINE, &mut events);
        let account = round_trip(&stream(small()), &program, &events, events.len(), "");
        let misses = bits_of(&account, "stream_length") / 3;
        assert_eq!(misses - 1, if found { streams } else { 500 });
    }
}

/// Stream caches at the ends of what is legal, on a program that has everything.
#[test]
fn the_smallest_caches_give_everything_back() {
    let (machine, mut events) = synthetic(3, 20_000);
    let program = learn(machine, &mut events);
    for (entries, ways) in [(1, 1), (2, 1), (64, 1), (2, 2), (3, 3), (8, 8), (4096, 8), (56, 7)] {
        for enhancement in [LastValueStartAddress::None, LastValueStartAddress::Every] {
            let mut config = Config {
                last_value_start_address: enhancement,
                one_length_counter: enhancement == LastValueStartAddress::Every,
                ..Config::default()
            };
            config.cache.stream_cache_entries = entries;
            config.cache.stream_cache_ways = ways;
            config.processor.address_width = machine.address_bits.into();
            config.processor.alignment = machine.alignment.into();
            round_trip(&stream(config.clone()), &program, &events, 1_000, &format!("{config:?}"));
        }
    }
}

/// Exceptions right at the start of a stream, after each other, after a cut, and at a system call.
#[test]
fn exceptions_and_flushes_at_every_place() {
    let every =
        [LastValueStartAddress::None, LastValueStartAddress::Misses, LastValueStartAddress::Every];
    hard_places_come_back(every.map(|last_value_start_address| {
        stream(Config { last_value_start_address, one_length_counter: true, ..small() })
    }));
}

#[test]
fn a_cut_trace_is_an_error() {
    cut_traces_are_errors("stream-base-128");
    cut_traces_are_errors("stream-rbase-32");
}

#[test]
fn a_damaged_trace_ends() {
    damaged_traces_end("stream-ebase-64");
}
