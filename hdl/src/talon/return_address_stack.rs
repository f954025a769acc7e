//! The return address stack: circular, and no entry is used before it is written.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::talon::config::Config;

block! {
    /// Shows the top, and the address below it where both are compared; pops up to two, then pushes, once per cycle.
    ///
    /// A stack that wraps pops the addresses that it popped before once it is below the oldest one: it only knows
    /// whether all entries were written. One that does not wrap counts its entries.
    pub ReturnAddressStack("return_address_stack") of (config: &Config) {
        let depth = config.return_address_stack_depth;
        let width = config.table_target_bits() as usize;
        let pointer_bits = index_bits(depth) as usize;
        let count_bits = index_bits(depth + 1) as usize;
        let compares_second = config.compares_second_return_address();
        let compared = 1 + usize::from(compares_second);
        let wraps = config.return_address_stack_wraps;
        let counted = |bits: usize| if wraps { 0 } else { bits };
    }
    parameters {
        depth = depth as usize,
        width,
        compared,
        wraps if wraps,
    }

    /// take the top off
    in pop: 1;
    /// take the address below it off too; only if there is one
    in pop_second: usize::from(compares_second);
    in push: 1;
    /// return address of a call: the bits that an entry keeps
    in return_address: width;
    /// the stack has a top
    out has_top: 1;
    out top: width;
    /// the stack has an address below the top
    out has_second: usize::from(compares_second);
    out second: if compares_second { width } else { 0 };
    reg pointer: pointer_bits;
    reg count: counted(count_bits);
    /// every entry was written
    reg full: usize::from(wraps);
    local below: pointer_bits;
    local below_second: if compares_second { pointer_bits } else { 0 };
    local popped_pointer: pointer_bits;
    local popped_count: counted(count_bits);
    local above: pointer_bits;
    memory entries: [width; depth as usize] { reads: compared };
    param compares_second = usize::from(compares_second);
    param wraps = usize::from(wraps);
    param depth = depth as usize;
    param last = Word::new(pointer_bits, u64::from(depth) - 1);
}

#[kernel]
impl Logic for ReturnAddressStack {
    fn update(&mut self) {
        below = pointer.q - 1;
        if !pointer.q {
            below = last;
        }
        if when(wraps) {
            // The first push writes entry 1.
            has_top = full.q | bit(pointer.q);
        } else {
            has_top = count.q.any();
        }
        entries.read_address[0] = pointer.q;
        top = entries.read_data[0];
        if when(compares_second) {
            if when(wraps) {
                has_second = full.q | bit(pointer.q >> 1);
            } else {
                has_second = count.q > 1;
            }
            entries.read_address[1] = below;
            second = entries.read_data[1];
        }

        popped_pointer = pointer.q;
        if when(!wraps) {
            popped_count = count.q;
        }
        if pop && has_top {
            popped_pointer = below;
            if when(!wraps) {
                popped_count = count.q - 1;
            }
        }
        if when(compares_second) {
            below_second = below - 1;
            if !below {
                below_second = last;
            }
            if pop & pop_second {
                popped_pointer = below_second;
                if when(!wraps) {
                    popped_count = count.q - 2;
                }
            }
        }
        above = popped_pointer + 1;
        if popped_pointer == last {
            above = 0;
        }
        pointer.d = popped_pointer;
        if push {
            pointer.d = above;
        }
        if when(wraps) {
            full.d = full.q | (push & !bit(above));
        } else {
            count.d = popped_count;
            if push && popped_count != depth {
                count.d = popped_count + 1;
            }
        }

        entries.write_enable = push;
        entries.write_address = above;
        entries.write_data = return_address;
    }
}
