//! `tohost` and `fromhost`, by which programs for Spike and the tests of RISC-V print, call the host and end.
//!
//! A number is stored to `tohost`: its uppermost byte names a device, the next one a command. Device 0 is the host's
//! system: an odd number ends the run with half of it as the status, an even one is the address of a call. Device 1 is
//! the console, whose command 1 prints the lowest byte.

use super::{Device, Surroundings, part, replaced};
use crate::board::Effect;

/// The bytes of both registers, of which `fromhost` may be elsewhere.
pub const BYTES: u64 = 8;

/// One of the two registers.
#[derive(Clone, Debug)]
pub struct Htif {
    /// True for `tohost`.
    is_request: bool,
    value: u64,
    /// A bit for each half that has been stored to.
    stored: u8,
}

impl Htif {
    /// `tohost`, to which a program stores its requests.
    pub fn tohost() -> Htif {
        Htif { is_request: true, value: 0, stored: 0 }
    }

    /// `fromhost`, where a program waits for the answer, which is always there.
    pub fn fromhost() -> Htif {
        Htif { is_request: false, value: 1, stored: 0 }
    }

    fn request(&mut self) -> Effect {
        let value = std::mem::take(&mut self.value);
        self.stored = 0;
        match (value >> 56, value >> 48 & 0xff) {
            (0, 0) if value == 0 => Effect::None,
            (0, 0) if value & 1 == 1 => Effect::Exit((value >> 1) as u32),
            (0, 0) => Effect::Proxied(value),
            (1, 1) => Effect::Print(vec![value as u8]),
            _ => Effect::None,
        }
    }
}

impl Device for Htif {
    fn load(&mut self, offset: u64, bytes: usize, _: &mut Surroundings) -> u64 {
        let value = if self.is_request { 0 } else { self.value };
        part(value, offset, bytes)
    }

    /// A processor of 32 bits stores two halves, in either order; one that stores the same half again leaves the other
    /// one 0.
    fn store(&mut self, offset: u64, bytes: usize, value: u64, _: &mut Surroundings) -> Effect {
        if !self.is_request {
            // A program clears the answer before it waits for the next one.
            return Effect::None;
        }
        let half = 1 << (offset >> 2 & 1);
        let is_again = self.stored & half != 0;
        let is_whole = bytes == 8 || self.stored | half == 3;
        if is_again && !is_whole {
            return self.request();
        }
        self.value = replaced(self.value, offset, bytes, value);
        self.stored |= half;
        if is_whole { self.request() } else { Effect::None }
    }
}
