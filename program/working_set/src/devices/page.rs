//! The devices of the board `tracewright`.

use super::{Device, Surroundings};
use crate::board::Effect;
use crate::trap_unit::TIMER_INTERRUPT;

/// Console, end, input by bytes and by blocks, time and timer, in registers of four bytes.
#[derive(Clone, Debug, Default)]
pub struct Page {
    block_address: u64,
    block_length: u32,
    /// The time at which the timer's interrupt becomes pending, if it is set.
    timer: Option<u64>,
}

/// The next byte of the input, all ones at its end.
pub fn next_byte(around: &mut Surroundings) -> u64 {
    around.input.pop_front().map_or(u32::MAX.into(), u64::from)
}

impl Device for Page {
    fn load(&mut self, offset: u64, _: usize, around: &mut Surroundings) -> u64 {
        match offset {
            0x08 => next_byte(around),
            0x0c => u64::from(self.block_address as u32),
            0x10 => self.block_length.into(),
            0x14 => {
                around.clock_reads += 1;
                u64::from(around.time as u32)
            }
            _ => 0,
        }
    }

    fn store(&mut self, offset: u64, _: usize, value: u64, around: &mut Surroundings) -> Effect {
        match offset {
            0x00 => return Effect::Print(vec![value as u8]),
            0x04 => return Effect::Exit(value as u32),
            0x0c => self.block_address = value,
            0x10 => {
                let count = around.input.len().min(value as usize);
                let bytes: Vec<u8> = around.input.drain(..count).collect();
                self.block_length = bytes.len() as u32;
                return Effect::Block { address: self.block_address, bytes };
            }
            0x18 => self.timer = (value != 0).then(|| around.time.saturating_add(value)),
            _ => {}
        }
        Effect::None
    }

    fn pending(&self, time: u64) -> u64 {
        u64::from(self.timer.is_some_and(|due| due <= time)) << TIMER_INTERRUPT
    }

    fn next_interrupt(&self, enabled: u64) -> Option<u64> {
        self.timer.filter(|_| enabled >> TIMER_INTERRUPT & 1 == 1)
    }
}
