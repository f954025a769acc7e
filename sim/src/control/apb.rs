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

/// The front end with registers: an access begins a cycle after the transfer is enabled, and the transfer ends a cycle after the
/// answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegisteredApb {
    waiting: Option<Access>,
    answer: Option<Answer>,
}

impl RegisteredApb {
    /// The access of the cycle, if there is one.
    pub fn access(&self) -> Option<Access> {
        self.waiting
    }

    /// What the bus is told in the cycle, if the transfer ends.
    pub fn outputs(&self) -> Option<Outputs> {
        self.answer.map(|answer| Outputs {
            is_ready: true,
            data: answer.data,
            is_error: answer.is_outside,
        })
    }

    /// The next cycle, after one in which the bus said this, and the registers that of an access.
    pub fn clock(&mut self, transfer: &Transfer, answer: &Answer) {
        let is_free = self.waiting.is_none() && self.answer.is_none();
        self.answer = self.waiting.and(answer.is_ready.then_some(*answer));
        self.waiting = match self.waiting {
            Some(access) => (!answer.is_ready).then_some(access),
            None => is_free.then(|| transfer.access()).filter(|access| access.is_valid),
        };
    }
}
