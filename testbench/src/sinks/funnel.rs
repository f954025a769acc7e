//! The funnel in Verilator against its model, cycle by cycle, and its frames read back.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::funnel::frames::{FrameReader, SourceReader};
use tracewright_sim::funnel::{Config, Funnel};
use tracewright_sim::pins::{Pin, module, sinks};

use super::Failure;
use crate::error::{Error, Result as SimulationResult};
use crate::library::{InputPort, Library, OutputPort};
use crate::model::Model;

/// Cycles of a run with everything at random.
const CYCLES: u64 = 60_000;

/// Cycles in which a flush must have ended.
const PATIENCE: u64 = 500;

/// Cycles of a flush in which bytes still come.
const LATE: u64 = 100;

/// Cycles after which the pace changes.
const PACE_CYCLES: u64 = 512;

/// Where the bytes of a source come from.
enum Bytes {
    Random,
    Trace(VecDeque<u8>),
}

impl Bytes {
    fn next(&mut self, random: &mut ChaCha8Rng) -> Option<u8> {
        match self {
            Bytes::Random => Some(random.random()),
            Bytes::Trace(bytes) => bytes.pop_front(),
        }
    }

    fn is_over(&self) -> bool {
        matches!(self, Bytes::Trace(bytes) if bytes.is_empty())
    }
}

struct Source {
    bytes: Bytes,
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
    waits: u64,
    cycle: u64,
}

impl Bench {
    fn new(
        library: &Arc<Library>,
        config: &Config,
        bytes: Vec<Bytes>,
        seed: u64,
    ) -> SimulationResult<Bench> {
        let input = |name: String| library.input_of_any_width(&name).map(|(pin, _)| pin);
        let source = |(number, bytes)| {
            Ok(Source {
                bytes,
                data: input(sinks::SOURCE_DATA.numbered(number))?,
                valid: input(sinks::SOURCE_VALID.numbered(number))?,
                ready: library.output(&sinks::SOURCE_READY.numbered(number), 1)?,
                offered: None,
                sent: Vec::new(),
            })
        };
        let mut model = Model::new(library, seed)?;
        model.reset(3)?;
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let pace = Pace::random(&mut random);
        Ok(Bench {
            model,
            golden: Funnel::new(config).map_err(|error| Error::Description {
                top: "funnel".into(),
                reason: error.to_string(),
            })?,
            sources: bytes.into_iter().enumerate().map(source).collect::<SimulationResult<_>>()?,
            received: Vec::new(),
            random,
            pace,
            flushes: false,
            waits: 0,
            cycle: 0,
        })
    }

    fn get(&self, pin: &Pin) -> SimulationResult<u64> {
        let (pin, _) = self.model.library().output_of_any_width(pin.name)?;
        Ok(self.model.get(pin))
    }

    fn set(&mut self, pin: &Pin, value: bool) -> SimulationResult<()> {
        let pin = self.model.library().input(pin.name, 1)?;
        self.model.set(pin, value.into());
        Ok(())
    }

    fn fail<T>(&self, what: impl Into<String>) -> Result<T, Failure> {
        Err(Failure::Difference { cycle: self.cycle, what: what.into() })
    }

    /// Shows the sources' bytes; those that are no bytes are anything.
    fn offer(&mut self) -> Vec<Option<u8>> {
        let is_open = !self.flushes || self.waits < LATE;
        for (number, source) in self.sources.iter_mut().enumerate() {
            if source.offered.is_none() && is_open {
                let comes = self.random.random_range(0..100) < self.pace.sources[number];
                source.offered = if comes { source.bytes.next(&mut self.random) } else { None };
            }
            self.model.set(source.valid, source.offered.is_some().into());
            let shown = source.offered.unwrap_or_else(|| self.random.random());
            self.model.set(source.data, shown.into());
        }
        self.sources.iter().map(|source| source.offered).collect()
    }

