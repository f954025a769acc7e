//! What an instruction word does to the flow.

use tracewright_elaborate::prelude::*;
use tracewright_sim::event::Kind as InstructionKind;
use tracewright_sim::rvfi::{TRAP_RETURNS, Xlen};

block! {
    /// What an instruction word does to the flow.
    pub Classifier("classifier") of (xlen: Xlen) {
        let is_32 = xlen == Xlen::Rv32;
    }
    parameters {
        xlen = if is_32 { 32 } else { 64 },
    }

    /// instruction word, a compressed instruction in the lower half
    in insn: 32;
    /// 0 none, 1 jump, 2 branch, 3 indirect jump
    out branch_kind: 3;
    /// the instruction leaves a return address
    out call: 1;
    /// the instruction returns to such an address
    out is_return: 1;
    /// the instruction has four bytes, not two
    out is_long: 1;
    /// the instruction returns from a trap
    out trap_return: 1;
    local opcode: 5;
    local quadrant: 2;
    local compressed_function: 3;
    local compressed_call: 1;
    local destination: 5;
    local source: 5;
    /// the destination is x1 or x5
    local links: 1;
    /// the source is x1 or x5
    local goes_back: 1;
    local upper: 12;
    constant sequential: 3 = 0;
    constant direct_jump: 3 = InstructionKind::DirectJump.pin_code();
    constant direct_conditional: 3 = InstructionKind::DirectConditional.pin_code();
    constant indirect_jump: 3 = InstructionKind::IndirectJump.pin_code();
    constant opcode_branch: 5 = 0x18;
    constant opcode_jalr: 5 = 0x19;
    constant opcode_jal: 5 = 0x1b;
    constant opcode_system: 5 = 0x1c;
    /// in RV32 alone
    constant c_jal: 3 = 1;
    /// c.jr, c.jalr and others
    constant c_jr: 3 = 4;
    constant c_j: 3 = 5;
    constant c_beqz: 3 = 6;
    constant c_bnez: 3 = 7;
    param returns = *upper as usize for upper in &TRAP_RETURNS;
    param has_compressed_call = usize::from(is_32);
}

impl Logic for Classifier {
    #[hdl_gen]
    fn update(&mut self) {
        self.quadrant.next = bits_to(self.insn.val(), 2);
        self.opcode.next = bits_to(self.insn.val() >> 2, 5);
        self.compressed_function.next = bits_to(self.insn.val() >> 13, 3);
        self.upper.next = bits_to(self.insn.val() >> 20, 12);
        self.is_long.next = bits_to(self.quadrant.val() == 3, 1);
        self.compressed_call.next = bits_to(self.compressed_function.val() == self.c_jal.val(), 1);
        // In RV64 it is an addition.
        if self.has_compressed_call.val() == 0 {
            self.compressed_call.next = 0.into();
        }
        self.branch_kind.next = self.sequential.val();
        self.trap_return.next = 0.into();
        self.destination.next = 0.into();
        self.source.next = 0.into();
        if self.is_long.val().any() {
            if self.opcode.val() == self.opcode_jal.val() {
                self.branch_kind.next = self.direct_jump.val();
                self.destination.next = bits_to(self.insn.val() >> 7, 5);
            } else if self.opcode.val() == self.opcode_branch.val() {
                self.branch_kind.next = self.direct_conditional.val();
            } else if self.opcode.val() == self.opcode_jalr.val() {
                self.branch_kind.next = self.indirect_jump.val();
                self.destination.next = bits_to(self.insn.val() >> 7, 5);
                self.source.next = bits_to(self.insn.val() >> 15, 5);
            } else if self.opcode.val() == self.opcode_system.val()
                && bits_to(self.insn.val() >> 7, 13) == 0
            {
                for at in 0..self.returns.len() {
                    if self.upper.val() == self.returns[at].val() {
                        self.branch_kind.next = self.indirect_jump.val();
                        self.trap_return.next = 1.into();
                    }
                }
            }
        } else if self.quadrant.val() == 1 {
            if self.compressed_function.val() == self.c_j.val() {
                self.branch_kind.next = self.direct_jump.val();
            } else if self.compressed_function.val() == self.c_beqz.val()
                || self.compressed_function.val() == self.c_bnez.val()
            {
                self.branch_kind.next = self.direct_conditional.val();
            }
            if self.compressed_call.val().any() {
                self.branch_kind.next = self.direct_jump.val();
                self.destination.next = 1.into();
            }
        } else if self.quadrant.val() == 2
            && self.compressed_function.val() == self.c_jr.val()
            && bits_to(self.insn.val() >> 2, 5) == 0
            && bits_to(self.insn.val() >> 7, 5).any()
        {
            self.branch_kind.next = self.indirect_jump.val();
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
