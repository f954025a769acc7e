//! The serial and the parallel encoder send records of any format as the slots say.

use std::collections::HashMap;

use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_elaborate::prelude::*;
use tracewright_hdl::encode::record::{ParallelEncoder, SerialEncoder};
use tracewright_sim::config::mask;
use tracewright_sim::encode::record::{Coding, RecordFormat, Slot};
use tracewright_sim::encode::variable_length::Chunks;
use tracewright_sim::field::Field;

use crate::steps;

const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
const FLAGS: [&str; 7] = ["pads", "has_a", "has_b", "has_c", "has_d", "has_e", "has_f"];

/// Up to six slots of every coding, narrow and wide, some of them alternatives of one stage.
fn format(random: &mut ChaCha8Rng, with_differences: bool) -> RecordFormat {
    let slots = random.random_range(1..=NAMES.len());
    let mut format = RecordFormat::new(&FLAGS[..=slots]).value("size", 5);
    let source_bits = random.random_range(0..=2);
    if with_differences && source_bits > 0 {
        format = format.value("source", source_bits).of_sources("source");
    }
    let mut slot = 0;
    while slot < slots {
        let after = random.random_range(slot + 1..=slots);
        let stage = slot..if random.random() { slot + 1 } else { after };
        slot = stage.end;
        format = format.one_of(|format| {
            stage.fold(format, |format, slot| {
                add(format, NAMES[slot], FLAGS[slot + 1], random, with_differences)
            })
        });
    }
    format
}

fn add(
    format: RecordFormat,
    name: &'static str,
    flag: &str,
    random: &mut ChaCha8Rng,
    with_differences: bool,
) -> RecordFormat {
    let width = random.random_range(1..=40);
    let (first, next) = (random.random_range(1..=12), random.random_range(1..=12));
    let chunks = Chunks::new(first, next, width).with_continuation_bits(random.random_range(1..=2));
    let field = Field { name, doc: "" };
    match random.random_range(0..if with_differences { 6 } else { 4 }) {
        0 => format.constant(flag, [field.bits(random.next_u64() & mask(width), width)]),
        1 => format.value(name, width).plain(field, flag, name),
        2 => format.value(name, 31).sized(field, flag, name, "size"),
        3 => format.value(name, width).chunks(field, flag, name, chunks),
        _ => format.value(name, width).difference(field, flag, name, chunks),
    }
}

/// A record with at least one slot, and one at most of every stage; `last` are the values of the one before.
fn record(format: &RecordFormat, last: Option<&Word>, random: &mut ChaCha8Rng) -> Word {
    let mut record = Word::zero(format.bits() as usize);
    for bit in 0..record.bits() {
        record = record.replace_bit(bit, random.random());
    }
    let slots = format.slots();
    let chosen = random.random_range(0..slots.len());
    record = record.replace_bit(slots[chosen].flag as usize, true);
    for stage in 0..format.stages() {
        let in_stage = || (0..slots.len()).filter(|slot| slots[*slot].stage == stage);
        let set = |slot: &usize| record.get_bit(slots[*slot].flag as usize);
        let kept = in_stage().find(|slot| *slot == chosen).or_else(|| in_stage().find(set));
        for slot in in_stage().filter(|slot| Some(*slot) != kept) {
            record = record.replace_bit(slots[slot].flag as usize, false);
        }
    }
    // A sized value has no bits above its size, and a target is often near the last one.
    let size = record.slice(format.offset("size") as usize, 5).to_u64();
    for slot in slots {
        if let Coding::Sized { .. } = slot.coding {
            record = replaced(
                &record,
                slot,
                number(&record, slot.offset, slot.width) & mask(size as u32),
            );
        }
        if let (Coding::Difference(_), Some(last)) = (slot.coding, last) {
            let most = mask(random.random_range(0..=slot.width));
            let moved = random.next_u64() & most;
            let near = number(last, slot.offset, slot.width);
            record = match random.random_range(0..3) {
                0 => replaced(&record, slot, near.wrapping_add(moved)),
                1 => replaced(&record, slot, near.wrapping_sub(moved)),
                _ => record,
            };
        }
    }
    record
}

fn replaced(record: &Word, slot: &Slot, value: u64) -> Word {
    (0..slot.width).fold(record.clone(), |record, bit| {
        record.replace_bit((slot.offset + bit) as usize, value >> bit & 1 == 1)
    })
}

fn number(record: &Word, place: u32, width: u32) -> u64 {
    record.slice(place as usize, width as usize).to_u64()
}

/// The last value that a slot sent of a source.
type Sent = HashMap<(u32, u64), u64>;

/// What the slots say is sent.
fn expected(format: &RecordFormat, record: &Word, last: &mut Sent) -> Vec<bool> {
    let mut sent = Vec::new();
    for slot in format.slots() {
        if !record.get_bit(slot.flag as usize) {
            continue;
        }
        let mut send = |bits: u64, count: u32| sent.extend((0..count).map(|i| bits >> i & 1 == 1));
        let value = match slot.coding {
            Coding::Constant(bits) => bits,
            _ => number(record, slot.offset, slot.width),
        };
        match slot.coding {
            Coding::Constant(_) | Coding::Plain => send(value, slot.width),
            Coding::Chunks(chunks) => chunks.put(value, send),
            Coding::Difference(chunks) => {
                let (place, width) = format.source();
                let source = if width == 0 { 0 } else { number(record, place, width) };
                let previous = last.insert((slot.offset, source), value).unwrap_or(0);
                let up = value.wrapping_sub(previous) & mask(slot.width);
                let below = up >> (slot.width - 1) == 1;
                let distance = if below { up.wrapping_neg() & mask(slot.width) } else { up };
                chunks.put(distance, &mut send);
                send(below.into(), 1);
            }
            Coding::Sized { offset, width } => send(value, number(record, offset, width) as u32),
        }
    }
    sent
}

