//! What an instruction word does to the flow.

use tracewright_elaborate::prelude::*;
use tracewright_sim::rvfi::{TRAP_RETURNS, Xlen};

/// What an instruction word does to the flow.
#[derive(LogicBlock)]
pub struct Classifier {
    kind: Kind,
    /// The word, a compressed instruction in the lower half.
    pub insn: Wire<In>,
    /// 0 none, 1 jump, 2 branch, 3 indirect jump.
    pub branch_kind: Wire<Out>,
    /// It leaves a return address.
    pub call: Wire<Out>,
    /// It goes back to one.
    pub is_return: Wire<Out>,
    /// It has four bytes, and not two.
    pub is_long: Wire<Out>,
    /// It returns from a trap.
    pub trap_return: Wire<Out>,
    opcode: Wire<Local>,
    quadrant: Wire<Local>,
    compressed_function: Wire<Local>,
    compressed_call: Wire<Local>,
    destination: Wire<Local>,
    source: Wire<Local>,
    links: Wire<Local>,
    goes_back: Wire<Local>,
    upper: Wire<Local>,
    returns: Vec<Param>,
    has_compressed_call: Param,
    _returns: usize,
}

impl Classifier {
    /// For a core of this width.
    pub fn new(xlen: Xlen) -> Self {
        let is_32 = xlen == Xlen::Rv32;
        Self {
            kind: Kind::new("classifier", [("xlen", if is_32 { 32 } else { 64 })]),
            insn: Wire::new(32),
            branch_kind: Wire::new(3).describe("0 none, 1 jump, 2 branch, 3 indirect jump"),
            call: Wire::new(1),
            is_return: Wire::new(1),
            is_long: Wire::new(1),
            trap_return: Wire::new(1),
            opcode: Wire::new(5),
            quadrant: Wire::new(2),
            compressed_function: Wire::new(3),
            compressed_call: Wire::new(1),
            destination: Wire::new(5),
            source: Wire::new(5),
            links: Wire::new(1).describe("the destination is x1 or x5"),
            goes_back: Wire::new(1).describe("the source is x1 or x5"),
            upper: Wire::new(12),
            returns: TRAP_RETURNS.iter().map(|upper| Param::new(*upper as usize)).collect(),
            has_compressed_call: Param::new(usize::from(is_32)),
            _returns: TRAP_RETURNS.len(),
        }
    }
}

impl Logic for Classifier {
    #[hdl_gen]
    fn update(&mut self) {
        self.quadrant.next = bits_to(self.insn.val(), 2);
        self.opcode.next = bits_to(self.insn.val() >> 2, 5);
        self.compressed_function.next = bits_to(self.insn.val() >> 13, 3);
        self.upper.next = bits_to(self.insn.val() >> 20, 12);
        self.is_long.next = bits_to(self.quadrant.val() == 3, 1);
        self.compressed_call.next = bits_to(self.compressed_function.val() == 1, 1);
        // In RV64 it is an addition.
        if self.has_compressed_call.val() == 0 {
            self.compressed_call.next = 0.into();
        }
        self.branch_kind.next = 0.into();
        self.trap_return.next = 0.into();
        self.destination.next = 0.into();
        self.source.next = 0.into();
        if self.is_long.val().any() {
            if self.opcode.val() == 0x1b {
                self.branch_kind.next = 1.into();
                self.destination.next = bits_to(self.insn.val() >> 7, 5);
            } else if self.opcode.val() == 0x18 {
                self.branch_kind.next = 2.into();
            } else if self.opcode.val() == 0x19 {
                self.branch_kind.next = 3.into();
                self.destination.next = bits_to(self.insn.val() >> 7, 5);
                self.source.next = bits_to(self.insn.val() >> 15, 5);
            } else if self.opcode.val() == 0x1c && bits_to(self.insn.val() >> 7, 13) == 0 {
                for at in 0..self._returns {
                    if self.upper.val() == self.returns[at].val() {
                        self.branch_kind.next = 3.into();
                        self.trap_return.next = 1.into();
                    }
                }
            }
        } else if self.quadrant.val() == 1 {
            if self.compressed_function.val() == 5 {
                self.branch_kind.next = 1.into();
            } else if self.compressed_function.val() == 6 || self.compressed_function.val() == 7 {
                self.branch_kind.next = 2.into();
            }
            if self.compressed_call.val().any() {
                self.branch_kind.next = 1.into();
                self.destination.next = 1.into();
            }
        } else if self.quadrant.val() == 2
            && self.compressed_function.val() == 4
            && bits_to(self.insn.val() >> 2, 5) == 0
            && bits_to(self.insn.val() >> 7, 5).any()
        {
            self.branch_kind.next = 3.into();
            self.destination.next = bits_to(bits_to(self.insn.val() >> 12, 1), 5);
            self.source.next = bits_to(self.insn.val() >> 7, 5);
        }

        self.links.next = 0.into();
        if self.destination.val() == 1 || self.destination.val() == 5 {
            self.links.next = 1.into();
        }
        self.goes_back.next = 0.into();
        if self.source.val() == 1 || self.source.val() == 5 {
            self.goes_back.next = 1.into();
        }
        // With both, one register for both is a call that happens to jump by it.
        self.call.next = self.links.val();
        self.is_return.next = self.goes_back.val();
        if self.source.val() == self.destination.val() {
            self.is_return.next = 0.into();
        }
    }
}
