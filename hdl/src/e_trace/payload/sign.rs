//! The second step: the last value of a payload, and where it differs from its sign.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::mask;
use tracewright_sim::e_trace::config::Config;
use tracewright_sim::e_trace::payload::FULL_MAP;

use super::words::{Cutting, Differing, Known, Plan, Signed};
use crate::e_trace::record_former::Record;
use crate::parts::ports::Stream;
use crate::parts::word_register::WordRegister;

block! {
    /// Makes the last value of a payload, and of an index or a count that may go instead.
    pub PayloadSign("payload_sign") of (config: &Config) {
        let value_bits = config.value_bits() as usize;
        let map_width = FULL_MAP as usize;
        let others = usize::from(config.has_extensions());
        let caches = usize::from(config.caches_targets());
        let predicts = usize::from(config.predicts_branches());
        let returns = usize::from(config.infers_returns());
        let tells_cause = usize::from(config.tells_cause());
        let trap_value_bits = config.trap_value_bits() as usize;
        let tells_trap_values = usize::from(config.tells_trap_values());
        let width = Signed::<View>::new(config).width();
        let above = |bits: u32| Word::new(value_bits, mask(config.value_bits()) & !mask(bits));
    }
    parameters {
        value_bits,
        width,
    }

    in differing: Stream(Differing::<View>::new(config).width());
    out with_sign: Stream(width);
    block step_register: WordRegister(width);
    view at_hand: Differing(config);
    view plan: Plan(config);
    view record: Record(&config.planned_format());
    view cutting: Cutting(config);
    local known: Known(config);
    local made: Signed(config);
    local value: value_bits;
    /// branches in a map before an address
    local branches: 5;
    /// a `tval` follows the address
    local ends_in_zeros: 1;
    local sign: 1;
    /// where the value differs from its sign
    local magnitude: value_bits;
    /// the map is cut, too
    local cuts_map: 1;
    local trap_value_sign: tells_trap_values;
    local trap_value_magnitude: trap_value_bits;
    /// bits of the map of an index
    local whole_map: 5 * others;
    local other_sign: others;
    /// where that map differs from its sign
    local other_magnitude: map_width * others;
    local other_searched: value_bits * others;
    param top = value_bits - 1;
    param address_top = config.address_bits() as usize - 1;
    param map_top = map_width - 1;
    param above_address = above(config.address_bits());
    param above_map = above(FULL_MAP);
    param own_value = Word::new(value_bits, mask(config.address_bits()));
    param all_map = Word::new(map_width, mask(FULL_MAP));
    param extends = usize::from(config.value_bits() > config.address_bits());
    param interrupt_place = config.trap_cause_bits as usize;
    param trap_value_top = trap_value_bits.saturating_sub(1);
    param tells_cause = tells_cause;
    param tells_trap_values = tells_trap_values;
    param returns = returns;
    param others = others;
    param caches = caches;
    param predicts = predicts;
    param one = 1usize;
    param two = 2usize;
    param four = 4usize;
}

#[kernel]
impl Logic for PayloadSign {
    fn update(&mut self) {
        at_hand = differing.word;
        plan = at_hand.plan;
        record = plan.record;
        cutting = plan.cutting;
        value = resized(at_hand.field);
        if record.full {
            value = resized(record.map);
            if record.map.get_bit(map_top) {
                value = resized(record.map) | above_map;
            }
        } else if at_hand.field.get_bit(address_top) {
            value = resized(at_hand.field) | above_address;
        }
        ends_in_zeros = record.trap;
        if when(tells_cause) {
            ends_in_zeros = record.trap & !resized(record.cause >> interrupt_place, 1);
        }
        sign = resized(value >> top, 1) & !ends_in_zeros;
        magnitude = value;
        if sign {
            magnitude = !value;
        }
        if when(extends) {
            if ends_in_zeros {
                magnitude = value & own_value;
            }
        }
        if when(tells_trap_values) {
            trap_value_sign = fitted(record.trap_value >> trap_value_top);
            trap_value_magnitude = record.trap_value;
            if trap_value_sign {
                trap_value_magnitude = !record.trap_value;
            }
            // A value that is nothing but its sign ends in the address.
            if ends_in_zeros {
                sign = resized(trap_value_sign, 1);
                magnitude = value & own_value;
                if trap_value_sign {
                    magnitude = !value & own_value;
                }
            }
        }
        branches = 0;
        if record.plain | record.mapped {
            branches = record.branch_count;
        }
        cuts_map = 0;
        if !value && branches {
            cuts_map = !(cutting.notify | cutting.updiscon);
            if when(returns) {
                cuts_map = !(cutting.notify | cutting.updiscon | cutting.irreport);
            }
        }
        made.searched = magnitude;
        if cuts_map {
            made.searched = resized(record.map);
        }
        if when(others) {
            crate::e_trace::payload::map::counts_map!();
            other_sign = 0;
            if branches == whole_map && branches {
                other_sign = resized(record.map >> (branches - 1), 1);
            }
            other_magnitude = record.map;
            if other_sign {
                other_magnitude = !(record.map | (all_map << whole_map));
            }
            other_searched = 0;
            if when(caches) {
                other_searched = resized(plan.index);
                if branches {
                    other_searched = resized(other_magnitude);
                }
            }
            if when(predicts) {
                if plan.ends_count {
                    other_searched = resized(plan.count);
                }
            }
            made.other_searched = other_searched;
            known.other_sign = other_sign;
        }
        known = Known { plan: at_hand.plan, value, sign, cuts_map, ends_in_zeros, trap_value_sign };
        made.known = known;
        made.trap_value_magnitude = trap_value_magnitude;
        step_register.in_.valid = differing.valid;
        step_register.in_.word = made;
        differing.ready = step_register.in_.ready;
        join(step_register.out_, with_sign);
    }
}
