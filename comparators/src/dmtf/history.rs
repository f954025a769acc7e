//! A history table with move to front.

/// What was used most recently, in the order of its last use.
#[derive(Clone, Debug)]
pub struct History<T> {
    entries: Vec<T>,
    most: usize,
}

impl<T: Copy + PartialEq> History<T> {
    /// An empty table of `most` entries.
    pub fn new(most: usize) -> Self {
        Self { entries: Vec::with_capacity(most), most }
    }

    /// The place of an entry, before it moves to the front; `None` for one that the table did not have.
    #[inline]
    pub fn transform(&mut self, entry: T) -> Option<usize> {
        let found = self.entries.iter().position(|other| *other == entry);
        let last = match found {
            Some(place) => place,
            None => {
                self.entries.truncate(self.most - 1);
                self.entries.push(entry);
                self.entries.len() - 1
            }
        };
        self.entries[..=last].rotate_right(1);
        found
    }

    /// The entry at a place, which moves to the front.
    #[inline]
    pub fn restore(&mut self, place: usize) -> Option<T> {
        let entry = *self.entries.get(place)?;
        self.entries[..=place].rotate_right(1);
        Some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pattern ABAC has the places 1 2 1 2, and these the place 1.
    #[test]
    fn two_levels_turn_a_pattern_into_one_place() {
        let (mut first, mut second) = (History::new(192), History::new(4));
        let mut back = History::new(192);
        for (number, stream) in "ABAC".repeat(10).chars().enumerate() {
            let place = first.transform(stream);
            let again = place.map(|place| second.transform(place));
            if number >= 8 {
                assert_eq!((place, again), (Some(1 + number % 2), Some(Some(1))));
            }
            match place {
                Some(place) => assert_eq!(back.restore(place), Some(stream)),
                None => assert_eq!(back.transform(stream), None),
            }
        }
    }

    #[test]
    fn the_least_recent_entry_leaves() {
        let mut table = History::new(3);
        for entry in [1, 2, 3, 1, 4] {
            table.transform(entry);
        }
        assert_eq!([3, 1].map(|entry| table.transform(entry)), [Some(2), Some(2)]);
        assert_eq!((table.transform(2), table.restore(3)), (None, None));
    }
}
