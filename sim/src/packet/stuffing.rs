//! Markers, and the zeros that keep everything else from looking like one.
//!
//! A marker is `marker_ones` ones and a zero. In all other bits a zero is stuffed after each run of `marker_ones - 1`
//! ones. Data may end in ones, so a run in front of a zero can be longer than a marker: its last ones are the marker's.

/// Counts ones, and says where a zero is stuffed.
#[derive(Clone, Copy, Debug)]
pub struct Stuffer {
    most_ones: u32,
    ones: u32,
}

impl Stuffer {
    /// A stuffer after a marker.
    pub fn new(marker_ones: u32) -> Self {
        Self { most_ones: marker_ones - 1, ones: 0 }
    }

    /// Begins again, after a marker.
    pub fn restart(&mut self) {
        self.ones = 0;
    }

    /// Takes some of the `count` lowest bits of `bits`, up to 64, and says how many, and whether a zero comes after them.
    #[inline]
    pub fn take(&mut self, bits: u64, count: u32) -> (u32, bool) {
        let mut at = 0;
        while at < count {
            let ones = (bits >> at).trailing_ones().min(count - at);
            if self.ones + ones >= self.most_ones {
                at += self.most_ones - self.ones;
                self.ones = 0;
                return (at, true);
            }
            at += ones;
            self.ones += ones;
            if at < count {
                at += (bits >> at).trailing_zeros().min(count - at);
                self.ones = 0;
            }
        }
        (count, false)
    }
}

/// What a bit of a trace of packets is the end of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    /// Of nothing: it is a one whose run is not over.
    One,
    /// Of a run of ones and the zero after it.
    Bits {
        /// The ones.
        ones: u32,
        /// False for a zero that was stuffed.
        has_zero: bool,
    },
    /// Of a marker, after as many ones of data.
    Marker {
        /// The ones before the marker.
        ones: u32,
    },
    /// Of a run that is longer than any.
    TooManyOnes,
}

/// Finds markers, and takes the stuffed zeros out.
#[derive(Clone, Copy, Debug)]
pub struct Unstuffer {
    marker_ones: u32,
    ones: u32,
}

impl Unstuffer {
    /// Nothing taken yet.
    pub fn new(marker_ones: u32) -> Self {
        Self { marker_ones, ones: 0 }
    }

    /// Takes the next bit.
    #[inline]
    pub fn take(&mut self, bit: bool) -> Passed {
        if bit {
            self.ones = self.ones.saturating_add(1);
            return Passed::One;
        }
        let ones = std::mem::take(&mut self.ones);
        match ones.checked_sub(self.marker_ones) {
            None => Passed::Bits { ones, has_zero: ones != self.marker_ones - 1 },
            Some(ones) if ones < self.marker_ones - 1 => Passed::Marker { ones },
            Some(_) => Passed::TooManyOnes,
        }
    }

    /// Ones since the last zero.
    pub fn ones(&self) -> u32 {
        self.ones
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bits with the stuffed zeros, first bit first.
    fn stuffed(marker_ones: u32, text: &str) -> String {
        let mut stuffer = Stuffer::new(marker_ones);
        let mut sent = String::new();
        for piece in text.split(' ') {
            let mut rest = piece;
            while !rest.is_empty() {
                let bits = rest.chars().rev().fold(0, |bits, c| bits << 1 | u64::from(c == '1'));
                let (taken, stuffs) = stuffer.take(bits, rest.len() as u32);
                sent += &rest[..taken as usize];
                sent += if stuffs { "0" } else { "" };
                rest = &rest[taken as usize..];
            }
        }
        sent
    }

    #[test]
    fn a_zero_follows_each_run_of_ones() {
        for (text, expected) in [
            ("111", "1110"),
            ("11 1 1", "11101"),
            ("1111 111", "111011101"),
            ("0110 111 0", "011011100"),
            ("11 0", "110"),
        ] {
            assert_eq!(stuffed(4, text), expected, "{text}");
        }
        assert_eq!(stuffed(65, &"1".repeat(64)), "1".repeat(64) + "0");
        assert_eq!(stuffed(66, &"1".repeat(64)), "1".repeat(64));
    }

    #[test]
    fn what_was_stuffed_comes_out_and_the_marker_is_found() {
        for text in ["", "1", "11", "111", "1111", "1110", "0111", "11111111", "011011"] {
            let line = stuffed(4, text) + "11110";
            let mut unstuffer = Unstuffer::new(4);
            let mut found = String::new();
            let mut markers = 0;
            for c in line.chars() {
                match unstuffer.take(c == '1') {
                    Passed::One => {}
                    Passed::Bits { ones, has_zero } => {
                        found += &"1".repeat(ones as usize);
                        found += if has_zero { "0" } else { "" };
                    }
                    Passed::Marker { ones } => {
                        found += &"1".repeat(ones as usize);
                        markers += 1;
                    }
                    Passed::TooManyOnes => panic!("{line}"),
                }
            }
            assert_eq!((found.as_str(), markers), (text, 1), "{line}");
        }
        let mut unstuffer = Unstuffer::new(4);
        (0..7).for_each(|_| assert_eq!(unstuffer.take(true), Passed::One));
        assert_eq!(unstuffer.take(false), Passed::TooManyOnes);
    }
}
