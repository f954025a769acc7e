//! Faults in the Nexus-like module and in the stream detector.

use tracewright_sim::event::{Event, Isa, Machine};
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::{Options, Synthetic};

use super::subject::Subject;

const MACHINE: Machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };

/// Two cores with streams so short that many are cut, and some are just as long.
pub fn subject() -> Subject {
    let mut design = Design::preset("nexus-n2").unwrap().for_machine(MACHINE).unwrap();
    for (name, value) in [("stream_length_bits", "5"), ("retire_count_bits", "3")] {
        design.set(name, value).unwrap();
    }
    Subject { design, programs: [events(21, 1 << 21), events(22, 0xffc0_0000)] }
}

fn events(seed: u64, code_span: u64) -> Vec<Event> {
    let options = Options {
        machine: MACHINE,
        events: 6_000,
        functions: 24,
        predicated: true,
        exceptions: true,
        branch_every_instruction: false,
        code_base: 0x000f_0000,
        code_span,
        threads: 2,
        uneven: true,
        ..Options::from_seed(seed)
    };
    Synthetic::new(options).unwrap().collect()
}
