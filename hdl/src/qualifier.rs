//! What of an execution is traced where the trace has no packets: parts of it, each between a start and an end. Its model is in
//! `sim/src/session/course.rs`.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::Processor;

use crate::parts::ports::RetiredBlock;

block! {
    /// Ends the trace before a run that does not pass the filter, and says where it goes on.
    pub Qualifier("qualifier") of (processor: &Processor) {
        let address_bits = processor.instruction_address_bits() as usize;
    }
    parameters {
        address_bits,
    }

    /// valid is high if the module takes it
    in retire: RetiredBlock(processor);
    /// a block retires, whether the module takes it or not
    in retires: 1;
    /// tracing is on
    in is_on: 1;
    /// the run at hand passes the filter
    in passes: 1;
    /// the next run passes, if the one at hand ends
    in next_passes: 1;
    /// the compressor can make a record
    in ready: 1;
    /// what is in the module is discarded
    in discards: 1;
    /// a run ends with the block at the pins
    out ends_run: 1;
    /// in instruction units: where the next run begins, or the branch before it that is not taken
    out begins_at: address_bits;
    /// a block can be taken, as far as the filter says
    out accepts: 1;
    /// a part of the trace has to end before anything else
    out must_end: 1;
    /// the record that ends it is made
    out ends: 1;
    /// the last block was left out, and says where the trace goes on
    out has_entry: 1;
    /// where
    out entry: address_bits;
    /// a part of the trace has to end
    reg is_ending: 1;
    reg is_entered: 1;
    /// the end of the part before may still need the registers of the compressor
    reg entered_at: address_bits;
    local enters: 1;
    local changes_flow: 1;
    param alignment = processor.alignment as usize;
}

#[kernel]
impl Logic for Qualifier {
    fn update(&mut self) {
        // Read where a run ends, so `taken` has a meaning.
        changes_flow = retire.exception | retire.taken;
        ends_run = retires & (retire.direct | retire.indirect | retire.exception);
        begins_at = resized(retire.pc >> alignment);
        if changes_flow {
            begins_at = resized(retire.target >> alignment);
        }
        accepts = passes & !is_ending.q;
        must_end = is_ending.q;
        ends = is_ending.q & ready;
        // If the next run does not pass either, its block is left out, too, and says more.
        enters = ends_run & changes_flow & !passes;
        has_entry = is_entered.q;
        entry = entered_at.q;
        if retires {
            is_entered.d = enters;
            entered_at.d = begins_at;
        }
        if discards | !is_on {
            is_entered.d = 0;
        }
        if ends | discards {
            is_ending.d = 0;
        }
        if retire.valid & ends_run & !next_passes {
            is_ending.d = 1;
        }
    }
}
