//! The beats in which a trace leaves through the trace port.

use crate::config::{TracePort, mask};

/// The values of `trace_data` for a trace in bytes, in order.
#[derive(Clone, Debug)]
pub struct Beats<'a> {
    bytes: &'a [u8],
    bit: u64,
    end: u64,
    width: u32,
}

impl<'a> Beats<'a> {
    /// The beats of a trace of `bits` bits, a multiple of the port's width, which lie in `bytes`.
    pub fn new(port: &TracePort, bytes: &'a [u8], bits: u64) -> Self {
        let end = bits.min(8 * bytes.len() as u64);
        Self { bytes, bit: 0, end, width: port.trace_port_width }
    }
}

impl Iterator for Beats<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        if self.bit + u64::from(self.width) > self.end {
            return None;
        }
        let first = (self.bit / 8) as usize;
        let mut window = [0; 16];
        let length = self.bytes.len().min(first + 16) - first;
        window[..length].copy_from_slice(&self.bytes[first..][..length]);
        let beat = (u128::from_le_bytes(window) >> (self.bit % 8)) as u64 & mask(self.width);
        self.bit += u64::from(self.width);
        Some(beat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beat_is_the_next_bits_of_the_trace() {
        let bytes = [0b1010_0110, 0xff, 0x01];
        let beats = |trace_port_width, bits| -> Vec<u64> {
            Beats::new(&TracePort { trace_port_width, ..TracePort::default() }, &bytes, bits)
                .collect()
        };
        assert_eq!(beats(1, 8), [0, 1, 1, 0, 0, 1, 0, 1]);
        assert_eq!(beats(3, 9), [0b110, 0b100, 0b110]);
        assert_eq!(beats(20, 24), [0x1_ffa6]);
        assert_eq!(beats(64, 64), []);
    }
}
