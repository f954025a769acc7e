//! The compressor of one core: blocks in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::stream_cache::config::Config;

use super::record_former::RecordFormer;
use crate::parts::ports::{Clear, RetiredBlock, Stream};
use crate::parts::predictor_table::Reading;
use crate::parts::stream_stage::StreamStage;
use crate::stream_source::StreamSource;

block! {
    /// Streams are buffered for one cycle; a record leaves in the cycle in which its stream is looked up.
    ///
    /// Where tables are read through registers, a stage holds the stream for that cycle.
    pub Encoder("encoder") of (config: &Config, clear_bits: usize) {
        let processor = &config.processor;
        let reading = Reading::of(config.cache.memory_style, &config.port);
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
    block stage: StreamStage(&config.cache, processor, true) if reading;
    block record_former: RecordFormer(config, clear_bits);
    param has_stage = reading;
}

#[kernel]
impl Logic for Encoder {
    fn update(&mut self) {
        join(retire, source.retire);
        source.flush = flush;
        ready = source.ready;
        join(clear, record_former.clear);
        if when(has_stage) {
            is_empty = source.is_empty & !stage.later_valid;
            source.stream_ready = stage.ready;
            stage = StreamStage {
                valid: source.stream_valid,
                end_code: source.end_code,
                is_whole: source.is_whole,
                length: source.length,
                start: source.start,
                inferred: source.inferred,
                later_ready: record.ready,
            };
            record_former = RecordFormer {
                stream_valid: stage.later_valid,
                end_code: stage.later_end_code,
                is_whole: stage.later_is_whole,
                length: stage.later_length,
                start: stage.later_start,
                inferred: stage.later_inferred,
                early_start: stage.early_start,
                early_length: stage.early_length,
            };
        } else {
            is_empty = source.is_empty;
            source.stream_ready = record.ready;
            record_former = RecordFormer {
                stream_valid: source.stream_valid,
                end_code: source.end_code,
                is_whole: source.is_whole,
                length: source.length,
                start: source.start,
                inferred: source.inferred,
            };
        }
        record_former.record_ready = record.ready;
        record = Stream { valid: record_former.record_valid, word: record_former.record };
    }
}
