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

block! {
    /// Says how many bits are sent of the fields of a payload.
    pub PayloadCut("payload_cut") of (config: &Config) {
        let value_bits = config.value_bits() as usize;
        let address_bits = config.address_bits();
        let size_bits = index_bits(config.value_bits() + 1) as usize;
        let trap_head = TRAP_HEAD + config.trap_cause_bits;
        let most = (BRANCHES_HEAD + FULL_MAP).max(trap_head) + address_bits.max(FULL_MAP) + config.most_rest_bits();
        let sum_bits = index_bits(most + 1) as usize;
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
    /// what follows the value, zero above its bits
    out rest: most_rest_bits as usize;
    /// bits of that
    out rest_bits: rest_size_bits;
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
    param number = sum(place as u32 + 1) for place in 0..value_bits;
    param top = value_bits - 1;
    param address_width = sum(address_bits);
    param full_width = sum(FULL_MAP);
    param plain_head = sum(ADDRESS_HEAD);
    param branches_head = sum(BRANCHES_HEAD);
    param start_head = sum(START_HEAD);
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
    param depth_top = depth_bits.saturating_sub(1);
    param above_depth = Word::new(most_rest_bits as usize, mask(most_rest_bits) & !mask(depth_bits as u32));
    param report_bits = sum(3);
    param three = 3usize;
    param below_byte = 3usize;
    param one = 1usize;
    param two = 2usize;
    param four = 4usize;
}

impl Logic for PayloadCut {
    #[hdl_gen]
    fn update(&mut self) {
        // The map of 2^n branches or more has 2^(n+1) - 1 bits.
        self.whole_map.next = self.branches.val()
            | (self.branches.val() >> self.one.val())
            | (self.branches.val() >> self.two.val())
            | ((self.branches.val() >> self.one.val()) >> self.two.val())
            | (self.branches.val() >> self.four.val());
        // Zeros follow the address of a trap.
        self.sign.next = bits_to(self.value.val() >> self.top.val(), 1) & !self.trap.val();
        self.magnitude.next = self.value.val();
        if self.sign.val().any() {
            self.magnitude.next = !self.value.val();
        }
        if self.extends.val() == 1 {
            if self.trap.val().any() {
                self.magnitude.next = self.value.val() & self.own_value.val();
            }
        }
        self.cuts_map.next = 0.into();
        if !self.value.val().any() && self.branches.val().any() {
            self.cuts_map.next = !(self.notify.val() | self.updiscon.val());
            if self.returns.val() == 1 {
                self.cuts_map.next =
                    !(self.notify.val() | self.updiscon.val() | self.irreport.val());
            }
        }
        self.searched.next = self.magnitude.val();
        if self.cuts_map.val().any() {
            self.searched.next = bits_to(self.map.val(), self.searched.width());
        }
        self.found.next = 0.into();
        for place in 0..self.searched.width() {
            if self.searched.val().get_bit(place) {
                self.found.next = self.number[place].val();
            }
        }

        self.map_head.next = self.plain_head.val();
        if self.branches.val().any() || self.full.val().any() {
            self.map_head.next = self.branches_head.val();
        }
        self.head.next = self.map_head.val();
        if self.start.val().any() {
            self.head.next = self.start_head.val();
        } else if self.trap.val().any() {
            self.head.next = self.trap_head.val();
        } else if !self.cuts_map.val().any() {
            self.head.next = self.map_head.val() + bits_to(self.whole_map.val(), self.head.width());
        }
        if self.predicts.val() == 1 {
            if self.counted.val().any() {
                self.head.next = self.counted_head.val();
            }
        }
        self.width.next = self.address_width.val();
        if self.full.val().any() {
            self.width.next = self.full_width.val();
        }
        self.least.next = self.found.val();
        if self.notify.val().any() || self.updiscon.val().any() {
            self.least.next = self.width.val() + bits_to(self.updiscon.val(), self.width.width());
        }
        if self.returns.val() == 1 {
            self.depth_sign.next = unsigned_cast_to_fit(self.depth.val() >> self.depth_top.val());
            self.depth_magnitude.next = self.depth.val();
            if self.depth_sign.val().any() {
                self.depth_magnitude.next = !self.depth.val();
            }
            self.depth_found.next = 0.into();
            for place in 0..self.depth.width() {
                if self.depth_magnitude.val().get_bit(place) {
                    self.depth_found.next = self.number[place].val();
                }
            }
            if self.irreport.val().any() {
                self.least.next =
                    self.width.val() + self.report_bits.val() + self.depth_found.val();
            }
        }
        self.rounded.next = self.head.val() + self.least.val() + self.round.val();
        self.bytes.next = bits_to(self.rounded.val() >> self.below_byte.val(), 5);
        self.sent.next = ((self.rounded.val() >> self.below_byte.val()) << self.below_byte.val())
            - self.head.val();

        self.limit.next = self.width.val();
        if self.cuts_map.val().any() {
            self.limit.next = bits_to(self.whole_map.val(), self.limit.width());
        }
        self.low.next = self.sent.val();
        self.high.next = 0.into();
        if self.sent.val() > self.limit.val() {
            self.low.next = self.limit.val();
            self.high.next = self.sent.val() - self.limit.val();
        }
        if self.cuts_map.val().any() {
            self.map_bits.next = bits_to(self.low.val(), 5);
            self.size.next = bits_to(self.high.val(), self.size.width());
            self.rest_bits.next = 0.into();
        } else {
            self.map_bits.next = self.whole_map.val();
            self.size.next = bits_to(self.low.val(), self.size.width());
            self.rest_bits.next = bits_to(self.high.val(), self.rest_bits.width());
        }
        self.first.next = self.sign.val() ^ self.notify.val();
        self.others.next = self.sign.val() ^ (self.notify.val() | self.updiscon.val());
        self.rest_ones.next = bits_to(self.first.val(), self.rest.width());
        if self.others.val().any() {
            self.rest_ones.next =
                bits_to(self.first.val(), self.rest.width()) | self.all_others.val();
        }
        if self.returns.val() == 1 {
            self.signed_depth.next = bits_to(self.depth.val(), self.rest.width());
            if self.depth_sign.val().any() {
                self.signed_depth.next =
                    bits_to(self.depth.val(), self.rest.width()) | self.above_depth.val();
            }
            self.before_depth.next = bits_to(self.first.val(), self.rest.width())
                | (bits_to(self.others.val(), self.rest.width()) << self.one.val())
                | (bits_to(!self.others.val(), self.rest.width()) << self.two.val());
            if self.irreport.val().any() {
                self.rest_ones.next =
                    self.before_depth.val() | (self.signed_depth.val() << self.three.val());
            }
        }
        self.cut.next = self.all_value.val() << self.size.val();
        self.kept.next = self.value.val() & !self.cut.val();
        self.rest_cut.next = self.all_rest.val() << self.rest_bits.val();
        self.rest.next = self.rest_ones.val() & !self.rest_cut.val();
    }
}
