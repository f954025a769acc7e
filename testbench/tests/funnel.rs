//! The funnel in Verilator against its model, cycle by cycle, and its frames read back.

use std::collections::VecDeque;
use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_hdl::Generated;
use tracewright_sim::config::{Memories, ResetStyle, TracePort};
use tracewright_sim::funnel::frames::{FrameReader, SourceReader};
use tracewright_sim::funnel::{Config, Funnel};
use tracewright_testbench::design::source;
use tracewright_testbench::lint::lint;
use tracewright_testbench::{BuildOptions, InputPort, Library, Model, OutputPort, VerilogFile};

/// Cycles of a run.
const CYCLES: usize = 60_000;

/// Cycles in which a flush must have ended.
const PATIENCE: usize = 500;

/// The extremes of every parameter, every reset, and a design with a clock enable.
pub fn designs() -> Vec<(Config, TracePort)> {
    let style = |reset, memories| TracePort { reset, memories, ..TracePort::default() };
    let plain = TracePort::default();
    let other = style(ResetStyle::Asynchronous, Memories::Wrappers);
    [
        (Config::default(), plain.clone()),
        (Config { sources: 3, first_id: 1, turn_bytes: 1, sync_frames: 2 }, other.clone()),
        (Config { sources: 8, first_id: 104, turn_bytes: 255, sync_frames: 4096 }, plain),
        (Config { sources: 5, first_id: 16, turn_bytes: 7, sync_frames: 3 }, other),
    ]
    .into()
}

pub fn generated(config: &Config, style: &TracePort) -> Generated {
    tracewright_hdl::generate_funnel("trace_funnel", config, style).unwrap()
}

pub fn build(generated: &Generated, options: &BuildOptions) -> Arc<Library> {
    source(generated).build(options).unwrap()
}

/// Cycles of a flush in which bytes still come.
const LATE: usize = 100;

struct Source {
    data: InputPort,
    valid: InputPort,
    ready: OutputPort,
    /// The byte that is offered.
    offered: Option<u8>,
    sent: Vec<u8>,
}

/// How often something happens, in percent.
#[derive(Clone, Copy)]
struct Pace {
    sources: [u32; 8],
    ready: u32,
}

impl Pace {
    fn random(random: &mut ChaCha8Rng) -> Pace {
        let percent = |random: &mut ChaCha8Rng| [0, 2, 10, 50, 100][random.random_range(0..5)];
        let ready = [5, 50, 100][random.random_range(0..3)];
        Pace { sources: std::array::from_fn(|_| percent(random)), ready }
    }
}

/// The funnel, its model, and everything around them.
struct Bench {
    model: Model,
    golden: Funnel,
    sources: Vec<Source>,
    received: Vec<u8>,
    random: ChaCha8Rng,
    pace: Pace,
    flushes: bool,
    /// Cycles since the flush began.
    waits: usize,
}

impl Bench {
    fn new(library: &Arc<Library>, config: &Config, seed: u64) -> Bench {
        let input = |name: String| library.input_of_any_width(&name).unwrap().0;
        let source = |number| Source {
            data: input(format!("source_data_{number}")),
            valid: input(format!("source_valid_{number}")),
            ready: library.output(&format!("source_ready_{number}"), 1).unwrap(),
            offered: None,
            sent: Vec::new(),
        };
        let mut model = Model::new(library, seed).unwrap();
        model.reset(3).unwrap();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let pace = Pace::random(&mut random);
        Bench {
            model,
            golden: Funnel::new(config).unwrap(),
            sources: (0..config.sources).map(source).collect(),
            received: Vec::new(),
            random,
            pace,
            flushes: false,
            waits: 0,
        }
    }

    fn get(&self, pin: &str) -> u64 {
        let (pin, _) = self.model.library().output_of_any_width(pin).unwrap();
        self.model.get(pin)
    }

    fn set(&mut self, pin: &str, value: bool) {
        let pin = self.model.library().input(pin, 1).unwrap();
        self.model.set(pin, value.into());
    }

    /// Shows the sources' bytes; those that are no bytes are anything.
    fn offer(&mut self) -> Vec<Option<u8>> {
        let is_open = !self.flushes || self.waits < LATE;
        for (number, source) in self.sources.iter_mut().enumerate() {
            if source.offered.is_none() && is_open {
                let comes = self.random.random_range(0..100) < self.pace.sources[number];
                source.offered = comes.then(|| self.random.random());
            }
            self.model.set(source.valid, source.offered.is_some().into());
            let shown = source.offered.unwrap_or_else(|| self.random.random());
            self.model.set(source.data, shown.into());
        }
        self.sources.iter().map(|source| source.offered).collect()
    }

