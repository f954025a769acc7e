//! What a module after a trace ingress port has to send, and what its trace has to decode to.

use std::sync::Arc;

use tracewright_sim::code::Code;
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Event, ExecutionState, Isa, Machine};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::packet::part::Part;
use tracewright_sim::program::Program;
use tracewright_sim::scheme::{self, Design, Encoder};
use tracewright_sim::tip::{Config, Cycle, Tip};

use super::INSTRUCTIONS;
use super::code::RandomCode;

type Error = Box<dyn std::error::Error>;

/// The model of the adapter and the golden encoder after it.
pub struct Golden {
    pub design: Design,
    config: Config,
    code: Arc<RandomCode>,
    tip: Tip,
    encoder: Encoder,
    expected: BitPacker,
    events: Vec<Event>,
    /// What holds after each of them.
    states: Vec<ExecutionState>,
    /// Instructions that were encoded before the event that has them.
    early: u64,
}

impl Golden {
    pub fn new(design: &Design, config: Config, code: Arc<RandomCode>) -> Golden {
        Golden {
            design: design.clone(),
            config,
            code,
            tip: Tip::new(config, design.processor(), design.protocol(), 0),
            encoder: Encoder::new(design).expect("an encoder"),
            expected: BitPacker::new(),
            events: Vec::new(),
            states: Vec::new(),
            early: 0,
        }
    }

    /// Takes what the hart says in a cycle.
    pub fn cycle(&mut self, cycle: &Cycle) {
        let Golden { tip, encoder, expected, events, states, early, .. } = self;
        let shown = tip.cycle(cycle, |event, state| {
            events.push(event);
            states.push(state);
            let instructions = event.instructions - std::mem::take(early);
            encoder.event(&Event { instructions, ..event }, expected)
        });
        shown.expect("a good event");
    }

    /// Ends the trace, or a part of it.
    pub fn flush(&mut self) {
        let Golden { tip, encoder, expected, events, states, early, .. } = self;
        let shown = tip.flush(|event, state| {
            events.push(event);
            states.push(state);
            let instructions = event.instructions - std::mem::take(early);
            encoder.event(&Event { instructions, ..event }, expected)
        });
        shown.expect("a good event");
        let run = Event {
            length: tip.length(),
            ..Event::straight_run(tip.trailing_instructions() - *early, tip.program_counter())
        };
        if run.instructions > 0 {
            encoder.event(&run, expected).expect("a good run");
        }
        *early = tip.trailing_instructions();
        encoder.flush(expected);
    }

    fn program(&self) -> Program {
        let machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };
        let code = Arc::clone(&self.code) as Arc<dyn Code>;
        Program::of_code(machine, code, None).expect("little code")
    }

    /// The events of a trace, and the instructions after the last one.
    fn whole(&self, trace: &[u8]) -> Result<(Vec<Event>, u64), Error> {
        let (program, mut decoded) = (self.program(), Vec::new());
        let mut bits = BitUnpacker::new(trace);
        let summary = scheme::decode(&self.design, &program, &mut bits, u64::MAX, |event| {
            decoded.push(event);
            Ok::<(), Error>(())
        })?;
        Ok((decoded, summary.trailing_instructions))
    }

    /// The same of a trace of packets, whose states have to be those that the hart said.
    fn packets(&self, trace: &[u8]) -> Result<(Vec<Event>, u64), Error> {
        let (program, mut decoded) = (self.program(), Vec::<Event>::new());
        let mut told = self.design.protocol().reset_state();
        let mut changes = Vec::new();
        for (number, state) in (1..).zip(&self.states) {
            if *state != told {
                changes.push((number, *state));
            }
            told = ExecutionState { cause: None, ..*state };
        }
        let (mut bits, mut found) = (BitUnpacker::new(trace), Vec::new());
        let recovered =
            scheme::decode_packets(&self.design, &program, &mut bits, u64::MAX, |part| {
                match part {
                    Part::Event(event) => decoded.push(event),
                    Part::State(state) => found.push((decoded.len(), state)),
                    Part::Time(time) => return Err(format!("a time: {time}").into()),
                    Part::Unverified => return Err("the trace is cut off".into()),
                    Part::Gap(gap) => return Err(format!("a gap: {gap:?}").into()),
                }
                Ok::<(), Error>(())
            })?;
        assert!(changes.len() > 1000, "{} changes", changes.len());
        // A run without an event may have changed the state at the end.
        let differs = changes.iter().zip(&found).find(|(told, found)| told != found);
        assert_eq!(differs, None, "another state");
        assert!((changes.len()..changes.len() + 2).contains(&found.len()), "{}", found.len());
        Ok((decoded, recovered.trailing_instructions))
    }

    /// Compares the trace with the golden encoder's, and what it decodes to with what was executed.
    pub fn compare(self, trace: &[u8], retired: &[u64], name: &str) {
        let is_packets = self.design.framing().is_some();
        let expected = if is_packets { trace.to_vec() } else { self.expected.clone().finish() };
        let differs = trace.iter().zip(&expected).position(|(one, other)| one != other);
        assert_eq!(differs, None, "{name}: the byte at this place is another one");
        assert_eq!(trace.len(), expected.len(), "{name}");
        let decoded = if is_packets { self.packets(trace) } else { self.whole(trace) };
        let (decoded, trailing) = decoded.unwrap_or_else(|error| panic!("{name}: {error}"));
        // Three bits do not tell all jumps from sequential instructions.
        if self.config.itype_bits == 4 {
            let told = self.events.into_iter();
            let told =
                told.map(|event| Event { length: u8::from(event.call) * event.length, ..event });
            let differs = told.clone().zip(&decoded).find(|(told, found)| told != *found);
            assert_eq!(differs, None, "{name}");
            assert_eq!(told.len(), decoded.len(), "{name}");
        }
        let mut found = Vec::new();
        let mut pc = 0;
        for event in &decoded {
            follow(&self.code, &mut pc, event.instructions, &mut found);
            pc = if event.taken { event.target } else { pc };
        }
        follow(&self.code, &mut pc, trailing, &mut found);
        let differs = found.iter().zip(retired).position(|(one, other)| one != other);
        assert_eq!(differs, None, "{name}: this instruction is another one");
        // The last block is held if it is taken.
        let missing = retired.len() - found.len();
        assert!(missing <= 8, "{name}: {missing} instructions are missing");
        assert!(found.len() > INSTRUCTIONS - 8, "{name}: {} instructions", found.len());
    }
}

/// Follows the code for a straight run.
fn follow(code: &RandomCode, pc: &mut u64, instructions: u64, found: &mut Vec<u64>) {
    for _ in 0..instructions {
        found.push(*pc);
        *pc += u64::from(code.instruction(*pc).expect("an instruction").length);
    }
}
