//! The gshare outcome predictor: a table of two-bit counters indexed by address xor history.

use tracewright_elaborate::prelude::*;
use tracewright_sim::traptor::config::Config;

use crate::parts::ports::Clear;
use crate::parts::predictor_table::{PredictorTable, Reading};

/// The value of a cleared counter.
const WEAKLY_NOT_TAKEN: u64 = 1;

block! {
    /// Predicts and learns the outcome of one conditional branch per cycle.
    pub Gshare("gshare") of (config: &Config, clear_bits: usize) {
        let entries = config.gshare_entries as usize;
        let history_bits = config.gshare_history() as usize;
        let address_width = config.processor.address_width as usize;
        let reading = Reading::of(config.memory_style, &config.port);
        let shift = config.pc_shift as usize;
    }
    parameters {
        entries,
        history_bits,
        pc_shift = shift,
        address_width,
        clear_bits,
        synchronous = reading,
    }

    in clear: Clear(clear_bits);
    /// a conditional branch retires
    in update: 1;
    /// address of the branch
    in program_counter: address_width;
    /// outcome of the branch
    in taken: 1;
    /// predicted outcome, in the cycle in which the table is read
    out predicted_taken: 1;
    /// a conditional branch is predicted
    in learn: 1;
    /// outcome of that branch
    in outcome: 1;
    local counter: 2;
    local counter_next: 2;
    reg history: history_bits;
    block counters: PredictorTable(entries, 2, reading, WEAKLY_NOT_TAKEN);
    param weakly_not_taken = WEAKLY_NOT_TAKEN as usize;
    param shift = shift;
}

#[kernel]
impl Logic for Gshare {
    fn update(&mut self) {
        counters.clear.valid = clear.valid;
        counters.clear.index = resized(clear.index);
        counters = PredictorTable {
            clear_entry: weakly_not_taken,
            index: resized(program_counter >> shift) ^ resized(history.q),
        };
        counter = counters.entry;
        predicted_taken = resized(counter >> 1, 1);

        counter_next = counter;
        if outcome {
            if !counter.all() {
                counter_next = counter + 1;
            }
        } else if counter {
            counter_next = counter - 1;
        }
        counters = PredictorTable { learn, learned: counter_next };
        if update {
            history.d = (history.q << 1) | resized(taken);
        }
    }
}
