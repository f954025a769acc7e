//! The symbols of a time, one after the other: as the surer entry expects, else as the other one, else the difference.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::tick::back::CLASSES;

use super::front::Waiting;
use super::generator::{Generator, Rarity};
use crate::parts::ports::Clear;
use crate::parts::predictor_table::{Reading, TableMemory};

/// Bits that adapt in the memory: those of the other entry, and above them those of classes.
const STORED: usize = 8 + CLASSES;

block! {
    /// Makes symbols of a time, one each cycle.
    pub Back("time_back") of (config: &Config, clear_bits: usize) {
        let waiting_bits = Waiting::<View>::new(config).width();
        let size_bits = config.time_difference_bits() as usize - 1;
        let place_bits = index_bits(size_bits as u32) as usize;
        let confidence_bits = config.confidence_bits() as usize;
        let class_bits = index_bits(CLASSES as u32) as usize;
    }
    parameters {
        waiting_bits,
        confidence_bits,
        clear_bits,
    }

    in clear: Clear(clear_bits);
    in waiting: waiting_bits;
    /// the symbol is taken
    in step: 1;
    /// the symbol is not as predicted
    out wrong: 1;
    out confidence: confidence_bits;
    /// another symbol of this time follows
    out more: 1;
    view now: Waiting(config);
    // What the next symbol is: the first one, if none of these is high.
    /// whether the other entry is wrong, too
    reg at_other: 1;
    /// the sign of the difference
    reg at_sign: 1;
    /// whether the difference has a higher bit than that at `place`
    reg at_class: 1;
    /// the bit of the difference at `place`
    reg at_bit: 1;
    reg place: place_bits;
    /// the bit that adapts and is coded for the sign: its value and, below, its confidence less 1
    reg sign_state: 4;
    block states: TableMemory(STORED, 4, Reading::WithinCycle, 0);
    block generator: Generator();
    block rarity: Rarity();
    local class_number: class_bits;
    local index: 4;
    local state: 4;
    local learned: 4;
    local less_one: 3;
    local expected: 1;
    local coded: 1;
    local is_adaptive: 1;
    local shifted: size_bits;
    local has_higher: 1;
    param class_top = Word::new(class_bits, CLASSES as u64 - 1);
    param class_bits = class_bits;
    param is_wider = usize::from(place_bits > class_bits);
    param expected_place = 3usize;
    param of_classes = Word::new(4, 8);
    param most = Word::new(3, 7);
}

#[kernel]
impl Logic for Back {
    fn update(&mut self) {
        now = waiting;
        class_number = resized(place.q);
        if when(is_wider) {
            if place.q >> class_bits {
                class_number = class_top;
            }
        }
        is_adaptive = at_other.q | at_sign.q | at_class.q;
        states.clear.valid = clear.valid;
        states.clear.index = resized(clear.index);
        index = resized(now.place);
        if at_class.q {
            index = resized(class_number) | of_classes;
        }
        states = TableMemory { clear_entry: 0, index };
        state = states.entry;
        if at_sign.q {
            state = sign_state.q;
        }

        shifted = now.size >> place.q;
        has_higher = bit((shifted >> 1).any());
        coded = now.other_wrong;
        if at_sign.q {
            coded = now.negative;
        } else if at_class.q {
            coded = has_higher;
        }
        expected = resized(state >> expected_place);
        less_one = resized(state);
        if is_adaptive {
            wrong = coded ^ expected;
            confidence = resized(less_one) + 1;
        } else if at_bit.q {
            wrong = resized(shifted);
            confidence = 1;
        } else {
            wrong = now.wrong;
            confidence = now.confidence;
        }

        generator.step = step & is_adaptive;
        rarity.random = resized(generator.random);
        learned = state;
        if !wrong {
            if less_one != most && (rarity.zeros >> 1).get_bit(less_one) {
                learned = state + 1;
            }
        } else if less_one {
            learned = state - 1;
        } else {
            learned = resized(coded) << expected_place;
        }
        states = TableMemory {
            write: step & (at_other.q | at_class.q),
            write_index: index,
            written: learned,
        };
        if step & at_sign.q {
            sign_state.d = learned;
        }

        more = 0;
        if at_bit.q {
            more = place.q.any();
        } else if at_class.q {
            more = has_higher | place.q.any();
        } else if at_other.q {
            more = now.other_wrong;
        } else {
            more = at_sign.q | now.wrong;
        }
        if step {
            at_other.d = !(is_adaptive | at_bit.q) & now.wrong & !now.same;
            at_sign.d =
                (!(is_adaptive | at_bit.q) & now.wrong & now.same) | (at_other.q & now.other_wrong);
            at_class.d = at_sign.q | (at_class.q & has_higher);
            at_bit.d = (at_class.q & !has_higher & bit(place.q.any())) | (at_bit.q & more);
            if at_class.q {
                if has_higher {
                    place.d = place.q + 1;
                } else if place.q {
                    place.d = place.q - 1;
                }
            } else if at_bit.q && place.q {
                place.d = place.q - 1;
            } else {
                place.d = 0;
            }
        }
    }
}
