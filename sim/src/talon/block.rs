//! What a block is to the predictors: addresses in instruction units, and how tables are indexed by them.

use super::config::Config;
use crate::config::{Processor, mask};
use crate::event::Event;

/// Folds an address to the index of a table with 2^`bits` entries.
#[inline]
pub fn fold_address(address: u64, bits: u32) -> u64 {
    (address ^ address >> bits ^ address.unbounded_shr(2 * bits)) & mask(bits)
}

/// How addresses become what the tables keep, and back.
#[derive(Clone, Copy, Debug)]
pub struct Addresses {
    alignment: u32,
    address_mask: u64,
    kept_mask: u64,
}

impl Addresses {
    /// Those of a configuration.
    pub fn new(config: &Config) -> Self {
        let Processor { alignment, .. } = config.processor;
        Self {
            alignment,
            address_mask: mask(config.processor.instruction_address_bits()),
            kept_mask: mask(config.table_target_bits()),
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
        self.units(call.program_counter.wrapping_add(call.length.into()))
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
