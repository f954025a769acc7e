//! `tracewright decode`: decodes an encoded file, given the program, into a trace.

use std::io::Read;

use anyhow::{Result, anyhow};
use clap::Args;
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::{Item, Machine};
use tracewright_sim::scheme::{self, Design};
use tracewright_sim::trace_io::{Extensions, Format, Writer, WriterOptions};

use crate::pipeline::aside::Ended;
use crate::pipeline::contexts::{Contexts, Decodable};
use crate::pipeline::doubt::broken_off;
use crate::pipeline::encoded::{Encoded, EncodedArguments, PROGRESS_EVENTS, check_totals};
use crate::pipeline::encoder_arguments::EncoderArgument;
use crate::pipeline::events;
use crate::pipeline::failure::usage;
use crate::pipeline::format::{self, FormatName};
use crate::pipeline::limits;
use crate::pipeline::output::{self, Output};
use crate::pipeline::parts::{self, Forms};
use crate::pipeline::paths::{Input, OutputFile};
use crate::pipeline::print;
use crate::pipeline::program_arguments::ProgramArguments;
use crate::pipeline::program_counters::ProgramCounters;
use crate::pipeline::program_files::Followed;
use crate::pipeline::progress::{self, Progress};
use crate::pipeline::standard::Standard;

mod messages;
mod packets;
mod result;
mod shown;
mod standard;
mod times;

use result::Done;
use times::{Times, open_times};

/// Decode an encoded trace, given the program that was traced
#[derive(Args)]
#[command(override_usage = "\
tracewright decode [OPTIONS] --output <FILE> --program <FILE> <ENCODED>
       tracewright decode [OPTIONS] --output <FILE> --images <FILE> <ENCODED>")]
#[command(after_help = "\
The program is given as its ELF file, with the shared libraries that were loaded with it, or is
learned from a trace. The output is written only if every event is decoded and equals what was
encoded; a fingerprint in the encoded file ensures this. A --raw capture has no fingerprint.

A trace that does not decode from some place on (its code is missing, or it is damaged) gives what
comes before as back.part-1.pet.zst for -o back.pet.zst, with exit status 3.

A trace of packets (docs/packets.md) may begin, end or be damaged anywhere. If parts of it are
missing, each part that is there is written as a trace of its own, back.part-1.pet.zst and so on,
the gaps are printed, and the exit status is 3, or 0 with --allow-gaps. Events of a packet in which
the trace ends are given as unverified, because its checksum is missing. If its design traces
contexts, each may have a program of its own.

An encoded trace of data addresses has only addresses: --program must then be a trace of the same
execution with its data records. Their addresses are not used.

Examples:
  tracewright decode run.bits --program prog.elf -o back.pet.zst
  tracewright decode run.bits --images run.images -o back.pet.zst
  tracewright decode run.bits --program prog@0x4000000000 --image libc.so.6@0x4000828000 -o back.pet.zst
  tracewright decode run.bits --program kernel.elf --program 3=user.elf -o back.pet.zst
  tracewright decode run.bits --program run.pet.zst -o back.pet.zst
  tracewright decode run.bits --program prog.elf -o back.pet.zst --program-counters run.txt
  tracewright decode run.bits --program run.pet.zst -o back.pet.zst --times times.csv
  tracewright decode --raw --design traptor-m4 pins.bin --program run.pet.zst -o back.txt
  tracewright decode --source 2 --design traptor-m4 funnel.bin --program run.pet.zst -o back.txt
  tracewright decode --ring --design my.toml buffer.bin --program prog.elf -o last.pet.zst
  tracewright decode --ram-sink 0x7c1 --design my.toml memory.bin --program prog.elf -o last.pet.zst
  tracewright decode --standard etrace --encoder encoder.toml dump.bin --program prog.elf -o back.pet.zst")]
