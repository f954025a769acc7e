//! Dumps of several encoders whose messages or payloads name their source: each comes back as a thread of its own.

use tracewright_import::e_trace::Encoder as Parameters;
use tracewright_import::n_trace::Encoder;
use tracewright_sim::event::{Event, Machine};
use tracewright_sim::message_funnel::{Config, MessageFunnel, Messages, Source};

use crate::e_trace::{
    Compared, Parts, are_found, compared, encode, image, random_programs, told, workload,
};
use crate::{e_trace, n_trace};

/// The sources in the trace, which are its threads.
const SOURCES: [u8; 2] = [1, 3];

/// What a funnel makes of the traces of several encoders.
fn merged(traces: &[Vec<u8>], messages: Messages) -> Vec<u8> {
    let mut funnel = MessageFunnel::new(Config { sources: traces.len() as u32, messages });
    let (mut places, mut out) = (vec![0; traces.len()], Vec::new());
    let is_over =
        |places: &[usize]| traces.iter().zip(places).all(|(trace, at)| trace.len() == *at);
    while !is_over(&places) || !funnel.is_empty() {
        let sources = traces.iter().zip(&places);
        let sources: Vec<_> = sources
            .map(|(trace, at)| Source { byte: trace.get(*at).copied(), ..Source::default() })
            .collect();
        out.extend(funnel.offered());
        if let Some(taken) = funnel.clock(&sources, true) {
            places[taken] += 1;
        }
    }
    out
}

/// The traces of the sources, merged.
fn dump(
    (preset, bits): (&str, &str),
    changes: &[(&str, &str)],
    machine: Machine,
    executions: [&[Event]; 2],
    messages: Messages,
) -> Vec<u8> {
    let traces = SOURCES.iter().zip(executions).map(|(id, events)| {
        let id = id.to_string();
        let always = [
            ("enable_pin", "true"),
            ("trace_port_width", "8"),
            ("source_bits", bits),
            ("source_id", id.as_str()),
        ];
        encode(preset, &[&always, changes].concat(), machine, events)
    });
    merged(&traces.collect::<Vec<_>>(), messages)
}

/// The events of a thread.
fn of_thread(parts: &Parts, thread: u8) -> Vec<Event> {
    let all = (0..parts.items.len()).flat_map(|part| parts.events(part));
    let of_thread = all.filter(|event| event.thread == thread);
    of_thread.map(|event| Event { thread: 0, ..event }).collect()
}

/// Two parts of one program's execution, of which the second begins elsewhere.
fn executions(events: &[Event]) -> [&[Event]; 2] {
    let (first, second) = events.split_at(events.len() / 3);
    [first, second]
}

#[test]
fn programs_come_back_by_their_source() {
    let (machine, events) = workload("rv32imac-traps.pet.zst");
    let image = image("rv32imac-traps.elf");
    let both = executions(&events);
    for (preset, bits) in [("ntrace-htm", "6"), ("ntrace-btm", "12"), ("ntrace-htm", "12")] {
        let dump = dump((preset, bits), &[], machine, both, Messages::NTrace);
        let source_bits = bits.parse().unwrap();
        let encoder = Encoder { source_bits, ..n_trace::ours(machine, false) };
        let (parts, summary) = n_trace::decode(&dump, &encoder, &image, machine);
        assert_eq!(summary.sources.len(), 2, "{preset}");
        are_there(&parts, both, preset);
    }
    let messages = Messages::ETrace { source_bytes: 1 };
    let dump = dump(("etrace-base", "8"), &[], machine, both, messages);
    let parameters = Parameters { source_id_width: 8, ..Parameters::default() };
    let (parts, summary) = e_trace::decode(&dump, &parameters, &image, machine);
    assert_eq!(summary.sources.len(), 2);
    are_there(&parts, both, "etrace-base");
}

/// Each thread has the events of its source, from the first that may change the flow on.
#[track_caller]
fn are_there(parts: &Parts, executions: [&[Event]; 2], what: &str) {
    for (thread, events) in SOURCES.iter().zip(executions) {
        let found: Vec<Compared> = of_thread(parts, *thread).iter().map(compared).collect();
        let expected = told(events);
        // A trace without the exception at reset is decoded with one.
        let first = usize::from(found.first() != expected.first());
        let same = found[first..].iter().zip(&expected).take_while(|(one, other)| one == other);
        let same = same.count();
        let at = (found.get(first + same), expected.get(same));
        assert!(
            expected.len() - same <= 1 && found.len() - first <= expected.len() + 1,
            "{what}, thread {thread}: event {same} of {}: {at:x?}",
            expected.len()
        );
    }
}

#[test]
fn random_programs_come_back_by_their_source() {
    let mut programs = 0;
    for (seed, machine, events) in random_programs(120) {
        let learned = e_trace::Learned::of(&events);
        let both = executions(&events);
        let messages = Messages::ETrace { source_bytes: 1 };
        let dump = dump(("etrace-base", "8"), &[("privilege_bits", "2")], machine, both, messages);
        let parameters = Parameters { source_id_width: 8, ..Parameters::default() };
        let (parts, _) = e_trace::decode(&dump, &parameters, &learned, machine);
        for (thread, events) in SOURCES.iter().zip(both) {
            let found = learned.without_runs(&of_thread(&parts, *thread));
            let first = usize::from(events.first().is_some_and(|event| event.instructions > 0));
            let found = &found[first.min(found.len())..];
            are_found(found, &told(events), &format!("seed {seed}, thread {thread}"));
        }
        programs += 1;
    }
    assert!(programs > 40, "{programs} programs");
}
