//! Data repetitions: patterns of hits and misses, and how often each repeats.

use tracewright_elaborate::prelude::*;
use tracewright_sim::data_stride::config::Config;

/// Turns hits and misses into pairs of a pattern and a count.
#[derive(LogicBlock)]
pub struct DataRepetitions {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// An access is made.
    pub access: Wire<In>,
    /// It was predicted.
    pub hit: Wire<In>,
    /// Everything is given up; never together with an access.
    pub flush: Wire<In>,
    /// A repetition is over.
    pub over: Wire<Out>,
    /// Its pattern.
    pub pattern: Wire<Out>,
    /// How often it came.
    pub repetition_count: Wire<Out>,
    /// Hits and misses that make no whole pattern.
    pub partial_pattern: Wire<Out>,
    /// How many they are.
    pub partial_count: Wire<Out>,
    repeating: Reg,
    count: Reg,
    open: Reg,
    accesses: Reg,
    whole: Wire<Local>,
    complete: Wire<Local>,
    repeats: Wire<Local>,
    last: Param,
    _pattern_bits: usize,
    _open_bits: usize,
}

impl DataRepetitions {
    /// The state machine of `config`.
    pub fn new(config: &Config) -> Self {
        let pattern_bits = config.pattern_bits as usize;
        let count_bits = config.repetition_count_bits as usize;
        let partial_bits = config.partial_count_bits() as usize;
        Self {
            kind: Kind::new(
                "data_repetitions",
                [("pattern_bits", pattern_bits), ("count_bits", count_bits)],
            ),
            domain: Domain::new(),
            access: Wire::new(1),
            hit: Wire::new(1),
            flush: Wire::new(1).describe("never together with an access"),
            over: Wire::new(1).describe("a repetition is over"),
            pattern: Wire::new(pattern_bits),
            repetition_count: Wire::new(count_bits),
            partial_pattern: Wire::new(pattern_bits - 1),
            partial_count: Wire::new(partial_bits),
            repeating: Reg::new(pattern_bits, 0),
            count: Reg::new(count_bits, 0),
            open: Reg::new(pattern_bits - 1, 0),
            accesses: Reg::new(partial_bits, 0),
            whole: Wire::new(pattern_bits).describe("what is open, with this access"),
            complete: Wire::new(1),
            repeats: Wire::new(1).describe("the pattern came again, and there is room to count it"),
            last: Param::new(Word::new(partial_bits, pattern_bits as u64 - 1)),
            _pattern_bits: pattern_bits,
            _open_bits: pattern_bits - 1,
        }
    }
}

impl Logic for DataRepetitions {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, repeating, count, open, accesses);
        self.whole.next = bits_to(self.open.q.val(), self._pattern_bits)
            | (bits_to(self.hit.val(), self._pattern_bits) << self.accesses.q.val());
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
            self.open.d.next = bits_to(self.whole.val(), self._open_bits);
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
