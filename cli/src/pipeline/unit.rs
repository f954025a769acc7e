//! A design with what `generate` puts around it, and the file that says so.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use tracewright_hdl::unit::{Shell, UnitAssembly, assemble};
use tracewright_sim::parameter::Value;
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_sim::sinks::Sink;
use tracewright_sim::unit::{self, Control, Ingress};

use super::failure::usage;
use super::ram_sink::Ring;
use super::reader::Reader;
pub use super::sections::Sections;
use super::{control, ingress, reader, sink};

/// A design, and what its file says of what stands around it.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The design, with what its sections set.
    pub design: Design,
    /// The design as its file and `--set` say it. Options that prevail over sections set other parameters.
    pub asked: Design,
    /// The sections of its file; none of them for a preset.
    pub sections: Sections,
    /// The parameters that its file or `--set` states.
    pub stated: BTreeSet<String>,
    /// The file that it is from.
    pub file: Option<PathBuf>,
}

/// What registers set in a design that says nothing else: they switch tracing off and on, which needs the pin, and
/// packets from which the trace goes on.
const FOR_REGISTERS: [(&str, &str); 2] = [("framing", "packets"), ("enable_pin", "true")];

/// What registers set in a design that says the time, and not where from: they have the counter, which software controls.
const FOR_TIME: (&str, &str) = ("time_source", "unit");

/// What an adapter needs in a module that loses blocks, so that it can lose some itself.
const LOSS_PINS: &str = "loss_pins";

/// What an adapter sets in a design of N-Trace that says nothing else.
const EXACT_LENGTHS: &str = "exact_lengths";

/// What is put around a design.
#[derive(Clone, Debug, Default)]
pub struct Around {
    /// The adapter of the core's port.
    pub adapter: Option<Ingress>,
    /// What takes the trace, or may be chosen to.
    pub sinks: Vec<Sink>,
    /// The control registers.
    pub control: Option<Control>,
    /// What reads the ring of the RAM sink.
    pub reader: Option<Reader>,
}

/// The options for what is put around a design.
#[derive(Args, Default, PartialEq)]
#[group(skip)]
pub struct Arguments {
    #[command(flatten)]
    ingress: ingress::Arguments,
    #[command(flatten)]
    sink: sink::Arguments,
    #[command(flatten)]
    control: control::Arguments,
    #[command(flatten)]
    reader: reader::Arguments,
}

/// Bytes of the smallest ring in the memory of the system that is decoded after it has wrapped, with the synchronisations
/// that are set where none are: software says later how long the ring is.
const SYSTEM_MEMORY_RING_BYTES: u32 = 16384;

/// Records that a design needs room for that loses blocks: a core's blocks come in cycles after each other at times, and
/// the serial encoder takes several cycles for a record.
const LEAST_QUEUE: u32 = 4;

/// The ring of a RAM sink.
fn ring_of(control: Option<&Control>) -> Option<Ring> {
    let control = control?;
    let own = control.ram_sink.map(|bytes| Ring { option: "--ram-sink", bytes });
    let assumed =
        Ring { option: "--system-memory with a ring of", bytes: SYSTEM_MEMORY_RING_BYTES };
    own.or(control.system_memory.map(|_| assumed))
}

impl Around {
    /// The unit that these modules make of a design.
    pub fn unit(&self, design: &Design) -> unit::Unit {
        unit::Unit {
            design: design.clone(),
            ingress: self.adapter,
            sinks: self.sinks.clone(),
            control: self.control,
            has_reader: self.reader.is_some(),
        }
    }

    /// The Verilog of that unit.
    ///
    /// # Errors
    /// When the design cannot have one of the modules.
    pub fn assemble(&self, design: &Design) -> Result<UnitAssembly> {
        assemble(&self.unit(design)).map_err(|refused| match refused.shell {
            Some(Shell::Sink) => usage(refused.into_error()),
            Some(Shell::Ingress | Shell::Control) => {
                anyhow::Error::from(refused.into_error()).context(design.name.clone())
            }
            Some(Shell::Reader) | None => refused.into_error().into(),
        })
    }