    /// One cycle; true if a flush has ended, with nothing left.
    fn cycle(&mut self) -> Result<bool, String> {
        let offered = self.offer();
        let takes = self.random.random_range(0..100) < self.pace.ready || self.flushes;
        self.set("flush", self.flushes);
        self.set("trace_ready", takes);
        self.model.cycle().map_err(|error| error.to_string())?;
        let found = (self.get("trace_valid") == 1).then(|| self.get("trace_data") as u8);
        if found != self.golden.output() {
            return Err(format!("{found:?} is sent, not {:?}", self.golden.output()));
        }
        let is_flushed = self.flushes && self.golden.is_empty();
        if (self.get("flushed") == 1) != is_flushed {
            return Err("flushed".into());
        }
        for (number, source) in self.sources.iter_mut().enumerate() {
            if (self.model.get(source.ready) == 1) != self.golden.is_ready(number) {
                return Err(format!("ready of source {number}"));
            }
            if self.golden.is_ready(number) {
                source.sent.extend(source.offered.take());
            }
        }
        self.received.extend(found.filter(|_| takes));
        self.golden.clock(&offered, self.flushes, takes);
        self.waits += 1;
        Ok(is_flushed && self.sources.iter().all(|source| source.offered.is_none()))
    }
}

/// Runs the funnel with sources that come and go, a sink that is not always ready, and flushes.
pub fn run(library: &Arc<Library>, config: &Config, seed: u64) -> Result<(), String> {
    let mut bench = Bench::new(library, config, seed);
    for cycle in 0..CYCLES {
        if cycle % 512 == 0 {
            bench.pace = Pace::random(&mut bench.random);
        }
        // Some bytes come late, and every run ends with a flush.
        let is_end = cycle > CYCLES - 2 * PATIENCE;
        if !bench.flushes && (cycle % 4096 == 3000 || is_end) {
            (bench.flushes, bench.waits) = (true, 0);
        }
        let is_done = bench.cycle().map_err(|what| format!("cycle {cycle}: {what}"))?;
        if is_done && bench.waits > LATE && !is_end {
            bench.flushes = false;
        } else if bench.flushes && !is_done && bench.waits > LATE + PATIENCE {
            return Err(format!("cycle {cycle}: a flush does not end"));
        }
    }
    check_frames(config, &bench.sources, &bench.received)
}

/// The frames give back what every source has sent.
fn check_frames(config: &Config, sources: &[Source], received: &[u8]) -> Result<(), String> {
    let all: Result<Vec<(u8, u8)>, _> = FrameReader::new(received).collect();
    let all = all.map_err(|error| error.to_string())?;
    // From the middle on they give back the end of it.
    let cut = received.len() / 3;
    let interval = 16 * (config.sync_frames as usize + 2);
    let sent: usize = sources.iter().map(|source| source.sent.len()).sum();
    if all.len() != sent {
        return Err(format!("{} bytes come out of the frames, not {sent}", all.len()));
    }
    let mut rest = 0;
    for (number, source) in sources.iter().enumerate() {
        let id = (config.first_id as usize + number) as u8;
        let mut bytes = Vec::new();
        let mut reader = SourceReader::new(received, id);
        std::io::Read::read_to_end(&mut reader, &mut bytes).map_err(|error| error.to_string())?;
        if bytes != source.sent {
            return Err(format!("source {number} comes out different"));
        }
        if received.len() < cut + interval {
            continue;
        }
        let mut reader = SourceReader::new(&received[cut..], id);
        bytes.clear();
        std::io::Read::read_to_end(&mut reader, &mut bytes).map_err(|error| error.to_string())?;
        if !source.sent.ends_with(&bytes) {
            return Err(format!("source {number} comes out different from the middle on"));
        }
        rest += bytes.len();
    }
    if received.len() > cut + interval && rest + cut + interval < sent {
        return Err(format!("of {sent} bytes {rest} come out from byte {cut} on"));
    }
    let least = CYCLES / 20;
    if sent < least { Err(format!("only {sent} bytes were sent")) } else { Ok(()) }
}

#[test]
fn hardware_and_model_are_equal() {
    for (config, style) in designs() {
        let library = build(&generated(&config, &style), &BuildOptions::default());
        for seed in 0..3 {
            assert_eq!(run(&library, &config, seed), Ok(()), "{config:?}");
        }
    }
}

#[test]
fn three_tools_are_silent_about_funnels() {
    for (config, style) in designs() {
        let style = TracePort { clock_enable: config.sources == 5, ..style };
        let generated = generated(&config, &style);
        let files = generated.files.iter().map(|(name, text)| VerilogFile::new(name, text));
        let findings = lint(&files.collect::<Vec<_>>(), &generated.top).unwrap();
        assert!(findings.is_empty(), "{findings:?}");
    }
}

/// A source that has a byte in every cycle takes the whole stream, but for one byte in 16.
#[test]
fn one_source_loses_one_byte_in_sixteen() {
    let mut funnel = Funnel::new(&Config { sync_frames: 4096, ..Config::default() }).unwrap();
    let mut bytes = VecDeque::from(vec![0xa5u8; 15_000]);
    let mut sent = 0;
    for _ in 0..16_020 {
        let offered = [bytes.front().copied(), None];
        if funnel.is_ready(0) {
            bytes.pop_front();
        }
        sent += usize::from(funnel.output().is_some());
        funnel.clock(&offered, false, true);
    }
    assert!(bytes.is_empty(), "{} bytes wait after {sent} were sent", bytes.len());
}
