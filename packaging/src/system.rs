//! Several harts with one sink: their units, a funnel of whole messages, the sink, and one bus with all registers.

mod documents;
mod parts;
mod sink;

use std::collections::BTreeSet;

use tracewright_hdl::{Direction, Generated};
use tracewright_sim::config::{TimeSource, TracePort, index_bits};
use tracewright_sim::control::funnel::component_of_messages;
use tracewright_sim::control::table::{ADDRESS_BITS, Map};
use tracewright_sim::message_funnel::{self, Messages};
use tracewright_sim::pins::control::SharedSink;
use tracewright_sim::pins::{control as pins, module};
use tracewright_sim::ram_sink;
use tracewright_sim::scheme::Design;
use tracewright_sim::unit::Ingress;

use self::parts::Parts;
pub use self::sink::{SystemSink, SystemSinkConfig};
use crate::Error;
use crate::control::{Bus, Control};
use crate::netlist::Netlist;
use crate::pins::reset_of;
use crate::unit::{Assembly, Unit};

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

/// The Verilog of a system, and what it was put together from.
#[derive(Clone, Debug)]
pub struct SystemAssembly {
    /// The units of the harts.
    pub units: Vec<Assembly>,
    /// The module around all, with every file.
    pub whole: Generated,
    /// What takes the trace of all.
    pub sink: SystemSinkConfig,
    /// The funnel.
    pub funnel: message_funnel::Config,
    /// The registers of the funnel, and in the page after them those of the sink, where it has any.
    pub shared_registers: Map,
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

/// Pins of addresses, which are wider than those of a unit.
const ADDRESSES: [&str; 3] = [pins::PADDR.name, pins::AXI_AWADDR.name, pins::AXI_ARADDR.name];

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
    pub fn registers(&self) -> Result<Map, Error> {
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

/// The address width of the bus of so many harts, the funnel and the sink.
fn address_bits(harts: usize) -> u32 {
    ADDRESS_BITS + index_bits(harts as u32 + 1)
}

impl System {
    /// The funnel, if the harts fit together.
    ///
    /// # Errors
    /// The first hart that does not fit.
    pub fn funnel(&self) -> Result<message_funnel::Config, Error> {
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

    /// The design whose style the shared modules have, with the name of the system.
    fn style(&self) -> Option<Design> {
        let mut design = self.harts.first()?.design.clone();
        design.name.clone_from(&self.name);
        Some(design)
    }

    /// The sink after all harts.
    fn sink(&self) -> Result<SystemSinkConfig, Error> {
        let held = |hart: &Hart| hart.ingress.map_or(0, Ingress::held_blocks);
        let tails = self.harts.iter().map(|hart| ram_sink::tail_bytes(&hart.design, held(hart)));
        self.sink.after(tails.sum::<u32>().next_power_of_two())
    }

    /// Puts the Verilog together.
    ///
    /// # Errors
    /// When the harts do not fit together, or one of them cannot have a module.
    pub fn assemble(&self) -> Result<SystemAssembly, Error> {
        self.assembled(false)
    }

    /// The same with an input `fault_select`, whose value N puts the fault of that number into how units and what they share are
    /// joined. With 0 the hardware is right.
    ///
    /// # Errors
    /// Those of [`assemble`](Self::assemble).
    pub fn assemble_with_faults(&self) -> Result<SystemAssembly, Error> {
        self.assembled(true)
    }

    fn assembled(&self, faults: bool) -> Result<SystemAssembly, Error> {
        let (funnel, sink) = (self.funnel()?, self.sink()?);
        let units = self.harts.iter().map(|hart| hart.unit(&self.sink).assemble());
        let units: Vec<Assembly> =
            units.collect::<Result<_, _>>().map_err(|refused| refused.into_error())?;
        let Some(style) = self.style() else {
            return Err(Error::System(SystemError::NoSource {
                hart: String::new(),
                design: self.name.clone(),
            }));
        };
        let components = std::iter::once(component_of_messages(&funnel)).chain(sink.component());
        let shared_registers = Map { components: components.collect() };
        let wholes: Vec<Generated> = units.iter().map(|unit| unit.clone().into_whole()).collect();
        let parts = Parts::new(self, (&style, &funnel, &sink), &shared_registers)?;
        let whole = self.joined(&wholes, &parts, (style.port(), faults))?;
        Ok(SystemAssembly { units, whole, sink, funnel, shared_registers })
    }

    /// The module around all.
    fn joined(
        &self,
        units: &[Generated],
        parts: &Parts,
        (style, faults): (&TracePort, bool),
    ) -> Result<Generated, Error> {
        let refused = |source| tracewright_hdl::Error::Elaborate {
            design: self.name.clone(),
            source: Box::new(source),
        };
        tracewright_hdl::check_top(&self.name).map_err(refused)?;
        let mut netlist = Netlist::new(&self.name, faults);
        let bus = address_bits(self.harts.len());
        for clock in [module::CLOCK.name, reset_of(style)] {
            netlist.port(clock, Direction::Input, 1);
        }
        let of_bus = if self.bus == Bus::Apb { pins::APB } else { pins::AXI_LITE };
        for pin in of_bus {
            let is_address = ADDRESSES.contains(&pin.name);
            let width = if is_address { bus } else { pin.bits(&()) };
            let direction = if pin.is_input() { Direction::Input } else { Direction::Output };
            netlist.port(pin.name, direction, width as usize);
        }
        parts.nets(&mut netlist, &self.harts);
        for (place, (hart, unit)) in self.harts.iter().zip(units).enumerate() {
            netlist.instance(&hart.instance(), unit, |netlist, port| {
                parts.joined_unit(netlist, (place, hart), port)
            });
        }
        parts.instances(&mut netlist, &self.harts);
        let header = format!("// {} of Tracewright, made by `tracewright generate`.\n", self.name);
        let title = format!(
            "{} harts, one sink for their traces, and one bus with all registers (docs/system.md).\n",
            self.harts.len()
        );
        let whole = netlist.whole(&header, &title)?;
        let mut names = BTreeSet::new();
        match whole.files.iter().find(|(name, _)| !names.insert(name)) {
            Some((name, _)) => Err(Error::SameModule {
                name: self.name.clone(),
                module: name.trim_end_matches(".v").to_owned(),
            }),
            None => Ok(whole),
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
