//! A reader of the ring of a RAM sink, which does the steps of docs/control.md and sends the memory by a serial line.

/// What a dump begins with, on the line; its checksum is of what comes after it.
pub const MARK: [u8; 8] = *b"TWRING1\n";

/// The polynomial of the dump's checksum, CRC-32 of IEEE 802.3, reflected.
pub const POLYNOMIAL: u32 = 0xedb8_8320;

/// Width of the number of cycles that a bit of the line takes.
pub const CYCLES_BITS: u32 = 16;

/// What the reader does before it goes on to its next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It writes a register.
    Write {
        /// The register's address on the bus, in bytes.
        address: u16,
        /// What is written.
        value: u32,
    },
    /// It reads a register until a bit of it is 1.
    Await {
        /// The register's address on the bus, in bytes.
        address: u16,
        /// The bit, 0 or 3.
        bit: u32,
    },
    /// It waits for `stop`, while the core is traced.
    Trace,
    /// It sends these four bytes, the lowest one first.
    SendMark(u32),
    /// It sends a register. The checksum begins with it.
    SendFirst {
        /// The register's address on the bus, in bytes.
        address: u16,
    },
    /// It sends the register of the write pointer, which says how many words of the memory follow.
    SendPointer {
        /// The register's address on the bus, in bytes.
        address: u16,
    },
    /// It sends the number of bytes of the memory that follow.
    SendLength,
    /// It sends the words that are read at this address, one after the other.
    SendMemory {
        /// The register's address on the bus, in bytes.
        address: u16,
    },
    /// It sends the checksum.
    SendChecksum,
    /// It leaves the line idle for a word, and sends another dump if `stop` is high, from [`FIRST_OF_DUMP`] on; otherwise
    /// it begins anew.
    Pause,
}

/// The step with which a dump begins.
pub const FIRST_OF_DUMP: usize = 12;

/// The registers of the trace encoder and of the RAM sink that the reader uses, by their addresses.
mod register {
    pub const ENCODER: u16 = 0x0000;
    pub const TAKES_BLOCKS: u16 = 0x0e00;
    pub const FINGERPRINT: u16 = 0x0efc;
    pub const RAM: u16 = 0x1000;
    pub const LIMIT: u16 = 0x1018;
    pub const WRITE_POINTER: u16 = 0x1020;
    pub const READ_POINTER: u16 = 0x1028;
    pub const DATA: u16 = 0x1040;
}

/// The steps of a reader of a ring of so many bytes, in their order.
pub fn steps(ring_bytes: u32) -> [Step; 21] {
    use register::*;
    let write = |address, value| Step::Write { address, value };
    let mark = |at: usize| u32::from_le_bytes([MARK[at], MARK[at + 1], MARK[at + 2], MARK[at + 3]]);
    [
        write(RAM, 1),
        write(LIMIT, ring_bytes - 4),
        write(WRITE_POINTER, 0),
        write(RAM, 3),
        write(ENCODER, 0x01),
        write(ENCODER, 0x77),
        Step::Await { address: TAKES_BLOCKS, bit: 0 },
        Step::Trace,
        write(ENCODER, 0x01),
        Step::Await { address: ENCODER, bit: 3 },
        write(RAM, 1),
        Step::Await { address: RAM, bit: 3 },
        Step::SendMark(mark(0)),
        Step::SendMark(mark(4)),
        Step::SendFirst { address: FINGERPRINT },
        Step::SendPointer { address: WRITE_POINTER },
        Step::SendLength,
        write(READ_POINTER, 0),
        Step::SendMemory { address: DATA },
        Step::SendChecksum,
        Step::Pause,
    ]
}

impl Step {
    /// The address on the bus, if the step has an access.
    pub fn address(&self) -> Option<u16> {
        match self {
            Step::Write { address, .. }
            | Step::Await { address, .. }
            | Step::SendFirst { address }
            | Step::SendPointer { address }
            | Step::SendMemory { address } => Some(*address),
            _ => None,
        }
    }

