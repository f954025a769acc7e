//! The adapter between a core's RISC-V formal interface and a trace module.
//!
//! An instruction is classified as it comes and waits in a queue. Sequential ones are only counted; a
//! jump or branch is a block, and a diversion of the flow one in the clock of the sequential instruction
//! behind it. So an instruction every clock is kept up with. Only a diversion right to a jump takes a
//! clock more, which a core has in that place: the queue holds what comes nevertheless.

pub mod classifier;

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::Processor;
use tracewright_sim::event::Kind as InstructionKind;
use tracewright_sim::rvfi::{Config, Xlen};

use crate::encode::fifo::Fifo;
use crate::parts::ports::Retire;
use classifier::Classifier;

packed! {
    /// An instruction as it waits in the queue.
    Waiting of (address_bits: usize);
    program_counter: address_bits;
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
    /// What RVFI says of each instruction, as the blocks of a trace module (docs/hardware.md).
    pub Rvfi("rvfi") of (config: &Config, processor: &Processor) {
        let byte_bits = processor.address_width as usize;
        let address_bits = processor.instruction_address_bits() as usize;
        let count_bits = processor.retire_count_bits as usize;
        let depth = config.queue_depth as usize;
        let slack = config.slack as usize;
        let word_bits = Waiting::<View>::new(address_bits).width();
    }
    parameters {
        xlen = if config.xlen == Xlen::Rv32 { 32 } else { 64 },
        address_width = byte_bits,
        queue_depth = depth,
        slack,
    }

    /// an instruction retires in this cycle
    in rvfi_valid: 1;
    /// instruction word
    in rvfi_insn: 32;
    /// the instruction ended in a trap
    in rvfi_trap: 1;
    /// the instruction is the first of a handler
    in rvfi_intr: 1;
    /// address of the instruction
    in rvfi_pc_rdata: byte_bits;
    /// address of the next instruction
    in rvfi_pc_wdata: byte_bits;
    #[remark(format!("stop retiring: room for {slack} more"))]
    out stall: 1;
    /// sticky: an instruction was lost because the queue was full
    out lost: 1;
    /// level: the trace ends here
    in flush: 1;
    /// the trace module is to see flush
    out drained: 1;
    out retire: Retire(processor);
    /// the trace module's stall
    in retire_stall: 1;
    block classifier: Classifier(config.xlen);
    block queue: Fifo(depth, 0, word_bits, true);
    /// address after the last instruction at the pins
    reg expected: address_bits;
    reg expects: 1;
    reg lost_any: 1;
    /// in alignment units, as all below
    local program_counter: address_bits;
    local next: address_bits;
    /// kind of the instruction; one that traps does not branch
    local branch_kind: 3;
    local fall_through: address_bits;
    /// bytes of the instruction
    local step: 3;
    local jumps: 1;
    local taken: 1;
    /// before this instruction
    local diverted: 1;
    /// sequential instructions that left the queue and are not shown yet
    reg instructions: count_bits;
    reg last_program_counter: address_bits;
    reg diversion_shown: 1;
    reg drained_once: 1;
    reg returned: 1;
    reg return_target: address_bits;
    local arriving: Waiting(address_bits);
    view oldest: Waiting(address_bits);
    /// the flow was diverted before it, which is not shown yet
    local out_diverted: 1;
    local shown_program_counter: address_bits;
    local shown_target: address_bits;
    /// the instruction leaves the queue
    local takes: 1;
    /// there is a block
    local shows: 1;
    local is_sequential: 1;
    constant sequential: 3 = 0;
    constant direct_jump: 3 = InstructionKind::DirectJump.pin_code();
    constant direct_conditional: 3 = InstructionKind::DirectConditional.pin_code();
    constant indirect_jump: 3 = InstructionKind::IndirectJump.pin_code();
    constant exception: 3 = InstructionKind::Exception.pin_code();
    param alignment = processor.alignment as usize;
    param before_most = (1usize << count_bits) - 2;
    param counts = usize::from(count_bits > 1);
    param stall_level = depth - slack;
}

