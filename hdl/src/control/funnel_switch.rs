//! What the registers do with a funnel.

use tracewright_elaborate::prelude::*;

block! {
    /// Switches a funnel as the registers say, and tells them what it does.
    pub FunnelSwitch("funnel_switch") of (sources: u32) {
        let sources = sources as usize;
    }
    parameters {
        sources,
    }

    /// trFunnelActive
    in active: 1;
    /// trFunnelEnable
    in enable: 1;
    /// trFunnelDisInput: a bit for each source that is not taken
    in disabled: sources;
    /// a bit for each source: it has a byte
    in offered: sources;
    /// a bit for each source: the funnel has room for its byte
    in room: sources;
    /// level: what waits leaves, says the pin
    in flush: 1;
    /// all that the funnel took has left
    in flushed: 1;
    /// a bit for each source: the funnel is offered a byte of it
    out shown: sources;
    /// a bit for each source: its byte is taken
    out accepted: sources;
    /// level: what waits leaves
    out funnel_flush: 1;
    /// trFunnelEmpty
    out is_empty: 1;
    /// the funnel was on, and not all that it took has left
    reg has_begun: 1;
    local is_on: 1;
    /// a bit for each source that is taken
    local taken: sources;
}

#[kernel]
impl Logic for FunnelSwitch {
    fn update(&mut self) {
        is_on = active & enable;
        taken = 0;
        if is_on {
            taken = !disabled;
        }
        shown = offered & taken;
        accepted = room & taken;
        funnel_flush = flush | !is_on;
        is_empty = !is_on & !has_begun.q;
        if is_on {
            has_begun.d = 1;
        } else if flushed {
            has_begun.d = 0;
        }
    }
}
