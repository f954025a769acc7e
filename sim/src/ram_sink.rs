//! A sink that keeps the last words of a trace in a ring in a memory of its own.
//!
//! Beats of the trace port fill words of 32 bits, the first beat lowest. A word is written where the write pointer is,
//! which goes on to the next one, and after the last word of the ring to the first. When the sink is switched off,
//! zeros fill the last word up.
//!
//! A ring that keeps the beginning of the trace stops before it is full: when a word is written from which on fewer
//! than [`Config::tail_words`] are left, tracing is switched off, and the rest of the packet at hand, its end, and
//! whatever else waits in the module come into the words that are left. What does not fit there is taken and dropped,
//! so the module always becomes empty.
//!
//! The hardware is `hdl/src/ram_sink.rs`. Its memory is read through registers of the RISC-V Trace Control Interface
//! (docs/control.md).

pub use crate::config::RAM_WORD_BITS as WORD_BITS;
use crate::config::{LEAST_SYNC_BYTES, require};
use crate::parameter::ParameterError;
use crate::scheme::Design;

/// Blocks in the registers of a trace module between its port and its record queue, at most, with the flush record.
const PIPELINE_BLOCKS: u32 = 5;

/// Blocks and records in the registers that `encoder_registers` adds to a module, at most: one before the compressor, and the
/// pieces on their way through the packets, of which a serial encoder makes several of a record, and a parallel one one.
const STEPS_OF_MODULE: (u32, u32) = (3, 10);

/// Blocks in the registers that it adds to an adapter, at most: three cycles of four lanes, and two before the module.
const STEPS_OF_ADAPTER: u32 = 14;

/// The size of a sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// Bytes of the memory.
    pub bytes: u32,
    /// Width of the trace port in front of it.
    pub port_bits: u32,
    /// Words from the last one of the ring back: a ring that stops does so when the first of them is written. A power
    /// of two, at most half of the memory.
    pub tail_words: u32,
}

/// Bytes between synchronisations with which a ring of so many bytes has the beginning of a packet: a quarter.
pub fn sync_bytes(ring_bytes: u32) -> u32 {
    (ring_bytes / 4).max(LEAST_SYNC_BYTES)
}

/// Bytes that may still come out of a trace module when tracing is switched off, rounded up to a power of two: its
/// buffer, records that wait, the blocks that an adapter holds, a header that is due and the end. A block is taken to
/// have one event with an address of full width and a count.
pub fn tail_bytes(design: &Design, held_blocks: u32) -> u32 {
    let port = design.port();
    let event_bits = design.processor().address_width * 5 / 4 + 16;
    let (of_serial, of_parallel) = STEPS_OF_MODULE;
    let of_module = if port.is_parallel() { of_parallel } else { of_serial };
    let of_adapter = if held_blocks > 0 { STEPS_OF_ADAPTER } else { 0 };
    let in_steps = if port.encoder_registers { of_module + of_adapter } else { 0 };
    let blocks = PIPELINE_BLOCKS + in_steps + port.record_queue_depth + held_blocks;
    let header_bits = design
        .framing()
        .map_or(0, |framing| framing.header_format().most_bits() + framing.marker_ones + 1);
    let buffer_bits = (port.fifo_words() + 2) * port.word_bits() + WORD_BITS;
    let bits = blocks * event_bits + 2 * header_bits + buffer_bits;
    // A stuffed zero after 15 ones.
    (bits + bits / 15).div_ceil(8).next_power_of_two()
}

impl Config {
    /// A sink of so many bytes after the module of a design, with an adapter that holds so many blocks. The tail is at
    /// most half of the memory.
    pub fn after(design: &Design, bytes: u32, held_blocks: u32) -> Self {
        let tail_words = (tail_bytes(design, held_blocks) / 4).min(bytes / 8).max(1);
        Self { bytes, port_bits: design.port().trace_port_width, tail_words }
    }

