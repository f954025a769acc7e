//! The tuple history buffer (THB; paper B, section 2.1): the recent tuples, the newest first.

use rustc_hash::FxHashMap;

use super::config::{Config, TupleUpdate};

/// The most indices of a tuple.
pub const TUPLE_MOST: usize = 16;

/// Stream indices in their order; those after the tuple's length are 0.
pub type Tuple = [u16; TUPLE_MOST];

/// A shift register of tuples that is searched for one.
///
/// Reset fills it with tuples of the reserved index, which both ends know as well as any other.
#[derive(Clone, Debug)]
pub struct TupleHistoryBuffer {
    /// The tuples, as a ring.
    tuples: Box<[Tuple]>,
    /// The place of the newest one.
    newest: usize,
    /// Where the newest of equal tuples is.
    places: FxHashMap<Tuple, usize>,
    update: TupleUpdate,
}

impl TupleHistoryBuffer {
    /// The buffer as reset leaves it.
    pub fn new(config: &Config) -> Self {
        let entries = config.tuple_history_entries as usize;
        Self {
            tuples: vec![Tuple::default(); entries].into(),
            newest: 0,
            places: FxHashMap::from_iter([(Tuple::default(), 0)]),
            update: config.tuple_update,
        }
    }

    /// How many tuples ago the tuple was last there, 1 for the newest; 0 if it is not in the buffer.
    #[inline]
    pub fn age(&self, tuple: &Tuple) -> u32 {
        let Some(place) = self.places.get(tuple) else { return 0 };
        let entries = self.tuples.len();
        ((self.newest + entries - place) % entries + 1) as u32
    }

    /// The tuple of this age, `None` if there is none so old.
    #[inline]
    pub fn get(&self, age: u32) -> Option<Tuple> {
        let (age, entries) = (age as usize, self.tuples.len());
        (1..=entries)
            .contains(&age)
            .then(|| self.tuples[(self.newest + entries + 1 - age) % entries])
    }

    /// Learns a tuple that was found at `age`, or not.
    #[inline]
    pub fn update(&mut self, tuple: &Tuple, age: u32) {
        if age != 0 && self.update == TupleUpdate::Misses {
            return;
        }
        self.newest = (self.newest + 1) % self.tuples.len();
        let oldest = std::mem::replace(&mut self.tuples[self.newest], *tuple);
        if self.places.get(&oldest) == Some(&self.newest) {
            self.places.remove(&oldest);
        }
        self.places.insert(*tuple, self.newest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer(tuple_history_entries: u32, tuple_update: TupleUpdate) -> TupleHistoryBuffer {
        TupleHistoryBuffer::new(&Config {
            tuple_history_entries,
            tuple_update,
            ..Config::default()
        })
    }

    fn tuple(first: u16) -> Tuple {
        let mut tuple = Tuple::default();
        tuple[0] = first;
        tuple
    }

    #[test]
    fn ages_count_from_the_newest() {
        let mut buffer = buffer(3, TupleUpdate::Every);
        assert_eq!(buffer.age(&tuple(0)), 1);
        for first in [1, 2] {
            buffer.update(&tuple(first), 0);
        }
        assert_eq!([0, 1, 2].map(|first| buffer.age(&tuple(first))), [3, 2, 1]);
        buffer.update(&tuple(3), 0);
        assert_eq!([0, 1, 2, 3].map(|first| buffer.age(&tuple(first))), [0, 3, 2, 1]);
        assert_eq!([0, 3, 4].map(|age| buffer.get(age)), [None, Some(tuple(1)), None]);
    }

    #[test]
    fn a_tuple_that_was_found_moves_to_the_front_only_when_every_one_is_learned() {
        for (update, ages) in [(TupleUpdate::Every, [1, 2]), (TupleUpdate::Misses, [2, 1])] {
            let mut buffer = buffer(3, update);
            for first in [1, 2, 1] {
                let age = buffer.age(&tuple(first));
                buffer.update(&tuple(first), age);
            }
            assert_eq!([1, 2].map(|first| buffer.age(&tuple(first))), ages);
        }
    }

    /// Of equal tuples the newest counts, and stays when the older ones fall out.
    #[test]
    fn equal_tuples_do_not_hide_each_other() {
        let mut buffer = buffer(2, TupleUpdate::Every);
        for (first, age) in [(1, 0), (1, 1), (2, 0), (1, 2), (2, 2), (3, 0), (1, 0)] {
            assert_eq!(buffer.age(&tuple(first)), age);
            buffer.update(&tuple(first), age);
        }
    }

    #[test]
    fn a_buffer_of_one() {
        let mut buffer = buffer(1, TupleUpdate::Every);
        buffer.update(&tuple(1), 0);
        assert_eq!([0, 1].map(|first| buffer.age(&tuple(first))), [0, 1]);
        assert_eq!(buffer.get(1), Some(tuple(1)));
    }
}
