//! The Nexus-like module of one core: blocks in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::nexus::config::Config;
use tracewright_sim::nexus::layout::EXACT_CODE;
use tracewright_sim::stream_detector::End;

use super::target_coder::TargetCoder;
use crate::stream_detector::StreamDetector;

/// A record for every stream, in the clock of the block that ends it.
#[derive(LogicBlock)]
pub struct Encoder {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// Nothing here is cleared.
    pub clear: Wire<In>,
    /// Nothing here is cleared.
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
    /// No record waits inside.
    pub is_empty: Wire<Out>,
    /// There is a record.
    pub record_valid: Wire<Out>,
    /// The record.
    pub record: Wire<Out>,
    /// It is taken.
    pub record_ready: Wire<In>,
    stream_detector: StreamDetector,
    target_coder: TargetCoder,
    indirect: Wire<Local>,
    has_target: Wire<Local>,
    is_exact: Wire<Local>,
    coded: Wire<Local>,
    ends: Wire<Local>,
    code: Wire<Local>,
    exact_code: Param,
    exception_code: Param,
    flush_code: Param,
    flush_place: Param,
    cut_place: Param,
    coded_place: Param,
    has_length_place: Param,
    has_target_place: Param,
    below_place: Param,
    code_place: Param,
    length_place: Param,
    target_place: Param,
    _record_bits: usize,
}

impl Encoder {
    /// The module of `config`, which is valid.
    pub fn new(config: &Config, clear_bits: usize) -> Self {
        let address_width = config.processor.address_width as usize;
        let retired_bits = config.processor.retire_count_bits as usize;
        let format = config.format();
        let place = |name: &str| Param::new(format.place(name) as usize);
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
            record: Wire::new(format.bits() as usize),
            record_ready: Wire::new(1),
            stream_detector: StreamDetector::new(
                config.stream_length_bits as usize,
                retired_bits,
                false,
            ),
            target_coder: TargetCoder::new(config),
            indirect: Wire::new(1),
            has_target: Wire::new(1),
            is_exact: Wire::new(1).describe("a branch ends a stream of the longest length"),
            coded: Wire::new(1).describe("a length of 0 and a code begin the record"),
            ends: Wire::new(1).describe("a record besides a cut"),
            code: Wire::new(2),
            exact_code: Param::new(EXACT_CODE as usize),
            exception_code: code(End::Exception),
            flush_code: code(End::Flush),
            flush_place: place("flush"),
            cut_place: place("cut"),
            coded_place: place("coded"),
            has_length_place: place("has_length"),
            has_target_place: place("has_target"),
            below_place: place("below"),
            code_place: place("code"),
            length_place: place("length"),
            target_place: place("target"),
            _record_bits: format.bits() as usize,
        }
    }
}

impl Logic for Encoder {
    #[hdl_gen]
    fn update(&mut self) {
        self.stream_detector.domain.next = self.domain.val();
        self.target_coder.domain.next = self.domain.val();
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
        self.record.next = (bits_to(self.flush.val(), self._record_bits) << self.flush_place.val())
            | (bits_to(self.stream_detector.cut.val(), self._record_bits) << self.cut_place.val())
            | (bits_to(self.coded.val(), self._record_bits) << self.coded_place.val())
            | (bits_to(self.ends.val() & !self.is_exact.val(), self._record_bits)
                << self.has_length_place.val())
            | (bits_to(self.has_target.val(), self._record_bits) << self.has_target_place.val())
            | (bits_to(self.target_coder.below.val(), self._record_bits) << self.below_place.val())
            | (bits_to(self.code.val(), self._record_bits) << self.code_place.val())
            | (bits_to(self.stream_detector.length.val(), self._record_bits)
                << self.length_place.val())
            | (bits_to(self.target_coder.value.val(), self._record_bits)
                << self.target_place.val());
    }
}