    /// Checks the constraints.
    ///
    /// # Errors
    /// The first constraint that is broken, by name.
    pub fn validate(&self) -> Result<(), ParameterError> {
        let Self { bytes, port_bits, tail_words } = *self;
        let is_size = bytes.is_power_of_two() && (64..=1 << 24).contains(&bytes);
        require(is_size, "ram_sink", bytes, || {
            "must be a power of two from 64 to 16777216".into()
        })?;
        let divides = port_bits <= WORD_BITS && WORD_BITS.is_multiple_of(port_bits);
        require(divides, "trace_port_width", port_bits, || {
            "a RAM sink needs 1, 2, 4, 8, 16 or 32".into()
        })?;
        let fits = tail_words.is_power_of_two() && tail_words <= bytes / 8;
        require(fits, "tail_words", tail_words, || {
            format!("must be a power of two of at most {}, half of the memory", bytes / 8)
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
    config: Config,
    words: Vec<u32>,
    /// The last word of the ring.
    pub limit: u32,
    /// The word that is written next.
    pub write_pointer: u32,
    /// The last word of the ring was written.
    pub has_wrapped: bool,
    /// The sink asks for the end of the trace when the tail of the ring is reached, and overwrites nothing.
    pub stops_when_full: bool,
    is_open: bool,
    /// The end of the trace was asked for since the sink was switched on.
    has_stopped: bool,
    /// The last word was written, and what comes is dropped.
    is_full: bool,
    word: u32,
    bits: u32,
}

impl RamSink {
    /// A sink that is off, with a memory of zeros.
    pub fn new(config: &Config) -> Self {
        Self {
            config: *config,
            words: vec![0; config.words() as usize],
            limit: config.words() - 1,
            write_pointer: 0,
            has_wrapped: false,
            stops_when_full: false,
            is_open: false,
            has_stopped: false,
            is_full: false,
            word: 0,
            bits: 0,
        }
    }

    /// Makes everything as after reset, but for the memory.
    pub fn reset(&mut self) {
        let words = std::mem::take(&mut self.words);
        *self = Self { words, ..Self::new(&self.config) };
    }

    /// Switches the sink on.
    pub fn open(&mut self) {
        (self.is_open, self.has_stopped) = (true, false);
    }

    /// True if the sink takes beats.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// True if the sink has switched tracing off since it was switched on.
    pub fn has_stopped(&self) -> bool {
        self.has_stopped
    }

    /// True if the last word was written and what comes is dropped.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// Takes a beat of the trace port.
    pub fn beat(&mut self, data: u32) {
        if !self.is_open {
            return;
        }
        self.word |= data << self.bits;
        self.bits += self.config.port_bits;
        if self.bits == WORD_BITS {
            self.write();
        }
    }

    /// Switches the sink off after the last beat.
    pub fn close(&mut self) {
        if self.bits > 0 {
            self.write();
        }
        (self.is_open, self.is_full) = (false, false);
    }

    fn write(&mut self) {
        let word = std::mem::take(&mut self.word);
        self.bits = 0;
        if self.is_full {
            return;
        }
        let written = self.write_pointer;
        self.words[written as usize] = word;
        self.write_pointer = self.after(written);
        let is_last = self.write_pointer == 0;
        self.has_wrapped |= is_last;
        if self.stops_when_full {
            // A pointer after the limit is not near it.
            let left = self.limit.wrapping_sub(written) & (self.config.words() - 1);
            self.has_stopped |= is_last || left < self.config.tail_words;
            self.is_full = is_last;
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
        let mut sink = RamSink::new(&Config { bytes: 64, port_bits, tail_words: 4 });
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
    fn a_ring_that_is_nearly_full_asks_for_the_end_of_the_trace() {
        let mut sink = sink(32);
        (sink.limit, sink.stops_when_full) = (9, true);
        (1..=6).for_each(|word| sink.beat(word));
        assert!(!sink.has_stopped());
        sink.beat(7);
        assert!(sink.has_stopped() && sink.is_open());
        // The rest of the trace.
        (8..=9).for_each(|word| sink.beat(word));
        sink.close();
        assert!(!sink.has_wrapped);
        assert_eq!(sink.image().len(), 4 * 9);
        assert_eq!(sink.words()[..11], [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0]);
    }

    #[test]
    fn what_does_not_fit_after_the_stop_is_dropped() {
        let mut sink = sink(16);
        (sink.limit, sink.stops_when_full) = (1, true);
        (1..=9).for_each(|half| sink.beat(half));
        assert!(sink.has_wrapped && sink.has_stopped() && sink.is_open());
        sink.close();
        assert_eq!(sink.words()[..3], [0x0002_0001, 0x0004_0003, 0]);
        assert_eq!((sink.image().len(), sink.write_pointer), (8, 0));
        // Switched on again, it writes from its pointer on.
        sink.open();
        (5..=6).for_each(|half| sink.beat(half));
        assert_eq!(sink.words()[..3], [0x0006_0005, 0x0004_0003, 0]);
    }

    #[test]
    fn the_tail_has_room_for_what_waits_in_the_module() {
        let mut design = Design::preset("traptor-m4").unwrap();
        assert_eq!(tail_bytes(&design, 0), 128);
        design.set("framing", "packets").unwrap();
        assert_eq!(tail_bytes(&design, 0), 128);
        assert_eq!(tail_bytes(&design, 16), 256);
        design.set("fifo_bits", "65536").unwrap();
        assert_eq!(tail_bytes(&design, 0), 16384);
        assert_eq!(Config::after(&design, 1024, 0).tail_words, 128);
        assert_eq!(Config::after(&design, 65536, 0).tail_words, 4096);
    }

    #[test]
    fn sizes_that_do_not_go_are_refused() {
        let said = |bytes, port_bits| {
            Config { bytes, port_bits, tail_words: 8 }.validate().map_err(|e| e.to_string())
        };
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
        for (tail_words, fits) in [(0, false), (1, true), (3, false), (8, true), (16, false)] {
            let config = Config { bytes: 64, port_bits: 8, tail_words };
            assert_eq!(config.validate().is_ok(), fits, "{tail_words}");
        }
    }
}
