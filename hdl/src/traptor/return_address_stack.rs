//! The return address stack: circular, without detection of overflow or underflow.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::traptor::config::Config;

/// Shows the top; pops, pushes or replaces it once a clock.
#[derive(LogicBlock)]
pub struct ReturnAddressStack {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// The entries are being cleared.
    pub clear: Wire<In>,
    /// The entry to clear, in its lower bits.
    pub clear_index: Wire<In>,
    /// A taken return retires.
    pub pop: Wire<In>,
    /// A taken call retires; with `pop`, the top is replaced.
    pub push: Wire<In>,
    /// Where the call returns to: the bits that an entry keeps.
    pub return_address: Wire<In>,
    /// Where a return would go.
    pub top: Wire<Out>,
    pointer: Reg,
    pointer_next: Wire<Local>,
    entries: Memory,
    _index_bits: usize,
}

impl ReturnAddressStack {
    /// The stack of `config`, cleared by an index of `clear_bits`.
    pub fn new(config: &Config, clear_bits: usize) -> Self {
        let depth = config.return_address_stack_depth.max(1);
        let width = config.table_target_bits() as usize;
        let pointer_bits = index_bits(depth) as usize;
        Self {
            kind: Kind::new(
                "return_address_stack",
                [("depth", depth as usize), ("width", width), ("clear_bits", clear_bits)],
            ),
            domain: Domain::new(),
            clear: Wire::new(1),
            clear_index: Wire::new(clear_bits),
            pop: Wire::new(1).describe("a taken return retires"),
            push: Wire::new(1).describe("a taken call retires"),
            return_address: Wire::new(width),
            top: Wire::new(width),
            pointer: Reg::new(pointer_bits, 0),
            pointer_next: Wire::new(pointer_bits),
            entries: Memory::new(depth as usize, width),
            _index_bits: pointer_bits,
        }
    }
}

impl Logic for ReturnAddressStack {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, pointer);
        clock!(self, domain, entries);
        self.pointer_next.next = self.pointer.q.val();
        if self.push.val() > self.pop.val() {
            self.pointer_next.next = self.pointer.q.val() + 1;
        } else if self.pop.val() > self.push.val() {
            self.pointer_next.next = self.pointer.q.val() - 1;
        }
        self.pointer.d.next = self.pointer_next.val();
        self.entries.read_address.next = self.pointer.q.val();
        self.top.next = self.entries.read_data.val();
        self.entries.write_enable.next = self.push.val() | self.clear.val();
        self.entries.write_address.next = self.pointer_next.val();
        self.entries.write_data.next = self.return_address.val();
        if self.clear.val().any() {
            self.entries.write_address.next = bits_to(self.clear_index.val(), self._index_bits);
            self.entries.write_data.next = 0.into();
        }
    }
}
