//! Traces: from files into arrays, and back.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tracewright::library::{self, Form, Output, TraceOutput};
use tracewright_sim::event::{Isa, Item, Machine};
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::trace_io::{Extensions, Reader, WriterOptions};
use tracewright_verification::{Progress, trace, within_addresses};

use crate::array::Array;
use crate::error::{Error, TraceError, of_trace, sentence};
use crate::memory;
use crate::records::{AccessRecord, Buffer, EventRecord, StateRecord, records_of};

/// Items that are read before signals are looked for.
const ITEMS: u64 = 1 << 21;

/// What the name of a trace has to be.
const ENDING: &str = "a name that ends with .pet.zst, .pet, .txt, .csv or .jsonl, or a format";

/// Instruction set, alignment, and bits of an address.
pub type MachineWords = (String, u8, u8);

/// Lengths, data, threads and states.
pub type ExtensionFlags = (bool, bool, bool, bool);

/// A processor in words.
pub fn machine_words(machine: Machine) -> MachineWords {
    (machine.isa.to_string(), machine.alignment, machine.address_bits)
}

/// The processor of words.
///
/// # Errors
/// When there is no such instruction set.
pub fn machine_of((name, alignment, address_bits): MachineWords) -> PyResult<Machine> {
    let known = (0..=u8::MAX).map_while(Isa::from_code);
    let isa = known.into_iter().find(|isa| isa.to_string() == name).ok_or_else(|| {
        PyValueError::new_err(format!("expected isa to be arm, riscv or x86, found {name}"))
    })?;
    Ok(Machine { isa, alignment, address_bits })
}

fn extension_flags(extensions: Extensions) -> ExtensionFlags {
    // Arrays have no cycles.
    let Extensions { lengths, data, threads, states, cycles: _ } = extensions;
    (lengths, data, threads, states)
}

/// The items of a trace, or of a part of it, as records.
#[derive(Default)]
pub struct Contents {
    events: Array<EventRecord>,
    accesses: Vec<AccessRecord>,
    states: Vec<StateRecord>,
    /// Events before the part.
    before: u64,
}

/// Processor, extensions, and the records of events, accesses and states.
pub type Whole = (MachineWords, ExtensionFlags, Buffer, Buffer, Buffer);

impl Contents {
    /// Adds an item. It is taken by value, so that an event stays in registers from the reader to its record.
    #[inline(always)]
    pub fn push(&mut self, item: Item) {
        match item {
            Item::Event(event) => self.events.push(EventRecord::new(event)),
            Item::Access(access) => self.accesses.push(AccessRecord::new(&access, self.next())),
            Item::State(state) => self.states.push(StateRecord::new(&state, self.next())),
            Item::Cycles(_) => {}
        }
    }

    fn next(&self) -> u64 {
        self.before + self.events.as_slice().len() as u64
    }

    /// The number of records.
    fn len(&self) -> usize {
        self.events.as_slice().len() + self.accesses.len() + self.states.len()
    }

    /// The records as buffers, of a trace of this processor; without lengths in it, every length is 0.
    pub fn whole(mut self, machine: Machine, extensions: Extensions) -> Whole {
        if !extensions.lengths {
            self.events.as_mut_slice().iter_mut().for_each(EventRecord::forget_length);
        }
        let (events, accesses, states) = self.buffers();
        (machine_words(machine), extension_flags(extensions), events, accesses, states)
    }

    fn buffers(mut self) -> (Buffer, Buffer, Buffer) {
        self.events.shrink();
        (Buffer::of_array(self.events), Buffer::new(self.accesses), Buffer::new(self.states))
    }
}

/// A trace file that is being read.
#[pyclass(frozen, module = "tracewright._native")]
pub struct TraceReader(Mutex<Reader>);

#[pymethods]
impl TraceReader {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        let reader = trace::open(&path, EventLimit::default(), &Progress::silent());
        reader.map(|reader| TraceReader(Mutex::new(reader))).map_err(of_trace)
    }

    #[getter]
    fn machine(&self) -> MachineWords {
        machine_words(self.0.lock().unwrap_or_else(PoisonError::into_inner).machine())
    }

    #[getter]
    fn extensions(&self) -> ExtensionFlags {
        extension_flags(self.0.lock().unwrap_or_else(PoisonError::into_inner).extensions())
    }

    /// The next records, at most so many, all that are left without a number: events, accesses, states.
    #[pyo3(signature = (most=None))]
    fn block(&self, py: Python<'_>, most: Option<u64>) -> PyResult<(Buffer, Buffer, Buffer)> {
        let mut left = most.unwrap_or(u64::MAX);
        let mut contents = Contents::default();
        while left > 0 {
            let wanted = left.min(ITEMS);
            let read = py.detach(|| {
                memory::guarded(|| self.read(&mut contents, wanted).map_err(of_trace))
            })?;
            if !read {
                break;
            }
            left -= wanted;
            py.check_signals()?;
            memory::check()?;
        }
        Ok(contents.buffers())
    }
}

