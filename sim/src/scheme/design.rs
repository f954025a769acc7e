//! A scheme with its parameters and a name: what is generated, encoded and decoded with.

use super::Scheme;
use crate::bound::MostBits;
use crate::config::{Processor, Protocol, SWITCHED_ALONE, TracePort, mask};
use crate::configuration::Configuration;
use crate::event::Machine;
use crate::packet::framing::Framing;
use crate::parameter::{self, Parameter, ParameterError, Parameters, Value};
use crate::pins::Interface;

/// A scheme, its parameters, and a name for what is generated from it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Design {
    /// A preset's name or the user's own.
    pub name: String,
    /// The scheme and its parameters.
    pub scheme: Scheme,
    /// True once `alignment` was set by hand, so that it no longer follows the trace.
    alignment_is_set: bool,
    /// True once `address_width` was set by hand, so that it no longer follows the trace.
    address_width_is_set: bool,
    /// True once `elided_upper_bits` was set by hand, so that it no longer follows the trace.
    elided_upper_bits_is_set: bool,
}

/// Why a design does not exist or cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DesignError {
    /// No preset has this name.
    #[error("no design is called `{name}`{} `tracewright designs` lists them", did_you_mean(.nearest))]
    UnknownPreset {
        /// The name given.
        name: String,
        /// The preset whose name is most like it, if one could have been meant.
        nearest: Option<&'static str>,
    },
    /// No scheme has this name.
    #[error("no scheme is called `{name}`; there is {known}")]
    UnknownScheme {
        /// The name given.
        name: String,
        /// The schemes there are.
        known: String,
    },
    /// A name that cannot become a Verilog module's.
    #[error(
        "`{name}` cannot name a design: letters, digits, `-` and `_`, a letter first, 64 at most"
    )]
    IllegalName {
        /// The name given.
        name: String,
    },
    /// A parameter is wrong.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The design traces memory accesses.
    #[error(
        "`{name}` traces data addresses: its traces decode to an execution, not to control flow"
    )]
    TracesData {
        /// The design.
        name: String,
    },
    /// The design traces control flow.
    #[error("`{name}` traces control flow: there are no data addresses in its traces")]
    TracesControlFlow {
        /// The design.
        name: String,
    },
    /// The design's traces are not made of packets.
    #[error("traces of `{name}` have no packets; framing=packets makes them")]
    NoPackets {
        /// The design.
        name: String,
    },
    /// The design was set for a coarser alignment than the trace has.
    #[error(
        "alignment = {design} drops address bits: the trace is of a machine with alignment {trace}"
    )]
    Alignment {
        /// The design's.
        design: u32,
        /// The trace's.
        trace: u8,
    },
}

fn did_you_mean(nearest: &Option<&str>) -> String {
    nearest.map_or(";".into(), |nearest| format!(", did you mean `{nearest}`?"))
}

/// True if a name may stand for another: at most three of ten characters differ.
fn is_like(name: &str, nearest: &str) -> bool {
    strsim::normalized_damerau_levenshtein(name, nearest) >= 0.7
}

impl Design {
    /// A design with a name of its own.
    ///
    /// # Errors
    /// When the name cannot become a Verilog module's.
    pub fn new(name: &str, scheme: Scheme) -> Result<Self, DesignError> {
        let legal = name.len() <= 64
            && name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        if !legal {
            return Err(DesignError::IllegalName { name: name.into() });
        }
        Ok(Self {
            name: name.into(),
            scheme,
            alignment_is_set: false,
            address_width_is_set: false,
            elided_upper_bits_is_set: false,
        })
    }

    /// The same design under another name.
    ///
    /// # Errors
    /// When the name cannot become a Verilog module's.
    pub fn renamed(self, name: &str) -> Result<Self, DesignError> {
        let Self { name, .. } = Self::new(name, self.scheme.clone())?;
        Ok(Self { name, ..self })
    }

