//! Tables of records for docs/formats.md.

use std::fmt::Write;

use crate::config::mask;
use crate::encode::piece::{Piece, PieceCoding};
use crate::encode::record::{Coding, RecordFormat, Slot};
use crate::encode::variable_length::Chunks;

/// Appends a record's title and the table of its fields: those of the slots that have these flags.
pub fn record(text: &mut String, title: &str, format: &RecordFormat, flags: &[&str]) {
    let _ = write!(text, "\n### {title}\n\n| field | bits | says |\n|---|---|---|\n");
    let offsets: Vec<u32> = flags.iter().map(|flag| format.offset(flag)).collect();
    for slot in format.slots().iter().filter(|slot| offsets.contains(&slot.flag)) {
        let mut left = slot.width;
        for piece in slot.pieces.iter() {
            let coding = coding(slot, piece, &mut left);
            let _ = writeln!(text, "| `{}` | {coding} | {} |", piece.field.name, piece.field.doc);
        }
    }
}

/// How a piece of a slot is coded; `left` bits of the slot's value are not yet in a piece.
fn coding(slot: &Slot, piece: &Piece, left: &mut u32) -> String {
    match (piece.coding, slot.coding) {
        (_, Coding::Chunks(chunks) | Coding::Difference(chunks)) => number(&chunks),
        (PieceCoding::Number(0, Chunks { first, continuation_bits, .. }), _) => {
            format!("one chunk of {} and {}", zeros(first), continuation_bits_0(continuation_bits))
        }
        (PieceCoding::Number(value, chunks), _) => format!("{}, value {value}", number(&chunks)),
        (PieceCoding::Escape(Chunks { first, next, .. }), _) => {
            format!("escape: {}, 1, {}, 0", zeros(first), zeros(next))
        }
        (PieceCoding::Bits { value, width }, _) if value == mask(width) && width > 8 => {
            format!("{}, all ones", bits(width))
        }
        (PieceCoding::Bits { value, width }, _) => format!("{}, value {value}", bits(width)),
        (PieceCoding::Low(width), _) => {
            *left -= width;
            bits(width)
        }
        (PieceCoding::Rest, Coding::Sized { .. }) => format!("up to {}", bits(*left)),
        (PieceCoding::Rest, _) => bits(*left),
        (PieceCoding::Each(width), Coding::Sized { .. }) => {
            format!("up to {} times {}", *left / width, bits(width))
        }
        (PieceCoding::Each(width), _) => format!("{} times {}", *left / width, bits(width)),
    }
}

fn number(chunks: &Chunks) -> String {
    let Chunks { first, next, width, continuation_bits, end } = chunks;
    if *end != 0 {
        return format!(
            "{width}-bit number in slices of {first} bits, each after 2 control bits, {end} before the last"
        );
    }
    let text = format!("{width}-bit number in chunks of {first}, {next}, {next}, ... bits");
    match continuation_bits {
        1 => text,
        _ => format!("{text}, {continuation_bits} continuation bits each"),
    }
}

fn bits(count: u32) -> String {
    if count == 1 { "1 bit".into() } else { format!("{count} bits") }
}

fn zeros(count: u32) -> String {
    if count == 1 { "1 zero".into() } else { format!("{count} zeros") }
}

fn continuation_bits_0(count: u32) -> &'static str {
    if count == 1 { "continuation bit 0" } else { "continuation bits 0" }
}
