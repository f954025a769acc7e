//! How long a payload is: whole bytes, without those that only repeat its sign.

#![allow(
    clippy::collapsible_if,
    reason = "a condition of the configuration guards signals that are not there without it"
)]

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{index_bits, mask};
use tracewright_sim::e_trace::config::Config;
use tracewright_sim::e_trace::extensions::Extensions;
use tracewright_sim::e_trace::payload::{
    ADDRESS_HEAD, BRANCHES_HEAD, FULL_MAP, START_HEAD, TRAP_HEAD,
};

mod assembly;
mod difference;
mod highest;
pub(crate) mod map;
mod search;
mod sign;
pub mod steps;
mod sums;
pub(crate) mod words;

/// Width of a number of bits of a payload.
fn sum_bits(config: &Config) -> usize {
    let trap_head = TRAP_HEAD + config.trap_cause_bits + config.told_bits();
    let most = (BRANCHES_HEAD + FULL_MAP).max(trap_head)
        + config.value_bits()
        + config.trap_value_bits()
        + config.most_rest_bits();
    index_bits(most + 1) as usize
}

block! {
    /// Says how many bits are sent of the fields of a payload.
    pub PayloadCut("payload_cut") of (config: &Config) {
        let value_bits = config.value_bits() as usize;
        let address_bits = config.address_bits();
        let size_bits = index_bits(config.value_bits() + 1) as usize;
        let trap_head = TRAP_HEAD + config.trap_cause_bits + config.told_bits();
        let tells_cause = usize::from(config.tells_cause());
        let trap_value_bits = config.trap_value_bits() as usize;
        let tells_trap_values = usize::from(config.tells_trap_values());
        let told_size_bits = tells_trap_values * index_bits(config.trap_value_bits() + 1) as usize;
        let trap_sum_bits = |sum_bits: usize| tells_trap_values * sum_bits;
        let told_bits = config.trap_value_bits();
        let sum_bits = sum_bits(config);
        let most_rest_bits = config.most_rest_bits();
        let rest_size_bits = index_bits(most_rest_bits + 1) as usize;
        let depth_bits = config.depth_bits() as usize;
        let returns = usize::from(config.infers_returns());
        let predicts = usize::from(config.predicts_branches());
        let sum = |value: u32| Word::new(sum_bits, value.into());
    }
    parameters {
        address_bits = address_bits as usize,
        trap_cause_bits = config.trap_cause_bits as usize,
        depth_bits if returns > 0,
    }

    /// the last value, its sign in all bits above its own
    in value: value_bits;
    /// the payload is a trap
    in trap: 1;
    /// it is of an interrupt
    in interrupt: tells_cause;
    /// what follows the address of a trap that is of none
    in trap_value: trap_value_bits;
    /// the payload is a start
    in start: 1;
    /// the payload is a full map, which is the value
    in full: 1;
    /// a map before the value, zero above its branches
    in map: FULL_MAP as usize;
    /// branches in it
    in branches: 5;
    /// the payload is an address that no jump and no end asks for
    in notify: 1;
    /// the payload is an address where the trace ends after a jump
    in updiscon: 1;
    /// the payload says the depth of the stack of return addresses
    in irreport: returns;
    in depth: depth_bits;
    /// a count of branches goes before the address
    in counted: predicts;
    /// bytes of the payload
    out bytes: 5;
    /// bits of the map
    out map_bits: 5;
    /// bits of the value
    out size: size_bits;
    /// the value, zero above these
    out kept: value_bits;
    /// bits of the value of a trap
    out trap_value_size: told_size_bits;
    /// that value, zero above these
    out kept_trap_value: trap_value_bits;
    /// what follows the value, zero above its bits
    out rest: most_rest_bits as usize;
    /// bits of that
    out rest_bits: rest_size_bits;
    /// a `tval` of 0 follows the address
    local ends_in_zeros: 1;
    local sign: 1;
    /// where the value differs from its sign
    local magnitude: value_bits;
    /// the map is cut, too
    local cuts_map: 1;
    local searched: value_bits;
    /// bits up to the highest one
    local found: sum_bits;
    /// bits of the map that all branches have
    local whole_map: 5;
    local map_head: sum_bits;
    local head: sum_bits;
    local width: sum_bits;
    local least: sum_bits;
    local rounded: sum_bits;
    local sent: sum_bits;
    /// bits of the field that is cut
    local limit: sum_bits;
    local low: sum_bits;
    /// bits above that
    local high: sum_bits;
    local first: 1;
    local others: 1;
    local rest_ones: most_rest_bits as usize;
    /// bits of the value that are not sent
    local cut: value_bits;
    /// bits after the rest
    local rest_cut: most_rest_bits as usize;
    local depth_sign: returns;
    /// where the depth differs from its sign
    local depth_magnitude: depth_bits;
    /// bits up to the highest one
    local depth_found: if returns > 0 { sum_bits } else { 0 };
    local signed_depth: if returns > 0 { most_rest_bits as usize } else { 0 };
    /// bits before the depth
    local before_depth: if returns > 0 { most_rest_bits as usize } else { 0 };
    local trap_value_sign: tells_trap_values;
    /// where the value of a trap differs from its sign
    local trap_value_magnitude: trap_value_bits;
    /// bits up to the highest one
    local trap_value_found: trap_sum_bits(sum_bits);
    /// bits that are sent of it
    local trap_value_sent: trap_sum_bits(sum_bits);
    /// bits that are not
    local trap_value_cut: trap_value_bits;
    param number = sum(place as u32 + 1) for place in 0..value_bits.max(trap_value_bits);
    param top = value_bits - 1;
    param address_width = sum(address_bits);
    param full_width = sum(FULL_MAP);
    param plain_head = sum(ADDRESS_HEAD);
    param branches_head = sum(BRANCHES_HEAD);
    param start_head = sum(START_HEAD + config.told_bits());
    param trap_head = sum(trap_head);
    param counted_head = sum(Extensions::new(config).counted_head());
    /// the sign, and what fills up a byte
    param round = sum(1 + 7);
    param all_value = Word::new(value_bits, mask(config.value_bits()));
    param all_rest = Word::new(most_rest_bits as usize, mask(most_rest_bits));
    param all_others = Word::new(most_rest_bits as usize, (1 << most_rest_bits) - 2);
    param extends = usize::from(config.value_bits() > address_bits);
    param own_value = Word::new(value_bits, mask(address_bits));
    param returns = returns;
    param predicts = predicts;
    param tells_cause = tells_cause;
    param tells_trap_values = tells_trap_values;
    param trap_value_top = trap_value_bits.saturating_sub(1);
    param trap_value_width = sum(told_bits);
    param all_trap_value = Word::new(trap_value_bits, mask(told_bits));
    param depth_top = depth_bits.saturating_sub(1);
    param above_depth = Word::new(most_rest_bits as usize, mask(most_rest_bits) & !mask(depth_bits as u32));
    param report_bits = sum(3);
    param three = 3usize;
    param below_byte = 3usize;
    param one = 1usize;
    param two = 2usize;
    param four = 4usize;
}

