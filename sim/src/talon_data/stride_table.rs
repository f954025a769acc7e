//! The stride table: last address, stride and confidence by instruction.

use super::config::{CONFIDENCES, Config};
use crate::config::mask;
use crate::parameter::List;
use crate::talon::block::{Addresses, Fold};
use crate::talon::counter::{RandomBits, chance};
use crate::talon::regions::Regions;

/// An entry after reset is 0 throughout.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// Low bits of the last address, and above them the number of its region.
    last_address: u64,
    /// The lower bits of the difference between two addresses.
    stride: u64,
    /// About the logarithm of the right predictions since the last wrong ones.
    confidence: u8,
}

/// A direct-mapped table without tags: instructions with the same index share an entry.
///
/// An entry keeps the low bits of an address and the number of its region. A prediction is always in the region of the
/// last address.
#[derive(Clone, Debug)]
pub struct StrideTable {
    entries: Box<[Entry]>,
    /// `None` where entries keep whole addresses.
    regions: Option<Regions>,
    addresses: Addresses,
    random: RandomBits,
    fold: Fold,
    index_shift: u32,
    low_mask: u64,
    stride_bits: u32,
    confidences: List<CONFIDENCES>,
}

/// What the table says about an access.
#[derive(Clone, Copy, Debug)]
pub struct Prediction {
    index: usize,
    /// The last address of the entry.
    pub last_address: u64,
    /// The address that is predicted.
    pub address: u64,
    /// The confidence of that: it is wrong with probability 2^-k.
    pub confidence: u32,
}

impl StrideTable {
    /// The table as reset leaves it.
    pub fn new(config: &Config) -> Self {
        let regions = config.regions();
        Self {
            entries: vec![Entry::default(); config.stride_entries as usize].into(),
            regions: regions.has_regions().then(|| Regions::new(&regions)),
            addresses: Addresses::new(&regions),
            random: RandomBits::new(),
            fold: Fold::new(config.stride_entries),
            index_shift: config.index_shift(),
            low_mask: mask(config.low_address_bits()),
            stride_bits: config.stride_bits,
            confidences: config.stride_confidences,
        }
    }

    /// Predicts what the instruction at `program_counter` accesses.
    #[inline]
    pub fn predict(&self, program_counter: u64) -> Prediction {
        let index = self.fold.index(program_counter >> self.index_shift) as usize;
        let Entry { last_address, stride, confidence } = self.entries[index];
        let last_address = match &self.regions {
            Some(regions) => {
                self.addresses.join(regions.upper(self.addresses.upper(last_address)), last_address)
            }
            None => last_address,
        };
        let next = last_address.wrapping_add(self.extended(stride)) & self.low_mask;
        let List(confidences) = self.confidences;
        Prediction {
            index,
            last_address,
            address: last_address & !self.low_mask | next,
            confidence: confidences[usize::from(confidence)] as u32,
        }
    }

    /// Learns which address was accessed. Only an entry without any confidence takes another stride.
    #[inline]
    pub fn learn(&mut self, prediction: &Prediction, address: u64) {
        let random = self.random.step();
        let last_address = match &mut self.regions {
            Some(regions) => {
                let (number, _) = regions.enter(self.addresses.upper(address));
                self.addresses.in_region(number, address)
            }
            None => address,
        };
        let entry = &mut self.entries[prediction.index];
        entry.last_address = last_address;
        if prediction.address == address {
            let most = CONFIDENCES as u8 - 1;
            let grows = entry.confidence < most && chance(random, entry.confidence.into());
            entry.confidence += u8::from(grows);
        } else if entry.confidence == 0 {
            entry.stride = address.wrapping_sub(prediction.last_address) & mask(self.stride_bits);
        } else {
            entry.confidence -= 1;
        }
    }

    /// A stride with its sign repeated above it.
    fn extended(&self, stride: u64) -> u64 {
        match 64 - self.stride_bits {
            64 => 0,
            above => ((stride << above) as i64 >> above) as u64,
        }
    }
}
