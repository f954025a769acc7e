//! A scheme's records, stated once: a word of flags and values, and the slots that send it.
//!
//! A [`RecordFormat`] is an ordered list of slots, each with a flag in the record's word that says
//! whether it is sent. The golden encoder, the serial and the parallel encoder in `tracewright-hdl`, the
//! bit accounting and docs/formats.md all interpret this list.

use super::piece::Pieces;
use super::variable_length::Chunks;
use crate::field::Field;

/// What a slot sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// These bits, whatever the record says.
    Constant(u64),
    /// A value, lowest bit first.
    Plain,
    /// A value in chunks with continuation bits.
    Chunks(Chunks),
    /// The distance of a value from the last one sent with this coding, the shorter way around, in chunks; then
    /// a bit that is 1 if the value is below. Only the serial encoder takes such differences.
    Difference(Chunks),
    /// As many low bits of a value as another value says; those above are zero.
    Sized {
        /// The offset of that value in the word.
        offset: u32,
        /// Its width.
        width: u32,
    },
}

/// A part of a record that is sent or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The fields that it sends.
    pub pieces: Pieces,
    /// Where its flag is in the word.
    pub flag: u32,
    /// Where its value is in the word; 0 for a constant.
    pub offset: u32,
    /// Bits of the value, or of the constant.
    pub width: u32,
    /// How it is sent.
    pub coding: Coding,
    /// Which of a record's stages it is; of the slots of one stage a record has one at most.
    pub stage: u32,
}

impl Slot {
    /// The most bits that the slot sends.
    pub fn most_bits(&self) -> u32 {
        match self.coding {
            Coding::Chunks(chunks) => chunks.most_bits(),
            Coding::Difference(chunks) => chunks.most_bits() + 1,
            _ => self.width,
        }
    }
}

/// The records of a scheme under one configuration.
///
/// Flags and values take the bits of the word in the order in which they are declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordFormat {
    bits: u32,
    names: Vec<(&'static str, u32, u32)>,
    slots: Vec<Slot>,
    pads: u32,
    first: usize,
    stage: u32,
    are_alternatives: bool,
    source: Option<(u32, u32)>,
}