#[kernel]
impl Logic for PayloadCut {
    fn update(&mut self) {
        crate::e_trace::payload::map::counts_map!();
        ends_in_zeros = trap;
        if when(tells_cause) {
            ends_in_zeros = trap & !interrupt;
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
            trap_value_sign = fitted(trap_value >> trap_value_top);
            trap_value_magnitude = trap_value;
            if trap_value_sign {
                trap_value_magnitude = !trap_value;
            }
            // A value that is nothing but its sign ends in the address.
            if ends_in_zeros {
                sign = resized(trap_value_sign, 1);
                magnitude = value & own_value;
                if trap_value_sign {
                    magnitude = !value & own_value;
                }
            }
            trap_value_found = 0;
            for place in 0..trap_value.width() {
                if trap_value_magnitude.get_bit(place) {
                    trap_value_found = number[place];
                }
            }
        }
        cuts_map = 0;
        if !value && branches {
            cuts_map = !(notify | updiscon);
            if when(returns) {
                cuts_map = !(notify | updiscon | irreport);
            }
        }
        searched = magnitude;
        if cuts_map {
            searched = resized(map);
        }
        found = 0;
        for place in 0..searched.width() {
            if searched.get_bit(place) {
                found = number[place];
            }
        }

        map_head = plain_head;
        if branches || full {
            map_head = branches_head;
        }
        head = map_head;
        if start {
            head = start_head;
        } else if trap {
            head = trap_head;
        } else if !cuts_map {
            head = map_head + resized(whole_map);
        }
        if when(predicts) {
            if counted {
                head = counted_head;
            }
        }
        width = address_width;
        if full {
            width = full_width;
        }
        least = found;
        if notify || updiscon {
            least = width + resized(updiscon);
        }
        if when(returns) {
            depth_sign = fitted(depth >> depth_top);
            depth_magnitude = depth;
            if depth_sign {
                depth_magnitude = !depth;
            }
            depth_found = 0;
            for place in 0..depth.width() {
                if depth_magnitude.get_bit(place) {
                    depth_found = number[place];
                }
            }
            if irreport {
                least = width + report_bits + depth_found;
            }
        }
        if when(tells_trap_values) {
            if ends_in_zeros & trap_value_magnitude.any() {
                least = width + trap_value_found;
            }
        }
        rounded = head + least + round;
        bytes = resized(rounded >> below_byte, 5);
        sent = ((rounded >> below_byte) << below_byte) - head;

        limit = width;
        if cuts_map {
            limit = resized(whole_map);
        }
        low = sent;
        high = 0;
        if sent > limit {
            low = limit;
            high = sent - limit;
        }
        if cuts_map {
            map_bits = resized(low, 5);
            size = resized(high);
            rest_bits = 0;
        } else {
            map_bits = whole_map;
            size = resized(low);
            rest_bits = resized(high);
        }
        if when(tells_trap_values) {
            trap_value_sent = 0;
            if ends_in_zeros {
                trap_value_sent = high;
                if high > trap_value_width {
                    trap_value_sent = trap_value_width;
                }
                rest_bits = resized(high - trap_value_sent);
            }
            trap_value_size = fitted(trap_value_sent);
            trap_value_cut = all_trap_value << trap_value_size;
            kept_trap_value = trap_value & !trap_value_cut;
        }
        first = sign ^ notify;
        others = sign ^ (notify | updiscon);
        rest_ones = resized(first);
        if others {
            rest_ones = resized(first) | all_others;
        }
        if when(returns) {
            signed_depth = resized(depth);
            if depth_sign {
                signed_depth = resized(depth) | above_depth;
            }
            before_depth = resized(first) | (resized(others) << one) | (resized(!others) << two);
            if irreport {
                rest_ones = before_depth | (signed_depth << three);
            }
        }
        cut = all_value << size;
        kept = value & !cut;
        rest_cut = all_rest << rest_bits;
        rest = rest_ones & !rest_cut;
    }
}
