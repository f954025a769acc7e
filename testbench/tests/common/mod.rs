//! What several tests share: sources of small models, and the toy trace module's twin.

use std::convert::Infallible;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::{Access, Event, Kind};
use tracewright_sim::field::{Field, Sink};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::session::raw::Raw;
use tracewright_testbench::cosim::AnyError;
use tracewright_testbench::{BuildOptions, Library, ModelSource, Port, VerilogFile};

/// True in `make long-tests`, which runs every test at its full length.
pub fn is_long() -> bool {
    std::env::var_os("LONG_TESTS").is_some()
}

/// All of these in `make long-tests`; else the first and every `step`-th after it.
pub fn sample<T>(step: usize, all: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    all.into_iter().step_by(if is_long() { 1 } else { step })
}

/// The text of a file in `tests/verilog`.
pub fn verilog(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verilog").join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// `counter.v` as a model.
pub fn counter() -> ModelSource {
    ModelSource {
        files: vec![VerilogFile::new("counter.v", verilog("counter.v"))],
        top: "counter".into(),
        clock: Some("clock".into()),
        ports: vec![
            Port::input("clock", 1),
            Port::input("reset", 1),
            Port::input("enable", 1),
            Port::input("addend", 8),
            Port::output("count", 8),
            Port::output("sum", 8),
        ],
    }
}

/// `asynchronous.v` as a model.
pub fn asynchronous() -> ModelSource {
    ModelSource {
        files: vec![VerilogFile::new("asynchronous.v", verilog("asynchronous.v"))],
        top: "asynchronous".into(),
        clock: Some("clock".into()),
        ports: vec![
            Port::input("clock", 1),
            Port::input("reset_n", 1),
            Port::input("data", 64),
            Port::input("address", 12),
            Port::input("write", 1),
            Port::output("stored", 64),
            Port::output("unreset", 64),
            Port::output("word", 32),
        ],
    }
}

/// A variant of `toy_trace.v`.
#[derive(Clone, Debug)]
pub struct Toy {
    pub port_width: u32,
    pub address_width: u32,
    pub count_width: u32,
    pub asynchronous: bool,
    /// The macro of a fault.
    pub fault: Option<&'static str>,
}

impl Default for Toy {
    fn default() -> Toy {
        Toy { port_width: 1, address_width: 32, count_width: 4, asynchronous: false, fault: None }
    }
}

impl Toy {
    pub fn source(&self) -> ModelSource {
        let mut text = format!(
            "`define TRACE_PORT_WIDTH {}\n`define ADDRESS_WIDTH {}\n`define COUNT_WIDTH {}\n",
            self.port_width, self.address_width, self.count_width
        );
        if self.asynchronous {
            text += "`define ASYNCHRONOUS\n";
        }
        if let Some(fault) = self.fault {
            text += &format!("`define {fault}\n");
        }
        text += &verilog("toy_trace.v");
        ModelSource {
            files: vec![VerilogFile::new("toy_trace.v", text)],
            top: "toy_trace".into(),
            clock: Some("clock".into()),
            ports: vec![
                Port::input("clock", 1),
                Port::input(if self.asynchronous { "reset_n" } else { "reset" }, 1),
                Port::input("retire_valid", 1),
                Port::input("retire_count", self.count_width),
                Port::input("retire_pc", self.address_width),
                Port::input("retire_length", 4),
                Port::input("retire_kind", 3),
                Port::input("retire_call", 1),
                Port::input("retire_return", 1),
                Port::input("retire_taken", 1),
                Port::input("retire_target", self.address_width),
                Port::output("stall", 1),
                Port::output("trace_data", self.port_width),
                Port::output("trace_valid", 1),
                Port::input("trace_ready", 1),
                Port::input("flush", 1),
                Port::output("flushed", 1),
                Port::output("buffered_words", 8),
            ],
        }
    }

    pub fn library(&self, waves: bool) -> Arc<Library> {
        let options = BuildOptions { waves, ..BuildOptions::default() };
        self.source().build(&options).expect("a model of toy_trace.v")
    }

    /// The twin of the module as reset leaves it.
    pub fn golden(&self) -> Raw<ToyGolden> {
        let word = self.port_width * 8u32.div_ceil(self.port_width);
        Raw(ToyGolden { visits: [0; 64], instructions: 0, word })
    }
}

/// What `toy_trace.v` does, in integers.
#[derive(Clone, Debug)]
pub struct ToyGolden {
    visits: [u64; 64],
    instructions: u64,
    word: u32,
}

/// The only field of the toy's records.
pub const RECORD: Field = Field { name: "record", doc: "everything" };

impl GoldenEncoder for ToyGolden {
    type Error = Infallible;

    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), Infallible> {
        self.instructions = (self.instructions + event.instructions) % 16;
        if event.kind == Kind::Exception && !event.taken {
            return Ok(());
        }
        let visits = &mut self.visits[(event.program_counter >> 2 & 63) as usize];
        let jump = if event.taken { event.target >> 2 & 7 } else { 0 };
        let length = if event.call { u64::from(event.length) & 7 } else { 0 };
        let record = (jump ^ length) << 10
            | u64::from(event.is_return) << 9
            | u64::from(event.call) << 8
            | u64::from(event.taken) << 7
            | *visits << 4
            | self.instructions;
        *visits = (*visits + 1) % 8;
        self.instructions = 0;
        sink.put(&RECORD, record, 13);
        Ok(())
    }

    fn access<S: Sink>(&mut self, _: &Access, _: &mut S) -> Result<(), Infallible> {
        Ok(())
    }

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        sink.put(&RECORD, 0b1_0101_0101 << 4 | self.instructions, 13);
        sink.align(self.word);
        self.instructions = 0;
    }
}

/// Random events of every kind.
pub fn events(seed: u64, count: usize, address_width: u32) -> Vec<Event> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mask = if address_width == 64 { u64::MAX } else { (1 << address_width) - 1 };
    let events = (0..count).map(|_| {
        let kind = Kind::ALL[random.random_range(0..5)];
        let conditional = kind.is_conditional() || kind == Kind::Exception;
        let taken = !conditional || random.random_bool(0.6);
        let least = u64::from(kind != Kind::Exception);
        let most = if random.random_bool(0.1) { 100 } else { 12 };
        Event {
            instructions: random.random_range(least..most),
            program_counter: random.random::<u64>() & mask & !3,
            target: if taken { random.random::<u64>() & mask & !3 } else { 0 },
            kind,
            call: kind != Kind::Exception && random.random_bool(0.2),
            is_return: kind == Kind::IndirectJump && random.random_bool(0.5),
            taken,
            length: 4,
            thread: 0,
        }
    });
    events.collect()
}

/// The same events as a source that never fails.
pub fn source(events: &[Event]) -> impl Iterator<Item = Result<Event, AnyError>> + '_ {
    events.iter().map(|event| Ok(*event))
}
