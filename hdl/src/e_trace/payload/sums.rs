//! The fifth and the sixth step: the bytes of a payload, and the bits of its fields.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::e_trace::config::Config;
use tracewright_sim::e_trace::extensions::Extensions;
use tracewright_sim::e_trace::payload::FULL_MAP;
use tracewright_sim::e_trace::slots::{COUNT_BITS, COUNT_FORMAT_BITS};

use super::sum_bits;
use super::words::{Counted, Found, Known, Plan, Sized};
use crate::e_trace::record_former::Record;
use crate::parts::ports::Stream;
use crate::parts::word_register::WordRegister;

block! {
    /// How many bytes a payload has.
    pub PayloadBytes("payload_bytes") of (config: &Config) {
        let sum_bits = sum_bits(config);
        let others = usize::from(config.has_extensions());
        let width = Counted::<View>::new(config).width();
    }
    parameters {
        sum_bits,
        width,
    }

    in found: Stream(Found::<View>::new(config).width());
    out counted: Stream(width);
    block step_register: WordRegister(width);
    view at_hand: Found(config);
    local made: Counted(config);
    local rounded: sum_bits;
    /// what is left of the last byte, from 8 down to 1
    local filled: 4;
    local other_rounded: others * sum_bits;
    local other_filled: 4 * others;
    /// the sign, and what fills up a byte
    param round = Word::new(sum_bits, 1 + 7);
    param byte = Word::new(4, 8);
    param byte_bits = 3usize;
    param others = others;
}

#[kernel]
impl Logic for PayloadBytes {
    fn update(&mut self) {
        at_hand = found.word;
        rounded = at_hand.head + at_hand.least + round;
        // The bits after the head are at least so many, the sign, and what fills up the byte.
        filled = byte - resized(resized(at_hand.head + at_hand.least, byte_bits.number()));
        made = Counted {
            known: at_hand.known,
            bytes: resized(rounded >> byte_bits),
            sent: at_hand.least + resized(filled),
        };
        if when(others) {
            other_rounded = at_hand.other_head + at_hand.other_least + round;
            other_filled = byte
                - resized(resized(at_hand.other_head + at_hand.other_least, byte_bits.number()));
            made.other_bytes = resized(other_rounded >> byte_bits);
            made.other_sent = at_hand.other_least + resized(other_filled);
        }
        step_register.in_.valid = found.valid;
        step_register.in_.word = made;
        found.ready = step_register.in_.ready;
        join(step_register.out_, counted);
    }
}

block! {
    /// How many bits of each field are sent.
    pub PayloadSizes("payload_sizes") of (config: &Config) {
        let sum_bits = sum_bits(config);
        let others = usize::from(config.has_extensions());
        let tells_trap_values = usize::from(config.tells_trap_values());
        let rest_size_bits = index_bits(config.most_rest_bits() + 1) as usize;
        let payloads = Extensions::new(config);
        let sum = |value: u32| Word::new(sum_bits, value.into());
        let width = Sized::<View>::new(config).width();
    }
    parameters {
        sum_bits,
        width,
    }

    in counted: Stream(Counted::<View>::new(config).width());
    out sized: Stream(width);
    block step_register: WordRegister(width);
    view at_hand: Counted(config);
    view known: Known(config);
    view plan: Plan(config);
    view record: Record(&config.planned_format());
    local made: Sized(config);
    /// branches in a map before an address
    local branches: 5;
    /// bits of the map that all branches have
    local whole_map: 5;
    /// bits of the field that is cut
    local limit: sum_bits;
    local low: sum_bits;
    /// bits above that
    local high: sum_bits;
    local rest_bits: rest_size_bits;
    /// bits that are sent of the value of a trap
    local trap_value_sent: tells_trap_values * sum_bits;
    local other_limit: others * sum_bits;
    local other_low: others * sum_bits;
    local other_high: others * sum_bits;
    param address_width = sum(config.address_bits());
    param full_width = sum(FULL_MAP);
    param index_width = sum(payloads.index_width());
    param count_width = sum(COUNT_BITS + COUNT_FORMAT_BITS);
    param trap_value_width = sum(config.trap_value_bits());
    param others = others;
    param predicts = usize::from(config.predicts_branches());
    param tells_trap_values = tells_trap_values;
    param one = 1usize;
    param two = 2usize;
    param four = 4usize;
}

#[kernel]
impl Logic for PayloadSizes {
    fn update(&mut self) {
        at_hand = counted.word;
        known = at_hand.known;
        plan = known.plan;
        record = plan.record;
        branches = 0;
        if record.plain | record.mapped {
            branches = record.branch_count;
        }
        crate::e_trace::payload::map::counts_map!();
        limit = address_width;
        if record.full {
            limit = full_width;
        }
        if known.cuts_map {
            limit = resized(whole_map);
        }
        low = at_hand.sent;
        high = 0;
        if at_hand.sent > limit {
            low = limit;
            high = at_hand.sent - limit;
        }
        made = Sized { known: at_hand.known, bytes: at_hand.bytes };
        if known.cuts_map {
            made.map_bits = resized(low);
            made.size = resized(high);
            rest_bits = 0;
        } else {
            made.map_bits = whole_map;
            made.size = resized(low);
            rest_bits = resized(high);
        }
        if when(tells_trap_values) {
            trap_value_sent = 0;
            if known.ends_in_zeros {
                trap_value_sent = high;
                if high > trap_value_width {
                    trap_value_sent = trap_value_width;
                }
                rest_bits = resized(high - trap_value_sent);
            }
            made.trap_value_size = resized(trap_value_sent);
        }
        made.rest_bits = rest_bits;
        if when(others) {
            other_limit = index_width;
            if branches {
                other_limit = resized(whole_map);
            }
            if when(predicts) {
                if plan.ends_count {
                    other_limit = count_width;
                }
            }
            other_low = at_hand.other_sent;
            other_high = 0;
            if at_hand.other_sent > other_limit {
                other_low = other_limit;
                other_high = at_hand.other_sent - other_limit;
            }
            made.other_bytes = at_hand.other_bytes;
            made.other_size = resized(other_low);
            made.other_rest_bits = resized(other_high);
        }
        step_register.in_.valid = counted.valid;
        step_register.in_.word = made;
        counted.ready = step_register.in_.ready;
        join(step_register.out_, sized);
    }
}
