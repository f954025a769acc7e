//! What finds faults in what several cores share: order, threads, time stamps, flush.

use tracewright_sim::event::{Event, Isa, Machine};
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::{Options, Synthetic};

use super::subject::Subject;
use crate::straight_runs;

const MACHINE: Machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };

/// Three cores with counters so small that all of them overflow.
pub fn subject() -> Subject {
    let mut design = Design::preset("mctraptor-small-n4-timed").unwrap();
    design = design.for_machine(MACHINE).unwrap();
    for (name, value) in [
        ("cores", "3"),
        ("time_stamp_bits", "4"),
        ("branch_count_bits", "5"),
        ("instruction_count_bits", "9"),
        ("retire_count_bits", "8"),
        ("record_queue_depth", "3"),
    ] {
        design.set(name, value).unwrap();
    }
    let mut programs = [events(31), events(32)];
    // Straight runs bring two records in a cycle.
    let runs = straight_runs::straight_runs(530);
    programs[0]
        .extend(runs.into_iter().zip((0..3).cycle()).map(|(run, thread)| Event { thread, ..run }));
    Subject { design, programs }
}

fn events(seed: u64) -> Vec<Event> {
    let options = Options {
        machine: MACHINE,
        events: 6_000,
        functions: 24,
        predicated: true,
        exceptions: true,
        branch_every_instruction: false,
        predictability: 92,
        // One of the programs is at the highest addresses.
        code_base: 0x000f_0000 | (seed & 1) << 31,
        code_span: 1 << 21,
        threads: 3,
        uneven: true,
        ..Options::from_seed(seed)
    };
    Synthetic::new(options).unwrap().collect()
}
