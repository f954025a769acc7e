//! Serial ports. What is sent is printed at once, and what is received is the input.

use super::{Device, Surroundings};
use crate::board::Effect;

/// The 16550, with a register in every so many bytes.
#[derive(Clone, Debug)]
pub struct Uart16550 {
    stride: u64,
    /// Interrupt enable, line control, modem control, scratch, and both bytes of the divisor.
    kept: [u8; 8],
    divisor: [u8; 2],
}

/// Bit 7 of line control: the first two registers are the divisor.
const DIVISOR: u8 = 0x80;

impl Uart16550 {
    /// A serial port.
    pub fn new(stride: u64) -> Uart16550 {
        Uart16550 { stride: stride.max(1), kept: [0; 8], divisor: [0; 2] }
    }

    fn register(&self, offset: u64) -> usize {
        (offset / self.stride) as usize & 7
    }
}

impl Device for Uart16550 {
    fn load(&mut self, offset: u64, _: usize, around: &mut Surroundings) -> u64 {
        let register = self.register(offset);
        let byte = match register {
            0 | 1 if self.kept[3] & DIVISOR != 0 => self.divisor[register],
            0 => around.input.pop_front().unwrap_or(0),
            // No interrupt is pending.
            2 => 0x01,
            // The transmitter is empty; bit 0 says that a byte has come.
            5 => 0x60 | u8::from(!around.input.is_empty()),
            // Clear to send, data set ready, carrier detected.
            6 => 0xb0,
            register => self.kept[register],
        };
        byte.into()
    }

    fn store(&mut self, offset: u64, _: usize, value: u64, _: &mut Surroundings) -> Effect {
        let register = self.register(offset);
        match register {
            0 | 1 if self.kept[3] & DIVISOR != 0 => self.divisor[register] = value as u8,
            0 => return Effect::Print(vec![value as u8]),
            register => self.kept[register] = value as u8,
        }
        Effect::None
    }
}

/// SiFive's serial port.
#[derive(Clone, Debug, Default)]
pub struct SifiveUart {
    kept: [u32; 8],
}

impl Device for SifiveUart {
    fn load(&mut self, offset: u64, _: usize, around: &mut Surroundings) -> u64 {
        match offset {
            // The transmitter is never full.
            0x00 => 0,
            0x04 => around.input.pop_front().map_or(1 << 31, u64::from),
            // The transmitter's queue is below its mark; bit 1: so is what was received.
            0x14 => 1 | u64::from(!around.input.is_empty()) << 1,
            offset => self.kept.get(offset as usize / 4).copied().unwrap_or(0).into(),
        }
    }

    fn store(&mut self, offset: u64, _: usize, value: u64, _: &mut Surroundings) -> Effect {
        if offset == 0 {
            return Effect::Print(vec![value as u8]);
        }
        if let Some(kept) = self.kept.get_mut(offset as usize / 4) {
            *kept = value as u32;
        }
        Effect::None
    }
}

/// PicoSoC's serial port: the divider, and the data.
#[derive(Clone, Copy, Debug, Default)]
pub struct PicosocUart {
    divider: u32,
}

impl Device for PicosocUart {
    fn load(&mut self, offset: u64, _: usize, around: &mut Surroundings) -> u64 {
        match offset {
            0 => self.divider.into(),
            _ => around.input.pop_front().map_or(u32::MAX.into(), u64::from),
        }
    }

    fn store(&mut self, offset: u64, _: usize, value: u64, _: &mut Surroundings) -> Effect {
        if offset == 4 {
            return Effect::Print(vec![value as u8]);
        }
        self.divider = value as u32;
        Effect::None
    }
}
