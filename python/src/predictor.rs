//! Predictors that are classes in Python, as those of `tracewright_comparators::predictor`.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rustc_hash::FxHashMap;
use tracewright_comparators::predictor::{self, Branch, FIELDS, Parameters, Prediction, Tables};
use tracewright_comparators::{Core, Encode, EncodeError as CannotEncode};
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{Item, Kind};
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::program::Program;
use tracewright_sim::trace_io::Extensions;
use tracewright_verification::trace::{self, Blocks};
use tracewright_verification::{Progress, comparison, models};

use crate::decode::{check_processor, coded};
use crate::error::{DecodeError, EncodeError, ProgramError, of_trace, of_verification, sentence};
use crate::memory;
use crate::program;
use crate::records::Buffer;
use crate::trace::{Contents, MachineWords, Whole, machine_of};

/// The first exception that a predictor raised.
type Raised = Arc<Mutex<Option<PyErr>>>;

/// An object of a class in Python.
struct PythonPredictor {
    object: Py<PyAny>,
    /// The class of branches.
    branch: Py<PyAny>,
    /// The kinds of branches, in the order of their codes.
    kinds: Vec<Py<PyAny>>,
    /// Branches that were seen, as objects.
    known: FxHashMap<(u64, u64), (Branch, Py<PyAny>)>,
    raised: Raised,
    has_failed: bool,
}

impl PythonPredictor {
    fn new(py: Python<'_>, object: Bound<'_, PyAny>, raised: Raised) -> PyResult<Self> {
        let package = py.import("tracewright")?;
        let kind = package.getattr("Kind")?;
        let kinds = Kind::ALL.iter().map(|one| Ok(kind.call1((*one as u8,))?.unbind()));
        Ok(Self {
            object: object.unbind(),
            branch: package.getattr("Branch")?.unbind(),
            kinds: kinds.collect::<PyResult<_>>()?,
            known: FxHashMap::default(),
            raised,
            has_failed: false,
        })
    }

    /// The object of a branch.
    fn object_of(&mut self, py: Python<'_>, branch: &Branch) -> PyResult<Py<PyAny>> {
        let place = (branch.program_counter, branch.instructions);
        if let Some((known, object)) = self.known.get(&place)
            && known == branch
        {
            return Ok(object.clone_ref(py));
        }
        let Branch { program_counter, instructions, kind, call, is_return, length, target } =
            *branch;
        let kind = self.kinds[kind as usize].clone_ref(py);
        let arguments = (program_counter, instructions, kind, call, is_return, length, target);
        let object = self.branch.call1(py, arguments)?;
        self.known.insert(place, (*branch, object.clone_ref(py)));
        Ok(object)
    }

    /// Keeps the first exception; after it nothing is asked any more.
    fn keep<T>(&mut self, result: PyResult<T>) -> Option<T> {
        result
            .map_err(|error| {
                let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
                raised.get_or_insert(error);
                self.has_failed = true;
            })
            .ok()
    }

    fn ask(&mut self, py: Python<'_>, branch: &Branch) -> PyResult<Prediction> {
        let branch = self.object_of(py, branch)?;
        let said = self.object.call_method1(py, pyo3::intern!(py, "predict"), (branch,))?;
        let said = said.bind(py);
        let (taken, target, confidence): (Bound<'_, PyAny>, u64, i64) = said.extract()?;
        let confidence = u32::try_from(confidence).unwrap_or(0);
        let most = predictor::MOST_CONFIDENT;
        if !(1..=most).contains(&confidence) {
            let found = said.get_item(2)?;
            return Err(PyValueError::new_err(format!(
                "expected a confidence from 1 to {most}, found {found}"
            )));
        }
        Ok(Prediction { taken: taken.is_truthy()?, target, confidence })
    }
}

impl predictor::Predictor for PythonPredictor {
    fn predict(&mut self, branch: &Branch) -> Prediction {
        let nothing = Prediction { taken: false, target: 0, confidence: 1 };
        if self.has_failed {
            return nothing;
        }
        Python::attach(|py| {
            let said = self.ask(py, branch);
            self.keep(said).unwrap_or(nothing)
        })
    }

