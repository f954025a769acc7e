//! Steps in their order as operations of the coder, one per cycle.

use tracewright_elaborate::prelude::*;
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::config::sizes::{CHUNKS_BITS, MOST_CHUNKS};
use tracewright_sim::talon::layout::ESCAPE_KIND_BITS;

use crate::parts::ports::Stream;
use crate::talon::predictors::Step;

packed! {
    /// One operation of the coder: a symbol with what follows it, or an escape.
    pub Operation of (config: &Config);
    flush: 1;
    has_symbol: 1;
    /// the symbol is not as predicted
    wrong: 1;
    escape: 1;
    /// the target is not the candidate
    has_detour: 1;
    /// there is another candidate
    has_other: 1;
    /// it is the target
    is_other: 1;
    has_address: 1;
    confidence: config.confidence_bits();
    /// chunks of the address after the first
    chunks: CHUNKS_BITS;
    escape_kind: ESCAPE_KIND_BITS;
    /// instructions that an escape sends
    instructions: config.instruction_count_bits;
    /// exclusive or of the target and its reference
    difference: config.processor.instruction_address_bits();
}

block! {
    /// Makes operations of a step: an overflow that goes first, the outcome, and all the others.
    pub Operations("operations") of (config: &Config) {
        let step_bits = Step::<View>::new(config).width();
        let operation_bits = Operation::<View>::new(config).width();
        let chunk_begin = |chunk: u32| config.address_bits(chunk) as usize;
    }

    in step: Stream(step_bits);
    out operation: Stream(operation_bits);
    view now: Step(config);
    local word: Operation(config);
    /// the overflow that goes first is over
    reg did_overflow: 1;
    /// the outcome's symbol is over
    reg did_outcome: 1;
    local is_first_overflow: 1;
    local is_outcome: 1;
    /// neither of these, so the last operation of the step
    local is_last: 1;
    local is_target: 1;
    local is_overflow: 1;
    local is_exception: 1;
    /// the target is the candidate
    local is_predicted: 1;
    /// an exception to it, so few instructions after the last symbol that the coder holds their number back
    local is_short: 1;
    /// the step has more to code after this
    local more: 1;
    param chunk_begin = chunk_begin(chunk) for chunk in 0..MOST_CHUNKS;
    param chunk_number = chunk + 1 for chunk in 0..MOST_CHUNKS;
    param short_bits = config.guard_bits.min(config.instruction_count_bits) as usize;
}

impl Logic for Operations {
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
        self.is_short.next = self.is_exception.val()
            & self.is_predicted.val()
            & !bits_to((self.now.instructions.val() >> self.short_bits.val()).any(), 1);

        self.word.flush.next = self.is_last.val() & self.now.flush.val();
        self.word.has_symbol.next =
            self.is_outcome.val() | (self.is_target.val() & self.now.has_candidate.val());
        self.word.wrong.next =
            self.is_target.val() & self.now.has_candidate.val() & self.now.target_wrong.val();
        self.word.confidence.next = self.now.target_confidence.val();
        if self.is_outcome.val().any() {
            self.word.wrong.next = self.now.outcome_wrong.val();
            self.word.confidence.next = self.now.outcome_confidence.val();
        }
        self.word.escape.next =
            self.is_overflow.val() | self.is_exception.val() | self.word.flush.val();
        self.word.has_detour.next = self.is_target.val() & !self.is_predicted.val();
        self.word.has_other.next = self.now.has_other.val();
        self.word.is_other.next = self.word.has_detour.val() & self.now.is_other.val();
        self.word.has_address.next = (self.is_exception.val() & !self.is_short.val())
            | (self.word.has_detour.val() & !self.now.is_other.val());

        // Chunks of the address after the first: up to the last one that is not zero.
        self.word.chunks.next = 0.into();
        for chunk in 0..self.chunk_begin.len() {
            if (self.now.difference.val() >> self.chunk_begin[chunk].val()).any() {
                self.word.chunks.next = self.chunk_number[chunk].val();
            }
        }
        self.word.escape_kind.next =
            bits_to(self.is_exception.val(), self.word.escape_kind.width())
                | (bits_to(
                    self.is_overflow.val() | self.is_short.val(),
                    self.word.escape_kind.width(),
                ) << 1);
        self.word.instructions.next = 0.into();
        if !self.is_overflow.val().any() {
            self.word.instructions.next = self.now.instructions.val();
        }
        self.word.difference.next = self.now.difference.val();

        self.operation.valid.next = self.step.valid.val();
        self.operation.word.next = self.word.val();
        self.step.ready.next = self.operation.ready.val() & !self.more.val();
        if (self.step.valid.val() & self.operation.ready.val()).any() {
            self.did_overflow.d.next =
                self.more.val() & (self.did_overflow.q.val() | self.is_first_overflow.val());
            self.did_outcome.d.next = self.is_outcome.val() & self.more.val();
        }
    }
}
