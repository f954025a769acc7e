//! How a record travels from the record former to the encoder: one word, fields side by side.

use tracewright_elaborate::prelude::*;
use tracewright_sim::traptor::config::Config;
use tracewright_sim::traptor::layout::Extended;

/// Flags of a record, in the lowest bits of its word.
pub mod flags {
    /// The record begins with the escape.
    pub const ESCAPE: usize = 0;
    /// The code behind the escape, two bits.
    pub const EXTENDED: usize = 1;
    /// An exception record.
    pub const EXCEPTION: usize = 3;
    /// The outcome bit is sent.
    pub const OUTCOME: usize = 4;
    /// Its value.
    pub const TAKEN: usize = 5;
    /// The target difference is sent.
    pub const TARGET: usize = 6;
    /// Its sign.
    pub const BELOW: usize = 7;
    /// An instruction count overflow goes first.
    pub const OVERFLOW_FIRST: usize = 8;
    /// All of them.
    pub const BITS: usize = 9;
}

/// Widths and places of the fields above the flags.
#[derive(Clone, Copy, Debug)]
pub struct RecordWord {
    /// Width of the count: branches or instructions.
    pub count_bits: usize,
    /// Width of the target difference.
    pub difference_bits: usize,
}

impl RecordWord {
    /// The word that `config` needs.
    pub fn new(config: &Config) -> Self {
        let count_bits = config.branch_count_bits.max(config.instruction_count_bits) as usize;
        Self { count_bits, difference_bits: config.processor.instruction_address_bits() as usize }
    }

    /// Where the difference begins.
    pub fn difference_offset(&self) -> usize {
        flags::BITS + self.count_bits
    }

    /// Bits of the whole word: `Config::record_bits` of the golden model's configuration.
    pub fn bits(&self) -> usize {
        self.difference_offset() + self.difference_bits
    }
}

/// Takes a record's word apart.
#[derive(LogicBlock)]
pub struct RecordFields {
    kind: Kind,
    /// The word.
    pub record: Wire<In>,
    /// The record begins with the escape.
    pub escape: Wire<Out>,
    /// The code behind the escape.
    pub extended: Wire<Out>,
    /// It is a flush record.
    pub is_flush: Wire<Out>,
    /// It is an exception record.
    pub exception: Wire<Out>,
    /// The outcome bit is sent.
    pub sends_outcome: Wire<Out>,
    /// The outcome bit.
    pub taken: Wire<Out>,
    /// The target difference is sent.
    pub sends_target: Wire<Out>,
    /// Its sign.
    pub below: Wire<Out>,
    /// An instruction count overflow goes first.
    pub overflow_first: Wire<Out>,
    /// The branch count, 0 in exception records and behind the escape.
    pub branch_count: Wire<Out>,
    /// The instruction count, in exception and flush records.
    pub instruction_count: Wire<Out>,
    /// The target difference.
    pub difference: Wire<Out>,
    extended_place: Param,
    exception_place: Param,
    outcome_place: Param,
    taken_place: Param,
    target_place: Param,
    below_place: Param,
    overflow_place: Param,
    count_place: Param,
    difference_place: Param,
    flush_code: Param,
    _branch_bits: usize,
    _instruction_bits: usize,
    _difference_bits: usize,
}

impl RecordFields {
    /// The fields of the records of `config`.
    pub fn new(config: &Config) -> Self {
        let word = RecordWord::new(config);
        let branch_bits = config.branch_count_bits as usize;
        let instruction_bits = config.instruction_count_bits as usize;
        Self {
            kind: Kind::new(
                "record_fields",
                [
                    ("branch_count_bits", branch_bits),
                    ("instruction_count_bits", instruction_bits),
                    ("difference_bits", word.difference_bits),
                ],
            ),
            record: Wire::new(word.bits()),
            escape: Wire::new(1),
            extended: Wire::new(2),
            is_flush: Wire::new(1),
            exception: Wire::new(1),
            sends_outcome: Wire::new(1),
            taken: Wire::new(1),
            sends_target: Wire::new(1),
            below: Wire::new(1),
            overflow_first: Wire::new(1),
            branch_count: Wire::new(branch_bits).describe("0 unless it is a misprediction"),
            instruction_count: Wire::new(instruction_bits),
            difference: Wire::new(word.difference_bits),
            extended_place: Param::new(flags::EXTENDED),
            exception_place: Param::new(flags::EXCEPTION),
            outcome_place: Param::new(flags::OUTCOME),
            taken_place: Param::new(flags::TAKEN),
            target_place: Param::new(flags::TARGET),
            below_place: Param::new(flags::BELOW),
            overflow_place: Param::new(flags::OVERFLOW_FIRST),
            count_place: Param::new(flags::BITS),
            difference_place: Param::new(word.difference_offset()),
            flush_code: Param::new(Extended::Flush as usize),
            _branch_bits: branch_bits,
            _instruction_bits: instruction_bits,
            _difference_bits: word.difference_bits,
        }
    }
}

impl Logic for RecordFields {
    #[hdl_gen]
    fn update(&mut self) {
        self.escape.next = bits_to(self.record.val(), 1);
        self.extended.next = bits_to(self.record.val() >> self.extended_place.val(), 2);
        self.is_flush.next =
            self.escape.val() & bits_to(self.extended.val() == self.flush_code.val(), 1);
        self.exception.next = bits_to(self.record.val() >> self.exception_place.val(), 1);
        self.sends_outcome.next = bits_to(self.record.val() >> self.outcome_place.val(), 1);
        self.taken.next = bits_to(self.record.val() >> self.taken_place.val(), 1);
        self.sends_target.next = bits_to(self.record.val() >> self.target_place.val(), 1);
        self.below.next = bits_to(self.record.val() >> self.below_place.val(), 1);
        self.overflow_first.next = bits_to(self.record.val() >> self.overflow_place.val(), 1);
        // Zero begins an exception record, and with a second chunk the escape.
        self.branch_count.next =
            bits_to(self.record.val() >> self.count_place.val(), self._branch_bits);
        if self.escape.val().any() || self.exception.val().any() {
            self.branch_count.next = 0.into();
        }
        self.instruction_count.next =
            bits_to(self.record.val() >> self.count_place.val(), self._instruction_bits);
        self.difference.next =
            bits_to(self.record.val() >> self.difference_place.val(), self._difference_bits);
    }
}