    /// One cycle; true if a flush has ended, with nothing left.
    fn cycle(&mut self) -> Result<bool, Failure> {
        if self.cycle.is_multiple_of(PACE_CYCLES) {
            self.pace = Pace::random(&mut self.random);
        }
        let offered = self.offer();
        let takes = self.random.random_range(0..100) < self.pace.ready || self.flushes;
        self.set(&module::FLUSH, self.flushes)?;
        self.set(&module::TRACE_READY, takes)?;
        self.model.cycle()?;
        self.cycle += 1;
        let found =
            (self.get(&module::TRACE_VALID)? == 1).then_some(self.get(&module::TRACE_DATA)? as u8);
        let sent = Funnel::offered_byte(&self.golden);
        if found != sent {
            return self.fail(format!("{found:?} is sent, not {sent:?}"));
        }
        let is_flushed = self.flushes && self.golden.is_empty();
        if (self.get(&module::FLUSHED)? == 1) != is_flushed {
            return self.fail(format!("flushed is not {is_flushed}"));
        }
        for number in 0..self.sources.len() {
            let source = &mut self.sources[number];
            if (self.model.get(source.ready) == 1) != self.golden.is_ready(number) {
                return self.fail(format!("ready of source {number} differs"));
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

    /// The frames give back what every source has sent.
    fn check_frames(&self, config: &Config) -> Result<(), Failure> {
        let all: Result<Vec<(u8, u8)>, _> = FrameReader::new(self.received.as_slice()).collect();
        let all = all.or_else(|error| self.fail(error.to_string()))?;
        // From the middle on they give back the end of it.
        let cut = self.received.len() / 3;
        let interval = 16 * (config.sync_frames as usize + 2);
        let sent: usize = self.sources.iter().map(|source| source.sent.len()).sum();
        if all.len() != sent {
            return self.fail(format!("{} bytes come out of the frames, not {sent}", all.len()));
        }
        let mut rest = 0;
        for (number, source) in self.sources.iter().enumerate() {
            let id = (config.first_id as usize + number) as u8;
            let mut bytes = Vec::new();
            let read = |bytes: &[u8], into: &mut Vec<u8>| {
                into.clear();
                SourceReader::new(bytes, id).read_to_end(into).map_err(|error| error.to_string())
            };
            read(&self.received, &mut bytes).or_else(|what| self.fail(what))?;
            if bytes != source.sent {
                return self.fail(format!("source {number} comes out different"));
            }
            if self.received.len() < cut + interval {
                continue;
            }
            read(&self.received[cut..], &mut bytes).or_else(|what| self.fail(what))?;
            if !source.sent.ends_with(&bytes) {
                return self
                    .fail(format!("source {number} comes out different from the middle on"));
            }
            rest += bytes.len();
        }
        if self.received.len() > cut + interval && rest + cut + interval < sent {
            return self.fail(format!("of {sent} bytes {rest} come out from byte {cut} on"));
        }
        Ok(())
    }
}

/// Runs the funnel with sources that come and go, a sink that is not always ready, and flushes. Gives the cycles.
///
/// # Errors
/// What differs between hardware and model, or between the bytes of a source and its frames.
pub fn run_at_random(library: &Arc<Library>, config: &Config, seed: u64) -> Result<u64, Failure> {
    let bytes = (0..config.sources).map(|_| Bytes::Random).collect();
    let mut bench = Bench::new(library, config, bytes, seed)?;
    for cycle in 0..CYCLES {
        // Some bytes come late, and every run ends with a flush.
        let is_end = cycle > CYCLES - 2 * PATIENCE;
        if !bench.flushes && (cycle % 4096 == 3000 || is_end) {
            (bench.flushes, bench.waits) = (true, 0);
        }
        let is_done = bench.cycle()?;
        if is_done && bench.waits > LATE && !is_end {
            bench.flushes = false;
        } else if bench.flushes && !is_done && bench.waits > LATE + PATIENCE {
            return bench.fail("a flush does not end");
        }
    }
    bench.check_frames(config)?;
    let sent: usize = bench.sources.iter().map(|source| source.sent.len()).sum();
    match sent as u64 {
        few if few < CYCLES / 20 => bench.fail(format!("only {few} bytes were sent")),
        _ => Ok(bench.cycle),
    }
}

/// Sends whole traces, one for each source, at an uneven pace, and flushes at the end. Gives the frames and the cycles.
///
/// # Errors
/// What differs between hardware and model, or between a trace and its frames.
pub fn merge(
    library: &Arc<Library>,
    config: &Config,
    traces: Vec<Vec<u8>>,
    seed: u64,
) -> Result<(Vec<u8>, u64), Failure> {
    let bytes = traces.into_iter().map(|trace| Bytes::Trace(trace.into())).collect();
    let mut bench = Bench::new(library, config, bytes, seed)?;
    let is_sent = |source: &Source| source.bytes.is_over() && source.offered.is_none();
    loop {
        if !bench.flushes && bench.sources.iter().all(is_sent) {
            (bench.flushes, bench.waits) = (true, 0);
        }
        if bench.cycle()? {
            break;
        }
        if bench.flushes && bench.waits > PATIENCE {
            return bench.fail("a flush does not end");
        }
    }
    bench.check_frames(config)?;
    Ok((bench.received, bench.cycle))
}
