//! Payloads of format 0, made of those that the record former makes.

#![allow(
    clippy::collapsible_if,
    reason = "a condition of the configuration guards signals that are not there without it"
)]

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{index_bits, mask};
use tracewright_sim::e_trace::config::Config;
use tracewright_sim::e_trace::extensions::Extensions as Payloads;
use tracewright_sim::e_trace::payload::FULL_MAP;
use tracewright_sim::e_trace::slots::{COUNT_BITS, COUNT_FORMAT_BITS};

use super::jump_target_cache::JumpTargetCache;
use super::record_former::{Progress, Record};

mod choice;
mod kernel;
pub(crate) mod payload;

pub use choice::{ExtensionChoice, Lane};

block! {
    /// Sends a count of branches, and the place of a jump's target in the cache instead of its address unless that is
    /// longer.
    pub Extensions("extensions") of (config: &Config) {
        let (plain, format) = (config.plain_format(), config.format());
        let caches = usize::from(config.caches_targets());
        let predicts = usize::from(config.predicts_branches());
        let payloads = Payloads::new(config);
        let map_width = FULL_MAP as usize;
        let value_bits = config.value_bits() as usize;
        let count_bits = config.branch_count_bits as usize;
        let size_bits = index_bits(config.value_bits() + 1) as usize;
        let most_rest_bits = config.most_rest_bits();
        let rest_size_bits = index_bits(most_rest_bits + 1) as usize;
        let map_head = payloads.head() + payloads.index_width();
        let count_width = COUNT_BITS + COUNT_FORMAT_BITS;
        let sum_bits = index_bits(map_head + FULL_MAP + count_width) as usize;
        let sum = |value: u32| Word::new(sum_bits, value.into());
    }
    parameters {
        address_bits = config.address_bits() as usize,
        caches,
        predicts,
    }

    /// the record without these payloads
    in plain: Record(&plain);
    in progress: Progress(config);
    /// the trace goes on with a start or a trap
    in forget: caches;
    /// a report has a count
    in counts: predicts;
    in count: predicts * count_bits;
    /// the branch at its address was not predicted
    in fails: predicts;
    /// a count is sent before a branch that was not predicted
    in ends_count: predicts;
    out record: Record(&format);
    block cache: JumpTargetCache(config) if config.caches_targets();
    /// the payload ends in an index, in the map after it, or in a count
    local alone: 1;
    local may_index: caches;
    local is_shorter: caches;
    /// an index goes instead of an address
    local indexes: caches;
    local has_map: 1;
    local sends_count: 1;
    local sends_index: 1;
    /// bits of the map
    local whole_map: 5;
    local last_of_map: 1;
    local sign: 1;
    local magnitude: map_width;
    /// what comes last, and where it differs from its sign
    local value: value_bits;
    local searched: value_bits;
    /// bits up to the highest one
    local found: sum_bits;
    local head: sum_bits;
    local width: sum_bits;
    local rounded: sum_bits;
    local bytes: 5;
    local sent: sum_bits;
    local low: sum_bits;
    local high: sum_bits;
    local size: size_bits;
    local rest_size: rest_size_bits;
    local cut: value_bits;
    local rest_cut: most_rest_bits as usize;
    local rest_ones: most_rest_bits as usize;
    param caches = caches;
    param predicts = predicts;
    param number = sum(place as u32 + 1) for place in 0..value_bits;
    param first_head = sum(payloads.head());
    param map_head = sum(map_head);
    param index_width = sum(payloads.index_width());
    param count_width = sum(count_width);
    /// the sign, and what fills up a byte
    param round = sum(1 + 7);
    param below_byte = 3usize;
    param one = 1usize;
    param two = 2usize;
    param four = 4usize;
    param all_map = Word::new(map_width, mask(FULL_MAP));
    param all_value = Word::new(value_bits, mask(config.value_bits()));
    param all_rest = Word::new(most_rest_bits as usize, mask(most_rest_bits));
}
