//! A compiled model as a shared library.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::fmt;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::Arc;

use tracewright_sim::pins::{Pin, module};

use crate::error::{Error, Result};
use crate::model_build::{ModelSource, ports_in_order};
use crate::port::{Direction, Port};

/// An input of one library's models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InputPort(pub(crate) usize);

/// An output of one library's models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OutputPort(pub(crate) usize);

/// The reset input of a model and its active level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResetPort {
    /// The input.
    pub port: InputPort,
    /// The level that resets, 0 or 1.
    pub active: u64,
}

/// A compiled model; [`Model`](crate::Model)s are made from it, on any thread.
pub struct Library {
    top: String,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    held: Vec<(InputPort, u64)>,
    functions: Functions,
    // Last: the functions are in it.
    loaded: Arc<libloading::Library>,
}

/// The functions that `harness.cpp` exports.
#[derive(Clone, Copy)]
struct Functions {
    create: unsafe extern "C" fn(c_int, *mut c_char, usize) -> *mut c_void,
    destroy: unsafe extern "C" fn(*mut c_void),
    error: unsafe extern "C" fn(*mut c_void) -> *const c_char,
    settle: Step,
    cycle: Step,
    waves: unsafe extern "C" fn(*mut c_void, *const c_char) -> c_int,
    coverage: unsafe extern "C" fn(*mut c_void, *const c_char) -> c_int,
}

type Step = unsafe extern "C" fn(*mut c_void, *const u64, *mut u64) -> c_int;

/// The result of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Ok,
    Failed,
    Unsupported,
}

impl Status {
    #[inline]
    fn new(code: c_int) -> Status {
        match code {
            0 => Status::Ok,
            2 => Status::Unsupported,
            _ => Status::Failed,
        }
    }
}

impl Library {
    /// Loads what [`ModelSource::build`] made from this source.
    pub(crate) fn load(path: &Path, source: &ModelSource) -> Result<Arc<Library>> {
        let failed = |source| Error::Load { path: path.to_path_buf(), source };
        // SAFETY: the file is one this crate compiled, and its initializers only set up C++ statics.
        let library = unsafe { libloading::Library::new(path) }.map_err(failed)?;
        // SAFETY: the types are those of the definitions in `harness.cpp`, whose text is part of the
        // hash in the file's name. The pointers are kept beside the library and never handed out.
        let functions = unsafe {
            Functions {
                create: *library.get(b"tracewright_model_create\0").map_err(failed)?,
                destroy: *library.get(b"tracewright_model_destroy\0").map_err(failed)?,
                error: *library.get(b"tracewright_model_error\0").map_err(failed)?,
                settle: *library.get(b"tracewright_model_settle\0").map_err(failed)?,
                cycle: *library.get(b"tracewright_model_cycle\0").map_err(failed)?,
                waves: *library.get(b"tracewright_model_waves\0").map_err(failed)?,
                coverage: *library.get(b"tracewright_model_coverage\0").map_err(failed)?,
            }
        };
        Ok(Arc::new(Library {
            top: source.top.clone(),
            inputs: ports_in_order(source, Direction::Input),
            outputs: ports_in_order(source, Direction::Output),
            held: Vec::new(),
            functions,
            loaded: Arc::new(library),
        }))
    }

    /// The same library, whose models begin with an input at this value instead of 0: for an input that is no pin of
    /// what is simulated, which nothing sets any more.
    ///
    /// # Errors
    /// When there is no such input.
    pub fn holding(&self, name: &str, value: u64) -> Result<Arc<Library>> {
        let (port, _) = self.input_of_any_width(name)?;
        let held = self.held.iter().copied().chain([(port, value)]);
        Ok(Arc::new(Library {
            top: self.top.clone(),
            inputs: self.inputs.clone(),
            outputs: self.outputs.clone(),
            held: held.collect(),
            functions: self.functions,
            loaded: Arc::clone(&self.loaded),
        }))
    }

    /// The inputs that begin at another value than 0.
    pub(crate) fn held(&self) -> &[(InputPort, u64)] {
        &self.held
    }

    /// The top module.
    pub fn top(&self) -> &str {
        &self.top
    }

    /// The inputs without the clock, in the order of their [`InputPort`]s.
    pub fn inputs(&self) -> &[Port] {
        &self.inputs
    }

    /// The outputs, in the order of their [`OutputPort`]s.
    pub fn outputs(&self) -> &[Port] {
        &self.outputs
    }

    /// The input of this name and width in bits.
    pub fn input(&self, name: &str, width: u32) -> Result<InputPort> {
        let place = self.inputs.iter().position(|port| port.name == name && port.width == width);
        place.map(InputPort).ok_or_else(|| self.no_port(Direction::Input, name, &width))
    }

    /// The output of this name and width in bits.
    pub fn output(&self, name: &str, width: u32) -> Result<OutputPort> {
        let place = self.outputs.iter().position(|port| port.name == name && port.width == width);
        place.map(OutputPort).ok_or_else(|| self.no_port(Direction::Output, name, &width))
    }

