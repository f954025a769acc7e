//! A sink that writes the trace into a ring in the memory of the system, as a manager of an AXI4 bus.
//!
//! It is the RAM sink of the RISC-V Trace Control Interface in its mode with system memory ("SMEM mode"). Beats of the
//! trace port fill words as wide as the bus, the first beat lowest. Words wait until there are as many as fit up to the
//! next address that is a multiple of a burst's bytes, or up to the end of the ring; then they leave in one burst. So no
//! burst crosses a boundary of 4 KiB, of which the bytes of the longest burst are a part, and none leaves the ring. When
//! the sink is switched off, zeros fill the last word up, and what waits leaves in a shorter burst.
//!
//! One burst is on its way at a time. The write pointer goes on when the memory has answered, so that all in front of it
//! can be read. A response that says an error ends the trace: the write pointer stays at the beginning of that burst,
//! and what still comes is taken and dropped, so that the trace module always becomes empty.
//!
//! Before each burst the sink compares its write pointer with the ring. A pointer outside of it becomes the ring's
//! start; if the ring ends before it begins, nothing is written, and the trace ends as after an error.
//!
//! The hardware is `hdl/src/system_memory_sink.rs`.

use std::collections::VecDeque;

use crate::config::require;
use crate::parameter::ParameterError;
use crate::ram_sink::tail_bytes;
use crate::scheme::Design;

/// Bursts that the words of the sink wait for: one on its way and one that fills.
const WAITING_BURSTS: u32 = 2;

/// What the responses of AXI4 that are errors have in common.
const IS_ERROR: u8 = 2;

/// The bus to the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bus {
    /// Width of an address: 32 to 64 bits.
    pub address_bits: u32,
    /// Width of the data: 32 or 64 bits.
    pub data_bits: u32,
    /// Beats of the longest burst: a power of two from 2 to 256.
    pub burst_beats: u32,
}

impl Default for Bus {
    /// 32 bits of address and of data, and bursts of 64 bytes, the length of a cache line in most systems.
    fn default() -> Self {
        Self { address_bits: 32, data_bits: 32, burst_beats: 16 }
    }
}

/// A sink after a trace port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// The bus to the memory.
    pub bus: Bus,
    /// Width of the trace port in front of it.
    pub port_bits: u32,
    /// Words of the bus from the last one of the ring back: a ring that stops does so before a burst that begins with
    /// one of them. A power of two.
    pub tail_words: u32,
}

impl Bus {
    /// Bytes of a word.
    pub fn word_bytes(&self) -> u32 {
        self.data_bits / 8
    }

    /// Width of the number of a word in the memory.
    pub fn place_bits(&self) -> u32 {
        self.address_bits - self.word_bytes().ilog2()
    }

    /// Width of the number of a word in a burst.
    pub fn beat_bits(&self) -> u32 {
        self.burst_beats.ilog2()
    }

    /// Checks the constraints.
    ///
    /// # Errors
    /// The first constraint that is broken, by name.
    pub fn validate(&self) -> Result<(), ParameterError> {
        let Self { address_bits, data_bits, burst_beats } = *self;
        let is_address = (32..=64).contains(&address_bits);
        require(is_address, "address_bits", address_bits, || "must be 32 to 64".into())?;
        let is_data = data_bits == 32 || data_bits == 64;
        require(is_data, "data_bits", data_bits, || "must be 32 or 64".into())?;
        let is_burst = burst_beats.is_power_of_two() && (2..=256).contains(&burst_beats);
        require(is_burst, "burst_beats", burst_beats, || {
            "must be a power of two from 2 to 256".into()
        })
    }
}

impl Config {
    /// A sink after the module of a design, with an adapter that holds so many blocks. The tail has room for what may
    /// come out of the module once tracing is switched off, for what waits in the sink, and for the burst before the
    /// one at whose beginning the sink finds the tail.
    pub fn after(design: &Design, bus: Bus, held_blocks: u32) -> Self {
        Self::before(tail_bytes(design, held_blocks), bus, design.port().trace_port_width)
    }

    /// The same where so many bytes may come once tracing is switched off, through a port of so many bits.
    pub fn before(tail_bytes: u32, bus: Bus, port_bits: u32) -> Self {
        let module = tail_bytes.div_ceil(bus.data_bits.div_ceil(8).max(1));
        let sink = (WAITING_BURSTS + 1) * bus.burst_beats;
        let tail_words = (module + sink).next_power_of_two();
        Self { bus, port_bits, tail_words }
    }

    /// Checks the constraints.
    ///
    /// # Errors
    /// The first constraint that is broken, by name.
    pub fn validate(&self) -> Result<(), ParameterError> {
        let Self { bus, port_bits, tail_words } = *self;
        bus.validate()?;
        let divides = bus.data_bits.is_multiple_of(port_bits);
        require(divides, "trace_port_width", port_bits, || {
            format!("system memory of {} bits needs a divisor of them", bus.data_bits)
        })?;
        require(tail_words.is_power_of_two(), "tail_words", tail_words, || {
            "must be a power of two".into()
        })
    }

