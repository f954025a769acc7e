//! The fingerprint of what is read.

use crate::bits_file::Fingerprint;
use crate::event::Item;

/// A fingerprint in the making.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Marks {
    pub(super) fingerprint: Fingerprint,
    /// Accesses are in it.
    pub(super) accesses: bool,
}

impl Marks {
    /// Takes in an item.
    pub(super) fn add(&mut self, item: &Item) {
        match item {
            Item::Event(event) => self.fingerprint.add(event),
            Item::Access(access) if self.accesses => self.fingerprint.add_access(access),
            Item::Access(_) | Item::State(_) | Item::Cycles(_) => {}
        }
    }
}