/// Takes pieces until the record is done, at clocks that `ready` chooses.
macro_rules! sent_by {
    ($simulator:expr, $record:expr, $ready:expr) => {{
        let mut sent = Vec::new();
        loop {
            let takes: bool = $ready;
            $simulator.poke(|block| {
                block.record.valid.next = true.into();
                block.record.word.next = $record.clone();
                block.piece.ready.next = bool::into(takes);
            });
            let (valid, piece, bits, last) = $simulator.peek(|block| {
                (
                    block.piece.valid.val().any(),
                    block.piece.word.val(),
                    block.piece.bits.val().index(),
                    block.piece.last.val().any(),
                )
            });
            let ready = $simulator.peek(|block| block.record.ready.val().any());
            if valid {
                assert!((bits..piece.bits()).all(|bit| !piece.get_bit(bit)), "zero above");
                if takes {
                    sent.extend((0..bits).map(|bit| piece.get_bit(bit)));
                }
            }
            assert!(takes || !ready, "the record goes with its last piece");
            $simulator.clock();
            if ready {
                break (sent, last);
            }
        }
    }};
}

#[test]
fn the_serial_encoder_sends_what_the_slots_say() {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    for _ in 0..steps(100, 5) {
        let format = format(&mut random, true);
        let mut simulator =
            Simulator::new(SerialEncoder::new(&format, false, false, false)).unwrap();
        let (mut last_record, mut sent_before) = (None, Sent::new());
        for _ in 0..40 {
            let record = record(&format, last_record.as_ref(), &mut random);
            let expected = expected(&format, &record, &mut sent_before);
            if expected.is_empty() {
                continue;
            }
            let (sent, pads) = sent_by!(simulator, record, random.random_range(0..4) > 0);
            assert_eq!(sent, expected, "{format:?}, {record:?} after {last_record:?}");
            assert_eq!(pads, record.get_bit(0));
            last_record = Some(record);
            simulator.poke(|block| block.record.valid.next = false.into());
            if random.random() {
                simulator.clock();
            }
        }
    }
}

/// With registers it takes a record while it sends none, and sends it whatever comes to its input meanwhile.
#[test]
fn the_serial_encoder_with_registers_sends_the_same() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for _ in 0..steps(100, 5) {
        let format = format(&mut random, true);
        let selects = random.random();
        let encoder = SerialEncoder::new(&format, true, false, selects);
        let mut simulator = Simulator::new(encoder).unwrap();
        let (mut last_record, mut sent_before) = (None, Sent::new());
        for _ in 0..40 {
            let record = record(&format, last_record.as_ref(), &mut random);
            let expected = expected(&format, &record, &mut sent_before);
            if expected.is_empty() {
                continue;
            }
            simulator.poke(|block| {
                block.record.valid.next = true.into();
                block.record.word.next = record.clone();
            });
            assert!(simulator.peek(|block| block.record.ready.val()).any());
            simulator.clock();
            let (mut sent, mut pads) = (Vec::new(), false);
            loop {
                let takes = random.random_range(0..4) > 0;
                simulator.poke(|block| {
                    block.record.valid.next = false.into();
                    block.record.word.next = !record.clone();
                    block.piece.ready.next = bool::into(takes);
                });
                if !simulator.peek(|block| block.piece.valid.val()).any() {
                    break;
                }
                assert!(!simulator.peek(|block| block.record.ready.val()).any());
                let (piece, bits) = simulator
                    .peek(|block| (block.piece.word.val(), block.piece.bits.val().index()));
                pads = simulator.peek(|block| block.piece.last.val()).any();
                if takes {
                    sent.extend((0..bits).map(|bit| piece.get_bit(bit)));
                }
                simulator.clock();
            }
            assert_eq!(sent, expected, "{format:?}, {record:?} after {last_record:?}");
            assert_eq!(pads, record.get_bit(0));
            last_record = Some(record);
        }
    }
}

#[test]
fn the_parallel_encoder_sends_what_the_slots_say() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..60 {
        let format = format(&mut random, false);
        let mut parallel = Simulator::new(ParallelEncoder::new(&format)).unwrap();
        for _ in 0..40 {
            let record = record(&format, None, &mut random);
            let expected = expected(&format, &record, &mut Sent::new());
            if expected.is_empty() {
                continue;
            }
            // It has a register: the record is taken first, then its piece.
            parallel.poke(|block| {
                block.record.valid.next = true.into();
                block.record.word.next = record.clone();
                block.piece.ready.next = true.into();
            });
            parallel.clock();
            let (piece, bits, last) = parallel.peek(|block| {
                (
                    block.piece.word.val(),
                    block.piece.bits.val().index(),
                    block.piece.last.val().any(),
                )
            });
            let sent: Vec<bool> = (0..bits).map(|bit| piece.get_bit(bit)).collect();
            assert_eq!(sent, expected, "{format:?}");
            assert_eq!(last, record.get_bit(0));
            parallel.poke(|block| block.record.valid.next = false.into());
            parallel.clock();
        }
    }
}
