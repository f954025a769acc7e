//! Whole modules with a trace ingress port: a hart executes random code, the trace is the golden encoder's bit for bit,
//! and decodes to what the hart executed.

mod code;
mod golden;

use std::sync::Arc;

use crate::by_lane::by_lane;
use crate::common::chosen;
use code::{Hart, RandomCode};
use golden::Golden;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_hdl::unit::with_ingress;
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::ingress::Queue;
use tracewright_sim::scheme::Design;
use tracewright_sim::tip::{Config, Cycle, EXCEPTION, INTERRUPT, Retirement};
use tracewright_sim::unit::Ingress;
use tracewright_testbench::{BuildOptions, InputPort, Library, Model, OutputPort, design::source};

const SINGLE: Config = Config {
    itype_bits: 4,
    retirement: Retirement::Single,
    queue: Queue { lanes: 1, depth: 8, slack: 4 },
};

const BLOCK: Config = Config { retirement: Retirement::Block, ..SINGLE };

const fn lanes(lanes: u32) -> Queue {
    Queue { lanes, depth: 8 * lanes, slack: 4 * lanes }
}

/// Instructions that the hart retires, at least.
const INSTRUCTIONS: usize = 40_000;

type Case = (&'static str, &'static [(&'static str, &'static str)], Config);

