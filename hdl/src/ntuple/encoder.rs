//! The compressor of one core: blocks in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::ntuple::config::Config;

use super::trace_output_controller::TraceOutputController;
use crate::stream_cache::stream_cache::StreamCache;
use crate::stream_source::StreamSource;

block! {
    /// Streams are buffered for a clock; a record leaves in the clock in which its stream is looked up.
    pub Encoder("encoder") of (config: &Config, clear_bits: usize) {
        let (processor, shape) = (&config.processor, &config.cache);
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
    block source: StreamSource(shape, processor, false);
    block cache: StreamCache(shape, processor, processor.instruction_address_bits() as usize, clear_bits);
    block controller: TraceOutputController(config);
    local take: 1;
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
        self.take.next = self.source.stream_valid.val() & self.record_ready.val();
        self.source.stream_ready.next = self.record_ready.val();

        self.cache.clear.next = self.clear.val();
        self.cache.clear_index.next = self.clear_index.val();
        self.cache.start.next = self.source.start.val();
        self.cache.length.next = self.source.length.val();
        self.cache.update.next = self.take.val() & self.source.is_whole.val();

        self.controller.stream_valid.next = self.source.stream_valid.val();
        self.controller.code.next = self.source.code.val();
        self.controller.is_whole.next = self.source.is_whole.val();
        self.controller.length.next = self.source.length.val();
        self.controller.start.next = self.source.start.val();
        self.controller.cache_hit.next = self.cache.found.val();
        self.controller.cache_index.next = self.cache.index.val();
        self.controller.take.next = self.take.val();
        self.record_valid.next = self.controller.record_valid.val();
        self.record.next = self.controller.record.val();
    }
}
