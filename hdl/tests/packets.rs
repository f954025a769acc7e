//! What makes packets: stuffed zeros and checksums.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_elaborate::prelude::*;
use tracewright_hdl::packet::checksum::Checksum;
use tracewright_hdl::packet::stuffing::{MeasuredStuffer, PieceMeasure, Stuffer};
use tracewright_sim::packet::{checksum, stuffing};
use tracewright_sim::scheme::Design;

/// Pieces of every size, most of them of ones.
fn piece(random: &mut ChaCha8Rng, width: usize) -> (u64, u32) {
    let bits = random.random_range(0..=width as u32);
    let word =
        if random.random() { u64::MAX } else { random.random::<u64>() | random.random::<u64>() };
    (if bits == 0 { 0 } else { word & (u64::MAX >> (64 - bits)) }, bits)
}

#[test]
fn zeros_are_stuffed_as_in_the_model() {
    for (marker_ones, width) in [(16, 5), (16, 9), (16, 15), (33, 32), (61, 60)] {
        let mut random = ChaCha8Rng::seed_from_u64(marker_ones);
        let mut hardware = Simulator::new(Stuffer::new(marker_ones as usize, width)).unwrap();
        let mut model = stuffing::Stuffer::new(marker_ones as u32);
        let mut zeros = 0;
        for _ in 0..400 {
            let (word, bits) = piece(&mut random, width);
            let (takes, restart) = (random.random_ratio(3, 4), random.random_ratio(1, 20));
            hardware.poke(|block| {
                let count_bits = block.bits.width();
                block.word.next = Word::new(width, word);
                block.bits.next = Word::new(count_bits, bits.into());
                (block.takes.next, block.restart.next) = (takes.into(), restart.into());
            });
            let mut tried = model;
            let (taken, stuffs) = tried.take(word, bits);
            let (rest, again) = tried.take(word.unbounded_shr(taken), bits - taken);
            assert!(rest == bits - taken && !again, "a piece has at most one zero more");
            let low = word & ((1u64 << taken) - 1);
            let expected = low | (word ^ low) << u32::from(stuffs);
            assert_eq!(hardware.peek(|block| block.stuffed.val()).to_u64(), expected);
            let sent = hardware.peek(|block| block.stuffed_bits.val()).to_u64();
            assert_eq!(sent, u64::from(bits + u32::from(stuffs)));
            zeros += u32::from(stuffs && takes);
            if takes {
                model = tried;
            }
            if restart {
                model.restart();
            }
            hardware.clock();
        }
        assert!(zeros > 10, "{marker_ones}, {width}: {zeros} zeros");
    }
}

#[test]
fn checksums_are_those_of_the_model() {
    for (checksum_bits, width) in [(8, 9), (16, 9), (8, 1), (16, 64)] {
        let mut random = ChaCha8Rng::seed_from_u64(checksum_bits);
        let mut hardware = Simulator::new(Checksum::new(checksum_bits as usize, width)).unwrap();
        let mut model = checksum::Checksum::new(checksum_bits as u32);
        for _ in 0..100 {
            let (word, bits) = piece(&mut random, width);
            let (takes, restart) = (random.random_ratio(3, 4), random.random_ratio(1, 20));
            hardware.poke(|block| {
                let count_bits = block.bits.width();
                block.word.next = Word::new(width, word);
                block.bits.next = Word::new(count_bits, bits.into());
                (block.takes.next, block.restart.next) = (takes.into(), restart.into());
            });
            assert_eq!(hardware.peek(|block| block.value.val()).to_u64(), model.value());
            match (restart, takes) {
                (true, _) => model.restart(),
                (false, true) => model.add(word, bits),
                (false, false) => {}
            }
            hardware.clock();
        }
    }
}

/// A measure and the stuffer that takes it do in two steps what the model does in one; a marker ends any run.
#[test]
fn zeros_are_stuffed_by_measures() {
    for (marker_ones, width) in [(16, 5), (16, 9), (16, 15), (33, 32), (61, 60)] {
        let mut random = ChaCha8Rng::seed_from_u64(marker_ones + 1);
        let ones = marker_ones as usize;
        let mut measure = Simulator::new(PieceMeasure::new(ones, width)).unwrap();
        let mut hardware = Simulator::new(MeasuredStuffer::new(ones, width)).unwrap();
        let mut model = stuffing::Stuffer::new(marker_ones as u32);
        let mut zeros = 0;
        for _ in 0..1_000 {
            let (word, bits) = piece(&mut random, width);
            let (takes, is_marker) = (random.random_ratio(3, 4), random.random_ratio(1, 30));
            let bits = if is_marker { width as u32 } else { bits };
            let word = if is_marker { u64::MAX >> (64 - width) } else { word };
            measure.poke(|block| {
                let count_bits = block.bits.width();
                block.word.next = Word::new(width, word);
                block.bits.next = Word::new(count_bits, bits.into());
                block.is_marker.next = is_marker.into();
            });
            let measured = measure.peek(|block| block.measure.val());
            hardware.poke(|block| {
                let count_bits = block.bits.width();
                block.word.next = Word::new(width, word);
                block.bits.next = Word::new(count_bits, bits.into());
                block.measured.next = measured.clone();
                block.takes.next = takes.into();
            });
            let found = (
                hardware.peek(|block| block.stuffed.val()).to_u64(),
                hardware.peek(|block| block.stuffed_bits.val()).to_u64() as u32,
            );
            if is_marker {
                assert_eq!(found, (word, bits));
                if takes {
                    model.restart();
                }
            } else {
                let mut tried = model;
                let (taken, stuffs) = tried.take(word, bits);
                tried.take(word.unbounded_shr(taken), bits - taken);
                let low = word & ((1u64 << taken) - 1);
                let expected = low | (word ^ low) << u32::from(stuffs);
                assert_eq!(found, (expected, bits + u32::from(stuffs)), "{marker_ones} {width}");
                if takes {
                    zeros += u32::from(stuffs);
                    model = tried;
                }
            }
            hardware.clock();
        }
        assert!(zeros > 5, "{zeros}");
    }
}

/// Signals that an option does not need are not there, and nothing else needs them.
#[test]
fn all_options_go_together() {
    let pick = |choice: usize, bit: usize, off: &'static str, on: &'static str| {
        if choice >> bit & 1 == 0 { off } else { on }
    };
    for choice in 0..64 {
        let mut design = Design::preset(pick(choice, 5, "traptor-m4", "nexs")).unwrap();
        for (name, value) in [
            ("framing", "packets"),
            ("sync_keeps_tables", pick(choice, 0, "false", "true")),
            ("when_full", pick(choice, 1, "stall", "drop")),
            ("context_bits", pick(choice, 2, "0", "16")),
            ("privilege_bits", pick(choice, 3, "0", "2")),
            ("cause_bits", pick(choice, 4, "0", "8")),
        ] {
            design.set(name, value).unwrap();
        }
        let generated = tracewright_hdl::generate(&design);
        assert!(generated.is_ok(), "{choice:06b}: {:?}", generated.err());
    }
}
