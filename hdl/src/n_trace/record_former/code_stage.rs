//! A register for what retires, and for how long the code is that it ends.

use tracewright_elaborate::prelude::*;
use tracewright_sim::configuration::Configuration;
use tracewright_sim::n_trace::config::Config;

use crate::parts::ports::RetiredBlock;

block! {
    /// Hands every block and every flush on in the next cycle in which the record former is ready, with the length of the code
    /// since the last block that may change the flow, in units of addresses.
    pub CodeStage("code_stage") of (config: &Config) {
        let processor = &config.processor;
        let address_bits = config.address_bits() as usize;
        let (switches, drops) = (usize::from(config.switches()), usize::from(config.tells_losses()));
        let state_bits = config.protocol.told_state_bits() as usize;
        let time_bits = config.time_bits() as usize;
        let unit_bits = 4 - config.unit_shift() as usize;
        let reads_lengths = usize::from(config.reads_lengths());
        let code_bits = config.code_bits() as usize;
    }
    parameters {
        address_bits,
    }

    /// valid is high only while the stage is ready
    in retire: RetiredBlock(processor);
    /// make a flush record; only when ready
    in flush: 1;
    /// the flush record says that blocks are lost; only with flush
    in loses: drops;
    /// a synchronisation is due with the next block
    in sync_request: switches;
    /// privilege level and context in which the block at hand runs
    in state: state_bits;
    /// the same after it
    in next_state: state_bits;
    /// when the last block retired, with the one at hand
    in told_time: time_bits;
    /// a block or a flush is taken
    out ready: 1;
    out later: RetiredBlock(processor);
    out later_flush: 1;
    out later_loses: drops;
    out later_sync_request: switches;
    out later_state: state_bits;
    out later_next_state: state_bits;
    out later_told_time: time_bits;
    out code: code_bits;
    /// the record former takes a block or a flush
    in later_ready: 1;
    /// no block and no flush is held
    out is_empty: 1;
    /// the trace has begun
    reg is_known: 1;
    /// instructions have retired since the last block that may change the flow
    reg has_run: 1;
    /// the code up to the last of these
    reg ran: code_bits = undefined;
    /// where the code begins
    reg from: address_bits;
    /// a synchronisation is due that the record former does not know of
    reg is_requested: switches;
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
    /// 0 where no code ends, as where nothing is held
    reg held_code: code_bits;
    reg held_loses: drops = undefined;
    reg held_state: state_bits = undefined;
    reg held_next_state: state_bits = undefined;
    reg held_told_time: time_bits = undefined;
    /// the same of the last block that was handed on, of which a second record may follow
    reg last_told_time: time_bits = undefined;
    local may_change: 1;
    local counts: 1;
    /// length of the last instruction
    local units: unit_bits;
    local pc_units: address_bits;
    local run: address_bits;
    /// the code up to here
    local ended: code_bits;
    param unit_shift = config.unit_shift() as usize;
    param reads_lengths = reads_lengths;
    param switches = switches;
    param drops = drops;
    param tells_state = usize::from(state_bits > 0);
    param stamps = usize::from(config.stamps());
    param least_units = Word::new(unit_bits, config.least_units());
}

#[kernel]
impl Logic for CodeStage {
    fn update(&mut self) {
        is_empty = !(held_valid.q | held_flush.q);
        ready = later_ready | is_empty;

        may_change = retire.valid & (retire.direct | retire.indirect | retire.exception);
        counts = (may_change & (has_run.q | bit(retire.count))) | (flush & has_run.q);
        pc_units = resized(retire.pc >> unit_shift);
        units = least_units;
        if when(reads_lengths) {
            units = resized(retire.length >> unit_shift);
        } else if retire.call & (retire.direct | retire.indirect) {
            units = resized(retire.length >> unit_shift);
        }
        run = 0;
        if is_known.q {
            run = pc_units - from.q;
        }
        ended = resized(run) + resized(units);

        if ready {
            crate::parts::retire_register::holds_block!();
            held_code.d = ended;
            if flush {
                held_code.d = ran.q;
            }
            if !counts {
                held_code.d = 0;
            }
            if when(drops) {
                held_loses.d = loses;
            }
            if when(tells_state) {
                held_state.d = state;
                held_next_state.d = next_state;
            }
            if when(stamps) {
                held_told_time.d = told_time;
            }
        }
        if may_change {
            has_run.d = 0;
            is_known.d = 1;
            from.d = pc_units + resized(units);
            if retire.taken | retire.exception {
                from.d = resized(retire.target >> unit_shift);
            }
        } else if retire.valid {
            has_run.d = 1;
            ran.d = ended;
        }
        if flush {
            is_known.d = 0;
            has_run.d = 0;
        }

        crate::parts::retire_register::held_block!();
        later.valid = held_valid.q & later_ready;
        later_flush = held_flush.q & later_ready;
        code = held_code.q;
        if when(drops) {
            later_loses = held_loses.q & held_flush.q & later_ready;
        }
        if when(tells_state) {
            later_state = held_state.q;
            later_next_state = held_next_state.q;
        }
        if when(stamps) {
            later_told_time = last_told_time.q;
            if later_ready {
                later_told_time = held_told_time.q;
                last_told_time.d = held_told_time.q;
            }
        }
        // A block that was taken before the request, or with it, is not the one that synchronises.
        if when(switches) {
            later_sync_request = is_requested.q & ready;
            if ready {
                is_requested.d = 0;
            }
            if sync_request {
                is_requested.d = 1;
            }
        }
    }
}
