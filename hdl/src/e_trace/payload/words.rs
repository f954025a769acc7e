//! The words in the registers between the steps in which a payload is cut.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::e_trace::config::Config;

use super::sum_bits;

/// Bits of a group in which the highest bit is searched.
pub(crate) const GROUP: usize = 8;

/// Bits that number the groups of a value of so many bits.
pub(crate) fn group_bits(width: usize) -> usize {
    if width == 0 { 0 } else { index_bits(width.div_ceil(GROUP) as u32).max(1) as usize }
}

packed! {
    /// What of a payload is decided with its block.
    pub Cutting of (config: &Config) {
        let on = usize::from(config.cuts_in_steps());
        let returns = on * usize::from(config.infers_returns());
    }
    /// the last value is this address, or its difference from the last one
    address: on * config.address_bits() as usize;
    /// the payload is an address that no jump and no end asks for
    notify: on;
    /// the payload is an address where the trace ends after a jump
    updiscon: on;
    /// the payload says the depth of the stack of return addresses
    irreport: returns;
    depth: returns * config.depth_bits() as usize;
}

packed! {
    /// A record whose payload is not cut yet, and all that its payload is made of.
    pub Plan of (config: &Config) {
        let on = usize::from(config.cuts_in_steps());
        let caches = on * usize::from(config.caches_targets());
        let predicts = on * usize::from(config.predicts_branches());
    }
    record: on * config.planned_format().bits() as usize;
    cutting: Cutting::<View>::new(config).width();
    /// the record says that blocks are lost
    loses: on * usize::from(config.protocol.drops_alone());
    /// it ends a part of the trace
    leaves: on * usize::from(config.protocol.filters_alone());
    /// an index may go instead of an address
    may_index: caches;
    index: on * config.index_bits() as usize;
    /// a count of branches goes before the address
    counts: predicts;
    /// a count is sent without an address
    ends_count: predicts;
    fails: predicts;
    count: predicts * config.branch_count_bits as usize;
}

packed! {
    /// The same with an address, or its difference from the last one.
    pub Differing of (config: &Config);
    plan: Plan::<View>::new(config).width();
    field: config.address_bits();
}

packed! {
    /// What is known of a payload as soon as it has its last value.
    pub Known of (config: &Config);
    plan: Plan::<View>::new(config).width();
    /// the last value, its sign in all bits above its own
    value: config.value_bits();
    sign: 1;
    /// the map is cut, too
    cuts_map: 1;
    /// a `tval` follows the address
    ends_in_zeros: 1;
    trap_value_sign: usize::from(config.tells_trap_values());
    /// the sign of what an index or a count ends in
    other_sign: usize::from(config.has_extensions());
}

packed! {
    /// The same, and the bits of which the highest is searched.
    pub Signed of (config: &Config);
    known: Known::<View>::new(config).width();
    searched: config.value_bits();
    trap_value_magnitude: config.trap_value_bits();
    other_searched: usize::from(config.has_extensions()) * config.value_bits() as usize;
}

packed! {
    /// The same, and where the highest bit is among eight.
    pub Grouped of (config: &Config) {
        let value_bits = config.value_bits() as usize;
        let trap_value_bits = config.trap_value_bits() as usize;
        let other_bits = usize::from(config.has_extensions()) * value_bits;
        let eight = |bits: usize| if bits > 0 { GROUP } else { 0 };
    }
    known: Known::<View>::new(config).width();
    group: group_bits(value_bits);
    chosen: GROUP;
    trap_value_group: group_bits(trap_value_bits);
    trap_value_chosen: eight(trap_value_bits);
    other_group: group_bits(other_bits);
    other_chosen: eight(other_bits);
}

packed! {
    /// The same, and how many bits there are before the last value and at least in it.
    pub Found of (config: &Config) {
        let sum_bits = sum_bits(config);
        let other_bits = usize::from(config.has_extensions()) * sum_bits;
    }
    known: Known::<View>::new(config).width();
    head: sum_bits;
    least: sum_bits;
    other_head: other_bits;
    other_least: other_bits;
}

packed! {
    /// The same, and the bytes of the payload, and the bits after its head.
    pub Counted of (config: &Config) {
        let sum_bits = sum_bits(config);
        let others = usize::from(config.has_extensions());
    }
    known: Known::<View>::new(config).width();
    bytes: 5;
    sent: sum_bits;
    other_bytes: 5 * others;
    other_sent: others * sum_bits;
}

packed! {
    /// The same, and the bits of each field.
    pub Sized of (config: &Config) {
        let size_bits = index_bits(config.value_bits() + 1) as usize;
        let rest_size_bits = index_bits(config.most_rest_bits() + 1) as usize;
        let tells_trap_values = usize::from(config.tells_trap_values());
        let others = usize::from(config.has_extensions());
    }
    known: Known::<View>::new(config).width();
    bytes: 5;
    map_bits: 5;
    size: size_bits;
    rest_bits: rest_size_bits;
    trap_value_size: tells_trap_values * index_bits(config.trap_value_bits() + 1) as usize;
    other_bytes: 5 * others;
    other_size: size_bits * others;
    other_rest_bits: rest_size_bits * others;
}
