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

impl Logic for DataRepetitions {
    #[hdl_gen]
    fn update(&mut self) {
        self.whole.next = bits_to(self.open.q.val(), self.pattern.width())
            | (bits_to(self.hit.val(), self.pattern.width()) << self.accesses.q.val());
        self.complete.next = 0.into();
        if self.accesses.q.val() == self.last.val() {
            self.complete.next = self.access.val();
        }
        self.repeats.next = 0.into();
        if self.whole.val() == self.repeating.q.val() && !self.count.q.val().all() {
            self.repeats.next = 1.into();
        }

        self.pattern.next = self.repeating.q.val();
        self.repetition_count.next = self.count.q.val();
        self.partial_pattern.next = self.open.q.val();
        self.partial_count.next = self.accesses.q.val();
        self.over.next = 0.into();
        if self.count.q.val().any() {
            self.over.next = self.flush.val() | (self.complete.val() & !self.repeats.val());
        }

        if self.access.val().any() {
            self.open.d.next = bits_to(self.whole.val(), self.partial_pattern.width());
            self.accesses.d.next = self.accesses.q.val() + 1;
        }
        if self.complete.val().any() {
            self.open.d.next = 0.into();
            self.accesses.d.next = 0.into();
            if self.repeats.val().any() {
                self.count.d.next = self.count.q.val() + 1;
            } else {
                self.repeating.d.next = self.whole.val();
                self.count.d.next = 1.into();
            }
        }
        // A pattern that came 0 times need not be forgotten.
        if self.flush.val().any() {
            self.count.d.next = 0.into();
            self.open.d.next = 0.into();
            self.accesses.d.next = 0.into();
        }
    }
}
