//! What of the execution is traced.

use tracewright_elaborate::prelude::*;

/// The filter sees its pins and the block at the core's; where runs end it hears from the synchroniser or the qualifier.
#[piece]
pub(crate) fn filters() {
    join(filter, run_filter.pins);
    for range in 0..filter_low.len() {
        run_filter.low[range] = filter_low[range];
        run_filter.high[range] = filter_high[range];
    }
    run_filter = Filter {
        last: resized(retire[0].pc),
        next_context: resized(retire_context[0]),
        next_privilege: resized(retire_privilege[0]),
    };
    filtered = !run_filter.passes;
}
