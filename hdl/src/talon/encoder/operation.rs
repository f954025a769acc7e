//! Steps in their order as operations of the coder, one per cycle.

use tracewright_elaborate::prelude::*;
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::config::sizes::{CHUNKS_BITS, MOST_CHUNKS};
use tracewright_sim::talon::layout::ESCAPE_KIND_BITS;

use crate::parts::ports::{Clear, Stream};
use crate::talon::predictors::Step;
use crate::talon::tick::back::Back;

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
    /// instructions or overflows that an escape sends
    instructions: config.instruction_count_bits;
    /// exclusive or of the target and its reference
    difference: config.processor.instruction_address_bits();
}

block! {
    /// Makes operations of a step: an overflow that goes first, the outcome, and all the others.
    ///
    /// An overflow is counted, and only told where the count leaves its range, or before an exception or a flush.
    pub Operations("operations") of (config: &Config, clear_bits: usize) {
        let overflow_bits = config.overflow_count_bits() as usize;
        let step_bits = Step::<View>::new(config).width();
        let times = usize::from(config.times_events());
        let operation_bits = Operation::<View>::new(config).width();
        let chunk_begin = |chunk: u32| config.address_bits(chunk) as usize;
    }

    #[label("clear")]
    in clear: Clear(clear_bits) for _ in 0..times;
    in step: Stream(step_bits);
    out operation: Stream(operation_bits);
    view now: Step(config);
    local word: Operation(config);
    /// the overflow that goes first is over
    reg did_overflow: 1;
    /// the outcome's symbol is over
    reg did_outcome: 1;
    /// all but the time is over
    reg did_flow: times;
    #[label("back")]
    block back: Back(config, clear_bits) for _ in 0..times;
    /// overflows since the last symbol or escape
    reg overflows: overflow_bits;
    local is_first_overflow: 1;
    /// an overflow is counted
    local counts: 1;
    /// its count stays in its range, so that the coder gets nothing
    local is_quiet: 1;
    /// the overflows before an exception or a flush
    local is_owed: 1;
    local done: 1;
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
    /// the time comes next
    local is_time: 1;
    param chunk_begin = chunk_begin(chunk) for chunk in 0..MOST_CHUNKS;
    param chunk_number = chunk + 1 for chunk in 0..MOST_CHUNKS;
    param short_bits = config.guard_bits.min(config.instruction_count_bits) as usize;
}

#[kernel]
impl Logic for Operations {
    fn update(&mut self) {
        now = step.word;
        is_first_overflow = now.overflows_first & !did_overflow.q;
        is_outcome = now.has_outcome & !did_outcome.q & !is_first_overflow;
        is_owed = (now.exception | now.flush) & overflows.q.any() & !is_first_overflow;
        is_last = !(is_first_overflow | is_outcome | is_owed);
        more = is_first_overflow | is_owed | (is_outcome & now.has_target);
        for at in 0..back.len() {
            is_time = did_flow.q;
            if is_time {
                is_first_overflow = 0;
                is_outcome = 0;
                is_owed = 0;
                is_last = 0;
                more = back[at].more;
            }
        }
        is_target = is_last & now.has_target;
        counts = is_first_overflow | (is_last & now.overflows);
        is_quiet = counts & !overflows.q.all();
        is_overflow = counts | is_owed;
        is_exception = is_last & now.exception;
        is_predicted = now.has_candidate & !now.target_wrong;
        is_short = is_exception & is_predicted & !bit(now.instructions >> short_bits);

        word = Operation {
            flush: is_last & now.flush,
            has_symbol: is_outcome | (is_target & now.has_candidate),
            wrong: is_target & now.has_candidate & now.target_wrong,
            confidence: now.target_confidence,
        };
        if is_outcome {
            word = Operation { wrong: now.outcome_wrong, confidence: now.outcome_confidence };
        }
        word = Operation {
            escape: is_overflow | is_exception | word.flush,
            has_detour: is_target & !is_predicted,
            has_other: now.has_other,
            is_other: word.has_detour & now.is_other,
            has_address: (is_exception & !is_short) | (word.has_detour & !now.is_other),
        };

        // Chunks of the address after the first: up to the last one that is not zero.
        word.chunks = 0;
        for chunk in 0..chunk_begin.len() {
            if now.difference >> chunk_begin[chunk] {
                word.chunks = chunk_number[chunk];
            }
        }
        word = Operation {
            escape_kind: resized(is_exception) | (resized(is_overflow | is_short) << 1),
            instructions: 0,
        };
        if is_owed {
            word.instructions = resized(overflows.q);
        } else if !counts {
            word.instructions = now.instructions;
        }
        word.difference = now.difference;

        for at in 0..back.len() {
            back[at].waiting = now.time;
            if is_time {
                word = Operation {
                    has_symbol: 1,
                    wrong: back[at].wrong,
                    confidence: back[at].confidence,
                };
            }
        }

        operation = Stream { valid: step.valid & !is_quiet, word };
        done = operation.ready | is_quiet;
        step.ready = done & !more;
        for at in 0..back.len() {
            join(clear[at], back[at].clear);
            back[at].step = step.valid & done & is_time;
            step.ready = done & !more & (is_time | !now.has_time);
            if step.valid & done {
                did_flow.d = (is_time & more) | (!is_time & !more & now.has_time);
            }
        }
        if step.valid & done {
            did_overflow.d = more & (did_overflow.q | is_first_overflow);
            did_outcome.d = is_outcome & more;
            // What is neither an overflow nor an escape after one is a symbol.
            overflows.d = 0;
            if counts {
                overflows.d = overflows.q + 1;
            }
        }
    }
}
