//! The hardware of whole units and of systems: the modules around a trace module, put together from their value.
//!
//! ```
//! use tracewright_sim::scheme::Design;
//! use tracewright_sim::unit::{Ingress, Unit};
//! use tracewright_sim::tip;
//!
//! let ingress = Some(Ingress::Tip(tip::Config::default()));
//! let unit = Unit { ingress, ..Unit::bare(Design::preset("traptor-m4")?) };
//! let whole = tracewright_hdl::unit::assemble(&unit).map_err(|refused| refused.into_error())?.into_whole();
//! assert_eq!(whole.top, "traptor_m4_tip");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod combined;
mod control;
mod ingress;
mod netlist;
mod pins;
mod reader;
mod receiver;
mod sink;
mod system;
mod wires;

pub use combined::combined;
pub use control::{
    FunnelControl, register_file, register_file_with_faults, registers_around, with_registers,
};
pub use ingress::{ingress_adapter, with_ingress};
pub use pins::{CorePin, Pins, SharedPin, in_groups, is_of};
pub use reader::uart_reader;
pub use receiver::with_receiver;
pub use sink::{is_clock_or_reset, sink_wrapper};
pub use system::{SystemAssembly, assemble_system, assemble_system_with_faults};

use tracewright_sim::unit::Unit;

use self::ingress::adapter_module;
use self::reader::reader_module;
use self::sink::sink_module;
use crate::{Error, Generated};

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
pub struct UnitAssembly {
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

/// Puts the Verilog together.
///
/// # Errors
/// When the design cannot have one of the modules.
pub fn assemble(unit: &Unit) -> Result<UnitAssembly, NoUnit> {
    assembled(unit, false)
}

/// The same with an input `fault_select`, whose value N puts the fault of that number into what is around the trace module: how
/// its modules are joined, and what switches it after its adapters. With 0 the hardware is right.
///
/// # Errors
/// Those of [`assemble`].
pub fn assemble_with_faults(unit: &Unit) -> Result<UnitAssembly, NoUnit> {
    assembled(unit, true)
}

fn assembled(unit: &Unit, faults: bool) -> Result<UnitAssembly, NoUnit> {
    let design = &unit.design;
    let trace_module = crate::generate(design).map_err(|error| NoUnit { shell: None, error })?;
    let adapter = unit.ingress;
    let adapter = adapter.map(|ingress| adapter_module(design, &trace_module, ingress, faults));
    let adapter = adapter.transpose().map_err(NoUnit::at(Shell::Ingress))?;
    let mut assembly =
        UnitAssembly { trace_module, adapter, sinks: Vec::new(), registers: None, reader: None };
    let inner = assembly.with_adapters();
    let sinks = unit.sinks.iter().map(|sink| sink_module(design, inner, *sink, faults));
    assembly.sinks = sinks.collect::<Result<_, _>>().map_err(NoUnit::at(Shell::Sink))?;
    let inner = assembly.with_sink();
    let registers = unit.control.map(|control| control::module(&control, design, inner, faults));
    assembly.registers = registers.transpose().map_err(NoUnit::at(Shell::Control))?;
    let inner = assembly.controlled();
    let reader = unit.control.filter(|_| unit.has_reader);
    let reader = reader.map(|control| reader_module(design, inner, &control, faults));
    assembly.reader = reader.transpose().map_err(NoUnit::at(Shell::Reader))?;
    Ok(assembly)
}

impl UnitAssembly {
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
