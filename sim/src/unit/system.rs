//! Several harts with one sink, as a value: their units, the sink, and the bus of all registers.

use std::collections::BTreeSet;

use super::{Control, Ingress, Unit, UnitError};
use crate::config::{TimeSource, index_bits};
use crate::control::funnel::component_of_messages;
use crate::control::table::{ADDRESS_BITS, Component, Map};
use crate::control::{Bus, atb_bridge, ram, system_memory};
use crate::message_funnel::{self, Messages};
use crate::pins::control::SharedSink;
use crate::pins::module;
use crate::scheme::Design;
use crate::sinks::Sink;
use crate::{ram_sink, system_memory_sink};

/// A hart of a system.
#[derive(Clone, Debug)]
pub struct Hart {
    /// Its name, with which its pins begin.
    pub name: String,
    /// Its design.
    pub design: Design,
    /// The port of its core, if it has an adapter.
    pub ingress: Option<Ingress>,
}

/// Several harts with one sink.
#[derive(Clone, Debug)]
pub struct System {
    /// Its name, and that of its module.
    pub name: String,
    /// The harts, in the order of their registers.
    pub harts: Vec<Hart>,
    /// What takes the trace of all.
    pub sink: SystemSink,
    /// The bus of all registers.
    pub bus: Bus,
}

/// Why harts cannot be a system.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SystemError {
    /// A trace whose messages name no source.
    #[error(
        "hart {hart}: {design} names no source: expected E-Trace or N-Trace with source_bits, enable_pin = true and framing = none"
    )]
    NoSource {
        /// The hart.
        hart: String,
        /// Its design.
        design: String,
    },
    /// A design that does not fit beside the first one.
    #[error("hart {hart}: {key} is another one than of hart {first}")]
    Differs {
        /// The hart.
        hart: String,
        /// The first hart.
        first: String,
        /// What differs.
        key: &'static str,
    },
    /// Two harts with one name or source.
    #[error("hart {hart}: another hart has its {key}")]
    Twice {
        /// The hart.
        hart: String,
        /// What both have.
        key: &'static str,
    },
    /// A name that cannot begin the names of pins.
    #[error(
        "hart {hart}: its name begins the names of pins: expected small letters, digits and _, a letter first, and not the \
         name of another part, or the beginning of another hart's"
    )]
    Name {
        /// The hart.
        hart: String,
    },
    /// A parameter that a system cannot have.
    #[error("hart {hart}: {key} = {value} does not fit: {reason}")]
    Parameter {
        /// The hart.
        hart: String,
        /// The parameter.
        key: &'static str,
        /// What it is.
        value: String,
        /// Why not.
        reason: &'static str,
    },
}

/// Names of what stands beside the units, and with which the pins of the whole begin.
const PARTS: [&str; 17] = [
    "apb_split",
    "axi_lite_to_apb",
    "beat",
    "bridge_gate",
    "funnel",
    "half",
    "m",
    "pin",
    "port_sink",
    "ram_sink",
    "registers",
    "s",
    "shared",
    "sink",
    "system_memory_sink",
    "timestamp_unit",
    "trace",
];

/// Width of the funnel's trace port.
const PORT_BITS: u32 = 8;

/// Where the registers of a hart are, by its place; those of the funnel are after those of all harts, and those of the sink a
/// page after them.
pub fn register_base(place: usize) -> u32 {
    (place as u32) << ADDRESS_BITS
}

impl Hart {
    fn control(sink: &SystemSink) -> Control {
        let shared_sink = Some(SharedSink { flushes: sink.flushes() });
        Control { shared_sink, ..Control::new(Bus::Apb) }
    }

    /// Its unit before a sink.
    pub fn unit(&self, sink: &SystemSink) -> Unit {
        Unit {
            design: self.design.clone(),
            ingress: self.ingress,
            sinks: Vec::new(),
            control: Some(Hart::control(sink)),
            has_reader: false,
        }
    }

