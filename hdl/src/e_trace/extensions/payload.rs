//! The record with an index or a count in place of its payload.

use tracewright_elaborate::prelude::*;

/// What ends in an index, in the map after it, or in a count has that as its payload.
#[piece]
pub(crate) fn replaces() {
    alone = sends_index | sends_count;

    record.flush = plain.flush;
    record.idle = plain.idle;
    record.sends_payload = plain.sends_payload;
    record.start = plain.start;
    record.trap = plain.trap;
    record.synchronises = plain.synchronises;
    record.branches = plain.branches & !alone;
    record.plain = plain.plain & !alone;
    record.mapped = plain.mapped & !alone;
    record.full = plain.full & !alone;
    record.sends_address = plain.sends_address & !alone;
    record.not_taken = plain.not_taken;
    record.handler = plain.handler;
    record.alone = plain.alone;
    record.flow = plain.flow;
    record.branch_count = plain.branch_count;
    record.map = plain.map;
    record.map_bits = plain.map_bits;
    record.sends_rest = plain.sends_rest;
    record.bytes = plain.bytes;
    record.value = plain.value;
    record.value_bits = plain.value_bits;
    record.rest = plain.rest;
    record.rest_bits = plain.rest_bits;
    if alone {
        record.sends_rest = high.any();
        record.bytes = bytes;
        record.value = value & !cut;
        record.value_bits = size;
        record.rest = rest_ones;
        record.rest_bits = rest_size;
    }
}
