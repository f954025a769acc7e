//! The RAM sink in Verilator against its model.

use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::pins::{Pin, module, sinks};
use tracewright_sim::ram_sink::{Config, RamSink, WORD_BITS};

use super::{Failure, beats};
use crate::error::Result as SimulationResult;
use crate::library::Library;
use crate::model::Model;

/// Cycles in which anything must have ended.
const PATIENCE: usize = 200;

/// Sessions of a run with everything at random.
const SESSIONS: usize = 60;

/// The sink, its model, and everything around them.
struct Bench {
    model: Model,
    random: ChaCha8Rng,
    golden: RamSink,
    config: Config,
    /// The word that is read next.
    reads_at: u32,
    enable: bool,
    /// The sink has switched itself off.
    stopped: bool,
    cycle: u64,
}

impl Bench {
    fn new(library: &Arc<Library>, config: Config, seed: u64) -> SimulationResult<Bench> {
        let mut model = Model::new(library, seed)?;
        model.reset(2)?;
        Ok(Bench {
            model,
            random: ChaCha8Rng::seed_from_u64(seed),
            golden: RamSink::new(&config),
            config,
            reads_at: 0,
            enable: false,
            stopped: false,
            cycle: 0,
        })
    }

    fn set<C>(&mut self, pin: &Pin<C>, value: u32) -> SimulationResult<()> {
        let (pin, _) = self.model.library().input_of_any_width(pin.name)?;
        self.model.set(pin, value.into());
        Ok(())
    }

    fn get<C>(&self, pin: &Pin<C>) -> SimulationResult<u32> {
        let (pin, _) = self.model.library().output_of_any_width(pin.name)?;
        Ok(self.model.get(pin) as u32)
    }

    fn check(&self, holds: bool, what: &str) -> Result<(), Failure> {
        if holds {
            return Ok(());
        }
        Err(Failure::Difference { cycle: self.cycle, what: what.into() })
    }

    fn pointer(&mut self) -> u32 {
        self.random.random_range(0..self.config.words())
    }

    /// Switches the sink off: its source is not empty yet.
    fn disable(&mut self) -> SimulationResult<()> {
        self.enable = false;
        self.set(&sinks::RAM_SOURCE_IS_EMPTY, 0)
    }

    /// A cycle with a beat or none.
    fn cycle(&mut self, beat: Option<u32>) -> Result<bool, Failure> {
        self.set(&sinks::RAM_ENABLE, self.enable.into())?;
        if self.enable {
            // A source may be empty now and then before it is flushed.
            let is_empty: bool = self.random.random();
            self.set(&sinks::RAM_SOURCE_IS_EMPTY, is_empty.into())?;
        }
        self.set(&module::TRACE_VALID, beat.is_some().into())?;
        // What is no beat is anything.
        let data = beat.unwrap_or_else(|| self.random.random());
        self.set(&module::TRACE_DATA, data)?;
        self.model.cycle()?;
        self.cycle += 1;
        let takes = beat.is_some() && self.get(&module::TRACE_READY)? == 1;
        let (had_stopped, was_full) = (self.golden.has_stopped(), self.golden.is_full());
        if let Some(beat) = beat.filter(|_| takes) {
            self.golden.beat(beat);
        }
        let stops = was_full || !had_stopped && self.golden.has_stopped();
        // A sink that is off needs not be stopped.
        let is_same = (self.get(&sinks::RAM_STOPPED)? == 1) == stops;
        self.check(is_same || !self.enable, "it stops where the model does")?;
        // The register of `enable` is cleared then.
        self.stopped |= stops && self.enable;
        if stops && self.enable {
            self.disable()?;
        }
        Ok(takes)
    }

    /// A trace of any length, of which any part comes after the sink was switched off.
    fn session(&mut self) -> Result<(), Failure> {
        let beats_per_word = WORD_BITS / self.config.port_bits;
        let most =
            3 * self.config.words() * beats_per_word / if self.random.random() { 1 } else { 8 };
        let port = u32::MAX >> (32 - self.config.port_bits);
        let count = self.random.random_range(0..most) as usize;
        let beats: Vec<u32> = (0..count).map(|_| self.random.random::<u32>() & port).collect();
        let late = self.random.random_range(0..=count.min(70));
        self.send(&beats, late)
    }

