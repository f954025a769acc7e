//! Transfers on an APB from those on an AXI4-Lite, one at a time.
//!
//! Address and data of a write come in any order and wait for each other. A write goes before a read of its cycle, and nothing
//! begins before the answer to the last access of its kind was taken.

use super::access::Access;
use super::apb::{Outputs as Answer, Transfer};
use super::axi_lite::{Bus, Outputs, Response, Waiting};

/// The bridge. Addresses are in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct AxiLiteToApb {
    write_address: Waiting<u32>,
    write_data: Waiting<(u32, u32)>,
    read_address: Waiting<u32>,
    is_selected: bool,
    is_write: bool,
    is_enabled: bool,
    write: Response,
    read: Response,
}

impl AxiLiteToApb {
    /// What the APB is told in a cycle. Reads have no strobes.
    pub fn transfer(&self) -> Transfer {
        let Self { is_selected, is_write, is_enabled, .. } = *self;
        let address = if is_write { self.write_address } else { self.read_address };
        let (data, strobes) = self.write_data.last;
        let strobes = if is_write { strobes } else { 0 };
        let access = Access { is_valid: false, is_write, address: address.last, data, strobes };
        Transfer { is_selected, is_enabled, access }
    }

    /// What the AXI4-Lite is told in a cycle.
    pub fn outputs(&self) -> Outputs {
        Outputs {
            takes_write_address: !self.write_address.waits,
            takes_write_data: !self.write_data.waits,
            takes_read_address: !self.read_address.waits,
            write: self.write,
            read: self.read,
        }
    }

    /// The end of a cycle in which the AXI4-Lite said this, and the APB answered that.
    pub fn clock(&mut self, bus: &Bus, answer: &Answer) {
        let can_write = self.write_address.waits && self.write_data.waits && !self.write.is_valid;
        let can_read = self.read_address.waits && !self.read.is_valid;
        let ends = self.is_enabled && answer.is_ready;
        let (writes, reads) = (ends && self.is_write, ends && !self.is_write);
        self.is_enabled = self.is_selected && !ends;
        if self.is_selected {
            self.is_selected = !ends;
        } else {
            (self.is_selected, self.is_write) = (can_write || can_read, can_write);
        }
        let response = Response { is_valid: true, is_error: answer.is_error, data: answer.data };
        self.write_address.clock(bus.write_address, writes);
        self.write_data.clock(bus.write_data, writes);
        self.read_address.clock(bus.read_address, reads);
        self.write.clock(writes.then_some(Response { data: 0, ..response }), bus.takes_write);
        self.read.clock(reads.then_some(response), bus.takes_read);
    }
}
