//! The return address stack: circular, without detection of overflow or underflow.

use crate::parts::ports::Clear;
use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::traptor::config::Config;

block! {
    /// Shows the top; pops, pushes or replaces it once per cycle.
    pub ReturnAddressStack("return_address_stack") of (config: &Config, clear_bits: usize) {
        let depth = config.return_address_stack_depth.max(1);
        let width = config.table_target_bits() as usize;
        let pointer_bits = index_bits(depth) as usize;
    }
    parameters {
        depth = depth as usize,
        width,
        clear_bits,
    }

    in clear: Clear(clear_bits);
    /// a taken return retires
    in pop: 1;
    /// a taken call retires
    in push: 1;
    /// return address of the call: the bits that an entry keeps
    in return_address: width;
    /// predicted target of a return
    out top: width;
    reg pointer: pointer_bits;
    local pointer_next: pointer_bits;
    memory entries: [width; depth as usize] { cleared: 0 };
}

#[kernel]
impl Logic for ReturnAddressStack {
    fn update(&mut self) {
        pointer_next = pointer.q;
        if push > pop {
            pointer_next = pointer.q + 1;
        } else if pop > push {
            pointer_next = pointer.q - 1;
        }
        pointer.d = pointer_next;
        entries.read_address = pointer.q;
        top = entries.read_data;
        entries.write_enable = push | clear.valid;
        entries.write_address = pointer_next;
        entries.write_data = return_address;
        if clear.valid {
            entries.write_address = resized(clear.index);
            entries.write_data = 0;
        }
    }
}
