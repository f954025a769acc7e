//! The compressor of one core: blocks in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::n_trace::config::Config;

use super::record_former::RecordFormer;
use super::record_former::code_stage::CodeStage;
use crate::parts::ports::{Clear, RetiredBlock, Stream};

block! {
    /// A record leaves in the cycle of its block; the block with which the trace begins may make two, and the second leaves
    /// in the next cycle. With registers between steps, blocks wait a cycle or more before.
    pub Encoder("encoder") of (config: &Config, clear_bits: usize);

    in clear: Clear(clear_bits);
    /// every register takes the value that it has after a reset
    in restart_registers: usize::from(config.protocol.restarts_tables() || config.switches());
    /// there is no table
    in memory_sweep: if config.protocol.clears_in_background() { clear_bits + 2 } else { 0 };
    /// valid is high only while the compressor is ready
    in retire: RetiredBlock(&config.processor);
    /// make a flush record; only when ready
    in flush: 1;
    /// the flush record says that blocks are lost, and not that the trace ends
    in loses: usize::from(config.tells_losses());
    /// a synchronisation is due
    in sync_request: usize::from(config.switches());
    /// a synchronisation is made
    out synchronised: usize::from(config.switches());
    /// privilege level and context in which the block at hand runs
    in state: config.protocol.told_state_bits() as usize;
    /// the same after it
    in next_state: config.protocol.told_state_bits() as usize;
    /// no message says it
    in cause: 0;
    /// when the last block retired, with the one at hand
    in told_time: config.time_bits() as usize;
    /// a block or a flush is taken
    out ready: 1;
    /// no record waits inside
    out is_empty: 1;
    out record: Stream(config.format().bits());
    block code_stage: CodeStage(config) if config.has_code_stage();
    block record_former: RecordFormer(config);
    param in_steps = usize::from(config.has_code_stage());
    param switches = usize::from(config.switches());
    param drops = usize::from(config.tells_losses());
    param tells_state = usize::from(config.tells_state());
    param stamps = usize::from(config.stamps());
}

#[kernel]
impl Logic for Encoder {
    fn update(&mut self) {
        record_former.record_ready = record.ready;
        if when(in_steps) {
            join(retire, code_stage.retire);
            join(code_stage.later, record_former.retire);
            code_stage.flush = flush;
            record_former.flush = code_stage.later_flush;
            record_former.code = code_stage.code;
            code_stage.later_ready = record.ready & !record_former.is_busy;
            ready = code_stage.ready;
            is_empty = code_stage.is_empty & !record_former.is_busy;
        } else {
            join(retire, record_former.retire);
            record_former.flush = flush;
            ready = record.ready & !record_former.is_busy;
            is_empty = !record_former.is_busy;
        }
        if when(switches) {
            synchronised = record_former.synchronised;
            if when(in_steps) {
                code_stage.sync_request = sync_request;
                record_former.sync_request = code_stage.later_sync_request;
            } else {
                record_former.sync_request = sync_request;
            }
        }
        if when(drops) {
            if when(in_steps) {
                code_stage.loses = loses;
                record_former.loses = code_stage.later_loses;
            } else {
                record_former.loses = loses;
            }
        }
        if when(tells_state) {
            if when(in_steps) {
                code_stage.state = state;
                code_stage.next_state = next_state;
                record_former.state = code_stage.later_state;
                record_former.next_state = code_stage.later_next_state;
            } else {
                record_former.state = state;
                record_former.next_state = next_state;
            }
        }
        if when(stamps) {
            if when(in_steps) {
                code_stage.told_time = told_time;
                record_former.told_time = code_stage.later_told_time;
            } else {
                record_former.told_time = told_time;
            }
        }
        record.valid = record_former.record_valid;
        record.word = record_former.record;
    }
}
