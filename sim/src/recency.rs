//! True least recently used order of the ways of a set.

/// The order of a set's ways, most recently used first.
#[derive(Debug)]
pub struct Recency<'a>(pub &'a mut [u8]);

impl Recency<'_> {
    /// The order that reset leaves: way 0 is the oldest, so that ways fill up in their order.
    pub fn after_reset(ways: u32) -> Vec<u8> {
        (0..ways as u8).rev().collect()
    }

    /// The least recently used way.
    #[inline]
    pub fn oldest(&self) -> usize {
        self.0.last().map_or(0, |way| (*way).into())
    }

    /// Makes `way` the most recently used one.
    #[inline]
    pub fn touch(&mut self, way: usize) {
        if let Some(place) = self.0.iter().position(|used| usize::from(*used) == way) {
            self.0[..=place].rotate_right(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Recency;

    #[test]
    fn the_oldest_way_is_the_one_not_touched_longest() {
        let mut order = Recency::after_reset(4);
        let mut recency = Recency(&mut order);
        for way in [0, 1, 2, 3] {
            assert_eq!(recency.oldest(), way);
            recency.touch(way);
        }
        recency.touch(0);
        recency.touch(2);
        assert_eq!(recency.oldest(), 1);
    }
}
