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

#[kernel]
impl Logic for RetireDecoder {
    fn update(&mut self) {
        block = RetiredBlock {
            valid: retire.valid & take,
            count: retire.count,
            pc: retire.pc,
            length: retire.length,
            direct: bit(retire.kind == direct_jump) | bit(retire.kind == direct_conditional),
            conditional: bit(retire.kind == direct_conditional)
                | bit(retire.kind == indirect_conditional),
            indirect: bit(retire.kind == indirect_jump) | bit(retire.kind == indirect_conditional),
            exception: retire.kind == exception,
            call: retire.call,
            is_return: retire.is_return,
            taken: retire.taken,
            target: retire.target,
        };
    }
}
