//! A run that is taken to its instructions in any order is at each what it is when it is run once.

use crate::common::read;
use tracewright_working_set::{Registers, Rerun, file};

/// Registers and some bytes at an instruction.
fn state(run: &mut Rerun, time: u64) -> (Registers, Vec<Option<u8>>) {
    run.go_to(time).unwrap_or_else(|error| panic!("instruction {time}: {error}"));
    let registers = run.registers();
    let stack = registers.integers[2];
    let bytes = (0..32).map(|at| run.byte(stack.wrapping_add(at))).collect();
    (registers, bytes)
}

#[test]
fn any_order_is_one_order() {
    for name in ["rv32imac-traps", "rv64imac-interpreter", "rv32imac-lz"] {
        let working_set = file::read(&read(&format!("{name}.wset"))).expect("a working set");
        let totals = working_set.totals;
        let mut times: Vec<u64> = (0..24u64)
            .map(|place| place.wrapping_mul(0x9e37_79b9_7f4a_7c15) % totals.instructions)
            .flat_map(|time| [time, time + 1])
            .collect();
        let mut jumping = Rerun::new(working_set.clone());
        let jumped: Vec<_> = times.iter().map(|time| (*time, state(&mut jumping, *time))).collect();
        times.sort_unstable();
        let mut running = Rerun::new(working_set);
        for time in times {
            let there = state(&mut running, time);
            for (_, other) in jumped.iter().filter(|(at, _)| *at == time) {
                assert!(*other == there, "{name}, instruction {time}");
            }
        }
        running.go_to(u64::MAX).expect("the end");
        assert_eq!(running.registers().checksum(), totals.registers, "{name}");
        // What the run has nothing to do with is not known.
        assert_eq!(running.byte(0xdead_0000), None);
    }
}
