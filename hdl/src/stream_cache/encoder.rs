//! The compressor of streams: blocks in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::stream_cache::config::Config;
use tracewright_sim::stream_detector::End;

use super::record_former::{BRANCH_END, RecordFormer};
use crate::encode::fifo::Fifo;
use crate::stream_detector::StreamDetector;

/// Stream detector, stream buffer and record former.
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
    stream_detector: StreamDetector,
    stream_buffer: Fifo,
    record_former: RecordFormer,
    start: Reg,
    inferred: Reg,
    leads_on: Wire<Local>,
    ending: Wire<Local>,
    stream: Wire<Local>,
    longest: Param,
    branch_end: Param,
    exception_code: Param,
    flush_code: Param,
    alignment: Param,
    cut_place: Param,
    end_place: Param,
    length_place: Param,
    start_place: Param,
    _start_bits: usize,
    _length_bits: usize,
    _stream_bits: usize,
}

impl Encoder {
    /// The compressor of `config`, which is valid, with a clear index of `clear_bits`.
    pub fn new(config: &Config, clear_bits: usize) -> Self {
        let address_width = config.processor.address_width as usize;
        let start_bits = config.processor.instruction_address_bits() as usize;
        let length_bits = config.cache.stream_length_bits as usize;
        let retired_bits = config.processor.retire_count_bits as usize;
        let stream_bits = config.cache.stream_bits(&config.processor) as usize;
        let code = |end: End| Param::new(end.code().unwrap_or_default() as usize);
        Self {
            kind: Kind::plain("encoder"),
            domain: Domain::new(),
            clear: Wire::new(1),
            clear_index: Wire::new(clear_bits),
            retire: Wire::new(1).describe("a block retires; only when ready"),
            count: Wire::new(retired_bits),
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
            stream_detector: StreamDetector::new(length_bits, retired_bits, false),
            stream_buffer: Fifo::new(config.cache.stream_buffer_depth as usize, stream_bits),
            record_former: RecordFormer::new(config, clear_bits),
            start: Reg::new(start_bits, 0).describe("of the stream at hand"),
            inferred: Reg::new(1, 1).describe("that can be inferred"),
            leads_on: Wire::new(1).describe("the next stream starts at the target"),
            ending: Wire::new(2),
            stream: Wire::new(stream_bits),
            longest: Param::new((1usize << length_bits) - 1),
            branch_end: Param::new(BRANCH_END),
            exception_code: code(End::Exception),
            flush_code: code(End::Flush),
            alignment: Param::new(config.processor.alignment as usize),
            cut_place: Param::new(1),
            end_place: Param::new(2),
            length_place: Param::new(4),
            start_place: Param::new(4 + length_bits),
            _start_bits: start_bits,
            _length_bits: length_bits,
            _stream_bits: stream_bits,
        }
    }
}

impl Logic for Encoder {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, start, inferred);
        self.stream_detector.domain.next = self.domain.val();
        self.stream_buffer.domain.next = self.domain.val();
        self.record_former.domain.next = self.domain.val();
        self.ready.next = self.stream_buffer.in_ready.val();
        self.is_empty.next = !self.stream_buffer.out_valid.val();

        self.stream_detector.retire.next = self.retire.val();
        self.stream_detector.count.next = self.count.val();
        self.stream_detector.branch_kind.next = self.branch_kind.val();
        self.stream_detector.taken.next = self.taken.val();
        self.stream_detector.flush.next = self.flush.val();
        self.leads_on.next =
            self.stream_detector.branch_ends.val() | self.stream_detector.excepts.val();
        self.ending.next = 0.into();
        if self.stream_detector.branch_ends.val().any() {
            self.ending.next = self.branch_end.val();
        } else if self.stream_detector.excepts.val().any() {
            self.ending.next = self.exception_code.val();
        } else if self.flush.val().any() {
            self.ending.next = self.flush_code.val();
        }
        self.stream.next = bits_to(self.inferred.q.val(), self._stream_bits)
            | (bits_to(self.stream_detector.cut.val(), self._stream_bits) << self.cut_place.val())
            | (bits_to(self.ending.val(), self._stream_bits) << self.end_place.val())
            | (bits_to(self.stream_detector.length.val(), self._stream_bits)
                << self.length_place.val())
            | (bits_to(self.start.q.val(), self._stream_bits) << self.start_place.val());
        self.stream_buffer.in_valid.next =
            self.stream_detector.cut.val() | self.leads_on.val() | self.flush.val();
        self.stream_buffer.in_word.next = self.stream.val();

        // Where the next stream starts. A cut one is followed by one so many units on.
        if self.stream_detector.cut.val().any() {
            self.start.d.next = self.start.q.val() + bits_to(self.longest.val(), self._start_bits);
            self.inferred.d.next = 1.into();
        }
        if self.flush.val().any() {
            self.inferred.d.next = 1.into();
        }
        if self.leads_on.val().any() {
            self.start.d.next =
                bits_to(self.target.val() >> self.alignment.val(), self._start_bits);
            self.inferred.d.next = bits_to(self.branch_kind.val() == 2, 1);
        }

        self.record_former.clear.next = self.clear.val();
        self.record_former.clear_index.next = self.clear_index.val();
        self.record_former.stream_valid.next = self.stream_buffer.out_valid.val();
        self.record_former.inferred.next = bits_to(self.stream_buffer.out_word.val(), 1);
        self.record_former.cut.next =
            bits_to(self.stream_buffer.out_word.val() >> self.cut_place.val(), 1);
        self.record_former.ending.next =
            bits_to(self.stream_buffer.out_word.val() >> self.end_place.val(), 2);
        self.record_former.length.next = bits_to(
            self.stream_buffer.out_word.val() >> self.length_place.val(),
            self._length_bits,
        );
        self.record_former.start.next =
            bits_to(self.stream_buffer.out_word.val() >> self.start_place.val(), self._start_bits);
        self.stream_buffer.out_ready.next = self.record_former.stream_ready.val();
        self.record_former.record_ready.next = self.record_ready.val();
        self.record_valid.next = self.record_former.record_valid.val();
        self.record.next = self.record_former.record.val();
    }
}
