//! Traces of several encoders of E-Trace in one stream: the crate `riscv-etrace` reads each by its source.

use tracewright_sim::event::Event;
use tracewright_sim::message_funnel::{Config, MessageFunnel, Messages, Source};

use crate::common::Execution;
use crate::e_trace::parameters;
use crate::e_trace_scheme::{Traced, encode, passed, random_programs, stops, traced_of_source};

/// The sources of a trace.
const SOURCES: [u16; 3] = [0, 7, 255];

/// What a funnel makes of traces of which the bytes come in turn.
fn merged(traces: &[Vec<u8>]) -> Vec<u8> {
    let messages = Messages::ETrace { source_bytes: 1 };
    let mut funnel = MessageFunnel::new(Config { sources: traces.len() as u32, messages });
    let (mut places, mut out) = (vec![0; traces.len()], Vec::new());
    let is_over =
        |places: &[usize]| traces.iter().zip(places).all(|(trace, at)| trace.len() == *at);
    while !is_over(&places) || !funnel.is_empty() {
        let source = |(trace, at): (&Vec<u8>, &usize)| Source {
            byte: trace.get(*at).copied(),
            ..Source::default()
        };
        let sources: Vec<_> = traces.iter().zip(&places).map(source).collect();
        out.extend(funnel.offered());
        if let Some(taken) = funnel.clock(&sources, true) {
            places[taken] += 1;
        }
    }
    out
}

/// The crate's tracer stops at a branch to itself.
fn read_part(mut execution: Execution) -> Execution {
    let to_itself = |event: &Event| event.taken && event.target == event.program_counter;
    let first = execution.events.iter().position(to_itself);
    execution.events.truncate(first.unwrap_or(usize::MAX));
    execution
}

#[test]
fn the_crate_reads_every_source() {
    let executions: Vec<Execution> =
        random_programs(true).map(|(_, execution)| read_part(execution)).collect();
    let mut groups = 0;
    for (number, group) in executions.chunks_exact(SOURCES.len()).enumerate() {
        let traces = SOURCES.iter().zip(group).map(|(source, execution)| {
            let id = source.to_string();
            let changes = [
                ("enable_pin", "true"),
                ("trace_port_width", "8"),
                ("source_bits", "8"),
                ("source_id", id.as_str()),
            ];
            encode("etrace-base", &changes, execution).0
        });
        let bytes = merged(&traces.collect::<Vec<_>>());
        for (source, execution) in SOURCES.iter().zip(group) {
            let what = format!("group {number}, source {source}");
            let parameters = parameters(execution);
            let traced = traced_of_source(execution, (&bytes, Some(*source)), &parameters, &what);
            let found: Vec<u64> = traced.iter().flat_map(Traced::addresses).collect();
            let expected = passed(&stops(&execution.events), &execution.events);
            let same = found.iter().zip(&expected).take_while(|(one, other)| one == other).count();
            // The target of a last jump is reported as if an instruction had retired there.
            assert!(
                same == expected.len() && found.len() <= expected.len() + 1,
                "{what}: address {same} of {}: {:?} {:?}",
                expected.len(),
                found.get(same),
                expected.get(same)
            );
        }
        groups += 1;
    }
    assert!(groups >= 20, "{groups} groups");
}
