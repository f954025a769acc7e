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
    block stage: StreamStage(shape, processor, false) if reading;
    block cache: StreamCache(shape, processor, processor.instruction_address_bits() as usize, reading, clear_bits);
    block controller: TraceOutputController(config, clear_bits);
    /// the stream at the front can leave
    local goes: 1;
    local take: 1;
    param searches = searches;
    param has_stage = reading;
}

#[kernel]
impl Logic for Encoder {
    fn update(&mut self) {
        join(retire, source.retire);
        source.flush = flush;
        ready = source.ready;
        goes = record.ready;
        if when(searches) {
            goes = record.ready & controller.is_found;
            controller =
                TraceOutputController { clear_valid: clear.valid, clear_index: clear.index };
        }
        join(clear, cache.clear);
        if when(has_stage) {
            is_empty = source.is_empty & !stage.later_valid;
            source.stream_ready = stage.ready;
            stage = StreamStage {
                valid: source.stream_valid,
                end_code: source.end_code,
                is_whole: source.is_whole,
                length: source.length,
                start: source.start,
                later_ready: goes,
            };
            cache = StreamCache { start: stage.early_start, length: stage.early_length };
            controller = TraceOutputController {
                stream_valid: stage.later_valid,
                end_code: stage.later_end_code,
                is_whole: stage.later_is_whole,
                length: stage.later_length,
                start: stage.later_start,
            };
            take = stage.later_valid & goes;
            cache.update = take & stage.later_is_whole;
        } else {
            is_empty = source.is_empty;
            source.stream_ready = goes;
            cache = StreamCache { start: source.start, length: source.length };
            controller = TraceOutputController {
                stream_valid: source.stream_valid,
                end_code: source.end_code,
                is_whole: source.is_whole,
                length: source.length,
                start: source.start,
            };
            take = source.stream_valid & goes;
            cache.update = take & source.is_whole;
        }
        controller =
            TraceOutputController { cache_hit: cache.found, cache_index: cache.index, take };
        record = Stream { valid: controller.record_valid, word: controller.record };
    }
}
