//! The choice between a payload and an index or a count, where both are cut step by step.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{index_bits, mask};
use tracewright_sim::e_trace::config::Config;

use crate::e_trace::record_former::Record;

packed! {
    /// What may go instead of a payload: an index, the map after it, or a count.
    pub Lane of (config: &Config) {
        let on = usize::from(config.has_extensions());
        let caches = usize::from(config.caches_targets());
        let predicts = usize::from(config.predicts_branches());
    }
    bytes: 5 * on;
    /// bits of the last value
    size: on * index_bits(config.value_bits() + 1) as usize;
    /// bits after it
    rest_size: on * index_bits(config.most_rest_bits() + 1) as usize;
    sign: on;
    may_index: caches;
    index: config.index_bits();
    counts: predicts;
    ends_count: predicts;
    fails: predicts;
    count: predicts * config.branch_count_bits as usize;
}

block! {
    /// Sends a count of branches, and an index instead of an address unless that is shorter, as `Extensions` does.
    pub ExtensionChoice("extension_choice") of (config: &Config) {
        let (plain, format) = (config.plain_format(), config.format());
        let caches = usize::from(config.caches_targets());
        let value_bits = config.value_bits() as usize;
        let most_rest_bits = config.most_rest_bits() as usize;
        let size_bits = index_bits(config.value_bits() + 1) as usize;
        let rest_size_bits = index_bits(config.most_rest_bits() + 1) as usize;
    }
    parameters {
        value_bits,
        caches,
    }

    /// the record without these payloads
    in plain: Record(&plain);
    in lane: Lane(config);
    out record: Record(&format);
    /// the payload ends in an index, in the map after it, or in a count
    local alone: 1;
    local is_shorter: caches;
    /// an index goes instead of an address
    local indexes: caches;
    local has_map: 1;
    local sends_count: 1;
    local sends_index: 1;
    /// what comes last
    local value: value_bits;
    local bytes: 5;
    local high: rest_size_bits;
    local size: size_bits;
    local rest_size: rest_size_bits;
    local cut: value_bits;
    local rest_cut: most_rest_bits;
    local rest_ones: most_rest_bits;
    param caches = caches;
    param predicts = usize::from(config.predicts_branches());
    param all_value = Word::new(value_bits, mask(config.value_bits()));
    param all_rest = Word::new(most_rest_bits, mask(config.most_rest_bits()));
}

#[kernel]
impl Logic for ExtensionChoice {
    fn update(&mut self) {
        has_map = plain.branch_count.any();
        sends_count = 0;
        if when(predicts) {
            sends_count = resized(lane.ends_count, 1);
        }
        value = 0;
        if when(caches) {
            value = resized(lane.index);
            if has_map {
                value = resized(plain.map);
            }
        }
        if when(predicts) {
            if lane.ends_count {
                value = resized(lane.count);
            }
        }
        bytes = lane.bytes;
        size = lane.size;
        rest_size = lane.rest_size;
        high = lane.rest_size;
        cut = all_value << size;
        rest_cut = all_rest << rest_size;
        rest_ones = 0;
        if lane.sign {
            rest_ones = all_rest & !rest_cut;
        }
        sends_index = 0;
        if when(caches) {
            is_shorter = 1;
            if bytes > plain.bytes {
                is_shorter = 0;
            }
            indexes = lane.may_index & is_shorter;
            if when(predicts) {
                if lane.counts {
                    indexes = 0;
                }
            }
            sends_index = indexes;
        }
        crate::e_trace::extensions::payload::replaces!();
        if when(caches) {
            record.index_alone = indexes & !has_map;
            record.index_map = indexes & has_map;
            record.index = lane.index;
        }
        if when(predicts) {
            record.count_alone = lane.ends_count;
            record.counted = lane.counts & plain.plain;
            record.plain = plain.plain & !(alone | lane.counts);
            record.fails = lane.fails;
            record.count = lane.count;
        }
    }
}
