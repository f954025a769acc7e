//! The events of an execution, from a trace or from an encoded one.

use std::io::Read;
use std::path::Path;

use anyhow::Result;
use tracewright_sim::bits_file::Fingerprint;
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::{Event, Item};
use tracewright_sim::packet::part::Part;
use tracewright_sim::scheme;
use tracewright_sim::trace_io::Reader;
use tracewright_verification::trace::Blocks;

use super::contexts::Contexts;
use super::doubt::broken_off;
use super::encoded::{Encoded, EncodedArguments, PROGRESS_EVENTS, Packets, check_totals};
use super::events;
use super::failure::usage;
use super::limits;
use super::memory;
use super::paths::Input;
use super::program_files::check_processor;
use super::progress::{self, Progress};
use super::standard::Standard;

/// How an execution ends.
#[derive(Debug, Default)]
pub struct End {
    /// What there is of a trace of packets.
    pub packets: Option<Packets>,
    /// The error, with exit status 3, of a trace without packets of which only the beginning decodes.
    pub failure: Option<anyhow::Error>,
    /// Instructions of the only thread after the last event; 0 where there are several threads, of which the trace has only
    /// the total number.
    pub trailing_instructions: u64,
}

/// An execution in a file: a trace, or an encoded trace.
pub struct Execution<'a> {
    file: &'a Path,
    contexts: &'a Contexts,
    program_file: &'a Path,
    source: Source<'a>,
}

enum Source<'a> {
    Trace { reader: Box<Reader>, _progress: Progress },
    Encoded(Box<Encoded<'a>>),
}

impl<'a> Execution<'a> {
    /// Opens a file; the program of all contexts that have none of their own is in `program_file`.
    ///
    /// # Errors
    /// When the file is bad or of another processor than the program.
    pub fn open(
        file: &'a Input,
        encoded: &'a EncodedArguments,
        contexts: &'a Contexts,
        program_file: &'a Path,
    ) -> Result<Self> {
        let machine = contexts.other.machine();
        let source = if encoded.is_bare() || is_encoded(file) {
            Source::Encoded(Box::new(encoded.open(file)?.of(machine)?))
        } else if encoded.has_design() {
            let file = file.display();
            return Err(usage(format!("--design: {file} is a trace, expected an encoded file")));
        } else {
            let progress = events::progress_of([file], 1);
            let reader = Box::new(events::open(file, &progress)?);
            check_processor((reader.machine(), file), (machine, program_file))?;
            Source::Trace { reader, _progress: progress }
        };
        Ok(Self { file, contexts, program_file, source })
    }

    /// True if it says in which context the execution goes on.
    pub fn has_contexts(&self) -> bool {
        self.context_bits() > 0
    }

    fn context_bits(&self) -> u32 {
        match &self.source {
            Source::Encoded(encoded) => encoded.design.protocol().context_bits,
            Source::Trace { reader, .. } if reader.extensions().states => u64::BITS,
            Source::Trace { .. } => 0,
        }
    }

    /// Passes every event and state to `take`, and the gaps of a trace of packets.
    ///
    /// # Errors
    /// When the file is bad or of another program, and the errors of `take`.
    pub fn each_part(self, take: impl FnMut(Part) -> Result<()>) -> Result<End> {
        let context_bits = self.context_bits();
        let Self { file, contexts, program_file, source } = self;
        match source {
            Source::Encoded(encoded) => {
                memory::reading(file);
                match encoded.standard(contexts.other.image().is_some()) {
                    Some(standard) => {
                        of_standard(*encoded, standard, (contexts, program_file), take)
                    }
                    None => decoded(*encoded, file, contexts, program_file, take),
                }
            }
            Source::Trace { reader, _progress } => {
                if !contexts.own.is_empty() {
                    contexts.programs(reader.machine(), file, program_file, context_bits)?;
                }
                traced(*reader, take)?;
                Ok(End::default())
            }
        }
    }
}

/// True for an encoded file. A file that cannot be read gives false, and the reader of traces reports the error.
fn is_encoded(path: &Input) -> bool {
    // The first bytes of a pipe could not be read again.
    if path.is_stdin() || events::is_pipe(path) {
        return false;
    }
    path.begins_with(b"TWBITS")
}

