//! Steps in their order through the range coder: what each sends.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{index_bits, mask};
use tracewright_sim::encode::record::RecordFormat;
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::layout::{CHUNKS_BITS, ESCAPE_KIND_BITS};

use super::Step;
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
    sends_detour;
    sends_address;
    code;
    code_bits;
    ones;
    carry_bits;
    escape;
    escape_body;
    detour;
    detour_bits;
    address;
    address_bits;
}

block! {
    /// Codes the symbols and escapes of a step one per cycle. Most of them send nothing.
    pub Coding("coding") of (config: &Config) {
        let address_bits = config.processor.instruction_address_bits() as usize;
        let confidence_bits = index_bits(config.most_confidence + 1) as usize;
        let count_bits = config.instruction_count_bits as usize;
        let step_bits = Step::<View>::new(confidence_bits, count_bits, address_bits).width();
        let format = config.format();
        let most_chunks = 7u32;
        let chunk_begin = |chunk: u32| config.address_bits(chunk) as usize;
        let size_bits = format.width("address_bits") as usize;
        let sent = |chunk: u32| Word::new(size_bits, (config.address_bits(chunk) - config.guard_bits).into());
    }

    in step: Stream(step_bits);
    out record: Stream(format.bits());
    block range_coder: RangeCoder(config);
    view now: Step(confidence_bits, count_bits, address_bits);
    local word: Record(&format);
    /// the overflow that goes first is over
    reg did_overflow: 1;
    /// the outcome's symbol is over
    reg did_outcome: 1;
    local is_first_overflow: 1;
    local is_outcome: 1;
    /// neither of these, so the last symbol or escape of the step
    local is_last: 1;
    local is_target: 1;
    local is_overflow: 1;
    local is_exception: 1;
    /// the target is the candidate
    local is_predicted: 1;
    local is_escape: 1;
    local has_symbol: 1;
    local has_detour: 1;
    local is_other: 1;
    local has_address: 1;
    local escape_kind: ESCAPE_KIND_BITS;
    local escape_count: count_bits;
    /// the step has more to code after this
    local more: 1;
    local sends: 1;
    local takes: 1;
    local chunks: CHUNKS_BITS;
    param chunk_begin = chunk_begin(chunk) for chunk in 0..most_chunks;
    param chunk_number = chunk + 1 for chunk in 0..most_chunks;
    param chunk_value = chunk for chunk in 0..=most_chunks;
    param sent_bits = sent(chunk) for chunk in 0..=most_chunks;
    param escape_ones = Word::new(config.escape_body_bits() as usize, mask(config.escape_ones()));
    param kind_place = config.escape_ones() as usize;
    param count_place = (config.escape_ones() + ESCAPE_KIND_BITS) as usize;
    param guard_bits = config.guard_bits as usize;
}

