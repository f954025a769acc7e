//! The compressor of one core: blocks in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::n_trace::config::Config;

use super::record_former::RecordFormer;
use crate::parts::ports::{Clear, RetiredBlock, Stream};

block! {
    /// A record leaves in the cycle of its block; the block with which the trace begins may make two, and the second leaves
    /// in the next cycle.
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
    block record_former: RecordFormer(config);
    param switches = usize::from(config.switches());
    param drops = usize::from(config.tells_losses());
    param tells_state = usize::from(config.tells_state());
    param stamps = usize::from(config.stamps());
}

#[kernel]
impl Logic for Encoder {
    fn update(&mut self) {
        join(retire, record_former.retire);
        record_former.flush = flush;
        record_former.record_ready = record.ready;
        if when(switches) {
            record_former.sync_request = sync_request;
            synchronised = record_former.synchronised;
        }
        if when(drops) {
            record_former.loses = loses;
        }
        if when(tells_state) {
            record_former.state = state;
            record_former.next_state = next_state;
        }
        if when(stamps) {
            record_former.told_time = told_time;
        }
        ready = record.ready & !record_former.is_busy;
        is_empty = !record_former.is_busy;
        record.valid = record_former.record_valid;
        record.word = record_former.record;
    }
}
