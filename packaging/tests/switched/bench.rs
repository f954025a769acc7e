//! A core, a whole module whose tracing is switched, and a sink.

use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::Event;
use tracewright_sim::program::Program;
use tracewright_sim::rvfi::Retirement;
use tracewright_sim::scheme::Design;
use tracewright_sim::tip;
use tracewright_sim::unit::Ingress;
use tracewright_testbench::{InputPort, Library, Model, OutputPort};

use super::Case;
use crate::{execution, wander};

/// Instructions that the core executes.
const INSTRUCTIONS: usize = 100_000;

/// Cycles after reset within which tables are cleared, whether tracing is on or not.
const CLEARING: usize = 1_000;

/// Cycles in which tracing stays off and the core has to go on.
const LONG: usize = 500;

/// Cycles after which a core that retires nothing hangs.
const HANGS: usize = 20_000;

/// What a core says of its execution on the pins of its port.
pub struct Shown {
    /// Names of the pins of a lane.
    pub names: Vec<&'static str>,
    entries: Vec<Entry>,
    /// Events of the whole execution.
    pub events: Vec<Event>,
    pub program: Program,
}

struct Entry {
    values: Vec<u64>,
    instructions: u64,
    /// Only the next entry says where the execution goes on after it.
    is_open: bool,
}

impl Shown {
    pub fn new(case: &Case, design: &Design, seed: u64) -> Shown {
        let retired = wander::retirements(seed, INSTRUCTIONS, case.rate < 100);
        let known = |values: Vec<u64>, instructions| Entry { values, instructions, is_open: false };
        let of_rvfi = || execution::events_of_rvfi(&retired);
        let (names, entries, events) = match case.ingress {
            Ingress::Rvfi(_) => {
                let entry = |one: &Retirement| known(execution::on_rvfi(one), (!one.trap).into());
                let entries = retired.iter().map(entry).collect();
                (execution::RVFI_PINS.to_vec(), entries, of_rvfi())
            }
            Ingress::Tip(config) => {
                let cycles = execution::cycles(&retired);
                let entry = |cycle: &tip::Cycle| Entry {
                    is_open: ![0, 4].contains(&cycle.itype),
                    ..known(execution::on_tip(cycle), cycle.retired)
                };
                let events = execution::events_of_tip(&cycles, config, design);
                (execution::TIP_PINS.to_vec(), cycles.iter().map(entry).collect(), events)
            }
            Ingress::Blocks(_) => {
                let blocks = execution::blocks(&retired).into_iter();
                let entry = |block: Vec<u64>| {
                    let instructions = block[1];
                    known(block, instructions)
                };
                (execution::BLOCK_PINS.to_vec(), blocks.map(entry).collect(), of_rvfi())
            }
        };
        Shown { names, entries, events, program: wander::program() }
    }
}

/// What happened in a run.
#[derive(Default)]
pub struct Log {
    /// Instructions that had retired before each cycle.
    pub retired: Vec<u64>,
    /// Cycles in which tracing was switched on, and off, and instructions before the latter that the adapter knows too little of.
    pub on: Vec<(usize, usize, u64)>,
}

pub struct Bench<'a> {
    case: &'a Case,
    pub model: Model,
    entries: &'a [Entry],
    pins: Vec<Vec<InputPort>>,
    stall: Option<OutputPort>,
    beat: (OutputPort, OutputPort, u32),
    flushed: OutputPort,
    random: ChaCha8Rng,
    /// The core runs.
    runs: bool,
    /// Cycles in which the sink takes nothing, before one in which it takes a beat; without it, it takes seven beats in eight cycles.
    pub pause: Option<usize>,
    pub received: BitPacker,
    next: usize,
    pub log: Log,
}

impl<'a> Bench<'a> {
    pub fn new(
        case: &'a Case,
        library: &Arc<Library>,
        shown: &'a Shown,
        seed: u64,
    ) -> Result<Self, String> {
        let pin = |name: &str, lane: u32| {
            let of_lane = library.input_of_any_width(&format!("{name}_lane{lane}"));
            of_lane.or_else(|_| library.input_of_any_width(name)).expect("a pin").0
        };
        let pins = (0..case.queue().lanes)
            .map(|lane| shown.names.iter().map(|name| pin(name, lane)).collect());
        let output = |name| library.output_of_any_width(name).expect("an output");
        let ((valid, _), (data, width)) = (output("trace_valid"), output("trace_data"));
        let mut model = Model::new(library, seed).map_err(|error| error.to_string())?;
        // Half of the code passes a filter.
        for (pin, value) in [
            ("clock_enable", 1),
            ("filter_includes", 1),
            ("filter_low_0", 0x2000),
            ("filter_high_0", 0x3fff),
        ] {
            if let Ok((pin, _)) = library.input_of_any_width(pin) {
                model.set(pin, value);
            }
        }
        model.reset(2).map_err(|error| error.to_string())?;
        Ok(Bench {
            case,
            model,
            entries: &shown.entries,
            pins: pins.collect(),
            stall: case.waits().then(|| output("stall").0),
            beat: (valid, data, width),
            flushed: output("flushed").0,
            random: ChaCha8Rng::seed_from_u64(seed),
            runs: true,
            pause: None,
            received: BitPacker::new(),
            next: 0,
            log: Log { retired: vec![0], on: Vec::new() },
        })
    }

