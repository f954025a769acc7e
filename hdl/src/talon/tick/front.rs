//! What the time of an event is expected to be: two tables, by where it begins and how it ends, and by the branch before.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{index_bits, mask};
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::tick::front::{
    BRANCH_ROTATION, CONFIDENCES, Entry as Model, MOST_ENTRY_CONFIDENCE, SECOND_RANDOM,
};

use super::generator::{Generator, Rarity};
use crate::parts::ports::Clear;
use crate::parts::predictor_table::{Reading, TableMemory};

packed! {
    /// An event's time as it waits for the coder.
    pub Waiting of (config: &Config);
    /// it is not what the surer entry expects
    wrong: 1;
    /// both entries expect the same
    same: 1;
    /// it is not what the other entry expects either
    other_wrong: 1;
    /// it is less than the surer entry expects
    negative: 1;
    /// the surer entry is of the second table; below, the upper bits of the other one's confidence
    place: 3;
    confidence: config.confidence_bits();
    /// the difference from what the surer entry expects, without its sign
    size: config.time_difference_bits() as usize - 1;
}

block! {
    /// An entry of a table of times: its value, and what it learns.
    pub Entry("time_entry") of (difference_bits: usize);
    parameters {
        difference_bits,
    }

    /// confidence and, below it, value
    in entry: Model::BITS as usize;
    /// the time above the usual one, signed
    in excess: difference_bits;
    /// the lowest bits of it, if it fits into an entry
    in fits: 1;
    /// bit k says that the lowest k random bits are 0
    in zeros: 8;
    out confidence: 3;
    /// signed
    out value: difference_bits;
    /// the time is as this entry expects
    out right: 1;
    out learned: Model::BITS as usize;
    local stored: 8;
    local new_value: 8;
    local new_confidence: 3;
    param value_bits = Model::VALUE_BITS as usize;
    param negative_from = Word::new(8, (256 + Model::LEAST) as u64);
    param above = Word::new(difference_bits, mask(difference_bits as u32) & !mask(Model::VALUE_BITS));
    param most = Word::new(3, MOST_ENTRY_CONFIDENCE.into());
}

#[kernel]
impl Logic for Entry {
    fn update(&mut self) {
        stored = resized(entry);
        confidence = resized(entry >> value_bits);
        value = resized(stored);
        if stored >= negative_from {
            value = resized(stored) | above;
        }
        right = bit(value == excess);
        new_value = stored;
        new_confidence = confidence;
        if right {
            if confidence != most && zeros.get_bit(confidence) {
                new_confidence = confidence + 1;
            }
        } else if confidence {
            new_confidence = confidence - 1;
        } else if fits {
            new_value = resized(excess);
        }
        learned = (resized(new_confidence) << value_bits) | resized(new_value);
    }
}

block! {
    /// The counter of cycles, the tables, and what they expect of the event at hand, which they learn in its cycle.
    pub Front("time_front") of (config: &Config, clear_bits: usize) {
        let entries = config.time.time_entries as usize;
        let index_bits = index_bits(config.time.time_entries) as usize;
        let rotation = BRANCH_ROTATION as usize % index_bits;
        let address_bits = config.processor.instruction_address_bits() as usize;
        let instruction_bits = config.timed_instruction_bits() as usize;
        let difference_bits = config.time_difference_bits() as usize;
        let cycle_bits = config.time.cycle_bits as usize;
        let base = config.time.time_base;
        let waiting_bits = Waiting::<View>::new(config).width();
        let confidence_bits = config.confidence_bits() as usize;
        let value_bits = Model::VALUE_BITS as usize;
    }
    parameters {
        entries,
        time_base = base as usize,
        cycle_bits,
        instruction_bits,
        address_bits,
        clear_bits,
    }

    in clear: Clear(clear_bits);
    /// the core waits for the module: no time passes for it
    in is_held: 1;
    /// an event with a time retires
    in retires: 1;
    /// a conditional branch was taken; high for anything else
    in outcome: 1;
    /// where the execution goes on, in instruction units
    in follows: address_bits;
    /// where the event's branch is
    in branch: address_bits;
    /// instructions since the event before, this one's included
    in instructions: instruction_bits;
    out waiting: waiting_bits;
    /// cycles since the event before
    reg cycles: cycle_bits;
    /// where the event at hand begins, folded
    reg start: index_bits;
    /// the branch of the event before, folded and rotated
    reg previous: index_bits;
    /// the time of the event before was not as expected
    reg was_wrong: 1;
    block first_table: TableMemory(entries, Model::BITS as usize, Reading::WithinCycle, 0);
    block second_table: TableMemory(entries, Model::BITS as usize, Reading::WithinCycle, 0);
    block first: Entry(difference_bits);
    block second: Entry(difference_bits);
    block generator: Generator();
    block first_rarity: Rarity();
    block second_rarity: Rarity();
    local branch_part: address_bits;
    local start_part: address_bits;
    local folded_branch: index_bits;
    local folded_start: index_bits;
    local usual: difference_bits;
    local excess: difference_bits;
    local low: 8;
    local upper: difference_bits - value_bits;
    local fits: 1;
    local is_of_second: 1;
    local surer: 3;
    local other: 3;
    local expected: difference_bits;
    local difference: difference_bits;
    local key: 5;
    local word: Waiting(config);
    param outcome_place = index_bits - 1;
    param rotation = rotation;
    param rotated_off = index_bits - rotation;
    param pieces = piece * index_bits for piece in 0..address_bits.div_ceil(index_bits);
    param base_places = place for place in (0..4usize).filter(|place| base >> place & 1 == 1);
    param value_bits = value_bits;
    param negative_from = Word::new(8, (256 + Model::LEAST) as u64);
    param sign = difference_bits - 1;
    param second_random = SECOND_RANDOM as usize;
    param confidences = Word::new(confidence_bits, u64::from(*confidence))
        for confidence in CONFIDENCES.iter().flatten().flatten();
    param key_same = 4usize;
    param key_wrong = 3usize;
}