    fn learn(&mut self, branch: &Branch, taken: bool, target: u64) {
        if self.has_failed {
            return;
        }
        Python::attach(|py| {
            let told = self.object_of(py, branch).and_then(|branch| {
                let arguments = (branch, taken, target);
                self.object.call_method1(py, pyo3::intern!(py, "learn"), arguments).map(drop)
            });
            self.keep(told);
        });
    }

    fn check(&mut self) -> Result<(), String> {
        Python::attach(|py| {
            if !self.has_failed {
                let checked = self.object.call_method0(py, "check").map(drop);
                self.keep(checked);
            }
            let raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
            raised.as_ref().map_or(Ok(()), |error| Err(described(py, error)))
        })
    }
}

/// An exception in one sentence, with the line that raised it.
pub fn described(py: Python<'_>, error: &PyErr) -> String {
    let described = py
        .import("tracewright._model")
        .and_then(|module| module.call_method1("described", (error.value(py), error.traceback(py))))
        .and_then(|text| text.extract());
    described.unwrap_or_else(|_| error.to_string())
}

/// What a class of predictors makes of traces.
#[pyclass(frozen, module = "tracewright._native")]
pub struct Model {
    pub model: predictor::Model,
    raised: Raised,
}

/// Bytes, bits of an address, events, instructions, bits of each field, and of each event.
type Encoded = (Vec<u8>, u32, u64, u64, Vec<(&'static str, f64)>, Buffer);

#[pymethods]
impl Model {
    /// `make` makes an object of the class, and has these parameters and their values.
    #[new]
    fn new(make: Py<PyAny>, name: &str, parameters: Parameters) -> PyResult<Self> {
        let raised = Raised::default();
        let of_made = Arc::clone(&raised);
        let made = move |parameters: &Parameters, tables: &mut Tables| {
            Python::attach(|py| {
                let made = made(py, &make, parameters, tables, &of_made);
                made.map_err(|error| {
                    let what = described(py, &error);
                    of_made.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    what
                })
            })
        };
        let model = predictor::Model::fallible(name, parameters, made);
        let model = model.map_err(|what| {
            let raised = raised.lock().unwrap_or_else(PoisonError::into_inner).take();
            raised.unwrap_or_else(|| PyValueError::new_err(what))
        })?;
        Ok(Self { model, raised })
    }

    /// Bits of every table by its name.
    #[getter]
    fn storage(&self) -> Vec<(String, u64)> {
        self.model.storage().to_vec()
    }

    /// Gates by the papers' rule.
    #[getter]
    fn estimated_gates(&self) -> Option<u32> {
        models::estimated_gates(&self.model)
    }

    /// Encodes the trace in a file. The interpreter's lock is kept, as the predictor needs it for every branch.
    fn encode(&self, py: Python<'_>, path: PathBuf) -> PyResult<Encoded> {
        let limit = EventLimit::default();
        let open = || trace::open(&path, limit, &Progress::silent());
        let (calls, reader) =
            trace::open_for_encoding(&path, &Progress::silent(), open).map_err(of_trace)?;
        let width = comparison::address_width(std::slice::from_ref(&path), limit);
        let core = Core::of(reader.machine(), width.map_err(of_verification)?);
        let mut encoder = self.model.unchecked(&core).map_err(|error| self.refused(error))?;
        let mut bits = BitPacker::new();
        let (mut costs, mut before) = (Vec::new(), 0.0);
        let mut blocks = Blocks::prepared(reader, calls);
        while let Some(block) = blocks.next_block().map_err(of_trace)? {
            for item in block {
                let Item::Event(event) = item else { continue };
                if event.thread != 0 {
                    return Err(EncodeError::new_err(
                        "the trace has several threads: a predictor is for one core",
                    ));
                }
                encoder.event(event, &mut bits).map_err(|error| self.refused(error))?;
                let after: f64 = encoder.spent().iter().sum();
                costs.push(after - before);
                before = after;
            }
            self.failed()?;
            py.check_signals()?;
        }
        let (reader, calls) = blocks.finish();
        calls.check(&path, &reader).map_err(of_verification)?;
        encoder.finish(&mut bits).map_err(|error| self.refused(error))?;
        let fields = FIELDS.iter().zip(encoder.spent()).map(|(field, bits)| (field.name, bits));
        let (events, instructions) = (reader.events(), reader.instructions());
        let fields = fields.collect();
        Ok((bits.finish(), core.address_width, events, instructions, fields, Buffer::new(costs)))
    }

    /// Decodes the bytes of so many events and instructions, with the program of a trace or its files.
    #[pyo3(signature = (data, machine, address_width, counts, trace=None, program=None))]
    #[allow(clippy::too_many_arguments, reason = "each is an argument in Python")]
    fn decode(
        &self,
        data: &[u8],
        machine: MachineWords,
        address_width: u32,
        counts: (u64, u64),
        trace: Option<PathBuf>,
        program: Option<&program::Program>,
    ) -> PyResult<Whole> {
        let machine = machine_of(machine)?;
        let (program, extensions) = match (trace, program) {
            (_, Some(program)) => (coded(machine, program.0.clone())?, Extensions::LENGTHS),
            (Some(path), None) => learned(&path)?,
            (None, None) => return Err(ProgramError::new_err("expected a trace or a program")),
        };
        check_processor(machine, program.machine())?;
        let core = Core::of(machine, address_width);
        let mut contents = Contents::default();
        let (mut bytes, mut events) = (data, 0);
        let decoded = memory::guarded(|| {
            Ok(self.model.decode(&core, &program, &mut bytes, counts.1, &mut |event| {
                events += 1;
                contents.push(Item::Event(event));
            }))
        })?;
        self.failed()?;
        let instructions =
            decoded.map_err(|error| DecodeError::new_err(sentence(error)))?.instructions;
        if (events, instructions) != counts {
            return Err(DecodeError::new_err(format!(
                "expected {} events of {} instructions, decoded {events} of {instructions}",
                counts.0, counts.1
            )));
        }
        let extensions = Extensions { data: false, states: false, ..extensions };
        Ok(contents.whole(machine, extensions))
    }
}

impl Model {
    /// Raises what the predictor has raised.
    fn failed(&self) -> PyResult<()> {
        let raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner).take();
        raised.map_or(Ok(()), Err)
    }

    /// The exception of what cannot be encoded.
    fn refused(&self, error: CannotEncode) -> PyErr {
        match (self.failed(), error) {
            (Err(raised), _) => raised,
            (Ok(()), CannotEncode::Predictor(what)) => PyValueError::new_err(what),
            (Ok(()), error) => EncodeError::new_err(sentence(error)),
        }
    }
}

/// The program of a trace, and what the trace has.
fn learned(path: &std::path::Path) -> PyResult<(Program, Extensions)> {
    let learned = trace::learn(path, u64::MAX, EventLimit::default(), &Progress::silent());
    let learned = learned.map_err(of_verification)?;
    Ok((Program::clone(&learned.program), learned.extensions))
}

/// Makes an object, and counts its tables.
fn made(
    py: Python<'_>,
    make: &Py<PyAny>,
    parameters: &Parameters,
    tables: &mut Tables,
    raised: &Raised,
) -> PyResult<Box<dyn predictor::Predictor>> {
    let given = PyDict::new(py);
    for (name, value) in parameters {
        given.set_item(name, value)?;
    }
    let object = make.bind(py).call((), Some(&given))?;
    let storage: Vec<(String, u64)> = object
        .getattr("storage")?
        .call_method0("items")?
        .try_iter()?
        .map(|item| item?.extract())
        .collect::<PyResult<_>>()?;
    storage.iter().for_each(|(name, bits)| tables.count(name, *bits));
    Ok(Box::new(PythonPredictor::new(py, object, Arc::clone(raised))?))
}

/// Reads the class of predictors of this name from a file, for the command.
pub fn load(file: &str, class: &str) -> Result<predictor::Model, String> {
    Python::attach(|py| {
        let loaded = || {
            let model = py.import("tracewright._model")?.call_method1("load", (file, class))?;
            let model = model.cast_into::<Model>()?;
            PyResult::Ok(model.get().model.clone())
        };
        loaded().map_err(|error| described(py, &error))
    })
}
