//! The compressor of one core: blocks in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::stream_cache::config::Config;

use super::record_former::RecordFormer;
use crate::stream_source::StreamSource;

block! {
    /// Streams are buffered for a clock; a record leaves in the clock in which its stream is looked up.
    pub Encoder("encoder") of (config: &Config, clear_bits: usize) {
        let processor = &config.processor;
        let address_width = processor.address_width as usize;
    }

    // The tables are being cleared.
    in clear: 1;
    // The entry to clear, in its lower bits.
    in clear_index: clear_bits;
    /// a block retires; only when ready
    in retire: 1;
    // Its instructions.
    in count: processor.retire_count_bits as usize;
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
    // No stream waits inside.
    out is_empty: 1;
    // There is a record.
    out record_valid: 1;
    // The record.
    out record: config.format().bits() as usize;
    // It is taken.
    in record_ready: 1;
    block source: StreamSource(&config.cache, processor, true);
    block record_former: RecordFormer(config, clear_bits);
}

impl Logic for Encoder {
    #[hdl_gen]
    fn update(&mut self) {
        self.source.retire.next = self.retire.val();
        self.source.count.next = self.count.val();
        self.source.branch_kind.next = self.branch_kind.val();
        self.source.taken.next = self.taken.val();
        self.source.target.next = self.target.val();
        self.source.flush.next = self.flush.val();
        self.ready.next = self.source.ready.val();
        self.is_empty.next = self.source.is_empty.val();
        self.source.stream_ready.next = self.record_ready.val();

        self.record_former.clear.next = self.clear.val();
        self.record_former.clear_index.next = self.clear_index.val();
        self.record_former.stream_valid.next = self.source.stream_valid.val();
        self.record_former.ending.next = self.source.code.val();
        self.record_former.is_whole.next = self.source.is_whole.val();
        self.record_former.length.next = self.source.length.val();
        self.record_former.start.next = self.source.start.val();
        self.record_former.inferred.next = self.source.inferred.val();
        self.record_former.record_ready.next = self.record_ready.val();
        self.record_valid.next = self.record_former.record_valid.val();
        self.record.next = self.record_former.record.val();
    }
}
