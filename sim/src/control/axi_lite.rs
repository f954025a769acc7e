//! The front end of an AXI4-Lite: one access at a time.
//!
//! Address and data of a write come in any order and wait for each other; a read waits for a write of its cycle. An answer
//! waits until it is taken, and the next access of its kind waits for that.

use super::access::{Access, Answer};

/// What the bus says in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bus {
    /// The address of a write in words of 32 bits, if there is one.
    pub write_address: Option<u32>,
    /// Data and strobes of a write, if there are any.
    pub write_data: Option<(u32, u32)>,
    /// The answer to a write is taken: `bready`.
    pub takes_write: bool,
    /// The address of a read in words of 32 bits, if there is one.
    pub read_address: Option<u32>,
    /// The answer to a read is taken: `rready`.
    pub takes_read: bool,
}

/// The answer to an access, which is what it was before where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// There is one.
    pub is_valid: bool,
    /// There is no such register.
    pub is_error: bool,
    /// What was read.
    pub data: u32,
}

/// What waits of an access, which is what it was before where nothing does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Waiting<T> {
    pub(super) waits: bool,
    pub(super) last: T,
}

/// What the bus is told in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// An address of a write is taken: `awready`.
    pub takes_write_address: bool,
    /// Data of a write are taken: `wready`.
    pub takes_write_data: bool,
    /// An address of a read is taken: `arready`.
    pub takes_read_address: bool,
    /// The answer to a write.
    pub write: Response,
    /// The answer to a read.
    pub read: Response,
}

/// The front end.
#[derive(Clone, Copy, Debug, Default)]
pub struct AxiLite {
    write_address: Waiting<u32>,
    write_data: Waiting<(u32, u32)>,
    read_address: Waiting<u32>,
    write: Response,
    read: Response,
}

impl<T> Waiting<T> {
    /// The end of a cycle in which `comes` was there and what waits was used or not.
    pub(super) fn clock(&mut self, comes: Option<T>, is_used: bool) {
        match comes {
            Some(comes) if !self.waits => *self = Waiting { waits: true, last: comes },
            _ => self.waits &= !is_used,
        }
    }
}

impl Response {
    /// The end of a cycle in which an access ended with `answer`, or an answer was taken.
    pub(super) fn clock(&mut self, answer: Option<Response>, is_taken: bool) {
        match answer {
            Some(answer) => *self = answer,
            None => self.is_valid &= !is_taken,
        }
    }
}

impl AxiLite {
    /// The access of a cycle.
    pub fn access(&self, bus: &Bus) -> Access {
        let is_write = self.write_address.waits
            && self.write_data.waits
            && (!self.write.is_valid || bus.takes_write);
        let is_read = self.read_address.waits && (!self.read.is_valid || bus.takes_read);
        let address = if is_write { self.write_address } else { self.read_address };
        let (data, strobes) = self.write_data.last;
        Access { is_valid: is_write || is_read, is_write, address: address.last, data, strobes }
    }

    /// What the bus is told.
    pub fn outputs(&self) -> Outputs {
        Outputs {
            takes_write_address: !self.write_address.waits,
            takes_write_data: !self.write_data.waits,
            takes_read_address: !self.read_address.waits,
            write: self.write,
            read: self.read,
        }
    }

    /// The end of a cycle in which the registers answered this.
    pub fn clock(&mut self, bus: &Bus, answer: &Answer) {
        let Access { is_valid, is_write, .. } = self.access(bus);
        let reads = is_valid && !is_write && answer.is_ready;
        let response = Response { is_valid: true, is_error: answer.is_outside, data: answer.data };
        self.write_address.clock(bus.write_address, is_write);
        self.write_data.clock(bus.write_data, is_write);
        self.read_address.clock(bus.read_address, reads);
        self.write.clock(is_write.then_some(Response { data: 0, ..response }), bus.takes_write);
        self.read.clock(reads.then_some(response), bus.takes_read);
    }
}
