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

/// A block and a flush are held.
#[piece]
pub(crate) fn holds_block() {
    held_valid.d = retire.valid;
    held_flush.d = flush;
    held_count.d = retire.count;
    held_pc.d = retire.pc;
    held_length.d = retire.length;
    held_direct.d = retire.direct;
    held_conditional.d = retire.conditional;
    held_indirect.d = retire.indirect;
    held_exception.d = retire.exception;
    held_call.d = retire.call;
    held_return.d = retire.is_return;
    held_taken.d = retire.taken;
    held_target.d = retire.target;
}

/// What is held, valid or not.
#[piece]
pub(crate) fn held_block() {
    later = RetiredBlock {
        valid: held_valid.q,
        count: held_count.q,
        pc: held_pc.q,
        length: held_length.q,
        direct: held_direct.q,
        conditional: held_conditional.q,
        indirect: held_indirect.q,
        exception: held_exception.q,
        call: held_call.q,
        is_return: held_return.q,
        taken: held_taken.q,
        target: held_target.q,
    };
}

#[kernel]
impl Logic for RetireRegister {
    fn update(&mut self) {
        crate::parts::retire_register::holds_block!();

        crate::parts::retire_register::held_block!();
        later_flush = held_flush.q;
        is_held = held_valid.q | held_flush.q;
    }
}
