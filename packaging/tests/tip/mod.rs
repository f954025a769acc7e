//! Whole modules with a trace ingress port: a hart executes random code, the trace is the golden encoder's bit for bit,
//! and decodes to what the hart executed.

mod code;

use std::sync::Arc;

use code::{Hart, RandomCode};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_packaging::{Ingress, with_ingress};
use tracewright_sim::code::Code;
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Event, ExecutionState, Isa, Kind, Machine};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::packet::part::Part;
use tracewright_sim::program::Program;
use tracewright_sim::scheme::{self, Design, Encoder};
use tracewright_sim::tip::{Config, Cycle, Retirement, Tip};
use tracewright_testbench::{BuildOptions, InputPort, Library, Model, OutputPort, design::source};

type Error = Box<dyn std::error::Error>;

const SINGLE: Config =
    Config { itype_bits: 4, retirement: Retirement::Single, queue_depth: 8, slack: 4 };

/// Instructions that the hart retires, at least.
const INSTRUCTIONS: usize = 40_000;

type Case = (&'static str, &'static [(&'static str, &'static str)], Config);

const CASES: [Case; 9] = [
    ("traptor-m4", &[("alignment", "1")], SINGLE),
    ("talon-s", &[("alignment", "1"), ("trace_port_width", "8")], SINGLE),
    ("stream-rbase-32", &[], Config { itype_bits: 3, retirement: Retirement::Block, ..SINGLE }),
    ("ntuple-32x4", &[("alignment", "1")], SINGLE),
    ("stream-base-128", &[("alignment", "1")], Config { itype_bits: 3, ..SINGLE }),
    (
        "nexs",
        &[("alignment", "1"), ("reset", "asynchronous")],
        Config { retirement: Retirement::Block, queue_depth: 4, slack: 0, ..SINGLE },
    ),
    (
        "traptor-m4",
        &[("alignment", "1"), ("return_address_stack_depth", "0"), ("trace_port_width", "16")],
        Config { itype_bits: 3, retirement: Retirement::Block, ..SINGLE },
    ),
    ("traptor-m4", STATES, SINGLE),
    ("talon-s", STATES, Config { retirement: Retirement::Block, ..SINGLE }),
];

/// Packets with everything that a hart says of its state.
const STATES: &[(&str, &str)] = &[
    ("alignment", "1"),
    ("framing", "packets"),
    ("trace_port_width", "8"),
    ("context_bits", "3"),
    ("privilege_bits", "2"),
    ("cause_bits", "5"),
];

#[test]
fn traces_decode_to_what_the_hart_executed() {
    for (number, (preset, changes, config)) in (0..).zip(CASES) {
        let mut design = Design::preset(preset).expect("a preset");
        for (name, value) in changes {
            design.set(name, value).expect("a good value");
        }
        let mut bench = Bench::new(&design, config, number);
        bench.run();
        let name = format!("{preset}, {changes:?}, {config:?}");
        bench.golden.compare(&bench.received.finish(), &bench.hart.retired, &name);
    }
}

/// The pins of the only hart.
struct Pins {
    inputs: [Option<InputPort>; 8],
    flush: InputPort,
    ready: InputPort,
    stall: OutputPort,
    lost: OutputPort,
    flushed: OutputPort,
    valid: OutputPort,
    data: (OutputPort, u32),
}

impl Pins {
    fn find(library: &Library) -> Pins {
        let input = |name| library.input(name, 1).expect("an input");
        let output = |name| library.output(name, 1).expect("an output");
        let names = [
            "tip_itype",
            "tip_iaddr",
            "tip_iretire",
            "tip_ilastsize",
            "tip_icount",
            "tip_cause",
            "tip_priv",
            "tip_context",
        ];
        Pins {
            inputs: names.map(|name| Some(library.input_of_any_width(name).ok()?.0)),
            flush: input("flush"),
            ready: input("trace_ready"),
            stall: output("stall"),
            lost: output("lost"),
            flushed: output("flushed"),
            valid: output("trace_valid"),
            data: library.output_of_any_width("trace_data").expect("data"),
        }
    }
}

/// The model of the adapter and the golden encoder behind it.
struct Golden {
    design: Design,
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
    fn cycle(&mut self, cycle: &Cycle) {
        let Golden { tip, encoder, expected, events, states, early, .. } = self;
        let shown = tip.cycle(cycle, |event, state| {
            events.push(event);
            states.push(state);
            let instructions = event.instructions - std::mem::take(early);
            encoder.event(&Event { instructions, ..event }, expected)
        });
        shown.expect("a good event");
    }

