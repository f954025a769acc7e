//! The RAM sink in Verilator against its model, with everything at random.

use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_hdl::Generated;
use tracewright_sim::ram_sink::{Config, RamSink, WORD_BITS};
use tracewright_sim::scheme::Design;
use tracewright_testbench::lint::lint;
use tracewright_testbench::{BuildOptions, Library, Model, design::source};

/// Cycles in which anything must have ended.
const PATIENCE: usize = 200;

/// The sink of a design whose trace port has this width.
pub fn sink(bytes: u32, port_bits: u32, reset: &str) -> (Generated, Config) {
    let mut design = Design::preset("traptor-m4").unwrap();
    design.set("trace_port_width", &port_bits.to_string()).unwrap();
    design.set("reset", reset).unwrap();
    let config = Config { bytes, port_bits };
    (tracewright_hdl::generate_ram_sink(&design, &config).unwrap(), config)
}

struct Bench {
    model: Model,
    random: ChaCha8Rng,
    golden: RamSink,
    config: Config,
    /// The word that is read next.
    reads_at: u32,
    enable: bool,
    stopped: bool,
}

impl Bench {
    fn new(library: &Arc<Library>, config: Config, seed: u64) -> Bench {
        let mut model = Model::new(library, seed).unwrap();
        model.reset(2).unwrap();
        let random = ChaCha8Rng::seed_from_u64(seed);
        let golden = RamSink::new(&config);
        Bench { model, random, golden, config, reads_at: 0, enable: false, stopped: false }
    }

    fn set(&mut self, pin: &str, value: u32) {
        let pin = self.model.library().input_of_any_width(pin).unwrap().0;
        self.model.set(pin, value.into());
    }

    fn get(&self, pin: &str) -> u32 {
        let pin = self.model.library().output_of_any_width(pin).unwrap().0;
        self.model.get(pin) as u32
    }

    fn pointer(&mut self) -> u32 {
        self.random.random_range(0..self.config.words())
    }

    /// A cycle with a beat or none.
    fn cycle(&mut self, beat: Option<u32>) -> Result<bool, String> {
        self.set("enable", self.enable.into());
        self.set("trace_valid", beat.is_some().into());
        // What is no beat is anything.
        let data = beat.unwrap_or_else(|| self.random.random());
        self.set("trace_data", data);
        self.model.cycle().map_err(|error| error.to_string())?;
        let takes = beat.is_some() && self.get("trace_ready") == 1;
        let was_open = self.golden.is_open();
        if let Some(beat) = beat.filter(|_| takes) {
            self.golden.beat(beat);
        }
        let stops = was_open && !self.golden.is_open();
        // The word that zeros fill up may be the last one of the ring, when the sink is off in any case.
        let is_filled_up = beat.is_none() && !self.enable;
        let is_same = (self.get("stopped") == 1) == stops;
        check(is_same || is_filled_up, "it stops where the model does")?;
        // The register of `enable` is cleared then.
        self.enable &= !stops;
        self.stopped |= stops;
        Ok(takes)
    }

    /// Switches the sink on, sends beats, switches it off.
    fn session(&mut self) -> Result<(), String> {
        self.set("source_is_empty", 0);
        (self.enable, self.stopped) = (true, false);
        self.golden.open();
        self.cycle(None)?;
        let beats_per_word = WORD_BITS / self.config.port_bits;
        let most =
            3 * self.config.words() * beats_per_word / if self.random.random() { 1 } else { 8 };
        let beats = self.random.random_range(0..most);
        let late = self.random.random_range(0..=beats.min(70));
        let mut sent = 0;
        for _ in 0..10 * beats as usize + PATIENCE {
            if sent == beats - late {
                // The rest of the trace comes after the sink was switched off.
                self.enable = false;
            }
            if sent == beats || self.stopped {
                break;
            }
            let port = u32::MAX >> (32 - self.config.port_bits);
            let beat =
                (self.random.random_range(0..4) > 0).then(|| self.random.random::<u32>() & port);
            sent += u32::from(self.cycle(beat)?);
            self.check_closed_reads()?;
        }
        check(sent == beats || self.stopped, "it takes every beat")?;
        for _ in 0..if self.stopped { 6 } else { 0 } {
            let takes = self.cycle(Some(1))?;
            check(!takes, "a ring that is full takes no beat")?;
        }
        self.enable = false;
        self.set("source_is_empty", 1);
        for _ in 0..PATIENCE {
            self.cycle(None)?;
            if self.get("is_empty") == 1 {
                break;
            }
        }
        check(self.get("is_empty") == 1, "it becomes empty")?;
        self.golden.close();
        self.cycle(None)?;
        self.check_pointers()
    }

    /// While the sink is open, reads give zeros and the pointer stays.
    fn check_closed_reads(&mut self) -> Result<(), String> {
        if !self.enable || self.random.random_range(0..20) > 0 {
            return Ok(());
        }
        self.cycle(None)?;
        let pointer = self.pointer();
        self.set("loaded_read_pointer", pointer);
        self.set("load_read_pointer", self.random.clone().random_range(0..2));
        self.set("read", 1);
        self.cycle(None)?;
        let (ready, word) = (self.get("read_ready"), self.get("read_word"));
        self.set("load_read_pointer", 0);
        self.set("read", 0);
        check((ready, word) == (1, 0), "an open sink reads as 0")
    }