    /// What may not be decoded of the design in front of it.
    pub fn warnings(&self, design: &Design) -> Vec<String> {
        let ring = ring_of(self.control.as_ref());
        let mut warnings = ring.map_or_else(Vec::new, |ring| ring.warnings(design));
        let depth = design.port().record_queue_depth;
        if design.protocol().drops_blocks() && depth < LEAST_QUEUE {
            warnings.push(format!(
                "when_full = drop: with record_queue_depth = {depth} blocks in cycles after each other may be lost whatever \
                 fifo_bits is; expected record_queue_depth=8"
            ));
        }
        warnings
    }
}

impl Arguments {
    /// True if the options ask for control registers.
    pub fn asks_registers(&self) -> bool {
        self.control.is_asked(None)
    }

    /// What the options and the unit's file ask for, and the design with the pins that it needs. An option prevails
    /// over the file.
    ///
    /// # Errors
    /// When the design cannot have it.
    pub fn around(&self, unit: &Unit) -> Result<(Around, Design)> {
        let sections = &unit.sections;
        let design = match self.control.is_asked(sections.control.as_ref()) {
            true => unit.for_registers()?,
            false => unit.asked.clone(),
        };
        let adapter =
            self.ingress.adapter(std::slice::from_ref(&design), sections.ingress.as_ref())?;
        let design = match adapter {
            None => design,
            Some(adapter) => unit.for_adapter(adapter, design)?,
        };
        let registers = (sections.control.as_ref(), sections.ram_sink.as_ref());
        let held_blocks = adapter.map_or(0, Ingress::held_blocks);
        let control = self
            .control
            .control(std::slice::from_ref(&design), registers, held_blocks)
            .map_err(|error| unit.explain(error))?;
        let design = match ring_of(control.as_ref()) {
            None => design,
            Some(ring) => ring.fit(design, &unit.stated)?,
        };
        let sinks = self.sink.sinks(sections.sink.as_ref());
        if let (Some(control), Some(_)) = (control, sinks.first()) {
            let refused = [
                (
                    control.ram_sink.is_some(),
                    "--sink or [sink]: expected no --ram-sink or [ram_sink], which takes the trace",
                ),
                (
                    control.system_memory.is_some(),
                    "--sink or [sink]: expected no --system-memory, which takes the trace",
                ),
                (
                    sinks.len() > 1,
                    "--sink: expected one with --control, whose registers are around it",
                ),
            ];
            if let Some((_, says)) = refused.into_iter().find(|(is_so, _)| *is_so) {
                return Err(usage(says));
            }
        }
        let is_source = |sinks: &[Sink]| matches!(sinks, [Sink::Atb]);
        let control = control.map(|control| Control { trace_bus: is_source(&sinks), ..control });
        // Software says how long a ring in the memory of the system is.
        let has_size = control.is_some_and(|control| control.ram_sink.is_some());
        if let Some(ring) = ring_of(control.as_ref()).filter(|_| has_size) {
            ring.check_size(&design, held_blocks)?;
        }
        let reader = self
            .reader
            .reader(sections.reader.as_ref(), control.as_ref())
            .map_err(|error| unit.explain(error))?;
        Ok((Around { adapter, sinks, control, reader }, design))
    }
}

impl Unit {
    /// The design of a preset, around which nothing stands.
    pub fn bare(design: Design) -> Unit {
        Unit::of(design, Sections::default(), BTreeSet::new())
    }

    /// The design of a file, before its sections have set what they need.
    pub fn of(design: Design, sections: Sections, stated: BTreeSet<String>) -> Unit {
        Unit { asked: design.clone(), design, sections, stated, file: None }
    }

    /// An error that begins with the name of a section, with the name of the file before it.
    fn explain(&self, error: anyhow::Error) -> anyhow::Error {
        match &self.file {
            Some(file) if error.to_string().starts_with('[') => {
                usage(format_args!("{}, {error}", file.display()))
            }
            _ => error,
        }
    }

    /// The design after an adapter. Those for a core's own port know how long every instruction is, and N-Trace of
    /// compressed code is only then what decoders of the standard count.
    ///
    /// # Errors
    /// When the design cannot have the adapter, or states a parameter that it needs otherwise.
    pub fn for_adapter(&self, adapter: Ingress, design: Design) -> Result<Design> {
        let mut design = adapter.fit(design)?;
        let is_refused = self.stated.contains(LOSS_PINS) && !self.asked.protocol().loss_pins;
        if is_refused && design.protocol().loss_pins {
            return Err(usage(format_args!(
                "{}: {LOSS_PINS} = false does not fit: an adapter that takes several blocks or instructions in a cycle, in \
                 front of a module with when_full = drop, needs {LOSS_PINS} = true",
                design.name
            )));
        }
        let knows = matches!(adapter, Ingress::Rvfi(_) | Ingress::Tip(_));
        let counts = matches!(design.scheme, Scheme::NTrace(_)) && design.processor().alignment < 2;
        if knows && counts && !self.stated.contains(EXACT_LENGTHS) {
            design.set(EXACT_LENGTHS, "true")?;
        }
        Ok(design)
    }

