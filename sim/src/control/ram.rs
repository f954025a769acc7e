//! The registers of the RAM sink in its mode with a memory of its own ("SRAM mode"), and what the mode with the memory of the
//! system has of them too.

use crate::ram_sink::Config;

use super::table::Access::{self, Constant, Data, Status};
use super::table::{ANY, Component, Field, Hardware, Legal, Register, fields};

/// Type of the component in its register `Impl`.
const RAM_SINK: u32 = 9;

/// What `trRamEnable` and `trRamMode` are in both modes.
const ENABLE_DOCS: [(&str, &str); 2] = [
    (
        "The sink takes the trace, and tracing is off while it is 0. Writing 0 ends the trace: the rest of it comes into the \
         memory, and zeros fill the last word up.",
        "The memory is one of the sink's own.",
    ),
    (
        "The sink takes the trace, and tracing is off while it is 0. Writing 0 ends the trace: the rest of it comes into the \
         memory, and zeros fill the last word up. A response of the memory that is an error, and a ring that ends before it \
         begins, write 0.",
        "The ring is in the memory of the system.",
    ),
];

/// Whose memory the ring is in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// The sink's own.
    Own,
    /// The system's.
    System,
}

impl Mode {
    /// The mode as `trRamMode` says it.
    fn number(self) -> u32 {
        u32::from(self == Mode::System)
    }
}

/// The component of a sink.
pub fn component(config: &Config) -> Component {
    Component {
        name: "trRam",
        doc: "The RAM sink: a ring in a memory of its own, which keeps the last words of the trace.",
        active: "trRamActive",
        registers: shared(Mode::Own).into_iter().chain(pointers(config)).collect(),
    }
}

pub(super) fn control(legal: Legal, hardware: Hardware) -> Access {
    Access::Control { legal, hardware }
}

/// The registers that both modes have.
pub(super) fn shared(mode: Mode) -> [Register; 2] {
    [main(mode), implementation(mode)]
}

fn main(mode: Mode) -> Register {
    let (enable_doc, mode_doc) = match mode {
        Mode::Own => ENABLE_DOCS[0],
        Mode::System => ENABLE_DOCS[1],
    };
    let ends = control(Legal::Any, Hardware::Clears);
    Register {
        name: "trRamControl",
        offset: 0,
        doc: "Switches the sink on and off.",
        fields: fields! {
            trRamActive[0, 1] = 0, ANY, "0 holds every other field of this page in its reset value; the memory keeps its \
                contents.";
            trRamEnable[1, 1] = 0, ends, enable_doc;
            trRamEmpty[3, 1] = 1, Status, "The sink is off, and all that it took is in the memory.";
            trRamMode[4, 1] = mode.number(), Constant, mode_doc;
            trRamStopOnWrap[8, 1] = 0, ANY, "When only the tail of the ring is left, trRamEnable becomes 0. What is \
                left of the trace in the module comes into the tail, and nothing is overwritten.";
        },
    }
}

fn implementation(mode: Mode) -> Register {
    let (sram_doc, smem_doc) = match mode {
        Mode::Own => {
            ("It has a memory of its own.", "It cannot write to the memory of the system.")
        }
        Mode::System => ("It has no memory of its own.", "It writes to the memory of the system."),
    };
    Register {
        name: "trRamImpl",
        offset: 4,
        doc: "Says what the component is.",
        fields: fields! {
            trRamVerMajor[0, 4] = 1, Constant, "Version 1.0 of the Trace Control Interface: 1.";
            trRamVerMinor[4, 4] = 0, Constant, "Version 1.0 of the Trace Control Interface: 0.";
            trRamCompType[8, 4] = RAM_SINK, Constant, "The component is a RAM sink.";
            trRamHasSRAM[12, 1] = 1 - mode.number(), Constant, sram_doc;
            trRamHasSMEM[13, 1] = mode.number(), Constant, smem_doc;
        },
    }
}

/// Addresses are those of words: their fields leave the lowest two bits out.
fn pointers(config: &Config) -> [Register; 5] {
    let most = config.words() - 1;
    let (words, pointer) = (Legal::Bits(most), Access::Pointer { legal_bits: most });
    let start = fields! { trRamStartLow[2, 30] = 0, Constant, "The first word of the memory."; };
    let limit = fields! { trRamLimitLow[2, 30] = most, control(words, Hardware::Reads), "The last word of the ring."; };
    let write = fields! {
        trRamWrap[0, 1] = 0, Access::Pointer { legal_bits: 1 }, "The last word of the ring was written since this was written as 0: the oldest \
            word is at trRamWPLow.";
        trRamWPLow[2, 30] = 0, pointer, "The word that is written next; after trRamLimitLow it is 0.";
    };
    let read = fields! {
        trRamRPLow[2, 30] = 0, pointer, "The word that trRamData reads; writes are ignored while the sink is not empty.";
    };
    let mut data = fields! {
        trRamData[0, 32] = 0, Data, "The word at trRamRPLow, which then goes to the next one, and after trRamLimitLow to 0. \
            While the sink is not empty, it reads as 0 and the pointer stays.";
    };
    // The memory is not reset.
    data.iter_mut().for_each(|field| field.reset = None);
    let register = |name, offset, doc, fields| Register { name, offset, doc, fields };
    [
        register("trRamStartLow", 0x10, "Where the ring begins.", start),
        register("trRamLimitLow", 0x18, "Where the ring ends.", limit),
        register("trRamWPLow", 0x20, "Where the next word of the trace is written.", write),
        register("trRamRPLow", 0x28, "Where the memory is read.", read),
        register("trRamData", 0x40, "The memory, a word with each access.", data),
    ]
}
