//! What the steps after the record former cut a payload from.

use tracewright_elaborate::prelude::*;

/// The address, the bits that follow it, and the map, which is the last value where it is full.
#[piece]
pub(crate) fn plans() {
    if makes_full {
        record.map = map_added;
    }
    cutting = Cutting { address, notify: overflows, updiscon: unfollowed };
    if returns == 1 {
        cutting.irreport = reports_failed;
        cutting.depth = calls.depth;
        if lasts_now {
            cutting.irreport = resized(calls.reports_depth, 1);
            cutting.depth = calls.last_depth;
        } else if ends_last | (has_second.q & !second_traps.q) {
            cutting.irreport = resized(calls.reported_depth, 1);
            cutting.depth = calls.depth_before;
        }
    }
}
