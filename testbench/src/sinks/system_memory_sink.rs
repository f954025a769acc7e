//! The sink that writes to the memory of the system, in Verilator against its model, with a memory at its bus.

mod wild;

use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::pins::{Pin, module, sinks};
use tracewright_sim::system_memory_sink::{Config, SystemMemorySink};

use super::memory::{Happening, Memory, Pace};
use super::{Failure, beats};
use crate::error::Result as SimulationResult;
use crate::library::Library;
use crate::model::Model;

/// Cycles in which anything must have ended.
const PATIENCE: usize = 40_000;

/// Sessions of a run with everything at random.
const SESSIONS: usize = 50;

/// Bytes of the smallest ring that takes a recorded trace.
pub const LEAST_RECORD_BYTES: u32 = 2048;

/// Beats of the trace that come after the end was asked for, at most.
const MOST_LATE: usize = 70;

/// The sink, its model, and everything around them.
struct Bench {
    model: Model,
    random: ChaCha8Rng,
    golden: SystemMemorySink,
    memory: Memory,
    config: Config,
    pace: Pace,
    enable: bool,
    source_is_empty: bool,
    /// The sink is cleared in this cycle, and was in the one before.
    clears: bool,
    was_cleared: bool,
    /// The sink has asked for the end of the trace since it was switched on.
    stops: bool,
    /// What the sink writes is what its model writes.
    compares: bool,
    cycle: u64,
}

impl Bench {
    fn new(library: &Arc<Library>, config: Config, seed: u64) -> SimulationResult<Bench> {
        let memory = Memory::new(library, &config)?;
        let mut model = Model::new(library, seed)?;
        model.reset(2)?;
        Ok(Bench {
            model,
            random: ChaCha8Rng::seed_from_u64(seed),
            golden: SystemMemorySink::new(&config),
            memory,
            config,
            pace: Pace { ready: 50, errors: 0 },
            enable: false,
            source_is_empty: true,
            clears: false,
            was_cleared: false,
            stops: false,
            compares: true,
            cycle: 0,
        })
    }

    fn set<C>(&mut self, pin: &Pin<C>, value: u64) -> SimulationResult<()> {
        let (pin, _) = self.model.library().input_of_any_width(pin.name)?;
        self.model.set(pin, value);
        Ok(())
    }

    fn get<C>(&self, pin: &Pin<C>) -> SimulationResult<u64> {
        let (pin, _) = self.model.library().output_of_any_width(pin.name)?;
        Ok(self.model.get(pin))
    }

    fn check(&self, holds: bool, what: &str) -> Result<(), Failure> {
        if holds {
            return Ok(());
        }
        Err(Failure::Difference { cycle: self.cycle, what: what.into() })
    }

    fn bytes(&self) -> u64 {
        self.config.bus.word_bytes().into()
    }

    /// True in so many of a hundred cases.
    fn happens(&mut self, percent: u32) -> bool {
        self.random.random_range(0..100) < percent
    }

    /// A cycle with a beat or none; true if it was taken.
    fn cycle(&mut self, beat: Option<u64>) -> Result<bool, Failure> {
        let enable = self.enable;
        self.set(&sinks::MEMORY_ENABLE, enable.into())?;
        self.set(&sinks::MEMORY_CLEAR, self.clears.into())?;
        // A source may be empty now and then before it is flushed.
        let is_empty = self.source_is_empty || self.enable && self.random.random();
        self.set(&sinks::MEMORY_SOURCE_IS_EMPTY, is_empty.into())?;
        self.set(&module::TRACE_VALID, beat.is_some().into())?;
        // What is no beat is anything.
        let data = beat.unwrap_or_else(|| self.random.random());
        self.set(&module::TRACE_DATA, data & (u64::MAX >> (64 - self.config.port_bits)))?;
        self.memory.drive(&mut self.model, self.pace, &mut self.random);
        self.model.cycle()?;
        self.cycle += 1;
        let takes = beat.is_some() && self.get(&module::TRACE_READY)? == 1;
        if let Some(beat) = beat.filter(|_| takes) {
            self.golden.beat(beat);
        }
        self.stops |= self.get(&sinks::MEMORY_STOPPED)? == 1;
        let is_empty = self.get(&sinks::MEMORY_IS_EMPTY)? == 1;
        let ring = (self.golden.start, self.golden.limit);
        let happening = self.memory.clock(&self.model, ring);
        let happening =
            happening.map_err(|what| Failure::Difference { cycle: self.cycle, what })?;
        self.check(!(is_empty && self.memory.is_busy()), "an empty sink has a burst on its way")?;
        self.check(!(is_empty && enable), "a sink that is switched on is empty")?;
        let is_closed = is_empty || self.was_cleared;
        let is_ready = self.get(&module::TRACE_READY)? == 1;
        self.check(!(is_closed && is_ready), "a sink that is off takes beats")?;
        self.was_cleared = self.clears;
        if self.compares {
            self.compare(happening)?;
        }
        if self.stops {
            // The register of `enable` is cleared then.
            self.enable = false;
        }
        Ok(takes)
    }

