//! The blocks of stream cache and N-tuple, in RustHDL's simulation, against their twins.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_elaborate::prelude::*;
use tracewright_hdl as hdl;
use tracewright_hdl::parts::predictor_table::Reading;
use tracewright_sim as sim;
use tracewright_sim::config::{Processor, index_bits, mask};
use tracewright_sim::event::{Event, Kind as EventKind};
use tracewright_sim::ntuple::config::{Config as Ntuple, TupleUpdate};
use tracewright_sim::stream_cache::config::{
    Config, LastValueStartAddress, MissIndex, OneLengthReset, StreamCacheShape,
};
use tracewright_sim::stream_cache::stream_cache::Descriptor;
use tracewright_sim::stream_source::BRANCH_CODE;

use crate::steps;

const STEPS: usize = 4_000;
const READINGS: [Reading; 3] = [Reading::WithinCycle, Reading::IntoRegister, Reading::AtEdge];

fn word(width: usize, value: u64) -> Word {
    Word::new(width, value & mask(width as u32))
}

/// Clears a block's tables by `$entries` clocks of its `clear` port.
macro_rules! clear {
    ($hardware:expr, $bits:expr, $entries:expr) => {
        for index in 0..u64::from($entries) {
            $hardware.poke(|block| {
                block.clear.valid.next = true.into();
                block.clear.index.next = word($bits, index);
            });
            $hardware.clock();
        }
        $hardware.poke(|block| block.clear.valid.next = false.into());
    };
}

/// Streams in order, whatever the sink does; at two places a stream every cycle never waits.
#[test]
fn stream_buffer() {
    for depth in [1, 2, 3, 4] {
        let mut random = ChaCha8Rng::seed_from_u64(depth.into());
        let mut twin = sim::stream_buffer::StreamBuffer::new(depth);
        let block = hdl::stream_buffer::StreamBuffer::new(depth as usize, 20);
        let mut hardware = Simulator::new(block).unwrap();
        let (mut next, mut may_end_two, mut stalls) = (0u64, true, 0);
        for step in 0..STEPS {
            let ready = hardware.peek(|block| block.in_ready.val()).any();
            assert_eq!(ready, twin.is_ready());
            stalls += u32::from(!ready);
            let empty = hardware.peek(|block| block.is_empty.val()).any();
            assert_eq!(empty, twin.is_empty());
            // Two streams end only if a clock without any came since two did.
            let ended = match random.random_range(0..4) {
                _ if !ready => 0,
                0 => 0,
                1 if may_end_two => 2,
                _ => 1,
            };
            may_end_two = ready && ended == 0 || may_end_two && ended < 2;
            let take = step < STEPS / 2 || random.random();
            hardware.poke(|block| {
                block.first_valid.next = bool::into(ended > 0);
                block.streams.next = word(20, next);
                block.second_valid.next = bool::into(ended > 1);
                block.out_ready.next = bool::into(take);
            });
            let valid = hardware.peek(|block| block.out_valid.val()).any();
            assert_eq!(valid, twin.first().is_some());
            if let Some(first) = twin.first() {
                let second = hardware.peek(|block| block.out_second.val()).to_u64();
                let found = hardware.peek(|block| block.out.val()).to_u64() + second;
                assert_eq!(found, *first);
            }
            twin.clock(next..next + ended, take && valid);
            next = (next + ended) & mask(19);
            hardware.clock();
            if step == STEPS / 2 {
                assert_eq!(stalls > 0, depth == 1, "{depth}");
            }
        }
    }
}

/// A block of this `retire_kind`; a sequential one is like a system call that came back.
pub fn block_as_event(kind: u64, instructions: u64, taken: bool, target: u64) -> Event {
    let code = if kind == 0 { 4 } else { kind as u8 - 1 };
    Event {
        instructions,
        program_counter: 0,
        target,
        kind: EventKind::from_code(code).unwrap(),
        call: false,
        is_return: false,
        taken,
        length: 4,
        thread: 0,
    }
}

