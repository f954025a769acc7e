//! Whole modules with the RISC-V formal interface and several channels: the trace is the golden encoder's, bit for bit.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_hdl::unit::with_ingress;
use tracewright_sim::config::mask;
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::ingress::Queue;
use tracewright_sim::rvfi::offset::offset;
use tracewright_sim::rvfi::{Config, Extensions, Retirement, Rvfi, Xlen, classify};
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::unit::Ingress;
use tracewright_testbench::{BuildOptions, InputPort, Model, design::source};

use crate::by_lane::by_lane;
use crate::common::chosen;

const CYCLES: u32 = 30_000;

type Case = (&'static str, &'static [(&'static str, &'static str)], Config);

const CASES: [Case; 6] = [
    ("ntrace-htm", &[("exact_lengths", "true")], config(Xlen::Rv32, 1)),
    ("traptor-m4", &[("address_width", "64"), ("trace_port_width", "16")], config(Xlen::Rv64, 2)),
    ("talon-s", &[("trace_port_width", "8")], config(Xlen::Rv32, 2)),
    ("stream-rbase-32", &[("retire_count_bits", "3")], config(Xlen::Rv32, 3)),
    ("ntuple-32x4", &[("reset", "asynchronous")], config(Xlen::Rv32, 4)),
    ("nexs", &[("address_width", "48")], config(Xlen::Rv64, 4)),
];

const fn config(xlen: Xlen, lanes: u32) -> Config {
    Config::of_queue(xlen, Queue { lanes, depth: 8 * lanes, slack: 4 * lanes })
}

const PINS: [&str; 6] =
    ["rvfi_valid", "rvfi_insn", "rvfi_pc_rdata", "rvfi_pc_wdata", "rvfi_trap", "rvfi_intr"];

#[test]
fn the_trace_is_the_golden_encoders() {
    for (number, (preset, changes, config)) in chosen((1..).zip(CASES), &[0, 1, 3]) {
        let mut design = Design::preset(preset).expect("a preset");
        for (name, value) in [("alignment", "1")].iter().chain(changes) {
            design.set(name, value).expect("a good value");
        }
        let mut golden = Golden::new(&design, config);
        let trace = run(&design, config, number, &mut golden);
        let expected = golden.expected.finish();
        let name = format!("{preset}, {changes:?}, {config:?}");
        let differs = trace.iter().zip(&expected).position(|(one, other)| one != other);
        assert_eq!(differs, None, "{name}: the byte at this place is another one");
        assert_eq!(trace.len(), expected.len(), "{name}");
    }
}

/// The model of the adapter and the golden encoder after it.
struct Golden {
    rvfi: Rvfi,
    encoder: Encoder,
    expected: BitPacker,
}

impl Golden {
    fn new(design: &Design, config: Config) -> Golden {
        Golden {
            rvfi: Rvfi::new(config, design.processor(), 0),
            encoder: Encoder::new(design).expect("an encoder"),
            expected: BitPacker::new(),
        }
    }

    fn retire(&mut self, retired: &Retirement) {
        let Golden { rvfi, encoder, expected } = self;
        rvfi.retire(retired, |event| encoder.event(&event, expected)).expect("a good event");
    }

    fn flush(&mut self) {
        let Golden { rvfi, encoder, expected } = self;
        rvfi.flush(|event| encoder.event(&event, expected)).expect("a good event");
        let run = Event {
            length: rvfi.length(),
            ..Event::straight_run(rvfi.trailing_instructions(), rvfi.program_counter())
        };
        if run.instructions > 0 {
            encoder.event(&run, expected).expect("a good run");
        }
        encoder.flush(expected);
    }
}

/// A core that executes anything.
struct Core {
    random: ChaCha8Rng,
    address_mask: u64,
    pc: u64,
    interrupt: bool,
}

impl Core {
    fn new(design: &Design, seed: u64) -> Core {
        Core {
            random: ChaCha8Rng::seed_from_u64(seed),
            address_mask: mask(design.processor().address_width),
            pc: 0x100,
            interrupt: false,
        }
    }

    fn elsewhere(&mut self) -> u64 {
        let near = self.random.random_range(0..64) * 2;
        let far = self.random.random::<u64>() & self.address_mask & !1;
        if self.random.random_range(0..4) == 0 { far } else { near }
    }

