//! The return address stack: circular, and no entry is used before it is written.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::talon::config::Config;

block! {
    /// Shows the top, and the address below it where both are compared; pops up to two, then pushes, once per cycle.
    ///
    /// A stack that wraps pops the addresses that it popped before once it is below the oldest one: it only knows
    /// whether all entries were written. One that does not wrap counts its entries.
    pub ReturnAddressStack("return_address_stack") of (config: &Config) {
        let depth = config.return_address_stack_depth;
        let width = config.table_target_bits() as usize;
        let pointer_bits = index_bits(depth) as usize;
        let count_bits = index_bits(depth + 1) as usize;
        let compares_second = config.compares_second_return_address();
        let compared = 1 + usize::from(compares_second);
        let wraps = config.return_address_stack_wraps;
        let counted = |bits: usize| if wraps { 0 } else { bits };
    }
    parameters {
        depth = depth as usize,
        width,
        compared,
        wraps if wraps,
    }

    /// take the top off
    in pop: 1;
    /// take the address below it off too; only if there is one
    in pop_second: usize::from(compares_second);
    in push: 1;
    /// return address of a call: the bits that an entry keeps
    in return_address: width;
    /// the stack has a top
    out has_top: 1;
    out top: width;
    /// the stack has an address below the top
    out has_second: usize::from(compares_second);
    out second: if compares_second { width } else { 0 };
    reg pointer: pointer_bits;
    reg count: counted(count_bits);
    /// every entry was written
    reg full: usize::from(wraps);
    local below: pointer_bits;
    local below_second: if compares_second { pointer_bits } else { 0 };
    local popped_pointer: pointer_bits;
    local popped_count: counted(count_bits);
    local above: pointer_bits;
    memory entries: [width; depth as usize] { reads: compared };
    param compares_second = usize::from(compares_second);
    param wraps = usize::from(wraps);
    param depth = depth as usize;
    param last = Word::new(pointer_bits, u64::from(depth) - 1);
}

impl Logic for ReturnAddressStack {
    #[hdl_gen]
    fn update(&mut self) {
        self.below.next = self.pointer.q.val() - 1;
        if !self.pointer.q.val().any() {
            self.below.next = self.last.val();
        }
        if self.wraps.val() == 1 {
            // The first push writes entry 1.
            self.has_top.next = self.full.q.val() | bits_to(self.pointer.q.val().any(), 1);
        } else {
            self.has_top.next = bits_to(self.count.q.val().any(), 1);
        }
        self.entries.read_address[0].next = self.pointer.q.val();
        self.top.next = self.entries.read_data[0].val();
        if self.compares_second.val() == 1 {
            if self.wraps.val() == 1 {
                self.has_second.next =
                    self.full.q.val() | bits_to((self.pointer.q.val() >> 1).any(), 1);
            } else {
                self.has_second.next = bits_to(self.count.q.val() > 1, 1);
            }
            self.entries.read_address[1].next = self.below.val();
            self.second.next = self.entries.read_data[1].val();
        }

        self.popped_pointer.next = self.pointer.q.val();
        if self.wraps.val() == 0 {
            self.popped_count.next = self.count.q.val();
        }
        if self.pop.val().any() && self.has_top.val().any() {
            self.popped_pointer.next = self.below.val();
            if self.wraps.val() == 0 {
                self.popped_count.next = self.count.q.val() - 1;
            }
        }
        if self.compares_second.val() == 1 {
            self.below_second.next = self.below.val() - 1;
            if !self.below.val().any() {
                self.below_second.next = self.last.val();
            }
            if (self.pop.val() & self.pop_second.val()).any() {
                self.popped_pointer.next = self.below_second.val();
                if self.wraps.val() == 0 {
                    self.popped_count.next = self.count.q.val() - 2;
                }
            }
        }
        self.above.next = self.popped_pointer.val() + 1;
        if self.popped_pointer.val() == self.last.val() {
            self.above.next = 0.into();
        }
        self.pointer.d.next = self.popped_pointer.val();
        if self.push.val().any() {
            self.pointer.d.next = self.above.val();
        }
        if self.wraps.val() == 1 {
            self.full.d.next =
                self.full.q.val() | (self.push.val() & !bits_to(self.above.val().any(), 1));
        } else {
            self.count.d.next = self.popped_count.val();
            if self.push.val().any() && self.popped_count.val() != self.depth.val() {
                self.count.d.next = self.popped_count.val() + 1;
            }
        }

        self.entries.write_enable.next = self.push.val();
        self.entries.write_address.next = self.above.val();
        self.entries.write_data.next = self.return_address.val();
    }
}
