//! A register for what retires, between the pins and a compressor whose tables are read through registers.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::Processor;

use super::ports::RetiredBlock;

block! {
    /// Hands every block and every flush on one cycle later.
    pub RetireRegister("retire_register") of (processor: &Processor);

    in retire: RetiredBlock(processor);
    in flush: 1;
    out later: RetiredBlock(processor);
    out later_flush: 1;
    /// a block or a flush is held
    out is_held: 1;
    reg held_valid: 1;
    reg held_flush: 1;
    reg held_count: processor.retire_count_bits = undefined;
    reg held_pc: processor.address_width = undefined;
    reg held_length: 4 = undefined;
    reg held_direct: 1 = undefined;
    reg held_conditional: 1 = undefined;
    reg held_indirect: 1 = undefined;
    reg held_exception: 1 = undefined;
    reg held_call: 1 = undefined;
    reg held_return: 1 = undefined;
    reg held_taken: 1 = undefined;
    reg held_target: processor.address_width = undefined;
}

impl Logic for RetireRegister {
    #[hdl_gen]
    fn update(&mut self) {
        self.held_valid.d.next = self.retire.valid.val();
        self.held_flush.d.next = self.flush.val();
        self.held_count.d.next = self.retire.count.val();
        self.held_pc.d.next = self.retire.pc.val();
        self.held_length.d.next = self.retire.length.val();
        self.held_direct.d.next = self.retire.direct.val();
        self.held_conditional.d.next = self.retire.conditional.val();
        self.held_indirect.d.next = self.retire.indirect.val();
        self.held_exception.d.next = self.retire.exception.val();
        self.held_call.d.next = self.retire.call.val();
        self.held_return.d.next = self.retire.is_return.val();
        self.held_taken.d.next = self.retire.taken.val();
        self.held_target.d.next = self.retire.target.val();

        self.later.valid.next = self.held_valid.q.val();
        self.later.count.next = self.held_count.q.val();
        self.later.pc.next = self.held_pc.q.val();
        self.later.length.next = self.held_length.q.val();
        self.later.direct.next = self.held_direct.q.val();
        self.later.conditional.next = self.held_conditional.q.val();
        self.later.indirect.next = self.held_indirect.q.val();
        self.later.exception.next = self.held_exception.q.val();
        self.later.call.next = self.held_call.q.val();
        self.later.is_return.next = self.held_return.q.val();
        self.later.taken.next = self.held_taken.q.val();
        self.later.target.next = self.held_target.q.val();
        self.later_flush.next = self.held_flush.q.val();
        self.is_held.next = self.held_valid.q.val() | self.held_flush.q.val();
    }
}
