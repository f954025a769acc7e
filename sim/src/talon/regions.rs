//! Regions of the program: the upper bits of addresses, so that stack and target buffer keep a number instead.

use super::config::Config;

/// Registers with the upper bits of the regions that the program jumped to last.
///
/// A jump to a region that no register has takes the oldest register. What the tables keep of the region that it had is
/// then an address in the new one, and a wrong prediction like any other.
#[derive(Clone, Debug)]
pub struct Regions {
    upper: Box<[u64]>,
    /// The register that the next new region takes.
    oldest: usize,
    /// The region that the last jump went to.
    here: usize,
    /// The region that it came from.
    left: usize,
}

impl Regions {
    /// All registers as reset leaves them.
    pub fn new(config: &Config) -> Self {
        let upper = vec![0; config.target_regions as usize].into();
        Self { upper, oldest: 0, here: 0, left: 0 }
    }

    /// The upper bits of the addresses in a region.
    #[inline]
    pub fn upper(&self, number: u64) -> u64 {
        self.upper[number as usize]
    }

    /// The region from which the last jump came.
    #[inline]
    pub fn left(&self) -> u64 {
        self.left as u64
    }

    /// The program jumps to an address with these upper bits; gives the region's number, and whether it was known.
    #[inline]
    pub fn enter(&mut self, upper: u64) -> (u64, bool) {
        self.left = self.here;
        let known = self.upper.iter().position(|known| *known == upper);
        self.here = known.unwrap_or(self.oldest);
        if known.is_none() {
            self.upper[self.oldest] = upper;
            self.oldest = (self.oldest + 1) % self.upper.len();
        }
        (self.here as u64, known.is_some())
    }
}
