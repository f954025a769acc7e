//! Accesses through the range coder: what each sends.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::mask;
use tracewright_sim::encode::record::RecordFormat;
use tracewright_sim::talon_data::config::{Config, REFERENCE_BITS};

use crate::encode::record::word_layout;
use crate::parts::ports::Stream;
use crate::talon::range_coder::RangeCoder;

packed! {
    /// What one step of the coder sends (`tracewright_sim::talon_data::layout`).
    pub Record of (format: &RecordFormat) {
        let layout = word_layout(format, Self::FIELDS);
    }
    flush;
    sends_code;
    sends_carry;
    sends_miss;
    code;
    code_bits;
    ones;
    carry_bits;
    miss;
    address;
    escape;
}

packed! {
    /// One operation of the coder: an access, or the escape that ends the trace.
    pub Operation of (config: &Config);
    flush: 1;
    /// the access is not where it was predicted
    wrong: 1;
    /// the difference is that from the access before
    is_of_last: 1;
    confidence: config.coder().confidence_bits();
    /// exclusive or of the address and its reference
    difference: config.processor.address_width;
}

block! {
    /// Makes the record of an operation. Most of them send nothing.
    pub Coding("coding") of (config: &Config) {
        let operation_bits = Operation::<View>::new(config).width();
        let format = config.format();
        let coder = config.coder();
    }

    in operation: Stream(operation_bits);
    out record: Stream(format.bits());
    block range_coder: RangeCoder(&coder);
    view now: Operation(config);
    local word: Record(&format);
    local sends: 1;
    local takes: 1;
    param two_cycles = usize::from(coder.codes_in_two_cycles());
    param escape_ones = Word::new(
        format.width("escape") as usize,
        mask(config.escape_ones) << coder.low_bits()
    );
    param held_back_bits = config.held_back_bits() as usize;
    param reference_bits = REFERENCE_BITS as usize;
}

#[kernel]
impl Logic for Coding {
    fn update(&mut self) {
        now = operation.word;
        range_coder = RangeCoder {
            has_symbol: !now.flush,
            wrong: now.wrong,
            confidence: now.confidence,
            escape: now.flush,
            has_detour: now.wrong,
            has_other: 0,
            is_other: 0,
            chunks: 0,
        };
        // The coder holds back the lowest bits of a difference, and below them which reference it is from.
        range_coder = RangeCoder {
            has_guard: now.wrong,
            guard: resized((resized(now.difference) << reference_bits) | resized(now.is_of_last)),
        };

        word = Record {
            flush: now.flush,
            sends_code: !now.flush & bit(range_coder.code_count),
            sends_carry: !now.flush & range_coder.carries,
            sends_miss: now.wrong,
            code: range_coder.code,
            code_bits: range_coder.code_count,
            ones: range_coder.ones,
            carry_bits: range_coder.carry_bits,
            miss: resized(range_coder.detour),
            address: resized(now.difference >> held_back_bits),
            escape: resized(range_coder.highest) | escape_ones,
        };

        sends = word.sends_code | now.flush;
        record.word = word;
        if when(two_cycles) {
            range_coder.valid = operation.valid;
            record.valid = range_coder.is_second & sends;
            takes = range_coder.is_plain | (range_coder.is_second & (record.ready | !sends));
        } else {
            record.valid = operation.valid & sends;
            takes = record.ready | !sends;
        }
        operation.ready = takes;
        range_coder.step = operation.valid & takes;
    }
}
