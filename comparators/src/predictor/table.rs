//! Tables of a predictor, whose bits are counted.

use std::sync::{Arc, Mutex, PoisonError};

/// The first entry that did not fit its bits, of all tables of a predictor.
type Misfit = Arc<Mutex<Option<String>>>;

/// The most entries of a table.
pub const MOST_ENTRIES: u64 = 1 << 26;

/// What a predictor declares its tables with.
#[derive(Debug, Default)]
pub struct Tables {
    storage: Vec<(String, u64)>,
    misfit: Misfit,
}

/// Entries of so many bits, as a memory or registers in hardware have them.
#[derive(Clone, Debug)]
pub struct Table {
    name: Arc<str>,
    entries: Box<[u64]>,
    bits: u32,
    misfit: Misfit,
}

impl Tables {
    /// A table of `entries` entries of `bits` bits, 1 to 64, each of which is `initial` at first. Of a table without
    /// entries there is one; one with more than [`MOST_ENTRIES`] is refused when a trace is encoded.
    pub fn table(&mut self, name: &str, entries: u64, bits: u32, initial: u64) -> Table {
        let bits = bits.clamp(1, u64::BITS);
        self.count(name, entries.max(1).saturating_mul(bits.into()));
        let entries = if entries > MOST_ENTRIES {
            let what = format!("{name} has {entries} entries: expected at most {MOST_ENTRIES}");
            self.misfit.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(what);
            1
        } else {
            entries.max(1)
        };
        let misfit = Arc::clone(&self.misfit);
        let entries = vec![0; entries as usize].into_boxed_slice();
        let mut table = Table { name: name.into(), entries, bits, misfit };
        (0..table.len()).for_each(|entry| table.set(entry, initial));
        table
    }

    /// Counts storage that the predictor keeps elsewhere, in bits.
    pub fn count(&mut self, name: &str, bits: u64) {
        self.storage.push((name.to_owned(), bits));
    }

    /// Bits by the name of the table, in the order in which they were declared.
    pub fn storage(&self) -> &[(String, u64)] {
        &self.storage
    }

    /// Fails if an entry was ever set to what its bits do not hold.
    ///
    /// # Errors
    /// The first such entry.
    pub(super) fn check(&self) -> Result<(), String> {
        let misfit = self.misfit.lock().unwrap_or_else(PoisonError::into_inner);
        misfit.clone().map_or(Ok(()), Err)
    }
}

impl Table {
    /// The number of entries.
    #[allow(clippy::len_without_is_empty, reason = "a table has at least one entry")]
    pub fn len(&self) -> u64 {
        self.entries.len() as u64
    }

    /// The place of an entry: as an address of a memory, an index that is too large loses its upper bits.
    #[inline]
    fn place(&self, index: u64) -> usize {
        (index % self.len()) as usize
    }

    /// An entry; the index is taken modulo the number of entries.
    #[inline]
    pub fn get(&self, index: u64) -> u64 {
        self.entries[self.place(index)]
    }

    /// Sets an entry. A value that its bits do not hold is an error at the end of the trace.
    #[inline]
    pub fn set(&mut self, index: u64, value: u64) {
        if value > self.most() {
            self.note(index, value);
        }
        self.entries[self.place(index)] = value & self.most();
    }

    /// The highest value of an entry.
    #[inline]
    pub fn most(&self) -> u64 {
        u64::MAX >> (u64::BITS - self.bits)
    }

    /// Counts an entry up or down, and stops at the highest value and at 0.
    #[inline]
    pub fn count(&mut self, index: u64, up: bool) {
        let (most, place) = (self.most(), self.place(index));
        let value = self.entries[place];
        self.entries[place] =
            if up { (value + u64::from(value < most)).min(most) } else { value.saturating_sub(1) };
    }

    #[cold]
    fn note(&self, index: u64, value: u64) {
        let (name, place, bits) = (&self.name, self.place(index), self.bits);
        let mut misfit = self.misfit.lock().unwrap_or_else(PoisonError::into_inner);
        misfit.get_or_insert_with(|| {
            format!("{name}[{place}] = {value} does not fit the {bits} bits of an entry")
        });
    }
}