/// Blocks of any kind into the same streams, with the same starts.
#[test]
fn stream_source() {
    for (length_bits, count_bits, infers, seed) in
        [(2, 1, true, 1), (3, 2, false, 2), (4, 2, true, 3), (6, 5, true, 4), (2, 1, false, 5)]
    {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let processor = Processor { retire_count_bits: count_bits, ..Processor::default() };
        let shape =
            StreamCacheShape { stream_length_bits: length_bits, ..StreamCacheShape::default() };
        let mut twin = sim::stream_source::StreamSource::new(&processor, length_bits, infers);
        let block = hdl::stream_source::StreamSource::new(&shape, &processor, infers);
        let mut hardware = Simulator::new(block).unwrap();
        let mut expected = std::collections::VecDeque::new();
        for _ in 0..steps(STEPS, 4) {
            let (kind, flush) = (random.random_range(0..=5u64), random.random_range(0..20) == 0);
            let count = random.random_range(u64::from(kind != 5)..1 << count_bits);
            let taken = matches!(kind, 1 | 3 | 5) || random.random();
            let target = 4 * random.random_range(0..1u64 << 30);
            let retires = random.random_range(0..8) > 0;
            assert!(hardware.peek(|block| block.ready.val()).any(), "a stream a clock never waits");
            if flush {
                expected.push_back(twin.flush());
            } else if retires {
                let event = block_as_event(kind, count, kind != 0 && taken, target);
                twin.event(&event, |stream| expected.push_back(stream));
            }
            hardware.poke(|block| {
                block.retire.valid.next = bool::into(retires && !flush);
                block.flush.next = bool::into(flush);
                block.retire.count.next = word(count_bits as usize, count);
                block.retire.direct.next = bool::into(kind == 1 || kind == 2);
                block.retire.conditional.next = bool::into(kind == 2 || kind == 4);
                block.retire.indirect.next = bool::into(kind == 3 || kind == 4);
                block.retire.exception.next = bool::into(kind == 5);
                block.retire.taken.next = bool::into(taken);
                block.retire.target.next = word(32, target);
                block.stream_ready.next = true.into();
            });
            if hardware.peek(|block| block.stream_valid.val()).any() {
                let stream = expected.pop_front().expect("a stream that ended");
                let end = stream.stream.end.code();
                let cut = end == Some(0);
                let found = hardware.peek(|block| {
                    let inferred = block.inferred.val().any();
                    (block.end_code.val(), block.length.val(), block.start.val(), inferred)
                });
                assert_eq!(found.0.to_u64(), end.unwrap_or(BRANCH_CODE));
                assert_eq!(found.1.to_u64(), if cut { 0 } else { stream.stream.length });
                assert_eq!(found.2.to_u64(), stream.start >> 2);
                assert_eq!(found.3, infers && stream.inferred);
            }
            hardware.clock();
        }
        assert!(expected.len() <= 3);
    }
}

#[test]
fn stream_cache() {
    READINGS.into_iter().for_each(look_streams_up);
}

