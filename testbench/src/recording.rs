//! What the sink of a trace keeps of it.

/// The beats of a trace, or the last bytes of them.
#[derive(Debug, Default)]
pub(crate) struct Recording {
    bytes: Vec<u8>,
    /// Bytes of the ring buffer; `None` keeps everything.
    ring: Option<usize>,
    /// Where the next byte goes in the ring buffer.
    write_pointer: usize,
    /// Bits that do not fill a byte yet, the first one lowest.
    waiting: u128,
    waiting_bits: u32,
    bits: u64,
}

/// A recorded trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Its bytes, or those of the ring buffer as they are in memory.
    pub bytes: Vec<u8>,
    /// Bits that left the module, the padding at the end included; of a RAM sink, those that are in it.
    pub bits: u64,
    /// The offset in the ring buffer of the byte that would be written next; `None` if all of the trace is there.
    pub write_pointer: Option<usize>,
}

impl Recording {
    /// A recording of everything, or in a ring buffer of so many bytes.
    pub(crate) fn new(ring: Option<usize>) -> Self {
        Self { bytes: vec![0; ring.unwrap_or(0)], ring, ..Self::default() }
    }

    /// Bits that were taken.
    pub(crate) fn bits(&self) -> u64 {
        self.bits
    }

    /// Takes a beat of at most 64 bits.
    pub(crate) fn beat(&mut self, data: u64, width: u32) {
        self.waiting |= u128::from(data) << self.waiting_bits;
        self.waiting_bits += width;
        self.bits += u64::from(width);
        while self.waiting_bits >= 8 {
            self.byte();
        }
    }

    /// Writes the first waiting bits as a byte.
    fn byte(&mut self) {
        let byte = self.waiting as u8;
        self.waiting >>= 8;
        self.waiting_bits = self.waiting_bits.saturating_sub(8);
        match self.ring {
            None => self.bytes.push(byte),
            Some(size) => {
                self.bytes[self.write_pointer] = byte;
                self.write_pointer = (self.write_pointer + 1) % size;
            }
        }
    }

    /// The trace; its last byte is filled up with zeros.
    pub(crate) fn finish(mut self) -> Trace {
        if self.waiting_bits > 0 {
            self.byte();
        }
        let Self { bytes, bits, ring, write_pointer, .. } = self;
        Trace { bytes, bits, write_pointer: ring.map(|_| write_pointer) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beats_of_any_width_become_bytes() {
        let mut recording = Recording::new(None);
        for beat in [0b101, 0b010, 0b111] {
            recording.beat(beat, 3);
        }
        let trace = recording.finish();
        assert_eq!(trace, Trace { bytes: vec![0b1101_0101, 1], bits: 9, write_pointer: None });
    }

    #[test]
    fn a_ring_buffer_keeps_the_last_bytes() {
        let mut recording = Recording::new(Some(3));
        recording.beat(0x0807_0605_0403_0201, 64);
        let trace = recording.finish();
        assert_eq!(trace, Trace { bytes: vec![7, 8, 6], bits: 64, write_pointer: Some(2) });
    }
}
