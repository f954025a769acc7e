//! The control registers around a design, as a value.

use crate::control::table::Map;
use crate::control::trigger::{MOST, Triggers};
use crate::control::{Bus, atb_bridge, encoder, ram, system_memory};
use crate::pins::control::SharedSink;
use crate::scheme::Design;
use crate::unit::UnitError;
use crate::{ram_sink, system_memory_sink};

/// What is put around a design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    /// The bus.
    pub bus: Bus,
    /// Bytes of the memory that takes the trace; `None` where the trace port stays one.
    pub ram_sink: Option<u32>,
    /// The bus to the memory of the system, where the trace is written there.
    pub system_memory: Option<system_memory_sink::Bus>,
    /// The registers are around a source of a trace bus ([`Sink::Atb`](crate::sinks::Sink::Atb)), whose page they have.
    pub trace_bus: bool,
    /// A sink that several units share takes the trace, by the pins of [`SHARED_SINK`](crate::pins::control::SHARED_SINK).
    pub shared_sink: Option<SharedSink>,
    /// Blocks that an adapter between core and trace module holds, at most; they come into a sink after it has
    /// stopped.
    pub held_blocks: u32,
    /// The triggers.
    pub triggers: Triggers,
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
    pub fn has_memory(&self) -> bool {
        self.ram_sink.is_some() || self.system_memory.is_some()
    }

    /// The registers of a design.
    ///
    /// # Errors
    /// When the design has no pins that registers could drive, or can have no such sink, or two are asked for.
    pub fn map(&self, design: &Design) -> Result<Map, UnitError> {
        if !design.protocol().enable_pin {
            let name = design.name.clone();
            let mut switched = design.clone();
            let has_pin = switched.set("enable_pin", "true").is_ok() && switched.validate().is_ok();
            return Err(match has_pin {
                true => UnitError::NoEnablePin { design: name },
                false => UnitError::NoSwitch { design: name },
            });
        }
        let count = self.triggers.inputs.max(self.triggers.outputs);
        if count > MOST {
            return Err(UnitError::Triggers { design: design.name.clone(), count });
        }
        let mut components = vec![encoder::component(design, self.triggers)];
        if let Some(sink) = self.sink(design) {
            sink.validate()?;
            components.push(ram::component(&sink));
        }
        if let Some(sink) = self.system_memory_sink(design) {
            if self.ram_sink.is_some() {
                return Err(UnitError::TwoSinks { design: design.name.clone() });
            }
            sink.validate()?;
            components.push(system_memory::component(&sink.bus));
        }
        if self.trace_bus {
            if components.len() > 1 {
                return Err(UnitError::TwoSinks { design: design.name.clone() });
            }
            components.push(atb_bridge::component());
        }
        Ok(Map { components })
    }
}
