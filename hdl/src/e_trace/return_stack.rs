//! The stack of return addresses, from which returns are inferred.

use tracewright_elaborate::prelude::*;

block! {
    /// Shows the top and the depth; pushes, pops or forgets all once per cycle.
    ///
    /// The oldest address falls out of a full stack. No entry is used before it is written.
    pub ReturnStack("return_stack") of (entries: u32, width: usize) {
        let entries = entries.max(2);
        let pointer_bits = entries.ilog2() as usize;
        let depth_bits = pointer_bits + 1;
    }
    parameters {
        entries = entries as usize,
        width,
    }

    /// a call retires
    in push: 1;
    /// the address that it leaves, in instruction units
    in return_address: width;
    /// a return to the top retires; only if there is one
    in pop: 1;
    /// the trace goes on with a start or a trap
    in forget: 1;
    /// the address that a return should go to, if the depth is not 0
    out top: width;
    /// addresses on the stack
    out depth: depth_bits;
    /// where the next address goes
    reg free: pointer_bits;
    reg held: depth_bits;
    local is_full: 1;
    memory entries: [width; entries as usize];
    param all = entries as usize;
}

#[kernel]
impl Logic for ReturnStack {
    fn update(&mut self) {
        depth = held.q;
        is_full = held.q == all;
        entries.read_address = free.q - 1;
        top = entries.read_data;
        if forget {
            held.d = 0;
        } else if push {
            free.d = free.q + 1;
            if !is_full {
                held.d = held.q + 1;
            }
        } else if pop {
            free.d = free.q - 1;
            held.d = held.q - 1;
        }
        entries.write_enable = push;
        entries.write_address = free.q;
        entries.write_data = return_address;
    }
}