impl RecordFormat {
    /// A format whose word begins with the flags of these names.
    ///
    /// The first flag says that the trace is filled up to a trace word after the record.
    pub fn new(flags: &[&'static str]) -> Self {
        let names = flags.iter().zip(0..).map(|(name, offset)| (*name, offset, 1)).collect();
        Self {
            bits: flags.len() as u32,
            names,
            slots: Vec::new(),
            pads: 0,
            first: 0,
            stage: 0,
            are_alternatives: false,
            source: None,
        }
    }

    /// Adds a value of `width` bits to the word.
    #[must_use]
    pub fn value(mut self, name: &'static str, width: u32) -> Self {
        self.names.push((name, self.bits, width));
        self.bits += width;
        self
    }

    /// The word without these flags and values, and without slots.
    #[must_use]
    pub fn word_without(&self, left_out: &[&str]) -> Self {
        let mut word = Self::new(&[]);
        for (name, _, width) in self.names.iter().filter(|(name, ..)| !left_out.contains(name)) {
            word = word.value(name, *width);
        }
        word
    }

    /// Adds a slot of constant pieces.
    #[must_use]
    pub fn constant(self, flag: &str, pieces: impl Into<Pieces>) -> Self {
        let (flag, pieces) = (self.offset(flag), pieces.into());
        let (bits, width) = pieces.constant();
        self.slot(pieces, flag, 0, width, Coding::Constant(bits))
    }

    /// Adds a slot that sends a whole value.
    #[must_use]
    pub fn plain(self, pieces: impl Into<Pieces>, flag: &str, value: &str) -> Self {
        let width = self.width(value);
        self.plain_low(pieces, flag, value, width)
    }

    /// Adds a slot that sends `width` bits from the lowest bit of a value on.
    #[must_use]
    pub fn plain_low(self, pieces: impl Into<Pieces>, flag: &str, value: &str, width: u32) -> Self {
        let (flag, offset) = (self.offset(flag), self.offset(value));
        self.slot(pieces.into(), flag, offset, width, Coding::Plain)
    }

    /// Adds a slot that sends the lowest bits of a value in chunks.
    #[must_use]
    pub fn chunks(self, field: Field, flag: &str, value: &str, chunks: Chunks) -> Self {
        let (flag, offset) = (self.offset(flag), self.offset(value));
        self.slot(field.into(), flag, offset, chunks.width, Coding::Chunks(chunks))
    }

    /// Adds a slot that sends how far a value lies from the last one sent.
    #[must_use]
    pub fn difference(self, field: Field, flag: &str, value: &str, chunks: Chunks) -> Self {
        let (flag, offset) = (self.offset(flag), self.offset(value));
        self.slot(field.into(), flag, offset, chunks.width, Coding::Difference(chunks))
    }

    /// Differences are taken among the records of one source, whose number this value is.
    #[must_use]
    pub fn of_sources(mut self, value: &str) -> Self {
        self.source = Some((self.offset(value), self.width(value)));
        self
    }

    /// Place and width of the number of a record's source; the width is 0 if there is one source.
    pub fn source(&self) -> (u32, u32) {
        self.source.unwrap_or((0, 0))
    }

    /// Adds slots of which a record has one at most: they share a stage of the serial encoder.
    #[must_use]
    pub fn one_of(mut self, slots: impl FnOnce(Self) -> Self) -> Self {
        self.are_alternatives = true;
        self = slots(self);
        self.are_alternatives = false;
        self.stage += 1;
        self
    }

    /// Adds a slot that sends as many low bits of a value as the value `size` says.
    #[must_use]
    pub fn sized(self, pieces: impl Into<Pieces>, flag: &str, value: &str, size: &str) -> Self {
        let coding = Coding::Sized { offset: self.offset(size), width: self.width(size) };
        let (flag, offset, width) = (self.offset(flag), self.offset(value), self.width(value));
        self.slot(pieces.into(), flag, offset, width, coding)
    }

    /// The slots so far, all of one flag, are a record of their own that may go first.
    ///
    /// A block can bring two records, as when a counter overflows in it; they share a word.
    #[must_use]
    pub fn goes_first(mut self) -> Self {
        self.first = self.slots.len();
        self
    }

    /// Slots at the beginning that are a record of their own.
    pub fn first_slots(&self) -> usize {
        self.first
    }

    /// Appends another format's word to this one's; returns the other's slots at their new offsets.
    pub fn embed(&mut self, other: &RecordFormat) -> Vec<Slot> {
        let shift = self.bits;
        let moved =
            |(name, offset, width): &(&'static str, u32, u32)| (*name, offset + shift, *width);
        self.names.extend(other.names.iter().map(moved));
        self.bits += other.bits;
        let slots = other.slots.iter().map(|slot| Slot {
            flag: slot.flag + shift,
            offset: slot.offset + shift,
            coding: match slot.coding {
                Coding::Sized { offset, width } => Coding::Sized { offset: offset + shift, width },
                coding => coding,
            },
            ..*slot
        });
        slots.collect()
    }

    /// Adds slots that [`embed`](Self::embed) returned.
    #[must_use]
    pub fn slots_of(mut self, slots: &[Slot]) -> Self {
        let first = slots.first().map_or(0, |slot| slot.stage);
        self.slots.extend(
            slots.iter().map(|slot| Slot { stage: slot.stage - first + self.stage, ..*slot }),
        );
        self.stage = self.slots.last().map_or(0, |slot| slot.stage + 1);
        self
    }

    /// Slots of no bits say nothing and are left out.
    fn slot(mut self, pieces: Pieces, flag: u32, offset: u32, width: u32, coding: Coding) -> Self {
        if width > 0 {
            self.slots.push(Slot { pieces, flag, offset, width, coding, stage: self.stage });
            self.stage += u32::from(!self.are_alternatives);
        }
        self
    }

    /// Stages of a record.
    pub fn stages(&self) -> u32 {
        self.stage
    }

    /// Bits of the word.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The slots, in the order in which they are sent.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The offset of the flag that fills the trace up after the record.
    pub fn pads(&self) -> u32 {
        self.pads
    }

    /// The name of the flag or value that is at this place of the word.
    pub fn name_at(&self, place: u32) -> Option<&'static str> {
        self.names.iter().find(|(_, at, _)| *at == place).map(|(name, ..)| *name)
    }

    /// Where a flag or a value of this name is in the word.
    ///
    /// # Panics
    /// When the format has none: formats are stated in the source.
    pub fn offset(&self, name: &str) -> u32 {
        self.find(name).0
    }

    /// The width of the value of this name.
    ///
    /// # Panics
    /// When the format has none.
    pub fn width(&self, name: &str) -> u32 {
        self.find(name).1
    }

    /// The width of the flag or value of this name; 0 if the format has none.
    pub fn field_width(&self, name: &str) -> u32 {
        self.names.iter().find(|(known, ..)| *known == name).map_or(0, |found| found.2)
    }

    #[expect(clippy::panic, reason = "a room looks for the names that it has declared")]
    fn find(&self, name: &str) -> (u32, u32) {
        self.lookup(name).unwrap_or_else(|| panic!("the record format has no `{name}`"))
    }

    /// Offset and width of the flag or value of this name, if the format has it.
    pub fn lookup(&self, name: &str) -> Option<(u32, u32)> {
        let found = self.names.iter().find(|(known, ..)| *known == name);
        found.map(|(_, offset, width)| (*offset, *width))
    }

    /// The most bits that a record can have.
    pub fn most_bits(&self) -> u32 {
        self.slots.iter().map(Slot::most_bits).sum()
    }

    /// The most bits that an encoder sends in one cycle: a parallel one sends whole records.
    pub fn piece_most_bits(&self, is_parallel: bool) -> u32 {
        if is_parallel { self.most_bits() } else { self.piece_bits() }
    }

    /// The most bits that a serial encoder sends of a slot in one cycle: whole chunks, else 8.
    pub fn piece_bits(&self) -> u32 {
        let pieces = self.slots.iter().map(|slot| match slot.coding {
            Coding::Chunks(chunks) => chunks.first.max(chunks.next) + chunks.continuation_bits,
            Coding::Difference(chunks) => {
                chunks.first.max(chunks.next) + chunks.continuation_bits + 1
            }
            _ => slot.width.min(8),
        });
        pieces.max().unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: Field = Field { name: "count", doc: "" };
    const THREAD: Field = Field { name: "thread", doc: "" };

    #[test]
    fn offsets_follow_the_declarations() {
        let inner = RecordFormat::new(&["pads", "has_count"])
            .value("count", 5)
            .value("size", 3)
            .chunks(COUNT, "has_count", "count", Chunks::new(3, 2, 4))
            .sized(COUNT, "has_count", "count", "size");
        let mut outer = RecordFormat::new(&["last"]).value("thread", 2);
        let slots = outer.embed(&inner);
        let whole = outer.plain(THREAD, "last", "thread").slots_of(&slots);
        assert_eq!((whole.bits(), whole.pads()), (13, 0));
        assert_eq!((whole.offset("count"), whole.width("count")), (5, 5));
        let slots = whole.slots();
        assert_eq!((slots[1].flag, slots[1].offset, slots[1].width), (4, 5, 4));
        assert_eq!(slots[2].coding, Coding::Sized { offset: 10, width: 3 });
        assert_eq!((whole.most_bits(), whole.piece_bits()), (2 + 7 + 5, 5));
    }
}
