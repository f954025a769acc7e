//! The compressor of one core: blocks in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::stream_cache::config::Config;

use super::record_former::RecordFormer;
use crate::parts::ports::{Clear, RetiredBlock, Stream};
use crate::parts::stream_stage::StreamStage;
use crate::stream_source::StreamSource;

block! {
    /// Streams are buffered for one cycle; a record leaves in the cycle in which its stream is looked up.
    ///
    /// Where tables are read through registers, a stage holds the stream for that cycle.
    pub Encoder("encoder") of (config: &Config, clear_bits: usize) {
        let processor = &config.processor;
    }

    in clear: Clear(clear_bits);
    /// every register takes the value that it has after a reset
    in restart_registers: usize::from(config.protocol.restarts_tables());
    /// entries of another epoch read as cleared; while nothing else writes, one is written
    in memory_sweep: if config.protocol.clears_in_background() { clear_bits + 2 } else { 0 };
    /// valid is high only while the compressor is ready
    in retire: RetiredBlock(processor);
    /// make a flush record; only when ready
    in flush: 1;
    /// a block or a flush is taken
    out ready: 1;
    /// no record waits inside
    out is_empty: 1;
    out record: Stream(config.format().bits());
    /// make a flush record; only when ready
    block source: StreamSource(&config.cache, processor, true);
    block stage: StreamStage(&config.cache, processor, true) if config.cache.is_synchronous();
    block record_former: RecordFormer(config, clear_bits);
    param is_synchronous = config.cache.is_synchronous();
}

impl Logic for Encoder {
    #[hdl_gen]
    fn update(&mut self) {
        connect::join(&mut self.retire, &mut self.source.retire);
        self.source.flush.next = self.flush.val();
        self.ready.next = self.source.ready.val();
        connect::join(&mut self.clear, &mut self.record_former.clear);
        if self.is_synchronous.val() == 1 {
            self.is_empty.next = self.source.is_empty.val() & !self.stage.later_valid.val();
            self.source.stream_ready.next = self.stage.ready.val();
            self.stage.valid.next = self.source.stream_valid.val();
            self.stage.end_code.next = self.source.end_code.val();
            self.stage.is_whole.next = self.source.is_whole.val();
            self.stage.length.next = self.source.length.val();
            self.stage.start.next = self.source.start.val();
            self.stage.inferred.next = self.source.inferred.val();
            self.stage.later_ready.next = self.record.ready.val();
            self.record_former.stream_valid.next = self.stage.later_valid.val();
            self.record_former.end_code.next = self.stage.later_end_code.val();
            self.record_former.is_whole.next = self.stage.later_is_whole.val();
            self.record_former.length.next = self.stage.later_length.val();
            self.record_former.start.next = self.stage.later_start.val();
            self.record_former.inferred.next = self.stage.later_inferred.val();
            self.record_former.early_start.next = self.stage.early_start.val();
            self.record_former.early_length.next = self.stage.early_length.val();
        } else {
            self.is_empty.next = self.source.is_empty.val();
            self.source.stream_ready.next = self.record.ready.val();
            self.record_former.stream_valid.next = self.source.stream_valid.val();
            self.record_former.end_code.next = self.source.end_code.val();
            self.record_former.is_whole.next = self.source.is_whole.val();
            self.record_former.length.next = self.source.length.val();
            self.record_former.start.next = self.source.start.val();
            self.record_former.inferred.next = self.source.inferred.val();
        }
        self.record_former.record_ready.next = self.record.ready.val();
        self.record.valid.next = self.record_former.record_valid.val();
        self.record.word.next = self.record_former.record.val();
    }
}
