//! Control registers of the RISC-V Trace Control Interface around a design or a funnel.
//!
//! The registers and their fields are declared once, in `tracewright_sim::control`, from what the design has. All else is
//! written from that [`Map`]: the hardware, SystemRDL, CMSIS-SVD, the memory map of the IP-XACT component, the
//! page for people, and the names and numbers of drivers. The tests drive the hardware by it.
//!
//! The hardware is made of the blocks of `tracewright_hdl::control`; the modules here connect them. It is a module of this
//! crate because it is what a design needs in a chip, as the wrappers are, and imports no more than they do: designs, their
//! Verilog, and templates.

mod around;
mod funnel;
mod package;
mod registers;
pub(crate) mod sink_joints;

use std::collections::BTreeMap;

use tracewright_hdl::Generated;
use tracewright_sim::control::{atb_bridge, encoder, ram, system_memory};
use tracewright_sim::scheme::Design;
use tracewright_sim::{ram_sink, system_memory_sink};

pub use tracewright_sim::control::{Bus, table, trigger};
use tracewright_sim::pins::control::SharedSink;

use crate::Error;
pub use funnel::FunnelControl;
pub(crate) use package::{Part, files_of_system};
pub(crate) use registers::signal_names;
use table::Map;
use trigger::{MOST, Triggers};

/// What is put around a design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    /// The bus.
    pub bus: Bus,
    /// Bytes of the memory that takes the trace; `None` where the trace port stays one.
    pub ram_sink: Option<u32>,
    /// The bus to the memory of the system, where the trace is written there.
    pub system_memory: Option<system_memory_sink::Bus>,
    /// The registers are around a source of a trace bus ([`Sink::Atb`](crate::Sink::Atb)), whose page they have.
    pub trace_bus: bool,
    /// A sink that several units share takes the trace, by the pins of [`tracewright_sim::pins::control::SHARED_SINK`].
    pub shared_sink: Option<SharedSink>,
    /// Blocks that an adapter between core and trace module holds, at most; they come into a sink after it has
    /// stopped.
    pub held_blocks: u32,
    /// The triggers.
    pub triggers: Triggers,
}

/// The module with the registers of a map on an APB, with the name and in the style of a design.
pub(crate) fn register_file_of(design: &Design, map: &Map) -> Result<Generated, Error> {
    registers::register_file(design, map, Bus::Apb)
}

impl Control {
    /// Registers alone: the trace port stays one, and there are no triggers.
    pub fn new(bus: Bus) -> Control {
        Control {
            bus,
            ram_sink: None,
            system_memory: None,
            trace_bus: false,
            shared_sink: None,
            held_blocks: 0,
            triggers: Triggers::default(),
        }
    }

    /// The sink for a design.
    pub fn sink(&self, design: &Design) -> Option<ram_sink::Config> {
        self.ram_sink.map(|bytes| ram_sink::Config::after(design, bytes, self.held_blocks))
    }

    /// The sink for a design that writes to the memory of the system.
    pub fn system_memory_sink(&self, design: &Design) -> Option<system_memory_sink::Config> {
        let after = |bus| system_memory_sink::Config::after(design, bus, self.held_blocks);
        self.system_memory.map(after)
    }

    /// True if the trace ends in a memory, so that the trace port is not one of the whole.
    pub(crate) fn has_memory(&self) -> bool {
        self.ram_sink.is_some() || self.system_memory.is_some()
    }

    /// The registers of a design.
    ///
    /// # Errors
    /// When the design has no pins that registers could drive, or can have no such sink, or two are asked for.
    pub fn map(&self, design: &Design) -> Result<Map, Error> {
        if !design.protocol().enable_pin {
            let name = design.name.clone();
            let mut switched = design.clone();
            let has_pin = switched.set("enable_pin", "true").is_ok() && switched.validate().is_ok();
            return Err(match has_pin {
                true => Error::NoEnablePin { design: name },
                false => Error::NoSwitch { design: name },
            });
        }
        let count = self.triggers.inputs.max(self.triggers.outputs);
        if count > MOST {
            return Err(Error::Triggers { design: design.name.clone(), count });
        }
        let mut components = vec![encoder::component(design, self.triggers)];
        if let Some(sink) = self.sink(design) {
            sink.validate()?;
            components.push(ram::component(&sink));
        }
        if let Some(sink) = self.system_memory_sink(design) {
            if self.ram_sink.is_some() {
                return Err(Error::TwoSinks { design: design.name.clone() });
            }
            sink.validate()?;
            components.push(system_memory::component(&sink.bus));
        }
        if self.trace_bus {
            if components.len() > 1 {
                return Err(Error::TwoSinks { design: design.name.clone() });
            }
            components.push(atb_bridge::component());
        }
        Ok(Map { components })
    }

    /// The register file alone: the bus on one side, the fields on the other.
    ///
    /// # Errors
    /// Those of [`map`](Self::map).
    pub fn register_file(&self, design: &Design) -> Result<Generated, Error> {
        registers::register_file(design, &self.map(design)?, self.bus)
    }

    /// The same with an input `fault_select`, whose value N puts the fault of that number into how its parts are joined.
    ///
    /// # Errors
    /// Those of [`map`](Self::map).
    pub fn register_file_with_faults(&self, design: &Design) -> Result<Generated, Error> {
        registers::register_module(design.into(), &self.map(design)?, self.bus, true)
    }

    /// What is added to `inner`, the Verilog of `design` with or without the adapters of its cores: the module
    /// `TOP_control` around all, and what it instantiates beside it. Ports and storage are those of the whole.
    ///
    /// # Errors
    /// Those of [`map`](Self::map).
    pub fn around(&self, design: &Design, inner: &Generated) -> Result<Generated, Error> {
        self.module(design, inner, false)
    }

    /// The same, with or without faults in how it is joined.
    pub(crate) fn module(
        &self,
        design: &Design,
        inner: &Generated,
        faults: bool,
    ) -> Result<Generated, Error> {
        around::control(design, inner, &self.map(design)?, self, faults)
    }

    /// `inner` with what is [`around`](Self::around) it.
    ///
    /// # Errors
    /// Those of [`map`](Self::map).
    pub fn with(&self, design: &Design, inner: Generated) -> Result<Generated, Error> {
        let added = self.around(design, &inner)?;
        let (mut files, mut memory_files) = (inner.files, inner.memory_files);
        files.extend(added.files);
        memory_files.extend(added.memory_files);
        Ok(Generated { files, memory_files, ..added })
    }

    /// The files beside the Verilog, by their names: SystemRDL, CMSIS-SVD and the register map for people, a FuseSoC core
    /// and an IP-XACT component of the whole, and what drives it: in `driver/` two files in C with a header of the
    /// registers, and a script for OpenOCD, and a fragment of a device tree. `sources` are the names of the Verilog files of the core, every one after those
    /// with the modules that it instantiates, and `added` those that [`around`](Self::around) gave.
    ///
    /// # Errors
    /// Those of [`map`](Self::map).
    pub fn package(
        &self,
        design: &Design,
        whole: &Generated,
        sources: &[&str],
        added: &[&str],
    ) -> Result<BTreeMap<String, String>, Error> {
        package::files(design, whole, &self.map(design)?, self.bus, (sources, added))
    }
}
