//! The return address stack: circular, without detection of overflow or underflow.

use crate::parts::ports::Clear;
use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::traptor::config::Config;

block! {
    /// Shows the top; pops, pushes or replaces it once per cycle.
    pub ReturnAddressStack("return_address_stack") of (config: &Config, clear_bits: usize) {
        let depth = config.return_address_stack_depth.max(1);
        let width = config.table_target_bits() as usize;
        let pointer_bits = index_bits(depth) as usize;
    }
    parameters {
        depth = depth as usize,
        width,
        clear_bits,
    }

    in clear: Clear(clear_bits);
    /// a taken return retires
    in pop: 1;
    /// a taken call retires
    in push: 1;
    /// return address of the call: the bits that an entry keeps
    in return_address: width;
    /// predicted target of a return
    out top: width;
    reg pointer: pointer_bits;
    local pointer_next: pointer_bits;
    memory entries: [width; depth as usize] { cleared: 0 };
}

impl Logic for ReturnAddressStack {
    #[hdl_gen]
    fn update(&mut self) {
        self.pointer_next.next = self.pointer.q.val();
        if self.push.val() > self.pop.val() {
            self.pointer_next.next = self.pointer.q.val() + 1;
        } else if self.pop.val() > self.push.val() {
            self.pointer_next.next = self.pointer.q.val() - 1;
        }
        self.pointer.d.next = self.pointer_next.val();
        self.entries.read_address.next = self.pointer.q.val();
        self.top.next = self.entries.read_data.val();
        self.entries.write_enable.next = self.push.val() | self.clear.valid.val();
        self.entries.write_address.next = self.pointer_next.val();
        self.entries.write_data.next = self.return_address.val();
        if self.clear.valid.val().any() {
            self.entries.write_address.next = bits_to(self.clear.index.val(), self.pointer.width());
            self.entries.write_data.next = 0.into();
        }
    }
}