pub struct Arguments {
    /// The encoded file
    #[arg(value_name = "ENCODED")]
    file: Input,
    #[command(flatten)]
    program: ProgramArguments,
    /// Write the decoded trace here; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: OutputFile,
    /// Choose the format of the output; the default follows the ending of its name
    #[arg(long)]
    format: Option<FormatName>,
    /// Write the time stamp of each record, or the time of each packet or payload, if the design has them, to a CSV file of
    /// core, cycle or time, and number of the core's events so far
    #[arg(long, value_name = "FILE")]
    times: Option<OutputFile>,
    /// Write the address of every retired instruction, one per line, after the thread's number if the design has
    /// several cores, and lines that begin with # for gaps and for what was attempted and did not retire; needs an ELF
    /// file as --program
    #[arg(long, value_name = "FILE")]
    program_counters: Option<OutputFile>,
    /// Read a dump of another encoder that follows this standard (docs/standard_trace.md)
    #[arg(long, value_name = "NAME")]
    #[arg(group = "encoder_is_known")]
    #[arg(conflicts_with_all = ["set", "fingerprint", "raw", "ring", "source", "uart"])]
    standard: Option<Standard>,
    /// Take the parameters of that encoder from this file, by the names of the specification, from a word for a vendor
    /// (sifive, rv-tracer, esp32, siemens), or one of them as KEY=VALUE; can be repeated
    #[arg(long, value_name = "FILE.toml", requires = "standard")]
    encoder: Vec<EncoderArgument>,
    /// Write what a dump of N-Trace says beside the execution to this file: what the program has written to the trace, events
    /// and samples, in lines, or for ui.perfetto.dev if the name ends with .json
    #[arg(long, value_name = "FILE", requires = "standard")]
    messages: Option<OutputFile>,
    /// Take only this source of that encoder's dump, as thread 0; without it, each of up to eight is a thread
    #[arg(long, value_name = "NUMBER", requires = "standard")]
    hart: Option<u32>,
    #[command(flatten)]
    encoded: EncodedArguments,
    /// Print JSON: an object with design, file, program, output, events, accesses, instructions, records,
    /// verified; for a trace of packets also packets, complete, lost_instructions, gap_bits, damage,
    /// parts and gaps; with
    /// --standard an object with standard, file, program, output, payloads, events, instructions, exceptions (taken
    /// ones), left_out (instructions after the last event of a part), sources, parts, gaps
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// When the file, the program or the output is bad, or they do not belong together.
pub fn run(arguments: &Arguments) -> Result<()> {
    if let Some(standard) = arguments.standard {
        return standard::run(arguments, standard.parameters(&arguments.encoder)?);
    }
    let format = format::of_output(&arguments.output, arguments.format)?;
    let encoded = arguments.encoded.open(&arguments.file)?;
    let contexts = arguments.program.load()?;
    let encoded = encoded.of(contexts.other.machine())?;
    if encoded.design.framing().is_some() {
        return packets::run(arguments, format, &contexts, encoded);
    }
    if let Some(standard) = encoded.standard(contexts.other.image().is_some()) {
        return standard::run_encoded(arguments, encoded, standard);
    }
    let forms = Forms::new(&arguments.output)?;
    let output = arguments.output.create_held()?;
    let name = output.name(&arguments.output);
    let destination = Destination { output, name: &name, format };
    let verified = encoded.reader.is_some();
    let design = encoded.design.clone();
    let decoded = decode_file(arguments, &contexts, encoded, destination)?;
    forms.written_whole()?;
    if arguments.output.is_stdout() {
        return Ok(());
    }
    let done = Done {
        design: design.name,
        file: arguments.file.display().to_string(),
        program: arguments.program.path().display().to_string(),
        output: name,
        events: decoded.events,
        accesses: decoded.accesses,
        instructions: decoded.instructions,
        records: decoded.records,
        verified,
        packets: None,
    };
    match arguments.json {
        true => print::json(&done),
        false => print::sentences(&done.sentence()),
    }
}

/// The file of the decoded trace.
struct Destination<'a> {
    output: Output,
    name: &'a str,
    format: Format,
}

/// Decodes a file. One that has the totals of the execution is compared with them.
fn decode_file(
    arguments: &Arguments,
    contexts: &Contexts,
    encoded: Encoded<'_>,
    destination: Destination<'_>,
) -> Result<Decoded> {
    let traced = Traced::new(arguments, contexts, encoded.machine, &encoded.design)?;
    let writer = traced.writer(destination)?;
    let most = encoded.most_instructions();
    let Some(mut reader) = encoded.reader else {
        let (decoded, outputs) = decode(arguments, &traced, encoded.bare()?, most, writer)?;
        outputs.commit()?;
        return Ok(decoded);
    };
    let (decoded, outputs) = decode(arguments, &traced, &mut reader, most, writer)?;
    let found = (decoded.events, decoded.instructions, decoded.fingerprint);
    check_totals(&arguments.file, arguments.program.path(), reader.totals(), found)?;
    outputs.commit()?;
    Ok(decoded)
}

struct Decoded {
    events: u64,
    accesses: u64,
    instructions: u64,
    records: u64,
    fingerprint: u64,
}

/// The output files: the decoded trace, the time stamps of its records, and the program counters.
struct Outputs {
    trace: Output,
    times: Option<Output>,
    program_counters: Option<Output>,
}

impl Outputs {
    fn commit(self) -> Result<()> {
        let others = self.times.into_iter().chain(self.program_counters);
        output::commit_all(others.chain([self.trace]))
    }
}

/// The traced programs, design and machine.
struct Traced<'a> {
    contexts: &'a Contexts,
    design: &'a Design,
    machine: Machine,
    programs: Decodable<'a>,
    extensions: Extensions,
}

impl<'a> Traced<'a> {
    fn new(
        arguments: &Arguments,
        contexts: &'a Contexts,
        machine: Machine,
        design: &'a Design,
    ) -> Result<Self> {
        let program_file = arguments.program.path();
        let followed = &contexts.other;
        let bits = design.protocol().context_bits;
        let programs = contexts.programs(machine, &arguments.file, program_file, bits)?;
        if design.traces_data() && matches!(followed, Followed::Image { .. }) {
            let (name, program) = (&design.name, program_file.display());
            return Err(usage(format!(
                "{name} traces data addresses: expected a trace of the execution as --program, found {program}"
            )));
        }
        let mut extensions = followed.extensions(design.cores());
        // The decoded trace has accesses and states only if the design traces them.
        extensions.data &= design.traces_data();
        extensions.states = design.protocol().traces_state();
        // The cycles of events are in the file of times.
        extensions.cycles = false;
        Ok(Self { contexts, design, machine, programs, extensions })
    }

