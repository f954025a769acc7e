//! `tracewright encode`: encodes a trace with the golden encoder.

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;
use tracewright_image::list::Placed;
use tracewright_sim::bits_file::{BitsWriter, Header};
use tracewright_sim::event::{Item, Machine};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::trace_io::Reader;
use tracewright_verification::trace::{self, Addresses, Blocks, Calls, Prepare};

use crate::pipeline::addresses;
use crate::pipeline::design::{self, Changes};
use crate::pipeline::events;
use crate::pipeline::failure::usage;
use crate::pipeline::filter::FilterArguments;
use crate::pipeline::limits;
use crate::pipeline::paths::{Input, OutputFile};
use crate::pipeline::print::{self, counted, ratio};
use crate::pipeline::program_files::{CodeArguments, Followed};
use crate::pipeline::progress::Progress;
use crate::pipeline::standard::Standard;

mod standard;

/// Encode a trace as the hardware does
#[derive(Args)]
#[command(after_help = "\
A trace without the lengths of calls is read twice: first to infer them from the targets of
returns. Traces of `capture` have them, and may come from standard input. A design that traces data
addresses encodes the trace's data records, which the trace must have.

Examples:
  tracewright encode traptor-m4 run.pet.zst -o run.bits
  tracewright encode my.toml run.pet.zst -o run.bits --set trace_port_width=4 --json
  tracewright encode etrace-base run.pet.zst -o dump.bin --standard etrace --encoder encoder.toml")]