/// Where memories are synchronous, the stream of the next cycle is shown while one is looked up and stored.
fn look_streams_up(reading: Reading) {
    for (entries, ways, hash_shift, kept) in
        [(1, 1, 4, 30), (2, 1, 1, 30), (8, 4, 4, 12), (12, 3, 0, 30), (4, 4, 2, 5), (64, 8, 5, 20)]
    {
        let mut random = ChaCha8Rng::seed_from_u64(entries.into());
        let shape = StreamCacheShape {
            stream_cache_entries: entries,
            stream_cache_ways: ways,
            hash_shift,
            stream_length_bits: 3,
            ..StreamCacheShape::default()
        };
        let processor = Processor::default();
        let clear_bits = index_bits(shape.sets()) as usize;
        let mut twin = sim::stream_cache::stream_cache::StreamCache::new(&shape, mask(kept + 2));
        let block = hdl::stream_cache::stream_cache::StreamCache::new(
            &shape,
            &processor,
            kept as usize,
            reading,
            clear_bits,
        );
        let mut hardware = Simulator::new(block).unwrap();
        clear!(hardware, clear_bits, shape.sets());
        let mut held = None;
        for _ in 0..steps(STEPS, 8) {
            let start = random.random_range(0..1u64 << 5) << random.random_range(0..8);
            let (length, update) = (random.random_range(0..3), random.random::<bool>());
            let shown = Descriptor { start: start << 2, length };
            let looked_up = if reading.count() > 0 { held.replace(shown) } else { Some(shown) };
            hardware.poke(|block| {
                block.start.next = word(30, start);
                block.length.next = word(3, length);
                block.update.next = bool::into(update && looked_up.is_some());
            });
            let Some(stream) = looked_up else {
                hardware.clock();
                continue;
            };
            let found = twin.find(stream);
            assert_eq!(hardware.peek(|block| block.found.val()).any(), found.is_some());
            let index = hardware.peek(|block| block.index.val()).to_u64();
            if let Some(found) = found {
                assert_eq!(index, u64::from(found));
            }
            if update {
                match found {
                    Some(found) => twin.touch(found),
                    None => assert_eq!(index, u64::from(twin.insert(stream))),
                }
            }
            hardware.clock();
        }
    }
}

#[test]
fn last_stream_predictor() {
    READINGS.into_iter().for_each(predict_streams);
}

fn predict_streams(reading: Reading) {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let predictor = sim::stream_cache::last_stream_predictor::LastStreamPredictor::new;
    let mut twin = predictor(16, MissIndex::Allocated);
    let block = hdl::stream_cache::last_stream_predictor::LastStreamPredictor::new(4, reading, 4);
    let mut hardware = Simulator::new(block).unwrap();
    clear!(hardware, 4, 16u32);
    for _ in 0..STEPS {
        let (index, update) = (random.random_range(0..16u32), random.random::<bool>());
        hardware.poke(|block| {
            block.index.next = word(4, index.into());
            block.update.next = bool::into(update);
        });
        let predicted = hardware.peek(|block| block.prediction.val()).to_u64();
        assert_eq!(predicted, u64::from(twin.prediction()));
        if update {
            twin.update(index);
        }
        hardware.clock();
    }
}

/// Runs of hits of every length, so that the size goes up and down between its bounds.
#[test]
fn one_length_counter() {
    for (start, least, most, reset) in [
        (4, 0, 20, OneLengthReset::Middle),
        (0, 0, 0, OneLengthReset::Middle),
        (1, 1, 4, OneLengthReset::Keep),
        (3, 0, 6, OneLengthReset::Keep),
        (24, 2, 24, OneLengthReset::Middle),
    ] {
        let mut random = ChaCha8Rng::seed_from_u64(start.into());
        let config = Config {
            one_length_counter: true,
            one_length_start_bits: start,
            one_length_least_bits: least,
            one_length_most_bits: most,
            one_length_reset: reset,
            ..Config::default()
        };
        let mut twin = sim::stream_cache::one_length_counter::OneLengthCounter::new(&config);
        let block = hdl::stream_cache::one_length_counter::OneLengthCounter::new(&config);
        let mut hardware = Simulator::new(block).unwrap();
        let (mut run, mut likely) = (0, 50);
        let (mut smallest, mut largest) = (start, start);
        for _ in 0..20_000 {
            if random.random_range(0..400) == 0 {
                likely = random.random_range(0..=100);
            }
            let (valid, hit) =
                (random.random_range(0..8) > 0, random.random_range(0..100) < likely);
            hardware.poke(|block| {
                block.hit.next = bool::into(valid && hit);
                block.ends.next = bool::into(valid && !hit);
            });
            let went_on = valid && hit && run == twin.longest();
            let ended = valid && !hit && run > 0;
            assert_eq!(hardware.peek(|block| block.sends.val()).any(), went_on || ended);
            if went_on || ended {
                assert_eq!(hardware.peek(|block| block.run.val()).to_u64(), run - 1);
                let bits = hardware.peek(|block| block.run_bits.val()).to_u64();
                assert_eq!(bits, u64::from(twin.bits()) + 1);
            }
            if went_on {
                twin.went_on();
                run = 0;
            } else if ended {
                twin.ended(run);
                run = 0;
            }
            run += u64::from(valid && hit);
            (smallest, largest) = (smallest.min(twin.bits()), largest.max(twin.bits()));
            hardware.clock();
        }
        // A run of one is never short of a counter of one bit.
        let reached = least.max(1).min(start);
        assert!(start > 20 || smallest == reached, "{smallest}");
        assert!(most > 6 || largest == most, "{largest}");
    }
}

