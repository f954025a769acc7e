//! A sink that keeps the last words of a trace in a ring in a memory of its own.
//!
//! Beats of the trace port fill words of 32 bits, the first beat lowest. A word is written where the write pointer is,
//! which goes on to the next one, and after the last word of the ring to the first. When the sink is switched off, zeros
//! fill the last word up.
//!
//! The hardware is `hdl/src/ram_sink.rs`. Its memory is read through registers of the RISC-V Trace Control Interface
//! (docs/control.md).

use crate::config::require;
use crate::parameter::ParameterError;

/// Bits of a word of the memory.
pub const WORD_BITS: u32 = 32;

/// The size of a sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// Bytes of the memory.
    pub bytes: u32,
    /// Width of the trace port in front of it.
    pub port_bits: u32,
}

impl Config {
    /// Checks the constraints.
    ///
    /// # Errors
    /// The first constraint that is broken, by name.
    pub fn validate(&self) -> Result<(), ParameterError> {
        let Self { bytes, port_bits } = *self;
        let is_size = bytes.is_power_of_two() && (64..=1 << 24).contains(&bytes);
        require(is_size, "ram_sink", bytes, || {
            "must be a power of two from 64 to 16777216".into()
        })?;
        let divides = port_bits <= WORD_BITS && WORD_BITS.is_multiple_of(port_bits);
        require(divides, "trace_port_width", port_bits, || {
            "a RAM sink needs 1, 2, 4, 8, 16 or 32".into()
        })
    }

    /// Words of the memory.
    pub fn words(&self) -> u32 {
        self.bytes / 4
    }
}

/// The sink.
#[derive(Clone, Debug)]
pub struct RamSink {
    port_bits: u32,
    words: Vec<u32>,
    /// The last word of the ring.
    pub limit: u32,
    /// The word that is written next.
    pub write_pointer: u32,
    /// The last word of the ring was written.
    pub has_wrapped: bool,
    /// The sink stops when the last word of the ring is written.
    pub stops_when_full: bool,
    is_open: bool,
    word: u32,
    bits: u32,
}

impl RamSink {
    /// A sink that is off, with a memory of zeros.
    pub fn new(config: &Config) -> Self {
        Self {
            port_bits: config.port_bits,
            words: vec![0; config.words() as usize],
            limit: config.words() - 1,
            write_pointer: 0,
            has_wrapped: false,
            stops_when_full: false,
            is_open: false,
            word: 0,
            bits: 0,
        }
    }

    /// Makes everything as after reset, but for the memory.
    pub fn reset(&mut self) {
        let config = Config { bytes: 4 * self.words.len() as u32, port_bits: self.port_bits };
        let words = std::mem::take(&mut self.words);
        *self = Self { words, ..Self::new(&config) };
    }

    /// Switches the sink on.
    pub fn open(&mut self) {
        self.is_open = true;
    }

    /// True if the sink takes beats.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Takes a beat of the trace port.
    pub fn beat(&mut self, data: u32) {
        if !self.is_open {
            return;
        }
        self.word |= data << self.bits;
        self.bits += self.port_bits;
        if self.bits == WORD_BITS {
            self.write();
        }
    }

    /// Switches the sink off after the last beat.
    pub fn close(&mut self) {
        if self.bits > 0 {
            self.write();
        }
        self.is_open = false;
    }

    fn write(&mut self) {
        self.words[self.write_pointer as usize] = self.word;
        (self.word, self.bits) = (0, 0);
        let is_last = self.write_pointer == self.limit;
        self.write_pointer = self.after(self.write_pointer);
        if is_last || self.write_pointer == 0 {
            self.has_wrapped = true;
            self.is_open &= !self.stops_when_full;
        }
    }

    /// The word after this one in the ring.
    pub fn after(&self, pointer: u32) -> u32 {
        let is_last = pointer == self.limit || pointer + 1 == self.words.len() as u32;
        if is_last { 0 } else { pointer + 1 }
    }

    /// The memory.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The bytes of the trace that the ring has, the oldest one first.
    pub fn image(&self) -> Vec<u8> {
        let ring = &self.words[..=self.limit as usize];
        let (newer, older) = ring.split_at((self.write_pointer as usize).min(ring.len()));
        let older = if self.has_wrapped { older } else { &[] };
        older.iter().chain(newer).flat_map(|word| word.to_le_bytes()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sink(port_bits: u32) -> RamSink {
        let mut sink = RamSink::new(&Config { bytes: 64, port_bits });
        sink.open();
        sink
    }

    #[test]
    fn words_are_filled_from_the_lowest_bit() {
        let mut sink = sink(8);
        (1..=6).for_each(|byte| sink.beat(byte));
        assert_eq!(sink.image(), [1, 2, 3, 4]);
        sink.close();
        assert_eq!(sink.image(), [1, 2, 3, 4, 5, 6, 0, 0]);
        sink.beat(7);
        assert_eq!(sink.write_pointer, 2);
    }

    #[test]
    fn the_ring_keeps_the_last_words() {
        let mut sink = sink(32);
        sink.limit = 3;
        (1..=6).for_each(|word| sink.beat(word));
        assert!(sink.has_wrapped && sink.is_open());
        assert_eq!(sink.words()[..5], [5, 6, 3, 4, 0]);
        let oldest = sink.image();
        assert_eq!(oldest[0], 3);
        assert_eq!(oldest.len(), 16);
    }

    #[test]
    fn a_full_ring_stops() {
        let mut sink = sink(16);
        (sink.limit, sink.stops_when_full) = (1, true);
        (1..=9).for_each(|half| sink.beat(half));
        assert!(sink.has_wrapped && !sink.is_open());
        assert_eq!(sink.words()[..3], [0x0002_0001, 0x0004_0003, 0]);
        assert_eq!(sink.image().len(), 8);
    }

    #[test]
    fn sizes_that_do_not_go_are_refused() {
        let said =
            |bytes, port_bits| Config { bytes, port_bits }.validate().map_err(|e| e.to_string());
        assert_eq!(said(4096, 8), Ok(()));
        assert_eq!(
            said(100, 8),
            Err("`ram_sink` = 100 does not fit: must be a power of two from 64 to 16777216".into())
        );
        let wide = said(4096, 64);
        assert_eq!(
            wide,
            Err("`trace_port_width` = 64 does not fit: a RAM sink needs 1, 2, 4, 8, 16 or 32"
                .into())
        );
        assert!(said(64, 12).is_err());
    }
}
