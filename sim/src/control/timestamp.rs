//! The registers of the time.

use crate::config::{Protocol, TimeSource};

use super::table::Access::{Constant, Status};
use super::table::{ANY, Access, Field, Hardware, Legal, Register, field, fields};

/// The widest time that `trTsWidth` can say.
const MOST_BITS: u32 = 63;

/// `trTsMode` of a time that comes from outside, and of a counter of the core's clock.
const EXTERNAL: u32 = 1;
const INTERNAL_CORE: u32 = 3;

/// The fields that the unit is driven by, and the request that it answers.
pub const COUNT: &str = "trTsCount";
/// The request to become 0.
pub const RESET: &str = "trTsReset";
/// How many cycles a time has.
pub const PRESCALE: &str = "trTsPrescale";
/// The time, by words of 32 bits.
pub const COUNTER: [&str; 2] = ["trTsCounterLow", "trTsCounterHigh"];

/// The registers, if the trace says the time.
pub(super) fn registers(protocol: &Protocol) -> Vec<Register> {
    if protocol.time_bits == 0 {
        return Vec::new();
    }
    let main = Register {
        name: "trTsControl",
        offset: 0x40,
        doc: "Says what the time in the trace is, and controls its counter.",
        fields: main(protocol),
    };
    [main].into_iter().chain(counter(protocol)).collect()
}

fn main(protocol: &Protocol) -> Vec<Field> {
    let pulse = Access::Control { legal: Legal::Any, hardware: Hardware::Clears };
    let mut all = fields! { trTsActive[0, 1] = 0, Status, "It reads as trTeActive."; };
    match protocol.time_source {
        TimeSource::Counter => {
            all.extend(fields! { trTsCount[1, 1] = 1, Constant, "The counter always runs."; });
        }
        TimeSource::Unit => all.extend(fields! {
            trTsCount[1, 1] = 1, ANY, "The counter runs; 0 stops it.";
            trTsReset[2, 1] = 0, pulse, "Writing 1 sets the counter to 0. The bit is 0 again in the next cycle.";
        }),
        TimeSource::Binary | TimeSource::Gray => {}
    }
    let (mode, mode_doc) = match protocol.time_source {
        TimeSource::Counter => {
            (INTERNAL_CORE, "The time is a counter of the core's clock in the module.")
        }
        TimeSource::Unit => (INTERNAL_CORE, "The time is a counter of the core's clock."),
        TimeSource::Binary | TimeSource::Gray => {
            (EXTERNAL, "The time comes from outside of the module, on the pin timestamp.")
        }
    };
    all.extend(fields! { trTsMode[4, 3] = mode, Constant, mode_doc; });
    if protocol.time_source == TimeSource::Unit {
        all.extend(fields! {
            trTsPrescale[8, 2] = 0, ANY, "The counter counts once in 1, 4, 16 or 64 cycles.";
        });
    }
    let says = match protocol.has_packets() {
        true => "Headers of packets say the time.",
        false => "The trace says the time.",
    };
    all.extend(fields! {
        trTsEnable[15, 1] = 1, Constant, says;
        trTsWidth[24, 6] = protocol.time_bits.min(MOST_BITS), Constant, "Width of the time in bits; 63 stands for 64 too.";
    });
    all
}

/// The time that the counter has.
fn counter(protocol: &Protocol) -> Vec<Register> {
    if protocol.time_source != TimeSource::Unit {
        return Vec::new();
    }
    let bits = protocol.time_bits;
    let words = [
        (COUNTER[0], 0x48, bits.min(32), "The lowest 32 bits of the time in this cycle."),
        (COUNTER[1], 0x4c, bits.saturating_sub(32), "The bits above, in the cycle of their read."),
    ];
    let register = |(name, offset, width, doc)| Register {
        name,
        offset,
        doc,
        fields: vec![field(name, (0, width), 0, Status, doc)],
    };
    words.into_iter().filter(|(_, _, width, _)| *width > 0).map(register).collect()
}
