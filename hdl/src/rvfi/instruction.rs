//! An instruction at the pins of RVFI: what it does to the flow, and whether the flow came to it by itself.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::Processor;
use tracewright_sim::event::Kind as InstructionKind;
use tracewright_sim::rvfi::{Extensions, Xlen};

use super::classifier::{Classifier, stated};

packed! {
    /// An instruction as it waits in the queue.
    pub Waiting of (address_bits: usize);
    program_counter: address_bits;
    /// an exception: it has trapped, and not retired
    branch_kind: 3;
    call: 1;
    is_return: 1;
    taken: 1;
    is_long: 1;
    diverted: 1;
    interrupt: 1;
    trap_return: 1;
    target: address_bits;
}

block! {
    /// What the pins say of an instruction.
    pub Instruction("instruction") of (xlen: Xlen, extensions: Extensions, processor: &Processor) {
        let byte_bits = processor.address_width as usize;
        let address_bits = processor.instruction_address_bits() as usize;
    }
    parameters {
        xlen = if xlen == Xlen::Rv32 { 32 } else { 64 },
        address_width = byte_bits,
        ..stated(extensions),
    }

    in insn: 32;
    in trap: 1;
    in intr: 1;
    in pc_rdata: byte_bits;
    in pc_wdata: byte_bits;
    /// address after the instruction before, in alignment units, as all below
    in expected: address_bits;
    /// there is such an address
    in expects: 1;
    /// the instruction before trapped, and this one begins its handler
    in after_trap: 1;
    /// address after it, as far as the core says
    out after: address_bits;
    out waiting: Waiting(address_bits);
    block classifier: Classifier(xlen, extensions);
    local program_counter: address_bits;
    local next: address_bits;
    /// kind of the instruction; an exception if it traps
    local branch_kind: 3;
    local fall_through: address_bits;
    /// bytes of the instruction
    local step: 3;
    local jumps: 1;
    local taken: 1;
    /// before this instruction
    local diverted: 1;
    constant direct_jump: 3 = InstructionKind::DirectJump.pin_code();
    constant direct_conditional: 3 = InstructionKind::DirectConditional.pin_code();
    constant indirect_jump: 3 = InstructionKind::IndirectJump.pin_code();
    constant exception: 3 = InstructionKind::Exception.pin_code();
    param alignment = processor.alignment as usize;
}

#[kernel]
impl Logic for Instruction {
    fn update(&mut self) {
        classifier.insn = insn;
        program_counter = resized(pc_rdata >> alignment);
        next = resized(pc_wdata >> alignment);
        branch_kind = classifier.branch_kind;
        if trap {
            branch_kind = exception;
        }
        step = 2;
        if classifier.is_long {
            step = 4;
        }
        fall_through = program_counter + resized(step >> alignment);
        jumps = bit(branch_kind == direct_jump) | bit(branch_kind == indirect_jump);
        taken = jumps;
        if branch_kind == direct_conditional && next != fall_through {
            taken = 1;
        }
        diverted = (intr & !after_trap) | !expects;
        if program_counter != expected {
            diverted = 1;
        }
        after = fall_through;
        if taken | trap {
            after = next;
        }

        waiting = Waiting {
            program_counter,
            branch_kind,
            call: classifier.call,
            is_return: classifier.is_return,
            taken,
            is_long: classifier.is_long,
            diverted,
            interrupt: intr,
            trap_return: classifier.trap_return & !trap,
            target: next,
        };
    }
}
