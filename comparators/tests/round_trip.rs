//! What a comparator encodes, its decoder gives back, event for event.

use tracewright_comparators::{ALL, Comparator, EncodeError};
use tracewright_sim::event::{Event, Isa};
use tracewright_sim::synthetic::{Options, Synthetic};

use crate::common::{Execution, WORKLOADS, encode, execution, instructions, is_long, workload};

/// The lengths of instructions other than calls are in no trace.
fn without_length(event: &Event) -> Event {
    Event { length: 0, ..*event }
}

/// Encodes and decodes; false if the format cannot carry the execution, or has no decoder.
#[track_caller]
fn round_trip(comparator: &Comparator, execution: &Execution, what: &str) -> bool {
    let (bytes, account) = match encode(comparator, execution) {
        Ok(encoded) => encoded,
        Err(EncodeError::Exception { .. } | EncodeError::Machine { .. }) => return false,
        Err(error) => panic!("{} on {what}: {error}", comparator.name),
    };
    if !comparator.has_decoder() {
        return false;
    }
    let instructions = instructions(execution);
    let mut back = Vec::new();
    let Execution { core, program, .. } = execution;
    let summary = comparator
        .decode(core, program, &mut bytes.as_slice(), instructions, &mut |event| back.push(event))
        .unwrap_or_else(|error| panic!("{} on {what}: {error}", comparator.name));
    let same = back
        .iter()
        .zip(&execution.events)
        .take_while(|(one, other)| without_length(one) == without_length(other))
        .count();
    assert_eq!(
        (back.get(same), back.len()),
        (execution.events.get(same), execution.events.len()),
        "{} on {what}: event {same}",
        comparator.name
    );
    assert_eq!(summary.instructions, instructions, "{} on {what}", comparator.name);
    assert!(account.bits.div_ceil(8) <= bytes.len() as u64, "{} on {what}", comparator.name);
    true
}

#[test]
fn workloads_come_back() {
    for name in WORKLOADS {
        let execution = workload(name, if is_long() { 100_000 } else { 30_000 });
        for comparator in ALL {
            round_trip(comparator, &execution, name);
        }
    }
}

#[test]
fn random_programs_come_back() {
    let mut encoded = vec![0; ALL.len()];
    let seeds = if is_long() { 30 } else { 9 };
    for seed in 0..seeds {
        let options = Options::from_seed(seed);
        let options = Options {
            events: 3_000,
            exceptions: seed % 3 == 0,
            predicated: options.predicated && options.machine.isa != Isa::RiscV,
            threads: 1,
            data_accesses: 0,
            ..options
        };
        let synthetic = Synthetic::new(options).unwrap();
        let machine = synthetic.machine();
        let all: Vec<Event> = synthetic.collect();
        // Traces end anywhere, also right after a branch that the format has to wait for.
        for most in [1, 37, all.len()] {
            let execution = execution(machine, all[..most].to_vec());
            for (comparator, encoded) in ALL.iter().zip(&mut encoded) {
                let what = format!("seed {seed}, {most} events");
                *encoded += u32::from(round_trip(comparator, &execution, &what));
            }
        }
    }
    for (comparator, encoded) in ALL.iter().zip(encoded) {
        let least = if comparator.has_decoder() { 2 * seeds / 5 } else { 0 };
        assert!(u64::from(encoded) >= least, "{}: {encoded} of {}", comparator.name, 3 * seeds);
    }
}
