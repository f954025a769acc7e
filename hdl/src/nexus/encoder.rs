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

impl Logic for Encoder {
    #[hdl_gen]
    fn update(&mut self) {
        self.ready.next = self.record.ready.val();
        self.is_empty.next = 1.into();

        connect::join(&mut self.retire, &mut self.stream_detector.retire);
        self.stream_detector.flush.next = self.flush.val();
        self.has_target.next = (self.stream_detector.branch_ends.val()
            & self.retire.indirect.val())
            | self.stream_detector.excepts.val();
        self.target_coder.target.next = self.retire.target.val();
        self.target_coder.send.next = self.has_target.val();

        // The longest length is written for a cut stream, so a branch there needs a code.
        self.is_exact.next = 0.into();
        if self.stream_detector.length.val().all() {
            self.is_exact.next = self.stream_detector.branch_ends.val();
        }
        self.coded.next =
            self.stream_detector.excepts.val() | self.flush.val() | self.is_exact.val();
        self.ends.next = self.coded.val() | self.stream_detector.branch_ends.val();
        self.code.next = self.exception_code.val();
        if self.is_exact.val().any() {
            self.code.next = self.exact_code.val();
        } else if self.flush.val().any() {
            self.code.next = self.flush_code.val();
        }
        self.record.valid.next = self.ends.val() | self.stream_detector.cut.val();
        self.formed.flush.next = self.flush.val();
        self.formed.cut.next = self.stream_detector.cut.val();
        self.formed.coded.next = self.coded.val();
        self.formed.has_length.next = self.ends.val() & !self.is_exact.val();
        self.formed.has_target.next = self.has_target.val();
        self.formed.below.next = self.target_coder.below.val();
        self.formed.code.next = self.code.val();
        self.formed.length.next = self.stream_detector.length.val();
        self.formed.target.next = self.target_coder.value.val();
        self.record.word.next = self.formed.val();
    }
}
