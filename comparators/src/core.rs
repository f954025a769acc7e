//! The processor core whose events are encoded.

use tracewright_sim::config::Processor;
use tracewright_sim::event::Machine;

/// The core whose events are encoded, and the width of its addresses in the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Core {
    /// The processor that was traced.
    pub machine: Machine,
    /// Bits of an address in the trace, 32 to 64.
    pub address_width: u32,
}

impl Core {
    /// A core whose addresses have at most `address_width` bits.
    pub fn of(machine: Machine, address_width: u32) -> Self {
        let address_width = address_width.min(machine.address_bits.into());
        Self { machine, address_width }
    }

    /// The same in the words of a scheme's parameters.
    pub fn processor(&self) -> Processor {
        Processor {
            address_width: self.address_width,
            alignment: self.machine.alignment.into(),
            ..Processor::default()
        }
    }

    /// Bytes of an address.
    pub fn address_bytes(&self) -> usize {
        self.address_width.div_ceil(8) as usize
    }
}