    fn compare(&mut self, happening: Option<Happening>) -> Result<(), Failure> {
        match happening {
            None => Ok(()),
            Some(Happening::Response(response)) => {
                self.golden.respond(response);
                Ok(())
            }
            Some(Happening::Burst(burst)) => {
                let expected = self.golden.burst();
                let what = format!("{burst:x?} and not {expected:x?}");
                self.check(expected.as_ref() == Some(&burst), &what)?;
                let is_same = self.stops == self.golden.has_stopped();
                self.check(is_same, "it stops where the model does")
            }
        }
    }

    /// Switches the sink on, sends beats, switches it off before the last `late` of them. After a stop not more than
    /// some beats come.
    fn send(&mut self, beats: &[u64], late: usize) -> Result<(), Failure> {
        (self.enable, self.stops, self.source_is_empty) = (true, false, false);
        self.golden.open();
        self.cycle(None)?;
        let rest = self.random.random_range(0..=MOST_LATE);
        let (mut sent, mut count) = (0, beats.len());
        for _ in 0..20 * beats.len() + PATIENCE {
            if sent + late >= count {
                self.enable = false;
            }
            if sent == count {
                break;
            }
            let had_stopped = self.stops;
            let comes = self.happens(75);
            sent += usize::from(self.cycle(comes.then_some(beats[sent]))?);
            if self.stops && !had_stopped {
                count = count.min(sent + rest);
            }
        }
        self.check(sent == count, "it takes every beat")?;
        self.golden.close();
        (self.enable, self.source_is_empty) = (false, true);
        for _ in 0..PATIENCE {
            self.cycle(None)?;
            if self.get(&sinks::MEMORY_IS_EMPTY)? == 1 {
                break;
            }
        }
        self.check(self.get(&sinks::MEMORY_IS_EMPTY)? == 1, "it becomes empty")?;
        let more = self.golden.burst();
        self.check(more.is_none() && self.golden.is_empty(), "all was written")?;
        self.check(self.stops == self.golden.has_stopped(), "it stops if the model does")?;
        self.cycle(None)?;
        self.check_registers()
    }

    fn check_registers(&self) -> Result<(), Failure> {
        let found = (
            self.get(&sinks::MEMORY_WRITE_POINTER)? * self.bytes(),
            self.get(&sinks::MEMORY_WRAPPED)? == 1,
            self.get(&sinks::MEMORY_ERROR_RESPONSE)? as u8,
        );
        let golden = &self.golden;
        let expected = (golden.write_pointer, golden.has_wrapped, golden.error_response());
        self.check(found == expected, &format!("registers are {found:x?} and not {expected:x?}"))
    }

    fn set_ring(&mut self, start: u64, limit: u64) -> SimulationResult<()> {
        (self.golden.start, self.golden.limit) = (start, limit);
        self.set(&sinks::MEMORY_START, start / self.bytes())?;
        self.set(&sinks::MEMORY_LIMIT, limit / self.bytes())
    }

    fn load(&mut self, write_pointer: u64, has_wrapped: bool) -> Result<(), Failure> {
        (self.golden.write_pointer, self.golden.has_wrapped) = (write_pointer, has_wrapped);
        self.drive_load(write_pointer, has_wrapped)?;
        self.cycle(None)?;
        Ok(self.end_load()?)
    }

    fn drive_load(&mut self, write_pointer: u64, has_wrapped: bool) -> SimulationResult<()> {
        self.set(&sinks::MEMORY_LOADED_WRITE_POINTER, write_pointer / self.bytes())?;
        self.set(&sinks::MEMORY_LOADED_WRAPPED, has_wrapped.into())?;
        self.set(&sinks::MEMORY_LOAD_WRITE_POINTER, 1)?;
        self.set(&sinks::MEMORY_LOAD_WRAPPED, 1)
    }

    fn end_load(&mut self) -> SimulationResult<()> {
        self.set(&sinks::MEMORY_LOAD_WRITE_POINTER, 0)?;
        self.set(&sinks::MEMORY_LOAD_WRAPPED, 0)
    }