    /// A word is sent.
    pub fn sends(&self) -> bool {
        !matches!(self, Step::Write { .. } | Step::Await { .. } | Step::Trace)
    }
}

/// Width of the number of words that are to be sent.
pub fn words_bits(ring_bytes: u32) -> u32 {
    (ring_bytes / 4).ilog2().max(1) + 1
}

/// What the reader is told in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Tracing is to be off, and the ring is to be sent.
    pub stop: bool,
    /// Cycles of a bit of the line.
    pub cycles_per_bit: u16,
    /// The bus ends an access.
    pub is_ready: bool,
    /// What is read.
    pub data: u32,
}

/// An access of the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The second or a later cycle of it.
    pub is_enabled: bool,
    /// The register's address, in bytes.
    pub address: u16,
    /// What is written, if it is a write.
    pub written: Option<u32>,
}

/// What the reader says in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// Tracing has been switched on once.
    pub is_ready: bool,
    /// The level of the serial line: 8 data bits, no parity, one stop bit.
    pub line: bool,
    /// The access of the bus.
    pub access: Option<Access>,
}

/// The serial line.
#[derive(Clone, Debug, Default)]
struct Line {
    /// Levels that are still to come, the one at hand first.
    levels: std::collections::VecDeque<bool>,
    /// Cycles of the level at hand that are left after this one.
    left: u16,
}

impl Line {
    fn is_idle(&self) -> bool {
        self.levels.is_empty()
    }

    fn level(&self) -> bool {
        self.levels.front().copied().unwrap_or(true)
    }

    /// Begins a word, each byte of which has a start bit before and a stop bit after it.
    fn send(&mut self, word: u32, cycles_per_bit: u16) {
        for byte in word.to_le_bytes() {
            self.levels.push_back(false);
            self.levels.extend((0..8).map(|place| byte >> place & 1 == 1));
            self.levels.push_back(true);
        }
        self.left = cycles_per_bit.wrapping_sub(1);
    }

    /// Is idle for the time of a word.
    fn pause(&mut self, cycles_per_bit: u16) {
        self.send(0, cycles_per_bit);
        self.levels.iter_mut().for_each(|level| *level = true);
    }

    fn clock(&mut self, cycles_per_bit: u16) {
        if self.left > 0 {
            self.left -= 1;
        } else if self.levels.pop_front().is_some() {
            self.left = cycles_per_bit.wrapping_sub(1);
        }
    }
}

/// The reader.
#[derive(Clone, Debug)]
pub struct UartReader {
    ring_bytes: u32,
    step: usize,
    is_ready: bool,
    is_selected: bool,
    is_enabled: bool,
    /// Words of the memory that are to be sent.
    words: u32,
    /// What was sent of the dump after its mark.
    sent: Vec<u8>,
    line: Line,
    /// The level of the line, which is a cycle late.
    level: bool,
}

impl UartReader {
    /// A reader of a ring of so many bytes, at its first step.
    pub fn new(ring_bytes: u32) -> Self {
        Self {
            ring_bytes,
            step: 0,
            is_ready: false,
            is_selected: false,
            is_enabled: false,
            words: 0,
            sent: Vec::new(),
            line: Line::default(),
            level: true,
        }
    }

    fn step(&self) -> Step {
        steps(self.ring_bytes)[self.step]
    }

    /// What the reader says, whatever it is told.
    pub fn outputs(&self) -> Outputs {
        let step = self.step();
        let access = |address| Access {
            is_enabled: self.is_enabled,
            address,
            written: if let Step::Write { value, .. } = step { Some(value) } else { None },
        };
        Outputs {
            is_ready: self.is_ready,
            line: self.level,
            access: step.address().filter(|_| self.is_selected).map(access),
        }
    }

