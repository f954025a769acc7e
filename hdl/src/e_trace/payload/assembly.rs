//! The last step: the record with the bits of its payload that are sent.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::mask;
use tracewright_sim::e_trace::config::Config;

use super::words::{Cutting, Known, Plan, Sized};
use crate::e_trace::extensions::Lane;
use crate::e_trace::record_former::Record;

block! {
    /// Cuts a payload, and what may go instead.
    pub PayloadAssembly("payload_assembly") of (config: &Config) {
        let plain = config.plain_format();
        let value_bits = config.value_bits() as usize;
        let trap_value_bits = config.trap_value_bits() as usize;
        let most_rest_bits = config.most_rest_bits() as usize;
        let depth_bits = config.depth_bits() as usize;
        let returns = usize::from(config.infers_returns());
        let on = |bits: usize| returns * bits;
        let depth_mask = mask(config.most_rest_bits()) & !mask(config.depth_bits());
    }
    parameters {
        value_bits,
        trap_value_bits,
        most_rest_bits,
    }

    in sized: Sized::<View>::new(config).width();
    /// the record without payloads of format 0
    out record: Record(&plain);
    /// what may go instead of its payload
    out lane: Lane(config);
    view at_hand: Sized(config);
    view known: Known(config);
    view plan: Plan(config);
    view planned: Record(&config.planned_format());
    view cutting: Cutting(config);
    local first: 1;
    local others: 1;
    local rest_ones: most_rest_bits;
    /// bits of the value that are not sent
    local cut: value_bits;
    /// bits after the rest
    local rest_cut: most_rest_bits;
    local depth_sign: returns;
    local signed_depth: on(most_rest_bits);
    /// bits before the depth
    local before_depth: on(most_rest_bits);
    /// bits of the value of a trap that are not sent
    local trap_value_cut: trap_value_bits;
    param all_value = Word::new(value_bits, mask(config.value_bits()));
    param all_rest = Word::new(most_rest_bits, mask(config.most_rest_bits()));
    param all_others = Word::new(most_rest_bits, mask(config.most_rest_bits()) & !1);
    param all_trap_value = Word::new(trap_value_bits, mask(config.trap_value_bits()));
    param depth_top = depth_bits.saturating_sub(1);
    param above_depth = Word::new(most_rest_bits, depth_mask);
    param tells_state = usize::from(config.tells_state());
    param tells_cause = usize::from(config.tells_cause());
    param tells_trap_values = usize::from(config.tells_trap_values());
    param tells_time = usize::from(config.tells_time());
    param splits_state = usize::from(config.splits_state());
    param returns = returns;
    param has_others = usize::from(config.has_extensions());
    param one = 1usize;
    param two = 2usize;
    param three = 3usize;
}

#[kernel]
impl Logic for PayloadAssembly {
    fn update(&mut self) {
        at_hand = sized;
        known = at_hand.known;
        plan = known.plan;
        planned = plan.record;
        cutting = plan.cutting;
        first = known.sign ^ cutting.notify;
        others = known.sign ^ (cutting.notify | cutting.updiscon);
        rest_ones = resized(first);
        if others {
            rest_ones = resized(first) | all_others;
        }
        if when(returns) {
            depth_sign = fitted(cutting.depth >> depth_top);
            signed_depth = resized(cutting.depth);
            if depth_sign {
                signed_depth = resized(cutting.depth) | above_depth;
            }
            before_depth = resized(first) | (resized(others) << one) | (resized(!others) << two);
            if cutting.irreport {
                rest_ones = before_depth | (signed_depth << three);
            }
        }
        cut = all_value << at_hand.size;
        rest_cut = all_rest << at_hand.rest_bits;
        record = Record {
            flush: planned.flush,
            idle: planned.idle,
            sends_payload: planned.sends_payload,
            start: planned.start,
            trap: planned.trap,
            synchronises: planned.synchronises,
            branches: planned.branches,
            plain: planned.plain,
            mapped: planned.mapped,
            full: planned.full,
            not_taken: planned.not_taken,
            handler: planned.handler,
            alone: planned.alone,
            flow: planned.flow,
            branch_count: planned.branch_count,
            map: planned.map,
        };
        record.sends_address = 0;
        if at_hand.size {
            record.sends_address = planned.sends_payload & !planned.full;
        }
        record.sends_rest = planned.sends_payload & at_hand.rest_bits.any();
        record = Record {
            bytes: at_hand.bytes,
            map_bits: at_hand.map_bits,
            value: known.value & !cut,
            value_bits: at_hand.size,
            rest: rest_ones & !rest_cut,
            rest_bits: at_hand.rest_bits,
        };
        if when(tells_state) {
            record.level = planned.level;
        }
        if when(tells_cause) {
            record.cause = planned.cause;
        }
        if when(tells_time) {
            record.time = planned.time;
        }
        if when(splits_state) {
            record.context = planned.context;
        }
        if when(tells_trap_values) {
            trap_value_cut = all_trap_value << at_hand.trap_value_size;
            record.sends_trap_value = at_hand.trap_value_size.any();
            record.trap_value = planned.trap_value & !trap_value_cut;
            record.trap_value_bits = at_hand.trap_value_size;
        }
        if when(has_others) {
            lane = Lane {
                bytes: at_hand.other_bytes,
                size: at_hand.other_size,
                rest_size: at_hand.other_rest_bits,
                sign: known.other_sign,
                may_index: plan.may_index,
                index: plan.index,
                counts: plan.counts,
                ends_count: plan.ends_count,
                fails: plan.fails,
                count: plan.count,
            };
        }
    }
}
