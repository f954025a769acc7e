//! The adaptive one length counter: the run at hand, its size, and the monitor that adapts it.

use tracewright_elaborate::prelude::*;
use tracewright_sim::stream_cache::config::{Config, MONITOR_BITS, OneLengthReset};

block! {
    /// Counts right predictions; a run leaves when it ends, or goes on beyond the longest.
    pub OneLengthCounter("one_length_counter") of (config: &Config) {
        let (start, least, most) = (
            config.one_length_start_bits as usize,
            config.one_length_least_bits as usize,
            config.one_length_most_bits as usize,
        );
        let (size_bits, monitor_bits) =
            (config.one_length_size_bits() as usize, MONITOR_BITS as usize);
        let resets = usize::from(config.one_length_reset == OneLengthReset::Middle);
    }
    parameters {
        start_bits = start,
        least_bits = least,
        most_bits = most,
        resets,
    }

    /// a stream was predicted
    in hit: 1;
    /// another record is made
    in ends: 1;
    /// a run is sent
    out sends: 1;
    /// its length less 1
    out run: most;
    /// bits of the run in the trace, with its header bit
    out run_bits: size_bits;
    reg running: 1;
    /// the run at hand less 1
    reg count: most;
    /// of the longest run and a header bit
    reg size: size_bits = start as u64 + 1;
    reg monitor: monitor_bits = 8;
    /// the longest run less 1: as many ones as the size
    local ones: most;
    /// one less
    local ones_below: most;
    local begins: 1;
    local is_full: 1;
    local went_on: 1;
    local is_short: 1;
    local grows: 1;
    local shrinks: 1;
    local steps_down: 1;
    local size_step: size_bits;
    local monitor_step: monitor_bits;
    param least_size = Word::new(size_bits, least as u64 + 1);
    param most_size = Word::new(size_bits, most as u64 + 1);
    param resets = resets;
    param middle = Word::new(monitor_bits, 8);
    param size_less_1 = !Word::new(size_bits, 0);
    param monitor_less_1 = !Word::new(monitor_bits, 0);
}

#[allow(clippy::collapsible_if, reason = "the outer condition is decided at elaboration")]
#[kernel]
impl Logic for OneLengthCounter {
    fn update(&mut self) {
        ones = 0;
        for bit in 0..run.width() {
            if size.q > bit + 1 {
                ones = ones.replace_bit(bit, true);
            }
        }
        ones_below = ones >> 1;
        // No run is longer than the longest, so it has reached that where all of its bits are ones.
        is_full = (count.q | !ones).all();
        went_on = hit & running.q & is_full;
        // Twice the run is less than the longest: count + 1 < 2^(size - 1).
        is_short = !bit((count.q | !ones_below).all()) & !bit(count.q & ones & !ones_below);
        sends = went_on | (ends & running.q);
        run = count.q;
        run_bits = size.q;

        begins = hit & (!running.q | is_full);
        running.d = hit | (running.q & !ends);
        count.d = count.q + resized(hit);
        if begins {
            count.d = 0;
        }

        // At 12 and above, 3 more reach the end; so does 1 less from 1, or from 0 where it stays.
        grows = 0;
        if monitor.q > 11 {
            grows = went_on;
        }
        steps_down = ends & running.q & is_short;
        shrinks = 0;
        if monitor.q < 2 {
            shrinks = steps_down;
        }
        // One sum each.
        size_step = 0;
        if grows && size.q != most_size {
            size_step = 1;
        }
        if shrinks && size.q != least_size {
            size_step = size_less_1;
        }
        size.d = size.q + size_step;
        monitor_step = 0;
        if went_on {
            monitor_step = 3;
        }
        if steps_down {
            monitor_step = monitor_less_1;
        }
        monitor.d = monitor.q + monitor_step;
        if when(resets) {
            if grows || shrinks {
                monitor.d = middle;
            }
        } else {
            if grows {
                monitor.d = 15;
            } else if shrinks {
                monitor.d = 0;
            }
        }
    }
}
