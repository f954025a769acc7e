//! The blocks between a record and the trace port, in RustHDL's simulation, against their twins.

use std::collections::VecDeque;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_elaborate::prelude::*;
use tracewright_hdl::encode::{bit_packer, fifo, trace_port, variable_length};
use tracewright_hdl::parts::retire_buffer::RetireBuffer;
use tracewright_hdl::parts::skid_buffer::SkidBuffer;
use tracewright_hdl::parts::word_register::WordRegister;
use tracewright_sim as sim;
use tracewright_sim::config::{TracePort, mask};
use tracewright_sim::encode::trace_port::Beats;
use tracewright_sim::encode::variable_length::Chunks;

const STEPS: usize = 4_000;

fn random(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

fn word(width: usize, value: u64) -> Word {
    Word::new(width, value & mask(width as u32))
}

#[test]
fn chunk_selector_and_variable_length() {
    let mut random = random(3);
    for (first, next, width) in
        [(3, 3, 16), (2, 1, 5), (1, 1, 1), (9, 4, 9), (5, 7, 30), (32, 32, 62), (6, 6, 32)]
    {
        let continuation_bits = if first == 6 { 2 } else { 1 };
        let chunks = Chunks::new(first, next, width).with_continuation_bits(continuation_bits);
        let piece = (first.max(next) + continuation_bits) as usize;
        let mut selector =
            Simulator::new(variable_length::ChunkSelector::new(&chunks, piece, false)).unwrap();
        let mut registered =
            Simulator::new(variable_length::ChunkSelector::new(&chunks, piece, true)).unwrap();
        let mut whole = Simulator::new(variable_length::VariableLength::new(&chunks)).unwrap();
        for _ in 0..200 {
            let value = random.random::<u64>() & mask(random.random_range(0..=width));
            whole.poke(|block| block.value.next = word(width as usize, value));
            let code = whole.peek(|block| block.code.val());
            registered.poke(|block| {
                block.load.next = true.into();
                block.next_value.next = word(width as usize, value);
            });
            registered.clock();
            let (mut offset, mut index) = (0, 0);
            chunks.put(value, |bits, count| {
                registered.poke(|block| {
                    block.load.next = false.into();
                    block.next_value.next = word(width as usize, !value);
                    block.value.next = word(width as usize, value);
                    block.index.next = word(variable_length::chunk_index_bits(&chunks), index);
                });
                registered.clock();
                assert_eq!(registered.peek(|block| block.piece.val()).to_u64(), bits);
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
                    assert_eq!(code.get_bit((offset + bit) as usize), bits >> bit & 1 == 1);
                }
                offset += count;
                index += 1;
            });
            assert!(!selector.peek(|block| block.more.val()).any());
            assert!(!registered.peek(|block| block.more.val()).any());
            assert_eq!(whole.peek(|block| block.length.val()).to_u64(), u64::from(offset));
        }
    }
}