    /// Switches the sink on, sends beats, switches it off before the last `late` of them. After a stop not more than
    /// the rest of what waits in a module comes.
    fn send(&mut self, beats: &[u32], late: usize) -> Result<(), Failure> {
        self.set(&sinks::RAM_SOURCE_IS_EMPTY, 0)?;
        (self.enable, self.stopped) = (true, false);
        self.golden.open();
        self.cycle(None)?;
        let most_rest = 2 * self.config.tail_words * (WORD_BITS / self.config.port_bits);
        let rest = self.random.random_range(0..=most_rest) as usize;
        let (mut sent, mut count) = (0, beats.len());
        for _ in 0..10 * beats.len() + PATIENCE {
            if sent + late >= count {
                self.disable()?;
            }
            if sent == count {
                break;
            }
            let was_stopped = self.stopped;
            let comes = self.random.random_range(0..4) > 0;
            sent += usize::from(self.cycle(comes.then_some(beats[sent]))?);
            if self.stopped && !was_stopped {
                count = count.min(sent + rest);
            }
            self.check_closed_reads()?;
        }
        self.check(sent == count, "it takes every beat")?;
        if self.golden.is_full() {
            // Switched on again before it is empty, it stops at once.
            self.enable = true;
            self.cycle(None)?;
        }
        self.enable = false;
        self.set(&sinks::RAM_SOURCE_IS_EMPTY, 1)?;
        for _ in 0..PATIENCE {
            self.cycle(None)?;
            if self.get(&sinks::RAM_IS_EMPTY)? == 1 {
                break;
            }
        }
        self.check(self.get(&sinks::RAM_IS_EMPTY)? == 1, "it becomes empty")?;
        self.golden.close();
        // What the memory has read while it was written is not shown.
        if self.get(&sinks::RAM_READ_READY)? == 1 {
            self.check_word()?;
        }
        self.cycle(None)?;
        self.check_pointers()
    }

    /// While the sink is open, reads give zeros and the pointer stays.
    fn check_closed_reads(&mut self) -> Result<(), Failure> {
        if !self.enable || self.random.random_range(0..20) > 0 {
            return Ok(());
        }
        self.cycle(None)?;
        let pointer = self.pointer();
        self.set(&sinks::RAM_LOADED_READ_POINTER, pointer)?;
        self.set(&sinks::RAM_LOAD_READ_POINTER, self.random.clone().random_range(0..2))?;
        self.set(&sinks::RAM_READ, 1)?;
        self.cycle(None)?;
        let (ready, word) = (self.get(&sinks::RAM_READ_READY)?, self.get(&sinks::RAM_READ_WORD)?);
        self.set(&sinks::RAM_LOAD_READ_POINTER, 0)?;
        self.set(&sinks::RAM_READ, 0)?;
        self.check((ready, word) == (1, 0), "an open sink reads as 0")
    }

    fn check_pointers(&self) -> Result<(), Failure> {
        let found = (
            self.get(&sinks::RAM_WRITE_POINTER)?,
            self.get(&sinks::RAM_WRAPPED)? == 1,
            self.get(&sinks::RAM_READ_POINTER)?,
        );
        let expected = (self.golden.write_pointer, self.golden.has_wrapped, self.reads_at);
        self.check(found == expected, &format!("pointers are {found:?} and not {expected:?}"))
    }

    /// Reads some words, from anywhere on or from where it was.
    fn read(&mut self, words: u32) -> Result<(), Failure> {
        if self.random.random() {
            let pointer = self.pointer();
            self.load_read_pointer(pointer)?;
        }
        (0..words).try_for_each(|_| self.read_word().map(drop))?;
        self.cycle(None)?;
        self.check_pointers()
    }

    fn load_read_pointer(&mut self, pointer: u32) -> Result<(), Failure> {
        self.reads_at = pointer;
        self.set(&sinks::RAM_LOADED_READ_POINTER, pointer)?;
        self.set(&sinks::RAM_LOAD_READ_POINTER, 1)?;
        self.cycle(None)?;
        Ok(self.set(&sinks::RAM_LOAD_READ_POINTER, 0)?)
    }

    fn read_word(&mut self) -> Result<u32, Failure> {
        for _ in 0..PATIENCE {
            self.set(&sinks::RAM_READ, 0)?;
            self.cycle(None)?;
            if self.get(&sinks::RAM_READ_READY)? == 1 {
                break;
            }
        }
        self.check(self.get(&sinks::RAM_READ_READY)? == 1, "a closed sink has read a word")?;
        let found = self.check_word()?;
        self.set(&sinks::RAM_READ, 1)?;
        self.cycle(None)?;
        self.set(&sinks::RAM_READ, 0)?;
        self.reads_at = self.golden.after(self.reads_at);
        Ok(found)
    }

    /// The word that is shown is the one at the read pointer.
    fn check_word(&self) -> Result<u32, Failure> {
        let found = self.get(&sinks::RAM_READ_WORD)?;
        let expected = self.golden.words()[self.reads_at as usize];
        let what = format!("{} reads as {found:#x} and not {expected:#x}", self.reads_at);
        self.check(found == expected, &what)?;
        Ok(found)
    }