#[kernel]
impl Logic for Front {
    fn update(&mut self) {
        usual = 0;
        for place in 0..base_places.len() {
            usual = usual + (resized(instructions) << base_places[place]);
        }
        excess = resized(cycles.q) - usual;
        low = resized(excess);
        upper = resized(excess >> value_bits);
        fits = 0;
        if low >= negative_from {
            fits = bit(upper.all());
        } else {
            fits = !bit(upper);
        }

        generator.step = retires;
        first_rarity.random = resized(generator.random);
        second_rarity.random = resized(generator.random >> second_random);
        first_table.clear.valid = clear.valid;
        first_table.clear.index = resized(clear.index);
        second_table.clear.valid = clear.valid;
        second_table.clear.index = resized(clear.index);
        first_table = TableMemory {
            clear_entry: 0,
            index: start.q ^ (resized(outcome) << outcome_place),
            write: retires,
            write_index: start.q ^ (resized(outcome) << outcome_place),
            written: first.learned,
        };
        second_table = TableMemory {
            clear_entry: 0,
            index: start.q ^ previous.q,
            write: retires,
            write_index: start.q ^ previous.q,
            written: second.learned,
        };
        first = Entry { entry: first_table.entry, excess, fits, zeros: first_rarity.zeros };
        second = Entry { entry: second_table.entry, excess, fits, zeros: second_rarity.zeros };

        is_of_second = bit(second.confidence >= first.confidence);
        surer = first.confidence;
        other = second.confidence;
        expected = first.value;
        word = Waiting {
            wrong: !first.right,
            other_wrong: !second.right,
            same: bit(first.value == second.value),
        };
        if is_of_second {
            surer = second.confidence;
            other = first.confidence;
            expected = second.value;
            word = Waiting { wrong: !second.right, other_wrong: !first.right };
        }
        difference = excess - expected;
        word = Waiting {
            negative: resized(difference >> sign),
            size: resized(difference),
            place: (resized(is_of_second) << 2) | resized(other >> 1),
            confidence: 1,
        };
        if word.negative {
            word.size = resized(!difference + 1);
        }
        key =
            (resized(word.same) << key_same) | (resized(was_wrong.q) << key_wrong) | resized(surer);
        for place in 0..confidences.len() {
            if key == place {
                word.confidence = confidences[place];
            }
        }
        waiting = word;

        folded_branch = 0;
        folded_start = 0;
        for part in 0..pieces.len() {
            branch_part = branch >> pieces[part];
            start_part = follows >> pieces[part];
            folded_branch = folded_branch ^ resized(branch_part);
            folded_start = folded_start ^ resized(start_part);
        }
        if retires {
            start.d = folded_start;
            previous.d = (folded_branch << rotation) | (folded_branch >> rotated_off);
            was_wrong.d = word.wrong;
        }
        if retires {
            cycles.d = 1;
        } else if !is_held & !bit(cycles.q.all()) {
            cycles.d = cycles.q + 1;
        }
        if clear.valid {
            cycles.d = 0;
        }
    }
}
