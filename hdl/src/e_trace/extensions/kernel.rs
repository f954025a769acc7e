//! The kernel of the payloads of format 0.

use tracewright_elaborate::prelude::*;

use super::Extensions;

#[kernel]
impl Logic for Extensions {
    fn update(&mut self) {
        // What comes last.
        has_map = plain.branch_count.any();
        sends_count = 0;
        if predicts == 1 {
            sends_count = resized(ends_count, 1);
        }
        // The map of 2^n branches or more has 2^(n+1) - 1 bits.
        whole_map = plain.branch_count
            | (plain.branch_count >> one)
            | (plain.branch_count >> two)
            | ((plain.branch_count >> one) >> two)
            | (plain.branch_count >> four);
        last_of_map = resized(plain.map >> (plain.branch_count - 1), 1);
        sign = 0;
        if plain.branch_count == whole_map {
            sign = last_of_map & has_map;
        }
        magnitude = plain.map;
        if sign {
            magnitude = !(plain.map | (all_map << whole_map));
        }
        value = 0;
        searched = 0;
        if caches == 1 {
            value = resized(cache.index);
            searched = resized(cache.index);
            if has_map {
                value = resized(plain.map);
                searched = resized(magnitude);
            }
        }
        if predicts == 1 {
            if ends_count {
                value = resized(count);
                searched = resized(count);
            }
        }
        found = 0;
        for place in 0..searched.width() {
            if searched.get_bit(place) {
                found = number[place];
            }
        }

        // How much of it is sent.
        head = first_head;
        width = index_width;
        if sends_count {
            width = count_width;
        } else if has_map {
            head = map_head;
            width = resized(whole_map);
        }
        rounded = head + found + round;
        bytes = resized(rounded >> below_byte, 5);
        sent = ((rounded >> below_byte) << below_byte) - head;
        low = sent;
        high = 0;
        if sent > width {
            low = width;
            high = sent - width;
        }
        size = resized(low);
        rest_size = resized(high);
        cut = all_value << low;
        rest_cut = all_rest << high;
        rest_ones = 0;
        if sign {
            rest_ones = all_rest & !rest_cut;
        }

        // Whether it is sent.
        sends_index = 0;
        if caches == 1 {
            cache.keep = progress.reports;
            cache.target = progress.target;
            cache.forget = forget;
            is_shorter = 1;
            if bytes > plain.bytes {
                is_shorter = 0;
            }
            // An index goes without the bits that say more of an address.
            may_index = progress.reports & cache.hit & !progress.needs_address;
            indexes = may_index & is_shorter;
            if predicts == 1 {
                if counts {
                    indexes = 0;
                }
            }
            sends_index = indexes;
        }
        crate::e_trace::extensions::payload::replaces!();
        if caches == 1 {
            record.index_alone = indexes & !has_map;
            record.index_map = indexes & has_map;
            record.index = cache.index;
        }
        if predicts == 1 {
            record.count_alone = ends_count;
            record.counted = counts & plain.plain;
            record.plain = plain.plain & !(alone | counts);
            record.fails = fails;
            record.count = count;
        }
    }
}