#[test]
fn fifo_of_any_depth() {
    for (depth, has_level) in [1, 2, 3, 8, 10].map(|depth| [(depth, false), (depth, true)]).concat()
    {
        let mut hardware = Simulator::new(fifo::Fifo::new(depth, 0, 70, has_level)).unwrap();
        let mut model = VecDeque::new();
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
        let mut model = VecDeque::new();
        let mut random = random(depth as u64);
        // Whether there was room as many cycles ago as words may be on their way.
        let mut ready_before = VecDeque::from(vec![true; reserve]);
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

/// Takes and gives in the same cycle, and holds what is not taken.
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

/// Says that it is ready as long as its second register is free, whatever the other side does.
#[test]
fn skid_buffer() {
    let mut hardware = Simulator::new(SkidBuffer::new(20)).unwrap();
    let mut random = random(7);
    let mut held = VecDeque::new();
    for _ in 0..STEPS {
        let (give, take) = (random.random::<bool>(), random.random::<bool>());
        let value = random.random::<u64>() & mask(20);
        hardware.poke(|block| {
            block.in_.valid.next = bool::into(give);
            block.in_.word.next = word(20, value);
            block.out_.ready.next = bool::into(take);
        });
        let ready = hardware.peek(|block| block.in_.ready.val()).any();
        assert_eq!(ready, held.len() < 2);
        assert_eq!(hardware.peek(|block| block.out_.valid.val()).any(), !held.is_empty());
        if let Some(oldest) = held.front() {
            assert_eq!(hardware.peek(|block| block.out_.word.val()).to_u64(), *oldest);
        }
        if take {
            held.pop_front();
        }
        if give && ready {
            held.push_back(value);
        }
        hardware.clock();
    }
}

/// It is drained when the adapter is and nothing is left in it, until the adapter is not.
#[test]
fn retire_buffer() {
    let mut hardware = Simulator::new(RetireBuffer::new(8)).unwrap();
    let mut random = random(8);
    let (mut held, mut was_drained, mut drained_often) = (VecDeque::new(), false, 0);
    for _ in 0..STEPS {
        let give = random.random_ratio(1, 3);
        let (take, drained) = (random.random(), random.random_ratio(7, 8));
        let value = random.random::<u64>() & mask(8);
        hardware.poke(|block| {
            block.shown.valid.next = bool::into(give);
            block.shown.word.next = word(8, value);
            block.later.ready.next = bool::into(take);
            block.shown_drained.next = bool::into(drained);
        });
        assert_eq!(hardware.peek(|block| block.later.valid.val()).any(), !held.is_empty());
        if let Some(oldest) = held.front() {
            assert_eq!(hardware.peek(|block| block.later.word.val()).to_u64(), *oldest);
        }
        was_drained = drained && (was_drained || held.is_empty());
        assert_eq!(hardware.peek(|block| block.drained.val()).any(), was_drained);
        drained_often += u32::from(was_drained && !held.is_empty());
        let ready = hardware.peek(|block| block.shown.ready.val()).any();
        if take {
            held.pop_front();
        }
        if give && ready {
            held.push_back(value);
        }
        hardware.clock();
    }
    assert!(drained_often > 100, "{drained_often} cycles with a block after it was drained");
}

/// The words are those of the model, and it is empty when each of them has left.
#[test]
fn registered_bit_packer() {
    let mut random = random(9);
    let sizes = [8, 9, 10, 17, 24]
        .into_iter()
        .flat_map(|word_bits| (1..=20).map(move |most| (most, word_bits)));
    for (most, word_bits) in sizes.chain([(70, 16), (60, 64)]) {
        let packer = bit_packer::RegisteredBitPacker::new(most, word_bits);
        let mut hardware = Simulator::new(packer).unwrap();
        let mut model = sim::encode::bit_packer::BitPacker::new();
        let mut words = Vec::new();
        for step in 0..3_000 {
            let count = random.random_range(0..=most.min(64)) as u32;
            let bits = random.random::<u64>() & mask(count);
            let (valid, last) = (step < 2_900 && random.random(), step % 97 == 0 || step > 2_880);
            let ready = step > 2_900 || random.random_ratio(3, 4);
            hardware.poke(|block| {
                block.piece.valid.next = bool::into(valid);
                block.piece.word.next = Word::from_limbs(most, &[bits]);
                block.piece.bits.next =
                    word(bit_packer::BitPacker::piece_count_bits(most), count.into());
                block.piece.last.next = bool::into(last);
                block.word.ready.next = bool::into(ready);
            });
            if ready && hardware.peek(|block| block.word.valid.val()).any() {
                words.push(hardware.peek(|block| block.word.word.val()));
            }
            if valid && hardware.peek(|block| block.piece.ready.val()).any() {
                model.push(bits, count);
                if last {
                    model.align(word_bits as u32);
                }
            }
            hardware.clock();
        }
        // The last piece may have come before one that ends a word.
        assert!(hardware.peek(|block| block.is_empty.val()).any(), "{most} {word_bits}");
        let total = model.bits();
        assert_eq!(words.len() as u64 * word_bits as u64, total, "{most} {word_bits}");
        let bytes = model.finish();
        let bit = |at: usize| bytes[at / 8] >> (at % 8) & 1 == 1;
        for (number, found) in words.iter().enumerate() {
            for place in 0..word_bits {
                assert_eq!(
                    found.get_bit(place),
                    bit(number * word_bits + place),
                    "{most} {number}"
                );
            }
        }
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
        let (mut sent, mut waiting) = (Vec::new(), VecDeque::new());
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
