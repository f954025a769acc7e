//! The golden encoder's trace, recorded while the hardware is compared with it.

use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::field::{Field, Sink};

/// A trace of the golden encoder.
#[derive(Default)]
pub(crate) struct Trace {
    packer: BitPacker,
    padding: u64,
}

impl Trace {
    /// A trace of whole bytes.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut packer = BitPacker::new();
        bytes.iter().for_each(|byte| packer.push((*byte).into(), 8));
        Self { packer, padding: 0 }
    }

    /// Its bits, padding not counted.
    pub(crate) fn bits(&self) -> u64 {
        self.packer.bits() - self.padding
    }

    /// Its bytes, padding included.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.packer.finish()
    }
}

impl Sink for Trace {
    #[inline]
    fn put(&mut self, _: &Field, bits: u64, count: u32) {
        self.packer.push(bits, count);
    }

    fn align(&mut self, unit: u32) {
        self.padding += u64::from(self.packer.align(unit));
    }
}
