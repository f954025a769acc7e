//! The example `decode_e_trace` on a program with interrupts, exceptions and calls, from its ELF file.

use std::path::Path;

use crate::common::workload;
use crate::decoder;
use crate::e_trace_scheme::{PRESETS, encode};

#[test]
fn the_example_gives_every_instruction() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../workloads");
    let name = "rv32imac-traps";
    let program = std::fs::read(folder.join(format!("{name}.elf"))).unwrap();
    let execution = workload(name, usize::MAX);
    for (preset, return_stack_size_p) in PRESETS {
        let (bytes, _) = encode(preset, &[], &execution);
        let found = decoder::addresses(&program, &bytes, return_stack_size_p);
        let found = found.unwrap_or_else(|error| panic!("{preset}: {error}"));
        let mut at = 0;
        for (number, event) in execution.events.iter().enumerate() {
            at += event.instructions as usize;
            let address = at.checked_sub(1).and_then(|last| found.get(last));
            let is_at = event.instructions == 0 || address == Some(&event.program_counter);
            assert!(is_at, "{preset}: event {number} is {event:?}, found {address:x?}");
        }
        // The target of a last jump is reported as if an instruction had retired there.
        assert!(found.len() <= at + 1, "{preset}: {} instructions of {at}", found.len());
    }
}