const CASES: [Case; 13] = [
    ("traptor-m4", &[("alignment", "1")], SINGLE),
    ("talon-s", &[("alignment", "1"), ("trace_port_width", "8")], SINGLE),
    ("stream-rbase-32", &[], Config { itype_bits: 3, retirement: Retirement::Block, ..SINGLE }),
    ("ntuple-32x4", &[("alignment", "1")], SINGLE),
    ("stream-base-128", &[("alignment", "1")], Config { itype_bits: 3, ..SINGLE }),
    (
        "nexs",
        &[("alignment", "1"), ("reset", "asynchronous")],
        Config {
            retirement: Retirement::Block,
            queue: Queue { lanes: 1, depth: 4, slack: 0 },
            ..SINGLE
        },
    ),
    (
        "traptor-m4",
        &[("alignment", "1"), ("return_address_stack_depth", "0"), ("trace_port_width", "16")],
        Config { itype_bits: 3, retirement: Retirement::Block, ..SINGLE },
    ),
    ("traptor-m4", STATES, SINGLE),
    ("traptor-m4", &[("alignment", "1")], Config { queue: lanes(2), ..BLOCK }),
    (
        "ntuple-32x4",
        &[("alignment", "1"), ("trace_port_width", "8")],
        Config { queue: lanes(4), ..SINGLE },
    ),
    ("talon-s", &[("alignment", "1")], Config { queue: lanes(3), ..BLOCK }),
    ("traptor-m4", STATES, Config { queue: lanes(2), ..BLOCK }),
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
    // Each kind of retirement and width of itype, one lane and several, and packets.
    for (number, (preset, changes, config)) in chosen((0..).zip(CASES), &[1, 5, 6, 9, 11]) {
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

/// The pins that the hart has once for each lane.
const OF_LANE: [&str; 5] = ["tip_itype", "tip_iaddr", "tip_iretire", "tip_ilastsize", "tip_icount"];

/// The pins of the only hart.
struct Pins {
    /// The pins of each lane.
    lanes: Vec<[Option<InputPort>; 5]>,
    /// The pins that say something of all lanes.
    shared: [Option<InputPort>; 3],
    flush: InputPort,
    ready: InputPort,
    stall: OutputPort,
    lost: OutputPort,
    flushed: OutputPort,
    valid: OutputPort,
    data: (OutputPort, u32),
}

impl Pins {
    fn find(library: &Library, lanes: u32) -> Pins {
        let input = |name| library.input(name, 1).expect("an input");
        let output = |name| library.output(name, 1).expect("an output");
        let any = |name: &str| Some(library.input_of_any_width(name).ok()?.0);
        let of_lane = |lane: u32| {
            OF_LANE.map(|name| match lanes {
                1 => any(name),
                _ => any(&format!("{name}_lane{lane}")),
            })
        };
        Pins {
            lanes: (0..lanes).map(of_lane).collect(),
            shared: ["tip_cause", "tip_priv", "tip_context"].map(any),
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

/// A hart, a module at its port, and its golden model.
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
        let whole = by_lane(whole, config.queue.lanes as usize, &OF_LANE);
        let library = source(&whole).build(&BuildOptions::default()).expect("a model");
        let aligned = design.processor().alignment == 2;
        let code = Arc::new(RandomCode::new(seed, 400, aligned));
        let mut model = Model::new(&library, seed).expect("a model");
        model.reset(2).expect("a reset");
        Bench {
            hart: Hart::new(&code, config, aligned, seed),
            golden: Golden::new(design, config, code),
            model,
            pins: Pins::find(&library, config.queue.lanes),
            random: ChaCha8Rng::seed_from_u64(seed),
            received: BitPacker::new(),
            config,
        }
    }

    /// Runs the hart, with a flush now and then and at the end.
    fn run(&mut self) {
        let (mut came_since, mut next) = (0, None);
        while self.hart.retired.len() < INSTRUCTIONS {
            self.model.settle().expect("no failure");
            let stall = self.model.get(self.pins.stall) != 0;
            came_since = if stall { came_since } else { 0 };
            let mut cycles = vec![Cycle::default(); self.pins.lanes.len()];
            let mut shared: Option<Cycle> = None;
            for lane in &mut cycles {
                let may = !stall || came_since < self.config.queue.slack;
                if !may || self.random.random_range(0..10) == 0 {
                    continue;
                }
                let cycle = next.take().unwrap_or_else(|| self.hart.cycle());
                if shared.is_some_and(|shared| !is_of_cycle(&shared, &cycle)) {
                    // The port says the state and the cause once in a cycle.
                    next = Some(cycle);
                    break;
                }
                came_since += u32::from(stall);
                shared = Some(cycle);
                *lane = cycle;
                self.golden.cycle(&cycle);
            }
            self.clock(&cycles);
            // States in a run before a flush are told at the flush.
            let may_flush = self.golden.design.framing().is_none();
            if next.is_none() && may_flush && self.random.random_range(0..2000) == 0 {
                self.flush();
            }
        }
        self.hart.retired.truncate(self.hart.retired.len() - unsaid(next));
        self.flush();
        assert_eq!(self.model.get(self.pins.lost), 0);
    }

    fn flush(&mut self) {
        self.golden.flush();
        self.model.set(self.pins.flush, 1);
        let flushed = (0..100_000).any(|_| {
            self.clock(&[]);
            self.model.get(self.pins.flushed) != 0
        });
        assert!(flushed, "the flush does not end");
        self.model.set(self.pins.flush, 0);
        self.clock(&[]);
    }

    /// Runs a cycle in which the lanes of the hart say this, and those that are left nothing.
    fn clock(&mut self, cycles: &[Cycle]) {
        let said = cycles.iter().rfind(|cycle| cycle.is_valid()).copied().unwrap_or_default();
        let set = |model: &mut Model, pin: Option<InputPort>, value| {
            if let Some(pin) = pin {
                model.set(pin, value);
            }
        };
        for (lane, pins) in self.pins.lanes.iter().enumerate() {
            let cycle = cycles.get(lane).copied().unwrap_or_default();
            let values = [
                cycle.itype.into(),
                cycle.address,
                cycle.retired,
                cycle.last_size.into(),
                cycle.instructions,
            ];
            pins.iter().zip(values).for_each(|(pin, value)| set(&mut self.model, *pin, value));
        }
        let shared = [said.cause, said.privilege.into(), said.context];
        let pins = self.pins.shared.iter().zip(shared);
        pins.for_each(|(pin, value)| set(&mut self.model, *pin, value));
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

/// True if a block may be shown in the cycle of the one before it.
fn is_of_cycle(before: &Cycle, cycle: &Cycle) -> bool {
    let traps = |cycle: &Cycle| matches!(cycle.itype, EXCEPTION | INTERRUPT);
    (before.privilege, before.context) == (cycle.privilege, cycle.context) && !traps(before)
}

/// Instructions of a block that the hart has retired and not said.
fn unsaid(next: Option<Cycle>) -> usize {
    next.map_or(0, |cycle| usize::from(cycle.retired != 0) * cycle.instructions.max(1) as usize)
}
