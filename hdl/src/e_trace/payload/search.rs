//! The third and the fourth step: the highest bit that differs from the sign, and how many bits there are at least.

use tracewright_elaborate::prelude::*;
use tracewright_sim::e_trace::config::Config;
use tracewright_sim::e_trace::extensions::Extensions;
use tracewright_sim::e_trace::payload::{
    ADDRESS_HEAD, BRANCHES_HEAD, FULL_MAP, START_HEAD, TRAP_HEAD,
};

use super::highest::{HighestBit, HighestGroup};
use super::sum_bits;
use super::words::{Cutting, Found, Grouped, Known, Plan, Signed, group_bits};
use crate::e_trace::record_former::Record;
use crate::parts::ports::Stream;
use crate::parts::word_register::WordRegister;

block! {
    /// Among which eight bits the highest one is.
    pub PayloadSearch("payload_search") of (config: &Config) {
        let value_bits = config.value_bits() as usize;
        let trap_value_bits = config.trap_value_bits() as usize;
        let width = Grouped::<View>::new(config).width();
    }
    parameters {
        value_bits,
        width,
    }

    in with_sign: Stream(Signed::<View>::new(config).width());
    out grouped: Stream(width);
    block step_register: WordRegister(width);
    block value_group: HighestGroup(value_bits);
    block trap_value_group: HighestGroup(trap_value_bits) if config.tells_trap_values();
    block other_group: HighestGroup(value_bits) if config.has_extensions();
    view at_hand: Signed(config);
    local made: Grouped(config);
    param tells_trap_values = usize::from(config.tells_trap_values());
    param others = usize::from(config.has_extensions());
}

#[kernel]
impl Logic for PayloadSearch {
    fn update(&mut self) {
        at_hand = with_sign.word;
        value_group.word = at_hand.searched;
        made =
            Grouped { known: at_hand.known, group: value_group.group, chosen: value_group.chosen };
        if when(tells_trap_values) {
            trap_value_group.word = at_hand.trap_value_magnitude;
            made.trap_value_group = trap_value_group.group;
            made.trap_value_chosen = trap_value_group.chosen;
        }
        if when(others) {
            other_group.word = at_hand.other_searched;
            made.other_group = other_group.group;
            made.other_chosen = other_group.chosen;
        }
        step_register.in_.valid = with_sign.valid;
        step_register.in_.word = made;
        with_sign.ready = step_register.in_.ready;
        join(step_register.out_, grouped);
    }
}

block! {
    /// How many bits there are before the last value, and at least in it.
    pub PayloadLeast("payload_least") of (config: &Config) {
        let sum_bits = sum_bits(config);
        let value_bits = config.value_bits() as usize;
        let trap_value_bits = config.trap_value_bits() as usize;
        let tells_trap_values = usize::from(config.tells_trap_values());
        let others = usize::from(config.has_extensions());
        let returns = usize::from(config.infers_returns());
        let depth_bits = config.depth_bits() as usize;
        let payloads = Extensions::new(config);
        let sum = |value: u32| Word::new(sum_bits, value.into());
        let width = Found::<View>::new(config).width();
    }
    parameters {
        value_bits,
        width,
    }

    in grouped: Stream(Grouped::<View>::new(config).width());
    out found: Stream(width);
    block step_register: WordRegister(width);
    block value_bit: HighestBit(group_bits(value_bits), sum_bits);
    block trap_value_bit: HighestBit(group_bits(trap_value_bits), sum_bits) if config.tells_trap_values();
    block other_bit: HighestBit(group_bits(value_bits), sum_bits) if config.has_extensions();
    view at_hand: Grouped(config);
    view known: Known(config);
    view plan: Plan(config);
    view record: Record(&config.planned_format());
    view cutting: Cutting(config);
    local made: Found(config);
    /// branches in a map before an address
    local branches: 5;
    /// bits of the map that all branches have
    local whole_map: 5;
    local map_head: sum_bits;
    local head: sum_bits;
    local width: sum_bits;
    local least: sum_bits;
    local depth_sign: returns;
    /// where the depth differs from its sign
    local depth_magnitude: depth_bits;
    /// bits up to the highest one
    local depth_found: returns * sum_bits;
    param number = sum(place as u32 + 1) for place in 0..depth_bits;
    param address_width = sum(config.address_bits());
    param full_width = sum(FULL_MAP);
    param plain_head = sum(ADDRESS_HEAD);
    param branches_head = sum(BRANCHES_HEAD);
    param start_head = sum(START_HEAD + config.told_bits());
    param trap_head = sum(TRAP_HEAD + config.trap_cause_bits + config.told_bits());
    param counted_head = sum(payloads.counted_head());
    param first_head = sum(payloads.head());
    param index_head = sum(payloads.head() + payloads.index_width());
    param report_bits = sum(3);
    param one = 1usize;
    param two = 2usize;
    param four = 4usize;
    param depth_top = depth_bits.saturating_sub(1);
    param returns = returns;
    param predicts = usize::from(config.predicts_branches());
    param others = others;
    param tells_trap_values = tells_trap_values;
}

#[kernel]
impl Logic for PayloadLeast {
    fn update(&mut self) {
        at_hand = grouped.word;
        known = at_hand.known;
        plan = known.plan;
        record = plan.record;
        cutting = plan.cutting;
        value_bit.group = at_hand.group;
        value_bit.chosen = at_hand.chosen;
        branches = 0;
        if record.plain | record.mapped {
            branches = record.branch_count;
        }
        crate::e_trace::payload::map::counts_map!();
        map_head = plain_head;
        if branches || record.full {
            map_head = branches_head;
        }
        head = map_head;
        if record.start {
            head = start_head;
        } else if record.trap {
            head = trap_head;
        } else if !known.cuts_map {
            head = map_head + resized(whole_map);
        }
        if when(predicts) {
            if plan.counts {
                head = counted_head;
            }
        }
        width = address_width;
        if record.full {
            width = full_width;
        }
        least = value_bit.found;
        if cutting.notify || cutting.updiscon {
            least = width + resized(cutting.updiscon);
        }
        if when(returns) {
            depth_sign = fitted(cutting.depth >> depth_top);
            depth_magnitude = cutting.depth;
            if depth_sign {
                depth_magnitude = !cutting.depth;
            }
            depth_found = 0;
            for place in 0..depth_magnitude.width() {
                if depth_magnitude.get_bit(place) {
                    depth_found = number[place];
                }
            }
            if cutting.irreport {
                least = width + report_bits + depth_found;
            }
        }
        if when(tells_trap_values) {
            trap_value_bit.group = at_hand.trap_value_group;
            trap_value_bit.chosen = at_hand.trap_value_chosen;
            if known.ends_in_zeros & trap_value_bit.found.any() {
                least = width + trap_value_bit.found;
            }
        }
        made = Found { known: at_hand.known, head, least };
        if when(others) {
            other_bit.group = at_hand.other_group;
            other_bit.chosen = at_hand.other_chosen;
            made.other_least = other_bit.found;
            made.other_head = first_head;
            if branches {
                made.other_head = index_head;
            }
            if when(predicts) {
                if plan.ends_count {
                    made.other_head = first_head;
                }
            }
        }
        step_register.in_.valid = grouped.valid;
        step_register.in_.word = made;
        grouped.ready = step_register.in_.ready;
        join(step_register.out_, found);
    }
}
