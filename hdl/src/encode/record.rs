//! Records of any format into bits: one piece per cycle, or one whole record per cycle.

use tracewright_sim::encode::record::{Coding, RecordFormat, Slot};
use tracewright_sim::encode::variable_length::Chunks;

mod by_slots;
mod parallel;
mod serial;

pub use by_slots::SlotEncoder;
pub use parallel::ParallelEncoder;
pub use serial::SerialEncoder;

/// The most bits that the encoder sends in one cycle.
pub fn piece_most_bits(format: &RecordFormat, parallel: bool) -> usize {
    format.piece_most_bits(parallel) as usize
}

/// The widths of the fields of a packed word, by name; 0 for one that the format does not have.
///
/// # Panics
/// When `fields` are not in the order of the format, or do not make up its whole word: a fault of the source.
pub fn word_layout(format: &RecordFormat, fields: &[&str]) -> impl Fn(&str) -> u32 {
    let widths: Vec<(String, u32)> =
        fields.iter().map(|field| ((*field).to_owned(), format.field_width(field))).collect();
    let mut offset = 0;
    for (field, width) in widths.iter().filter(|(_, width)| *width > 0) {
        assert_eq!(format.offset(field), offset, "`{field}` of the packed word");
        offset += width;
    }
    assert_eq!(format.bits(), offset, "bits of the packed word");
    move |name| widths.iter().find(|(field, _)| field == name).map_or(0, |(_, width)| *width)
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

/// A name for each slot, made from its flag's: `sends_branch_count` and `selector` give `branch_count_selector`.
fn labels<'a>(
    format: &RecordFormat,
    slots: impl IntoIterator<Item = &'a Slot>,
    kind: &str,
) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for slot in slots {
        let flag = format.name_at(slot.flag).unwrap_or("slot");
        let base = format!("{}_{kind}", flag.trim_start_matches("sends_"));
        let alike = labels.iter().filter(|label| label.starts_with(&base)).count();
        labels.push(if alike == 0 { base } else { format!("{base}_{}", alike + 1) });
    }
    labels
}

fn chunked(format: &RecordFormat) -> Vec<(usize, Slot, Chunks)> {
    in_chunks(format, |coding| match coding {
        Coding::Chunks(chunks) => Some(*chunks),
        _ => None,
    })
}

/// The slots of numbers that go as differences from the target before, and their places.
pub fn differences(format: &RecordFormat) -> Vec<(usize, Slot, Chunks)> {
    in_chunks(format, |coding| match coding {
        Coding::Difference(chunks) => Some(*chunks),
        _ => None,
    })
}

/// True if no number goes in chunks.
pub fn is_plain(format: &RecordFormat) -> bool {
    chunked(format).is_empty() && differences(format).is_empty()
}

/// A slot that is not cut into chunks.
struct Unchunked {
    /// Which slot it is.
    number: usize,
    /// Where its value is in the record; 0 for a constant.
    place: usize,
    width: usize,
    /// Its bits, where they are the same in every record.
    constant: Option<u64>,
    /// Whether the record says how many bits of the value are sent.
    is_sized: bool,
    /// Where it says so, and in how many bits.
    size_place: usize,
    size_bits: usize,
}

fn unchunked(format: &RecordFormat) -> Vec<Unchunked> {
    let unchunked = |(number, slot): (usize, &Slot)| {
        let (mut constant, mut size) = (None, None);
        match slot.coding {
            Coding::Chunks(_) | Coding::Difference(_) => return None,
            Coding::Constant(bits) => constant = Some(bits),
            Coding::Sized { offset, width } => size = Some((offset as usize, width as usize)),
            Coding::Plain => {}
        }
        let (size_place, size_bits) = size.unwrap_or_default();
        Some(Unchunked {
            number,
            place: slot.offset as usize,
            width: slot.width as usize,
            constant,
            is_sized: size.is_some(),
            size_place,
            size_bits,
        })
    };
    format.slots().iter().enumerate().filter_map(unchunked).collect()
}
