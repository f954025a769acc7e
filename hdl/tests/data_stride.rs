//! The blocks of the data address compressor, in RustHDL's simulation, against their twins.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_elaborate::prelude::*;
use tracewright_hdl::data_stride::data_address_stride_cache::DataAddressStrideCache;
use tracewright_hdl::data_stride::data_repetitions::DataRepetitions;
use tracewright_sim::config::{Memories, MemoryStyle, index_bits, mask};
use tracewright_sim::data_stride as sim;
use tracewright_sim::data_stride::config::Config;
use tracewright_sim::scheme::Configuration;

use crate::steps;

const STEPS: usize = 3_000;

fn word(width: u32, value: u64) -> Word {
    Word::new(width as usize, value & mask(width))
}

/// The cache after the clear sweep.
fn cleared(config: &Config) -> Simulator<DataAddressStrideCache> {
    let clear_bits = index_bits(config.clear_clocks());
    let cache = DataAddressStrideCache::new(config, clear_bits as usize);
    let mut hardware = Simulator::new(cache).unwrap();
    for index in 0..config.clear_clocks() {
        hardware.poke(|block| {
            block.clear.valid.next = true.into();
            block.clear.index.next = word(clear_bits, index.into());
        });
        hardware.clock();
    }
    hardware.poke(|block| block.clear.valid.next = false.into());
    // The first set is read.
    hardware.clock();
    hardware
}

#[test]
fn data_address_stride_cache() {
    look_accesses_up(MemoryStyle::Asynchronous, Memories::Inferred);
    look_accesses_up(MemoryStyle::Synchronous, Memories::Inferred);
    look_accesses_up(MemoryStyle::Synchronous, Memories::Wrappers);
}

/// Where the cache is read at the clock edge, the set of the next access is shown while one is looked up.
fn look_accesses_up(memory_style: MemoryStyle, memories: Memories) {
    for (at, (entries, ways, tagged, tag_bits, stride_bits, address_width)) in [
        (32, 1, false, None, 8, 32),
        (16, 1, false, None, 8, 32),
        (16, 1, true, None, 0, 40),
        (1, 1, false, None, 8, 32),
        (1, 1, true, Some(0), 1, 32),
        (4, 4, true, Some(3), 8, 32),
        (12, 3, true, None, 33, 64),
        (32, 8, true, Some(2), 64, 64),
    ]
    .into_iter()
    .enumerate()
    {
        let mut config = Config {
            stride_cache_entries: entries,
            stride_cache_ways: ways,
            stride_cache_tagged: tagged,
            tag_bits,
            stride_bits,
            memory_style,
            ..Config::default()
        };
        config.port.memories = memories;
        config.processor.address_width = address_width;
        config.validate().unwrap();
        look_up_in(&config, at as u64);
    }
}

/// The cache of one configuration, with accesses of instructions of which several share a set.
fn look_up_in(config: &Config, seed: u64) {
    let mut model = sim::data_address_stride_cache::DataAddressStrideCache::new(config);
    let mut hardware = cleared(config);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    // Each instruction has its last address and its stride, which changes now and then.
    let mut moving = [(0u64, 0u64); 24];
    let mut hits = 0;
    let mut next = 0;
    for _ in 0..steps(STEPS, 2) {
        let instruction = next;
        if random.random_range(0..4) != 0 {
            next = random.random_range(0..moving.len());
        }
        let site = (instruction as u64) << 2;
        let (last, stride) = &mut moving[instruction];
        if random.random_range(0..10) == 0 {
            let strides = [0, 4, 8, 127, 128, u64::MAX, u64::MAX - 127, u64::MAX - 128, 1 << 30];
            *stride = strides[random.random_range(0..strides.len())];
            *last = random.random();
        }
        *last = last.wrapping_add(*stride) & mask(config.processor.address_width);
        let address = *last;
        let update: bool = random.random_range(0..4) != 0;
        hardware.poke(|block| {
            block.site.next = word(config.site_bits(), site >> config.index_shift());
            block.address.next = word(config.processor.address_width, address);
            block.update.next = bool::into(update);
            let set = (next as u64) << 2 >> config.index_shift();
            block.early_set.next = word(block.early_set.width() as u32, set);
        });
        let lookup = model.look_up(site);
        let hit = lookup.predicted == Some(address);
        assert_eq!(hardware.peek(|block| block.hit.val()).any(), hit, "{config:?}");
        hits += u32::from(hit);
        if update {
            model.update(lookup, address);
        }
        hardware.clock();
    }
    assert!(hits > 100 || config.stride_cache_entries == 1, "{hits}: {config:?}");
}

#[test]
fn data_repetitions() {
    for (pattern_bits, repetition_count_bits) in [(1, 1), (1, 8), (2, 2), (5, 3), (8, 8), (32, 1)] {
        let config = Config { pattern_bits, repetition_count_bits, ..Config::default() };
        let mut model = sim::data_repetitions::DataRepetitions::new(&config);
        let mut hardware = Simulator::new(DataRepetitions::new(&config)).unwrap();
        let mut random = ChaCha8Rng::seed_from_u64(pattern_bits.into());
        let mut level = true;
        for _ in 0..STEPS {
            if random.random_range(0..40) == 0 {
                level = !level;
            }
            let hit = if random.random_range(0..60) == 0 { !level } else { level };
            let flush = random.random_range(0..150) == 0;
            let access = !flush && random.random_range(0..4) != 0;
            hardware.poke(|block| {
                block.access.next = bool::into(access);
                block.hit.next = bool::into(hit);
                block.flush.next = bool::into(flush);
            });
            let (over, open) = match (flush, access) {
                (true, _) => {
                    let (over, open) = model.flush();
                    (over, Some(open))
                }
                (false, true) => (model.access(hit), None),
                (false, false) => (None, None),
            };
            assert_eq!(hardware.peek(|block| block.over.val()).any(), over.is_some());
            if let Some(over) = over {
                assert_eq!(hardware.peek(|block| block.pattern.val()).to_u64(), over.pattern);
                let count = hardware.peek(|block| block.repetition_count.val()).to_u64();
                assert_eq!(count, over.count);
            }
            if let Some(open) = open {
                let pattern = hardware.peek(|block| block.partial_pattern.val()).to_u64();
                let accesses = hardware.peek(|block| block.partial_count.val()).to_u64();
                assert_eq!((pattern, accesses), (open.pattern, open.accesses));
            }
            hardware.clock();
        }
    }
}
