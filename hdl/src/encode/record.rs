//! Records of any format into bits: one piece a clock, or one whole record a clock.

use tracewright_elaborate::prelude::*;
use tracewright_sim::encode::record::{Coding, RecordFormat, Slot};
use tracewright_sim::encode::variable_length::Chunks;

mod parallel;
mod serial;

pub use parallel::ParallelEncoder;
pub use serial::SerialEncoder;

/// The most bits that the encoder hands over in one clock.
pub fn piece_most_bits(format: &RecordFormat, parallel: bool) -> usize {
    (if parallel { format.most_bits() } else { format.piece_bits() }) as usize
}

/// A number that tells formats apart in module names.
fn parameters(format: &RecordFormat) -> [(&'static str, usize); 3] {
    [
        ("slots", format.slots().len()),
        ("record_bits", format.bits() as usize),
        ("most_bits", format.most_bits() as usize),
    ]
}

/// The slots of numbers that go in chunks, by what `chunks` says of their coding, and their places.
fn in_chunks(
    format: &RecordFormat,
    chunks: impl Fn(&Coding) -> Option<Chunks>,
) -> Vec<(usize, Slot, Chunks)> {
    let numbered = format.slots().iter().enumerate();
    numbered.filter_map(|(place, slot)| chunks(&slot.coding).map(|c| (place, *slot, c))).collect()
}

fn chunked(format: &RecordFormat) -> Vec<(usize, Slot, Chunks)> {
    in_chunks(format, |coding| match coding {
        Coding::Chunks(chunks) => Some(*chunks),
        _ => None,
    })
}

fn differences(format: &RecordFormat) -> Vec<(usize, Slot, Chunks)> {
    in_chunks(format, |coding| match coding {
        Coding::Difference(chunks) => Some(*chunks),
        _ => None,
    })
}

fn unchunked(format: &RecordFormat) -> Vec<(usize, Slot)> {
    let numbered = format.slots().iter().enumerate();
    numbered
        .filter(|(_, slot)| !matches!(slot.coding, Coding::Chunks(_) | Coding::Difference(_)))
        .map(|(number, slot)| (number, *slot))
        .collect()
}

fn params<T>(of: &[T], value: impl Fn(&T) -> usize) -> Vec<Param> {
    of.iter().map(|one| Param::new(value(one))).collect()
}

/// What a slot that is not cut into chunks sends, and how many bits of it.
///
/// A constant has its bits in `constant` and no value in the record; only a sized one has `is_sized`.
struct Unchunked {
    constant: Vec<Param>,
    is_constant: Vec<Param>,
    is_sized: Vec<Param>,
    place: Vec<Param>,
    size_place: Vec<Param>,
    width: Vec<Param>,
    raw_size: Vec<Wire<Local>>,
    size: Vec<Wire<Local>>,
    value: Vec<Wire<Local>>,
}

impl Unchunked {
    fn new(slots: &[(usize, Slot)], size_bits: usize) -> Self {
        let sized = |slot: &Slot| match slot.coding {
            Coding::Sized { place, width } => Some((place as usize, width as usize)),
            _ => None,
        };
        Self {
            constant: slots
                .iter()
                .map(|(_, slot)| {
                    let bits = if let Coding::Constant(bits) = slot.coding { bits } else { 0 };
                    Param::new(Word::new(slot.width as usize, bits))
                })
                .collect(),
            is_constant: params(slots, |(_, slot)| {
                usize::from(matches!(slot.coding, Coding::Constant(_)))
            }),
            is_sized: params(slots, |(_, slot)| usize::from(sized(slot).is_some())),
            place: params(slots, |(_, slot)| slot.place as usize),
            size_place: params(slots, |(_, slot)| sized(slot).map_or(0, |(place, _)| place)),
            width: slots
                .iter()
                .map(|(_, slot)| Param::new(Word::new(size_bits, slot.width.into())))
                .collect(),
            raw_size: slots
                .iter()
                .map(|(_, slot)| Wire::new(sized(slot).map_or(0, |(_, width)| width)))
                .collect(),
            size: slots.iter().map(|_| Wire::new(size_bits)).collect(),
            value: slots.iter().map(|(_, slot)| Wire::new(slot.width as usize)).collect(),
        }
    }
}
