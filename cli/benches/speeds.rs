//! The speeds that Tracewright promises, on one core: a table beside what is asked of them.
//!
//! `cargo bench -p tracewright --bench speeds [-- REPETITIONS] [WORD...]`; every figure is the best of the repetitions, and
//! words choose the rows that have one of them in their first two columns.
//!
//! Encoders and decoders are timed by windows of some thousand events: the least time of each window in any repetition
//! counts. On a machine that is shared, no run is undisturbed, but each window is once.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::convert::Infallible;
use std::hint::black_box;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use comfy_table::{CellAlignment, Table, presets};
use tracewright_image::Image;
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Access, Event, Item, Machine};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::preset;
use tracewright_sim::program::{Program, ProgramBuilder};
use tracewright_sim::scheme::{self, Design, Encoder};
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::trace_io::{self, Format, Reader, Writer, WriterOptions};
use tracewright_testbench::stimulus::{Pace, Stimulus};
use tracewright_testbench::{BuildOptions, cosim, design};
use tracewright_working_set::{Sink, file, replay};

const WORKLOADS: [&str; 2] = ["arm-stringsearch", "rv64-djpeg"];

/// The design whose speeds are measured, with Talon's beside it where they differ.
const DESIGN: &str = "traptor-m4";

/// Programs that are decoded against their ELF files.
const ELF_FILES: [&str; 3] = ["rv32imac-sort", "rv64imac-search", "rv64imac-interpreter"];

/// Programs whose working sets are replayed.
const WORKING_SETS: [&str; 3] = ["rv32imac-crc", "rv32imac-matrix", "rv64imac-fft"];

/// Events of the synthetic program that is co-simulated.
const EVENTS: u64 = 1_000_000;

/// Events of a window.
const WINDOW: usize = 20_000;

fn main() -> Result<()> {
    let (options, words): (Vec<_>, Vec<_>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with('-'));
    let (numbers, words): (Vec<_>, Vec<_>) =
        words.into_iter().partition(|word| word.parse::<u32>().is_ok());
    // Without it, `cargo test --benches` only wants to see it run.
    let measuring = options.iter().any(|option| option == "--bench");
    let number = numbers.iter().find_map(|number| number.parse().ok());
    let repetitions = number.unwrap_or(if measuring { 10 } else { 1 });
    let mut rows = Rows::new(words);
    codecs(&mut rows, repetitions)?;
    programs(&mut rows, repetitions)?;
    co_simulations(&mut rows, repetitions.min(5))?;
    generators(&mut rows, repetitions)?;
    rows.print();
    Ok(())
}

/// The table, and the words that choose its rows.
struct Rows {
    table: Table,
    words: Vec<String>,
}

impl Rows {
    fn new(words: Vec<String>) -> Self {
        let mut table = Table::new();
        table
            .load_preset(presets::ASCII_MARKDOWN)
            .set_header(["what", "of", "figure", "asked", "unit"]);
        Self { table, words }
    }

    /// Measures a row, if it is wanted.
    fn row(
        &mut self,
        (what, of): (&str, &str),
        (asked, unit): (&str, &str),
        measure: impl FnOnce() -> Result<f64>,
    ) -> Result<()> {
        let is_named = |word: &String| what.contains(&**word) || of.contains(&**word);
        if self.words.is_empty() || self.words.iter().any(is_named) {
            let figure = format!("{:.2}", measure()?);
            self.table.add_row([what, of, &figure, asked, unit]);
        }
        Ok(())
    }

    fn print(mut self) {
        for column in [2, 3] {
            let column = self.table.column_mut(column).expect("there are five");
            column.set_cell_alignment(CellAlignment::Right);
        }
        println!("{}", self.table);
    }
}

/// Encoders, decoders and the reader of traces.
fn codecs(rows: &mut Rows, repetitions: u32) -> Result<()> {
    for name in WORKLOADS {
        let mut workload = Workload::open(name)?;
        let events = workload.events.len() as f64 / 1e6;
        for (design, of_encoder, of_decoder) in [
            (DESIGN, ">= 50", ">= 25"),
            ("talon-m", ">= 40", ">= 30"),
            ("talon-g", ">= 40", ">= 30"),
        ] {
            workload.design = design_for(design, workload.machine)?;
            let of = format!("{name}, {design}");
            rows.row(("encode", &of), (of_encoder, "M events/s"), || {
                let seconds = windows(repetitions, |windows| workload.encode(windows))?;
                Ok(events / seconds)
            })?;
            rows.row(("decode", &of), (of_decoder, "M events/s"), || {
                let encoded = workload.encode(&mut Windows::default())?;
                let seconds = windows(repetitions, |windows| workload.decode(&encoded, windows))?;
                Ok(events / seconds)
            })?;
        }
        rows.row(("read PET1", name), ("", "M events/s"), || {
            let file = workload.pet1()?;
            Ok(events / best(repetitions, || read(&file))?)
        })?;
    }
    Ok(())
}