#[test]
fn start_address_predictor() {
    for of in [LastValueStartAddress::Misses, LastValueStartAddress::Every] {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let config = Config {
            last_value_start_address: of,
            upper_address_bits: Some(14),
            ..Config::default()
        };
        let mut twin =
            sim::stream_cache::start_address_predictor::StartAddressPredictor::new(&config);
        let block = hdl::stream_cache::start_address_predictor::StartAddressPredictor::new(&config);
        let mut hardware = Simulator::new(block).unwrap();
        for _ in 0..STEPS {
            let start = random.random_range(0..4u64) << 16 | random.random_range(0..4);
            let (update, sent): (bool, bool) = (random.random(), random.random());
            hardware.poke(|block| {
                block.start.next = word(30, start);
                block.update.next = bool::into(update);
                block.sent.next = bool::into(sent);
            });
            let matching = hardware.peek(|block| block.matching.val()).any();
            assert_eq!(matching, twin.matches(start << 2));
            if update {
                twin.update(start << 2, sent);
            }
            hardware.clock();
        }
    }
}

/// Tuples out of few indices, so that some are found, at every age.
#[test]
fn tuple_history_buffer() {
    for (entries, length, update) in [
        (1, 1, TupleUpdate::Every),
        (1, 3, TupleUpdate::Misses),
        (7, 2, TupleUpdate::Every),
        (70, 2, TupleUpdate::Misses),
        (5, 16, TupleUpdate::Every),
    ] {
        let mut random = ChaCha8Rng::seed_from_u64(entries.into());
        let config = Ntuple {
            tuple_history_entries: entries,
            tuple_length: length,
            tuple_update: update,
            ..Ntuple::default()
        };
        let width = config.cache.index_bits() as usize;
        let mut twin = sim::ntuple::tuple_history_buffer::TupleHistoryBuffer::new(&config);
        let block = hdl::ntuple::tuple_history_buffer::TupleHistoryBuffer::new(&config);
        let mut hardware = Simulator::new(block).unwrap();
        let mut highest = 0;
        for _ in 0..600 {
            let mut tuple = sim::ntuple::tuple_history_buffer::Tuple::default();
            let few = [10, 10, 10, 2][length.min(3) as usize];
            for place in 0..length as usize {
                // Long tuples differ at their end alone, or hardly any would come again.
                let is_last = place + 1 == length as usize;
                let varies = length < 4 || is_last;
                tuple[place] = if varies { random.random_range(0..=few) } else { 1 };
                // Clocks without an index change nothing.
                let comes = random.random_range(0..4) > 0;
                let whole =
                    tuple.iter().rev().fold(Word::zero(length as usize * width), |all, one| {
                        (all << width) | word(length as usize * width, u64::from(*one))
                    });
                for comes in if comes { vec![true] } else { vec![false, true] } {
                    hardware.poke(|block| {
                        block.valid.next = bool::into(comes);
                        block.update.next = bool::into(comes);
                        block.index.next = word(width, tuple[place].into());
                        block.place.next = word(config.count_bits() as usize, place as u64);
                        block.tuple.next = whole.clone();
                        block.learn.next = bool::into(comes && is_last);
                    });
                    if comes && is_last {
                        let age = hardware.peek(|block| block.age.val()).to_u64();
                        assert_eq!(age, u64::from(twin.age(&tuple)));
                        highest = highest.max(age);
                        twin.update(&tuple, age as u32);
                    }
                    hardware.clock();
                }
            }
        }
        assert_eq!(highest, u64::from(entries));
    }
}
