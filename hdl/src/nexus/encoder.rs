//! The Nexus-like module of one core: blocks in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::encode::record::RecordFormat;
use tracewright_sim::nexus::config::Config;
use tracewright_sim::nexus::layout::EXACT_CODE;
use tracewright_sim::stream_detector::End;

use super::target_coder::TargetCoder;
use crate::encode::record::word_layout;
use crate::parts::ports::{Clear, RetiredBlock, Stream};
use crate::stream_detector::StreamDetector;

packed! {
    /// A record on its way to the encoder (`tracewright_sim::nexus::layout`).
    pub Record of (format: &RecordFormat) {
        let layout = word_layout(format, Self::FIELDS);
    }
    flush;
    cut;
    coded;
    has_length;
    has_target;
    below;
    code;
    length;
    target;
}

block! {
    /// Forms a record for every stream, in the cycle of the block that ends it.
    pub Encoder("encoder") of (config: &Config, clear_bits: usize) {
        let format = config.format();
        let code = |end: End| end.code().unwrap_or_default() as usize;
    }

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
    out record: Stream(format.bits());
    local formed: Record(&format);
    block stream_detector: StreamDetector(&config.processor, config.stream_length_bits as usize, false);
    block target_coder: TargetCoder(config);
    local has_target: 1;
    /// a branch ends a stream of the longest length
    local is_exact: 1;
    /// a length of 0 and a code begin the record
    local coded: 1;
    /// a record besides a cut
    local ends: 1;
    local code: 2;
    constant exact_code: 2 = EXACT_CODE as usize;
    constant exception_code: 2 = code(End::Exception);
    constant flush_code: 2 = code(End::Flush);
}

#[kernel]
impl Logic for Encoder {
    fn update(&mut self) {
        ready = record.ready;
        is_empty = 1;

        join(retire, stream_detector.retire);
        stream_detector.flush = flush;
        has_target = (stream_detector.branch_ends & retire.indirect) | stream_detector.excepts;
        target_coder = TargetCoder { target: retire.target, send: has_target };

        // The longest length is written for a cut stream, so a branch there needs a code.
        is_exact = 0;
        if stream_detector.length.all() {
            is_exact = stream_detector.branch_ends;
        }
        coded = stream_detector.excepts | flush | is_exact;
        ends = coded | stream_detector.branch_ends;
        code = exception_code;
        if is_exact {
            code = exact_code;
        } else if flush {
            code = flush_code;
        }
        record.valid = ends | stream_detector.cut;
        formed = Record {
            flush,
            cut: stream_detector.cut,
            coded,
            has_length: ends & !is_exact,
            has_target,
            below: target_coder.below,
            code,
            length: stream_detector.length,
            target: target_coder.value,
        };
        record.word = formed;
    }
}