    fn check_pointers(&self) -> Result<(), String> {
        let found = (self.get("write_pointer"), self.get("wrapped") == 1, self.get("read_pointer"));
        let expected = (self.golden.write_pointer, self.golden.has_wrapped, self.reads_at);
        check(found == expected, &format!("pointers are {found:?} and not {expected:?}"))
    }

    /// Reads some words.
    fn read(&mut self, words: u32) -> Result<(), String> {
        if self.random.random() {
            self.reads_at = self.pointer();
            self.set("loaded_read_pointer", self.reads_at);
            self.set("load_read_pointer", 1);
            self.cycle(None)?;
            self.set("load_read_pointer", 0);
        }
        for _ in 0..words {
            for _ in 0..PATIENCE {
                self.set("read", 0);
                self.cycle(None)?;
                if self.get("read_ready") == 1 {
                    break;
                }
            }
            let (found, expected) =
                (self.get("read_word"), self.golden.words()[self.reads_at as usize]);
            check(
                found == expected,
                &format!("{} reads as {found:#x} and not {expected:#x}", self.reads_at),
            )?;
            self.set("read", 1);
            self.cycle(None)?;
            self.set("read", 0);
            self.reads_at = self.golden.after(self.reads_at);
        }
        self.cycle(None)?;
        self.check_pointers()
    }

    /// Other registers: the limit, the pointer that is written at, what happens at the end, a reset.
    fn settings(&mut self) -> Result<(), String> {
        self.golden.limit = self.pointer();
        self.golden.stops_when_full = self.random.random_range(0..3) == 0;
        self.set("limit", self.golden.limit);
        self.set("stop_when_full", self.golden.stops_when_full.into());
        if self.random.random_range(0..8) == 0 {
            // In the middle of a word.
            (self.enable, self.stopped) = (true, false);
            self.golden.open();
            for beat in 0..3 {
                self.cycle(Some(beat & 1))?;
            }
            self.set("clear", 1);
            self.enable = false;
            self.golden.reset();
            self.cycle(None)?;
            self.cycle(None)?;
            check(
                self.get("read_ready") == 1 && self.get("read_word") == 0,
                "a read ends in reset",
            )?;
            self.set("clear", 0);
            self.reads_at = 0;
            return self.settings();
        }
        if self.random.random() {
            (self.golden.write_pointer, self.golden.has_wrapped) =
                (self.pointer(), self.random.random());
            self.set("loaded_write_pointer", self.golden.write_pointer);
            self.set("loaded_wrapped", self.golden.has_wrapped.into());
            self.set("load_write_pointer", 1);
            self.set("load_wrapped", 1);
            self.cycle(None)?;
            self.set("load_write_pointer", 0);
            self.set("load_wrapped", 0);
        }
        self.cycle(None)?;
        self.check_pointers()
    }

    /// Fills the whole memory, whose contents are random.
    fn fill(&mut self) -> Result<(), String> {
        self.golden.limit = self.config.words() - 1;
        self.set("limit", self.golden.limit);
        self.enable = true;
        self.golden.open();
        let beats = self.config.words() * (WORD_BITS / self.config.port_bits);
        let mut sent = 0;
        while sent < beats {
            sent += u32::from(self.cycle(Some(sent & 1))?);
        }
        self.enable = false;
        self.set("source_is_empty", 1);
        (0..4).try_for_each(|_| self.cycle(None).map(drop))?;
        self.golden.close();
        self.check_pointers()?;
        self.read(self.config.words())
    }
}

fn check(holds: bool, what: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what.into()) }
}

/// Everything at random; what differs from the model.
pub fn run(library: &Arc<Library>, config: Config, seed: u64) -> Result<(), String> {
    let mut bench = Bench::new(library, config, seed);
    bench.fill()?;
    for _ in 0..60 {
        bench.settings()?;
        bench.session()?;
        let words = bench.random.random_range(0..2 * config.words());
        bench.read(words)?;
    }
    Ok(())
}

#[test]
fn the_sink_does_what_its_model_does() {
    for (bytes, port_bits, reset) in [
        (64, 1, "synchronous"),
        (256, 8, "asynchronous"),
        (128, 16, "synchronous"),
        (512, 32, "synchronous"),
    ] {
        let (generated, config) = sink(bytes, port_bits, reset);
        let findings = lint(&source(&generated).files, &generated.top).unwrap();
        assert!(findings.is_empty(), "{config:?}: {}", findings[0]);
        let library = source(&generated).build(&BuildOptions::default()).unwrap();
        for seed in 1..4 {
            run(&library, config, seed)
                .unwrap_or_else(|what| panic!("{config:?}, seed {seed}: {what}"));
        }
    }
}
