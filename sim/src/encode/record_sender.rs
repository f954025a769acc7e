//! The records of the golden encoders: values by name, packed into a word and sent slot by slot.

use super::record::{Coding, RecordFormat, Slot};
use crate::config::mask;
use crate::field::Sink;

/// The most bits of a record's word, in units of 64.
const WORD_UNITS: usize = 8;

/// A record's flags and values, packed as in the hardware.
#[derive(Clone, Copy, Debug, Default)]
pub struct Packed([u64; WORD_UNITS]);

impl Packed {
    /// Puts `value`, of up to 64 bits, at `offset`, where only zeros are.
    #[inline]
    pub fn set(&mut self, offset: u32, width: u32, value: u64) {
        let (unit, shift) = ((offset / 64) as usize, offset % 64);
        let value = value & mask(width);
        self.0[unit] |= value << shift;
        if shift + width > 64 {
            self.0[unit + 1] |= value >> (64 - shift);
        }
    }

    /// The `width` bits, up to 64, at `offset`.
    #[inline]
    pub fn get(&self, offset: u32, width: u32) -> u64 {
        let (unit, shift) = ((offset / 64) as usize, offset % 64);
        let low = self.0[unit] >> shift;
        let high = if shift + width > 64 { self.0[unit + 1] << (64 - shift) } else { 0 };
        (low | high) & mask(width)
    }
}

/// A flag or a value of a record.
pub trait RecordValue {
    /// Puts the value into a record's word.
    fn pack(&self, offset: u32, width: u32, word: &mut Packed);
}

impl RecordValue for bool {
    #[inline]
    fn pack(&self, offset: u32, width: u32, word: &mut Packed) {
        if *self {
            word.set(offset, width, 1);
        }
    }
}

impl RecordValue for u64 {
    #[inline]
    fn pack(&self, offset: u32, width: u32, word: &mut Packed) {
        // Most values of most records are none.
        if *self != 0 {
            word.set(offset, width, *self);
        }
    }
}

/// Items of one width, the first one lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Items<const N: usize> {
    /// The items.
    pub items: [u16; N],
    /// Bits of an item.
    pub item_bits: u32,
}

impl<const N: usize> Default for Items<N> {
    fn default() -> Self {
        Self { items: [0; N], item_bits: 0 }
    }
}

impl<const N: usize> RecordValue for Items<N> {
    fn pack(&self, offset: u32, width: u32, word: &mut Packed) {
        let offsets = (0..width).step_by(self.item_bits.max(1) as usize);
        for (item, item_offset) in self.items.iter().zip(offsets) {
            word.set(offset + item_offset, self.item_bits, (*item).into());
        }
    }
}

/// A record of named flags and values, declared with [`record_word!`](crate::record_word).
pub trait RecordWord {
    /// The names, as the format has them.
    const NAMES: &'static [&'static str];
    /// Packs every flag and value that has an offset and a width.
    fn pack(&self, offsets: &[Option<(u32, u32)>]) -> Packed;
}

/// Declares the record of a scheme as a struct of its flags and values, named as in its format. What a
/// configuration's format does not have is not sent.
#[macro_export]
macro_rules! record_word {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            flags { $($(#[$flag_doc:meta])* $flag:ident,)+ }
            values { $($(#[$value_doc:meta])* $value:ident: $type:ty,)* }
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name {
            $($(#[$flag_doc])* pub $flag: bool,)+
            $($(#[$value_doc])* pub $value: $type,)*
        }

        impl $crate::encode::record_sender::RecordWord for $name {
            const NAMES: &'static [&'static str] = &[$(stringify!($flag),)+ $(stringify!($value),)*];

            #[inline]
            fn pack(&self, offsets: &[Option<(u32, u32)>]) -> $crate::encode::record_sender::Packed {
                use $crate::encode::record_sender::RecordValue;
                let mut word = $crate::encode::record_sender::Packed::default();
                let mut offsets = offsets.iter();
                $(if let Some(Some((offset, width))) = offsets.next() {
                    self.$flag.pack(*offset, *width, &mut word);
                })+
                $(if let Some(Some((offset, width))) = offsets.next() {
                    self.$value.pack(*offset, *width, &mut word);
                })*
                word
            }
        }
    };
}

/// Sends the records of one format.
#[derive(Clone, Debug)]
pub struct RecordSender {
    slots: Vec<Slot>,
    offsets: Vec<Option<(u32, u32)>>,
}

impl RecordSender {
    /// A sender of the records `W` in this format.
    ///
    /// # Panics
    /// When the format has differences, whose last values only the hardware keeps, or more bits than any
    /// scheme needs: formats are stated in the source.
    pub fn new<W: RecordWord>(format: &RecordFormat) -> Self {
        assert!(format.bits() as usize <= 64 * WORD_UNITS);
        let slots = format.slots().to_vec();
        assert!(slots.iter().all(|slot| !matches!(slot.coding, Coding::Difference(_))));
        Self { slots, offsets: W::NAMES.iter().map(|name| format.lookup(name)).collect() }
    }

    /// Sends a whole record.
    #[inline]
    pub fn send<W: RecordWord, S: Sink>(&self, record: &W, sink: &mut S) {
        self.put(record, sink);
        sink.end_record();
    }

    /// Sends the slots whose flag is set, the first part of a record.
    pub fn put<W: RecordWord, S: Sink>(&self, record: &W, sink: &mut S) {
        let word = record.pack(&self.offsets);
        for slot in self.slots.iter().filter(|slot| word.get(slot.flag, 1) == 1) {
            send_slot(slot, &word, sink);
        }
    }
}

#[inline]
fn send_slot<S: Sink>(slot: &Slot, word: &Packed, sink: &mut S) {
    let width = match slot.coding {
        Coding::Chunks(chunks) | Coding::Difference(chunks) => {
            let value = word.get(slot.offset, chunks.width);
            for piece in slot.pieces.iter() {
                chunks.put(value, |bits, count| sink.put(&piece.field, bits, count));
            }
            return;
        }
        Coding::Constant(_) | Coding::Plain => slot.width,
        Coding::Sized { offset, width } => word.get(offset, width) as u32,
    };
    let value = |offset, width| word.get(slot.offset + offset, width);
    slot.pieces.send(width, value, |field, bits, count| sink.put(field, bits, count));
}
