//! The front end of an APB: a transfer is an access from its second cycle on, until it ends.

use super::access::{Access, Answer};

/// What the bus says in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Transfer {
    /// It is a transfer to this slave: `psel`.
    pub is_selected: bool,
    /// It is the second or a later cycle of it: `penable`.
    pub is_enabled: bool,
    /// Write, address in words of 32 bits, data and strobes.
    pub access: Access,
}

/// What the bus is told in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// The transfer ends: `pready`.
    pub is_ready: bool,
    /// What is read: `prdata`.
    pub data: u32,
    /// The transfer ends with an error: `pslverr`.
    pub is_error: bool,
}

impl Transfer {
    /// The access that it is.
    pub fn access(&self) -> Access {
        Access { is_valid: self.is_selected && self.is_enabled, ..self.access }
    }

    /// What the bus is told when the registers say this.
    pub fn outputs(&self, answer: &Answer) -> Outputs {
        let ends = self.access().is_valid && answer.is_ready;
        Outputs {
            is_ready: answer.is_ready,
            data: answer.data,
            is_error: ends && answer.is_outside,
        }
    }
}