    /// Other registers: the limit, the pointer that is written at, what happens at the end, a reset.
    fn settings(&mut self) -> Result<(), Failure> {
        self.golden.limit = self.pointer();
        self.golden.stops_when_full = self.random.random_range(0..3) == 0;
        self.set(&sinks::RAM_LIMIT, self.golden.limit)?;
        self.set(&sinks::RAM_STOP_WHEN_FULL, self.golden.stops_when_full.into())?;
        if self.random.random_range(0..8) == 0 {
            // In the middle of a trace, perhaps of a word, perhaps after the end of the ring.
            self.set(&sinks::RAM_SOURCE_IS_EMPTY, 0)?;
            (self.enable, self.stopped) = (true, false);
            self.golden.open();
            let most = 2 * self.config.words() * (WORD_BITS / self.config.port_bits);
            for beat in 0..self.random.random_range(2..most) {
                self.cycle(Some(beat & 1))?;
            }
            self.set(&sinks::RAM_CLEAR, 1)?;
            self.disable()?;
            self.golden.reset();
            self.cycle(None)?;
            self.cycle(None)?;
            self.check(
                self.get(&sinks::RAM_READ_READY)? == 1 && self.get(&sinks::RAM_READ_WORD)? == 0,
                "a read ends in reset",
            )?;
            self.check(self.get(&sinks::RAM_IS_EMPTY)? == 1, "it is closed in reset")?;
            self.set(&sinks::RAM_CLEAR, 0)?;
            self.reads_at = 0;
            return self.settings();
        }
        if self.random.random() {
            (self.golden.write_pointer, self.golden.has_wrapped) =
                (self.pointer(), self.random.random());
            self.set(&sinks::RAM_LOADED_WRITE_POINTER, self.golden.write_pointer)?;
            self.set(&sinks::RAM_LOADED_WRAPPED, self.golden.has_wrapped.into())?;
            self.set(&sinks::RAM_LOAD_WRITE_POINTER, 1)?;
            self.set(&sinks::RAM_LOAD_WRAPPED, 1)?;
            self.cycle(None)?;
            self.set(&sinks::RAM_LOAD_WRITE_POINTER, 0)?;
            self.set(&sinks::RAM_LOAD_WRAPPED, 0)?;
        }
        self.cycle(None)?;
        self.check_pointers()
    }

    /// Fills the whole memory, whose contents are random.
    fn fill(&mut self) -> Result<(), Failure> {
        self.golden.limit = self.config.words() - 1;
        self.set(&sinks::RAM_LIMIT, self.golden.limit)?;
        self.enable = true;
        self.golden.open();
        let beats = self.config.words() * (WORD_BITS / self.config.port_bits);
        let mut sent = 0;
        for _ in 0..2 * beats + PATIENCE as u32 {
            if sent == beats {
                break;
            }
            sent += u32::from(self.cycle(Some(sent & 1))?);
        }
        self.check(sent == beats, "it takes a whole memory")?;
        self.enable = false;
        self.set(&sinks::RAM_SOURCE_IS_EMPTY, 1)?;
        (0..4).try_for_each(|_| self.cycle(None).map(drop))?;
        self.golden.close();
        self.check_pointers()?;
        self.read(self.config.words())
    }
}

/// Does everything at random: settings, traces of any length, reads, resets. Gives the cycles.
///
/// # Errors
/// What differs between hardware and model.
pub fn run_at_random(library: &Arc<Library>, config: Config, seed: u64) -> Result<u64, Failure> {
    let mut bench = Bench::new(library, config, seed)?;
    bench.fill()?;
    for _ in 0..SESSIONS {
        bench.settings()?;
        bench.session()?;
        let words = bench.random.random_range(0..2 * config.words());
        bench.read(words)?;
    }
    Ok(bench.cycle)
}

/// Sends a trace to the sink at an uneven pace, then reads the ring. Gives its bytes, the oldest one first, and the
/// cycles.
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
    bench.golden.limit = bench.random.random_range(config.words() / 2..config.words());
    bench.set(&sinks::RAM_LIMIT, bench.golden.limit)?;
    let beats: Vec<u32> =
        beats(trace, config.port_bits).into_iter().map(|beat| beat as u32).collect();
    let late = bench.random.random_range(0..=beats.len().min(70));
    bench.send(&beats, late)?;
    let has_wrapped = bench.get(&sinks::RAM_WRAPPED)? == 1;
    let written = bench.get(&sinks::RAM_WRITE_POINTER)?;
    let (first, words) = if has_wrapped { (written, bench.golden.limit + 1) } else { (0, written) };
    bench.load_read_pointer(first)?;
    let mut image = Vec::new();
    for _ in 0..words {
        image.extend(bench.read_word()?.to_le_bytes());
    }
    let is_same = image == bench.golden.image();
    bench.check(is_same, "the ring reads as the model has it")?;
    Ok((image, bench.cycle))
}