    /// Words that may wait in the sink.
    pub fn waiting_words(&self) -> u32 {
        WAITING_BURSTS * self.bus.burst_beats
    }
}

/// A burst that the sink writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Burst {
    /// The address of its first byte.
    pub address: u64,
    /// Its words.
    pub words: Vec<u64>,
}

/// The sink.
#[derive(Clone, Debug)]
pub struct SystemMemorySink {
    config: Config,
    /// The address of the ring's first word, in bytes.
    pub start: u64,
    /// The address of the ring's last word, in bytes.
    pub limit: u64,
    /// The address of the word that is written next, in bytes.
    pub write_pointer: u64,
    /// The last word of the ring was written.
    pub has_wrapped: bool,
    /// The sink asks for the end of the trace when the tail of the ring is reached, and overwrites nothing.
    pub stops_when_full: bool,
    is_open: bool,
    has_stopped: bool,
    drops: bool,
    response: u8,
    waiting: VecDeque<u64>,
    /// Words of the burst on its way, and whether it has the last word of the ring.
    on_the_way: Option<(u64, bool)>,
    word: u64,
    bits: u32,
}

impl SystemMemorySink {
    /// A sink that is off, without a ring.
    pub fn new(config: &Config) -> Self {
        Self {
            config: *config,
            start: 0,
            limit: 0,
            write_pointer: 0,
            has_wrapped: false,
            stops_when_full: false,
            is_open: false,
            has_stopped: false,
            drops: false,
            response: 0,
            waiting: VecDeque::new(),
            on_the_way: None,
            word: 0,
            bits: 0,
        }
    }

    /// Switches the sink on.
    pub fn open(&mut self) {
        (self.is_open, self.has_stopped, self.response) = (true, false, 0);
    }

    /// True if the sink takes beats.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// True if all that was taken is in the memory or dropped, and no more is taken.
    pub fn is_empty(&self) -> bool {
        !self.is_open && self.waiting.is_empty() && self.on_the_way.is_none()
    }

    /// True if the sink has switched tracing off since it was switched on.
    pub fn has_stopped(&self) -> bool {
        self.has_stopped
    }

    /// The response of AXI4 that has ended the trace since the sink was switched on; 0 without one.
    pub fn error_response(&self) -> u8 {
        self.response
    }

    /// Takes a beat of the trace port.
    pub fn beat(&mut self, data: u64) {
        if !self.is_open {
            return;
        }
        self.word |= data << self.bits;
        self.bits += self.config.port_bits;
        if self.bits == self.config.bus.data_bits {
            self.complete();
        }
    }

    /// Switches the sink off after the last beat.
    pub fn close(&mut self) {
        if self.bits > 0 {
            self.complete();
        }
        self.is_open = false;
        self.drop_when_off();
    }

    fn complete(&mut self) {
        let word = std::mem::take(&mut self.word);
        self.bits = 0;
        if !self.drops {
            self.waiting.push_back(word);
        }
    }

    /// What ends the trace ends when the sink is off and its last burst is over.
    fn drop_when_off(&mut self) {
        if self.drops {
            self.waiting.clear();
            self.drops = self.is_open || self.on_the_way.is_some();
        }
    }

    /// Ends the trace: what waits and what still comes is dropped.
    fn end(&mut self) {
        (self.drops, self.has_stopped) = (true, true);
        self.drop_when_off();
    }

    /// Begins the next burst, if one is due.
    pub fn burst(&mut self) -> Option<Burst> {
        let bytes = u64::from(self.config.bus.word_bytes());
        if self.on_the_way.is_some() || self.drops {
            return None;
        }
        if !(self.start..=self.limit).contains(&self.write_pointer) && !self.waiting.is_empty() {
            self.write_pointer = self.start;
        }
        if self.limit < self.start {
            let is_due = !self.is_open || self.waiting.len() as u32 >= self.config.bus.burst_beats;
            if is_due && !self.waiting.is_empty() {
                self.end();
            }
            return None;
        }
        let block = bytes * u64::from(self.config.bus.burst_beats);
        let last = (self.write_pointer | (block - bytes)).min(self.limit);
        let most = (last - self.write_pointer) / bytes + 1;
        let count = most.min(self.waiting.len() as u64);
        if count == 0 || self.is_open && count < most {
            return None;
        }
        let left = (self.limit - self.write_pointer) / bytes;
        self.has_stopped |= self.stops_when_full && left < self.config.tail_words.into();
        self.on_the_way = Some((count, last == self.limit && count == most));
        let words = self.waiting.drain(..count as usize).collect();
        Some(Burst { address: self.write_pointer, words })
    }

    /// The memory has answered the burst with a response of AXI4.
    pub fn respond(&mut self, response: u8) {
        let Some((count, is_last)) = self.on_the_way.take() else { return };
        if response & IS_ERROR != 0 {
            self.response = response;
            self.end();
        } else if is_last {
            (self.write_pointer, self.has_wrapped) = (self.start, true);
            if self.stops_when_full {
                self.end();
            }
        } else {
            self.write_pointer += count * u64::from(self.config.bus.word_bytes());
        }
        self.drop_when_off();
    }
}
