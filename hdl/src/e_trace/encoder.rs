//! The compressor of one core: blocks in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::e_trace::config::Config;

use super::record_former::RecordFormer;
use crate::parts::ports::{Clear, RetiredBlock, Stream};

block! {
    /// A record leaves in the cycle of its block; an exception may make two, and the second leaves in the next cycle.
    pub Encoder("encoder") of (config: &Config, clear_bits: usize);

    in clear: Clear(clear_bits);
    /// every register takes the value that it has after a reset
    in restart_registers: usize::from(config.protocol.restarts_tables());
    /// there is no table
    in memory_sweep: if config.protocol.clears_in_background() { clear_bits + 2 } else { 0 };
    /// valid is high only while the compressor is ready
    in retire: RetiredBlock(&config.processor);
    /// make a flush record; only when ready
    in flush: 1;
    /// a block or a flush is taken
    out ready: 1;
    /// no record waits inside
    out is_empty: 1;
    out record: Stream(config.format().bits());
    block record_former: RecordFormer(config);
}

impl Logic for Encoder {
    #[hdl_gen]
    fn update(&mut self) {
        connect::join(&mut self.retire, &mut self.record_former.retire);
        self.record_former.flush.next = self.flush.val();
        self.ready.next = self.record.ready.val() & !self.record_former.is_busy.val();
        self.is_empty.next = !self.record_former.is_busy.val();
        self.record_former.record_ready.next = self.record.ready.val();
        self.record.valid.next = self.record_former.record_valid.val();
        self.record.word.next = self.record_former.record.val();
    }
}