/// What is done with programs' files and working sets.
fn programs(rows: &mut Rows, repetitions: u32) -> Result<()> {
    for name in ELF_FILES {
        rows.row(("decode against ELF", name), (">= 20", "M events/s"), || {
            let workload = Workload::of_elf(name)?;
            let encoded = workload.encode(&mut Windows::default())?;
            let seconds = windows(repetitions, |windows| workload.decode(&encoded, windows))?;
            Ok(workload.events.len() as f64 / 1e6 / seconds)
        })?;
    }
    for name in WORKING_SETS {
        rows.row(("replay", name), (">= 50", "M instructions/s"), || {
            let working_set = file::read(&std::fs::read(workload(&format!("{name}.wset")))?)?;
            let instructions = working_set.totals.instructions as f64 / 1e6;
            let replay = || Ok(replay(&working_set, &mut (), |_| {})?);
            Ok(instructions / best(repetitions.min(5), replay)?)
        })?;
    }
    Ok(())
}

/// Models in Verilog.
fn co_simulations(rows: &mut Rows, repetitions: u32) -> Result<()> {
    for (of, design, threads, pace, asked) in [
        ("synthetic, dense", DESIGN, 1, Pace::Dense, ">= 3"),
        ("synthetic, one instruction per cycle", DESIGN, 1, Pace::OneInstructionPerCycle, ">= 3"),
        ("synthetic, eight cores, dense", "mctraptor-medium-n8", 8, Pace::Dense, ">= 0.8"),
    ] {
        rows.row(("co-simulate", of), (asked, "M cycles/s"), || {
            Ok(cosimulate(design, threads, pace, repetitions)? / 1e6)
        })?;
    }
    Ok(())
}

/// What is done before hardware is made.
fn generators(rows: &mut Rows, repetitions: u32) -> Result<()> {
    rows.row(("generate", "all presets"), ("< 1", "s"), || best(repetitions.min(5), generate_all))?;
    rows.row(("estimate", "a preset"), ("< 10", "microseconds"), || {
        let designs = preset::all().map(|preset| Design::preset(preset.name));
        let designs = designs.collect::<Result<Vec<_>, _>>()?;
        let estimate = || Ok(designs.iter().map(Design::estimated_gates).sum::<u32>());
        Ok(1e6 * best(repetitions, estimate)? / designs.len() as f64)
    })
}

/// A preset with the addresses of a machine.
fn design_for(preset: &str, machine: Machine) -> Result<Design> {
    let mut design = Design::preset(preset)?;
    design.set("address_width", &machine.address_bits.to_string())?;
    Ok(design.for_machine(machine)?)
}

/// A file of `workloads/`.
fn workload(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../workloads").join(name)
}

/// Seconds of the fastest of so many runs.
fn best<T>(repetitions: u32, mut run: impl FnMut() -> Result<T>) -> Result<f64> {
    let mut fastest = f64::INFINITY;
    for _ in 0..repetitions.max(1) {
        let start = Instant::now();
        black_box(run()?);
        fastest = fastest.min(start.elapsed().as_secs_f64());
    }
    Ok(fastest)
}

/// The least seconds of each window of events in any repetition.
#[derive(Default)]
struct Windows {
    seconds: Vec<f64>,
    /// The window at hand, when it began, and its events so far.
    window: usize,
    start: Option<Instant>,
    events: usize,
}

impl Windows {
    fn begin(&mut self) {
        (self.window, self.start, self.events) = (0, Some(Instant::now()), 0);
    }

    #[inline]
    fn event(&mut self) {
        self.events += 1;
        if self.events == WINDOW {
            self.next();
        }
    }

    /// Ends a window, and begins the next one.
    #[cold]
    fn next(&mut self) {
        let now = Instant::now();
        let seconds = now - self.start.replace(now).unwrap_or(now);
        match self.seconds.get_mut(self.window) {
            Some(least) => *least = least.min(seconds.as_secs_f64()),
            None => self.seconds.push(seconds.as_secs_f64()),
        }
        (self.window, self.events) = (self.window + 1, 0);
    }
}

/// Seconds of so many runs, each of which tells of its events, by windows.
fn windows<T>(repetitions: u32, mut run: impl FnMut(&mut Windows) -> Result<T>) -> Result<f64> {
    let mut windows = Windows::default();
    for _ in 0..repetitions.max(1) {
        windows.begin();
        black_box(run(&mut windows)?);
        windows.next();
    }
    Ok(windows.seconds.iter().sum())
}

/// A real trace in memory, and a design for its machine.
struct Workload {
    machine: Machine,
    events: Vec<Event>,
    items: Vec<Item>,
    program: Program,
    design: Design,
}