    /// A ring of some words: at the beginning, at the end, or in the middle of the memory that can be addressed, often
    /// over a boundary of 4 KiB.
    fn ring(&mut self) -> (u64, u64) {
        let bytes = self.bytes();
        let most = (u64::MAX >> (64 - self.config.bus.address_bits)) & !(bytes - 1);
        let words = self.random.random_range(0..6 * u64::from(self.config.bus.burst_beats));
        if self.happens(5) {
            return (0, most);
        }
        let size = words * bytes;
        let start = match self.random.random_range(0..8) {
            0 => self.random.random_range(0..8),
            1 => most - size,
            2 => self.random.random::<u64>() & most & (most >> 1),
            _ => 0x1_2000 - self.random.random_range(0..=size + 16),
        };
        let start = start & !(bytes - 1);
        (start, start + size)
    }

    /// A place in the ring or, sometimes, one near it.
    fn place(&mut self, (start, limit): (u64, u64)) -> u64 {
        let bytes = self.bytes();
        let most = (u64::MAX >> (64 - self.config.bus.address_bits)) & !(bytes - 1);
        match self.random.random_range(0..12) {
            0 => limit.wrapping_add(bytes) & most,
            1 => start.wrapping_sub(bytes) & most,
            2 => self.random.random::<u64>() & most,
            3..6 => start,
            _ => start + self.random.random_range(0..=(limit - start) / bytes) * bytes,
        }
    }

    /// Other registers, and another pace of the memory.
    fn settings(&mut self) -> Result<(), Failure> {
        let ring = self.ring();
        let pointer = self.place(ring);
        // Sometimes the ring ends before it begins.
        let is_none = ring.0 != ring.1 && self.happens(15);
        let (start, limit) = if is_none { (ring.1, ring.0) } else { ring };
        self.set_ring(start, limit)?;
        self.golden.stops_when_full = self.happens(35);
        self.set(&sinks::MEMORY_STOP_WHEN_FULL, self.golden.stops_when_full.into())?;
        self.pace = Pace {
            ready: [5, 30, 100][self.random.random_range(0..3)],
            errors: [0, 0, 5, 30][self.random.random_range(0..4)],
        };
        let has_wrapped = self.random.random();
        self.load(pointer, has_wrapped)?;
        self.cycle(None)?;
        self.check_registers()
    }

    /// A trace of any length, of which any part comes after the sink was switched off.
    fn session(&mut self) -> Result<(), Failure> {
        let beats_per_word = self.config.bus.data_bits / self.config.port_bits;
        let words = 8 * self.config.bus.burst_beats;
        let most = words * beats_per_word / [1, 4, 32][self.random.random_range(0..3)];
        let port = u64::MAX >> (64 - self.config.port_bits);
        let count = self.random.random_range(0..=most) as usize;
        let beats: Vec<u64> = (0..count).map(|_| self.random.random::<u64>() & port).collect();
        let late = self.random.random_range(0..=count.min(MOST_LATE));
        self.send(&beats, late)
    }
}

/// Does everything at random: settings, traces of any length, errors, resets. Gives the cycles.
///
/// # Errors
/// What differs between hardware and model, or breaks a rule of the bus or of the ring.
pub fn run_at_random(library: &Arc<Library>, config: Config, seed: u64) -> Result<u64, Failure> {
    let mut bench = Bench::new(library, config, seed)?;
    for _ in 0..SESSIONS {
        bench.settings()?;
        bench.session()?;
        if bench.happens(20) {
            bench.clear_in_session()?;
        }
    }
    bench.run_wild()?;
    bench.settings()?;
    bench.session()?;
    Ok(bench.cycle)
}

/// Sends a trace to the sink at an uneven pace, then reads the ring in the memory. Gives its bytes, the oldest one first,
/// and the cycles.
///
/// # Errors
/// What differs between hardware and model.
pub fn record(
    library: &Arc<Library>,
    config: Config,
    trace: &[u8],
    seed: u64,
) -> Result<(Vec<u8>, u64), Failure> {
    let mut bench = Bench::new(library, config, seed)?;
    let bytes = bench.bytes();
    let size = u64::from(LEAST_RECORD_BYTES) + bytes * bench.random.random_range(0..1024);
    let most = u64::MAX >> (64 - config.bus.address_bits);
    let start = bench.random.random_range(0..most - size) & !(bytes - 1);
    bench.set_ring(start, start + size - bytes)?;
    bench.load(start, false)?;
    bench.pace = Pace { ready: 60, errors: 0 };
    let beats = beats(trace, config.port_bits);
    let late = bench.random.random_range(0..=beats.len().min(MOST_LATE));
    bench.send(&beats, late)?;
    let end = bench.golden.write_pointer;
    let words = |from: u64, to: u64| (from..to).step_by(bytes as usize);
    let older = if bench.golden.has_wrapped { words(end, start + size) } else { words(0, 0) };
    let word = |place| bench.memory.words.get(&place).copied().unwrap_or(0).to_le_bytes();
    let image =
        older.chain(words(start, end)).flat_map(|place| word(place)[..bytes as usize].to_vec());
    Ok((image.collect(), bench.cycle))
}
