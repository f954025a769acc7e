//! The serial and the parallel encoder send records of any format as the slots say.

use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_elaborate::prelude::*;
use tracewright_hdl::encode::record::{ParallelEncoder, SerialEncoder};
use tracewright_sim::config::mask;
use tracewright_sim::encode::record::{Coding, RecordFormat};
use tracewright_sim::encode::variable_length::Chunks;

const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
const FLAGS: [&str; 7] = ["pads", "has_a", "has_b", "has_c", "has_d", "has_e", "has_f"];

/// Up to six slots of every coding, narrow and wide.
fn format(random: &mut ChaCha8Rng) -> RecordFormat {
    let slots = random.random_range(1..=NAMES.len());
    let mut format = RecordFormat::new(&FLAGS[..=slots]).value("size", 5);
    for (name, flag) in NAMES.iter().zip(&FLAGS[1..=slots]) {
        let width = random.random_range(1..=40);
        format = match random.random_range(0..4) {
            0 => format.constant(name, flag, random.next_u64() & mask(width), width),
            1 => format.value(name, width).plain(name, flag, name),
            2 => format.value(name, 31).sized(name, flag, name, "size"),
            _ => {
                let (first, next) = (random.random_range(1..=12), random.random_range(1..=12));
                let chunks = Chunks::new(first, next, width).connected(random.random_range(1..=2));
                format.value(name, width).chunks(name, flag, name, chunks)
            }
        };
    }
    format
}

/// A record with at least one slot.
fn record(format: &RecordFormat, random: &mut ChaCha8Rng) -> Word {
    let mut record = Word::zero(format.bits() as usize);
    for bit in 0..record.bits() {
        record = record.replace_bit(bit, random.random());
    }
    let slot = random.random_range(0..format.slots().len());
    record.replace_bit(format.slots()[slot].flag as usize, true)
}

/// What the slots say is sent.
fn expected(format: &RecordFormat, record: &Word) -> Vec<bool> {
    let number = |place: u32, width: u32| record.slice(place as usize, width as usize).to_u64();
    let mut sent = Vec::new();
    for slot in format.slots() {
        if !record.get_bit(slot.flag as usize) {
            continue;
        }
        let mut send = |bits: u64, count: u32| sent.extend((0..count).map(|i| bits >> i & 1 == 1));
        match slot.coding {
            Coding::Constant(bits) => send(bits, slot.width),
            Coding::Plain => send(number(slot.place, slot.width), slot.width),
            Coding::Chunks(chunks) => chunks.put(number(slot.place, slot.width), send),
            Coding::Sized { place, width } => {
                send(number(slot.place, slot.width), number(place, width) as u32)
            }
        }
    }
    sent
}

/// Takes pieces until the record is done.
macro_rules! sent_by {
    ($simulator:expr, $record:expr) => {{
        let mut sent = Vec::new();
        loop {
            $simulator.poke(|block| {
                block.record_valid.next = true.into();
                block.record.next = $record.clone();
                block.piece_ready.next = true.into();
            });
            let (valid, piece, bits, last) = $simulator.peek(|block| {
                (
                    block.piece_valid.val().any(),
                    block.piece.val(),
                    block.piece_bits.val().index(),
                    block.piece_last.val().any(),
                )
            });
            let ready = $simulator.peek(|block| block.record_ready.val().any());
            if valid {
                sent.extend((0..bits).map(|bit| piece.get_bit(bit)));
                assert!((bits..piece.bits()).all(|bit| !piece.get_bit(bit)), "zero above");
            }
            $simulator.clock();
            if ready {
                break (sent, last);
            }
        }
    }};
}

#[test]
fn both_encoders_send_what_the_slots_say() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..60 {
        let format = format(&mut random);
        let mut serial = Simulator::new(SerialEncoder::new(&format)).unwrap();
        let mut parallel = Simulator::new(ParallelEncoder::new(&format)).unwrap();
        for _ in 0..40 {
            let mut record = record(&format, &mut random);
            // A sized value has no bits above its size.
            let size = random.random_range(0..=31u64);
            let place = format.place("size") as usize;
            for bit in 0..5 {
                record = record.replace_bit(place + bit, size >> bit & 1 == 1);
            }
            for slot in format.slots() {
                if let Coding::Sized { .. } = slot.coding {
                    for bit in size..slot.width.into() {
                        record = record.replace_bit((slot.place as u64 + bit) as usize, false);
                    }
                }
            }
            let expected = expected(&format, &record);
            if expected.is_empty() {
                continue;
            }
            let (sent, last) = sent_by!(serial, record);
            assert_eq!(sent, expected, "{format:?}");
            assert_eq!(last, record.get_bit(0));

            // The parallel encoder has a register: the record is taken first, then its piece.
            parallel.poke(|block| {
                block.record_valid.next = true.into();
                block.record.next = record.clone();
                block.piece_ready.next = true.into();
            });
            parallel.clock();
            let (piece, bits, last) = parallel.peek(|block| {
                (block.piece.val(), block.piece_bits.val().index(), block.piece_last.val().any())
            });
            let sent: Vec<bool> = (0..bits).map(|bit| piece.get_bit(bit)).collect();
            assert_eq!(sent, expected, "{format:?}");
            assert_eq!(last, record.get_bit(0));
            parallel.poke(|block| block.record_valid.next = false.into());
            parallel.clock();
        }
    }
}