    /// The design on the port of a core, with what its registers need if it has some.
    ///
    /// # Errors
    /// Those of [`for_registers`](Self::for_registers) and [`for_adapter`](Self::for_adapter).
    pub fn on_core(&self, adapter: Ingress, has_registers: bool) -> Result<Design> {
        let design = if has_registers { self.for_registers()? } else { self.asked.clone() };
        match self.sections.ingress {
            Some(_) => self.for_adapter(adapter, design),
            None => Ok(design),
        }
    }

    /// The unit with what its sections need of the design, as `generate` makes it.
    ///
    /// # Errors
    /// When the design cannot have what the sections ask for.
    pub fn fitted(self) -> Result<Unit> {
        if self.sections == Sections::default() {
            return Ok(self);
        }
        let (_, design) = Arguments::default().around(&self)?;
        Ok(Unit { design, ..self })
    }

    /// A remark on a unit whose file asks for another adapter than the one that it gets on a core.
    pub fn ingress_note(&self, adapter: Ingress, core: impl Display) -> Option<String> {
        let section = self.sections.ingress.as_ref()?;
        let same = ingress::Section::of(adapter);
        (!section.is_on(&same)).then(|| {
            format!(
                "note: {}: the unit is on the port of {core}, {same}, and not on that of its file, {section}\n",
                self.design.name
            )
        })
    }

    /// A remark on a `design` of a standard that was made of this unit, and got packets that nothing asked for.
    pub fn packets_note(&self, design: &Design) -> Option<String> {
        let is_implied = !self.stated.contains("framing") && design.protocol().has_packets();
        let (standard, base) = match &design.scheme {
            _ if !is_implied => return None,
            Scheme::ETrace(_) => ("E-Trace", "etrace-base"),
            Scheme::NTrace(_) => ("N-Trace", "ntrace-htm"),
            _ => return None,
        };
        Some(format!(
            "its control registers need packets, which no decoder of {standard} reads; `{base}` without its options has \
             none"
        ))
    }

    /// The design with what control registers need, where nothing else is stated.
    ///
    /// # Errors
    /// When the design cannot have it.
    pub fn for_registers(&self) -> Result<Design> {
        let mut design = self.asked.clone();
        let states = |parameter: &str| self.stated.contains(parameter);
        let (time_source, unit) = FOR_TIME;
        if design.protocol().time_bits > 0 && !states(time_source) {
            design.set(time_source, unit)?;
        }
        let is_off = states("enable_pin") && !design.protocol().enable_pin;
        if !states("framing") && !is_off {
            // E-Trace and N-Trace go on without packets.
            design.set("enable_pin", "true")?;
            if design.validate().is_ok() {
                return Ok(design);
            }
        }
        for (parameter, value) in FOR_REGISTERS {
            if !self.stated.contains(parameter) {
                design.set(parameter, value)?;
            }
        }
        design.validate().map_err(|error| {
            usage(format_args!("control registers of {}: {error}", self.design.name))
        })?;
        Ok(design)
    }

    /// The file that describes it: what it is of, every parameter, and a section for all that stands around the design.
    ///
    /// # Errors
    /// Never with the existing sections.
    pub fn toml(&self, of: &str) -> Result<String> {
        let Unit { design, sections, .. } = self;
        let mut text = format!(
            "# {of} Every command takes this file as a design:\n\
             # bits that come from the hardware are decoded with these parameters. Fingerprint: {:#010x}.\n\
             name = \"{}\"\nscheme = \"{}\"\n",
            design.fingerprint(),
            design.name,
            design.scheme.name()
        );
        for (name, value) in design.resolved().values() {
            text += &match value {
                Value::Word(word) => format!("{name} = \"{word}\"\n"),
                other => format!("{name} = {other}\n"),
            };
        }
        let sections = toml::to_string(sections)?;
        Ok(if sections.is_empty() { text } else { format!("{text}\n{sections}") })
    }
}