    /// The input of this name that is a pin, and its width in bits, which is any if not all modules have the same.
    pub(crate) fn input_pin(&self, pin: &Pin, name: &str) -> Result<(InputPort, u32)> {
        match pin.fixed_bits() {
            Some(width) => Ok((self.input(name, width)?, width)),
            None => self.input_of_any_width(name),
        }
    }

    /// The output of this name that is a pin, and its width in bits, which is any if not all modules have the same.
    pub(crate) fn output_pin(&self, pin: &Pin, name: &str) -> Result<(OutputPort, u32)> {
        match pin.fixed_bits() {
            Some(width) => Ok((self.output(name, width)?, width)),
            None => self.output_of_any_width(name),
        }
    }

    /// The input of this name and any width, and its width in bits.
    pub fn input_of_any_width(&self, name: &str) -> Result<(InputPort, u32)> {
        let place = self.inputs.iter().position(|port| port.name == name);
        let place = place.ok_or_else(|| self.no_port(Direction::Input, name, &"1 to 64"))?;
        Ok((InputPort(place), self.inputs[place].width))
    }

    /// The output of this name and any width, and its width in bits.
    pub fn output_of_any_width(&self, name: &str) -> Result<(OutputPort, u32)> {
        let place = self.outputs.iter().position(|port| port.name == name);
        let place = place.ok_or_else(|| self.no_port(Direction::Output, name, &"1 to 64"))?;
        Ok((OutputPort(place), self.outputs[place].width))
    }

    /// The reset: `reset`, active high, or `reset_n`, active low.
    pub fn reset_port(&self) -> Result<ResetPort> {
        match self.input(module::RESET_N.name, 1) {
            Ok(port) => Ok(ResetPort { port, active: 0 }),
            Err(_) => Ok(ResetPort { port: self.input(module::RESET.name, 1)?, active: 1 }),
        }
    }

    fn no_port(&self, direction: Direction, port: &str, width: &dyn fmt::Display) -> Error {
        Error::NoPort {
            top: self.top.clone(),
            direction,
            port: port.into(),
            width: width.to_string(),
        }
    }
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Library").field("top", &self.top).finish_non_exhaustive()
    }
}

/// A constructed model, used through the functions of its library.
///
/// Everything unsafe about calling a model is here.
pub(crate) struct Instance {
    library: Arc<Library>,
    handle: NonNull<c_void>,
}

// SAFETY: the C++ object belongs to this value alone and has no tie to the thread it was made on:
// every call tells the run time of the thread it is on which context is current.
unsafe impl Send for Instance {}

impl Instance {
    /// A model with random registers and memories from this seed, 1 to 2^31 - 1; else why not.
    pub(crate) fn new(library: &Arc<Library>, seed: i32) -> Result<Instance, String> {
        let mut error = [0u8; 1024];
        // SAFETY: the buffer is valid for the length given, and filled with a C string on failure.
        let handle = unsafe {
            (library.functions.create)(seed, error.as_mut_ptr().cast::<c_char>(), error.len())
        };
        match NonNull::new(handle) {
            Some(handle) => Ok(Instance { library: library.clone(), handle }),
            None => Err(CStr::from_bytes_until_nul(&error)
                .map(|text| text.to_string_lossy().into_owned())
                .unwrap_or_default()),
        }
    }

    pub(crate) fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// Settles the combinational logic.
    pub(crate) fn settle(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Status {
        self.step(self.library.functions.settle, inputs, outputs)
    }

    /// Runs one cycle; the outputs are those before the rising edge.
    #[inline]
    pub(crate) fn cycle(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Status {
        self.step(self.library.functions.cycle, inputs, outputs)
    }

    #[inline]
    fn step(&mut self, step: Step, inputs: &[u64], outputs: &mut [u64]) -> Status {
        assert_eq!(inputs.len(), self.library.inputs.len());
        assert_eq!(outputs.len(), self.library.outputs.len());
        // SAFETY: the handle is live, and the arrays have the lengths that the glue, generated from
        // the same ports, reads and writes.
        Status::new(unsafe { step(self.handle.as_ptr(), inputs.as_ptr(), outputs.as_mut_ptr()) })
    }

    /// Starts a file of waves, or ends it.
    pub(crate) fn waves(&mut self, path: Option<&CStr>) -> Status {
        let path = path.map_or(std::ptr::null(), CStr::as_ptr);
        // SAFETY: the handle is live, and the path is null or a C string that outlives the call.
        Status::new(unsafe { (self.library.functions.waves)(self.handle.as_ptr(), path) })
    }

    /// Writes a file of coverage.
    pub(crate) fn coverage(&mut self, path: &CStr) -> Status {
        // SAFETY: the handle is live, and the path is a C string that outlives the call.
        Status::new(unsafe {
            (self.library.functions.coverage)(self.handle.as_ptr(), path.as_ptr())
        })
    }

    /// Why the last call failed.
    pub(crate) fn error(&self) -> String {
        // SAFETY: the handle is live, and the C string it returns is copied before the next call.
        unsafe { CStr::from_ptr((self.library.functions.error)(self.handle.as_ptr())) }
            .to_string_lossy()
            .into_owned()
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: the handle is live and not used again.
        unsafe { (self.library.functions.destroy)(self.handle.as_ptr()) }
    }
}
