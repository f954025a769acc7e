//! Whole modules for several blocks in a cycle: the trace is the golden encoder's of the blocks one after the other. Where
//! blocks are lost, every instruction is traced or counted.

use std::collections::VecDeque;

use crate::common::chosen;
use crate::control::traced::{Decoded, Work};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_hdl::unit::with_ingress;
use tracewright_sim::blocks::Config;
use tracewright_sim::config::mask;
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{Event, Isa, Machine};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::packet::part::Reason;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::unit::Ingress;
use tracewright_testbench::stimulus::{Block, Blocks, Stimulus};
use tracewright_testbench::{BuildOptions, InputPort, Model, design::source};

const MACHINE: Machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };

type Case = (&'static str, &'static [(&'static str, &'static str)], Config);

/// Cycles in which a core that does not wait shows a block in every lane, and those from one such burst to the next.
const BURST: u32 = 20;
const BURST_INTERVAL: u32 = 2_000;

const CASES: [Case; 7] = [
    ("traptor-m4", &[], Config { lanes: 2, depth: 16 }),
    ("traptor-m4", &[("trace_port_width", "16")], Config { lanes: 4, depth: 4 }),
    ("talon-s", &[("trace_port_width", "8")], Config { lanes: 3, depth: 9 }),
    ("stream-rbase-32", &[("reset", "asynchronous")], Config { lanes: 2, depth: 2 }),
    ("stream-base-128", &[], Config { lanes: 4, depth: 32 }),
    ("ntuple-32x4", &[], Config { lanes: 3, depth: 63 }),
    ("nexs", &[], Config { lanes: 2, depth: 4 }),
];

#[test]
fn the_trace_is_that_of_the_blocks_in_lane_order() {
    for (number, (preset, changes, config)) in chosen((1..).zip(CASES), &[1, 2, 3]) {
        let mut design = Design::preset(preset).expect("a preset");
        design = design.for_machine(MACHINE).expect("a machine");
        for (name, value) in changes {
            design.set(name, value).expect("a good value");
        }
        let name = format!("{preset}, {changes:?}, {config:?}");
        let blocks = blocks(&design, number);
        let mut expected = BitPacker::new();
        let mut encoder = Encoder::new(&design).expect("an encoder");
        for (block, event) in &blocks {
            encoder.event(&block.part_of(event), &mut expected).expect("a good event");
        }
        encoder.flush(&mut expected);
        let trace = Bench::new(&design, config, number).run(blocks.into());
        let expected = expected.finish();
        let differs = trace.iter().zip(&expected).position(|(one, other)| one != other);
        assert_eq!(differs, None, "{name}: the byte at this place is another one");
        assert_eq!(trace.len(), expected.len(), "{name}");
    }
}

/// What the queue and the trace module lose is in the gaps, and what is between them is execution.
#[test]
fn what_is_lost_is_counted() {
    let cases: [Case; 4] = [
        ("traptor-m4", &[("trace_port_width", "16")], Config { lanes: 2, depth: 4 }),
        ("talon-s", &[("trace_port_width", "8")], Config { lanes: 4, depth: 32 }),
        (
            "nexs",
            &[("trace_port_width", "16"), ("context_bits", "2")],
            Config { lanes: 3, depth: 9 },
        ),
        ("stream-rbase-32", &[("sync_keeps_tables", "true")], Config { lanes: 2, depth: 64 }),
    ];
    for (number, (preset, changes, config)) in chosen((1..).zip(cases), &[1, 2]) {
        let mut design = Design::preset(preset).expect("a preset");
        design = design.for_machine(MACHINE).expect("a machine");
        let packets = [("framing", "packets"), ("when_full", "drop"), ("record_queue_depth", "8")];
        for (name, value) in packets.iter().chain(changes) {
            design.set(name, value).expect("a good value");
        }
        let design = Ingress::Blocks(config).fit(design).expect("it can have the pins");
        let name = format!("{preset}, {changes:?}, {config:?}");
        let blocks = blocks(&design, number);
        let events: Vec<Event> = synthetic(number).collect();
        let all: u64 = events.iter().map(|event| event.instructions).sum();
        let work = Work::of(events, MACHINE);
        let trace = Bench::new(&design, config, number).run(blocks.into());
        let decoded = Decoded::new(&design, &work.program, &trace);
        assert_eq!(decoded.check_parts(&work), Ok(()), "{name}");
        let other = decoded.gaps.iter().find(|(_, gap)| !matches!(gap.reason, Reason::Lost(_)));
        assert_eq!(other, None, "{name}");
        let (traced, lost) = (decoded.recovered.instructions, decoded.recovered.lost_instructions);
        assert_eq!(traced + lost, all, "{name}");
        assert!(lost > 0 && traced > all / 20, "{name}: {lost} of {all} are lost");
    }
}

