//! The time of events in Verilator: random programs with random pauses as the time, sizes of all kinds, and the cycles that
//! come back are those that were driven.

use std::cell::RefCell;
use std::rc::Rc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::bits_file::Fingerprint;
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Access, Event, Isa, Kind, Machine};
use tracewright_sim::field::Sink;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::program::ProgramBuilder;
use tracewright_sim::scheme::{Design, EncodeError, Encoder, Scheme, decode_timed};
use tracewright_sim::session::copying::Copying;
use tracewright_sim::session::{Agreement, Clock, Detail, Session, Terms, Turn};
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::talon::arbitrary;
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::time_parameters::{Time, TimeMode};
use tracewright_testbench::BuildOptions;
use tracewright_testbench::cosim::{self, Report};
use tracewright_testbench::design::library;
use tracewright_testbench::stimulus::{Pace, Ready, Stimulus};

/// An encoder that remembers when events with a time retired.
struct Watched {
    encoder: Copying<Encoder, BitPacker>,
    most_cycles: u64,
    since: u64,
    clock: u64,
    clocks: Rc<RefCell<Vec<u64>>>,
}

impl GoldenEncoder for Watched {
    type Error = EncodeError;

    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), EncodeError> {
        if event.kind.is_counted() || event.kind == Kind::Exception && event.taken {
            self.clock += std::mem::take(&mut self.since).min(self.most_cycles);
            self.clocks.borrow_mut().push(self.clock);
        }
        self.encoder.event(event, sink)
    }

    fn access<S: Sink>(&mut self, access: &Access, sink: &mut S) -> Result<(), EncodeError> {
        self.encoder.access(access, sink)
    }

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        self.encoder.flush(sink);
    }
}

impl Session for Watched {
    fn terms(&self) -> Terms {
        self.encoder.terms()
    }

    fn agree(&mut self, agreement: Agreement<'_>) {
        self.encoder.agree(agreement);
    }

    fn detail<S: Sink>(&mut self, detail: Detail, sink: &mut S) -> Result<(), EncodeError> {
        self.encoder.detail(detail, sink)
    }

    fn clock<S: Sink>(&mut self, clock: Clock, sink: &mut S) {
        if let Clock::Event(cycles) = clock {
            self.since += cycles;
        }
        self.encoder.clock(clock, sink);
    }

    fn turn<S: Sink>(&mut self, turn: Turn, sink: &mut S) {
        self.encoder.turn(turn, sink);
    }
}

/// Runs a program on a module, and decodes what it sent.
fn simulate(config: &Config, machine: Machine, seed: u64, stimulus: Stimulus) -> Report {
    let shape = Options { machine, events: 400, threads: 1, ..Options::from_seed(seed) };
    let shape = Options { code_base: 0x1_0000, code_span: 1 << 20, ..shape };
    let mut events: Vec<Event> = Synthetic::new(shape).unwrap().collect();
    let mut builder = ProgramBuilder::new(machine);
    events.iter().for_each(|event| builder.event(event).unwrap());
    let program = builder.finish().unwrap();
    for event in events.iter_mut().filter(|event| event.call) {
        event.length = program.call_length(event.program_counter).unwrap();
    }
    let design = Design::new("timed", Scheme::Talon(config.clone())).unwrap();
    let (bits, clocks) = (Rc::new(RefCell::new(BitPacker::new())), Rc::default());
    let golden = Watched {
        encoder: Copying::new(Encoder::new(&design).unwrap(), &bits),
        most_cycles: (1 << config.time.cycle_bits) - 1,
        since: 0,
        clock: 0,
        clocks: Rc::clone(&clocks),
    };
    let library = library(&design, &BuildOptions::default()).unwrap();
    let options = cosim::Options { stimulus, ..cosim::Options::default() };
    let items = events.iter().copied().map(Ok::<_, std::convert::Infallible>);
    let report = cosim::run(&library, golden, items, &options).unwrap();
    assert_eq!(report.failure, None, "{config:?}, {:?}", options.stimulus);
    let bytes = bits.take().finish();
    let (mut decoded, mut back) = (Vec::new(), Fingerprint::default());
    let emit = |event| {
        back.add(&event);
        Ok::<(), Box<dyn std::error::Error>>(())
    };
    let stamp = |stamp: tracewright_sim::decode::summary::TimeStamp| {
        decoded.push(stamp.clock);
        Ok(())
    };
    decode_timed(&design, &program, &mut BitUnpacker::new(&bytes[..]), 1 << 32, emit, stamp)
        .unwrap();
    let mut sent = Fingerprint::default();
    events.iter().for_each(|event| sent.add(event));
    assert_eq!(back.value(), sent.value());
    assert_eq!(decoded, *clocks.borrow(), "cycles of {config:?}");
    report
}

fn stimulus(random: &mut impl Rng, seed: u64) -> Stimulus {
    Stimulus {
        seed,
        ready: [Ready::Always, Ready::Random, Ready::Bursts, Ready::NeverFor(900)]
            [random.random_range(0..4)],
        pace: [Pace::Dense, Pace::OneInstructionPerCycle][random.random_range(0..2)],
        bubble_percent: [0, 0, 30, 80, 97, 99][random.random_range(0..6)],
        flush_interval: [None, None, Some(1), Some(7), Some(90)][random.random_range(0..5)],
        ..Stimulus::default()
    }
}

fn machine(seed: u64) -> Machine {
    let (isa, alignment, address_bits) =
        [(Isa::RiscV, 1, 32), (Isa::RiscV, 2, 64), (Isa::X86, 0, 64), (Isa::Arm, 2, 32)]
            [seed as usize % 4];
    Machine { isa, alignment, address_bits }
}

#[test]
fn any_design_sends_the_cycle_of_every_event() {
    for seed in 0..8 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let Machine { alignment, address_bits, .. } = machine(seed);
        let config = arbitrary::timed(&mut random, alignment.into(), address_bits.into());
        for turn in 0..4 {
            let stimulus = stimulus(&mut random, 10 * seed + turn);
            simulate(&config, machine(seed), 10 * seed + turn, stimulus);
        }
    }
}

/// The counter of cycles saturates: pauses are longer than it can hold.
#[test]
fn long_pauses_saturate() {
    let mut config = Config::default();
    config.processor.alignment = 1;
    config.time = Time { time_mode: TimeMode::Exact, cycle_bits: 9, ..Time::default() };
    let stimulus = Stimulus { bubble_percent: 99, ..Stimulus::default() };
    let report = simulate(&config, machine(0), 1, stimulus);
    assert!(report.cycles > 512 * 20, "{} cycles", report.cycles);
}
