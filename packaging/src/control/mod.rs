//! Control registers of the RISC-V Trace Control Interface around a design.
//!
//! The registers and their fields are declared once, in `encoder.rs` and the files beside it, from what the design has
//! ([`table`]). All else is written from that [`Map`](table::Map): the register file in Verilog, SystemRDL, CMSIS-SVD, the
//! memory map of the IP-XACT component, the page for people, and the names and numbers of drivers. The tests drive the hardware by it.
//!
//! It is a module of this crate because it is what a design needs in a chip, as the wrappers are, and imports no more
//! than they do: designs, their Verilog, and templates.

mod encoder;
mod filter;
mod package;
mod ram;
pub mod table;
pub mod trigger;
mod verilog;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tracewright_hdl::Generated;
use tracewright_sim::ram_sink;
use tracewright_sim::scheme::Design;

use crate::Error;
use table::Map;
use trigger::Triggers;

/// The bus by which the registers are read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bus {
    /// APB4.
    Apb,
    /// AXI4-Lite.
    AxiLite,
}

/// What is put around a design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    /// The bus.
    pub bus: Bus,
    /// Bytes of the memory that takes the trace; `None` where the trace port stays one.
    pub ram_sink: Option<u32>,
    /// Blocks that an adapter between core and trace module holds, at most; they come into the RAM sink after it has
    /// stopped.
    pub held_blocks: u32,
    /// The triggers.
    pub triggers: Triggers,
}

impl Control {
    /// Registers alone: the trace port stays one, and there are no triggers.
    pub fn new(bus: Bus) -> Control {
        Control { bus, ram_sink: None, held_blocks: 0, triggers: Triggers::default() }
    }

    /// The sink for a design.
    pub fn sink(&self, design: &Design) -> Option<ram_sink::Config> {
        self.ram_sink.map(|bytes| ram_sink::Config::after(design, bytes, self.held_blocks))
    }

    /// The registers of a design.
    ///
    /// # Errors
    /// When the design has no pins that registers could drive, or can have no such sink.
    pub fn map(&self, design: &Design) -> Result<Map, Error> {
        if !design.protocol().enable_pin {
            return Err(Error::NoSwitch { design: design.name.clone() });
        }
        self.triggers.validate(design)?;
        let mut components = vec![encoder::component(design, self.triggers)];
        if let Some(sink) = self.sink(design) {
            sink.validate()?;
            components.push(ram::component(&sink));
        }
        Ok(Map { components })
    }

    /// The register file alone: the bus on one side, the fields on the other.
    ///
    /// # Errors
    /// Those of [`map`](Self::map).
    pub fn register_file(&self, design: &Design) -> Result<Generated, Error> {
        verilog::register_file(design, &self.map(design)?, self.bus)
    }

    /// What is added to `inner`, the Verilog of `design` with or without the adapters of its cores: the module
    /// `TOP_control` around all, and what it instantiates beside it. Ports and storage are those of the whole.
    ///
    /// # Errors
    /// Those of [`map`](Self::map).
    pub fn around(&self, design: &Design, inner: &Generated) -> Result<Generated, Error> {
        verilog::control(design, inner, &self.map(design)?, self)
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
