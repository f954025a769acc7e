//! The devices of boards. A run that is replayed needs none of them: what they gave is in the working set.

mod clint;
mod htif;
mod page;
mod simple;
mod uart;

use std::fmt::Debug;
use std::ops::Range;

use crate::board::Effect;

pub use clint::Clint;
pub use htif::{BYTES as HTIF_BYTES, Htif};
pub use page::{Page, next_byte};
pub use simple::{Character, Exit, Finisher, Kept};
pub use uart::{PicosocUart, SifiveUart, Uart16550};

/// What devices share.
#[derive(Debug)]
pub struct Surroundings {
    /// The bytes that the program can still read.
    pub input: std::collections::VecDeque<u8>,
    /// Instructions retired.
    pub time: u64,
    /// Accesses that depend on the time.
    pub clock_reads: u64,
}

/// A device. Offsets are from its first address.
pub trait Device: Debug {
    /// What a load gives.
    fn load(&mut self, offset: u64, bytes: usize, around: &mut Surroundings) -> u64;

    /// What a store does.
    fn store(&mut self, offset: u64, bytes: usize, value: u64, around: &mut Surroundings)
    -> Effect;

    /// The interrupts that it requests at this time, as in `mip`.
    fn pending(&self, _time: u64) -> u64 {
        0
    }

    /// The time at which it requests one of these interrupts, if nothing is stored to it before.
    fn next_interrupt(&self, _enabled: u64) -> Option<u64> {
        None
    }
}

/// A device at its addresses.
#[derive(Debug)]
pub struct Placed {
    /// Its addresses.
    pub addresses: Range<u64>,
    /// The device.
    pub device: Box<dyn Device>,
}

/// Four bytes out of a register of eight, or all of them.
fn part(register: u64, offset: u64, bytes: usize) -> u64 {
    let value = register >> (8 * (offset & 7));
    if bytes == 8 { value } else { value & ((1 << (8 * bytes)) - 1) }
}

/// A register of eight bytes with some of them replaced.
fn replaced(register: u64, offset: u64, bytes: usize, value: u64) -> u64 {
    let shift = 8 * (offset & 7);
    let mask = u64::MAX >> (64 - 8 * bytes) << shift;
    register & !mask | value << shift & mask
}
