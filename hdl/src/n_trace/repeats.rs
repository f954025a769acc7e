//! Messages that come again: they are counted in place of sending them.

use tracewright_elaborate::prelude::*;
use tracewright_sim::n_trace::config::{Config, RESOURCE_BITS};
use tracewright_sim::n_trace::layout::{HISTORY_FULL, HISTORY_REPEATED};

block! {
    /// Counts how often the last full history, or the last message of a branch, came again; shows what was counted when another
    /// message is due.
    pub Repeats("repeats") of (config: &Config) {
        let count_bits = config.count_bits as usize;
        let history_width = config.history_width() as usize;
        let has_history = usize::from(config.branch_history);
        let times_bits = config.repeat_bits as usize;
    }
    parameters {
        count_bits,
        times_bits,
    }

    /// a history is full
    in fills: has_history;
    /// a branch is due, which may come again
    in branches: 1;
    /// it is direct
    in is_direct: 1 - has_history;
    /// it goes where the last branch went
    in same_target: 1;
    /// another message is due
    in ends: 1;
    /// the message is taken
    in ready: 1;
    /// the code and the outcomes of the message
    in count: count_bits;
    in history: history_width;
    /// something is sent
    out sends: 1;
    /// the history waited, and came once
    out earlier_once: has_history;
    /// it came again
    out earlier_again: has_history;
    /// the last branch came again
    out branch_again: 1;
    out earlier_code: if has_history > 0 { RESOURCE_BITS as usize } else { 0 };
    /// the history
    out earlier: history_width;
    /// how often
    out times: times_bits;
    /// a history waits
    reg has_waiting: has_history;
    /// the last message is of a branch
    reg has_branch: 1;
    reg was_direct: 1 - has_history;
    reg last_count: count_bits;
    reg last_history: history_width;
    reg counted: times_bits;
    /// the history or the branch is counted
    local counts: 1;
    /// the counter is not full
    local may_count: 1;
    local same_branch: 1;
    local same_history: has_history;
    local is_due: 1;
    param has_history = has_history;
    param full_code = Word::new(RESOURCE_BITS as usize, HISTORY_FULL);
    param repeated_code = Word::new(RESOURCE_BITS as usize, HISTORY_REPEATED);
}

#[kernel]
impl Logic for Repeats {
    fn update(&mut self) {
        same_branch = branches & has_branch.q & same_target & bit(last_count.q == count);
        may_count = !counted.q.all();
        if when(has_history) {
            same_history = bit(last_history.q == history);
            counts = may_count & !ends & same_history & (same_branch | (fills & has_waiting.q));
            is_due = (fills | branches | ends) & !counts;
            earlier_once = is_due & has_waiting.q & bit(counted.q == 1);
            earlier_again = is_due & has_waiting.q & bit(counted.q != 1);
            earlier_code = repeated_code;
            if earlier_once {
                earlier_code = full_code;
            }
            earlier = last_history.q;
            branch_again = is_due & has_branch.q & counted.q.any();
            sends = (branches & !counts) | ends | earlier_once | earlier_again | branch_again;
        } else {
            counts = may_count & !ends & same_branch & bit(was_direct.q == is_direct);
            is_due = branches | ends;
            // It is looked at where something is sent.
            branch_again = counted.q.any();
            sends = is_due & !counts;
        }
        times = counted.q;

        if counts {
            counted.d = counted.q + 1;
        } else if is_due & ready {
            has_branch.d = branches;
            last_count.d = count;
            if when(has_history) {
                counted.d = resized(fills);
                has_waiting.d = fills;
                last_history.d = history;
            } else {
                counted.d = 0;
                was_direct.d = is_direct;
            }
        }
    }
}
