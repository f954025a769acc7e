//! The last stream predictor (LSP; paper A, section II): what came after the stream before.

use super::config::MissIndex;

/// A table of stream indices, looked up by the index before.
#[derive(Clone, Debug)]
pub struct LastStreamPredictor {
    entries: Box<[u32]>,
    previous: u32,
    miss_index: MissIndex,
}

impl LastStreamPredictor {
    /// The predictor as reset leaves it: no entry predicts anything, the index before is 0.
    pub fn new(entries: u32, miss_index: MissIndex) -> Self {
        Self { entries: vec![0; entries as usize].into(), previous: 0, miss_index }
    }

    /// The index of the next stream; 0 is no prediction.
    #[inline]
    pub fn prediction(&self) -> u32 {
        self.entries[self.previous as usize]
    }

    /// Learns the index of a stream that was predicted or was in the cache.
    #[inline]
    pub fn update(&mut self, index: u32) {
        self.entries[self.previous as usize] = index;
        self.previous = index;
    }

    /// Learns of a stream that was not in the cache and now is at `allocated`.
    #[inline]
    pub fn update_missed(&mut self, allocated: u32) {
        self.update(match self.miss_index {
            MissIndex::Reserved => 0,
            MissIndex::Allocated => allocated,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reserved_index_breaks_the_chain_and_the_allocated_one_does_not() {
        let after = |miss_index| {
            let mut predictor = LastStreamPredictor::new(8, miss_index);
            predictor.update(3);
            predictor.update_missed(5);
            predictor.update(3);
            predictor.prediction()
        };
        assert_eq!(after(MissIndex::Reserved), 0);
        assert_eq!(after(MissIndex::Allocated), 5);
    }
}
