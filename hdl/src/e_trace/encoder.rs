//! The compressor of one core: blocks in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::e_trace::config::Config;

use super::branch_count::BranchCount;
use super::extensions::Extensions;
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
    block branch_count: BranchCount(config) if config.predicts_branches();
    block extensions: Extensions(config) if config.has_extensions();
    /// the trace goes on with a start or a trap
    local forgets: usize::from(config.has_extensions());
    param has_extensions = usize::from(config.has_extensions());
    param caches = usize::from(config.caches_targets());
    param predicts = usize::from(config.predicts_branches());
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
        if self.has_extensions.val() == 0 {
            self.record.word.next = self.record_former.record.val();
        }
        if self.has_extensions.val() == 1 {
            self.forgets.next =
                (self.retire.valid.val() & self.retire.exception.val()) | self.flush.val();
            self.extensions.plain.next = self.record_former.record.val();
            self.extensions.progress.next = self.record_former.progress.val();
            self.record.word.next = self.extensions.record.val();
        }
        if self.caches.val() == 1 {
            self.extensions.forget.next = self.forgets.val();
        }
        if self.predicts.val() == 1 {
            connect::join(&mut self.retire, &mut self.branch_count.retire);
            self.branch_count.progress.next = self.record_former.progress.val();
            self.branch_count.collected.next = self.record_former.collected.val();
            self.branch_count.forget.next = self.forgets.val();
            self.record_former.counts.next = self.branch_count.counts.val();
            self.record_former.ends.next = self.branch_count.ends.val();
            self.record_former.is_full.next = self.branch_count.is_full.val();
            self.extensions.counts.next = self.branch_count.counts.val();
            self.extensions.count.next = self.branch_count.count.val();
            self.extensions.fails.next = self.branch_count.fails.val();
            self.extensions.ends_count.next = self.branch_count.ends_count.val();
        }
    }
}
