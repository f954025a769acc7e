//! Confidence counters of additive prediction, which are read before the outcome is predicted.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::talon::config::Config;

use crate::parts::ports::Clear;
use crate::parts::predictor_table::{PredictorTable, Reading};
use crate::talon::counter::CounterStep;

block! {
    /// Three-bit counters in rows of two, one for each outcome that can be predicted.
    ///
    /// Both counters are those of `address`: in the same cycle, or two cycles later where tables are read through
    /// registers. `prediction`, `learn`, `right` and `grows` come in their cycle.
    pub PairedConfidence("paired_confidence") of (config: &Config, clear_bits: usize) {
        let rows = config.confidence_entries as usize / 2;
        let index_bits = index_bits(config.confidence_entries) as usize;
        let address_bits = config.processor.instruction_address_bits() as usize;
        let reading = Reading::of(config.memory_style, &config.port);
    }
    parameters {
        rows,
        address_bits,
        clear_bits,
        synchronous = reading,
    }

    in clear: Clear(clear_bits);
    /// address of the branch, in instruction units
    in address: address_bits;
    /// the outcome that is predicted
    in prediction: 1;
    /// an outcome is learned
    in learn: 1;
    /// the prediction was right
    in right: 1;
    /// by value, whether a counter grows
    in grows: 8;
    /// the counter of "not taken"
    out not_taken: 3;
    /// the counter of "taken"
    out taken: 3;
    /// the address above the bit of what is predicted
    local key: address_bits + 1;
    local folded: index_bits;
    /// the counter of "taken" is the lower one of its row
    local flips: 1;
    reg first_flips: reading = undefined;
    reg second_flips: reading = undefined;
    local low: 3;
    local high: 3;
    local counter: 3;
    local learned: 3;
    local learns_low: 1;
    block step: CounterStep(3);
    block pairs: PredictorTable(rows, 6, reading, 0);
    param waits = reading;
    param fold = index_bits;
    param fold_twice = 2 * index_bits;
}

#[kernel]
impl Logic for PairedConfidence {
    fn update(&mut self) {
        key = resized(address) << 1;
        folded = resized(key) ^ resized(key >> fold) ^ resized(key >> fold_twice);
        pairs.clear.valid = clear.valid;
        pairs.clear.index = resized(clear.index);
        pairs = PredictorTable { clear_entry: 0, index: resized(folded >> 1) };
        flips = resized(folded, 1);
        if when(waits) {
            first_flips.d = resized(folded, 1);
            second_flips.d = first_flips.q;
            flips = second_flips.q;
        }
        low = resized(pairs.entry, 3);
        high = resized(pairs.entry >> 3, 3);
        not_taken = low;
        taken = high;
        if flips {
            not_taken = high;
            taken = low;
        }

        learns_low = prediction == flips;
        counter = high;
        if learns_low {
            counter = low;
        }
        // A counter whose direction is always "right".
        step = CounterStep {
            counter: resized(counter, 4) | 8,
            taken: right,
            grows: grows.get_bit(counter),
        };
        learned = resized(step.counter_next, 3);
        pairs = PredictorTable { learn, learned: (resized(learned, 6) << 3) | resized(low, 6) };
        if learns_low {
            pairs.learned = (resized(high, 6) << 3) | resized(learned, 6);
        }
    }
}