pub struct Arguments {
    /// A preset or a TOML file
    design: String,
    /// The trace to encode
    trace: Input,
    /// Write the encoded file here; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: OutputFile,
    /// Write a dump that decoders of this standard read (docs/standard_trace.md): the payloads alone, for a design of the
    /// standard's scheme
    #[arg(long, value_name = "NAME")]
    standard: Option<Standard>,
    /// With --standard, write the parameters that such a decoder needs to this file
    #[arg(long, value_name = "FILE.toml", requires = "standard")]
    encoder: Option<OutputFile>,
    /// Take the lengths of instructions from this ELF file of the program, with its load address if it is
    /// position-independent; a design with `exact_lengths` needs them of all, and a trace has those of calls
    #[arg(long, value_name = "FILE[@ADDRESS]")]
    program: Option<Placed>,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    filter: FilterArguments,
    /// Print JSON: an object with design, trace, output, events, instructions, bits, padding_bits, bits_per_instruction
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Done {
    design: String,
    trace: String,
    output: String,
    events: u64,
    instructions: u64,
    bits: u64,
    padding_bits: u64,
    bits_per_instruction: f64,
}

impl Done {
    fn sentence(&self) -> String {
        format!(
            "{}: {}, {} -> {}, {:.4} bits per instruction\n",
            self.design,
            counted(self.events, "event"),
            counted(self.instructions, "instruction"),
            counted(self.bits, "bit"),
            self.bits_per_instruction
        )
    }
}

/// Items of a trace that can be read only once, from which the design takes what it takes of the trace's addresses.
const FIRST_ITEMS: usize = 1 << 16;

/// The design as it is for a trace, and the items that were read to know that.
fn fitted(
    design: &Design,
    path: &Input,
    calls: &Calls,
    reader: &mut Reader,
) -> Result<(Design, Vec<Item>)> {
    let design = design::for_machine(design, reader.machine())?;
    let mut first = Vec::new();
    // What can be read only once says it in its first items, or never.
    let addresses = if path.is_stdin() || events::is_pipe(path) {
        let mut addresses = Addresses::default();
        reader.read(&mut first, FIRST_ITEMS)?;
        first.iter().for_each(|item| addresses.add(item));
        addresses
    } else {
        calls.addresses(path, &design, limits::events())?
    };
    addresses::note(path, "encoded with", std::slice::from_ref(&design), &addresses);
    Ok((addresses.fit(design), first))
}

/// A trace that is being encoded, with the lengths of calls.
struct Items {
    first: Vec<Item>,
    blocks: Blocks<Calls>,
}

impl Items {
    /// Passes all items to `take`, block by block. Checks at the end that the lengths of calls were those of this trace,
    /// and gives the reader back.
    fn each_block(
        mut self,
        path: &Input,
        mut take: impl FnMut(&[Item]) -> Result<()>,
    ) -> Result<Reader> {
        take(&self.first)?;
        while let Some(block) = self.blocks.next_block()? {
            take(block)?;
        }
        let (reader, calls) = self.blocks.finish();
        calls.check(path, &reader)?;
        Ok(reader)
    }
}

/// A trace, and the design as it is for it.
struct Source {
    design: Design,
    machine: Machine,
    items: Items,
}

/// Opens the trace.
fn open(arguments: &Arguments, progress: &Progress) -> Result<Source> {
    let design = design::load(&arguments.design, &arguments.changes)?;
    let path = &arguments.trace;
    let mut is_again = false;
    let (mut calls, mut reader) = trace::open_for_encoding(path, progress, || {
        if std::mem::replace(&mut is_again, true) {
            events::rereadable([path])?;
        }
        anyhow::Ok(events::open(path, progress)?)
    })?;
    let machine = reader.machine();
    if let Some(placed) = &arguments.program {
        let followed = Followed::of_file(placed, CodeArguments::default())?;
        calls = calls.of_program(followed.program(machine, path, &placed.path)?.into_owned());
    }
    if design.traces_data() && !reader.extensions().data {
        return Err(usage(format_args!(
            "{} traces data addresses, and {} has no data records: expected a trace with them, as `capture --data` writes it",
            design.name,
            path.display()
        )));
    }
    reader.follow_fingerprint(design.traces_data());
    let (design, mut first) = fitted(&design, path, &calls, &mut reader)?;
    calls.prepare(&mut first);
    Ok(Source { design, machine, items: Items { first, blocks: Blocks::prepared(reader, calls) } })
}

/// The encoder of a design.
fn encoder(design: &Design, arguments: &Arguments) -> Result<Encoder> {
    Ok(Encoder::new(design)?.filtered(design, arguments.filter.settings())?)
}

/// The trace for messages.
fn named(arguments: &Arguments) -> String {
    arguments.trace.display().to_string()
}

/// Runs the command.
///
/// # Errors
/// When the design, the trace or the output is bad.
pub fn run(arguments: &Arguments) -> Result<()> {
    let progress = events::progress_of([&arguments.trace], 2);
    let source = open(arguments, &progress)?;
    if let Some(standard) = arguments.standard {
        return standard::run(arguments, source, standard);
    }
    let Source { design, machine, items } = source;
    let mut encoder = encoder(&design, arguments)?;
    let output = arguments.output.create()?;
    let name = output.name(&arguments.output);
    let header = Header { design, machine };
    let mut writer = BitsWriter::new(output, &name, &header)?;
    let reader = items.each_block(&arguments.trace, |block| {
        let encoded = encoder.items(block, &mut writer);
        // An error of the output came before.
        writer.check()?;
        encoded.with_context(|| named(arguments))
    })?;
    encoder.flush(&mut writer);
    let fingerprint = reader.fingerprint().unwrap_or_default();
    writer.count(reader.events(), reader.instructions(), fingerprint);
    let (output, totals) = writer.finish()?;
    output.commit()?;

    if arguments.output.is_stdout() {
        return Ok(());
    }
    let done = Done {
        design: header.design.name,
        trace: named(arguments),
        output: name,
        events: totals.events,
        instructions: totals.instructions,
        bits: totals.bits,
        padding_bits: totals.padding,
        bits_per_instruction: ratio(totals.bits, totals.instructions),
    };
    if arguments.json { print::json(&done) } else { print::sentences(&done.sentence()) }
}
