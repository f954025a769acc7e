//! An instruction at the pins of RVFI: what it does to the flow, and whether the flow came to it by itself.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::Processor;
use tracewright_sim::event::Kind as InstructionKind;
use tracewright_sim::rvfi::Xlen;

use super::classifier::Classifier;

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
    pub Instruction("instruction") of (xlen: Xlen, processor: &Processor) {
        let byte_bits = processor.address_width as usize;
        let address_bits = processor.instruction_address_bits() as usize;
    }
    parameters {
        xlen = if xlen == Xlen::Rv32 { 32 } else { 64 },
        address_width = byte_bits,
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
    block classifier: Classifier(xlen);
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

impl Logic for Instruction {
    #[hdl_gen]
    fn update(&mut self) {
        self.classifier.insn.next = self.insn.val();
        self.program_counter.next =
            bits_to(self.pc_rdata.val() >> self.alignment.val(), self.expected.width());
        self.next.next =
            bits_to(self.pc_wdata.val() >> self.alignment.val(), self.expected.width());
        self.branch_kind.next = self.classifier.branch_kind.val();
        if self.trap.val().any() {
            self.branch_kind.next = self.exception.val();
        }
        self.step.next = 2.into();
        if self.classifier.is_long.val().any() {
            self.step.next = 4.into();
        }
        self.fall_through.next = self.program_counter.val()
            + bits_to(self.step.val() >> self.alignment.val(), self.expected.width());
        self.jumps.next = bits_to(self.branch_kind.val() == self.direct_jump.val(), 1)
            | bits_to(self.branch_kind.val() == self.indirect_jump.val(), 1);
        self.taken.next = self.jumps.val();
        if self.branch_kind.val() == self.direct_conditional.val()
            && self.next.val() != self.fall_through.val()
        {
            self.taken.next = 1.into();
        }
        self.diverted.next = (self.intr.val() & !self.after_trap.val()) | !self.expects.val();
        if self.program_counter.val() != self.expected.val() {
            self.diverted.next = 1.into();
        }
        self.after.next = self.fall_through.val();
        if (self.taken.val() | self.trap.val()).any() {
            self.after.next = self.next.val();
        }

        self.waiting.program_counter.next = self.program_counter.val();
        self.waiting.branch_kind.next = self.branch_kind.val();
        self.waiting.call.next = self.classifier.call.val();
        self.waiting.is_return.next = self.classifier.is_return.val();
        self.waiting.taken.next = self.taken.val();
        self.waiting.is_long.next = self.classifier.is_long.val();
        self.waiting.diverted.next = self.diverted.val();
        self.waiting.interrupt.next = self.intr.val();
        self.waiting.trap_return.next = self.classifier.trap_return.val() & !self.trap.val();
        self.waiting.target.next = self.next.val();
    }
}
