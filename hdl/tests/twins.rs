//! Single blocks, in RustHDL's simulation, against their twins in the golden model.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_elaborate::prelude::*;
use tracewright_hdl::encode::{bit_packer, fifo, trace_port, variable_length};
use tracewright_hdl::parts::predictor_table::PredictorTable;
use tracewright_hdl::parts::word_register::WordRegister;
use tracewright_hdl::recency::Recency;
use tracewright_hdl::traptor::gshare::Gshare;
use tracewright_hdl::traptor::indirect_branch_target_buffer::IndirectBranchTargetBuffer;
use tracewright_hdl::traptor::last_value_predictor::LastValuePredictor;
use tracewright_hdl::traptor::return_address_stack::ReturnAddressStack;
use tracewright_sim as sim;
use tracewright_sim::config::{MemoryStyle, TracePort, index_bits, mask};
use tracewright_sim::encode::trace_port::Beats;
use tracewright_sim::encode::variable_length::Chunks;
use tracewright_sim::traptor::config::{Config, Replacement};

const STEPS: usize = 4_000;

fn random(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

fn word(width: usize, value: u64) -> Word {
    Word::new(width, value & mask(width as u32))
}

fn clear_bits(config: &Config) -> usize {
    index_bits(config.clear_clocks()) as usize
}

fn small() -> Config {
    Config {
        gshare_entries: 32,
        indirect_branch_target_buffer_entries: 12,
        indirect_branch_target_buffer_ways: 3,
        indirect_branch_target_buffer_tag_bits: 3,
        return_address_stack_depth: 4,
        elided_upper_bits: Some(12),
        ..Config::default()
    }
}

#[test]
fn gshare() {
    for history in [0, 3, 5] {
        let config = Config { gshare_history_bits: Some(history), ..small() };
        let mut model = sim::traptor::gshare::Gshare::new(&config);
        let mut hardware = Simulator::new(Gshare::new(&config, clear_bits(&config))).unwrap();
        for index in 0..config.clear_clocks() {
            hardware.poke(|block| {
                block.clear.valid.next = true.into();
                block.clear.index.next = word(clear_bits(&config), index.into());
            });
            hardware.clock();
        }
        hardware.poke(|block| block.clear.valid.next = false.into());
        let mut random = random(history.into());
        for _ in 0..STEPS {
            let (address, taken, update) =
                (random.random_range(0..0x400), random.random(), random.random());
            hardware.poke(|block| {
                block.program_counter.next = word(32, address);
                block.taken.next = bool::into(taken);
                block.update.next = bool::into(update);
                block.outcome.next = bool::into(taken);
                block.learn.next = bool::into(update);
            });
            assert_eq!(
                hardware.peek(|block| block.predicted_taken.val()).any(),
                model.predict(address)
            );
            if update {
                model.update(address, taken);
            }
            hardware.clock();
        }
    }
}

#[test]
fn return_address_stack() {
    let config = small();
    let (width, clear_bits) = (config.table_target_bits() as usize, clear_bits(&config));
    let mut model = sim::traptor::return_address_stack::ReturnAddressStack::new(
        config.return_address_stack_depth,
    );
    let mut hardware = Simulator::new(ReturnAddressStack::new(&config, clear_bits)).unwrap();
    for index in 0..config.return_address_stack_depth {
        hardware.poke(|block| {
            block.clear.valid.next = true.into();
            block.clear.index.next = word(clear_bits, index.into());
        });
        hardware.clock();
    }
    hardware.poke(|block| block.clear.valid.next = false.into());
    let mut random = random(1);
    for _ in 0..STEPS {
        let (pop, push, address) =
            (random.random(), random.random(), random.random::<u64>() & mask(width as u32));
        hardware.poke(|block| {
            block.pop.next = bool::into(pop);
            block.push.next = bool::into(push);
            block.return_address.next = word(width, address);
        });
        assert_eq!(hardware.peek(|block| block.top.val()).to_u64(), model.top());
        model.update(pop, push.then_some(address));
        hardware.clock();
    }
}

#[test]
fn indirect_branch_target_buffer() {
    let both = [Replacement::LeastRecentlyUsed, Replacement::RoundRobin];
    let drawn = both.map(|replacement| [1, 2, 3, 5].map(|ways| (replacement, ways)));
    for (replacement, ways) in drawn.concat() {
        let config = Config {
            indirect_branch_target_buffer_replacement: replacement,
            indirect_branch_target_buffer_ways: ways,
            indirect_branch_target_buffer_entries: 4 * ways,
            ..small()
        };
        let (width, clear_bits) = (config.table_target_bits() as usize, clear_bits(&config));
        let mut model =
            sim::traptor::indirect_branch_target_buffer::IndirectBranchTargetBuffer::new(&config);
        let mut hardware =
            Simulator::new(IndirectBranchTargetBuffer::new(&config, clear_bits)).unwrap();
        for index in 0..config.indirect_branch_target_buffer_sets() {
            hardware.poke(|block| {
                block.clear.valid.next = true.into();
                block.clear.index.next = word(clear_bits, index.into());
            });
            hardware.clock();
        }
        hardware.poke(|block| block.clear.valid.next = false.into());
        let mut random = random(ways.into());
        for _ in 0..STEPS {
            let (address, target) =
                (random.random_range(0..0x2000u64), random.random_range(0..8u64));
            let (taken, update): (bool, bool) = (random.random(), random.random());
            hardware.poke(|block| {
                block.program_counter.next = word(32, address);
                block.target.next = word(width, target);
                block.taken.next = bool::into(taken);
                block.update_path.next = bool::into(update);
                block.learn.next = bool::into(update && taken);
            });
            let lookup = model.look_up(address);
            let hit = hardware.peek(|block| block.hit.val()).any();
            let predicted = hardware.peek(|block| block.predicted_target.val()).to_u64();
            assert_eq!(hit.then_some(predicted), lookup.target);
            if update {
                if taken {
                    model.update(lookup, target);
                }
                model.update_path(address, taken);
            }
            hardware.clock();
        }
    }
}

/// A few entries, so that one is often read just when it is learned.
#[test]
fn predictor_table() {
    const ENTRIES: u64 = 5;
    for style in [MemoryStyle::Asynchronous, MemoryStyle::Synchronous] {
        let mut hardware =
            Simulator::new(PredictorTable::new(ENTRIES as usize, 12, style)).unwrap();
        let mut random = random(5);
        for index in 0..ENTRIES {
            hardware.poke(|block| {
                block.clear.valid.next = true.into();
                block.clear.index.next = word(3, index);
                block.clear_entry.next = word(12, 0x123);
            });
            hardware.clock();
        }
        hardware.poke(|block| block.clear.valid.next = false.into());
        let mut model = [0x123; ENTRIES as usize];
        let mut read_before = None;
        for _ in 0..STEPS {
            let index = random.random_range(0..ENTRIES);
            let (learn, learned) = (random.random::<bool>(), random.random::<u64>() & mask(12));
            hardware.poke(|block| {
                block.index.next = word(3, index);
                block.learn.next = false.into();
            });
            // What is learned belongs to the entry that is shown: this clock's, or the one before's.
            let shown = match style {
                MemoryStyle::Asynchronous => Some(index),
                MemoryStyle::Synchronous => read_before.replace(index),
            };
            if let Some(shown) = shown {
                let entry = hardware.peek(|block| block.entry.val()).to_u64();
                assert_eq!(entry, model[shown as usize], "{style:?}");
                hardware.poke(|block| {
                    block.learn.next = bool::into(learn);
                    block.learned.next = word(12, learned);
                });
                if learn {
                    model[shown as usize] = learned;
                }
            }
            hardware.clock();
        }
    }
}

#[test]
fn last_value_predictor() {
    let mut model = sim::traptor::last_value_predictor::LastValuePredictor::new(20);
    let mut hardware = Simulator::new(LastValuePredictor::new(12)).unwrap();
    let mut random = random(2);
    for _ in 0..STEPS {
        let (target, update): (u32, bool) = (random.random(), random.random());
        hardware.poke(|block| {
            block.target_upper.next = word(12, (target >> 20).into());
            block.update.next = bool::into(update);
        });
        let upper = hardware.peek(|block| block.predicted_upper.val()).to_u64();
        assert_eq!(upper, model.complete(0) >> 20);
        if update {
            model.update(target.into());
        }
        hardware.clock();
    }
}

#[test]
fn recency() {
    for ways in 1..=8usize {
        let pairs = ways * (ways - 1) / 2;
        let mut order = sim::recency::Recency::after_reset(ways as u32);
        let mut hardware = Simulator::new(Recency::new(ways)).unwrap();
        let mut stored = word(pairs, 0);
        let mut random = random(ways as u64);
        for _ in 0..500 {
            let mut model = sim::recency::Recency(&mut order);
            let used = random.random_range(0..ways);
            hardware.poke(|block| {
                block.order.next = stored.clone();
                block.used.next = word(ways, 1 << used);
            });
            assert_eq!(
                hardware.peek(|block| block.oldest.val()).to_u64(),
                1 << model.oldest(),
                "{ways} ways"
            );
            model.touch(used);
            stored = hardware.peek(|block| block.order_next.val());
        }
    }
}

#[test]
fn chunk_selector_and_variable_length() {
    let mut random = random(3);
    for (first, next, width) in
        [(3, 3, 16), (2, 1, 5), (1, 1, 1), (9, 4, 9), (5, 7, 30), (32, 32, 62), (6, 6, 32)]
    {
        let connect_bits = if first == 6 { 2 } else { 1 };
        let chunks = Chunks::new(first, next, width).connected(connect_bits);
        let piece = (first.max(next) + connect_bits) as usize;
        let mut selector =
            Simulator::new(variable_length::ChunkSelector::new(&chunks, piece)).unwrap();
        let mut whole = Simulator::new(variable_length::VariableLength::new(&chunks)).unwrap();
        for _ in 0..200 {
            let value = random.random::<u64>() & mask(random.random_range(0..=width));
            whole.poke(|block| block.value.next = word(width as usize, value));
            let code = whole.peek(|block| block.code.val());
            let mut place = 0;
            let mut index = 0;
            chunks.put(value, |bits, count| {
                selector.poke(|block| {
                    block.value.next = word(width as usize, value);
                    block.index.next = word(variable_length::chunk_index_bits(&chunks), index);
                });
                assert_eq!(selector.peek(|block| block.piece.val()).to_u64(), bits);
                assert_eq!(
                    selector.peek(|block| block.piece_bits.val()).to_u64(),
                    u64::from(count)
                );
                for bit in 0..count {
                    assert_eq!(code.get_bit((place + bit) as usize), bits >> bit & 1 == 1);
                }
                place += count;
                index += 1;
            });
            assert!(!selector.peek(|block| block.more.val()).any());
            assert_eq!(whole.peek(|block| block.length.val()).to_u64(), u64::from(place));
        }
    }
}

#[test]
fn fifo_of_any_depth() {
    for (depth, has_level) in [1, 2, 3, 8, 10].map(|depth| [(depth, false), (depth, true)]).concat()
    {
        let mut hardware = Simulator::new(fifo::Fifo::new(depth, 0, 70, has_level)).unwrap();
        let mut model = std::collections::VecDeque::new();
        let mut random = random(depth as u64);
        for step in 0..2_000 {
            let (put, take) = (random.random::<bool>(), random.random_range(0..4) < (step / 500));
            let value = Word::from_limbs(70, &[random.random(), random.random_range(0..64)]);
            hardware.poke(|block| {
                block.in_.valid.next = bool::into(put);
                block.in_.word.next = value.clone();
                block.out_.ready.next = bool::into(take);
            });
            assert_eq!(hardware.peek(|block| block.in_.ready.val()).any(), model.len() < depth);
            if has_level {
                let level = hardware.peek(|block| block.level.val()).to_u64();
                assert_eq!(level, model.len() as u64);
            }
            assert_eq!(hardware.peek(|block| block.out_.valid.val()).any(), !model.is_empty());
            if let Some(oldest) = model.front() {
                assert_eq!(&hardware.peek(|block| block.out_.word.val()), oldest);
            }
            let puts = put && model.len() < depth;
            if take && !model.is_empty() {
                model.pop_front();
            }
            if puts {
                model.push_back(value);
            }
            hardware.clock();
        }
    }
}

/// After `in_ready` has fallen as many words may come as are in reserve.
#[test]
fn fifo_with_a_reserve() {
    for (depth, reserve) in [(1, 1), (2, 2), (3, 2), (8, 5)] {
        let mut hardware = Simulator::new(fifo::Fifo::new(depth, reserve, 9, false)).unwrap();
        let mut model = std::collections::VecDeque::new();
        let mut random = random(depth as u64);
        // Whether there was room as many clocks ago as words may be on their way.
        let mut ready_before = std::collections::VecDeque::from(vec![true; reserve]);
        let mut most = 0;
        for step in 0..2_000 {
            let put = ready_before.pop_front().unwrap() && random.random_range(0..8) > 0;
            let take = random.random_range(0..4) < step / 500;
            let value = random.random::<u64>() & mask(9);
            hardware.poke(|block| {
                block.in_.valid.next = bool::into(put);
                block.in_.word.next = word(9, value);
                block.out_.ready.next = bool::into(take);
            });
            let ready = hardware.peek(|block| block.in_.ready.val()).any();
            assert_eq!(ready, model.len() < depth);
            ready_before.push_back(ready);
            assert_eq!(hardware.peek(|block| block.out_.valid.val()).any(), !model.is_empty());
            if let Some(oldest) = model.front() {
                assert_eq!(&hardware.peek(|block| block.out_.word.val()).to_u64(), oldest);
            }
            if take && !model.is_empty() {
                model.pop_front();
            }
            if put {
                model.push_back(value);
            }
            most = most.max(model.len());
            hardware.clock();
        }
        assert_eq!(most, depth + reserve, "the whole reserve was used");
    }
}

/// Takes and gives in the same clock, and holds what is not taken.
#[test]
fn word_register() {
    let mut hardware = Simulator::new(WordRegister::new(20)).unwrap();
    let mut random = random(6);
    let mut held = None;
    for _ in 0..STEPS {
        let (give, take) = (random.random::<bool>(), random.random::<bool>());
        let value = random.random::<u64>() & mask(20);
        hardware.poke(|block| {
            block.in_.valid.next = bool::into(give);
            block.in_.word.next = word(20, value);
            block.out_.ready.next = bool::into(take);
        });
        let ready = hardware.peek(|block| block.in_.ready.val()).any();
        assert_eq!(ready, take || held.is_none());
        assert_eq!(hardware.peek(|block| block.out_.valid.val()).any(), held.is_some());
        if let Some(held) = held {
            assert_eq!(hardware.peek(|block| block.out_.word.val()).to_u64(), held);
        }
        if ready {
            held = give.then_some(value);
        }
        hardware.clock();
    }
}

#[test]
fn bit_packer_and_trace_port() {
    let mut random = random(4);
    for (most, width) in [(1, 1), (6, 1), (15, 3), (9, 5), (70, 16), (60, 64)] {
        let port = TracePort { trace_port_width: width, ..TracePort::default() };
        let word_bits = port.word_bits() as usize;
        let mut hardware = Simulator::new(bit_packer::BitPacker::new(most, word_bits)).unwrap();
        let mut beats = Simulator::new(trace_port::TracePort::new(&port)).unwrap();
        let mut model = sim::encode::bit_packer::BitPacker::new();
        let (mut sent, mut waiting) = (Vec::new(), std::collections::VecDeque::new());
        for step in 0..3_000 {
            let count = random.random_range(1..=most.min(64)) as u32;
            let bits = random.random::<u64>() & mask(count);
            let (valid, last) = (step < 2_000 && random.random(), step % 97 == 0);
            let ready = waiting.len() < 2;
            hardware.poke(|block| {
                block.piece.valid.next = bool::into(valid);
                block.piece.word.next = Word::from_limbs(most, &[bits]);
                block.piece.bits.next =
                    word(bit_packer::BitPacker::piece_count_bits(most), count.into());
                block.piece.last.next = bool::into(last);
                block.word.ready.next = bool::into(ready);
            });
            beats.poke(|block| {
                block.word.valid.next = bool::into(!waiting.is_empty());
                block.word.word.next = waiting.front().cloned().unwrap_or(word(word_bits, 0));
                block.trace_ready.next = true.into();
            });
            // A word stays until its last beat has gone.
            if !waiting.is_empty() {
                sent.push(beats.peek(|block| block.trace_data.val()).to_u64());
                if beats.peek(|block| block.word.ready.val()).any() {
                    waiting.pop_front();
                }
            }
            if ready && hardware.peek(|block| block.word.valid.val()).any() {
                waiting.push_back(hardware.peek(|block| block.word.word.val()));
            }
            if valid && hardware.peek(|block| block.piece.ready.val()).any() {
                model.push(bits, count);
                if last {
                    model.align(word_bits as u32);
                }
            }
            hardware.clock();
            beats.clock();
        }
        let total = model.bits() / word_bits as u64 * word_bits as u64;
        let bytes = model.finish();
        assert!(total > 400, "{total}");
        assert_eq!(sent, Beats::new(&port, &bytes, total).collect::<Vec<_>>(), "{most} {width}");
    }
}