    /// The file of program counters, if --program-counters is given.
    fn program_counters(&self, arguments: &Arguments) -> Result<Option<ProgramCounters>> {
        let (has_threads, bits) = (self.design.cores() > 1, self.design.protocol().cause_bits);
        let create =
            |path: &OutputFile| ProgramCounters::create(path, self.contexts, has_threads, bits);
        arguments.program_counters.as_ref().map(create).transpose()
    }

    /// The writer of the decoded items.
    fn writer(&self, destination: Destination<'_>) -> Result<Writer<Output>> {
        let (Destination { output, name, format }, extensions) = (destination, self.extensions);
        let options =
            WriterOptions { format, extensions, name: name.into(), ..WriterOptions::default() };
        Ok(Writer::new(output, self.machine, options)?)
    }
}

fn decode(
    arguments: &Arguments,
    traced: &Traced<'_>,
    bits: impl Read,
    most_instructions: u64,
    mut writer: Writer<Output>,
) -> Result<(Decoded, Outputs)> {
    let design = traced.design;
    let mut times = Times::new(open_times(arguments, design)?);
    let mut program_counters = traced.program_counters(arguments)?;
    let limit = limits::events().of_bytes(limits::bytes_of(&arguments.file));
    writer.follow_fingerprint();
    let mut writing = parts::write(writer);
    let known = if most_instructions == u64::MAX { 0 } else { most_instructions };
    let progress = progress::bar(known, "instructions");
    let (mut events, mut shown, mut instructions) = (0u64, 0, 0u64);
    let mut bits = BitUnpacker::new(bits);
    let mut emit = |item: Item| {
        if let Item::Event(event) = &item {
            events += 1;
            instructions = instructions.wrapping_add(event.instructions);
            if let Some(program_counters) = &mut program_counters {
                program_counters.event(event)?;
            }
            if events.is_multiple_of(PROGRESS_EVENTS) {
                limits::check(&arguments.file, events, limit, "events")?;
                progress.add(instructions.wrapping_sub(shown));
                shown = instructions;
            }
        }
        writing.push(item).map_err(|Ended| anyhow!("the decoded trace cannot be written"))
    };
    let summary = if design.traces_data() {
        let execution = events::open(arguments.program.path(), &Progress::silent())?;
        let sites = execution.items().map(|item| Ok(item?.site()));
        scheme::decode_data(design, sites, &mut bits, emit)
    } else {
        let emit = |event| emit(Item::Event(event));
        let stamp = |stamp| times.add(&stamp);
        let program = traced.programs.other();
        scheme::decode_timed(design, program, &mut bits, most_instructions, emit, stamp)
    };
    let (writer, result) = writing.finish();
    // An error of the output came before one of what was decoded meanwhile.
    let summary = match result.map_err(anyhow::Error::from).and(summary) {
        Ok(summary) => summary,
        Err(error) if program_counters.as_ref().is_some_and(ProgramCounters::has_failed) => {
            return Err(error);
        }
        Err(error) => {
            let (failed, files) =
                ((error, (events, instructions)), (writer, times.finish(), program_counters));
            return Err(keep_part(arguments, failed, design, files)?);
        }
    };
    let decoded = Decoded {
        events: summary.events,
        accesses: writer.accesses(),
        instructions: summary.instructions,
        records: summary.records,
        fingerprint: writer.fingerprint().unwrap_or_default().value(),
    };
    let trailing = summary.trailing_instructions;
    let program_counters = program_counters.map(|file| file.finish(trailing)).transpose()?;
    Ok((decoded, Outputs { trace: writer.finish()?, times: times.finish(), program_counters }))
}

/// Writes the events and instructions that come before an error as the first part, and gives the error with which the
/// command ends.
fn keep_part(
    arguments: &Arguments,
    (error, (events, instructions)): (anyhow::Error, (u64, u64)),
    design: &Design,
    (writer, times, program_counters): (Writer<Output>, Option<Output>, Option<ProgramCounters>),
) -> Result<anyhow::Error> {
    let can_be_kept = !design.traces_data() && !arguments.output.is_stream();
    let known = (events, if can_be_kept { instructions } else { 0 });
    let program = arguments.program.path();
    let given = arguments.encoded.is_bare().then(|| arguments.encoded.doubt(design, program));
    let (failure, gap) = broken_off(&arguments.file, program, error, known, given)?;
    let finish = |mut file: ProgramCounters| {
        file.gap(&gap)?;
        file.finish(0)
    };
    let program_counters = program_counters.map(finish).transpose()?;
    let forms = Forms::new(&arguments.output)?;
    let trace = writer.finish()?.renamed(&forms.part(1)?)?;
    Outputs { trace, times, program_counters }.commit()?;
    forms.written_parts(1)?;
    Ok(failure)
}
