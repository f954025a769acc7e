//! A register for what retires, between the pins and a compressor that may not be ready.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::Processor;

use super::ports::RetiredBlock;

block! {
    /// Hands every block and every flush on in the next cycle in which the compressor is ready.
    pub BlockStage("block_stage") of (processor: &Processor, switches: bool);

    /// every register takes the value that it has after a reset
    in restart_registers: usize::from(switches);
    /// valid is high only while the stage is ready
    in retire: RetiredBlock(processor);
    /// make a flush record; only when ready
    in flush: 1;
    /// a block or a flush is taken
    out ready: 1;
    out later: RetiredBlock(processor);
    out later_flush: 1;
    /// the compressor takes a block or a flush
    in later_ready: 1;
    /// no block and no flush is held
    out is_empty: 1;
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

#[kernel]
impl Logic for BlockStage {
    fn update(&mut self) {
        is_empty = !(held_valid.q | held_flush.q);
        ready = later_ready | !(held_valid.q | held_flush.q);
        if ready {
            crate::parts::retire_register::holds_block!();
        }

        crate::parts::retire_register::held_block!();
        later.valid = held_valid.q & later_ready;
        later_flush = held_flush.q & later_ready;
    }
}
