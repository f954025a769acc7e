//! Data repetitions: patterns of hits and misses, and how often each repeats.

use tracewright_elaborate::prelude::*;
use tracewright_sim::data_stride::config::Config;

block! {
    /// Turns hits and misses into pairs of a pattern and a count.
    pub DataRepetitions("data_repetitions") of (config: &Config) {
        let pattern_bits = config.pattern_bits as usize;
        let count_bits = config.repetition_count_bits as usize;
        let partial_bits = config.partial_count_bits() as usize;
    }
    parameters {
        pattern_bits,
        count_bits,
    }

    /// an access is made
    in access: 1;
    /// the address of the access was predicted
    in hit: 1;
    /// never together with an access
    in flush: 1;
    /// a repetition is over
    out over: 1;
    /// pattern of hits and misses that was repeated
    out pattern: pattern_bits;
    /// repetitions of the pattern
    out repetition_count: count_bits;
    /// hits and misses that make no whole pattern
    out partial_pattern: pattern_bits - 1;
    /// bits of the partial pattern
    out partial_count: partial_bits;
    reg repeating: pattern_bits;
    reg count: count_bits;
    reg open: pattern_bits - 1;
    reg accesses: partial_bits;
    /// what is open, with this access
    local whole: pattern_bits;
    local complete: 1;
    /// the pattern came again, and there is room to count it
    local repeats: 1;
    param last = Word::new(partial_bits, pattern_bits as u64 - 1);
}

#[kernel]
impl Logic for DataRepetitions {
    fn update(&mut self) {
        whole = resized(open.q) | (resized(hit) << accesses.q);
        complete = 0;
        if accesses.q == last {
            complete = access;
        }
        repeats = 0;
        if whole == repeating.q && !count.q.all() {
            repeats = 1;
        }

        pattern = repeating.q;
        repetition_count = count.q;
        partial_pattern = open.q;
        partial_count = accesses.q;
        over = 0;
        if count.q {
            over = flush | (complete & !repeats);
        }

        if access {
            open.d = resized(whole);
            accesses.d = accesses.q + 1;
        }
        if complete {
            open.d = 0;
            accesses.d = 0;
            if repeats {
                count.d = count.q + 1;
            } else {
                repeating.d = whole;
                count.d = 1;
            }
        }
        // A pattern that came 0 times need not be forgotten.
        if flush {
            count.d = 0;
            open.d = 0;
            accesses.d = 0;
        }
    }
}
