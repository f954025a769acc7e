//! How the time in a header is coded.

use crate::config::{Protocol, TimeSource, mask};

/// The code of times: a binary number, or a Gray code, in which successive times differ in one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeCode {
    bits: u32,
    is_gray: bool,
}

impl TimeCode {
    /// The code of a configuration.
    pub fn new(protocol: &Protocol) -> Self {
        Self { bits: protocol.time_bits, is_gray: protocol.time_source == TimeSource::Gray }
    }

    /// The code of a time, of which the lowest bits are sent.
    pub fn encode(self, time: u64) -> u64 {
        let time = time & mask(self.bits);
        if self.is_gray { time ^ time >> 1 } else { time }
    }

    /// The time that has this code.
    pub fn decode(self, code: u64) -> u64 {
        if !self.is_gray {
            return code;
        }
        // Each bit of the time is the parity of the bits of the code from there up.
        (0..6).fold(code, |time, step| time ^ time >> (1 << step))
    }
}

#[cfg(test)]
mod tests {
    use super::TimeCode;

    #[test]
    fn successive_codes_differ_in_one_bit() {
        for bits in [1, 5, 64] {
            let code = TimeCode { bits, is_gray: true };
            for time in (0..70).chain(u64::MAX - 70..u64::MAX) {
                let time = time & crate::config::mask(bits);
                assert_eq!(code.decode(code.encode(time)), time);
                let change = code.encode(time) ^ code.encode(time.wrapping_add(1));
                assert_eq!(change.count_ones(), 1, "{time} of {bits} bits");
            }
        }
    }
}
