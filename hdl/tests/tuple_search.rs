//! The tuple history buffer in memories, in RustHDL's simulation, against the same model as that in registers.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_elaborate::prelude::*;
use tracewright_hdl::ntuple::tuple_history_buffer::search::TupleSearch;
use tracewright_sim::config::index_bits;
use tracewright_sim::ntuple::config::{Config, TupleUpdate};
use tracewright_sim::ntuple::tuple_history_buffer::{Tuple, TupleHistoryBuffer};

/// The block after a sweep that is longer than its memories are deep.
fn cleared(config: &Config, clear_bits: usize) -> Simulator<TupleSearch> {
    let mut hardware = Simulator::new(TupleSearch::new(config, clear_bits)).unwrap();
    for index in 0..1 << clear_bits {
        hardware.poke(|block| {
            block.clear.valid.next = true.into();
            block.clear.index.next = Word::new(clear_bits, index);
        });
        hardware.clock();
    }
    hardware.poke(|block| block.clear.valid.next = false.into());
    hardware
}

/// Clocks until the age is found.
fn wait(hardware: &mut Simulator<TupleSearch>, most: u32) {
    let mut cycles = 0;
    while !hardware.peek(|block| block.found.val()).any() {
        hardware.clock();
        cycles += 1;
        assert!(cycles <= most, "no end");
    }
}

/// Tuples that are sought, wait, and are learned; a search takes as many cycles as it reads rows, and two more.
#[test]
fn tuple_search() {
    for (entries, tuples_per_cycle, update) in [
        (1, 1, TupleUpdate::Every),
        (1, 4, TupleUpdate::Misses),
        (7, 2, TupleUpdate::Every),
        (9, 3, TupleUpdate::Misses),
        (5, 1, TupleUpdate::Every),
        (30, 4, TupleUpdate::Every),
    ] {
        let mut random = ChaCha8Rng::seed_from_u64(entries.into());
        let config = Config {
            tuple_history_entries: entries,
            tuples_per_cycle,
            tuple_length: 2,
            tuple_update: update,
            ..Config::default()
        };
        let (width, rows) = (config.cache.index_bits() as usize, config.tuple_rows());
        let clear_bits = index_bits(rows) as usize + 1;
        let mut twin = TupleHistoryBuffer::new(&config);
        let mut hardware = cleared(&config, clear_bits);
        let mut highest = 0;
        for _ in 0..1_500 {
            let mut tuple = Tuple::default();
            tuple[0] = random.random_range(0..4);
            tuple[1] = random.random_range(0..=entries as u16 / 3);
            let whole = u64::from(tuple[0]) | u64::from(tuple[1]) << width;
            let expected = twin.age(&tuple);
            hardware.poke(|block| {
                block.seeks.next = true.into();
                block.learn.next = false.into();
                block.tuple.next = Word::new(2 * width, whole);
            });
            wait(&mut hardware, rows + 3);
            for _ in 0..random.random_range(0..3) {
                hardware.clock();
            }
            let age = hardware.peek(|block| block.age.val()).to_u64();
            assert_eq!(age, u64::from(expected), "{entries} entries, {tuples_per_cycle} memories");
            highest = highest.max(expected);
            twin.update(&tuple, expected);
            hardware.poke(|block| block.learn.next = true.into());
            hardware.clock();
            hardware.poke(|block| {
                block.seeks.next = false.into();
                block.learn.next = false.into();
            });
            for _ in 0..random.random_range(0..3) {
                hardware.clock();
            }
        }
        assert_eq!(highest, entries, "{tuples_per_cycle} memories");
    }
}
