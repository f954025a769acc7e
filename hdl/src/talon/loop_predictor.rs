//! The loop predictor: branches that go one way the same number of times, then the other way once.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::loop_predictor::{MOST_TRIPS, SURE, TAG_BITS};

use crate::parts::ports::Clear;
use crate::parts::predictor_table::{PredictorTable, Reading};

packed! {
    /// A loop.
    pub Entry of ();
    valid: 1;
    tag: TAG_BITS;
    /// How often the branch goes one way before it goes the other.
    trips: 5;
    /// How often it went that way by now.
    current: 5;
    /// How often in a row the trip count was right.
    confidence: 2;
    direction: 1;
}

block! {
    /// What an entry says of a branch, and what it learns.
    pub LoopStep("loop_step") of ();

    in entry: Entry();
    /// tag of the branch
    in tag: TAG_BITS;
    /// an outcome is learned
    in learn: 1;
    /// the outcome
    in taken: 1;
    /// the whole prediction was right
    in right: 1;
    /// the pseudo-random bits of this outcome
    in random: 8;
    /// the outcome that is predicted
    out predicted: 1;
    /// how often in a row the trip count was right; 0 for a branch that is not the entry's
    out confidence: 2;
    /// the entry changes
    out writes: 1;
    out learned: Entry();
    local found: 1;
    local complete: 1;
    local allocates: 1;
    param most_trips = Word::new(5, MOST_TRIPS.into());
    param sure = Word::new(2, SURE.into());
}

impl Logic for LoopStep {
    #[hdl_gen]
    fn update(&mut self) {
        self.found.next = 0.into();
        if self.entry.tag.val() == self.tag.val() {
            self.found.next = self.entry.valid.val();
        }
        self.complete.next = bits_to(self.entry.current.val() == self.entry.trips.val(), 1);
        self.predicted.next = self.entry.direction.val() ^ self.complete.val();
        self.confidence.next = 0.into();
        if self.found.val().any() {
            self.confidence.next = self.entry.confidence.val();
        }

        self.learned.valid.next = 1.into();
        self.learned.tag.next = self.tag.val();
        self.learned.trips.next = self.entry.trips.val();
        self.learned.current.next = 0.into();
        self.learned.confidence.next = 0.into();
        self.learned.direction.next = self.entry.direction.val();
        if !self.found.val().any() {
            self.learned.trips.next = self.most_trips.val();
            self.learned.direction.next = !self.taken.val();
        } else if self.taken.val() == self.entry.direction.val() {
            self.learned.current.next = self.entry.current.val();
            if self.entry.current.val() != self.most_trips.val() {
                self.learned.current.next = self.entry.current.val() + 1;
            }
            if !self.complete.val().any() {
                self.learned.confidence.next = self.entry.confidence.val();
            }
        } else if self.complete.val().any() {
            self.learned.confidence.next = self.sure.val();
            if self.entry.confidence.val() != self.sure.val() {
                self.learned.confidence.next = self.entry.confidence.val() + 1;
            }
        } else {
            self.learned.trips.next = self.entry.current.val();
        }
        self.allocates.next = 0.into();
        if !self.entry.confidence.val().any() || !(self.random.val() >> 5).any() {
            self.allocates.next = !self.right.val();
        }
        self.writes.next = self.learn.val() & (self.found.val() | self.allocates.val());
    }
}

block! {
    /// A direct-mapped table of loops.
    ///
    /// What is said of a branch comes in the cycle of `address`, or two cycles later where tables are read through
    /// registers. `learn` and what belongs to it come in the same cycle.
    pub LoopPredictor("loop_predictor") of (config: &Config, clear_bits: usize) {
        let entries = config.loop_entries.max(1) as usize;
        let index_bits = index_bits(config.loop_entries) as usize;
        let address_bits = config.processor.instruction_address_bits() as usize;
        let entry_bits = Entry::<View>::new().width();
        let held_tag_bits = if config.is_synchronous() { TAG_BITS as usize } else { 0 };
    }
    parameters {
        entries,
        address_bits,
        clear_bits,
        synchronous = config.is_synchronous(),
    }

    in clear: Clear(clear_bits);
    /// address of the branch, in instruction units
    in address: address_bits;
    /// an outcome is learned
    in learn: 1;
    /// the outcome
    in taken: 1;
    /// the whole prediction was right
    in right: 1;
    /// the pseudo-random bits of this outcome
    in random: 8;
    /// the outcome that is predicted
    out predicted: 1;
    /// how often in a row the trip count was right; 0 for a branch that the table does not know
    out confidence: 2;
    local hash: address_bits;
    local read_tag: TAG_BITS;
    local tag: TAG_BITS;
    reg first_tag: held_tag_bits = undefined;
    reg second_tag: held_tag_bits = undefined;
    block step: LoopStep();
    block loops: PredictorTable(entries, entry_bits, Reading::of(config.memory_style, &config.port), 0);
    param is_synchronous = usize::from(config.is_synchronous());
    param index_bits = index_bits;
}

impl Logic for LoopPredictor {
    #[hdl_gen]
    fn update(&mut self) {
        self.hash.next = self.address.val() ^ (self.address.val() >> 5);
        self.read_tag.next = bits_to(self.hash.val() >> self.index_bits.val(), self.tag.width());
        self.tag.next = self.read_tag.val();
        if self.is_synchronous.val() == 1 {
            self.first_tag.d.next = self.read_tag.val();
            self.second_tag.d.next = self.first_tag.q.val();
            self.tag.next = self.second_tag.q.val();
        }
        self.loops.clear.valid.next = self.clear.valid.val();
        self.loops.clear.index.next = bits_to(self.clear.index.val(), self.loops.index.width());
        self.loops.clear_entry.next = 0.into();
        self.loops.index.next = bits_to(self.hash.val(), self.loops.index.width());

        self.step.entry.next = self.loops.entry.val();
        self.step.tag.next = self.tag.val();
        self.step.learn.next = self.learn.val();
        self.step.taken.next = self.taken.val();
        self.step.right.next = self.right.val();
        self.step.random.next = self.random.val();
        self.predicted.next = self.step.predicted.val();
        self.confidence.next = self.step.confidence.val();
        self.loops.learn.next = self.step.writes.val();
        self.loops.learned.next = self.step.learned.val();
    }
}
