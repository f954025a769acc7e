//! The Nexus-like module of one core: blocks in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::encode::record::RecordFormat;
use tracewright_sim::nexus::config::Config;
use tracewright_sim::nexus::layout::EXACT_CODE;
use tracewright_sim::stream_detector::End;

use super::target_coder::TargetCoder;
use crate::encode::record::word_layout;
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
    /// A record for every stream, in the clock of the block that ends it.
    pub Encoder("encoder") of (config: &Config, clear_bits: usize) {
        let address_width = config.processor.address_width as usize;
        let retired_bits = config.processor.retire_count_bits as usize;
        let format = config.format();
        let code = |end: End| end.code().unwrap_or_default() as usize;
    }

    // Nothing here is cleared.
    in clear: 1;
    // Nothing here is cleared.
    in clear_index: clear_bits;
    /// a block retires; only when ready
    in retire: 1;
    // Its instructions.
    in count: retired_bits;
    // Byte address of its last instruction; not used.
    in program_counter: address_width;
    // Length of that instruction in bytes; not used.
    in length: 4;
    // What that instruction is.
    in branch_kind: 3;
    // It leaves a return address; not used.
    in call: 1;
    // It goes back to one; not used.
    in is_return: 1;
    // The flow changed.
    in taken: 1;
    // Where to.
    in target: address_width;
    /// make a flush record; only when ready
    in flush: 1;
    // A block or a flush is taken.
    out ready: 1;
    // No record waits inside.
    out is_empty: 1;
    // There is a record.
    out record_valid: 1;
    // The record.
    out record: Record(&format);
    // It is taken.
    in record_ready: 1;
    block stream_detector: StreamDetector(config.stream_length_bits as usize, retired_bits, false);
    block target_coder: TargetCoder(config);
    local indirect: 1;
    local has_target: 1;
    /// a branch ends a stream of the longest length
    local is_exact: 1;
    /// a length of 0 and a code begin the record
    local coded: 1;
    /// a record besides a cut
    local ends: 1;
    local code: 2;
    param exact_code = EXACT_CODE as usize;
    param exception_code = code(End::Exception);
    param flush_code = code(End::Flush);
}

impl Logic for Encoder {
    #[hdl_gen]
    fn update(&mut self) {
        self.ready.next = self.record_ready.val();
        self.is_empty.next = 1.into();

        self.stream_detector.retire.next = self.retire.val();
        self.stream_detector.count.next = self.count.val();
        self.stream_detector.branch_kind.next = self.branch_kind.val();
        self.stream_detector.taken.next = self.taken.val();
        self.stream_detector.flush.next = self.flush.val();
        self.indirect.next =
            bits_to(self.branch_kind.val() == 3, 1) | bits_to(self.branch_kind.val() == 4, 1);
        self.has_target.next = (self.stream_detector.branch_ends.val() & self.indirect.val())
            | self.stream_detector.excepts.val();
        self.target_coder.target.next = self.target.val();
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
        self.record_valid.next = self.ends.val() | self.stream_detector.cut.val();
        self.record.flush.next = self.flush.val();
        self.record.cut.next = self.stream_detector.cut.val();
        self.record.coded.next = self.coded.val();
        self.record.has_length.next = self.ends.val() & !self.is_exact.val();
        self.record.has_target.next = self.has_target.val();
        self.record.below.next = self.target_coder.below.val();
        self.record.code.next = self.code.val();
        self.record.length.next = self.stream_detector.length.val();
        self.record.target.next = self.target_coder.value.val();
    }
}