    /// The preset with this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn preset(name: &str) -> Result<Self, DesignError> {
        let mut presets = Scheme::presets();
        let names = || presets.iter().map(|(preset, _)| preset.name);
        let Some(at) = names().position(|preset| preset == name) else {
            let nearest = parameter::nearest(name, names());
            let nearest = nearest.filter(|nearest| is_like(name, nearest));
            return Err(DesignError::UnknownPreset { name: name.into(), nearest });
        };
        Self::new(name, presets.swap_remove(at).1)
    }

    /// The scheme with this name and its default parameters.
    ///
    /// # Errors
    /// When there is none, or `name` cannot become a Verilog module's.
    pub fn of_scheme(name: &str, scheme: &str) -> Result<Self, DesignError> {
        let all = Scheme::all();
        let known = all.iter().map(Scheme::name).collect::<Vec<_>>().join(", ");
        let found = all.into_iter().find(|one| one.name() == scheme);
        Self::new(
            name,
            found.ok_or_else(|| DesignError::UnknownScheme { name: scheme.into(), known })?,
        )
    }

    /// Every parameter of the design's scheme.
    pub fn table(&self) -> Vec<Parameter> {
        fn table_of<C: Parameters>(_: &C) -> Vec<Parameter> {
            C::table()
        }
        with_config!(&self.scheme, config => table_of(config))
    }

    /// Every parameter and its value.
    pub fn values(&self) -> Vec<(&'static str, Value)> {
        with_config!(&self.scheme, config => config.values())
    }

    /// Sets one parameter from text.
    ///
    /// # Errors
    /// When it does not exist or cannot have that value. Constraints between parameters are left to
    /// [`validate`](Self::validate).
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), DesignError> {
        with_config!(&mut self.scheme, config => config.set(name, text)?);
        self.alignment_is_set |= name == "alignment";
        self.address_width_is_set |= name == "address_width";
        self.elided_upper_bits_is_set |= name == "elided_upper_bits";
        Ok(())
    }

    /// Checks the constraints between parameters.
    ///
    /// # Errors
    /// The first that is broken, by name.
    pub fn validate(&self) -> Result<(), DesignError> {
        with_config!(&self.scheme, config => Ok(Configuration::validate(config)?))
    }

    /// The design for a machine: its alignment follows the machine's unless it was set by hand.
    ///
    /// # Errors
    /// When it was set, and to one that loses address bits.
    pub fn for_machine(&self, machine: Machine) -> Result<Self, DesignError> {
        let mut design = self.clone();
        if !self.alignment_is_set {
            with_config!(&mut design.scheme, config => config.processor_mut()).alignment =
                machine.alignment.into();
        }
        let alignment = design.processor().alignment;
        if alignment > machine.alignment.into() {
            return Err(DesignError::Alignment { design: alignment, trace: machine.alignment });
        }
        design.validate()?;
        Ok(design)
    }

    /// True if a model of the design follows a trace with these bits in its addresses: they do not fit, and the
    /// address width was not set by hand.
    pub fn widens_for(&self, addresses: u64) -> bool {
        let width = self.processor().address_width;
        !self.address_width_is_set && addresses & !mask(width) != 0
    }

    /// The design for a model of it on a trace with these bits in its addresses: where it [widens](Self::widens_for),
    /// it has addresses of 64 bits.
    pub fn widened_for(mut self, addresses: u64) -> Self {
        if self.widens_for(addresses) {
            with_config!(&mut self.scheme, config => config.processor_mut()).address_width =
                u64::BITS;
        }
        self
    }

    /// Upper bits of targets that the tables of predictors leave out; `None` where there are no such tables.
    pub fn elided_upper_bits(&self) -> Option<u32> {
        with_config!(&self.scheme, config => config.elided_bits())
    }

    /// The design for a model of it on a trace whose targets of indirect branches differ in these bits: its tables
    /// keep the bits that differ and those below, unless the number of bits that they leave out was set by hand.
    pub fn keeping(mut self, differing: u64) -> Self {
        let width = self.processor().address_width;
        let constant = width - (u64::BITS - (differing & mask(width)).leading_zeros());
        if !self.elided_upper_bits_is_set
            && self.elided_upper_bits().is_some_and(|elided| constant < elided)
        {
            with_config!(&mut self.scheme, config => config.set_elided_bits(constant));
        }
        self
    }

    /// The design with what another one took from its trace, its address width and the upper bits of targets that it
    /// leaves out, as far as these were not set by hand.
    pub fn with_addresses_of(mut self, other: &Self) -> Self {
        if !self.address_width_is_set {
            with_config!(&mut self.scheme, config => config.processor_mut()).address_width =
                other.processor().address_width;
        }
        if let Some(elided) = other.elided_upper_bits()
            && !self.elided_upper_bits_is_set
            && self.elided_upper_bits().is_some_and(|own| elided < own)
        {
            with_config!(&mut self.scheme, config => config.set_elided_bits(elided));
        }
        self
    }

    /// The processor the design is for.
    pub fn processor(&self) -> &Processor {
        with_config!(&self.scheme, config => Configuration::processor(config))
    }

    /// Processor cores the design traces.
    pub fn cores(&self) -> u32 {
        with_config!(&self.scheme, config => config.cores())
    }

    /// True if the design traces memory accesses instead of control flow.
    pub fn traces_data(&self) -> bool {
        with_config!(&self.scheme, config => config.traces_data())
    }

    /// True if the design reads the length of the last instruction of every block, and not of calls alone.
    pub fn reads_lengths(&self) -> bool {
        with_config!(&self.scheme, config => config.reads_lengths())
    }

    /// True if the design's trace has the time of events.
    pub fn has_event_times(&self) -> bool {
        with_config!(&self.scheme, config => config.has_event_times())
    }

    /// True if the design predicts return addresses.
    pub fn predicts_returns(&self) -> bool {
        with_config!(&self.scheme, config => config.predicts_returns())
    }

    /// The design's output: buffers, trace port, reset.
    pub fn port(&self) -> &TracePort {
        with_config!(&self.scheme, config => Configuration::port(config))
    }

    /// What the design's trace has besides the records of its scheme.
    pub fn protocol(&self) -> &Protocol {
        with_config!(&self.scheme, config => config.protocol())
    }

    /// What the pins of the design's module depend on.
    pub fn interface(&self) -> Interface {
        with_config!(&self.scheme, config => Interface::of(config))
    }

    /// The design's packets, if its trace is made of packets.
    pub fn framing(&self) -> Option<Framing> {
        with_config!(&self.scheme, config => Framing::of(config))
    }

    /// The parameters that a file of the design states, and their values: all but those of packets that are off, and
    /// those of pins, filters and the Verilog's style that are not changed.
    pub fn stated_values(&self) -> Vec<(&'static str, Value)> {
        let is_off = with_config!(&self.scheme, config => !config.protocol().has_packets());
        let mut values = self.values();
        if is_off {
            let (of_packets, unchanged) = (Protocol::table(), Protocol::default().values());
            let is_switched = self.protocol().switches_alone();
            values.retain(|(name, value)| {
                let is_changed = !unchanged.contains(&(*name, value.clone()));
                is_switched && SWITCHED_ALONE.contains(name) && is_changed
                    || of_packets.iter().all(|parameter| parameter.name != *name)
            });
        }
        with_config!(&self.scheme, config => {
            let (names, defaults) = (config.stated_when_changed(), default_values(config));
            values.retain(|value| !names.contains(&value.0) || !defaults.contains(value));
        });
        values
    }

    /// The same without a width of 0 for the numbers of packets: files from before packets had numbers do not state it.
    pub fn stated_values_in_files(&self) -> Vec<(&'static str, Value)> {
        let mut values = self.stated_values();
        values.retain(|value| *value != ("sequence_bits", Value::Number(0)));
        values
    }

    /// The same design with every `auto` replaced by the value that it stands for.
    pub fn resolved(&self) -> Self {
        let mut design = self.clone();
        with_config!(&mut design.scheme, config => *config = Configuration::resolved(config));
        design
    }

    /// The most bits of an event, whatever the program, without packets; `None` where nothing is proven.
    pub fn most_bits_of_event(&self) -> Option<MostBits> {
        with_config!(&self.scheme, config => Configuration::most_bits_of_event(config))
    }

    /// The papers' gate estimate, from their storage alone.
    pub fn estimated_gates(&self) -> u32 {
        with_config!(&self.scheme, config => Configuration::estimated_gates(config))
    }

    /// Storage by structure, in bits, as the scheme's paper counts it for its estimate.
    pub fn estimated_storage(&self) -> Vec<(&'static str, u32)> {
        with_config!(&self.scheme, config => Configuration::estimated_storage(config))
    }
}

/// The values of a scheme's default configuration.
fn default_values<C: Configuration>(_: &C) -> Vec<(&'static str, Value)> {
    C::default().values()
}
