//! The whole T-raptor trace module, pins to pins (docs/hardware.md).

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::MemoryStyle;
use tracewright_sim::traptor::config::Config;

use super::encoder::Encoder;

crate::trace_module! {
    /// Predictors, record former, encoder, buffer and port.
    Traptor, Config, "traptor"
}

block! {
    /// A step of the way from the pins to the record former, where tables are read through registers.
    pub Stage("stage") of (flag_bits: usize, count_bits: usize, target_bits: usize);
    parameters {
        flags = flag_bits,
        count_bits,
        target_bits,
    }

    // What is said of the block in single bits.
    in flags: flag_bits;
    // Its instructions.
    in count: count_bits;
    // Its target in instruction units.
    in target: target_bits;
    // The flags a clock later.
    out later_flags: flag_bits;
    // The instructions a clock later.
    out later_count: count_bits;
    // The target a clock later.
    out later_target: target_bits;
    reg held_flags: flag_bits;
    reg held_count: count_bits;
    reg held_target: target_bits;
}

impl Logic for Stage {
    #[hdl_gen]
    fn update(&mut self) {
        self.held_flags.d.next = self.flags.val();
        self.held_count.d.next = self.count.val();
        self.held_target.d.next = self.target.val();
        self.later_flags.next = self.held_flags.q.val();
        self.later_count.next = self.held_count.q.val();
        self.later_target.next = self.held_target.q.val();
    }
}

block! {
    /// A table that is written in the clock after its entry was read, as what it says of a block is learned.
    ///
    /// It hides how its memory is read: `entry` is that of `index`, in the same clock or in the one after,
    /// and `learn` comes in the clock of `entry`. What was learned a clock ago is forwarded.
    pub PredictorTable("predictor_table") of (entries: usize, width: usize, style: MemoryStyle) {
        let synchronous = style == MemoryStyle::Synchronous;
        let index_bits = address_width(entries);
        let held = |width| if synchronous { width } else { 0 };
    }
    parameters {
        entries,
        width,
        synchronous if synchronous,
    }

    // The entries are being cleared.
    in clear: 1;
    // The entry to clear.
    in clear_index: index_bits;
    // What a cleared entry holds.
    in clear_entry: width;
    // The entry to read.
    in index: index_bits;
    // What it holds.
    out entry: width;
    // It is to hold something else.
    in learn: 1;
    // That.
    in learned: width;
    memory entries: [width; entries] { synchronous: synchronous };
    reg read_index: held(index_bits);
    reg forwards: held(1);
    reg forwarded: held(width);
    local learn_index: index_bits;
    param is_synchronous = usize::from(synchronous);
}

impl Logic for PredictorTable {
    #[hdl_gen]
    fn update(&mut self) {
        self.entries.read_address.next = self.index.val();
        self.entry.next = self.entries.read_data.val();
        self.learn_index.next = self.index.val();
        if self.is_synchronous.val() == 1 {
            self.read_index.d.next = self.index.val();
            self.learn_index.next = self.read_index.q.val();
            // The memory is read before what is learned in the same clock arrives.
            self.forwards.d.next = 0.into();
            if self.index.val() == self.read_index.q.val() {
                self.forwards.d.next = self.learn.val();
            }
            self.forwarded.d.next = self.learned.val();
            if self.forwards.q.val().any() {
                self.entry.next = self.forwarded.q.val();
            }
        }
        self.entries.write_enable.next = self.learn.val() | self.clear.val();
        self.entries.write_address.next = self.learn_index.val();
        self.entries.write_data.next = self.learned.val();
        if self.clear.val().any() {
            self.entries.write_address.next = self.clear_index.val();
            self.entries.write_data.next = self.clear_entry.val();
        }
    }
}