    fn flush(&mut self) {
        let Golden { tip, encoder, expected, events, states, early, .. } = self;
        let shown = tip.flush(|event, state| {
            events.push(event);
            states.push(state);
            let instructions = event.instructions - std::mem::take(early);
            encoder.event(&Event { instructions, ..event }, expected)
        });
        shown.expect("a good event");
        let run = Event {
            instructions: tip.trailing_instructions() - *early,
            program_counter: tip.program_counter(),
            target: 0,
            kind: Kind::Exception,
            call: false,
            is_return: false,
            taken: false,
            length: 0,
            thread: 0,
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
    fn compare(self, trace: &[u8], retired: &[u64], name: &str) {
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

/// A hart, a module behind its port, and its golden model.
struct Bench {
    hart: Hart,
    golden: Golden,
    model: Model,
    pins: Pins,
    random: ChaCha8Rng,
    received: BitPacker,
    config: Config,
}

impl Bench {
    fn new(design: &Design, config: Config, seed: u64) -> Bench {
        let generated = tracewright_hdl::generate(design).expect("a good design");
        let whole = with_ingress(design, generated, Ingress::Tip(config)).expect("an adapter");
        let library = source(&whole).build(&BuildOptions::default()).expect("a model");
        let aligned = design.processor().alignment == 2;
        let code = Arc::new(RandomCode::new(seed, 400, aligned));
        let mut model = Model::new(&library, seed).expect("a model");
        model.reset(2).expect("a reset");
        Bench {
            hart: Hart::new(&code, config, aligned, seed),
            golden: Golden {
                design: design.clone(),
                config,
                code,
                tip: Tip::new(config, design.processor(), design.protocol(), 0),
                encoder: Encoder::new(design).expect("an encoder"),
                expected: BitPacker::new(),
                events: Vec::new(),
                states: Vec::new(),
                early: 0,
            },
            model,
            pins: Pins::find(&library),
            random: ChaCha8Rng::seed_from_u64(seed),
            received: BitPacker::new(),
            config,
        }
    }

    /// Runs the hart, with a flush now and then and at the end.
    fn run(&mut self) {
        let mut came_since = 0;
        while self.hart.retired.len() < INSTRUCTIONS {
            self.model.settle().expect("no failure");
            let stall = self.model.get(self.pins.stall) != 0;
            came_since = if stall { came_since } else { 0 };
            let may = !stall || came_since < self.config.slack;
            let says = may && self.random.random_range(0..10) != 0;
            came_since += u32::from(says && stall);
            let cycle = if says { self.hart.cycle() } else { Cycle::default() };
            self.golden.cycle(&cycle);
            self.clock(&cycle);
            // States in a run before a flush are told at the flush.
            let may_flush = self.golden.design.framing().is_none();
            if may_flush && self.random.random_range(0..2000) == 0 {
                self.flush();
            }
        }
        self.flush();
        assert_eq!(self.model.get(self.pins.lost), 0);
    }

    fn flush(&mut self) {
        self.golden.flush();
        self.model.set(self.pins.flush, 1);
        let flushed = (0..100_000).any(|_| {
            self.clock(&Cycle::default());
            self.model.get(self.pins.flushed) != 0
        });
        assert!(flushed, "the flush does not end");
        self.model.set(self.pins.flush, 0);
        self.clock(&Cycle::default());
    }

    /// Runs a cycle in which the hart says this.
    fn clock(&mut self, cycle: &Cycle) {
        let values = [
            cycle.itype.into(),
            cycle.address,
            cycle.retired,
            cycle.last_size.into(),
            cycle.instructions,
            cycle.cause,
            cycle.privilege.into(),
            cycle.context,
        ];
        for (pin, value) in self.pins.inputs.into_iter().zip(values) {
            if let Some(pin) = pin {
                self.model.set(pin, value);
            }
        }
        let ready = self.random.random_range(0..8) != 0;
        self.model.set(self.pins.ready, ready.into());
        self.model.settle().expect("no failure");
        let (data, width) = self.pins.data;
        if ready && self.model.get(self.pins.valid) != 0 {
            self.received.push(self.model.get(data), width);
        }
        self.model.cycle().expect("no failure");
    }
}
