//! The modules of N-Trace, and programs for their faults.

use tracewright_sim::scheme::Design;

use super::e_trace::{MACHINE, events};
use super::subject::Subject;

/// Small counters and histories, so that they are full, and a stack of two addresses.
pub fn history() -> Subject {
    subject("ntrace-htm", &[("history_bits", "3"), ("return_stack_entries", "2")])
}

/// A message for each taken branch.
pub fn branches() -> Subject {
    subject("ntrace-btm", &[])
}

fn subject(preset: &str, changes: &[(&str, &str)]) -> Subject {
    let mut design = Design::preset(preset).unwrap().for_machine(MACHINE).unwrap();
    for (name, value) in [("retire_count_bits", "3"), ("count_bits", "8")].iter().chain(changes) {
        design.set(name, value).unwrap();
    }
    Subject { design, programs: [events(41, 1 << 21), events(42, 0xffc0_0000)] }
}
