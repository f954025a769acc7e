//! When what is in the module is discarded.

/// A flush is discarded in one of so many cycles, drawn for each flush; 0 for never.
const INTERVALS: [u64; 8] = [0, 0, 0, 0, 1, 4, 32, 256];

/// Cycles after which a flush has ended at the latest if its trace is discarded and no table is being cleared.
pub(super) const DISCARD_CYCLES: u64 = 3;

/// The pin `discard`, and what it did.
#[derive(Debug, Default)]
pub(super) struct Discards {
    interval: u64,
    /// The pin is high in this cycle of a flush.
    is_driven: bool,
    /// Cycles since it was high in this flush.
    since: Option<u64>,
    /// The last flush was discarded.
    has_ended: bool,
}

impl Discards {
    /// A flush begins.
    pub(super) fn begin(&mut self, noise: u64) {
        self.interval = INTERVALS[noise as usize % INTERVALS.len()];
    }

    /// The pin in the coming cycle. It may be high in a flush that does not end the run, `Some(true)`, and has no
    /// meaning where there is no flush, `None`.
    pub(super) fn drive(&mut self, flush: Option<bool>, noise: u64) -> bool {
        self.is_driven =
            flush == Some(true) && self.interval > 0 && noise.is_multiple_of(self.interval);
        self.is_driven || flush.is_none() && noise & 0xf00 == 0
    }

    /// A cycle of a flush ends that goes on; cycles since the trace was to be discarded, if it was.
    pub(super) fn pass(&mut self) -> Option<u64> {
        if self.is_driven || self.since.is_some() {
            *self.since.get_or_insert(0) += 1;
        }
        self.since
    }

    /// A flush has ended; true if what was in the module was discarded. In the cycle in which it has ended the pin
    /// does nothing.
    pub(super) fn end(&mut self) -> bool {
        self.has_ended = self.since.take().is_some();
        self.has_ended
    }

    /// The last flush was discarded.
    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_discard_ends_the_flush_in_which_it_comes() {
        let mut discards = Discards::default();
        discards.begin(4);
        assert!(!discards.drive(Some(false), 0), "the last flush of a run");
        assert_eq!(discards.pass(), None);
        assert!(!discards.end());
        assert!(discards.drive(Some(true), 0));
        assert_eq!((discards.pass(), discards.drive(Some(true), 1)), (Some(1), true));
        assert!(discards.end() && discards.has_ended());
        assert!(discards.drive(None, 0), "it has no meaning where there is no flush");
        assert_eq!(discards.pass(), None);
    }
}
