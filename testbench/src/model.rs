//! A running model.

use std::ffi::CString;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::library::{InputPort, Instance, Library, OutputPort, Status};

/// A running model: set inputs, run a cycle, get outputs.
///
/// Every register and memory that has no reset starts with random bits from the seed, and so does
/// every `x` in the Verilog: a design that depends on one of them behaves differently with another
/// seed. Models are independent; each may run on a thread of its own.
pub struct Model {
    instance: Instance,
    inputs: Box<[u64]>,
    outputs: Box<[u64]>,
    cycles: u64,
}

impl Model {
    /// A model with clock low and all inputs 0, but for those that [`Library::holding`] names.
    pub fn new(library: &Arc<Library>, seed: u64) -> Result<Model> {
        let instance = Instance::new(library, run_time_seed(seed)).map_err(|message| {
            Error::ModelFailed { top: library.top().into(), cycle: 0, message }
        })?;
        let mut model = Model {
            instance,
            inputs: vec![0; library.inputs().len()].into(),
            outputs: vec![0; library.outputs().len()].into(),
            cycles: 0,
        };
        for (port, value) in library.held() {
            model.set(*port, *value);
        }
        model.settle()?;
        Ok(model)
    }

    /// The library it was made from.
    pub fn library(&self) -> &Arc<Library> {
        self.instance.library()
    }

    /// Clocks since the start.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Sets an input from the next [`settle`](Model::settle) or [`cycle`](Model::cycle) on.
    ///
    /// Bits above the port's width are dropped.
    ///
    /// # Panics
    /// If the port is of another library and this one has fewer inputs.
    #[inline]
    pub fn set(&mut self, port: InputPort, value: u64) {
        self.inputs[port.0] = value;
    }

    /// An output, as the last [`settle`](Model::settle) or [`cycle`](Model::cycle) saw it.
    ///
    /// # Panics
    /// If the port is of another library and this one has fewer outputs.
    #[inline]
    pub fn get(&self, port: OutputPort) -> u64 {
        self.outputs[port.0]
    }

    /// All outputs, in the order of [`Library::outputs`].
    pub fn outputs(&self) -> &[u64] {
        &self.outputs
    }

    /// Evaluates the combinational logic, and the logic of asynchronous inputs, without a clock edge.
    pub fn settle(&mut self) -> Result<()> {
        let status = self.instance.settle(&self.inputs, &mut self.outputs);
        self.check(status)
    }

    /// Runs one cycle.
    ///
    /// The inputs are applied, the logic settles, the outputs are read, then the clock rises: the
    /// outputs are what a register that is clocked with the model would take from it, and a
    /// handshake takes place in this cycle if both its sides are high in what was set and what is read.
    #[inline]
    pub fn cycle(&mut self) -> Result<()> {
        let status = self.instance.cycle(&self.inputs, &mut self.outputs);
        self.cycles += 1;
        self.check(status)
    }

    /// Holds the model in reset for `clocks` cycles, with the other inputs unchanged.
    ///
    /// An asynchronous reset takes effect before the first of them.
    pub fn reset(&mut self, clocks: u32) -> Result<()> {
        let reset = self.library().reset_port()?;
        self.set(reset.port, 1 - reset.active);
        self.settle()?;
        self.set(reset.port, reset.active);
        self.settle()?;
        for _ in 0..clocks {
            self.cycle()?;
        }
        self.set(reset.port, 1 - reset.active);
        self.settle()
    }

    /// Starts writing every signal in every cycle to a VCD file; a cycle is 10 units, its rising edge at 5.
    ///
    /// The model must be built with [`waves`](crate::BuildOptions::waves).
    pub fn open_waves(&mut self, path: &Path) -> Result<()> {
        let failed = |message| Error::Waves { path: path.to_path_buf(), message };
        let c_path = CString::new(path.as_os_str().as_bytes())
            .map_err(|_| failed("the name holds a zero byte".into()))?;
        match self.instance.waves(Some(&c_path)) {
            Status::Ok => Ok(()),
            Status::Unsupported => Err(Error::NoWaves { top: self.library().top().into() }),
            Status::Failed => Err(failed(self.instance.error())),
        }
    }

    /// Ends the file of waves, if there is one.
    pub fn close_waves(&mut self) -> Result<()> {
        let status = self.instance.waves(None);
        self.check(status)
    }

    /// Writes how often every line, branch and toggle of the Verilog was seen since the start, for
    /// [`Coverage::add`](crate::coverage::Coverage::add).
    ///
    /// The model must be built with [`coverage`](crate::BuildOptions::coverage).
    pub fn write_coverage(&mut self, path: &Path) -> Result<()> {
        let failed = |message| Error::Coverage { path: path.to_path_buf(), message };
        let c_path = CString::new(path.as_os_str().as_bytes())
            .map_err(|_| failed("the name holds a zero byte".into()))?;
        match self.instance.coverage(&c_path) {
            Status::Ok => Ok(()),
            Status::Unsupported => Err(failed("the model was built without coverage".into())),
            Status::Failed => Err(failed(self.instance.error())),
        }
    }

    #[inline]
    fn check(&self, status: Status) -> Result<()> {
        if status == Status::Ok { Ok(()) } else { Err(self.failure()) }
    }

    #[cold]
    fn failure(&self) -> Error {
        Error::ModelFailed {
            top: self.library().top().into(),
            cycle: self.cycles,
            message: self.instance.error(),
        }
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model")
            .field("library", self.library())
            .field("cycles", &self.cycles)
            .finish_non_exhaustive()
    }
}

/// The run time's seeds are 1 to 2^31 - 1. Every bit of our seed is used, and adjacent seeds give different ones.
fn run_time_seed(seed: u64) -> i32 {
    let mut mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    i32::try_from((mixed >> 33).max(1)).unwrap_or(i32::MAX)
}