impl TraceReader {
    /// Reads so many records; false at the end.
    fn read(
        &self,
        contents: &mut Contents,
        wanted: u64,
    ) -> Result<bool, tracewright_sim::trace_io::Error> {
        let mut reader = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if contents.len() == 0 {
            contents.before = reader.events();
        }
        for _ in 0..wanted {
            match reader.next_item()? {
                Some(item) => contents.push(item),
                None => return Ok(false),
            }
        }
        Ok(true)
    }
}

/// Writes a trace of these records as the command writes its output: in a form by name, else that of the ending of the
/// path. A file has its name only when it is complete, and for a link the file that it points to is replaced.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "each is an argument in Python")]
pub fn write_trace(
    py: Python<'_>,
    path: PathBuf,
    form: Option<String>,
    machine: MachineWords,
    extensions: ExtensionFlags,
    events: PyBuffer<u8>,
    accesses: PyBuffer<u8>,
    states: PyBuffer<u8>,
    level: i32,
) -> PyResult<()> {
    let machine = machine_of(machine)?;
    let form = form_of(&path, form.as_deref())?;
    let (lengths, data, threads, of_states) = extensions;
    let extensions = Extensions { lengths, data, threads, states: of_states, cycles: false };
    let events = records_of::<EventRecord>(py, &events)?;
    let accesses = records_of::<AccessRecord>(py, &accesses)?;
    let states = records_of::<StateRecord>(py, &states)?;
    py.detach(|| {
        let output = Output::open(&path).map_err(unwritten)?;
        let name = output.name(&path);
        let options = WriterOptions { extensions, level, name, ..WriterOptions::default() };
        let output = TraceOutput::with_options(output, form, machine, options);
        let output = write(output.map_err(unwritten)?, &events, &accesses, &states)?;
        output.commit().map_err(unwritten)
    })
}

/// The exception of a trace that cannot be written.
fn unwritten(error: anyhow::Error) -> PyErr {
    TraceError::new_err(library::sentence(&error))
}

/// The form of an output.
fn form_of(path: &Path, form: Option<&str>) -> PyResult<Form> {
    let (found, expected, given) = match form {
        Some(name) => {
            (library::form_named(name), "format to be pet.zst, pet, txt, csv or jsonl", name.into())
        }
        None => (library::form_by_name(path), ENDING, path.to_string_lossy()),
    };
    found.ok_or_else(|| PyValueError::new_err(format!("expected {expected}, found {given}")))
}

/// Writes states and accesses, each before the event that comes next.
fn write(
    mut writer: TraceOutput<Output>,
    events: &[EventRecord],
    accesses: &[AccessRecord],
    states: &[StateRecord],
) -> PyResult<Output> {
    let (mut accesses, mut states) = (accesses.iter().peekable(), states.iter().peekable());
    for number in 0..=events.len() {
        let next = if number == events.len() { u64::MAX } else { number as u64 };
        while let Some(state) = states.next_if(|state| state.event <= next) {
            writer.write(&Item::State(state.state())).map_err(unwritten)?;
        }
        while let Some(access) = accesses.next_if(|access| access.event <= next) {
            writer.write(&Item::Access(access.access())).map_err(unwritten)?;
        }
        if let Some(event) = events.get(number) {
            writer.write(&Item::Event(event.event()?)).map_err(unwritten)?;
        }
    }
    writer.finish().map_err(unwritten)
}

/// The trace of a synthetic program.
#[pyfunction]
pub fn synthetic(
    py: Python<'_>,
    events: u64,
    seed: u64,
    machine: MachineWords,
    data_accesses: u8,
    code_span: Option<u64>,
) -> PyResult<Whole> {
    let machine = machine_of(machine)?;
    let options = Options { events, data_accesses, machine, ..Options::from_seed(seed) };
    let options = Options { code_span: code_span.unwrap_or(options.code_span), ..options };
    let options = Options { predicated: machine.isa == Isa::Arm, ..within_addresses(options) };
    py.detach(|| {
        memory::guarded(|| {
            let trace = Synthetic::new(options).map_err(|error| Error::new_err(sentence(error)))?;
            let mut contents = Contents::default();
            trace.items().for_each(|item| contents.push(item));
            // As in a file, which has the lengths of calls alone.
            let others = contents.events.as_mut_slice().iter_mut().filter(|event| !event.is_call());
            others.for_each(EventRecord::forget_length);
            let extensions = Extensions { data: data_accesses > 0, ..Extensions::LENGTHS };
            Ok(contents.whole(machine, extensions))
        })
    })
}
