//! Any trace of one program through every scheme and back.

use tracewright_sim::event::{Event, Machine};
use tracewright_sim::program::{Program, ProgramBuilder, ProgramError};

use super::decode_trace::{decode, encode};
use super::subject::{DESIGNS, Subject, design};

/// Instructions of the longest trace: every 128 of them are a record of the smallest counter.
const INSTRUCTIONS_MAX: u64 = 1 << 22;

/// Encodes and decodes the events with every design, unless they are not of one program.
pub fn check(machine: Machine, mut events: Vec<Event>) {
    let instructions =
        events.iter().try_fold(0u64, |sum, event| sum.checked_add(event.instructions));
    let Some(most_instructions) = instructions.filter(|sum| *sum <= INSTRUCTIONS_MAX) else {
        return;
    };
    if events.iter().any(|event| event.thread != 0) {
        return;
    }
    let Ok(program) = learn(machine, &events) else { return };
    for event in &mut events {
        event.length = if event.call {
            program.call_length(event.program_counter).expect("a call")
        } else {
            0
        };
    }
    let subject = Subject { machine, program, events, most_instructions };
    for number in 0..DESIGNS.len() {
        let design = design(number, &subject);
        let trace = encode(&design, &subject.events, usize::MAX);
        let (mut back, refusal) = decode(&subject, &design, &trace);
        assert!(refusal.is_none(), "design {number}: {refusal:?}");
        back.iter_mut().filter(|event| !event.call).for_each(|event| event.length = 0);
        let differs = subject.events.iter().zip(&back).find(|(event, back)| event != back);
        assert_eq!((differs, back.len()), (None, subject.events.len()), "design {number}");
    }
}

/// The program that these events show.
pub fn learn(machine: Machine, events: &[Event]) -> Result<Program, ProgramError> {
    let mut builder = ProgramBuilder::new(machine);
    events.iter().try_for_each(|event| builder.event(event))?;
    builder.finish()
}
