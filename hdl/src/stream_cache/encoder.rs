//! The compressor of one core: blocks in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::stream_cache::config::Config;

use super::record_former::RecordFormer;
use crate::stream_source::StreamSource;

/// Streams are buffered for a clock; a record leaves in the clock in which its stream is looked up.
#[derive(LogicBlock)]
pub struct Encoder {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// The tables are being cleared.
    pub clear: Wire<In>,
    /// The entry to clear, in its lower bits.
    pub clear_index: Wire<In>,
    /// A block retires; only when `ready`.
    pub retire: Wire<In>,
    /// Its instructions.
    pub count: Wire<In>,
    /// Byte address of its last instruction; not used.
    pub program_counter: Wire<In>,
    /// Length of that instruction in bytes; not used.
    pub length: Wire<In>,
    /// What that instruction is.
    pub branch_kind: Wire<In>,
    /// It leaves a return address; not used.
    pub call: Wire<In>,
    /// It goes back to one; not used.
    pub is_return: Wire<In>,
    /// The flow changed.
    pub taken: Wire<In>,
    /// Where to.
    pub target: Wire<In>,
    /// Make a flush record; only when `ready`, and never together with `retire`.
    pub flush: Wire<In>,
    /// A block or a flush is taken.
    pub ready: Wire<Out>,
    /// No stream waits inside.
    pub is_empty: Wire<Out>,
    /// There is a record.
    pub record_valid: Wire<Out>,
    /// The record.
    pub record: Wire<Out>,
    /// It is taken.
    pub record_ready: Wire<In>,
    source: StreamSource,
    record_former: RecordFormer,
}

impl Encoder {
    /// The compressor of `config`, which is valid, with a clear index of `clear_bits`.
    pub fn new(config: &Config, clear_bits: usize) -> Self {
        let processor = &config.processor;
        let address_width = processor.address_width as usize;
        Self {
            kind: Kind::plain("encoder"),
            domain: Domain::new(),
            clear: Wire::new(1),
            clear_index: Wire::new(clear_bits),
            retire: Wire::new(1).describe("a block retires; only when ready"),
            count: Wire::new(processor.retire_count_bits as usize),
            program_counter: Wire::new(address_width),
            length: Wire::new(4),
            branch_kind: Wire::new(3),
            call: Wire::new(1),
            is_return: Wire::new(1),
            taken: Wire::new(1),
            target: Wire::new(address_width),
            flush: Wire::new(1).describe("make a flush record; only when ready"),
            ready: Wire::new(1),
            is_empty: Wire::new(1),
            record_valid: Wire::new(1),
            record: Wire::new(config.format().bits() as usize),
            record_ready: Wire::new(1),
            source: StreamSource::new(&config.cache, processor, true),
            record_former: RecordFormer::new(config, clear_bits),
        }
    }
}

impl Logic for Encoder {
    #[hdl_gen]
    fn update(&mut self) {
        self.source.domain.next = self.domain.val();
        self.record_former.domain.next = self.domain.val();

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
