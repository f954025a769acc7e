//! The pins of a core, with the kind of a block's last instruction decoded once for the whole module.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::Processor;
use tracewright_sim::event::Kind as InstructionKind;

use super::ports::{Retire, RetiredBlock};

block! {
    /// Hands the block of this cycle to the compressor if it is taken.
    pub RetireDecoder("retire_decoder") of (processor: &Processor);

    in retire: Retire(processor);
    /// the module takes a block in this cycle
    in take: 1;
    out block: RetiredBlock(processor);
    constant direct_jump: 3 = InstructionKind::DirectJump.pin_code();
    constant direct_conditional: 3 = InstructionKind::DirectConditional.pin_code();
    constant indirect_jump: 3 = InstructionKind::IndirectJump.pin_code();
    constant indirect_conditional: 3 = InstructionKind::IndirectConditional.pin_code();
    constant exception: 3 = InstructionKind::Exception.pin_code();
}

impl Logic for RetireDecoder {
    #[hdl_gen]
    fn update(&mut self) {
        self.block.valid.next = self.retire.valid.val() & self.take.val();
        self.block.count.next = self.retire.count.val();
        self.block.pc.next = self.retire.pc.val();
        self.block.length.next = self.retire.length.val();
        self.block.direct.next = bits_to(self.retire.kind.val() == self.direct_jump.val(), 1)
            | bits_to(self.retire.kind.val() == self.direct_conditional.val(), 1);
        self.block.conditional.next =
            bits_to(self.retire.kind.val() == self.direct_conditional.val(), 1)
                | bits_to(self.retire.kind.val() == self.indirect_conditional.val(), 1);
        self.block.indirect.next = bits_to(self.retire.kind.val() == self.indirect_jump.val(), 1)
            | bits_to(self.retire.kind.val() == self.indirect_conditional.val(), 1);
        self.block.exception.next = bits_to(self.retire.kind.val() == self.exception.val(), 1);
        self.block.call.next = self.retire.call.val();
        self.block.is_return.next = self.retire.is_return.val();
        self.block.taken.next = self.retire.taken.val();
        self.block.target.next = self.retire.target.val();
    }
}
