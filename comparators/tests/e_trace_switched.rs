//! E-Trace that is switched off and on, and begins anew in the middle: the crate `riscv-etrace` as published reads it.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::Event;
use tracewright_sim::golden_encoder::{GoldenEncoder, Synchronisation};
use tracewright_sim::scheme::{Design, Encoder};

use crate::common::Execution;
use crate::e_trace_scheme::{passed, random_programs, riscv_traces, stops, traced_by_crate};

/// Events between two that switch tracing off, and between two that ask for a start.
const PERIODS: (u64, u64) = (300, 40);

fn design(execution: &Execution) -> Design {
    let mut design = Design::preset("etrace-base").unwrap();
    design.set("enable_pin", "true").unwrap();
    design.set("address_width", &execution.core.machine.address_bits.to_string()).unwrap();
    design.for_machine(execution.core.machine).unwrap()
}

/// The trace, and the events of each part of it.
fn encode(execution: &Execution, seed: u64) -> (Vec<u8>, Vec<Vec<Event>>) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut encoder = Encoder::new(&design(execution)).unwrap();
    let (mut bits, mut parts) = (BitPacker::new(), vec![Vec::new()]);
    // Tracing is off at reset.
    encoder.flush(&mut bits);
    let mut left_out = 0;
    for event in &execution.events {
        if left_out > 0 {
            left_out -= 1;
            continue;
        }
        if random.random_range(0..PERIODS.1) == 0 {
            encoder.synchronise(Synchronisation::Periodic, &mut bits);
        }
        encoder.event(event, &mut bits).unwrap();
        parts.last_mut().unwrap().push(*event);
        if random.random_range(0..PERIODS.0) == 0 {
            encoder.flush(&mut bits);
            parts.push(Vec::new());
            left_out = random.random_range(0..50);
        }
    }
    encoder.flush(&mut bits);
    (bits.finish(), parts)
}

/// The events that are read: the crate's tracer stops at a branch to itself.
#[track_caller]
fn is_read(mut execution: Execution, seed: u64, what: &str) -> usize {
    let to_itself = |event: &Event| event.taken && event.target == event.program_counter;
    let first = execution.events.iter().position(to_itself);
    execution.events.truncate(first.unwrap_or(usize::MAX));
    let (bytes, parts) = encode(&execution, seed);
    let found = traced_by_crate(&execution, &bytes, 0, what);
    // The first support payload comes before all, and nothing after the last.
    let found = &found[1..found.len() - 1];
    let stops = stops(&execution.events);
    assert_eq!(found.len(), parts.len(), "{what}: parts");
    for (number, (found, events)) in found.iter().zip(&parts).enumerate() {
        let expected = passed(&stops, events);
        let same = found.iter().zip(&expected).take_while(|(one, other)| one == other).count();
        // The target of a last jump is reported as if an instruction had retired there.
        let is_whole = same == expected.len() && found.len() <= expected.len() + 1;
        assert!(
            is_whole,
            "{what}: part {number}: {same} of {} and {}",
            expected.len(),
            found.len()
        );
    }
    execution.events.len()
}

#[test]
fn the_crate_reads_parts_of_every_trace_of_riscv() {
    for (seed, (name, execution)) in (1..).zip(riscv_traces()) {
        let read = is_read(execution, seed, &name);
        assert!(read > 500, "{name}: {read} events");
    }
}

#[test]
fn the_crate_reads_parts_of_random_programs() {
    let mut programs = 0;
    for (seed, execution) in random_programs(true) {
        is_read(execution, seed, &format!("seed {seed}"));
        programs += 1;
    }
    assert!(programs >= 616, "{programs} programs");
}
