//! The speeds that Tracewright promises, on one core: a table beside what is asked of them.
//!
//! `cargo bench -p tracewright --bench speeds [-- REPETITIONS]`; every figure is the best of them.

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
use tracewright_sim::event::{Access, Event, Machine};
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

fn main() -> Result<()> {
    let number = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    // Without it, `cargo test --benches` only wants to see it run.
    let measuring = std::env::args().any(|argument| argument == "--bench");
    let repetitions = number.unwrap_or(if measuring { 10 } else { 1 });
    let mut table = Table::new();
    table
        .load_preset(presets::ASCII_MARKDOWN)
        .set_header(["what", "of", "figure", "asked", "unit"]);
    let mut row = |what: &str, of: &str, figure: f64, asked: &str, unit: &str| {
        table.add_row([what, of, &format!("{figure:.2}"), asked, unit]);
    };
    for name in WORKLOADS {
        let mut workload = Workload::open(name)?;
        let events = workload.events.len() as f64 / 1e6;
        for (design, of_encoder, of_decoder) in
            [(DESIGN, ">= 50", ">= 25"), ("talon-m", ">= 25", ">= 15")]
        {
            workload.design = design_for(design, workload.machine)?;
            let of = format!("{name}, {design}");
            let encoded = workload.encode()?;
            let encode = best(repetitions, || workload.encode())?;
            row("encode", &of, events / encode, of_encoder, "M events/s");
            let decode = best(repetitions, || workload.decode(&encoded))?;
            row("decode", &of, events / decode, of_decoder, "M events/s");
        }
        let file = workload.pet1()?;
        row("read PET1", name, events / best(repetitions, || read(&file))?, "", "M events/s");
    }
    for name in ELF_FILES {
        let workload = Workload::of_elf(name)?;
        let events = workload.events.len() as f64 / 1e6;
        let encoded = workload.encode()?;
        let decode = best(repetitions, || workload.decode(&encoded))?;
        row("decode against ELF", name, events / decode, ">= 20", "M events/s");
    }
    for name in WORKING_SETS {
        let bytes = std::fs::read(workload(&format!("{name}.wset")))?;
        let working_set = file::read(&bytes)?;
        let instructions = working_set.totals.instructions as f64 / 1e6;
        let seconds = best(repetitions.min(5), || Ok(replay(&working_set, &mut (), |_| {})?))?;
        row("replay", name, instructions / seconds, ">= 50", "M instructions/s");
    }
    for (of, pace) in [
        ("synthetic, dense", Pace::Dense),
        ("synthetic, one instruction per cycle", Pace::OneInstructionPerCycle),
    ] {
        let figure = cosimulate(pace, repetitions.min(5))? / 1e6;
        row("co-simulate", of, figure, ">= 3", "M cycles/s");
    }
    let seconds = best(repetitions.min(5), generate_all)?;
    row("generate", "all presets", seconds, "< 1", "s");
    let designs = preset::all().map(|preset| Design::preset(preset.name));
    let designs = designs.collect::<Result<Vec<_>, _>>()?;
    let estimate = || Ok(designs.iter().map(Design::estimated_gates).sum::<u32>());
    let seconds = best(repetitions, estimate)? / designs.len() as f64;
    row("estimate", "a preset", 1e6 * seconds, "< 10", "microseconds");
    for column in [2, 3] {
        table.column_mut(column).expect("there are five").set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}");
    Ok(())
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

/// A real trace in memory, and a design for its machine.
struct Workload {
    machine: Machine,
    events: Vec<Event>,
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
        Ok(Workload { machine, events, program, design: design_for(DESIGN, machine)? })
    }

    fn encode(&self) -> Result<Vec<u8>> {
        let mut encoder = Encoder::new(&self.design)?;
        let mut packer = BitPacker::new();
        for event in &self.events {
            encoder.event(event, &mut packer)?;
        }
        encoder.flush(&mut packer);
        Ok(packer.finish())
    }

    fn decode(&self, encoded: &[u8]) -> Result<u64> {
        let mut targets = 0;
        let mut bits = BitUnpacker::new(encoded);
        let summary = scheme::decode(&self.design, &self.program, &mut bits, u64::MAX, |event| {
            targets ^= event.target;
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
    let mut targets = 0;
    while let Some(event) = reader.next_event()? {
        targets ^= event.target;
    }
    Ok(targets)
}

/// Clocks a second on a synthetic program, golden encoder and comparison included.
fn cosimulate(pace: Pace, repetitions: u32) -> Result<f64> {
    let synthetic = Synthetic::new(Options { events: EVENTS, ..Options::from_seed(3) })?;
    let design = design_for(DESIGN, synthetic.machine())?;
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
