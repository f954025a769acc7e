//! Encoded traces, and what they decode to.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::prelude::*;
use tracewright::library::{self, Output};
use tracewright_image::Image;
use tracewright_sim::bits_file::{BitsReader, Fingerprint, Totals};
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::{Item, Machine};
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::packet::part::Part;
use tracewright_sim::program::Program;
use tracewright_sim::scheme;
use tracewright_sim::trace_io::Extensions;
use tracewright_verification::{Error, Progress, trace};

use crate::design::Design;
use crate::error::{DecodeError, ProgramError, of_verification, sentence};
use crate::interruptible;
use crate::program;
use crate::records::Buffer;
use crate::trace::{Contents, MachineWords, Whole, machine_words};

/// What a stream is called in errors.
const NAME: &str = "the stream";

/// An encoded trace with its design, as `tracewright encode` writes it.
#[pyclass(frozen, module = "tracewright._native")]
pub struct Stream {
    pub file: Vec<u8>,
    pub design: scheme::Design,
    pub machine: Machine,
    pub totals: Totals,
}

#[pymethods]
impl Stream {
    /// The bytes of the file.
    fn file(&self) -> Buffer {
        Buffer::new(self.file.clone())
    }

    /// Writes the bytes of the file as the command does.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| {
            let mut output = Output::open(&path)?;
            output.write_all(&self.file)?;
            output.commit()
        })
        .map_err(|error: anyhow::Error| crate::error::Error::new_err(library::sentence(&error)))
    }

    /// The bits alone, the first one lowest in the first byte.
    fn data(&self) -> PyResult<Buffer> {
        let mut bytes = Vec::new();
        let mut reader = BitsReader::new(self.file.as_slice(), NAME).map_err(damaged)?;
        reader.read_to_end(&mut bytes).map_err(damaged)?;
        Ok(Buffer::new(bytes))
    }

    #[getter]
    fn design(&self) -> Design {
        Design(self.design.clone())
    }

    #[getter]
    fn machine(&self) -> MachineWords {
        machine_words(self.machine)
    }

    /// Bits, padding bits, events and instructions.
    #[getter]
    fn totals(&self) -> (u64, u64, u64, u64) {
        let Totals { bits, padding, instructions, events, .. } = self.totals;
        (bits, padding, events, instructions)
    }
}

fn damaged(error: impl Into<anyhow::Error>) -> PyErr {
    DecodeError::new_err(sentence(error))
}

/// Reads the bytes of an encoded file.
#[pyfunction]
pub fn read_stream(file: Vec<u8>) -> PyResult<Stream> {
    let mut reader = BitsReader::new(file.as_slice(), NAME).map_err(damaged)?;
    std::io::copy(&mut reader, &mut std::io::sink()).map_err(damaged)?;
    let header = reader.header();
    let (design, machine) = (header.design.clone(), header.machine);
    let totals = reader.totals().unwrap_or_default();
    Ok(Stream { file, design, machine, totals })
}

/// Decodes a stream with the program of its trace: learned from a trace, or its files.
#[pyfunction]
#[pyo3(signature = (stream, trace=None, program=None))]
pub fn decode(
    py: Python<'_>,
    stream: &Stream,
    trace: Option<PathBuf>,
    program: Option<&program::Program>,
) -> PyResult<Whole> {
    let image = program.map(|program| program.0.clone());
    interruptible::run(py, |progress| {
        let (program, extensions) = match (&trace, image) {
            (_, Some(image)) => {
                let program = coded(stream.machine, image)?;
                let threads = stream.design.cores() > 4;
                (program, Extensions { threads, ..Extensions::LENGTHS })
            }
            (Some(path), None) => {
                let learned = trace::learn(path, u64::MAX, EventLimit::default(), progress);
                let learned = learned.map_err(of_verification)?;
                check_processor(stream.machine, learned.machine())?;
                (Program::clone(&learned.program), learned.extensions)
            }
            (None, None) => return Err(ProgramError::new_err("expected a trace or a program")),
        };
        let design = &stream.design;
        let data = extensions.data && design.traces_data();
        let states = design.protocol().traces_state();
        let contents = decode_with(stream, &program, trace.as_deref(), progress)?;
        Ok(contents.whole(stream.machine, Extensions { data, states, ..extensions }))
    })
}

/// The program of an image for the processor that was traced.
pub fn coded(machine: Machine, image: Arc<Image>) -> PyResult<Program> {
    check_processor(machine, image.machine())?;
    let entry = Some(image.entry());
    Program::of_code(machine, image, entry).map_err(|error| ProgramError::new_err(sentence(error)))
}

/// Fails unless a program is for the processor that was traced.
pub fn check_processor(stream: Machine, program: Machine) -> PyResult<()> {
    match (stream.isa, stream.address_bits) == (program.isa, program.address_bits) {
        true => Ok(()),
        false => Err(ProgramError::new_err(format!(
            "expected a program for {} of {} bits, found one for {} of {} bits",
            stream.isa, stream.address_bits, program.isa, program.address_bits
        ))),
    }
}

/// How many events are decoded before progress is reported.
const REPORTED: u64 = 1 << 16;

/// Decodes all of a stream, and compares it with what was encoded.
fn decode_with(
    stream: &Stream,
    program: &Program,
    execution: Option<&Path>,
    progress: &Progress,
) -> PyResult<Contents> {
    let design = &stream.design;
    let reader = BitsReader::new(stream.file.as_slice(), NAME).map_err(damaged)?;
    let mut bits = BitUnpacker::new(reader);
    let mut contents = Contents::default();
    let (mut fingerprint, mut events, mut instructions) = (Fingerprint::default(), 0u64, 0u64);
    let mut emit = |item: Item| {
        match &item {
            Item::Access(access) => fingerprint.add_access(access),
            Item::State(_) | Item::Cycles(_) => {}
            Item::Event(event) => {
                fingerprint.add(event);
                events += 1;
                instructions = instructions.wrapping_add(event.instructions);
                if events.is_multiple_of(REPORTED) {
                    progress.add(REPORTED);
                }
            }
        }
        contents.push(item);
        Ok(())
    };
    let most = stream.totals.instructions;
    let decoded = if design.traces_data() {
        let path = execution.ok_or_else(|| {
            ProgramError::new_err(
                "expected the trace of the execution: this design traces data addresses alone",
            )
        })?;
        let execution = trace::open(path, EventLimit::default(), progress);
        let execution = execution.map_err(crate::error::of_trace)?;
        let sites = execution.items().map(|item| Ok::<_, Error>(item?.site()));
        scheme::decode_data(design, sites, &mut bits, emit).map(|_| ())
    } else if design.framing().is_some() {
        let part = |part| match part {
            Part::Event(event) => emit(Item::Event(event)),
            Part::State(state) => emit(Item::State(state)),
            Part::Time(_) | Part::Unverified => Ok(()),
            // The totals that are compared below are then not those of the trace.
            Part::Gap(_) => Ok(()),
        };
        scheme::decode_packets(design, program, &mut bits, most, part).map(|_| ())
    } else {
        let emit = |event| emit(Item::Event(event));
        scheme::decode(design, program, &mut bits, most, emit).map(|_| ())
    };
    decoded.map_err(of_verification)?;
    let found = (events, instructions, fingerprint.value());
    let Totals { events, instructions, fingerprint, .. } = stream.totals;
    if found != (events, instructions, fingerprint) {
        return Err(DecodeError::new_err(format!(
            "the stream is of {events} events and {instructions} instructions, and {} events and {} instructions were \
             decoded: the program is not the one that was traced",
            found.0, found.1
        )));
    }
    Ok(contents)
}
