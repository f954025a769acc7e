//! What a slot sends, as fields: which bits of it belong to which field.

use super::variable_length::Chunks;
use crate::field::Field;

/// Bits of a slot that belong to one field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The field.
    pub field: Field,
    /// Which bits.
    pub coding: PieceCoding,
}

/// Which bits of a slot belong to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceCoding {
    /// The next bits of the slot's value.
    Low(u32),
    /// All remaining bits of the slot's value.
    Rest,
    /// All remaining bits of the slot's value, which has several items of this width.
    Each(u32),
    /// A constant.
    Bits {
        /// Its value.
        value: u64,
        /// Its width.
        width: u32,
    },
    /// A constant number in chunks.
    Number(u64, Chunks),
    /// The escape of a number in chunks.
    Escape(Chunks),
}

impl Piece {
    /// True for a constant of no bits.
    fn is_nothing(&self) -> bool {
        matches!(self.coding, PieceCoding::Bits { width: 0, .. })
    }
}

impl Field {
    /// The field as the next `width` bits of a value that has several fields.
    pub fn low(self, width: u32) -> Piece {
        Piece { field: self, coding: PieceCoding::Low(width) }
    }

    /// The field as constant bits.
    pub fn bits(self, value: u64, width: u32) -> Piece {
        Piece { field: self, coding: PieceCoding::Bits { value, width } }
    }

    /// The field as a constant number in chunks.
    pub fn number(self, value: u64, chunks: Chunks) -> Piece {
        Piece { field: self, coding: PieceCoding::Number(value, chunks) }
    }

    /// The field as the escape of a number in chunks.
    pub fn escape(self, chunks: Chunks) -> Piece {
        Piece { field: self, coding: PieceCoding::Escape(chunks) }
    }

    /// The field after one of `width` bits, both in one value.
    pub fn after(self, first: Field, width: u32) -> Pieces {
        Pieces([
            Some(first.low(width)),
            Some(Piece { field: self, coding: PieceCoding::Rest }),
            None,
            None,
        ])
    }

    /// The field several times in one value, `width` bits each.
    pub fn each(self, width: u32) -> Pieces {
        Pieces([Some(Piece { field: self, coding: PieceCoding::Each(width) }), None, None, None])
    }
}

/// The pieces of a slot, the first one lowest; up to 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces([Option<Piece>; 4]);

impl From<Field> for Pieces {
    fn from(field: Field) -> Self {
        Self([Some(Piece { field, coding: PieceCoding::Rest }), None, None, None])
    }
}

impl<const N: usize> From<[Piece; N]> for Pieces {
    fn from(pieces: [Piece; N]) -> Self {
        const { assert!(N <= 4, "a slot has up to 4 pieces") };
        // A constant of no bits says nothing.
        let mut pieces = pieces.into_iter().filter(|piece| !piece.is_nothing());
        Self([pieces.next(), pieces.next(), pieces.next(), pieces.next()])
    }
}

impl Pieces {
    /// The pieces in the order in which they are sent.
    pub fn iter(&self) -> impl Iterator<Item = &Piece> {
        self.0.iter().flatten()
    }

    /// Value and width of pieces that are all constant.
    pub fn constant(&self) -> (u64, u32) {
        let (mut value, mut width) = (0, 0);
        self.send(
            0,
            |_, _| 0,
            |_, bits, count| {
                value |= bits << width;
                width += count;
            },
        );
        (value, width)
    }

    /// Gives the pieces to `send`, with field, bits and width; `value` gives a part of the slot's
    /// value, which has `width` bits, from its offset and width.
    pub fn send(
        &self,
        width: u32,
        value: impl Fn(u32, u32) -> u64,
        mut send: impl FnMut(&Field, u64, u32),
    ) {
        let mut offset = 0;
        for Piece { field, coding } in self.iter() {
            let mut put = |bits, count| send(field, bits, count);
            let (end, each) = match *coding {
                PieceCoding::Bits { value, width } => {
                    put(value, width);
                    continue;
                }
                PieceCoding::Number(value, chunks) => {
                    chunks.put(value, put);
                    continue;
                }
                PieceCoding::Escape(chunks) => {
                    chunks.put_escape(put);
                    continue;
                }
                PieceCoding::Low(bits) => (offset + bits, bits),
                PieceCoding::Rest => (width, width - offset),
                PieceCoding::Each(bits) => (width, bits),
            };
            while offset < end {
                put(value(offset, each), each);
                offset += each;
            }
        }
    }
}