fn traced(reader: Reader, mut take: impl FnMut(Part) -> Result<()>) -> Result<()> {
    let mut blocks = Blocks::new(reader);
    while let Some(block) = blocks.next_block()? {
        for item in block {
            match item {
                Item::Event(event) => take(Part::Event(*event))?,
                Item::State(state) => take(Part::State(*state))?,
                Item::Access(_) | Item::Cycles(_) => {}
            }
        }
    }
    Ok(())
}

/// What is in payloads of a standard where parts of the execution may be missing.
fn of_standard(
    encoded: Encoded<'_>,
    standard: Standard,
    (contexts, program_file): (&Contexts, &Path),
    take: impl FnMut(Part) -> Result<()>,
) -> Result<End> {
    if !contexts.own.is_empty() {
        return Err(usage(format_args!("{} takes one program for all contexts", standard.title())));
    }
    let image = contexts.other.image().ok_or_else(|| {
        let (program, title) = (program_file.display(), standard.title());
        usage(format_args!("{program}: a ring of {title} needs the program as its ELF file"))
    })?;
    let packets = encoded.standard_parts(standard, image, take)?;
    let trailing_instructions = packets.recovered.trailing_instructions;
    Ok(End { packets: Some(packets), failure: None, trailing_instructions })
}

fn decoded(
    mut encoded: Encoded<'_>,
    file: &Path,
    contexts: &Contexts,
    program_file: &Path,
    mut take: impl FnMut(Part) -> Result<()>,
) -> Result<End> {
    if encoded.design.traces_data() {
        return Err(usage(format!(
            "{} is of {}, which traces data addresses: expected a trace of instructions",
            file.display(),
            encoded.design.name
        )));
    }
    let context_bits = encoded.design.protocol().context_bits;
    let programs = contexts.programs(encoded.machine, file, program_file, context_bits)?;
    if encoded.design.framing().is_some() {
        let packets = encoded.packets(&programs.all()?, program_file, take)?;
        let trailing_instructions = packets.recovered.trailing_instructions;
        return Ok(End { packets: Some(packets), failure: None, trailing_instructions });
    }
    let limit = limits::events().of_bytes(limits::bytes_of(file));
    let most = encoded.most_instructions();
    let progress = progress::bar(if most == u64::MAX { 0 } else { most }, "instructions");
    let mut fingerprint = Fingerprint::default();
    let (mut events, mut instructions, mut shown) = (0u64, 0u64, 0);
    let emit = |event: Event| {
        fingerprint.add(&event);
        events += 1;
        instructions = instructions.wrapping_add(event.instructions);
        if events.is_multiple_of(PROGRESS_EVENTS) {
            limits::check(file, events, limit, "events")?;
            progress.add(instructions.wrapping_sub(shown));
            shown = instructions;
        }
        take(Part::Event(event))
    };
    let design = &encoded.design.clone();
    let decode = |bits: &mut dyn Read| {
        let (program, bits) = (programs.other(), &mut BitUnpacker::new(bits));
        scheme::decode_timed(design, program, bits, most, emit, |_| Ok(()))
    };
    let summary = match &mut encoded.reader {
        None => {
            let mut bits = encoded.bare()?;
            decode(&mut bits)
        }
        Some(reader) => decode(reader),
    };
    let summary = match summary {
        Ok(summary) => summary,
        Err(error) => {
            // What came before is shown; of several cores it is not known how much.
            let known = if design.cores() == 1 { instructions } else { 0 };
            let given = encoded.doubt(program_file);
            let (failure, gap) = broken_off(file, program_file, error, (events, known), given)?;
            take(Part::Gap(gap))?;
            return Ok(End { packets: None, failure: Some(failure), trailing_instructions: 0 });
        }
    };
    if let Some(reader) = &encoded.reader {
        let found = (events, instructions, fingerprint.value());
        check_totals(file, program_file, reader.totals(), found)?;
    }
    let trailing_instructions = if design.cores() > 1 { 0 } else { summary.trailing_instructions };
    Ok(End { packets: None, failure: None, trailing_instructions })
}
