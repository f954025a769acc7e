//! The clear sweep after reset, with an index of its own and with the instruction counter as its index.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_elaborate::prelude::*;
use tracewright_hdl::parts::sequencer::Sequencer;
use tracewright_hdl::traptor::record_former::RecordFormer;
use tracewright_sim::traptor::config::Config;

const CLEAR_BITS: usize = 7;

/// Every entry is cleared once, then blocks are taken.
#[test]
fn the_sequencer_names_every_entry_once() {
    for counted_elsewhere in [false, true] {
        let mut hardware =
            Simulator::new(Sequencer::new(CLEAR_BITS, counted_elsewhere, false, false, false))
                .unwrap();
        for entry in 0..1u64 << CLEAR_BITS {
            if counted_elsewhere {
                hardware.poke(|block| block.swept.next = Word::new(CLEAR_BITS, entry));
            }
            assert!(hardware.peek(|block| block.clear.valid.val()).any());
            assert_eq!(hardware.peek(|block| block.clear.index.val()).to_u64(), entry);
            assert!(!hardware.peek(|block| block.tracing.val()).any());
            hardware.clock();
        }
        if counted_elsewhere {
            hardware.poke(|block| block.swept.next = Word::new(CLEAR_BITS, 0));
        }
        for _ in 0..3 << CLEAR_BITS {
            assert!(!hardware.peek(|block| block.clear.valid.val()).any());
            assert!(hardware.peek(|block| block.tracing.val()).any());
            hardware.clock();
        }
    }
}

/// A restart clears every entry again.
#[test]
fn a_restart_repeats_the_sweep() {
    let mut hardware =
        Simulator::new(Sequencer::new(CLEAR_BITS, false, true, false, false)).unwrap();
    (0..1u64 << CLEAR_BITS).for_each(|_| hardware.clock());
    assert!(hardware.peek(|block| block.tracing.val()).any());
    hardware.poke(|block| block.restart.next = true.into());
    hardware.clock();
    hardware.poke(|block| block.restart.next = false.into());
    for entry in 0..1u64 << CLEAR_BITS {
        assert!(hardware.peek(|block| block.clear.valid.val()).any());
        assert_eq!(hardware.peek(|block| block.clear.index.val()).to_u64(), entry);
        hardware.clock();
    }
    assert!(hardware.peek(|block| block.tracing.val()).any());
}

/// In the background a restart changes the epoch at once, and every entry is written once, while the compressor is idle.
#[test]
fn a_sweep_in_the_background_waits_for_idle_cycles() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let mut hardware =
        Simulator::new(Sequencer::new(CLEAR_BITS, false, true, true, false)).unwrap();
    (0..1u64 << CLEAR_BITS).for_each(|_| hardware.clock());
    let sweep = |hardware: &Simulator<Sequencer>| {
        let word = hardware.peek(|block| block.memory_sweep.val()).to_u64();
        (word & 1, word >> 1 & 1 == 1, word >> 2)
    };
    for epoch in [1, 0, 1] {
        hardware.poke(|block| block.restart.next = true.into());
        hardware.clock();
        hardware.poke(|block| block.restart.next = false.into());
        let mut expected = 0..1u64 << CLEAR_BITS;
        for _ in 0..6u64 << CLEAR_BITS {
            let is_idle = random.random_range(0..3) == 0;
            hardware.poke(|block| block.is_idle.next = is_idle.into());
            let (in_epoch, writes, index) = sweep(&hardware);
            let is_sweeping = hardware.peek(|block| block.is_sweeping.val()).any();
            assert_eq!(
                (in_epoch, writes, is_sweeping),
                (epoch, is_idle && is_sweeping, !expected.is_empty())
            );
            assert!(hardware.peek(|block| block.tracing.val()).any());
            assert!(!hardware.peek(|block| block.clear.valid.val()).any());
            if writes {
                assert_eq!(Some(index), expected.next());
            }
            hardware.clock();
        }
        assert!(expected.is_empty());
    }
}

/// The instruction counter numbers the entries whatever the pins say meanwhile, makes no record, and is 0 after it.
#[test]
fn the_instruction_counter_numbers_the_entries() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for instruction_count_bits in [8, 9, 17] {
        let config =
            Config { gshare_entries: 1 << CLEAR_BITS, instruction_count_bits, ..Config::default() };
        assert!(config.sweeps_by_instruction_count());
        let mut hardware = Simulator::new(RecordFormer::new(&config, CLEAR_BITS)).unwrap();
        let count_bits = config.processor.retire_count_bits as usize;
        for entry in 0..1u64 << CLEAR_BITS {
            hardware.poke(|block| {
                block.clearing.next = true.into();
                block.count.next = Word::new(count_bits, random.random_range(0..1 << count_bits));
                block.control_flow.next = random.random::<bool>().into();
                block.counted.next = random.random::<bool>().into();
                block.exception.next = random.random::<bool>().into();
            });
            assert_eq!(hardware.peek(|block| block.swept.val()).to_u64(), entry);
            assert!(!hardware.peek(|block| block.record_valid.val()).any());
            hardware.clock();
        }
        hardware.poke(|block| {
            block.clearing.next = false.into();
            block.flush.next = true.into();
        });
        let format = config.format();
        let record = hardware.peek(|block| block.record.val());
        let count = record >> format.offset("count") as usize;
        assert_eq!(count.to_u64() & ((1 << format.width("count")) - 1), 0);
    }
}