    pub fn set(&mut self, pin: &str, value: u64) {
        let (pin, _) = self.model.library().input_of_any_width(pin).expect("an input");
        self.model.set(pin, value);
    }

    pub fn is_flushed(&self) -> bool {
        self.model.get(self.flushed) != 0
    }

    /// The adapter says that its queue was full.
    pub fn lost(&self) -> bool {
        let lost = self.model.library().output_of_any_width("lost");
        lost.is_ok_and(|(lost, _)| self.model.get(lost) != 0)
    }

    fn is_over(&self) -> bool {
        self.next == self.entries.len()
    }

    /// Instructions that have retired.
    pub fn retired(&self) -> u64 {
        self.log.retired.last().copied().unwrap_or(0)
    }

    /// A cycle, in which the core may retire what comes next; it does not where it has to wait.
    pub fn cycle(&mut self) -> Result<(), String> {
        let ready = match self.pause {
            None => self.random.random_range(0..8) > 0,
            Some(pause) => self.log.retired.len().is_multiple_of(pause),
        };
        self.set("trace_ready", ready.into());
        self.model.settle().map_err(|error| error.to_string())?;
        let waits = self.stall.is_some_and(|stall| self.model.get(stall) != 0);
        let mut retired = self.retired();
        for pins in &self.pins {
            let retires = self.runs && !waits && self.random.random_range(0..100) < self.case.rate;
            let entry = self.entries.get(self.next).filter(|_| retires);
            self.next += usize::from(entry.is_some());
            retired += entry.map_or(0, |entry| entry.instructions);
            for (place, pin) in pins.iter().enumerate() {
                self.model.set(*pin, entry.map_or(0, |entry| entry.values[place]));
            }
        }
        self.model.cycle().map_err(|error| error.to_string())?;
        let (valid, data, width) = self.beat;
        if ready && self.model.get(valid) != 0 {
            self.received.push(self.model.get(data), width);
        }
        self.log.retired.push(retired);
        Ok(())
    }

    /// Tracing is on or off for some cycles.
    pub fn cycles(&mut self, enable: bool, count: usize) -> Result<(), String> {
        self.set("enable", enable.into());
        let mut idle = 0;
        for _ in 0..count {
            let before = self.next;
            if self.is_over() {
                break;
            }
            self.cycle()?;
            idle = if self.next == before { idle + 1 } else { 0 };
            if idle == HANGS {
                return Err("the core hangs".into());
            }
        }
        Ok(())
    }

    /// Lets the module clear its tables after a reset, before the core runs if it waits.
    pub fn start(&mut self) -> Result<(), String> {
        self.runs = !self.case.waits();
        self.cycles(false, CLEARING)?;
        self.runs = true;
        Ok(())
    }

    /// Switches off and on at random until the program ends, and then off, or flushes.
    pub fn run(&mut self, by_flush: bool) -> Result<(), String> {
        self.start()?;
        while !self.is_over() {
            let is_last = self.entries.len() - self.next < self.entries.len() / 3;
            let mut time = || {
                let times: [(usize, usize); 3] = [(1, 20), (50, 600), (4_000, 7_000)];
                let (least, most) = times[self.random.random_range(0..times.len())];
                self.random.random_range(least..most)
            };
            let (off, on) = (time() / 2, if is_last { usize::MAX } else { time() });
            let before = self.retired();
            self.cycles(false, off)?;
            if off > LONG && self.retired() == before {
                return Err("the core waits while tracing is off".into());
            }
            let begin = self.log.retired.len() - 1;
            self.cycles(true, on)?;
            let newest = self.entries[..self.next].last().filter(|entry| entry.is_open);
            let held = newest.map_or(0, |entry| entry.instructions);
            self.log.on.push((begin, self.log.retired.len() - 1, held));
        }
        self.set("flush", u64::from(by_flush));
        self.set("enable", u64::from(by_flush));
        self.until_flushed(20_000)
    }

    pub fn until_flushed(&mut self, cycles: usize) -> Result<(), String> {
        for _ in 0..cycles {
            self.cycle()?;
            if self.is_flushed() {
                return Ok(());
            }
        }
        Err("the trace does not end".into())
    }
}
