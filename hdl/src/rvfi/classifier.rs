//! What an instruction word does to the flow.

use tracewright_elaborate::prelude::*;
use tracewright_sim::event::Kind as InstructionKind;
use tracewright_sim::rvfi::{Extensions, TRAP_RETURNS, Xlen};

/// The parameters that state the extensions in a module's header and name.
pub(super) fn stated(extensions: Extensions) -> impl Iterator<Item = (&'static str, usize)> {
    extensions.names().map(|name| (name, 1))
}

block! {
    /// What an instruction word does to the flow.
    pub Classifier("classifier") of (xlen: Xlen, extensions: Extensions) {
        let is_32 = xlen == Xlen::Rv32;
    }
    parameters {
        xlen = if is_32 { 32 } else { 64 },
        ..stated(extensions),
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
    /// cm.popret, cm.jt and others; c.fsdsp without their extensions
    constant c_fsdsp: 3 = 5;
    constant pops: 3 = 7;
    constant table_jump: 3 = 0;
    param returns = *upper as usize for upper in &TRAP_RETURNS;
    param has_compressed_call = usize::from(is_32);
    param zcmp = usize::from(extensions.zcmp);
    param zcmt = usize::from(extensions.zcmt);
}

#[kernel]
impl Logic for Classifier {
    fn update(&mut self) {
        quadrant = resized(insn, 2);
        opcode = resized(insn >> 2, 5);
        compressed_function = resized(insn >> 13, 3);
        upper = resized(insn >> 20, 12);
        is_long = quadrant == 3;
        compressed_call = compressed_function == c_jal;
        // In RV64 it is an addition.
        if when(!has_compressed_call) {
            compressed_call = 0;
        }
        branch_kind = sequential;
        trap_return = 0;
        destination = 0;
        source = 0;
        if is_long {
            if opcode == opcode_jal {
                branch_kind = direct_jump;
                destination = resized(insn >> 7, 5);
            } else if opcode == opcode_branch {
                branch_kind = direct_conditional;
            } else if opcode == opcode_jalr {
                branch_kind = indirect_jump;
                destination = resized(insn >> 7, 5);
                source = resized(insn >> 15, 5);
            } else if opcode == opcode_system && resized(insn >> 7, 13) == 0 {
                for at in 0..returns.len() {
                    if upper == returns[at] {
                        branch_kind = indirect_jump;
                        trap_return = 1;
                    }
                }
            }
        } else if quadrant == 1 {
            if compressed_function == c_j {
                branch_kind = direct_jump;
            } else if compressed_function == c_beqz || compressed_function == c_bnez {
                branch_kind = direct_conditional;
            }
            if compressed_call {
                branch_kind = direct_jump;
                destination = 1;
            }
        } else if quadrant == 2
            && compressed_function == c_jr
            && resized(insn >> 2, 5) == 0
            && resized(insn >> 7, 5).any()
        {
            branch_kind = indirect_jump;
            destination = resized(resized(insn >> 12, 1), 5);
            source = resized(insn >> 7, 5);
        }
        if when(zcmp) {
            // The lists of registers below 4 are reserved, and bit 8 is.
            if quadrant == 2
                && compressed_function == c_fsdsp
                && resized(insn >> 10, 3) == pops
                && resized(insn >> 8, 1) == 0
                && resized(insn >> 6, 2).any()
            {
                branch_kind = indirect_jump;
                source = 1;
            }
        }
        if when(zcmt) {
            if quadrant == 2
                && compressed_function == c_fsdsp
                && resized(insn >> 10, 3) == table_jump
            {
                branch_kind = indirect_jump;
                // From index 32 on it is cm.jalt.
                if resized(insn >> 7, 3).any() {
                    destination = 1;
                }
            }
        }

        links = 0;
        if destination == 1 || destination == 5 {
            links = 1;
        }
        goes_back = 0;
        if source == 1 || source == 5 {
            goes_back = 1;
        }
        // With both, one register for both is a call that happens to jump by it.
        call = links;
        is_return = goes_back;
        if source == destination {
            is_return = 0;
        }
    }
}