impl Workload {
    fn open(name: &str) -> Result<Workload> {
        let reader = trace_io::open(workload(&format!("{name}.pet.zst")))?;
        let machine = reader.machine();
        let mut events = reader.collect::<Result<Vec<_>, _>>()?;
        let mut builder = ProgramBuilder::new(machine);
        events.iter().try_for_each(|event| builder.event(event))?;
        let program = builder.finish()?;
        for event in events.iter_mut().filter(|event| event.call) {
            event.length = program.call_length(event.program_counter).unwrap_or_default();
        }
        Workload::new(machine, events, program)
    }

    /// The run of a working set, and the program's file.
    fn of_elf(name: &str) -> Result<Workload> {
        let working_set = file::read(&std::fs::read(workload(&format!("{name}.wset")))?)?;
        let mut events = Events(Vec::new());
        replay(&working_set, &mut events, |_| {})?;
        let image = Image::open(&workload(&format!("{name}.elf")), 0)?;
        let machine = image.machine();
        let program = Program::of_code(machine, Arc::new(image), None)?;
        Workload::new(machine, events.0, program)
    }

    fn new(machine: Machine, events: Vec<Event>, program: Program) -> Result<Workload> {
        let items = events.iter().copied().map(Item::from).collect();
        Ok(Workload { machine, events, items, program, design: design_for(DESIGN, machine)? })
    }

    fn encode(&self, windows: &mut Windows) -> Result<Vec<u8>> {
        let mut encoder = Encoder::new(&self.design)?;
        let mut packer = BitPacker::new();
        for block in self.items.chunks(WINDOW) {
            encoder.items(block, &mut packer)?;
            windows.next();
        }
        encoder.flush(&mut packer);
        Ok(packer.finish())
    }

    fn decode(&self, encoded: &[u8], windows: &mut Windows) -> Result<u64> {
        let mut targets = 0;
        let mut bits = BitUnpacker::new(encoded);
        let summary = scheme::decode(&self.design, &self.program, &mut bits, u64::MAX, |event| {
            targets ^= event.target;
            windows.event();
            Ok::<_, anyhow::Error>(())
        })?;
        anyhow::ensure!(
            summary.events == self.events.len() as u64,
            "not the trace that was encoded"
        );
        Ok(targets)
    }

    fn pet1(&self) -> Result<Vec<u8>> {
        let options = WriterOptions { format: Format::Pet1, ..WriterOptions::default() };
        let mut writer = Writer::new(Vec::new(), self.machine, options)?;
        self.events.iter().try_for_each(|event| writer.write(event))?;
        Ok(writer.finish()?)
    }
}

/// The events of a replay.
struct Events(Vec<Event>);

impl Sink for Events {
    type Error = tracewright_working_set::Error;

    const DATA: bool = false;

    fn event(&mut self, event: &Event) -> Result<(), Self::Error> {
        self.0.push(*event);
        Ok(())
    }

    fn access(&mut self, _: &Access) -> Result<(), Self::Error> {
        Ok(())
    }
}

fn read(file: &[u8]) -> Result<u64> {
    let mut reader = Reader::new(Cursor::new(file.to_vec()))?;
    let (mut items, mut targets) = (Vec::new(), 0);
    loop {
        reader.read(&mut items, WINDOW)?;
        if items.is_empty() {
            return Ok(targets);
        }
        for item in &items {
            if let Item::Event(event) = item {
                targets ^= event.target;
            }
        }
    }
}

/// Clocks a second on a synthetic program, golden encoder and comparison included.
fn cosimulate(design: &str, threads: u8, pace: Pace, repetitions: u32) -> Result<f64> {
    let synthetic = Synthetic::new(Options { events: EVENTS, threads, ..Options::from_seed(3) })?;
    let design = design_for(design, synthetic.machine())?;
    let library = design::library(&design, &BuildOptions::default())?;
    let events: Vec<Event> = synthetic.collect();
    let options =
        cosim::Options { stimulus: Stimulus { pace, ..Stimulus::default() }, ..Default::default() };
    let mut fastest = 0.0f64;
    for _ in 0..repetitions.max(1) {
        let events = events.iter().map(|event| Ok::<_, Infallible>(*event));
        let report = cosim::run(&library, Encoder::new(&design)?, events, &options)?;
        anyhow::ensure!(report.passed(), "{:?}", report.failure);
        fastest = fastest.max(report.cycles_per_second());
    }
    Ok(fastest)
}

/// Generates the Verilog of every preset, and gives its bytes.
fn generate_all() -> Result<usize> {
    let mut bytes = 0;
    for preset in preset::all() {
        let generated = tracewright_hdl::generate(&Design::preset(preset.name)?)?;
        bytes += generated.files.iter().map(|(_, text)| text.len()).sum::<usize>();
    }
    Ok(bytes)
}
