//! When a start is due without being asked for.

use tracewright_elaborate::prelude::*;
use tracewright_sim::e_trace::config::Config;

block! {
    /// Counts jumps and branches, and asks for a start after a power of two of them.
    pub Resync("resync") of (config: &Config);
    parameters {
        resync_max = config.resync_max as usize,
    }

    /// a jump or a branch retires
    in counts: 1;
    /// a start is due after the next jump or branch
    out is_due: 1;
    reg count: config.resync_max as usize;
}

#[kernel]
impl Logic for Resync {
    fn update(&mut self) {
        is_due = counts & count.q.all();
        if counts {
            count.d = count.q + 1;
        }
    }
}