    fn retire(&mut self, xlen: Xlen) -> Retirement {
        // addi, c.nop, beq, beq back, jal, a call, a near call, jalr, a return, mret
        const WORDS: [u32; 13] = [
            0x13,
            0x13,
            0x13,
            0x13,
            1,
            1,
            0x463,
            0xfe00_0ee3,
            0x0100_006f,
            0x0100_00ef,
            0x0000_10ef,
            0x0003_0067,
            0x8067,
        ];
        let is_return = self.random.random_range(0..300) == 0;
        let word = WORDS[self.random.random_range(0..WORDS.len())];
        let instruction = if is_return { 0x3020_0073 } else { word };
        let class = classify(instruction, xlen, Extensions::NONE);
        let behind = self.pc.wrapping_add(class.length.into()) & self.address_mask;
        let next = match class.kind {
            None => behind,
            Some(Kind::DirectConditional) if self.random.random() => behind,
            Some(Kind::DirectConditional | Kind::DirectJump) => {
                self.pc.wrapping_add_signed(offset(instruction)) & self.address_mask
            }
            Some(_) => self.elsewhere(),
        };
        let trap = self.random.random_range(0..300) == 0;
        let retired = Retirement {
            instruction,
            program_counter: self.pc,
            next_program_counter: next,
            trap,
            interrupt: std::mem::take(&mut self.interrupt),
            compressed: false,
        };
        self.pc = next;
        if trap || self.random.random_range(0..300) == 0 {
            self.interrupt = true;
            self.pc = self.elsewhere();
        }
        retired
    }
}

/// Shows an instruction to a channel.
fn show(model: &mut Model, pins: &[InputPort; 6], retired: &Retirement) {
    let values = [
        retired.instruction.into(),
        retired.program_counter,
        retired.next_program_counter,
        retired.trap.into(),
        retired.interrupt.into(),
    ];
    pins[1..].iter().zip(values).for_each(|(pin, value)| model.set(*pin, value));
}

/// Runs the core and the module around adapter and trace module; the trace.
fn run(design: &Design, config: Config, seed: u64, golden: &mut Golden) -> Vec<u8> {
    let generated = tracewright_hdl::generate(design).expect("a good design");
    let whole = with_ingress(design, generated, Ingress::Rvfi(config)).expect("an adapter");
    let lanes = config.queue.lanes;
    let whole = by_lane(whole, lanes as usize, &PINS);
    let library = source(&whole).build(&BuildOptions::default()).expect("a model");
    let pin = |name: &str, lane: u32| match lanes {
        1 => library.input_of_any_width(name).expect("a pin").0,
        _ => library.input_of_any_width(&format!("{name}_lane{lane}")).expect("a pin").0,
    };
    let channels: Vec<[InputPort; 6]> =
        (0..lanes).map(|lane| PINS.map(|name| pin(name, lane))).collect();
    let output = |name| library.output_of_any_width(name).expect("an output");
    let input = |name| library.input(name, 1).expect("an input");
    let ((stall, _), (lost, _), (flushed, _)) =
        (output("stall"), output("lost"), output("flushed"));
    let ((valid, _), (data, width)) = (output("trace_valid"), output("trace_data"));
    let mut model = Model::new(&library, seed).expect("a model");
    model.reset(2).expect("a reset");
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut core = Core::new(design, !seed);
    let (mut received, mut since) = (BitPacker::new(), 0);
    for cycle in 0..CYCLES + 100_000 {
        let is_over = cycle >= CYCLES;
        if cycle == CYCLES {
            golden.flush();
        }
        model.set(input("flush"), is_over.into());
        model.settle().expect("no failure");
        let stalls = model.get(stall) != 0;
        since = if stalls { since } else { 0 };
        for pins in &channels {
            let may = !is_over && (!stalls || since < config.queue.slack);
            let retires = may && random.random_range(0..3) != 0;
            model.set(pins[0], retires.into());
            if retires {
                since += u32::from(stalls);
                let retired = core.retire(config.xlen);
                golden.retire(&retired);
                show(&mut model, pins, &retired);
            }
        }
        let ready = random.random_range(0..8) != 0;
        model.set(input("trace_ready"), ready.into());
        model.cycle().expect("no failure");
        if ready && model.get(valid) != 0 {
            received.push(model.get(data), width);
        }
        if is_over && model.get(flushed) != 0 {
            assert_eq!(model.get(lost), 0);
            return received.finish();
        }
    }
    panic!("the flush does not end");
}
