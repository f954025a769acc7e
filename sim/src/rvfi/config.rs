//! The parameters of the adapter for a port that shows instructions one by one.

use super::classifier::{Extensions, Xlen};
use crate::config::{Processor, mask, require};
use crate::ingress::Queue;
use crate::parameter::ParameterError;
use crate::words;

words! {
    /// What the port has in place of a compressed instruction, which has two bytes.
    pub enum Compressed {
        /// The instruction itself in the lower half of the word, so that the word says how long it is.
        Raw = "raw",
        /// The instruction of four bytes that does the same. How long it is follows from the address of the next one,
        /// where the flow goes straight on.
        Expanded = "expanded",
        /// Either, with a pin that is high for an instruction of two bytes.
        Pin = "pin",
    }
}

words! {
    /// What the pin for traps says.
    pub enum Trapped {
        /// The instruction has not retired.
        NotRetired = "not-retired",
        /// The instruction has not retired, unless the port's next address is where its word leads: then it has, and
        /// the flow was diverted after it, as at an entry to debug mode.
        Checked = "checked",
    }
}

words! {
    /// The port of a core that shows instructions one by one.
    pub enum Port {
        /// The RISC-V formal interface.
        Rvfi = "rvfi",
        /// What most cores have in their last stage: that an instruction retires, its address and its word.
        Retired = "retired",
    }
}

impl Port {
    /// What errors call it.
    pub fn title(self) -> &'static str {
        match self {
            Port::Rvfi => "RVFI",
            Port::Retired => "retired",
        }
    }
}

/// Pins that a port may have beside those for valid, address and word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pins {
    /// The instruction trapped.
    pub trap: bool,
    /// The instruction is the first of a handler.
    pub interrupt: bool,
    /// The address of the next instruction.
    pub next: bool,
    /// The number of the instruction in the order of the program, modulo 8, where lanes are in another order.
    pub number: bool,
}

impl Pins {
    /// Those of the RISC-V formal interface.
    pub const RVFI: Pins = Pins { trap: true, interrupt: true, next: true, number: false };

    /// Their names, each with whether it is there.
    pub fn named(self) -> [(&'static str, bool); 4] {
        let Pins { trap, interrupt, next, number } = self;
        [("trap", trap), ("interrupt", interrupt), ("next", next), ("number", number)]
    }

    /// The pins with these names.
    ///
    /// # Errors
    /// The first name that is none.
    pub fn of_names<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<Pins, &'n str> {
        let mut pins = Pins::default();
        for name in names {
            match name {
                "trap" => pins.trap = true,
                "interrupt" => pins.interrupt = true,
                "next" => pins.next = true,
                "number" => pins.number = true,
                other => return Err(other),
            }
        }
        Ok(pins)
    }
}

/// The parameters of an adapter beside those of its trace module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// Which names the pins have.
    pub port: Port,
    /// Which of them there are.
    pub pins: Pins,
    /// Width of the core's registers.
    pub xlen: Xlen,
    /// Extensions that it has and that change the flow by words of others.
    pub extensions: Extensions,
    /// What the port has in place of a compressed instruction.
    pub compressed: Compressed,
    /// What the pin for traps says.
    pub trap: Trapped,
    /// Instructions that wait while the trace module is not ready; a lane is a channel of the interface.
    pub queue: Queue,
}

impl Config {
    /// The defaults for the RISC-V formal interface of a core of this width that retires up to `channels` instructions in
    /// a cycle.
    pub fn new(xlen: Xlen, channels: u32) -> Self {
        Self::of_queue(xlen, Queue::new(channels))
    }

    /// The same with another queue.
    pub const fn of_queue(xlen: Xlen, queue: Queue) -> Self {
        Self {
            port: Port::Rvfi,
            pins: Pins::RVFI,
            xlen,
            extensions: Extensions::NONE,
            compressed: Compressed::Raw,
            trap: Trapped::NotRetired,
            queue,
        }
    }

    /// The defaults for a port that has no more than it must.
    pub fn retired(xlen: Xlen, lanes: u32) -> Self {
        Self { port: Port::Retired, pins: Pins::default(), ..Self::new(xlen, lanes) }
    }

    /// Checks the constraints.
    ///
    /// # Errors
    /// The first constraint that is broken, by name.
    pub fn validate(&self) -> Result<(), ParameterError> {
        let Self { port, pins, trap, queue, .. } = *self;
        queue.validate()?;
        require(port == Port::Retired || pins == Pins::RVFI, "pins", port, || {
            "the RISC-V formal interface has its own pins: all but `number`".into()
        })?;
        require(trap == Trapped::NotRetired || pins.trap && pins.next, "trap", trap, || {
            "needs the pins `trap` and `next`".into()
        })?;
        require(!pins.number || queue.lanes > 1, "pins", "number", || {
            "orders the lanes of a cycle: must have more than 1".into()
        })
    }

    /// Checks that `retire_count` can count what a block gets in a cycle, and that the module needs no more than the port
    /// says of lengths.
    ///
    /// # Errors
    /// When it has too few bits, or the lengths of all instructions are wanted and not there.
    pub fn validate_for(&self, processor: &Processor) -> Result<(), ParameterError> {
        let (most, bits) = (self.most_in_a_cycle(), processor.retire_count_bits);
        require(mask(bits) >= u64::from(most), "retire_count_bits", bits, || {
            format!("must count the {most} instructions that NRET = {} brings", self.queue.lanes)
        })?;
        let expanded = self.compressed == Compressed::Expanded;
        require(!expanded || !processor.tells_lengths(), "exact_lengths", true, || {
            "words that are expanded do not say how long an instruction is: needs compressed = raw or pin".into()
        })?;
        require(
            expanded == processor.expanded_words,
            "expanded_words",
            processor.expanded_words,
            || format!("must be {expanded} with compressed = {}", self.compressed),
        )
    }

    /// Instructions by which a block can grow in a cycle: of the one instruction, or of the two words that leave the
    /// queue, which have as many as come in a cycle.
    pub fn most_in_a_cycle(&self) -> u32 {
        match self.queue.lanes {
            1 => 1,
            lanes => 2 * lanes,
        }
    }
}
