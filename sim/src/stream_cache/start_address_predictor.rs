//! The last value of the start address (LVSA; paper A, sections III.B and III.C).

use super::config::{Config, LastValueStartAddress};
use crate::config::mask;

/// The most recent upper start address bits, which need not be sent or stored again.
#[derive(Clone, Copy, Debug)]
pub struct StartAddressPredictor {
    of: LastValueStartAddress,
    /// The bits, in their place in the address.
    upper: u64,
    lower_mask: u64,
}

impl StartAddressPredictor {
    /// The predictor as reset leaves it: all zeros.
    pub fn new(config: &Config) -> Self {
        let lower_bits = config.processor.address_width - config.upper_address();
        Self { of: config.last_value_start_address, upper: 0, lower_mask: mask(lower_bits) }
    }

    /// True where an address has the most recent upper bits, or there is no predictor that could say so.
    #[inline]
    pub fn matches(&self, start: u64) -> bool {
        start & !self.lower_mask == self.upper
    }

    /// True where a start address is sent without its upper bits.
    #[inline]
    pub fn shortens(&self, start: u64) -> bool {
        self.of != LastValueStartAddress::None && self.matches(start)
    }

    /// The start of a stream of the stream cache, which stores only lower bits under rBASE.
    #[inline]
    pub fn complete(&self, stored: u64) -> u64 {
        match self.of {
            LastValueStartAddress::Every => stored | self.upper,
            _ => stored,
        }
    }

    /// An address of which the lower bits were sent.
    pub fn join(&self, lower: u64) -> u64 {
        lower & self.lower_mask | self.upper
    }

    /// True where a stream can only be found in the stream cache if its upper bits are the most recent ones.
    #[inline]
    pub fn guards_the_cache(&self) -> bool {
        self.of == LastValueStartAddress::Every
    }

    /// Learns the start of a stream, which may have been `sent` in the trace.
    ///
    /// Streams that an exception or a flush ends count like all others.
    #[inline]
    pub fn update(&mut self, start: u64, sent: bool) {
        let learns = match self.of {
            LastValueStartAddress::None => false,
            LastValueStartAddress::Misses => sent,
            LastValueStartAddress::Every => true,
        };
        if learns {
            self.upper = start & !self.lower_mask;
        }
    }
}
