//! The stride table: last address, stride and confidence by instruction.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::mask;
use tracewright_sim::parameter::List;
use tracewright_sim::talon_data::config::{CONFIDENCE_BITS, Config};

use crate::parts::ports::Clear;
use crate::parts::predictor_table::{Reading, TableMemory};
use crate::talon::counter::{CounterStep, RandomBits};

packed! {
    /// An entry of the table.
    Entry of (config: &Config);
    /// low bits of the last address, and above them the number of its region
    last_address: config.regions().table_target_bits();
    stride: config.stride_bits;
    confidence: CONFIDENCE_BITS;
}

block! {
    /// Predicts the data address of an access, and learns it in the cycle in which its symbol is coded.
    ///
    /// An access in another region than the last one of its entry is a miss. Its region is then searched for, one in
    /// each cycle, while the miss is sent: one comparator and a small memory take the place of a register and a
    /// comparator for each region.
    pub StrideTable("stride_table") of (config: &Config, clear_bits: usize) {
        let entries = config.stride_entries as usize;
        let index_bits = config.index_bits() as usize;
        let address_width = config.processor.address_width as usize;
        let regions = config.regions();
        let has_regions = regions.has_regions();
        let of_regions = |bits: u32| if has_regions { bits as usize } else { 0 };
        let number_bits = of_regions(regions.region_bits());
        let upper_bits = of_regions(regions.upper_target_bits());
        let low_bits = config.low_address_bits() as usize;
        let stride_bits = config.stride_bits as usize;
        let confidence_bits = config.coder().confidence_bits() as usize;
        let List(confidences) = config.stride_confidences;
        let confidences = confidences.map(|confidence| Word::new(confidence_bits, confidence as u64));
    }
    parameters {
        entries,
        address_width,
        low_bits,
        stride_bits,
        clear_bits,
    }

    in clear: Clear(clear_bits);
    /// an access is there
    in access: 1;
    /// its entry
    in index: index_bits;
    /// its data address
    in address: address_width;
    /// its symbol can be coded in this cycle
    out is_coded: 1;
    /// it is taken by the coder in this cycle
    in coded: 1;
    /// the access is learned in this cycle; the next one may come
    out done: 1;
    /// the address was predicted
    out hit: 1;
    /// the confidence of the prediction
    out confidence: confidence_bits;
    /// exclusive or of the address and the last one
    out difference: address_width;
    block strides: TableMemory(entries, config.entry_bits() as usize, Reading::WithinCycle, 0);
    block uppers: TableMemory(config.address_regions as usize, upper_bits, Reading::WithinCycle, 0) if has_regions;
    block random_bits: RandomBits();
    block step: CounterStep(CONFIDENCE_BITS as usize);
    view own: Entry(config);
    local written: Entry(config);
    local last_address: address_width;
    /// low bits of the last address
    local last_low: low_bits;
    /// low bits of the address
    local low: low_bits;
    /// how far the address is from the last one in its region
    local distance: low_bits;
    /// the stride with its sign
    local extended: low_bits;
    /// the address is in the region that is looked at
    local is_near: 1;
    /// a region is searched for
    reg searching: of_regions(1);
    /// the region that is looked at
    reg place: number_bits;
    /// the region that is replaced next
    reg oldest: number_bits;
    /// the region whose upper bits are read
    local asked: number_bits;
    /// the region of the address
    local number: number_bits;
    local replaces: of_regions(1);
    param has_regions = usize::from(has_regions);
    param low_bits = low_bits;
    param has_stride = usize::from(stride_bits > 0);
    param sign_place = stride_bits.saturating_sub(1);
    param above_stride = Word::new(low_bits, mask((low_bits - stride_bits) as u32)) << Word::new(7, stride_bits as u64);
    param confidences = confidence.clone() for confidence in &confidences;
    // A counter whose direction is always "right".
    param right = Word::new(CONFIDENCE_BITS as usize + 1, 1 << CONFIDENCE_BITS);
}

#[allow(clippy::collapsible_if, reason = "the outer condition is decided at elaboration")]
#[kernel]
impl Logic for StrideTable {
    fn update(&mut self) {
        // There may be more regions than entries.
        strides.clear.valid = clear.valid;
        strides.clear.index = resized(clear.index);
        strides = TableMemory { clear_entry: 0, index };
        own = strides.entry;
        last_low = resized(own.last_address);
        low = resized(address);
        last_address = resized(own.last_address);
        if when(has_regions) {
            asked = resized(own.last_address >> low_bits);
            if searching.q {
                asked = place.q;
            }
            uppers.index = asked;
            last_address = (resized(uppers.entry) << low_bits) | resized(last_low);
        }
        difference = address ^ last_address;
        distance = low - last_low;
        extended = resized(own.stride);
        if when(has_stride) {
            if own.stride.get_bit(sign_place) {
                extended = above_stride | resized(own.stride);
            }
        }
        hit = distance == extended;
        done = coded;
        is_coded = access;
        written.last_address = resized(address);
        if when(has_regions) {
            is_near = !bit(difference >> low_bits);
            hit = is_near & !searching.q & bit(distance == extended);
            is_coded = access & !searching.q;
            done = coded & is_near;
            replaces = 0;
            place.d = 0;
            if searching.q {
                replaces = !is_near & bit(place.q.all());
                done = is_near | replaces;
                searching.d = !done;
                place.d = place.q + 1;
            } else if coded {
                searching.d = !is_near;
            }
            number = asked;
            if replaces {
                number = oldest.q;
                oldest.d = oldest.q + 1;
            }
            uppers.clear.valid = clear.valid;
            uppers.clear.index = resized(clear.index);
            uppers = TableMemory {
                clear_entry: 0,
                write: replaces,
                write_index: oldest.q,
                written: resized(address >> low_bits),
            };
            written.last_address = (resized(number) << low_bits) | resized(low);
        }

        confidence = confidences[0];
        for value in 0..confidences.len() {
            if own.confidence == value {
                confidence = confidences[value];
            }
        }

        random_bits.step = done;
        step = CounterStep {
            counter: resized(own.confidence) | right,
            taken: hit,
            grows: random_bits.grows.get_bit(own.confidence),
        };
        written = Entry { stride: own.stride, confidence: resized(step.counter_next) };
        if !(hit | own.confidence.any()) {
            written.stride = resized(distance);
        }
        strides = TableMemory { write: done, write_index: index, written };
    }
}
