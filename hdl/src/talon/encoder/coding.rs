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
    /// the coder holds back the number of the escape
    local is_short: 1;
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

#[kernel]
impl Logic for Coding {
    fn update(&mut self) {
        now = operation.word;
        range_coder = RangeCoder {
            has_symbol: now.has_symbol,
            wrong: now.wrong,
            confidence: now.confidence,
            escape: now.escape,
            has_detour: now.has_detour,
            has_other: now.has_other,
            is_other: now.is_other,
            chunks: now.chunks,
        };
        // The coder holds back the lowest bits of an address, or the instructions of a short escape.
        is_short = now.escape_kind.all();
        range_coder = RangeCoder {
            has_guard: now.has_address | (now.escape & is_short),
            guard: resized(now.instructions),
        };
        if now.has_address {
            range_coder.guard = resized(now.difference);
        }

        word = Record {
            flush: now.flush,
            sends_code: now.has_symbol & bit(range_coder.code_count),
            sends_carry: now.has_symbol & range_coder.carries,
            sends_detour: now.has_detour | (now.escape & now.has_address),
            sends_escape: now.escape,
            sends_count: now.escape & !is_short,
            code: range_coder.code,
            code_bits: range_coder.code_count,
            ones: range_coder.ones,
            carry_bits: range_coder.carry_bits,
            detour: range_coder.detour,
            detour_bits: range_coder.detour_count,
            escape: resized(range_coder.highest)
                | escape_ones
                | (resized(now.escape_kind) << kind_place),
            count: now.instructions,
            address_bits: 0,
        };
        for chunk in 0..sent_bits.len() {
            if now.chunks == chunk_value[chunk] {
                word.address_bits = sent_bits[chunk];
            }
        }
        word = Record {
            address: resized(now.difference >> guard_bits),
            sends_address: now.has_address & bit(word.address_bits),
        };

        sends = word.sends_code | word.sends_detour | word.sends_escape;
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
