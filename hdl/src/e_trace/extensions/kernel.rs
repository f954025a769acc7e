//! The kernel of the payloads of format 0.

use tracewright_elaborate::prelude::*;

use super::Extensions;

impl Logic for Extensions {
    #[hdl_gen]
    fn update(&mut self) {
        // What comes last.
        self.has_map.next = bits_to(self.plain.branch_count.val().any(), 1);
        self.sends_count.next = 0.into();
        if self.predicts.val() == 1 {
            self.sends_count.next = bits_to(self.ends_count.val(), 1);
        }
        // The map of 2^n branches or more has 2^(n+1) - 1 bits.
        self.whole_map.next = self.plain.branch_count.val()
            | (self.plain.branch_count.val() >> self.one.val())
            | (self.plain.branch_count.val() >> self.two.val())
            | ((self.plain.branch_count.val() >> self.one.val()) >> self.two.val())
            | (self.plain.branch_count.val() >> self.four.val());
        self.last_of_map.next =
            bits_to(self.plain.map.val() >> (self.plain.branch_count.val() - 1), 1);
        self.sign.next = 0.into();
        if self.plain.branch_count.val() == self.whole_map.val() {
            self.sign.next = self.last_of_map.val() & self.has_map.val();
        }
        self.magnitude.next = self.plain.map.val();
        if self.sign.val().any() {
            self.magnitude.next =
                !(self.plain.map.val() | (self.all_map.val() << self.whole_map.val()));
        }
        self.value.next = 0.into();
        self.searched.next = 0.into();
        if self.caches.val() == 1 {
            self.value.next = bits_to(self.cache.index.val(), self.value.width());
            self.searched.next = bits_to(self.cache.index.val(), self.value.width());
            if self.has_map.val().any() {
                self.value.next = bits_to(self.plain.map.val(), self.value.width());
                self.searched.next = bits_to(self.magnitude.val(), self.value.width());
            }
        }
        if self.predicts.val() == 1 {
            if self.ends_count.val().any() {
                self.value.next = bits_to(self.count.val(), self.value.width());
                self.searched.next = bits_to(self.count.val(), self.value.width());
            }
        }
        self.found.next = 0.into();
        for place in 0..self.searched.width() {
            if self.searched.val().get_bit(place) {
                self.found.next = self.number[place].val();
            }
        }

        // How much of it is sent.
        self.head.next = self.first_head.val();
        self.width.next = self.index_width.val();
        if self.sends_count.val().any() {
            self.width.next = self.count_width.val();
        } else if self.has_map.val().any() {
            self.head.next = self.map_head.val();
            self.width.next = bits_to(self.whole_map.val(), self.width.width());
        }
        self.rounded.next = self.head.val() + self.found.val() + self.round.val();
        self.bytes.next = bits_to(self.rounded.val() >> self.below_byte.val(), 5);
        self.sent.next = ((self.rounded.val() >> self.below_byte.val()) << self.below_byte.val())
            - self.head.val();
        self.low.next = self.sent.val();
        self.high.next = 0.into();
        if self.sent.val() > self.width.val() {
            self.low.next = self.width.val();
            self.high.next = self.sent.val() - self.width.val();
        }
        self.size.next = bits_to(self.low.val(), self.size.width());
        self.rest_size.next = bits_to(self.high.val(), self.rest_size.width());
        self.cut.next = self.all_value.val() << self.low.val();
        self.rest_cut.next = self.all_rest.val() << self.high.val();
        self.rest_ones.next = 0.into();
        if self.sign.val().any() {
            self.rest_ones.next = self.all_rest.val() & !self.rest_cut.val();
        }

        // Whether it is sent.
        self.sends_index.next = 0.into();
        if self.caches.val() == 1 {
            self.cache.keep.next = self.progress.reports.val();
            self.cache.target.next = self.progress.target.val();
            self.cache.forget.next = self.forget.val();
            self.is_shorter.next = 1.into();
            if self.bytes.val() > self.plain.bytes.val() {
                self.is_shorter.next = 0.into();
            }
            // An index goes without the bits that say more of an address.
            self.may_index.next = self.progress.reports.val()
                & self.cache.hit.val()
                & !self.progress.needs_address.val();
            self.indexes.next = self.may_index.val() & self.is_shorter.val();
            if self.predicts.val() == 1 {
                if self.counts.val().any() {
                    self.indexes.next = 0.into();
                }
            }
            self.sends_index.next = self.indexes.val();
        }
        self.alone.next = self.sends_index.val() | self.sends_count.val();

        self.record.flush.next = self.plain.flush.val();
        self.record.idle.next = self.plain.idle.val();
        self.record.sends_payload.next = self.plain.sends_payload.val();
        self.record.start.next = self.plain.start.val();
        self.record.trap.next = self.plain.trap.val();
        self.record.synchronises.next = self.plain.synchronises.val();
        self.record.branches.next = self.plain.branches.val() & !self.alone.val();
        self.record.plain.next = self.plain.plain.val() & !self.alone.val();
        self.record.mapped.next = self.plain.mapped.val() & !self.alone.val();
        self.record.full.next = self.plain.full.val() & !self.alone.val();
        self.record.sends_address.next = self.plain.sends_address.val() & !self.alone.val();
        self.record.not_taken.next = self.plain.not_taken.val();
        self.record.handler.next = self.plain.handler.val();
        self.record.alone.next = self.plain.alone.val();
        self.record.flow.next = self.plain.flow.val();
        self.record.branch_count.next = self.plain.branch_count.val();
        self.record.map.next = self.plain.map.val();
        self.record.map_bits.next = self.plain.map_bits.val();
        self.record.sends_rest.next = self.plain.sends_rest.val();
        self.record.bytes.next = self.plain.bytes.val();
        self.record.value.next = self.plain.value.val();
        self.record.value_bits.next = self.plain.value_bits.val();
        self.record.rest.next = self.plain.rest.val();
        self.record.rest_bits.next = self.plain.rest_bits.val();
        if self.alone.val().any() {
            self.record.sends_rest.next = bits_to(self.high.val().any(), 1);
            self.record.bytes.next = self.bytes.val();
            self.record.value.next = self.value.val() & !self.cut.val();
            self.record.value_bits.next = self.size.val();
            self.record.rest.next = self.rest_ones.val();
            self.record.rest_bits.next = self.rest_size.val();
        }
        if self.caches.val() == 1 {
            self.record.index_alone.next = self.indexes.val() & !self.has_map.val();
            self.record.index_map.next = self.indexes.val() & self.has_map.val();
            self.record.index.next = self.cache.index.val();
        }
        if self.predicts.val() == 1 {
            self.record.count_alone.next = self.ends_count.val();
            self.record.counted.next = self.counts.val() & self.plain.plain.val();
            self.record.plain.next =
                self.plain.plain.val() & !(self.alone.val() | self.counts.val());
            self.record.fails.next = self.fails.val();
            self.record.count.next = self.count.val();
        }
    }
}
