//! The timer and the software interrupt of RISC-V's privileged architecture: `mtime`, `mtimecmp` and `msip`.

use super::{Device, Surroundings, part, replaced};
use crate::board::Effect;
use crate::trap_unit::{SOFTWARE_INTERRUPT, TIMER_INTERRUPT};

/// A timer with the registers at these offsets, and a register for software interrupts.
#[derive(Clone, Debug)]
pub struct Clint {
    mtime: u64,
    mtimecmp: u64,
    msip: Option<u64>,
    /// What was written to `mtime`, less the time at which it was.
    beginning: u64,
    compare: u64,
    software: bool,
}

impl Clint {
    /// A timer that is not set.
    pub fn new(mtime: u64, mtimecmp: u64, msip: Option<u64>) -> Clint {
        Clint { mtime, mtimecmp, msip, beginning: 0, compare: u64::MAX, software: false }
    }

    /// The time at which `mtime` reaches `mtimecmp`.
    fn due(&self) -> u64 {
        match self.compare {
            u64::MAX => u64::MAX,
            compare => compare.saturating_sub(self.beginning),
        }
    }
}

/// True if an offset is in the register of eight bytes at another one.
fn is_in(offset: u64, register: u64) -> bool {
    (register..register + 8).contains(&offset)
}

impl Device for Clint {
    fn load(&mut self, offset: u64, bytes: usize, around: &mut Surroundings) -> u64 {
        if is_in(offset, self.mtime) {
            around.clock_reads += 1;
            return part(around.time.wrapping_add(self.beginning), offset, bytes);
        }
        match self.msip {
            _ if is_in(offset, self.mtimecmp) => part(self.compare, offset, bytes),
            Some(msip) if offset == msip => u64::from(self.software),
            _ => 0,
        }
    }

    fn store(
        &mut self,
        offset: u64,
        bytes: usize,
        value: u64,
        around: &mut Surroundings,
    ) -> Effect {
        if is_in(offset, self.mtime) {
            let now = around.time.wrapping_add(self.beginning);
            self.beginning = replaced(now, offset, bytes, value).wrapping_sub(around.time);
        } else if is_in(offset, self.mtimecmp) {
            self.compare = replaced(self.compare, offset, bytes, value);
        } else if self.msip == Some(offset) {
            self.software = value & 1 == 1;
        }
        Effect::None
    }

    fn pending(&self, time: u64) -> u64 {
        let timer = u64::from(self.due() <= time) << TIMER_INTERRUPT;
        timer | u64::from(self.software) << SOFTWARE_INTERRUPT
    }

    fn next_interrupt(&self, enabled: u64) -> Option<u64> {
        if self.software && enabled >> SOFTWARE_INTERRUPT & 1 == 1 {
            return Some(0);
        }
        let due = self.due();
        (enabled >> TIMER_INTERRUPT & 1 == 1 && due < u64::MAX).then_some(due)
    }
}
