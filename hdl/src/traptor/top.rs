//! The whole T-raptor trace module, pins to pins (docs/hardware.md).

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::MemoryStyle;
use tracewright_sim::traptor::config::Config;

use super::encoder::Encoder;

crate::trace_module! {
    /// Predictors, record former, encoder, buffer and port.
    Traptor, Config, "traptor"
}

/// A step of the way from the pins to the record former, where tables are read through registers.
#[derive(LogicBlock)]
pub struct Stage {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// What is said of the block in single bits.
    pub flags: Wire<In>,
    /// Its instructions.
    pub count: Wire<In>,
    /// Its target in instruction units.
    pub target: Wire<In>,
    /// The flags a clock later.
    pub later_flags: Wire<Out>,
    /// The instructions a clock later.
    pub later_count: Wire<Out>,
    /// The target a clock later.
    pub later_target: Wire<Out>,
    held_flags: Reg,
    held_count: Reg,
    held_target: Reg,
}

impl Stage {
    /// A step of blocks with so many flags.
    pub fn new(flag_bits: usize, count_bits: usize, target_bits: usize) -> Self {
        Self {
            kind: Kind::new(
                "stage",
                [("flags", flag_bits), ("count_bits", count_bits), ("target_bits", target_bits)],
            ),
            domain: Domain::new(),
            flags: Wire::new(flag_bits),
            count: Wire::new(count_bits),
            target: Wire::new(target_bits),
            later_flags: Wire::new(flag_bits),
            later_count: Wire::new(count_bits),
            later_target: Wire::new(target_bits),
            held_flags: Reg::new(flag_bits, 0),
            held_count: Reg::new(count_bits, 0),
            held_target: Reg::new(target_bits, 0),
        }
    }
}

impl Logic for Stage {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, held_flags, held_count, held_target);
        self.held_flags.d.next = self.flags.val();
        self.held_count.d.next = self.count.val();
        self.held_target.d.next = self.target.val();
        self.later_flags.next = self.held_flags.q.val();
        self.later_count.next = self.held_count.q.val();
        self.later_target.next = self.held_target.q.val();
    }
}

/// A table that is written in the clock after its entry was read, as what it says of a block is learned.
///
/// It hides how its memory is read: `entry` is that of `index`, in the same clock or in the one after,
/// and `learn` comes in the clock of `entry`. What was learned a clock ago is forwarded.
#[derive(LogicBlock)]
pub struct PredictorTable {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// The entries are being cleared.
    pub clear: Wire<In>,
    /// The entry to clear.
    pub clear_index: Wire<In>,
    /// What a cleared entry holds.
    pub clear_entry: Wire<In>,
    /// The entry to read.
    pub index: Wire<In>,
    /// What it holds.
    pub entry: Wire<Out>,
    /// It is to hold something else.
    pub learn: Wire<In>,
    /// That.
    pub learned: Wire<In>,
    entries: Memory,
    read_index: Reg,
    forwards: Reg,
    forwarded: Reg,
    learn_index: Wire<Local>,
    is_synchronous: Param,
}

impl PredictorTable {
    /// A table of `entries` of `width` bits.
    pub fn new(entries: usize, width: usize, style: MemoryStyle) -> Self {
        let synchronous = style == MemoryStyle::Synchronous;
        let index_bits = address_width(entries);
        let held = |width| Reg::new(if synchronous { width } else { 0 }, 0);
        let mut parameters = vec![("entries", entries), ("width", width)];
        if synchronous {
            parameters.push(("synchronous", 1));
        }
        Self {
            kind: Kind::new("predictor_table", parameters),
            domain: Domain::new(),
            clear: Wire::new(1),
            clear_index: Wire::new(index_bits),
            clear_entry: Wire::new(width),
            index: Wire::new(index_bits),
            entry: Wire::new(width),
            learn: Wire::new(1),
            learned: Wire::new(width),
            entries: Memory::new(entries, width).synchronous(synchronous),
            read_index: held(index_bits),
            forwards: held(1),
            forwarded: held(width),
            learn_index: Wire::new(index_bits),
            is_synchronous: Param::new(usize::from(synchronous)),
        }
    }
}

impl Logic for PredictorTable {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, read_index, forwards, forwarded);
        clock!(self, domain, entries);
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