/// The blocks of a random program, each with the event that it is a part of.
fn blocks(design: &Design, seed: u64) -> Vec<(Block, Event)> {
    let processor = design.processor();
    let most = mask(processor.retire_count_bits);
    let mut cut = Blocks::new(&Stimulus::default(), most, mask(processor.address_width));
    let mut blocks = Vec::new();
    for event in synthetic(seed) {
        cut.load(&event).expect("a good event");
        blocks.extend(std::iter::from_fn(|| cut.take()).map(|block| (block, event)));
    }
    blocks
}

/// A random program.
fn synthetic(seed: u64) -> Synthetic {
    let options = Options {
        machine: MACHINE,
        events: 8_000,
        functions: 24,
        predicated: false,
        exceptions: true,
        branch_every_instruction: false,
        predictability: 90,
        code_base: 0x000f_0000,
        code_span: 1 << 21,
        threads: 1,
        ..Options::from_seed(seed)
    };
    Synthetic::new(options).expect("good options")
}

/// A core with several lanes, and the module around the trace module and its queue.
struct Bench {
    model: Model,
    random: ChaCha8Rng,
    /// The pins of each lane, `retire_valid` first.
    lanes: Vec<Vec<InputPort>>,
    /// The core does not wait: it shows few blocks, and many now and then.
    bursts: bool,
    cycle: u32,
}

impl Bench {
    fn new(design: &Design, config: Config, seed: u64) -> Bench {
        let generated = tracewright_hdl::generate(design).expect("a good design");
        let whole = with_ingress(design, generated, Ingress::Blocks(config)).expect("an adapter");
        let library = source(&whole).build(&BuildOptions::default()).expect("a model");
        let lane = |lane: u32| {
            let names =
                ["valid", "count", "pc", "length", "kind", "call", "return", "taken", "target"];
            let pin = |name| format!("retire_{name}_lane{lane}");
            names.map(|name| library.input_of_any_width(&pin(name)).expect("a pin").0).to_vec()
        };
        let lanes = (0..config.lanes).map(lane).collect();
        let mut model = Model::new(&library, seed).expect("a model");
        model.reset(2).expect("a reset");
        let random = ChaCha8Rng::seed_from_u64(seed);
        Bench { model, random, lanes, bursts: design.protocol().drops_blocks(), cycle: 0 }
    }

    /// Shows blocks in random lanes, and flushes; gives the trace.
    fn run(mut self, mut blocks: VecDeque<(Block, Event)>) -> Vec<u8> {
        let library = self.model.library().clone();
        let output = |name| library.output_of_any_width(name).expect("an output");
        let input = |name| library.input(name, 1).expect("an input");
        let ((valid, _), (data, width)) = (output("trace_valid"), output("trace_data"));
        // A module that loses blocks has no stall.
        let stall = library.output("stall", 1).ok();
        let (flushed, _) = output("flushed");
        let mut received = BitPacker::new();
        let mut shown: Option<Vec<Option<Block>>> = None;
        for _ in 0..2_000_000 {
            let lanes = shown.take().unwrap_or_else(|| self.next(&mut blocks));
            let is_over = blocks.is_empty() && lanes.iter().all(Option::is_none);
            self.show(&lanes);
            self.model.set(input("flush"), is_over.into());
            let ready = self.random.random_range(0..8) != 0;
            self.model.set(input("trace_ready"), ready.into());
            self.model.cycle().expect("no failure");
            if ready && self.model.get(valid) != 0 {
                received.push(self.model.get(data), width);
            }
            if is_over && self.model.get(flushed) != 0 {
                return received.finish();
            }
            if stall.is_some_and(|stall| self.model.get(stall) != 0) {
                shown = Some(lanes);
            }
        }
        panic!("the flush does not end");
    }

    /// What the lanes show next.
    fn next(&mut self, blocks: &mut VecDeque<(Block, Event)>) -> Vec<Option<Block>> {
        self.cycle += 1;
        let lanes = self.lanes.len() as u32;
        (0..lanes)
            .map(|_| {
                let shows = match (self.bursts, self.cycle % BURST_INTERVAL) {
                    (false, _) => self.random.random_range(0..3) != 0,
                    (true, 0..BURST) => true,
                    (true, _) => self.random.random_range(0..8 * lanes) == 0,
                };
                shows.then(|| blocks.pop_front().map(|(block, _)| block)).flatten()
            })
            .collect()
    }

    fn show(&mut self, lanes: &[Option<Block>]) {
        for (pins, block) in self.lanes.iter().zip(lanes) {
            self.model.set(pins[0], block.is_some().into());
            let Some(block) = block else { continue };
            for (pin, value) in pins[1..].iter().zip(block.values()) {
                self.model.set(*pin, value);
            }
        }
    }
}
