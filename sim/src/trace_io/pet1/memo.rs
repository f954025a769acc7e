//! Records that came before: most records of a trace did, right after the same event, and what they say need not be worked
//! out again.

use super::RECORD_BYTES_MAX;
use crate::bits_file::Fingerprint;
use crate::event::Event;

/// log2 of the places: with all of them the memory stays in the second-level cache.
const PLACE_BITS: u32 = 12;

/// The most bytes of a record that is kept.
pub(super) const KEPT_BYTES_MAX: usize = 16;

/// The event before a record, as far as a record depends on it and what follows from an event depends on the one before.
#[derive(Clone, Copy)]
pub(super) struct Before {
    /// Records of one thread may come between those of another at the same place.
    pub(super) thread: u8,
    pub(super) program_counter: u64,
    /// Where it leads to: its target, [`NOT_TAKEN`] without one.
    pub(super) leads_to: u64,
}

/// Where an event leads to that is not taken. A target that is equal is in no record that is kept.
pub(super) const NOT_TAKEN: u64 = u64::MAX;

/// Where an event leads to; `None` where that is not to be told from another.
pub(super) fn leads_to(event: &Event) -> Option<u64> {
    match event.taken {
        true => Some(event.target).filter(|target| *target != NOT_TAKEN),
        false => Some(NOT_TAKEN),
    }
}

/// A record after an event, and what it says. Aligned, because the place of one depends on the one before: it is found
/// sooner.
#[derive(Clone, Copy)]
#[repr(align(128))]
pub(super) struct Known {
    bytes: [u64; 2],
    /// The bits of the bytes that are the record's.
    mask: [u64; 2],
    before: Before,
    pub(super) size: usize,
    /// What a fingerprint takes in.
    pub(super) mix: u64,
    leads_to: u64,
    pub(super) event: Event,
}

impl Known {
    /// Equal to no record.
    const NOTHING: Known = Known {
        bytes: [1, 0],
        mask: [0, 0],
        before: Before { thread: 0, program_counter: 0, leads_to: 0 },
        size: 0,
        mix: 0,
        leads_to: 0,
        event: Event::straight_run(0, 0),
    };

    /// A record of so many of these bytes; `None` if it is too long, or says
    /// less than all that there is to check.
    pub(super) fn new(
        bytes: &[u8; RECORD_BYTES_MAX],
        size: usize,
        before: Before,
        event: Event,
    ) -> Option<Known> {
        // Whether there may be no instruction depends on the kind of the event before.
        if size > KEPT_BYTES_MAX || event.instructions == 0 {
            return None;
        }
        let leads_to = leads_to(&event)?;
        let mask = u128::MAX >> (8 * (KEPT_BYTES_MAX - size));
        let mask = [mask as u64, (mask >> 64) as u64];
        let bytes = words(bytes);
        let bytes = [bytes[0] & mask[0], bytes[1] & mask[1]];
        let mix = Fingerprint::mix_of(&event);
        Some(Known { bytes, mask, before, size, mix, leads_to, event })
    }

    /// True if these bytes begin with the record, and the event before is the same.
    #[inline(always)]
    pub(super) fn is(&self, bytes: &[u8; RECORD_BYTES_MAX], before: Before) -> bool {
        let [low, high] = words(bytes);
        // One branch, which is nearly always taken.
        let differing = (low & self.mask[0] ^ self.bytes[0])
            | (high & self.mask[1] ^ self.bytes[1])
            | (before.program_counter ^ self.before.program_counter)
            | (before.leads_to ^ self.before.leads_to)
            | u64::from(before.thread ^ self.before.thread);
        differing == 0
    }

    /// The event, for the record after it.
    #[inline(always)]
    pub(super) fn after(&self) -> Before {
        let Event { thread, program_counter, .. } = self.event;
        Before { thread, program_counter, leads_to: self.leads_to }
    }
}

/// The first 16 bytes.
#[inline(always)]
fn words(bytes: &[u8; RECORD_BYTES_MAX]) -> [u64; 2] {
    let word = bytes.first_chunk().map_or(0, |bytes| u128::from_le_bytes(*bytes));
    [word as u64, (word >> 64) as u64]
}

/// Records that came before, each at the place that it hashes to.
#[derive(Default)]
pub(super) struct Memo {
    places: Vec<Known>,
}

impl Memo {
    /// The places, of which there are none before the first use.
    #[inline]
    pub(super) fn places(&mut self) -> Option<&mut [Known; 1 << PLACE_BITS]> {
        if self.places.is_empty() {
            self.places.resize(1 << PLACE_BITS, Known::NOTHING);
        }
        self.places.first_chunk_mut()
    }

    /// Keeps a record.
    pub(super) fn keep(&mut self, bytes: &[u8; RECORD_BYTES_MAX], known: Known) {
        if let Some(kept) = self.places.get_mut(place(bytes, known.before)) {
            *kept = known;
        }
    }

    /// Forgets all records.
    pub(super) fn clear(&mut self) {
        self.places.clear();
    }
}

/// The place of a record: from three of its bytes, and two more where it has them in any case.
#[inline(always)]
pub(super) fn place(bytes: &[u8; RECORD_BYTES_MAX], before: Before) -> usize {
    let word = words(bytes)[0];
    let taken = word >> (8 + super::KIND_TAKEN.trailing_zeros()) & 1;
    let left = word << (40 - 16 * taken);
    let hash = (before.program_counter ^ left).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (hash >> (64 - PLACE_BITS)) as usize
}