    /// Its registers.
    ///
    /// # Errors
    /// When its design can have none.
    pub fn registers(&self) -> Result<Map, UnitError> {
        Control::new(Bus::Apb).map(&self.design)
    }

    /// The name of its instance, which is none of Verilog's own words.
    pub fn instance(&self) -> String {
        format!("hart_{}", self.name)
    }

    /// The name of a pin of its own.
    pub fn pin(&self, name: &str) -> String {
        format!("{}_{name}", self.name)
    }
}

impl System {
    /// The funnel, if the harts fit together.
    ///
    /// # Errors
    /// The first hart that does not fit.
    pub fn funnel(&self) -> Result<message_funnel::Config, UnitError> {
        let mut found: Option<(&Hart, Messages)> = None;
        let (mut names, mut sources) = (BTreeSet::new(), BTreeSet::new());
        for hart in &self.harts {
            let messages = Messages::of(&hart.design).ok_or_else(|| SystemError::NoSource {
                hart: hart.name.clone(),
                design: hart.design.name.clone(),
            })?;
            let (first, of_first) = *found.get_or_insert((hart, messages));
            hart.fits(first, messages == of_first)?;
            let begins = |one: &str, other: &str| {
                one.strip_prefix(other).is_some_and(|rest| rest.starts_with('_'))
            };
            let is_unclear =
                |other: &&Hart| begins(&hart.name, &other.name) || begins(&other.name, &hart.name);
            if self.harts.iter().any(|other| is_unclear(&other)) {
                return Err(SystemError::Name { hart: hart.name.clone() }.into());
            }
            let source = hart.design.protocol().source_id;
            let is_new =
                [(names.insert(&hart.name), "name"), (sources.insert(source), "source_id")];
            if let Some((_, key)) = is_new.iter().find(|(is_new, _)| !is_new) {
                return Err(SystemError::Twice { hart: hart.name.clone(), key }.into());
            }
        }
        let messages = found.map_or(Messages::NTrace, |(_, messages)| messages);
        let config = message_funnel::Config { sources: self.harts.len() as u32, messages };
        config.validate()?;
        Ok(config)
    }

    /// The address width of the bus of all harts, the funnel and the sink.
    pub fn address_bits(&self) -> u32 {
        ADDRESS_BITS + index_bits(self.harts.len() as u32 + 1)
    }

    /// The registers of the funnel, and in the page after them those of the sink, where it has any.
    ///
    /// # Errors
    /// When the harts do not fit together.
    pub fn shared_registers(&self) -> Result<Map, UnitError> {
        let of_funnel = component_of_messages(&self.funnel()?);
        Ok(Map { components: std::iter::once(of_funnel).chain(self.sink()?.component()).collect() })
    }

    /// The design whose style the shared modules have, with the name of the system.
    pub fn style(&self) -> Option<Design> {
        let mut design = self.harts.first()?.design.clone();
        design.name.clone_from(&self.name);
        Some(design)
    }

    /// The sink after all harts.
    ///
    /// # Errors
    /// When it breaks a constraint.
    pub fn sink(&self) -> Result<SystemSinkConfig, UnitError> {
        let held = |hart: &Hart| hart.ingress.map_or(0, Ingress::held_blocks);
        let tails = self.harts.iter().map(|hart| ram_sink::tail_bytes(&hart.design, held(hart)));
        self.sink.after(tails.sum::<u32>().next_power_of_two())
    }
}

/// What takes the trace of all harts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemSink {
    /// A ring of so many bytes.
    Ring(u32),
    /// A ring in the memory of the system, over this bus.
    Memory(system_memory_sink::Bus),
    /// What takes it outside.
    Port(Sink),
}

/// The same with its tail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemSinkConfig {
    /// The ring.
    Ring(ram_sink::Config),
    /// What writes to the memory of the system.
    Memory(system_memory_sink::Config),
    /// What hands it on.
    Port(Sink),
}