impl Logic for Coding {
    #[hdl_gen]
    fn update(&mut self) {
        self.now.next = self.step.word.val();
        self.is_first_overflow.next = self.now.overflows_first.val() & !self.did_overflow.q.val();
        self.is_outcome.next =
            self.now.has_outcome.val() & !self.did_outcome.q.val() & !self.is_first_overflow.val();
        self.is_last.next = !(self.is_first_overflow.val() | self.is_outcome.val());
        self.more.next =
            self.is_first_overflow.val() | (self.is_outcome.val() & self.now.has_target.val());
        self.is_target.next = self.is_last.val() & self.now.has_target.val();
        self.is_overflow.next =
            self.is_first_overflow.val() | (self.is_last.val() & self.now.overflows.val());
        self.is_exception.next = self.is_last.val() & self.now.exception.val();
        self.is_predicted.next = self.now.has_candidate.val() & !self.now.target_wrong.val();
        self.is_escape.next = self.is_overflow.val()
            | self.is_exception.val()
            | (self.is_last.val() & self.now.flush.val());

        // Chunks of the address after the first: up to the last one that is not zero.
        self.chunks.next = 0.into();
        for chunk in 0..self.chunk_begin.len() {
            if (self.now.difference.val() >> self.chunk_begin[chunk].val()).any() {
                self.chunks.next = self.chunk_number[chunk].val();
            }
        }
        self.has_symbol.next =
            self.is_outcome.val() | (self.is_target.val() & self.now.has_candidate.val());
        self.range_coder.has_symbol.next = self.has_symbol.val();
        self.range_coder.wrong.next =
            self.is_target.val() & self.now.has_candidate.val() & self.now.target_wrong.val();
        self.range_coder.confidence.next = self.now.target_confidence.val();
        if self.is_outcome.val().any() {
            self.range_coder.wrong.next = self.now.outcome_wrong.val();
            self.range_coder.confidence.next = self.now.outcome_confidence.val();
        }
        self.range_coder.escape.next = self.is_escape.val();
        self.has_detour.next = self.is_target.val() & !self.is_predicted.val();
        self.range_coder.has_other.next = self.now.has_other.val();
        self.is_other.next = self.has_detour.val() & self.now.is_other.val();
        self.has_address.next = (self.is_exception.val() & !self.is_predicted.val())
            | (self.has_detour.val() & !self.now.is_other.val());
        self.range_coder.has_detour.next = self.has_detour.val();
        self.range_coder.is_other.next = self.is_other.val();
        self.range_coder.has_address.next = self.has_address.val();
        self.range_coder.chunks.next = self.chunks.val();
        self.range_coder.guard.next =
            bits_to(self.now.difference.val(), self.range_coder.guard.width());

        self.word.flush.next = self.is_last.val() & self.now.flush.val();
        self.word.sends_code.next =
            self.has_symbol.val() & bits_to(self.range_coder.code_count.val().any(), 1);
        self.word.sends_carry.next = self.has_symbol.val() & self.range_coder.carries.val();
        self.word.sends_detour.next =
            self.has_detour.val() | (self.is_exception.val() & !self.is_predicted.val());
        self.word.sends_escape.next = self.is_escape.val();
        self.word.code.next = self.range_coder.code.val();
        self.word.code_bits.next = self.range_coder.code_count.val();
        self.word.ones.next = self.range_coder.ones.val();
        self.word.carry_bits.next = self.range_coder.carry_bits.val();
        self.word.detour.next = self.range_coder.detour.val();
        self.word.detour_bits.next = self.range_coder.detour_count.val();
        self.word.escape.next = self.range_coder.highest.val();
        self.escape_count.next = 0.into();
        if !self.is_overflow.val().any() {
            self.escape_count.next = self.now.instructions.val();
        }
        self.escape_kind.next = bits_to(self.is_exception.val(), self.escape_kind.width())
            | (bits_to(
                self.is_overflow.val() | (self.is_exception.val() & self.is_predicted.val()),
                self.escape_kind.width(),
            ) << 1);
        self.word.escape_body.next = self.escape_ones.val()
            | (bits_to(self.escape_kind.val(), self.word.escape_body.width())
                << self.kind_place.val())
            | (bits_to(self.escape_count.val(), self.word.escape_body.width())
                << self.count_place.val());
        self.word.address_bits.next = 0.into();
        for chunk in 0..self.sent_bits.len() {
            if self.chunks.val() == self.chunk_value[chunk].val() {
                self.word.address_bits.next = self.sent_bits[chunk].val();
            }
        }
        self.word.address.next =
            bits_to(self.now.difference.val() >> self.guard_bits.val(), self.word.address.width());
        self.word.sends_address.next =
            self.has_address.val() & bits_to(self.word.address_bits.val().any(), 1);

        self.sends.next = self.word.sends_code.val()
            | self.word.sends_detour.val()
            | self.word.sends_escape.val();
        self.record.valid.next = self.step.valid.val() & self.sends.val();
        self.record.word.next = self.word.val();
        self.takes.next = self.step.valid.val() & (self.record.ready.val() | !self.sends.val());
        self.range_coder.step.next = self.takes.val();
        self.step.ready.next = self.takes.val() & !self.more.val();
        if self.takes.val().any() {
            self.did_overflow.d.next =
                self.more.val() & (self.did_overflow.q.val() | self.is_first_overflow.val());
            self.did_outcome.d.next = self.is_outcome.val() & self.more.val();
        }
    }
}
