//! Words with named fields: what a type declared by `packed!` is made of.

use super::offer::{Marker, Offer, offer};
use super::side::Side;
use crate::word::{Word, bits_to};
use rust_hdl::core::prelude::{Logic, Probe};
use std::marker::PhantomData;

/// A field of a packed word.
///
/// The kernel writes `record.taken.next` where it makes the word, and reads `record.taken.val()`. A field of no
/// bits is not in the word: it reads as 0, and what is written to it is not in the Verilog.
#[derive(Clone, Debug)]
pub struct Part {
    /// The value being driven.
    pub next: Word,
    width: usize,
    description: String,
}

impl Part {
    /// A field of `width` bits.
    pub fn new(width: usize) -> Self {
        Self { next: Word::zero(width), width, description: String::new() }
    }

    /// Adds one line that the Verilog carries beside the declaration.
    pub fn describe(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// The number of bits.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The value written last, or the bits of the word that arrived.
    pub fn val(&self) -> Word {
        self.next.clone().fitted(self.width)
    }
}

impl Logic for Part {
    fn update(&mut self) {}
}

/// What a packed word has beside its fields.
#[derive(Clone, Debug)]
pub struct PackedState<S> {
    width: usize,
    settled: Word,
    changed: bool,
    description: String,
    side: PhantomData<S>,
}

impl<S: Side> PackedState<S> {
    /// The state of a word of `width` bits.
    pub fn new(width: usize) -> Self {
        Self {
            width,
            settled: Word::zero(width),
            changed: false,
            description: String::new(),
            side: PhantomData,
        }
    }

    /// Sets the line that the Verilog carries beside the declaration.
    pub fn describe(&mut self, description: String) {
        self.description = description;
    }

    /// The number of bits.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The word: made from its parts, or as it arrived.
    pub fn value(&self, next: &Word, parts: &[&Part]) -> Word {
        if !S::IS_ASSEMBLED {
            return next.clone().fitted(self.width);
        }
        let mut low = 0;
        parts.iter().fold(Word::zero(self.width), |word, part| {
            let place = bits_to(part.val(), self.width) << low;
            low += part.width;
            word | place
        })
    }

    /// Brings the word and its parts into agreement.
    pub fn update(&mut self, next: &mut Word, parts: &mut [&mut Part]) {
        if S::IS_ASSEMBLED {
            *next = self.value(next, &parts.iter().map(|part| &**part).collect::<Vec<_>>());
        } else {
            *next = next.clone().fitted(self.width);
            let mut low = 0;
            for part in parts {
                part.next = bits_to(next.clone() >> low, part.width);
                low += part.width;
            }
        }
        self.changed = self.settled != *next;
        self.settled = next.clone();
    }

    /// Whether the last update changed the word.
    pub fn has_changed(&self) -> bool {
        self.changed
    }

    /// Shows the word to a probe.
    pub fn accept(&self, name: &str, parts: &[(&str, &Part)], probe: &mut dyn Probe) {
        let parts = parts.iter().map(|(part, field)| ((*part).to_owned(), field.width)).collect();
        let offered = Offer::Packed {
            direction: S::KIND,
            is_assembled: S::IS_ASSEMBLED,
            parts,
            description: self.description.clone(),
        };
        offer(name, &Marker, offered, probe);
    }
}
