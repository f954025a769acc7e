//! Operations through the range coder: what each sends.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::mask;
use tracewright_sim::encode::record::RecordFormat;
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::config::sizes::MOST_CHUNKS;

use super::operation::Operation;
use crate::encode::record::word_layout;
use crate::parts::ports::Stream;
use crate::talon::range_coder::RangeCoder;

packed! {
    /// What one step of the coder sends (`tracewright_sim::talon::layout`).
    pub Record of (format: &RecordFormat) {
        let layout = word_layout(format, Self::FIELDS);
    }
    flush;
    sends_code;
    sends_carry;
    sends_escape;
    sends_count;
    sends_detour;
    sends_address;
    code;
    code_bits;
    ones;
    carry_bits;
    escape;
    count;
    detour;
    detour_bits;
    address;
    address_bits;
}

block! {
    /// Makes the record of an operation. Most of them send nothing.
    pub Coding("coding") of (config: &Config) {
        let operation_bits = Operation::<View>::new(config).width();
        let format = config.format();
        let size_bits = format.width("address_bits") as usize;
        let sent = |chunk: u32| Word::new(size_bits, (config.address_bits(chunk) - config.guard_bits).into());
    }

    in operation: Stream(operation_bits);
    out record: Stream(format.bits());
    block range_coder: RangeCoder(config);
    view now: Operation(config);
    local word: Record(&format);
    local sends: 1;
    local takes: 1;
    param two_cycles = usize::from(config.codes_in_two_cycles());
    param chunk_value = chunk for chunk in 0..=MOST_CHUNKS;
    param sent_bits = sent(chunk) for chunk in 0..=MOST_CHUNKS;
    param escape_ones = Word::new(
        format.width("escape") as usize,
        mask(config.escape_ones) << config.low_bits()
    );
    param kind_place = config.escape_code_bits() as usize;
    param guard_bits = config.guard_bits as usize;
}

impl Logic for Coding {
    #[hdl_gen]
    fn update(&mut self) {
        self.now.next = self.operation.word.val();
        self.range_coder.has_symbol.next = self.now.has_symbol.val();
        self.range_coder.wrong.next = self.now.wrong.val();
        self.range_coder.confidence.next = self.now.confidence.val();
        self.range_coder.escape.next = self.now.escape.val();
        self.range_coder.has_detour.next = self.now.has_detour.val();
        self.range_coder.has_other.next = self.now.has_other.val();
        self.range_coder.is_other.next = self.now.is_other.val();
        self.range_coder.chunks.next = self.now.chunks.val();
        // The coder holds back the lowest bits of an address, or the instructions of a short escape.
        self.range_coder.has_guard.next =
            self.now.has_address.val() | (self.now.escape.val() & !self.now.flush.val());
        self.range_coder.guard.next =
            bits_to(self.now.instructions.val(), self.range_coder.guard.width());
        if self.now.has_address.val().any() {
            self.range_coder.guard.next =
                bits_to(self.now.difference.val(), self.range_coder.guard.width());
        }

        self.word.flush.next = self.now.flush.val();
        self.word.sends_code.next =
            self.now.has_symbol.val() & bits_to(self.range_coder.code_count.val().any(), 1);
        self.word.sends_carry.next = self.now.has_symbol.val() & self.range_coder.carries.val();
        self.word.sends_detour.next =
            self.now.has_detour.val() | (self.now.escape.val() & self.now.has_address.val());
        self.word.sends_escape.next = self.now.escape.val();
        self.word.sends_count.next =
            self.now.flush.val() | (self.now.escape.val() & self.now.has_address.val());
        self.word.code.next = self.range_coder.code.val();
        self.word.code_bits.next = self.range_coder.code_count.val();
        self.word.ones.next = self.range_coder.ones.val();
        self.word.carry_bits.next = self.range_coder.carry_bits.val();
        self.word.detour.next = self.range_coder.detour.val();
        self.word.detour_bits.next = self.range_coder.detour_count.val();
        self.word.escape.next = bits_to(self.range_coder.highest.val(), self.word.escape.width())
            | self.escape_ones.val()
            | (bits_to(self.now.escape_kind.val(), self.word.escape.width())
                << self.kind_place.val());
        self.word.count.next = self.now.instructions.val();
        self.word.address_bits.next = 0.into();
        for chunk in 0..self.sent_bits.len() {
            if self.now.chunks.val() == self.chunk_value[chunk].val() {
                self.word.address_bits.next = self.sent_bits[chunk].val();
            }
        }
        self.word.address.next =
            bits_to(self.now.difference.val() >> self.guard_bits.val(), self.word.address.width());
        self.word.sends_address.next =
            self.now.has_address.val() & bits_to(self.word.address_bits.val().any(), 1);

        self.sends.next = self.word.sends_code.val()
            | self.word.sends_detour.val()
            | self.word.sends_escape.val();
        self.record.word.next = self.word.val();
        if self.two_cycles.val() == 1 {
            self.range_coder.valid.next = self.operation.valid.val();
            self.record.valid.next = self.range_coder.is_second.val() & self.sends.val();
            self.takes.next = self.range_coder.is_plain.val()
                | (self.range_coder.is_second.val()
                    & (self.record.ready.val() | !self.sends.val()));
        } else {
            self.record.valid.next = self.operation.valid.val() & self.sends.val();
            self.takes.next = self.record.ready.val() | !self.sends.val();
        }
        self.operation.ready.next = self.takes.val();
        self.range_coder.step.next = self.operation.valid.val() & self.takes.val();
    }
}