impl Logic for Rvfi {
    #[hdl_gen]
    fn update(&mut self) {
        // The instruction at the pins.
        self.classifier.insn.next = self.rvfi_insn.val();
        self.program_counter.next =
            bits_to(self.rvfi_pc_rdata.val() >> self.alignment.val(), self.expected.width());
        self.next.next =
            bits_to(self.rvfi_pc_wdata.val() >> self.alignment.val(), self.expected.width());
        self.branch_kind.next = self.classifier.branch_kind.val();
        if self.rvfi_trap.val().any() {
            self.branch_kind.next = self.sequential.val();
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
        self.diverted.next = self.rvfi_intr.val() | !self.expects.q.val();
        if self.program_counter.val() != self.expected.q.val() {
            self.diverted.next = 1.into();
        }
        if self.rvfi_valid.val().any() {
            self.expects.d.next = !self.rvfi_trap.val();
            self.expected.d.next = self.fall_through.val();
            if self.taken.val().any() {
                self.expected.d.next = self.next.val();
            }
        }

        // The queue.
        self.queue.in_.valid.next = self.rvfi_valid.val();
        self.arriving.program_counter.next = self.program_counter.val();
        self.arriving.branch_kind.next = self.branch_kind.val();
        self.arriving.call.next = self.classifier.call.val();
        self.arriving.is_return.next = self.classifier.is_return.val();
        self.arriving.taken.next = self.taken.val();
        self.arriving.is_long.next = self.classifier.is_long.val();
        self.arriving.diverted.next = self.diverted.val();
        self.arriving.interrupt.next = self.rvfi_intr.val();
        self.arriving.trap_return.next = self.classifier.trap_return.val() & !self.rvfi_trap.val();
        self.arriving.target.next = self.next.val();
        self.queue.in_.word.next = self.arriving.val();
        if self.rvfi_valid.val() > self.queue.in_.ready.val() {
            self.lost_any.d.next = 1.into();
        }
        self.lost.next = self.lost_any.q.val();
        // A core that goes on would not let the flush come.
        self.stall.next =
            bits_to(self.queue.level.val() >= self.stall_level.val(), 1) | self.flush.val();

        // The oldest instruction.
        self.oldest.next = self.queue.out_.word.val();
        self.out_diverted.next = self.oldest.diverted.val() & !self.diversion_shown.q.val();

        // The block.
        self.is_sequential.next =
            bits_to(self.oldest.branch_kind.val() == self.sequential.val(), 1);
        self.shows.next = 0.into();
        self.takes.next = self.queue.out_.valid.val();
        self.retire.kind.next = self.sequential.val();
        self.retire.count.next = self.instructions.q.val();
        self.shown_program_counter.next = self.last_program_counter.q.val();
        self.shown_target.next = self.oldest.target.val();
        if self.returned.q.val().any() {
            // Where a return from a trap went the instruction behind it says, if there is one.
            self.shows.next =
                self.queue.out_.valid.val() | (self.flush.val() & !self.rvfi_valid.val());
            self.takes.next = 0.into();
            self.retire.kind.next = self.indirect_jump.val();
            self.shown_target.next = self.return_target.q.val();
            if self.queue.out_.valid.val() > self.oldest.interrupt.val() {
                self.shown_target.next = self.oldest.program_counter.val();
                self.takes.next = self.is_sequential.val() & self.counts.val();
            }
        } else if !self.queue.out_.valid.val().any() {
            // Those that are only counted, at the end.
            self.shows.next = self.flush.val() & bits_to(self.instructions.q.val().any(), 1);
        } else if self.out_diverted.val().any() {
            self.shows.next = 1.into();
            self.retire.kind.next = self.exception.val();
            self.shown_target.next = self.oldest.program_counter.val();
            // A sequential instruction behind it is only counted, where that is possible.
            self.takes.next = self.is_sequential.val() & self.counts.val();
        } else {
            self.retire.kind.next = self.oldest.branch_kind.val();
            self.retire.count.next = self.instructions.q.val() + 1;
            self.shown_program_counter.next = self.oldest.program_counter.val();
            self.shows.next = !self.is_sequential.val();
            // As many as a block can have.
            if self.instructions.q.val() == self.before_most.val() {
                self.shows.next = 1.into();
            }
            if self.oldest.trap_return.val().any() {
                self.shows.next = 0.into();
            }
        }
        self.retire.valid.next = self.shows.val();
        self.retire.pc.next = bits_to(self.shown_program_counter.val(), self.rvfi_pc_rdata.width())
            << self.alignment.val();
        self.retire.target.next =
            bits_to(self.shown_target.val(), self.rvfi_pc_rdata.width()) << self.alignment.val();
        self.retire.call.next = self.oldest.call.val() & !self.returned.q.val();
        self.retire.is_return.next = self.oldest.is_return.val() & !self.returned.q.val();
        self.retire.taken.next = self.oldest.taken.val() | self.returned.q.val();
        self.retire.length.next = 2.into();
        if self.oldest.is_long.val().any() {
            self.retire.length.next = 4.into();
        }

        // What is shown waits for the trace module; what is only counted does not.
        if self.shows.val().any() && self.retire_stall.val().any() {
            self.takes.next = 0.into();
        } else {
            if self.shows.val().any() {
                self.instructions.d.next = 0.into();
            }
            if self.returned.q.val().any() {
                // Behind the return is where the flow has gone on, unless that is a handler.
                self.diversion_shown.d.next =
                    self.queue.out_.valid.val() & !self.oldest.interrupt.val();
            } else if self.out_diverted.val().any() {
                self.diversion_shown.d.next = self.queue.out_.valid.val();
            }
            if self.shows.val().any() {
                self.returned.d.next = 0.into();
            }
        }
        if self.takes.val().any() {
            self.diversion_shown.d.next = 0.into();
            self.last_program_counter.d.next = self.oldest.program_counter.val();
            self.returned.d.next = self.oldest.trap_return.val();
            self.return_target.d.next = self.oldest.target.val();
            if !self.shows.val().any() {
                self.instructions.d.next = self.instructions.q.val() + 1;
            } else if self.out_diverted.val().any() || self.returned.q.val().any() {
                self.instructions.d.next = 1.into();
            }
        }
        self.queue.out_.ready.next = self.takes.val();

        // A flush waits for what came before it, and lasts until it is lowered.
        self.drained.next = 0.into();
        if self.flush.val().any() {
            self.drained.next = self.drained_once.q.val();
            if !self.queue.out_.valid.val().any()
                && !self.instructions.q.val().any()
                && !self.rvfi_valid.val().any()
            {
                self.drained.next = 1.into();
            }
        }
        self.drained_once.d.next = self.drained.val();
    }
}
