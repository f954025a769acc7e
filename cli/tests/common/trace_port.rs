//! What a module sends for a run, byte by byte, as the golden encoder has it.

use std::path::Path;

use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::Event;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::program::ProgramBuilder;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::trace_io;

/// The bytes of the trace port of a preset with `settings`, each `NAME=VALUE`, for the run in a file, and the run's events.
pub fn trace_port(run: &Path, preset: &str, settings: &[&str]) -> (Vec<u8>, Vec<Event>) {
    let reader = trace_io::open(run).unwrap();
    let machine = reader.machine();
    let mut events: Vec<Event> = reader.collect::<Result<_, _>>().unwrap();
    let mut builder = ProgramBuilder::new(machine);
    events.iter().for_each(|event| builder.event(event).unwrap());
    let program = builder.finish().unwrap();
    for event in events.iter_mut().filter(|event| event.call) {
        event.length = program.call_length(event.program_counter).unwrap();
    }
    let mut design = Design::preset(preset).unwrap();
    for setting in settings {
        let (name, value) = setting.split_once('=').unwrap();
        design.set(name, value).unwrap();
    }
    let mut encoder = Encoder::new(&design.for_machine(machine).unwrap()).unwrap();
    let mut packer = BitPacker::new();
    events.iter().for_each(|event| encoder.event(event, &mut packer).unwrap());
    encoder.flush(&mut packer);
    (packer.finish(), events)
}
