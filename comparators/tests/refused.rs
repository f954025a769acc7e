//! What a comparator cannot encode or decode is an error that says so.

use tracewright_comparators::{ALL, Comparator, Core, EncodeError};
use tracewright_sim::event::{Event, Isa, Machine};
use tracewright_sim::synthetic::{Options, Synthetic};

use crate::common::{encode, execution, instructions, workload};

fn refusal(events: &[Event], width: u32, name: &str) -> EncodeError {
    let core = Core { machine: MACHINE, address_width: width };
    let mut encoder = Comparator::named(name).unwrap().encoder(&core).unwrap();
    let mut sink = tracewright_sim::field::Account::default();
    let refused = events.iter().find_map(|event| encoder.event(event, &mut sink).err());
    refused.expect("a refusal")
}

const MACHINE: Machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 64 };

#[test]
fn wide_addresses_and_other_threads_are_refused_by_all() {
    let options = Options {
        events: 4,
        machine: MACHINE,
        exceptions: false,
        threads: 1,
        ..Options::from_seed(1)
    };
    let events: Vec<Event> = Synthetic::new(options).unwrap().collect();
    for comparator in ALL {
        let mut wide = events.clone();
        wide[2].program_counter |= 1 << 32;
        let refused = refusal(&wide, 32, comparator.name);
        assert!(matches!(refused, EncodeError::Address { event: 2, width: 32, .. }), "{refused}");
        let mut other = events.clone();
        other[1].thread = 3;
        let refused = refusal(&other, 64, comparator.name);
        assert!(matches!(refused, EncodeError::Thread { event: 1, thread: 3 }), "{refused}");
    }
}

#[test]
fn e_trace_is_for_riscv() {
    let execution = workload("arm-stringsearch", 10);
    let refused = encode(Comparator::named("e-trace").unwrap(), &execution).unwrap_err();
    assert_eq!(refused.to_string(), "this format is for RISC-V, and the trace is of arm");
}

#[test]
fn tslz_has_no_exceptions() {
    let traps = workload("rv32imac-traps", 5_000);
    let refused = encode(Comparator::named("tslz").unwrap(), &traps).unwrap_err();
    assert!(matches!(refused, EncodeError::Exception { .. }), "{refused}");
}

#[test]
fn an_unknown_name_lists_the_known_ones() {
    let unknown = Comparator::named("lz4").unwrap_err().to_string();
    assert!(
        unknown.starts_with("no comparator is called `lz4`; there is tslz, dmtf, e-trace"),
        "{unknown}"
    );
}

/// Damaged bytes end in an error or in another execution, never in a panic, and never in more instructions.
#[test]
fn damaged_traces_end() {
    let execution = {
        let whole = workload("rv64-stringsearch", 3_000);
        execution(whole.core.machine, whole.events)
    };
    let most = instructions(&execution);
    for comparator in ALL.iter().filter(|comparator| comparator.has_decoder()) {
        let (bytes, _) = encode(comparator, &execution).unwrap();
        let decode = |bytes: &[u8]| {
            let mut seen = 0;
            let mut source = bytes;
            let mut take = |event: Event| seen += event.instructions;
            let core = &execution.core;
            let done = comparator.decode(core, &execution.program, &mut source, most, &mut take);
            assert!(seen <= most, "{}: {seen} instructions", comparator.name);
            done.is_ok()
        };
        let half = &bytes[..bytes.len() / 2];
        // It does not say where a trace ends.
        assert!(comparator.name == "tslz" || !decode(half), "{}: half a trace", comparator.name);
        for place in (0..bytes.len()).step_by(1 + bytes.len() / 150) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << (place % 8);
            decode(&damaged);
        }
    }
}
