//! What several tests share.

use std::path::Path;

use tracewright_comparators::{Comparator, Core};
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{Event, Machine};
use tracewright_sim::field::Account;
use tracewright_sim::program::{Program, ProgramBuilder};
use tracewright_sim::trace_io;

/// The workloads that are traces of one thread.
pub const WORKLOADS: [&str; 8] = [
    "arm-adpcm_c",
    "arm-fft-head",
    "arm-stringsearch",
    "arm-tiff2bw",
    "rv32-synthetic-data",
    "rv32imac-traps",
    "rv64-djpeg",
    "rv64-stringsearch",
];

/// `make long-tests` runs every test at its full length.
pub fn is_long() -> bool {
    std::env::var_os("LONG_TESTS").is_some()
}

/// True for the whole traces that a test measures: without `LONG_TESTS` those of one program on two instruction sets, with
/// three events in ten.
pub fn is_measured(trace: &str) -> bool {
    is_long() || trace.ends_with("stringsearch")
}

/// An execution and its program.
#[derive(Clone)]
pub struct Execution {
    pub core: Core,
    pub events: Vec<Event>,
    pub program: Program,
}

/// Learns the program of events, whose calls get their lengths.
pub fn execution(machine: Machine, mut events: Vec<Event>) -> Execution {
    let mut builder = ProgramBuilder::new(machine);
    events.iter().for_each(|event| builder.event(event).unwrap());
    let program = builder.finish().unwrap();
    for event in events.iter_mut().filter(|event| event.call) {
        event.length = program.call_length(event.program_counter).unwrap();
    }
    Execution { core: Core::of(machine, 64), events, program }
}

/// The first events of a workload, whose addresses have 32 bits.
pub fn workload(name: &str, most: usize) -> Execution {
    let path = format!("{}/../workloads/{name}.pet.zst", env!("CARGO_MANIFEST_DIR"));
    trace(path.as_ref(), most)
}

/// The first events of a trace, whose addresses have 32 bits.
pub fn trace(path: &Path, most: usize) -> Execution {
    let mut reader = trace_io::open(path).unwrap();
    let machine = reader.machine();
    let events = reader.by_ref().take(most).collect::<Result<_, _>>().unwrap();
    Execution { core: Core::of(machine, 32), ..execution(machine, events) }
}

/// The trace of an execution.
pub fn encode(
    comparator: &Comparator,
    execution: &Execution,
) -> Result<(Vec<u8>, Account), tracewright_comparators::EncodeError> {
    let mut encoder = comparator.encoder(&execution.core)?;
    let mut sinks = (BitPacker::new(), Account::default());
    for event in &execution.events {
        encoder.event(event, &mut sinks)?;
    }
    encoder.finish(&mut sinks)?;
    Ok((sinks.0.finish(), sinks.1))
}

/// The instructions of an execution.
pub fn instructions(execution: &Execution) -> u64 {
    execution.events.iter().map(|event| event.instructions).sum()
}
