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
    pub LoopStep("loop_step") of (relearns_direction: usize);
    parameters {
        relearns_direction if relearns_direction > 0,
    }

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
    param relearns_direction = relearns_direction;
    param most_trips = Word::new(5, MOST_TRIPS.into());
    param sure = Word::new(2, SURE.into());
}

#[kernel]
impl Logic for LoopStep {
    fn update(&mut self) {
        found = 0;
        if entry.tag == tag {
            found = entry.valid;
        }
        complete = entry.current == entry.trips;
        predicted = entry.direction ^ complete;
        confidence = 0;
        if found {
            confidence = entry.confidence;
        }

        learned = Entry {
            valid: 1,
            tag,
            trips: entry.trips,
            current: 0,
            confidence: 0,
            direction: entry.direction,
        };
        if !found {
            learned = Entry { trips: most_trips, direction: !taken };
        } else if taken == entry.direction {
            learned.current = entry.current;
            if entry.current != most_trips {
                learned.current = entry.current + 1;
            }
            if !complete {
                learned.confidence = entry.confidence;
            }
        } else if complete {
            learned.confidence = sure;
            if entry.confidence != sure {
                learned.confidence = entry.confidence + 1;
            }
        } else {
            learned.trips = entry.current;
            if when(relearns_direction) {
                learned.valid = entry.current.any();
            }
        }
        allocates = 0;
        if !entry.confidence || !(random >> 5) {
            allocates = !right;
        }
        writes = learn & (found | allocates);
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
        let reading = Reading::of(config.memory_style, &config.port);
    }
    parameters {
        entries,
        address_bits,
        clear_bits,
        synchronous = reading,
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
    stage first_tag: TAG_BITS = undefined if reading;
    stage second_tag: TAG_BITS = undefined if reading;
    block step: LoopStep(usize::from(config.loop_relearns_direction));
    block loops: PredictorTable(entries, entry_bits, reading, 0);
    param index_bits = index_bits;
}

#[kernel]
impl Logic for LoopPredictor {
    fn update(&mut self) {
        hash = address ^ (address >> 5);
        read_tag = resized(hash >> index_bits);
        first_tag.d = read_tag;
        second_tag.d = first_tag.q;
        loops.clear.valid = clear.valid;
        loops.clear.index = resized(clear.index);
        loops = PredictorTable { clear_entry: 0, index: resized(hash) };

        step = LoopStep { entry: loops.entry, tag: second_tag.q, learn, taken, right, random };
        predicted = step.predicted;
        confidence = step.confidence;
        loops = PredictorTable { learn: step.writes, learned: step.learned };
    }
}
