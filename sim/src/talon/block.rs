//! What a block is to the predictors: addresses in instruction units, and how tables are indexed by them.

use super::config::Config;
use crate::config::{CallLength, Processor, index_bits, mask};
use crate::event::Event;

/// Folds addresses to the index of a table.
#[derive(Clone, Copy, Debug)]
pub struct Fold {
    /// Bits of an index.
    pub bits: u32,
    /// As many ones.
    pub mask: u64,
}

impl Fold {
    /// For a table with so many entries, a power of two.
    pub fn new(entries: u32) -> Self {
        let bits = index_bits(entries);
        Self { bits, mask: mask(bits) }
    }

    /// The index of an address.
    #[inline]
    pub fn index(self, address: u64) -> u64 {
        (address ^ address >> self.bits ^ address >> (2 * self.bits)) & self.mask
    }

    /// The index of an address, rotated by less than its bits to the left.
    pub fn rotated_index(self, address: u64, rotation: u32) -> u64 {
        let index = self.index(address);
        (index << rotation | index >> (self.bits - rotation)) & self.mask
    }
}

/// How addresses become what the tables keep, and back.
#[derive(Clone, Copy, Debug)]
pub struct Addresses {
    alignment: u32,
    address_mask: u64,
    kept_mask: u64,
    kept_bits: u32,
    call_length: CallLength,
}

impl Addresses {
    /// Those of a configuration.
    pub fn new(config: &Config) -> Self {
        let Processor { alignment, .. } = config.processor;
        Self {
            alignment,
            address_mask: mask(config.processor.instruction_address_bits()),
            kept_mask: mask(config.low_target_bits()),
            kept_bits: config.low_target_bits(),
            call_length: CallLength::of(&config.processor),
        }
    }

    /// A byte address in instruction units.
    #[inline]
    pub fn units(&self, address: u64) -> u64 {
        address >> self.alignment & self.address_mask
    }

    /// A byte address of an address in instruction units.
    #[inline]
    pub fn bytes(&self, units: u64) -> u64 {
        units << self.alignment
    }

    /// The return address of a call, in instruction units.
    #[inline]
    pub fn return_address(&self, call: &Event) -> u64 {
        self.units(call.program_counter.wrapping_add(self.call_length.bytes(call).into()))
    }

    /// The bits that a table keeps.
    #[inline]
    pub fn kept(&self, units: u64) -> u64 {
        units & self.kept_mask
    }

    /// An address with the kept bits clear: exceptions are looked up by it.
    #[inline]
    pub fn region(&self, units: u64) -> u64 {
        units & !self.kept_mask
    }

    /// The bits above those that a table keeps.
    #[inline]
    pub fn upper(&self, units: u64) -> u64 {
        units.checked_shr(self.kept_bits).unwrap_or(0)
    }

    /// An address of its region's upper bits and what a table keeps: above the low bits, that is the region's number.
    #[inline]
    pub fn join(&self, upper: u64, kept: u64) -> u64 {
        upper << self.kept_bits | kept & self.kept_mask
    }

    /// What a table keeps of an address in the region with this number.
    #[inline]
    pub fn in_region(&self, number: u64, units: u64) -> u64 {
        self.join(number, units)
    }

    /// An address from its kept bits, the others those of `near`.
    #[inline]
    pub fn complete(&self, near: u64, kept: u64) -> u64 {
        near & !self.kept_mask | kept
    }

    /// True if both addresses have the same bits above those that a table keeps.
    #[inline]
    pub fn are_near(&self, a: u64, b: u64) -> bool {
        (a ^ b) & !self.kept_mask == 0
    }
}
