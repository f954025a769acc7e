//! Devices of one register, and registers that keep what is stored.

use super::{Device, Surroundings};
use crate::board::Effect;

/// Prints the lowest byte of what is stored.
#[derive(Clone, Copy, Debug)]
pub struct Character;

impl Device for Character {
    fn load(&mut self, _: u64, _: usize, _: &mut Surroundings) -> u64 {
        0
    }

    fn store(&mut self, offset: u64, _: usize, value: u64, _: &mut Surroundings) -> Effect {
        if offset == 0 { Effect::Print(vec![value as u8]) } else { Effect::None }
    }
}

/// Ends the run with what is stored as the status. If one value is that of a success, the status is 0 for it and else
/// 1, but a store of 0 does nothing.
#[derive(Clone, Copy, Debug)]
pub struct Exit {
    /// The value that is a success.
    pub success: Option<u64>,
}

impl Device for Exit {
    fn load(&mut self, _: u64, _: usize, _: &mut Surroundings) -> u64 {
        0
    }

    fn store(&mut self, _: u64, _: usize, value: u64, _: &mut Surroundings) -> Effect {
        match self.success {
            None => Effect::Exit(value as u32),
            Some(_) if value == 0 => Effect::None,
            Some(success) => Effect::Exit(u32::from(value != success)),
        }
    }
}

/// SiFive's test device: 0x5555 ends the run with success, 0x3333 with the upper half as the status.
#[derive(Clone, Copy, Debug)]
pub struct Finisher;

impl Device for Finisher {
    fn load(&mut self, _: u64, _: usize, _: &mut Surroundings) -> u64 {
        0
    }

    fn store(&mut self, offset: u64, _: usize, value: u64, _: &mut Surroundings) -> Effect {
        match (offset, value & 0xffff) {
            (0, 0x5555) => Effect::Exit(0),
            (0, 0x3333) => Effect::Exit((value >> 16) as u32),
            // A reset, which is the end of this run.
            (0, 0x7777) => Effect::Exit(0),
            _ => Effect::None,
        }
    }
}

/// Registers of four bytes that keep what is stored, some of whose bits are always 1: what configures a chip.
#[derive(Clone, Debug)]
pub struct Kept {
    words: Vec<u32>,
    ones: Vec<(u64, u32)>,
}

impl Kept {
    /// Registers in so many bytes, with the bits that are always 1 by offset.
    pub fn new(bytes: u64, ones: Vec<(u64, u32)>) -> Kept {
        Kept { words: vec![0; (bytes as usize).div_ceil(4)], ones }
    }

    fn word(&self, offset: u64) -> u32 {
        let ones = self.ones.iter().find(|(it, _)| *it == offset & !3).map_or(0, |(_, ones)| *ones);
        self.words.get(offset as usize / 4).map_or(0, |word| word | ones)
    }
}

impl Device for Kept {
    fn load(&mut self, offset: u64, bytes: usize, _: &mut Surroundings) -> u64 {
        let low = u64::from(self.word(offset)) >> (8 * (offset & 3));
        if bytes == 8 { low | u64::from(self.word(offset + 4)) << 32 } else { low }
    }

    fn store(&mut self, offset: u64, bytes: usize, value: u64, _: &mut Surroundings) -> Effect {
        for (byte, at) in value.to_le_bytes().into_iter().take(bytes).zip(offset..) {
            if let Some(word) = self.words.get_mut(at as usize / 4) {
                let shift = 8 * (at & 3);
                *word = *word & !(0xff << shift) | u32::from(byte) << shift;
            }
        }
        Effect::None
    }
}
