//! The stack of return addresses, from which returns are inferred.

use tracewright_elaborate::prelude::*;
use tracewright_sim::e_trace::config::Config;

block! {
    /// Shows the top and the depth; pushes, pops or forgets all once per cycle.
    ///
    /// The oldest address falls out of a full stack. No entry is used before it is written.
    pub ReturnStack("return_stack") of (config: &Config) {
        let entries = config.return_stack_entries.max(2);
        let width = config.address_bits() as usize;
        let pointer_bits = entries.ilog2() as usize;
        let depth_bits = pointer_bits + 1;
    }
    parameters {
        entries = entries as usize,
        width,
    }

    /// a call retires
    in push: 1;
    /// the address that it leaves, in instruction units
    in return_address: width;
    /// a return to the top retires; only if there is one
    in pop: 1;
    /// the trace goes on with a start or a trap
    in forget: 1;
    /// the address that a return should go to, if the depth is not 0
    out top: width;
    /// addresses on the stack
    out depth: depth_bits;
    /// where the next address goes
    reg free: pointer_bits;
    reg held: depth_bits;
    local is_full: 1;
    memory entries: [width; entries as usize];
    param all = entries as usize;
}

impl Logic for ReturnStack {
    #[hdl_gen]
    fn update(&mut self) {
        self.depth.next = self.held.q.val();
        self.is_full.next = bits_to(self.held.q.val() == self.all.val(), 1);
        self.entries.read_address.next = self.free.q.val() - 1;
        self.top.next = self.entries.read_data.val();
        if self.forget.val().any() {
            self.free.d.next = 0.into();
            self.held.d.next = 0.into();
        } else if self.push.val().any() {
            self.free.d.next = self.free.q.val() + 1;
            if !self.is_full.val().any() {
                self.held.d.next = self.held.q.val() + 1;
            }
        } else if self.pop.val().any() {
            self.free.d.next = self.free.q.val() - 1;
            self.held.d.next = self.held.q.val() - 1;
        }
        self.entries.write_enable.next = self.push.val();
        self.entries.write_address.next = self.free.q.val();
        self.entries.write_data.next = self.return_address.val();
    }
}
