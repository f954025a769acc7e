//! The registers of the RAM sink in its mode with the memory of the system ("SMEM mode").

use crate::system_memory_sink::Bus;

use super::ram::{Mode, control, shared};
use super::table::Access::{self, Status};
use super::table::{ANY, Component, Field, Hardware, Legal, Register, field, fields};

/// The component of a sink.
pub fn component(bus: &Bus) -> Component {
    let registers = shared(Mode::System).into_iter().chain(pointers(bus)).chain([status()]);
    Component {
        name: "trRam",
        doc: "The RAM sink: a ring in the memory of the system, which keeps the last words of the trace.",
        active: "trRamActive",
        registers: registers.collect(),
    }
}

/// Addresses are those of words of the bus: their lower fields leave the bits out that are 0 in each.
fn pointers(bus: &Bus) -> Vec<Register> {
    let low = bus.word_bytes().ilog2();
    let width = 32 - low;
    let most = u32::MAX >> low;
    let all = control(Legal::Any, Hardware::Reads);
    let pointer = |legal_bits| Access::Pointer { legal_bits };
    // No ring has a last word before its first one, so nothing is written before software has said where.
    let start = field(
        "trRamStartLow",
        (low, width),
        most,
        all,
        "The first word of the ring. After reset it is after trRamLimit: there is no ring, and a sink that is switched on \
         stops.",
    );
    let limit = field("trRamLimitLow", (low, width), 0, all, "The last word of the ring.");
    let mut written = fields! {
        trRamWrap[0, 1] = 0, pointer(1), "The last word of the ring was written since this was written as 0: the oldest word is at \
            trRamWP.";
    };
    written.push(field(
        "trRamWPLow",
        (low, width),
        0,
        pointer(most),
        "The word that is written next; after trRamLimit it is trRamStart. All words before it are in the memory. Writes are \
         ignored while the sink is not empty. A word outside of the ring becomes trRamStart before anything is written.",
    ));
    let register = |name, offset, doc, fields| Register { name, offset, doc, fields };
    let mut registers = vec![
        register("trRamStartLow", 0x10, "Where the ring begins.", vec![start]),
        register("trRamLimitLow", 0x18, "Where the ring ends.", vec![limit]),
        register("trRamWPLow", 0x20, "Where the next word of the trace is written.", written),
    ];
    if bus.address_bits > 32 {
        let high =
            |name, access, doc| vec![field(name, (0, bus.address_bits - 32), 0, access, doc)];
        let start = high("trRamStartHigh", ANY, "The upper bits of trRamStart.");
        let limit = high("trRamLimitHigh", ANY, "The upper bits of trRamLimit.");
        let written = high(
            "trRamWPHigh",
            pointer(u32::MAX >> (64 - bus.address_bits)),
            "The upper bits of trRamWP.",
        );
        registers.extend([
            register("trRamStartHigh", 0x14, "Where the ring begins.", start),
            register("trRamLimitHigh", 0x1c, "Where the ring ends.", limit),
            register("trRamWPHigh", 0x24, "Where the next word of the trace is written.", written),
        ]);
        registers.sort_by_key(|register| register.offset);
    }
    registers
}

fn status() -> Register {
    Register {
        name: "twRamStatus",
        offset: 0xe00,
        doc: "What the memory has said.",
        fields: fields! {
            twRamResponse[0, 2] = 0, Status, "The response of AXI4 that has ended the trace since the sink was switched on: 2 for an \
                error of the memory, 3 where there is none; 0 without one. The burst that it answers begins at trRamWP.";
        },
    }
}
