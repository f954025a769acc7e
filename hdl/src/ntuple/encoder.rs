//! The compressor of one core: blocks in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::ntuple::config::Config;

use super::trace_output_controller::TraceOutputController;
use crate::parts::ports::{Clear, RetiredBlock, Stream};
use crate::parts::predictor_table::Reading;
use crate::parts::stream_stage::StreamStage;
use crate::stream_cache::stream_cache::StreamCache;
use crate::stream_source::StreamSource;

block! {
    /// Streams are buffered for one cycle; a record leaves in the cycle in which its stream is looked up.
    ///
    /// Where tables are read through registers, a stage holds the stream for that cycle.
    pub Encoder("encoder") of (config: &Config, clear_bits: usize) {
        let (processor, shape) = (&config.processor, &config.cache);
        let searches = config.searches();
        let reading = Reading::of(shape.memory_style, &config.port);
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
    block source: StreamSource(shape, processor, false);
    block stage: StreamStage(shape, processor, false) if shape.is_synchronous();
    block cache: StreamCache(shape, processor, processor.instruction_address_bits() as usize, reading, clear_bits);
    block controller: TraceOutputController(config, clear_bits);
    /// the stream at the front can leave
    local goes: 1;
    local take: 1;
    param searches = searches;
    param is_synchronous = shape.is_synchronous();
}

impl Logic for Encoder {
    #[hdl_gen]
    fn update(&mut self) {
        connect::join(&mut self.retire, &mut self.source.retire);
        self.source.flush.next = self.flush.val();
        self.ready.next = self.source.ready.val();
        self.goes.next = self.record.ready.val();
        if self.searches.val() == 1 {
            self.goes.next = self.record.ready.val() & self.controller.is_found.val();
            self.controller.clear_valid.next = self.clear.valid.val();
            self.controller.clear_index.next = self.clear.index.val();
        }
        connect::join(&mut self.clear, &mut self.cache.clear);
        if self.is_synchronous.val() == 1 {
            self.is_empty.next = self.source.is_empty.val() & !self.stage.later_valid.val();
            self.source.stream_ready.next = self.stage.ready.val();
            self.stage.valid.next = self.source.stream_valid.val();
            self.stage.end_code.next = self.source.end_code.val();
            self.stage.is_whole.next = self.source.is_whole.val();
            self.stage.length.next = self.source.length.val();
            self.stage.start.next = self.source.start.val();
            self.stage.later_ready.next = self.goes.val();
            self.cache.start.next = self.stage.early_start.val();
            self.cache.length.next = self.stage.early_length.val();
            self.controller.stream_valid.next = self.stage.later_valid.val();
            self.controller.end_code.next = self.stage.later_end_code.val();
            self.controller.is_whole.next = self.stage.later_is_whole.val();
            self.controller.length.next = self.stage.later_length.val();
            self.controller.start.next = self.stage.later_start.val();
            self.take.next = self.stage.later_valid.val() & self.goes.val();
            self.cache.update.next = self.take.val() & self.stage.later_is_whole.val();
        } else {
            self.is_empty.next = self.source.is_empty.val();
            self.source.stream_ready.next = self.goes.val();
            self.cache.start.next = self.source.start.val();
            self.cache.length.next = self.source.length.val();
            self.controller.stream_valid.next = self.source.stream_valid.val();
            self.controller.end_code.next = self.source.end_code.val();
            self.controller.is_whole.next = self.source.is_whole.val();
            self.controller.length.next = self.source.length.val();
            self.controller.start.next = self.source.start.val();
            self.take.next = self.source.stream_valid.val() & self.goes.val();
            self.cache.update.next = self.take.val() & self.source.is_whole.val();
        }
        self.controller.cache_hit.next = self.cache.found.val();
        self.controller.cache_index.next = self.cache.index.val();
        self.controller.take.next = self.take.val();
        self.record.valid.next = self.controller.record_valid.val();
        self.record.word.next = self.controller.record.val();
    }
}
