//! A whole unit: a design and the modules around it, put together from their value.

use tracewright_hdl::Generated;
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::Sink;
use tracewright_sim::unit::Ingress;

use crate::control::Control;
use crate::ingress::adapter_module;
use crate::sink::sink_module;
use crate::uart::reader_module;
use crate::{Error, Layers};

/// A design and what stands around it.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The design, with the pins that the modules around it need.
    pub design: Design,
    /// The port of the core, if it has an adapter.
    pub ingress: Option<Ingress>,
    /// What takes the trace; several are there to choose from, and nothing is around them.
    pub sinks: Vec<Sink>,
    /// The control registers.
    pub control: Option<Control>,
    /// The ring of the RAM sink is read by a serial line.
    pub has_reader: bool,
}

/// A module around others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// The adapter of the core's port.
    Ingress,
    /// What takes the trace.
    Sink,
    /// The control registers.
    Control,
    /// What reads the ring.
    Reader,
}

/// Why a unit cannot be put together.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct NoUnit {
    /// The module that cannot be there; `None` for the trace module.
    pub shell: Option<Shell>,
    /// Why not.
    error: Error,
}

impl NoUnit {
    fn at(shell: Shell) -> impl Fn(Error) -> NoUnit {
        move |error| NoUnit { shell: Some(shell), error }
    }

    /// Why not.
    pub fn into_error(self) -> Error {
        self.error
    }
}

/// The Verilog of a unit: what each module adds to those in it. Ports and storage of each are those of the whole up to there.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The trace module.
    pub trace_module: Generated,
    /// The adapter of the core's port.
    pub adapter: Option<Generated>,
    /// What takes the trace, or may be chosen to.
    pub sinks: Vec<Generated>,
    /// The control registers, with their sink.
    pub registers: Option<Generated>,
    /// What reads the ring.
    pub reader: Option<Generated>,
}

impl Unit {
    /// A design around which nothing stands.
    pub fn bare(design: Design) -> Unit {
        Unit { design, ingress: None, sinks: Vec::new(), control: None, has_reader: false }
    }

    /// Puts the Verilog together.
    ///
    /// # Errors
    /// When the design cannot have one of the modules.
    pub fn assemble(&self) -> Result<Assembly, NoUnit> {
        self.assembled(false)
    }

    /// The same with an input `fault_select`, whose value N puts the fault of that number into what is around the trace module: how
    /// its modules are joined, and what switches it after its adapters. With 0 the hardware is right.
    ///
    /// # Errors
    /// Those of [`assemble`](Self::assemble).
    pub fn assemble_with_faults(&self) -> Result<Assembly, NoUnit> {
        self.assembled(true)
    }

    fn assembled(&self, faults: bool) -> Result<Assembly, NoUnit> {
        let design = &self.design;
        let trace_module = tracewright_hdl::generate(design)
            .map_err(|error| NoUnit { shell: None, error: error.into() })?;
        let adapter = self.ingress;
        let adapter = adapter.map(|ingress| adapter_module(design, &trace_module, ingress, faults));
        let adapter = adapter.transpose().map_err(NoUnit::at(Shell::Ingress))?;
        let mut assembly =
            Assembly { trace_module, adapter, sinks: Vec::new(), registers: None, reader: None };
        let inner = assembly.with_adapters();
        let sinks = self.sinks.iter().map(|sink| sink_module(design, inner, *sink, faults));
        assembly.sinks = sinks.collect::<Result<_, _>>().map_err(NoUnit::at(Shell::Sink))?;
        let inner = assembly.with_sink();
        let registers = self.control.map(|control| control.module(design, inner, faults));
        assembly.registers = registers.transpose().map_err(NoUnit::at(Shell::Control))?;
        let inner = assembly.controlled();
        let reader = self.control.filter(|_| self.has_reader);
        let reader = reader.map(|control| reader_module(design, inner, &control, faults));
        assembly.reader = reader.transpose().map_err(NoUnit::at(Shell::Reader))?;
        Ok(assembly)
    }
}

impl Assembly {
    /// The trace module with the adapters of its cores.
    pub fn with_adapters(&self) -> &Generated {
        self.adapter.as_ref().unwrap_or(&self.trace_module)
    }

    /// That with its sink, unless there are several to choose from.
    fn with_sink(&self) -> &Generated {
        match self.sinks.as_slice() {
            [sink] => sink,
            _ => self.with_adapters(),
        }
    }

    /// That with its control registers.
    pub fn controlled(&self) -> &Generated {
        self.registers.as_ref().unwrap_or_else(|| self.with_sink())
    }

    /// The outermost module.
    pub fn whole(&self) -> &Generated {
        self.reader.as_ref().unwrap_or_else(|| self.controlled())
    }

    /// The modules as the files of a package need them.
    pub fn layers(&self) -> Layers<'_> {
        Layers {
            trace_module: &self.trace_module,
            with_adapters: self.with_adapters(),
            whole: self.whole(),
        }
    }

    /// The trace module and what is around it, from the inside out, each as it is added to those before.
    fn modules(&self) -> impl Iterator<Item = &Generated> {
        let sink = if let [sink] = self.sinks.as_slice() { Some(sink) } else { None };
        let inner = std::iter::once(&self.trace_module).chain(&self.adapter).chain(sink);
        inner.chain(&self.registers).chain(&self.reader)
    }

    /// The trace module alone, then with one module more at a time: each with every file that it is made of.
    pub fn growing(&self) -> Vec<Generated> {
        let (mut files, mut memory_files) = (Vec::new(), Vec::new());
        let grown = self.modules().map(|module| {
            files.extend(module.files.iter().cloned());
            memory_files.extend(module.memory_files.iter().cloned());
            Generated { files: files.clone(), memory_files: memory_files.clone(), ..module.clone() }
        });
        grown.collect()
    }

    /// The outermost module with every file that it is made of.
    pub fn into_whole(self) -> Generated {
        let mut growing = self.growing();
        growing.pop().unwrap_or(self.trace_module)
    }

    /// The instances from the outermost module down to the trace module.
    pub fn path(&self) -> Vec<&'static str> {
        let around = self.modules().count() - 1;
        let reader = self.reader.as_ref().map(|_| "trace");
        let others = around - usize::from(reader.is_some());
        reader.into_iter().chain(std::iter::repeat_n("trace_module", others)).collect()
    }
}