    /// The end of the cycle.
    pub fn clock(&mut self, inputs: &Inputs) {
        let step = self.step();
        let Inputs { stop, cycles_per_bit, is_ready, data } = *inputs;
        // An empty memory has no word to send.
        let is_there = !matches!(step, Step::SendMemory { .. }) || self.words > 0;
        let (has_access, sends) = (step.address().is_some() && is_there, step.sends() && is_there);
        let is_answered = self.is_selected && self.is_enabled && is_ready;
        let was_idle = self.line.is_idle();
        let is_done = match step {
            Step::Await { bit, .. } => is_answered && data >> bit & 1 == 1,
            Step::Trace => stop,
            _ if has_access => is_answered,
            _ if sends => was_idle,
            _ => true,
        };
        self.level = self.line.level();
        if sends && was_idle && (is_answered || !has_access) {
            self.send(step, data, cycles_per_bit);
        } else {
            self.line.clock(cycles_per_bit);
        }
        self.is_enabled = self.is_selected && !is_answered;
        self.is_selected = has_access && !is_answered && (self.is_selected || !sends || was_idle);
        self.is_ready |= step == Step::Trace;
        let is_last = self.words <= 1;
        match step {
            Step::SendPointer { .. } if is_answered => self.words = self.words_of(data),
            Step::SendMemory { .. } if is_answered => self.words -= 1,
            _ => {}
        }
        match step {
            Step::SendMemory { .. } if !is_last => {}
            Step::Pause if is_done => self.step = if stop { FIRST_OF_DUMP } else { 0 },
            _ => self.step += usize::from(is_done),
        }
    }

    /// Words of the memory that are to be sent, if the register of the write pointer reads as this: all of a ring that has
    /// wrapped, otherwise what was written.
    fn words_of(&self, pointer: u32) -> u32 {
        let words = self.ring_bytes / 4;
        let kept = 1 << (words_bits(self.ring_bytes) - 1);
        if pointer & 1 == 1 { words } else { (pointer >> 2) % kept }
    }

    fn send(&mut self, step: Step, data: u32, cycles_per_bit: u16) {
        let word = match step {
            Step::SendMark(mark) => mark,
            Step::SendLength => 4 * self.words,
            Step::SendChecksum => checksum(&self.sent),
            Step::Pause => return self.line.pause(cycles_per_bit),
            _ => data,
        };
        if let Step::SendFirst { .. } = step {
            self.sent.clear();
        }
        self.sent.extend(word.to_le_bytes());
        self.line.send(word, cycles_per_bit);
    }
}

/// CRC-32 of IEEE 802.3.
fn checksum(bytes: &[u8]) -> u32 {
    let bits = bytes.iter().flat_map(|byte| (0..8).map(move |place| u32::from(byte >> place & 1)));
    !bits.fold(u32::MAX, |register, bit| (register >> 1) ^ (POLYNOMIAL * ((register ^ bit) & 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_ieee_802_3() {
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
    }

    /// The bytes on a line of one cycle per bit, after the memory of a ring with two words is read.
    #[test]
    fn a_dump_has_mark_fingerprint_pointer_length_memory_and_checksum() {
        let mut reader = UartReader::new(64);
        let mut levels = Vec::new();
        for _ in 0..2_000 {
            let Outputs { access, line, .. } = reader.outputs();
            levels.push(line);
            let data = match access.map_or(0, |access| access.address) {
                register::WRITE_POINTER => 8,
                address => u32::from(address) << 4 | 0xf,
            };
            reader.clock(&Inputs { stop: true, cycles_per_bit: 1, is_ready: true, data });
        }
        let mut bytes = Vec::new();
        let mut rest = &levels[..];
        while let Some(start) = rest.iter().position(|level| !level).filter(|_| rest.len() > 20) {
            let bits = rest[start + 1..start + 9].iter().rev();
            bytes.push(bits.fold(0_u8, |byte, level| byte << 1 | u8::from(*level)));
            rest = &rest[start + 10..];
        }
        let words = [0xefcf_u32, 8, 8, 0x1_040f, 0x1_040f].map(u32::to_le_bytes).concat();
        let checksum = checksum(&words).to_le_bytes();
        assert!(bytes.starts_with(&[&MARK[..], &words, &checksum, &MARK].concat()), "{bytes:x?}");
    }
}
