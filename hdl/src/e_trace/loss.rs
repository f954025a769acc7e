//! The record that ends a part of the trace, or says that blocks are lost, made of the one at the end of a trace.

use tracewright_elaborate::prelude::*;
use tracewright_sim::e_trace::config::Config;

use super::record_former::Record;

block! {
    /// Makes of the record that would end the trace the one that ends a part of it, or says that blocks are lost.
    ///
    /// A start or a trap, at which nothing has retired, is lost too.
    pub Loss("loss") of (config: &Config) {
        let (plain, format) = (config.plain_format(), config.format());
        let drops = usize::from(config.protocol.drops_alone());
        let filters = usize::from(config.protocol.filters_alone());
    }
    parameters {
        address_bits = config.address_bits() as usize,
        trap_cause_bits = config.trap_cause_bits as usize,
    }

    in plain: Record(&plain);
    /// it says that blocks are lost
    in loses: drops;
    /// it ends a part
    in leaves: filters;
    out record: Record(&format);
    /// blocks are lost
    local is_loss: 1;
    /// the trace goes on after it
    local goes_on: 1;
    /// it has no payload but that of the end
    local is_alone: 1;
    /// one instruction has retired at the last address
    local is_marked: 1;
    param drops = drops;
    param filters = filters;
    param tells_state = usize::from(config.tells_state());
    param tells_cause = usize::from(config.tells_cause());
    param tells_trap_values = usize::from(config.tells_trap_values());
    param tells_time = usize::from(config.tells_time());
    param splits_state = usize::from(config.splits_state());
}

#[kernel]
impl Logic for Loss {
    fn update(&mut self) {
        is_loss = 0;
        if when(drops) {
            is_loss = loses;
        }
        goes_on = is_loss;
        if when(filters) {
            goes_on = is_loss | leaves;
        }
        is_alone = is_loss & (plain.synchronises | !plain.sends_payload);
        is_marked = (plain.synchronises & plain.idle) | (!plain.synchronises & plain.alone);
        record.flush = plain.flush & !goes_on;
        record.idle = plain.idle;
        record.sends_payload = plain.sends_payload & !is_alone;
        record.start = plain.start & !is_alone;
        record.trap = plain.trap & !is_alone;
        record.synchronises = plain.synchronises & !is_alone;
        record.branches = plain.branches;
        record.plain = plain.plain;
        record.mapped = plain.mapped;
        record.full = plain.full;
        record.sends_address = plain.sends_address & !is_alone;
        record.sends_rest = plain.sends_rest & !is_alone;
        record.not_taken = plain.not_taken;
        record.handler = plain.handler;
        record.alone = plain.alone | is_loss;
        record.supports = plain.flush;
        record.whole = !is_loss;
        record.flow = plain.flow;
        if is_alone {
            record.idle = is_marked;
            record.flow = resized(is_marked);
        }
        record.bytes = plain.bytes;
        record.branch_count = plain.branch_count;
        record.map = plain.map;
        record.map_bits = plain.map_bits;
        record.value = plain.value;
        record.value_bits = plain.value_bits;
        record.rest = plain.rest;
        record.rest_bits = plain.rest_bits;
        if when(tells_state) {
            record.level = plain.level;
        }
        if when(tells_cause) {
            record.cause = plain.cause;
        }
        if when(tells_trap_values) {
            record.sends_trap_value = plain.sends_trap_value & !is_alone;
            record.trap_value = plain.trap_value;
            record.trap_value_bits = plain.trap_value_bits;
        }
        if when(tells_time) {
            record.time = plain.time;
        }
        if when(splits_state) {
            record.context = plain.context;
        }
    }
}