impl SystemSink {
    /// What it is, after an article.
    pub fn phrase(&self) -> String {
        match self {
            SystemSink::Ring(bytes) => format!("ring of {bytes} bytes"),
            SystemSink::Memory(_) => "ring in the memory of the system".to_owned(),
            SystemSink::Port(Sink::AxiStream) => "port of AXI4-Stream".to_owned(),
            SystemSink::Port(Sink::Atb) => "port of a trace bus (ATB)".to_owned(),
            SystemSink::Port(Sink::Pins) => "port of pins of the chip".to_owned(),
        }
    }

    /// It asks for the end of the trace.
    fn flushes(&self) -> bool {
        *self == SystemSink::Port(Sink::Atb)
    }

    /// The sink after harts out of which so many bytes may come once tracing is switched off, a power of two.
    fn after(self, tail_bytes: u32) -> Result<SystemSinkConfig, UnitError> {
        Ok(match self {
            SystemSink::Ring(bytes) => {
                let tail_words = (tail_bytes / 4).min(bytes / 8).max(1);
                let config = ram_sink::Config { bytes, port_bits: PORT_BITS, tail_words };
                config.validate()?;
                SystemSinkConfig::Ring(config)
            }
            SystemSink::Memory(bus) => {
                let config = system_memory_sink::Config::before(tail_bytes, bus, PORT_BITS);
                config.validate()?;
                SystemSinkConfig::Memory(config)
            }
            SystemSink::Port(sink) => SystemSinkConfig::Port(sink),
        })
    }
}

impl SystemSinkConfig {
    /// Its registers, if it has any.
    fn component(&self) -> Option<Component> {
        match self {
            SystemSinkConfig::Ring(config) => Some(ram::component(config)),
            SystemSinkConfig::Memory(config) => Some(system_memory::component(&config.bus)),
            SystemSinkConfig::Port(Sink::Atb) => Some(atb_bridge::component()),
            SystemSinkConfig::Port(_) => None,
        }
    }
}

impl Hart {
    /// Checks that it fits beside the first hart, and in a system at all.
    fn fits(&self, first: &Hart, same_messages: bool) -> Result<(), SystemError> {
        let (port, of_first) = (self.design.port(), first.design.port());
        let (protocol, first_protocol) = (self.design.protocol(), first.design.protocol());
        let same = [
            (
                same_messages && protocol.source_bits == first_protocol.source_bits,
                "the format of its trace",
            ),
            (port.reset == of_first.reset, "its reset"),
            (port.memories == of_first.memories, "memories"),
            (protocol.time_bits == first_protocol.time_bits, "time_bits"),
        ];
        if let Some((_, key)) = same.iter().find(|(is_same, _)| !is_same) {
            return Err(SystemError::Differs {
                hart: self.name.clone(),
                first: first.name.clone(),
                key,
            });
        }
        let first_is_letter = self.name.starts_with(|letter: char| letter.is_ascii_lowercase());
        let is_word =
            |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
        if !first_is_letter
            || !self.name.chars().all(is_word)
            || PARTS.contains(&self.name.as_str())
        {
            return Err(SystemError::Name { hart: self.name.clone() });
        }
        let refused = |key, value: String, reason| {
            Err(SystemError::Parameter { hart: self.name.clone(), key, value, reason })
        };
        if port.trace_port_width != 8 {
            let width = port.trace_port_width.to_string();
            return refused("trace_port_width", width, "the funnel takes bytes: expected 8");
        }
        if port.clock_enable {
            return refused(module::CLOCK_ENABLE.name, "true".into(), "the harts have one clock");
        }
        let counts = protocol.time_bits > 0 && protocol.time_source != TimeSource::Binary;
        if counts {
            let reason = "the harts have one counter: expected binary";
            return refused("time_source", format!("{:?}", protocol.time_source), reason);
        }
        Ok(())
    }
}
