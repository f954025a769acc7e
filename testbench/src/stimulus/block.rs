//! A block as a core shows it.

use tracewright_sim::event::Event;
use tracewright_sim::pins::{Pin, module};

/// The values of the pins for one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Instructions, the last one included.
    pub count: u64,
    /// Byte address of the last instruction.
    pub program_counter: u64,
    /// Its length in bytes.
    pub length: u64,
    /// The module reads that length.
    pub tells_length: bool,
    /// The code of `retire_kind`, 0 to 5.
    pub kind: u64,
    /// It leaves a return address.
    pub call: bool,
    /// It goes back to one.
    pub is_return: bool,
    /// The flow changed.
    pub taken: bool,
    /// Where to, if taken.
    pub target: u64,
}

impl Block {
    /// The pins that say what a block is, beside that there is one.
    pub const PINS: [&'static Pin; 8] = [
        &module::RETIRE_COUNT,
        &module::RETIRE_PC,
        &module::RETIRE_LENGTH,
        &module::RETIRE_KIND,
        &module::RETIRE_CALL,
        &module::RETIRE_RETURN,
        &module::RETIRE_TAKEN,
        &module::RETIRE_TARGET,
    ];

    /// The values of these pins.
    pub fn values(&self) -> [u64; 8] {
        [
            self.count,
            self.program_counter,
            self.length,
            self.kind,
            self.call.into(),
            self.is_return.into(),
            self.taken.into(),
            self.target,
        ]
    }

    /// The block, one of those of `event`, as the golden encoder knows it: a straight run is a system
    /// call that came back.
    pub fn part_of(&self, event: &Event) -> Event {
        let straight = Event {
            thread: event.thread,
            length: self.length as u8,
            ..Event::straight_run(0, self.program_counter)
        };
        let part = if self.kind == 0 { straight } else { *event };
        Event { instructions: self.count, ..part }
    }
}
